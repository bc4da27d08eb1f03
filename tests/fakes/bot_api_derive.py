"""Derives `bot_api_spec.json` from a machine-readable description of the Bot API.

Usage: `python -m tests.fakes.bot_api_derive DESCRIPTION.json`. The description is the full one with
texts; the result keeps names, types and requirements only, for instance
`{"methods": {"sendMessage": {"chat_id": "Integer|String!", …}}, "types": {…}, "unions": {…}}`,
where `!` marks a required field.
"""

import json
import sys
from pathlib import Path
from typing import Any

SPEC_PATH = Path(__file__).with_name("bot_api_spec.json")


def fields_of(item: dict[str, Any]) -> dict[str, str]:
    return {
        field["name"]: "|".join(field["types"]) + ("!" if field["required"] else "")
        for field in item.get("fields", [])
    }


def derive(description: dict[str, Any]) -> dict[str, Any]:
    """Keep what a server needs to check a request."""
    types = description["types"]
    return {
        "version": description["version"],
        "methods": {name: fields_of(method) for name, method in sorted(description["methods"].items())},
        "types": {name: fields_of(item) for name, item in sorted(types.items()) if not item.get("subtypes")},
        "unions": {name: item["subtypes"] for name, item in sorted(types.items()) if item.get("subtypes")},
    }


def main(arguments: list[str]) -> None:
    description = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    SPEC_PATH.write_text(json.dumps(derive(description), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
