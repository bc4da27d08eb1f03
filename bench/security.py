"""Every line of a folder of security cases through the guards, and what came of it.

    python -m bench.security --data DIR

`DIR` holds `ssrf_urls.jsonl`, `paths.jsonl`, `exec_bypass.jsonl` and `sandbox_escapes.jsonl`, those that are
there; each line has `want`, or must be refused. Lines that a text alone can't decide (what a name leads to, a
link in a folder, a bomb) are played out against a small web and a folder of our own.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.staged import play_path, play_url
from bot.tools.guards.commands import judge_command
from bot.tools.guards.egress import judge_url
from bot.tools.guards.paths import judge_path
from bot.tools.sets.numbers import math_tools
from tests.tools.sets.calling import call

Case = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder of cases")
    folder: Path = parser.parse_args().data
    wrong = 0
    for name, check in CHECKS.items():
        if (folder / name).is_file():
            cases = list(lines(folder / name))
            failed = [case["id"] for case in cases if not asyncio.run(check(case))]
            wrong += len(failed)
            print(f"{name}: {len(cases) - len(failed)}/{len(cases)} right {' '.join(failed)}".rstrip())
    return 1 if wrong else 0


def lines(path: Path) -> Iterator[Case]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


async def url(case: Case) -> bool:
    allowed = judge_url(case["url"]).allowed
    if case["want"] == "allow":
        return allowed
    played = await play_url(case["url"])
    return not allowed and played is not False


async def path(case: Case) -> bool:
    if case["path"].startswith("("):
        return await asyncio.to_thread(play_path, case["how"])
    return judge_path(case["path"]).allowed == (case["want"] == "accept")


async def command(case: Case) -> bool:
    return judge_command(case["command"]).verdict in {"ask", "deny"}


async def escape(case: Case) -> bool:
    """Python is not an expression of the calculator: none of it is run."""
    return (await call(math_tools(), "math_calculator", {"expression": case["code"]})).is_error


CHECKS = {
    "ssrf_urls.jsonl": url,
    "paths.jsonl": path,
    "exec_bypass.jsonl": command,
    "sandbox_escapes.jsonl": escape,
}

if __name__ == "__main__":
    sys.exit(main())
