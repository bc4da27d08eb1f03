"""`xiaomaolv doctor`: look at everything the bot stands on, and tell the cure of what is wrong."""

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict

from bot.cli import FAILED, OK, Subparsers, add_config_option, lazy, read_environment, read_settings, version
from bot.domain.check import Check
from bot.errors import ConfigError

_SIGNS = {"ok": "✓", "warn": "!", "fail": "✗", "skipped": "-"}


def add(subparsers: Subparsers) -> None:
    command = subparsers.add_parser(
        "doctor",
        help="look for what is wrong, and tell the cure",
        description="Check the database driver, embedder, providers, Telegram, clock, disk and port. "
        "The exit code is 1 if anything fails.",
    )
    add_config_option(command)
    command.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(args: argparse.Namespace) -> int:
    found = [lazy("bot.cli.doctor.machine").check_install()]
    try:
        settings = read_settings(args)
    except ConfigError as error:
        found.append(Check("configuration", "fail", error.message, error.hint))
    else:
        found.append(Check("configuration", "ok", "all right"))
        examine = lazy("bot.cli.doctor.examine").examine
        found += asyncio.run(examine(settings, read_environment(args)))
    print(as_json(found) if args.json else as_text(found))
    return FAILED if any(check.status == "fail" for check in found) else OK


def as_json(checks: Sequence[Check]) -> str:
    """The findings for machines: `ok`, `version` and the list of checks."""
    document = {
        "ok": all(check.status != "fail" for check in checks),
        "version": version(),
        "checks": [asdict(check) for check in checks],
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def as_text(checks: Sequence[Check]) -> str:
    """The findings for people: a line each, and its cure below."""
    width = max(len(check.name) for check in checks)
    lines = []
    for check in checks:
        detail = f"skipped: {check.detail}" if check.status == "skipped" else check.detail
        lines.append(f"{_SIGNS[check.status]} {check.name:<{width}}  {detail}")
        if check.cure:
            lines.append(f"  {'':<{width}}  → {check.cure}")
    bad = sum(check.status == "fail" for check in checks)
    lines.append(f"{bad} of {len(checks)} checks failed" if bad else "nothing is wrong")
    return "\n".join(lines)
