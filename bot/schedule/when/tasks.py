"""The rest of a sentence: what is to be done."""

import re

_SPACES = re.compile(r"\s+")
_EDGES = " \t\n,;:.!?-，。；：！？、"


def cleaned(before: str, after: str, lead_in: re.Pattern[str], dangling: re.Pattern[str]) -> str:
    """The text around a time, joined, without the words that ask for the reminder.

    `lead_in` matches those at the start; `dangling` a preposition that stood before the time.
    """
    head = dangling.sub("", before.rstrip()) if before.strip() else ""
    task = f"{head} {after}".strip(_EDGES)
    shorter = lead_in.sub("", task)
    while shorter != task:
        task, shorter = shorter, lead_in.sub("", shorter)
    return _SPACES.sub(" ", task).strip(_EDGES)
