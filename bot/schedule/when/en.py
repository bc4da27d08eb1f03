"""English."""

from bot.schedule.when.reading import Asked, Reading


class _English:
    lang = "en"

    def find(self, text: str, asked: Asked) -> list[Reading]:
        return []

    def task(self, before: str, after: str) -> str:
        return f"{before} {after}".strip()


READER = _English()
