"""Whether arguments are what a tool asks for: all faults at once, each with its place."""

import functools
import importlib
from collections.abc import Mapping
from types import ModuleType
from typing import Any

MOST_FAULTS = 12
MAX_CHARS = 300  # of one fault: some repeat the whole value


@functools.cache
def _library() -> ModuleType:
    """Loaded with the first call of a tool: it takes longer than all the rest of a start."""
    return importlib.import_module("jsonschema")


@functools.cache
def _no_documents() -> Any:
    """A registry that fetches nothing: a schema must not make us call an address."""
    return importlib.import_module("referencing").Registry()


def faults(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> list[str]:
    """What is wrong with the arguments, as `$.place: what`; [] where all is well.

    A schema that is none itself, or refers to what is not in it, is a fault, too: nothing can be checked.
    """
    jsonschema = _library()
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
        checker = jsonschema.Draft202012Validator(schema, registry=_no_documents())
        found = sorted(checker.iter_errors(arguments), key=lambda fault: fault.json_path)
    except jsonschema.SchemaError as error:
        return [f"$: the tool's own schema is wrong at {error.json_path}: {error.message[:MAX_CHARS]}"]
    except Exception as error:  # noqa: BLE001 - a schema of others: a reference that leads nowhere, a wrong pattern
        return [f"$: the tool's own schema cannot be used: {type(error).__name__}: {str(error)[:MAX_CHARS]}"]
    told = [f"{fault.json_path}: {fault.message[:MAX_CHARS]}" for fault in found]
    return told[:MOST_FAULTS] + ([f"… and {len(told) - MOST_FAULTS} more"] if len(told) > MOST_FAULTS else [])
