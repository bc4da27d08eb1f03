"""Guard against other distributions that own one of our four top-level names.

Django Channels, for one, also installs a package `channels`, and overwrites ours without a word.
"""

import importlib.util
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path

from bot.errors import ConfigError

PACKAGES = ("bot", "channels", "memory", "skills")

Finder = Callable[[str], ModuleSpec | None]


def check_packages(find: Finder = importlib.util.find_spec, names: Sequence[str] = PACKAGES) -> Path:
    """The one folder that holds all our packages. Raises `ConfigError` naming both places if two do."""
    homes: dict[Path, str] = {}
    for name in names:
        spec = find(name)
        places = list(spec.submodule_search_locations or ()) if spec else []
        if not places:
            raise ConfigError(
                f"the package {name} of xiaomaolv cannot be found",
                hint="install xiaomaolv again, in an environment of its own",
            )
        for place in places:
            homes.setdefault(Path(place).resolve().parent, name)
    if len(homes) > 1:
        (first, its), (second, other) = list(homes.items())[:2]
        raise ConfigError(
            f"the package {other} comes from {second}, but {its} from {first}: "
            "another distribution owns one of these names",
            hint="install xiaomaolv in an environment of its own",
        )
    return next(iter(homes))
