"""Values written as TOML."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_key(name: str) -> str:
    """A key, quoted where it has to be."""
    return name if _BARE_KEY.fullmatch(name) else toml_value(name)


def toml_value(value: Any) -> str:
    """A value on one line. Raises `TypeError` for what TOML has no word for."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return repr(value) if math.isfinite(value) else str(value)
        case str():
            # JSON's escapes are a subset of TOML's; only DEL is left bare by JSON and forbidden here.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list() | tuple():
            return f"[{', '.join(toml_value(item) for item in value)}]"
        case Mapping():
            pairs = ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items())
            return f"{{ {pairs} }}" if pairs else "{}"
        case _:
            raise TypeError(f"no TOML for {type(value).__name__}")
