"""What is decided about a skill: used or not, approved as it is now, taken away."""

import shutil

from bot.errors import InputError
from skills.places import Places
from skills.registry import Registry
from skills.shelf import Kept


def change(verb: str, kept: Kept, places: Places) -> None:
    """Carry out enable, disable, approve or rm. A skill of the library can be switched off, not removed.

    Raises `InputError` for what cannot be done, `ConfigError` where the registry cannot be read.
    """
    name = kept.skill.name
    place = places.of("project" if kept.scope == "project" else "user")
    registry = Registry(place.registry)
    match verb:
        case "enable":
            if kept.is_changed:
                raise InputError(f"{name} was changed after it was approved", hint="approve it first")
            registry.put(name, enabled=True, **({"mode": None} if kept.entry.mode == "off" else {}))
        case "disable":
            registry.put(name, enabled=False)
        case "approve":
            registry.put(name, checksum_sha256=kept.skill.digest)
        case "rm":
            if kept.scope not in {"user", "project"}:
                raise InputError(f"{name} comes with the product", hint=f"skills disable {name}")
            shutil.rmtree(kept.skill.folder)
            registry.drop(name)
        case _:
            raise InputError(f"there is no verb {verb}")
