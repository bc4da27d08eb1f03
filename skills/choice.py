"""Which skills a message chooses on a shelf: always, by trigger, by score; few, and above a threshold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.text.kept import PerObject
from skills.manifest import Skill
from skills.match import Match
from skills.meaning import Meant
from skills.shelf import Shelf
from skills.triggers import Fired, fired

_SURE, _FAR_BEHIND = 0.975, 0.6  # scores by words of the first and the second
_WORTH = 0.15  # the score from which a model is asked about a skill
_ASKED_ABOUT = 5  # skills at most
_CLOSE = 0.85  # of the best score: what reaches less was only brushed by the message


# By the skills and the message: a turn asks whether its words decide, and then for the choice.
_FIRED: PerObject[list[Fired]] = PerObject(64)


@dataclass(frozen=True, slots=True)
class Limits:
    """How many skills a message gets at most, and from which score on."""

    most: int = 3
    min_score: float = 0.45


def is_clear(shelf: Shelf, message: str, named: str = "") -> bool:
    """Whether words decide so clearly that meaning need not be asked: it costs some milliseconds."""
    usable = shelf.usable
    if named in usable or _fired(usable, message):
        return True
    first, second, *_ = (*sorted(shelf.catalogue.scores(message), reverse=True), 0.0, 0.0)
    return first >= _SURE and second <= _FAR_BEHIND


def choose(
    shelf: Shelf,
    message: str,
    meant: Meant | None,
    limits: Limits,
    named: str = "",
    *,
    explained: bool = False,
) -> list[Match]:
    """The chosen skills with scores, the surest first; `named` is one that a person named.

    A trigger decides alone; without one, the best score does, and others that come close to it. Reasons
    beside triggers are given with `explained`: no turn asks for them.
    """
    usable = shelf.usable
    found: dict[str, Match] = {}
    if named in usable:
        found[named] = Match(named, 1.0, ("named by the person",), by_trigger=True)
    for hit in _fired(usable, message):
        reason = tuple(f'the trigger "{pattern}"' for pattern in hit.patterns)
        found.setdefault(hit.name, Match(hit.name, 1.0, reason, by_trigger=True))
    if not found:
        found = {
            match.name: match
            for match in scored(shelf, message, meant, explained=explained)
            if match.score >= limits.min_score
        }
    return list((found | _always(shelf, found)).values())[: limits.most]


def _fired(usable: Mapping[str, Skill], message: str) -> list[Fired]:
    """What fires of the skills that a message may choose."""
    choosable = (skill for skill in usable.values() if not skill.is_manual)
    return _FIRED.get(usable, message, lambda: fired(choosable, message))


def candidates(shelf: Shelf, message: str, meant: Meant | None) -> list[Skill]:
    """The skills that a model may pick from, the likeliest first; none where a trigger decides."""
    usable = shelf.usable
    if _fired(usable, message):
        return []
    ranked = scored(shelf, message, meant)[:_ASKED_ABOUT]
    return [usable[match.name] for match in ranked if match.score >= _WORTH]


def rearranged(shelf: Shelf, picked: Sequence[str], limits: Limits) -> list[Match]:
    """What a model picked in the place of what the scores would choose, then the skills always used."""
    found = {name: Match(name, 1.0, ("picked by the model",)) for name in picked}
    return list((found | _always(shelf, found)).values())[: limits.most]


def _always(shelf: Shelf, found: Mapping[str, Match]) -> dict[str, Match]:
    """The skills that are always used and are not among those that were found, the important first."""
    always = [skill for skill in shelf.usable.values() if skill.is_always and skill.name not in found]
    return {
        skill.name: Match(skill.name, 1.0, ("it is always used",), by_trigger=True)
        for skill in sorted(always, key=lambda skill: -skill.priority)
    }


def scored(shelf: Shelf, message: str, meant: Meant | None, *, explained: bool = False) -> list[Match]:
    """All that a message can choose, by score; a higher priority wins among equals.

    With `explained` the first three have reasons.
    """
    catalogue = shelf.catalogue
    scores = catalogue.scores(message, meant)
    skills: list[Skill] = shelf.chosen_by_score
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], -skills[at].priority, skills[at].name))
    return [
        Match(
            skills[at].name, scores[at], _reasons(shelf, message, meant, at) if explained and rank < 3 else ()
        )
        for rank, at in enumerate(order)
    ]


def _reasons(shelf: Shelf, message: str, meant: Meant | None, at: int) -> tuple[str, ...]:
    shared = [term.lstrip("~") for term in shelf.catalogue.shared(message, at)[:4]]
    reasons = [f"shares {', '.join(dict.fromkeys(shared))}"] if shared else []
    if meant is not None:
        reasons.append(f"closeness in meaning {meant.entries[at]:.2f}")
    return tuple(reasons)
