"""Generate `config.example.toml` from the settings' models, so that it cannot go stale."""

import textwrap
from collections.abc import Iterator

from pydantic.fields import FieldInfo

from bot.config.schema import ANY_NAME, Table, tables
from bot.config.toml import toml_value

_WIDTH = 100
_HEAD = """\
# Configuration of xiaomaolv. This file is generated: `xiaomaolv config example` prints it.
# Copy it to config.toml and change what you need; every key has the default shown.
#
# ${NAME} and ${NAME:-default} in a text are filled in from the environment or from a file .env
# beside this one; $${ is a literal ${. A key behind a bare # is not set: take the # away to set it.
#
# Without any provider the bot uses OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL if the first is
# set, else a small model run in its own process. TELEGRAM_BOT_TOKEN sets channels.telegram.bot_token.
"""
_NAMES = {"providers": "openai", "models": "chat", "plugins": "other"}


def example() -> str:
    """The whole file: each key with its description and default; what has none is commented out."""
    return _HEAD + "\n".join(line for table in tables() for line in _table(table)) + "\n"


def _table(table: Table) -> Iterator[str]:
    keys = list(table.plain_keys())
    if not keys:
        return
    is_sample = ANY_NAME in table.path
    names = [_NAMES[table.path[at - 1]] if part == ANY_NAME else part for at, part in enumerate(table.path)]
    yield ""
    yield from _comment(table.description)
    yield f"{'#' if is_sample else ''}[{'.'.join(names)}]"
    for name, field in keys:
        yield from _comment(field.description or "")
        yield _key(name, field, is_sample)


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text, _WIDTH - 2)]


def _key(name: str, field: FieldInfo, is_sample: bool) -> str:
    if field.examples:
        return f"#{name} = {toml_value(field.examples[0])}"
    default = field.get_default(call_default_factory=True, validated_data={})
    return f"{'#' if is_sample else ''}{name} = {toml_value(default)}"
