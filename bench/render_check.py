"""How rendering holds for many texts: refused, characters lost, time taken.

python -m bench.render_check FOLDER... [--generated 10000] [--seed 1]

Every `*.md` below the folders and every Markdown description of an installed package there, whole, and so
many texts made up of Markdown's own signs, are rendered as classic messages and as rich ones. Each must pass
the checks of Telegram's servers unchanged, and no visible character may be missing. Exit code 1 where one
fails.
"""

import argparse
import random
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from email import message_from_string
from pathlib import Path

import pyromark

from channels.telegram.entities import Rendered, clean
from channels.telegram.render import OPTIONS, messages
from channels.telegram.rich import rich_messages
from tests.fakes.bot_api_rich import read_rich
from tests.fakes.bot_api_text import EntityError
from tests.telegram.checker import assert_accepted_unchanged

_SIGNS_TEXT = (
    "* ** *** _ __ ~~ ~ ` `` ``` ```py # ## - 1. 12) > >> | |-|-| [ ]( ) ]: ![ < > <b> </b> <!-- --> &amp; "
    "$ $$ \\ \\* [x] [^1] [^1]: == || ++ 😀 👩\u200d👩\u200d👧 🇩🇪 é 中文 ， \u200f \u200d (http://a.b/c_d) "
    "https://x.example/a_b*c --- === *** : :-: # + @name /cmd"
)
_SIGNS = _SIGNS_TEXT.split(" ")
_WORD = re.compile(r"w\d+w")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_SPACES = ["", "", " ", " ", "  ", "\n", "\n\n", "\n    ", "\t"]


def generated(count: int, seed: int) -> Iterator[str]:
    """Texts of words and signs; the words are unique within a text."""
    dice = random.Random(seed)
    for _ in range(count):
        size = dice.choice([3, 10, 40, 40, 200])
        yield "".join(
            (f"w{number}w" if dice.random() < 0.5 else dice.choice(_SIGNS)) + dice.choice(_SPACES)
            for number in range(size)
        )


def found_in(folder: Path) -> Iterator[tuple[str, str]]:
    """The Markdown texts below a folder, each with where it stands."""
    for file in sorted(folder.rglob("*.md")):
        if file.is_file():
            yield str(file), file.read_text("utf-8", "replace")
    for file in sorted(folder.rglob("METADATA")):
        described = message_from_string(file.read_text("utf-8", "replace"))
        if described.get("Description-Content-Type", "").startswith("text/markdown"):
            yield str(file), str(described.get_payload())


def shown(parts: list[Rendered]) -> str:
    """Everything a reader of classic messages can come by."""
    return " ".join(
        [part.text for part in parts]
        + [one.url + " " + one.language for part in parts for one in part.entities]
    )


def meant(source: str) -> tuple[str, list[str]]:
    """What a reader of Markdown has before him: words, code, formulas and tags; and addresses and titles.

    Not the signs of formatting, the labels of references and the numbers of lists.
    """
    out: list[str] = []
    behind: list[str] = []
    for event in pyromark.events(clean(source), options=OPTIONS):
        if isinstance(event, str):
            continue
        ((kind, value),) = event.items()
        if isinstance(value, str) and kind not in {"Start", "End"} and not _BREAK.fullmatch(value):
            out.append(value)
        elif kind == "Start" and isinstance(value, dict):
            details = next(iter(value.values()))
            behind += [
                details[key] for key in ("dest_url", "title") if isinstance(details, dict) and key in details
            ]
    return " ".join(out), behind


def lost(source: str, visible: str) -> Counter[str]:
    """What of a text is not shown: characters of what it says, and words made up for it."""
    words, behind = meant(source)
    missing = Counter(filter(str.isalnum, words)) - Counter(filter(str.isalnum, visible))
    plain = "".join(filter(str.isalnum, visible))
    sought = [*_WORD.findall(source), *behind]
    return missing + Counter(
        one for one in sought if "".join(filter(str.isalnum, one.removeprefix("mailto:"))) not in plain
    )


def check(source: str) -> list[str]:
    """What is wrong with one text."""
    wrong = []
    classic = messages(source)
    try:
        assert_accepted_unchanged(classic)
    except (AssertionError, EntityError) as error:
        wrong.append(f"classic refused: {error}"[:200])
    if missing := lost(source, shown(classic)):
        wrong.append(f"classic lost: {dict(missing)}"[:200])
    rich = rich_messages(source)
    try:
        for message in rich:
            read_rich(message.markdown)
    except EntityError as error:
        wrong.append(f"rich refused: {error}"[:200])
    if missing := lost(source, " ".join(message.markdown for message in rich)):
        wrong.append(f"rich lost: {dict(missing)}"[:200])
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="*", help="searched for *.md and package descriptions")
    parser.add_argument("--generated", type=int, default=10_000, help="how many made-up texts")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    real = {text: name for folder in args.folder for name, text in found_in(folder)}
    texts = [(name, text) for text, name in real.items()]
    texts += [(f"generated {at}", text) for at, text in enumerate(generated(args.generated, args.seed))]
    bad = 0
    for name, text in texts:
        if wrong := check(text):
            bad += 1
            if bad <= 20:
                print(name, *wrong, sep="\n    ")
    for label, function in (("classic", messages), ("rich", rich_messages)):
        times = []
        for _, text in texts[:: max(1, len(texts) // 1000)]:
            began = time.perf_counter()
            function(text[:4000])
            times.append((time.perf_counter() - began) * 1000)
        print(f"{label}: median {statistics.median(times):.2f} ms, worst {max(times):.1f} ms")
    print(f"{len(real)} real texts, {args.generated} generated: {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
