"""A folder for a bot that dies: its configuration, and what is left in its database."""

import sqlite3
from contextlib import closing
from pathlib import Path

from bench.processes import free_port
from tests.fakes.bot_api import FakeBotApi

ANN = 11


class Place:
    """A data folder and a configuration of its own. `telegram` is (token, address of the Bot API)."""

    def __init__(
        self,
        folder: Path,
        upstream_url: str,
        telegram: tuple[str, str] | None = None,
        *,
        streaming: bool = False,
        more: str = "",
    ) -> None:
        """`more` is appended to the configuration."""
        folder.mkdir(parents=True)
        self.database = folder / "bot.db"
        self.config = folder / "config.toml"
        self.url = f"http://127.0.0.1:{free_port()}"
        text = f"""
[app]
bind = "{self.url.removeprefix("http://")}"
default_provider = "fake"
[providers.fake]
kind = "openai-compatible"
base_url = "{upstream_url}"
api_key = "test"
model = "fake-model"
vision = true
[storage]
url = "sqlite:///{self.database}"
[memory]
embedder = "none"
[tools]
workspace_dir = "{folder}/files"
"""
        if telegram is not None:
            token, api = telegram
            text += f"""
[channels.telegram]
bot_token = "{token}"
api_base_url = "{api}"
allowed_user_ids = {list(range(ANN, ANN + 64))}
polling_timeout_secs = 2
streaming_enabled = {str(streaming).lower()}
streaming_edit_interval_ms = 300
commands_auto_register = false
"""
        self.config.write_text(text + more, encoding="utf-8")

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """What a query finds in the database; nothing where there is none yet."""
        if not self.database.exists():
            return []
        with closing(sqlite3.connect(self.database)) as connection:
            try:
                return connection.execute(query).fetchall()
            except sqlite3.OperationalError:  # ended before its tables were made
                return []

    def open_runs(self) -> list[tuple[object, ...]]:
        """The runs that are still to be done."""
        return self.rows("SELECT kind, status, error FROM runs WHERE status IN ('queued', 'running')")

    def in_doubt(self, api: FakeBotApi) -> set[tuple[int, int]]:
        """Messages of the bot (chat, id) that people see and that are not recorded as sent."""
        known = self.sent_refs()
        return {
            (chat_id, message.id)
            for chat_id in api.world.chats
            for message in api.world.visible(chat_id)
            if message.by_bot and (chat_id, message.id) not in known
        }

    def accepted(self) -> int:
        """How many messages were taken in to be answered; an album is one."""
        return len(self.rows("SELECT DISTINCT run_id FROM inbox"))

    def sent_refs(self) -> set[tuple[int, int]]:
        """The messages (chat, id) that are recorded as sent."""
        rows = self.rows(
            "SELECT chat_id, message_ref FROM deliveries JOIN runs ON runs.id = deliveries.turn_id "
            "JOIN conversations ON conversations.id = runs.conversation_id"
        )
        return {(int(str(chat_id)), int(str(ref))) for chat_id, ref in rows}
