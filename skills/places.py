"""Where skills are kept: what comes with the product, a person's own, and a project's."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LIBRARY = Path(__file__).parent / "library"


@dataclass(frozen=True, slots=True)
class Place:
    """One folder of skills, with the file that says which of them are used and how."""

    scope: str  # user or project
    folder: Path
    registry: Path


@dataclass(frozen=True, slots=True)
class Places:
    """All of them; a later one wins. `cache` may be emptied at any time."""

    user: Place
    project: Place
    cache: Path
    library: Path = LIBRARY

    @property
    def roots(self) -> tuple[Path, ...]:
        return (self.library, self.user.folder, self.project.folder)

    def of(self, scope: str) -> Place:
        """The place of a scope, `user` or `project`."""
        return self.project if scope == "project" else self.user


def places(environ: Mapping[str, str], home: Path, project: Path) -> Places:
    """The usual places, by the XDG rules, and what XIAOMAOLV_SKILLS_* say instead."""

    def of(variable: str, default: Path) -> Path:
        return Path(environ[variable]).expanduser() if environ.get(variable) else default

    config = of("XDG_CONFIG_HOME", home / ".config") / "xiaomaolv"
    data = of("XDG_DATA_HOME", home / ".local" / "share") / "xiaomaolv"
    own = project / ".xiaomaolv"
    return Places(
        user=Place(
            "user",
            of("XIAOMAOLV_SKILLS_USER_DIR", data / "skills"),
            of("XIAOMAOLV_SKILLS_USER_CONFIG", config / "skills.toml"),
        ),
        project=Place(
            "project",
            of("XIAOMAOLV_SKILLS_PROJECT_DIR", own / "skills"),
            of("XIAOMAOLV_SKILLS_PROJECT_CONFIG", own / "skills.toml"),
        ),
        cache=of("XDG_CACHE_HOME", home / ".cache") / "xiaomaolv" / "skills",
    )
