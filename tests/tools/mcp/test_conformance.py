"""The official conformance suite; `python -m bench.mcp_conformance` runs all of it."""

import asyncio

import pytest

from bench.mcp_conformance import DOES_NOT_APPLY, run, scenarios

pytestmark = [pytest.mark.timeout(150), pytest.mark.slow]

SCENARIOS = (
    "initialize",
    "tools_call",
    "sse-retry",
    "auth/metadata-default",
    "auth/basic-cimd",
    "auth/scope-step-up",
    "auth/pre-registration",
    "auth/2025-03-26-oauth-endpoint-fallback",
    "auth/resource-mismatch",
)


@pytest.mark.parametrize("scenario", SCENARIOS)
async def test_the_client_passes(scenario: str) -> None:
    passed, told = await asyncio.to_thread(run, scenario)
    assert passed, told


def test_what_does_not_apply_is_still_in_the_suite() -> None:
    assert set(DOES_NOT_APPLY) <= set(scenarios())
