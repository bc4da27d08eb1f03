import re
from pathlib import Path

from bot.config.example import example
from bot.config.load import load
from bot.config.schema import ANY_NAME, tables
from bot.config.settings import Settings

FILE = Path(__file__).parents[2] / "config.example.toml"


def test_the_example_in_the_repository_is_the_generated_one() -> None:
    assert FILE.read_text(encoding="utf-8") == example(), (
        "run: xiaomaolv config example > config.example.toml"
    )


def test_the_example_says_what_holds_without_it(tmp_path: Path) -> None:
    empty = tmp_path / "config.toml"
    empty.touch()
    assert load(FILE, {}) == load(empty, {})


def test_every_key_that_is_commented_out_may_be_taken_in(tmp_path: Path) -> None:
    text = re.sub(r"(?m)^#(?=[^ #])", "", example())
    variables = dict.fromkeys(re.findall(r"(?m)^\w+ = \"\$\{(\w+)\}\"", text), "1:some-secret")
    file = tmp_path / "config.toml"
    file.write_text(text.replace('"persona.md"', f'"{FILE}"'), encoding="utf-8")
    settings = load(file, variables)
    assert settings.providers["openai"].temperature == 0.7
    assert settings.chain() == (("openai", None), ("openai", "gpt-4o"))


def test_every_key_has_a_description_and_what_has_no_default_an_example() -> None:
    for table in tables():
        for name, field in table.plain_keys():
            where = ".".join((*table.path, name))
            assert field.description, where
            assert "\n" not in field.description, where
            assert (
                field.examples or field.get_default(call_default_factory=True, validated_data={}) is not None
            )


def test_every_table_of_the_settings_stands_in_the_example() -> None:
    text = example()
    for table in tables():
        if table.model is Settings or not list(table.plain_keys()) or ANY_NAME in table.path:
            continue
        assert f"\n[{'.'.join(table.path)}]\n" in text
