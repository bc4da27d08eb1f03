"""`xiaomaolv skills check`: every fault of skill files, with file and line."""

import argparse
import sys

from bot.cli import FAILED, OK, Subparsers, lazy


def add(verbs: Subparsers) -> None:
    verb = verbs.add_parser(
        "check",
        help="check skill files",
        description="Check one skill, or all skills below a folder, by the rules of the Agent Skills standard"
        " and of this product. Prints each fault with file and line, and ends with 1 if there is one.",
    )
    told = "a skill's folder or its SKILL.md, or a folder of skills"
    verb.add_argument("dirs", nargs="+", metavar="DIR", help=told)
    verb.add_argument("--debug", action="store_true", help="show tracebacks")


def run(args: argparse.Namespace) -> int:
    path, check = lazy("pathlib").Path, lazy("skills.load").check
    findings = lazy("skills.shown").findings
    faults, good = 0, 0
    for folder in args.dirs:
        skills, found = check(path(folder))
        for fault in found:
            print(fault)
        faults += len(found)
        good += len(skills)
        for skill in skills:
            file = lazy("skills.disk").file_of(skill.folder)
            for finding in findings(file.read_text("utf-8-sig")):
                print(f"{file}:{finding.line}: look at this: {finding.text}", file=sys.stderr)
            for entry in skill.allowed_tools or ():
                if lazy("skills.tool_names").is_strange(entry):
                    told = f'"{entry}" in allowed-tools is no tool of the product'
                    told += "; it means something only where an MCP server is called so"
                    print(f"{file}:1: look at this: {told}", file=sys.stderr)
            if not skill.body:
                told = "there are no instructions after the frontmatter"
                print(f"{file}:1: look at this: {told}", file=sys.stderr)
    print(f"{good} skills, {faults} faults", file=sys.stderr)
    return FAILED if faults else OK
