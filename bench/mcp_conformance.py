"""The client scenarios of the official MCP conformance suite, run against our client.

    python -m bench.mcp_conformance [SCENARIO ...]

The suite comes from npm, Node from PyPI; both are installed where they are missing. It fails when a scenario
fails that is not named below with its reason.
"""

import re
import subprocess
import sys

from tests.fakes import npm

DOES_NOT_APPLY = {
    "elicitation-sep1034-client-defaults": "elicitation is not offered: a form that a server makes up is "
    "never filled in without a person",
    "auth/2025-03-26-oauth-metadata-backcompat": "its login server names another issuer than its own "
    "address, which RFC 8414 (3.3) and the protocol's later revisions want refused",
    "auth/client-credentials-jwt": "an extension for machines with a key of their own; people log in here",
    "auth/client-credentials-basic": "an extension for machines with a secret of their own, which can be "
    "given as a header",
    "auth/cross-app-access-complete-flow": "an extension for companies with one identity provider",
}
_SCENARIO = re.compile(r"^\s+- (\S+) \[(.*)\]")
_RESULT = re.compile(r"Passed: (\d+)/(\d+), (\d+) failed, (\d+) warnings")
LIMIT_S = 100
CLIENT_LIMIT_S = 80  # a busy machine is not a bug of the client; the suite would wait for 30


def scenarios() -> list[str]:
    """All client scenarios that the suite has."""
    listed = subprocess.run(
        [*npm.script("conformance"), "list"], capture_output=True, text=True, timeout=LIMIT_S, check=True
    ).stdout
    found = (_SCENARIO.match(line) for line in listed.partition("Client scenarios")[2].splitlines())
    return [match[1] for match in found if match]


def run(scenario: str) -> tuple[bool, str]:
    """Whether a scenario passed, and what the suite says of it."""
    client = f"{sys.executable} -m bench.mcp_client"
    command = [*npm.script("conformance"), "client", "--command", client, "--scenario", scenario]
    command += ["--timeout", str(CLIENT_LIMIT_S * 1000)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    match = _RESULT.search(done.stdout + done.stderr)
    told = match[0] if match else "no result"
    return bool(match) and done.returncode == 0, told


def main(wanted: list[str]) -> int:
    failed = 0
    for scenario in wanted or scenarios():
        passed, told = run(scenario)
        reason = DOES_NOT_APPLY.get(scenario)
        word = "passed" if passed else "does not apply" if reason else "FAILED"
        print(f"{scenario:45} {word}: {told if passed or not reason else reason}", flush=True)
        failed += not passed and reason is None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
