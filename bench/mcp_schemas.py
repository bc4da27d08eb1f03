"""Schemas of tools as real servers publish them, through repair and against a strict checker.

    python -m bench.mcp_schemas collect FOLDER     # start the servers and write FOLDER/schemas.json
    python -m bench.mcp_schemas check FILE         # repair every one; fails where a good one is not taken

The servers come from npm and PyPI (FOLDER/npm is made for the former); none needs an account to list its
tools, but many want something in the place of one. `check` also names, for each that was mended, what was
left out, and those that had to be set aside.
"""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from bot.tools.mcp.probe import probe
from bot.tools.mcp.servers import load_sdk
from bot.tools.mcp.spec import parse_spec
from bot.tools.repair import Unfit, repair
from bot.tools.strict import faults
from tests.fakes import npm

NPM = {
    "@modelcontextprotocol/server-everything": "mcp-server-everything",
    "@modelcontextprotocol/server-filesystem": "mcp-server-filesystem .",
    "@modelcontextprotocol/server-memory": "mcp-server-memory",
    "@modelcontextprotocol/server-github": "mcp-server-github",
    "@modelcontextprotocol/server-gitlab": "mcp-server-gitlab",
    "@modelcontextprotocol/server-slack": "mcp-server-slack",
    "@modelcontextprotocol/server-google-maps": "mcp-server-google-maps",
    "@playwright/mcp": "playwright-mcp",
    "chrome-devtools-mcp": "chrome-devtools-mcp",
    "mongodb-mcp-server": "mongodb-mcp-server",
    "@notionhq/notion-mcp-server": "notion-mcp-server",
    "@wonderwhy-er/desktop-commander": "desktop-commander --no-onboarding",
    "mcp-server-kubernetes": "mcp-server-kubernetes",
    "tavily-mcp": "tavily-mcp",
    "firecrawl-mcp": "firecrawl-mcp",
    "@sentry/mcp-server": "sentry-mcp --access-token none",
}
PYPI = {
    "mcp-server-time": "mcp-server-time",
    "mcp-server-fetch": "mcp-server-fetch",
    "mcp-server-git": "mcp-server-git",
}
# What stands in the place of accounts. Nothing is called with it.
ENVIRON = dict.fromkeys(
    (
        "GITHUB_PERSONAL_ACCESS_TOKEN", "GITLAB_PERSONAL_ACCESS_TOKEN", "SLACK_BOT_TOKEN", "SLACK_TEAM_ID",
        "GOOGLE_MAPS_API_KEY", "NOTION_TOKEN", "TAVILY_API_KEY", "FIRECRAWL_API_KEY",
        "SENTRY_ACCESS_TOKEN",
    ),
    "none",
)  # fmt: skip
LIMIT_S = 60.0


def install(folder: Path) -> Path:
    """The packages of npm, under `folder`; where their programs are."""
    home = folder / "npm"
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "package.json").exists():
        (home / "package.json").write_text('{"private": true}', encoding="utf-8")
        subprocess.run(
            [npm.tool("npm"), "install", "--no-audit", "--no-fund", "--ignore-scripts", *NPM],
            cwd=home,
            check=True,
        )
    return home / "node_modules" / ".bin"


async def collect(folder: Path) -> int:
    programs = install(folder)
    found: dict[str, Any] = {}
    commands = {package: [npm.tool("node"), str(programs / line.split()[0]), *line.split()[1:]]
                for package, line in NPM.items()}  # fmt: skip
    commands |= {package: [str(Path(sys.executable).with_name(line))] for package, line in PYPI.items()}
    for package, (command, *args) in commands.items():
        entry = {"command": command, "args": args, "env": ENVIRON, "cwd": str(folder)}
        spec = parse_spec("server", entry, "user")
        report = await probe(spec, load_sdk, folder / "tokens", limit_s=LIMIT_S)
        print(f"{package:45} {len(report.tools):4} tools {report.error}", flush=True)
        found |= {f"{package}/{tool.name}": tool.schema for tool in report.tools}
    (folder / "schemas.json").write_text(json.dumps(found, indent=1, sort_keys=True), encoding="utf-8")
    print(f"{len(found)} schemas")
    return 0


def check(file: Path) -> int:
    """Every schema is taken, mended or set aside by name; one that was good and is not taken fails."""
    counts: Counter[str] = Counter()
    wrong = 0
    for name, schema in json.loads(file.read_text(encoding="utf-8")).items():
        good = is_schema(schema)
        try:
            made = repair(schema)
        except Unfit as error:
            counts["set aside"] += 1
            print(f"set aside {name}: {error}")
            wrong += good
            continue
        if faults(made.schema) or not is_schema(made.schema):
            wrong += 1
            print(f"WRONG {name}: {faults(made.schema)}")
        counts["as it was" if made.schema == schema else "mended"] += 1
        for note in made.notes:
            print(f"note {name}: {note}")
    print(", ".join(f"{count} {word}" for word, count in counts.items()), f"; {wrong} wrong")
    return 1 if wrong else 0


def is_schema(schema: Any) -> bool:
    """Whether it is a schema of an object by the meta-schema of JSON Schema."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError:
        return False
    return isinstance(schema, dict) and schema.get("type") == "object"


if __name__ == "__main__":
    verb, place = sys.argv[1:]
    sys.exit(asyncio.run(collect(Path(place).absolute())) if verb == "collect" else check(Path(place)))
