"""Schemas as providers take them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bot.tools.repair import Repaired, Unfit, repair
from bot.tools.strict import faults

SAMPLES = Path(__file__).with_name("schemas.json")


def repaired(schema: Any) -> dict[str, Any]:
    made = repair(schema)
    assert faults(made.schema) == []
    Draft202012Validator.check_schema(made.schema)
    return made.schema


def of(**properties: Any) -> dict[str, Any]:
    """What becomes of parameters."""
    found: dict[str, Any] = repaired({"type": "object", "properties": properties})["properties"]
    return found


@pytest.mark.pain("P078")
@pytest.mark.parametrize(
    "schema",
    [
        {},
        None,
        True,
        {"type": "object"},
        {"type": "string"},
        {"type": "object", "properties": None, "required": None},
        {"type": ["object", "null"]},
    ],
)
def test_what_says_nothing_becomes_an_object_without_parameters(schema: Any) -> None:
    assert repaired(schema) == {"type": "object", "properties": {}}


@pytest.mark.pain("44")
def test_references_are_filled_in_and_the_rest_is_gone() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {"Unit": {"enum": ["c", "f"], "title": "Unit"}},
        "type": "object",
        "properties": {"unit": {"$ref": "#/$defs/Unit", "description": "which"}},
        "required": ["unit", "nothing"],
    }
    assert repaired(schema) == {
        "type": "object",
        "properties": {"unit": {"type": "string", "enum": ["c", "f"], "description": "which"}},
        "required": ["unit"],
    }


@pytest.mark.pain("44")
def test_optional_null_is_left_out_and_required_null_stays() -> None:
    both = [{"type": "integer"}, {"type": "null"}]
    made = repaired({"properties": {"may": {"anyOf": both}, "must": {"anyOf": both}}, "required": ["must"]})
    assert made["properties"]["may"] == {"type": "integer"}
    assert made["properties"]["must"] == {"anyOf": both}


@pytest.mark.pain("P078")
def test_parameters_that_are_called_like_keywords_survive() -> None:
    made = of(properties={"type": "string"}, type={"type": "integer"}, items={"type": "boolean"})
    assert made == {
        "properties": {"type": "string"},
        "type": {"type": "integer"},
        "items": {"type": "boolean"},
    }


@pytest.mark.pain("44")
def test_arrays_get_items_and_tuples_one_kind_of_them() -> None:
    made = of(
        bare={"type": "array"},
        pair={"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}]},
        old={"type": "array", "items": [{"type": "string"}, {"type": "string"}]},
    )
    assert made["bare"]["items"]["anyOf"]
    assert made["pair"]["items"] == {"anyOf": [{"type": "string"}, {"type": "number"}]}
    assert made["old"]["items"] == {"type": "string"}


def test_what_stands_in_the_place_of_a_schema_becomes_anything_and_is_noted() -> None:
    made = repair({"type": "object", "properties": {"a": "string", "b": ["x"]}})
    assert set(made.schema["properties"]) == {"a", "b"}
    assert made.notes == ("a string stood in the place of a schema", "a list stood in the place of a schema")


def test_a_schema_that_contains_itself_ends() -> None:
    node = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/N"}}}}
    made = repair({"$defs": {"N": node}, "type": "object", "properties": {"root": {"$ref": "#/$defs/N"}}})
    assert faults(made.schema) == []
    assert "#/$defs/N contains itself" in made.notes[0]


def test_the_branches_of_a_root_become_parameters_together() -> None:
    one = {"type": "object", "properties": {"id": {"type": "string"}, "a": {}}, "required": ["id", "a"]}
    other = {"type": "object", "properties": {"id": {"type": "string"}, "b": {}}, "required": ["id", "b"]}
    made = repaired({"oneOf": [one, other]})
    assert set(made["properties"]) == {"id", "a", "b"}
    assert made["required"] == ["id"]


def test_parts_that_all_hold_are_merged() -> None:
    made = repaired({
        "allOf": [
            {"properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"b": {"type": "string"}}, "required": ["b"]},
        ]
    })
    assert sorted(made["required"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        ({"anyOf": [{"not": {}}, {"type": "string"}]}, {"type": "string"}),
        ({"type": ["string", "number"]}, {"anyOf": [{"type": "string"}, {"type": "number"}]}),
        ({"const": 3}, {"type": "integer", "enum": [3]}),
        ({"enum": ["a", "a", None]}, {"type": "string", "enum": ["a"]}),
        ({"type": "str", "format": "color", "pattern": "^(?=x)"}, {"type": "string"}),
        ({"type": "number", "exclusiveMinimum": True, "minimum": 2}, {"type": "number", "minimum": 2}),
        ({"minLength": 1}, {"type": "string", "minLength": 1}),
    ],
)  # fmt: skip
def test_every_place_has_one_type_and_only_common_keywords(schema: Any, made: Any) -> None:
    assert of(x=schema)["x"] == made


@pytest.mark.pain("44")
@pytest.mark.parametrize("schema", [["x"], "object", 3, False])
def test_what_is_no_schema_is_set_aside_with_a_reason(schema: Any) -> None:
    with pytest.raises(Unfit, match="in the place of a schema"):
        repair(schema)


def test_a_schema_that_explodes_is_set_aside() -> None:
    levels = {
        f"l{number}": {
            "type": "object",
            "properties": {name: {"$ref": f"#/$defs/l{number + 1}"} for name in "abcdefgh"},
        }
        for number in range(10)
    }
    with pytest.raises(Unfit, match="too large"):
        repair({"$defs": {**levels, "l10": {}}, "$ref": "#/$defs/l0"})


def test_real_schemas_are_taken() -> None:
    samples = json.loads(SAMPLES.read_text(encoding="utf-8"))
    assert len(samples) >= 87
    for schema in samples.values():
        repaired(schema)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
WORDS = st.sampled_from(
    ["type", "properties", "items", "anyOf", "oneOf", "allOf", "enum", "required", "$ref", "not", "const",
     "additionalProperties", "prefixItems", "pattern", "minimum", "nullable", "description", "format"]
)  # fmt: skip
SCHEMAS = st.recursive(
    JSON | st.sampled_from(["string", "object", "array", "#", "#/properties/a"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=25,
)


@example({"format": []})
@given(SCHEMAS)
def test_whatever_comes_in_is_fit_or_set_aside(schema: Any) -> None:
    try:
        made = repair(schema)
    except Unfit:
        return
    assert isinstance(made, Repaired)
    assert faults(made.schema) == []
    Draft202012Validator.check_schema(json.loads(json.dumps(made.schema)))


def test_a_default_is_told_in_words_for_some_refuse_the_keyword() -> None:
    made = of(
        a={"type": "integer", "default": 5},
        b={"type": "string", "default": "x", "description": "By default x."},
    )
    assert made["a"] == {"type": "integer", "description": "(default: 5)"}
    assert made["b"]["description"] == "By default x."
