"""What is kept, from the command line."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot import cli

LINES = (
    '{"id":"1","scope":"c","speaker":"Ann","text":"I planted quetzalcoatlus","at":"2026-01-01T10:00:00Z"}',
    '{"id":"2","scope":"c","speaker":"Ann","text":"my cat is called Tom","at":"2026-01-02T10:00:00Z"}',
    '{"id":"1","scope":"d","speaker":"Ben","text":"a quetzalcoatlus flew by","at":"2026-01-03T10:00:00Z"}',
)


def test_what_is_kept_is_listed_counted_exported_and_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "xiaomaolv.toml").write_text('[memory]\nembedder = "none"\n', encoding="utf-8")
    config = ["--db", f"sqlite:///{tmp_path}/bot.db", "--config", str(tmp_path / "xiaomaolv.toml")]
    (tmp_path / "lines.jsonl").write_text("\n".join(LINES), encoding="utf-8")

    def run(*words: str) -> str:
        assert cli.main(["memory", *words, *config]) == 0
        return capsys.readouterr().out

    run("import", str(tmp_path / "lines.jsonl"))
    assert json.loads(run("stats", "--json"))["memories"] == 3
    assert "Tom" in run("list", "--scope", "c")
    exported = [json.loads(line) for line in run("export", "--scope", "c").splitlines()]
    assert [record["source"] for record in exported] == ["import:jsonl:1", "import:jsonl:2"]
    shown = json.loads(run("forget", "--scope", "c", "--json", "quetzalcoatlus"))
    assert [line["text"] for line in shown["would_forget"]] == ["I planted quetzalcoatlus"]
    assert json.loads(run("stats", "--json"))["memories"] == 3, "showing forgets nothing"
    run("forget", "--scope", "c", "--yes", "quetzalcoatlus")
    left = run("export")
    assert "Tom" in left
    assert "flew by" in left
    assert "planted" not in left
    with closing(sqlite3.connect(tmp_path / "bot.db")) as database:
        seen = [row[0] for row in database.execute("SELECT type FROM events ORDER BY seq")]
    assert seen[0] == "memory.write.committed"
    assert {"memory.read.completed", "memory.exported", "memory.deleted"} <= set(seen)
    assert b"planted" not in b"".join(path.read_bytes() for path in tmp_path.glob("bot.db*"))


def test_a_handbook_is_brought_in_for_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "xiaomaolv.toml").write_text('[memory]\nembedder = "none"\n', encoding="utf-8")
    config = ["--db", f"sqlite:///{tmp_path}/bot.db", "--config", str(tmp_path / "xiaomaolv.toml")]
    (tmp_path / "handbook.md").write_text("# Office\n\nThe office opens at eight.\n", encoding="utf-8")
    assert cli.main(["memory", "import", "handbook.md", "--workspace", "public", *config]) == 0
    capsys.readouterr()
    assert cli.main(["memory", "list", "--scope", "workspace:all", "--json", *config]) == 0
    (item,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (item["scope"], item["visibility"]) == ("workspace:all", "public")
