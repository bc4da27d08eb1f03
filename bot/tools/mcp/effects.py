"""What a server's tool does to the world, as far as its word can be taken."""

from bot.domain.tool import EFFECTS, Effect, Retry
from bot.tools.mcp.remote import Hints
from bot.tools.mcp.spec import ServerSpec


def effect_of(spec: ServerSpec, tool: str, hints: Hints) -> Effect:
    """The graver of what the operator says, or where the server runs leads to expect, and of its own claims.

    Claims only raise: "it only reads" is believed of a server with full trust alone. Of a program of this
    machine the least is `write`, of a remote server `external`, for what it is told leaves the house.
    """
    claimed = _claimed(hints)
    if said := spec.effects.get(tool) or spec.effect:
        return _graver(said, claimed) if tool not in spec.effects else said
    if spec.trust == "full" and hints.read_only:
        return _graver("read", claimed)
    return _graver("write" if spec.is_local else "external", claimed)


def retry_of(spec: ServerSpec, effect: Effect, hints: Hints) -> Retry:
    """Whether the same call again does no harm."""
    believed = spec.trust == "full" and (hints.idempotent or hints.read_only)
    return "safe" if believed or effect in {"pure", "read"} else "never"


def _claimed(hints: Hints) -> Effect:
    """The gravest thing that it says of itself."""
    if hints.destructive and not hints.read_only:
        return "destructive"
    if hints.open_world and not hints.read_only:
        return "external"
    return "write" if hints.read_only is False else "pure"


def _graver(one: Effect, other: Effect) -> Effect:
    return max(one, other, key=EFFECTS.index)
