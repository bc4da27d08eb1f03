"""Spanish."""

from bot.schedule.when.reading import Asked, Reading


class _Spanish:
    lang = "es"

    def find(self, text: str, asked: Asked) -> list[Reading]:
        return []

    def task(self, before: str, after: str) -> str:
        return f"{before} {after}".strip()


READER = _Spanish()
