"""The building of lengths of time, for all languages in Latin letters: kind `I`."""

from bot.schedule.when.amounts import Amount, Unit, amount
from bot.schedule.when.clocks import Clock
from bot.schedule.when.shapes import Figures
from bot.schedule.when.tokens import Found


def units(found: Found) -> Amount | None:
    value = found.one("n")
    number = value.decimal if isinstance(value, Figures) else 1.0 if value is None else float(value)
    unit: Unit = "second" if found.one("u") == 2 else found.one("u")
    if number is None:
        return None
    return amount(number + (0.5 if found.has("half") else 0), unit, vague=found.has("m"))


def glued_units(found: Found) -> Amount | None:
    """5m, 3d: a lone letter is a unit only right at its number."""
    return units(found) if found.glued else None


def spaced_hours(found: Found) -> Amount | None:
    return units(found) if found.one("u") == "hour" else None


def half_unit(found: Found) -> Amount:
    return amount((found.one("n") or 0) + 0.5, found.one("u"))


def quarter_more(found: Found) -> Amount:
    return amount((found.one("n") or 1) + 0.25, found.one("u"))


def quarter_units(found: Found) -> Amount:
    return amount((found.one("n") or 1) * 0.25, found.one("u"))


def quarters(found: Found) -> Amount:
    return amount(found.one("n"), "quarter")


def fortnights(found: Found) -> Amount:
    return amount(found.one("h") * (found.one("n") or 1), "day")


def hours(found: Found) -> Amount:
    clock: Clock = found.one("h")
    return amount(clock.hour, "hour")


def hours_and_minutes(found: Found) -> Amount | None:
    """In 1h30."""
    clock: Clock = found.one("h")
    if "h" not in found.raw("h"):
        return None
    return amount(clock.hour * 60 + clock.minute, "minute")


def hours_and_bare_minutes(found: Found) -> Amount | None:
    """An hour and twenty."""
    minutes: int = found.one("m")
    return (
        amount((found.one("n") or 1) * 60 + minutes, "minute")
        if found.one("u") == "hour" and minutes < 60
        else None
    )


def summed(found: Found) -> Amount:
    total: Amount = found.one("a") + found.one("b")
    return total


def same_clock(found: Found) -> Clock:
    clock: Clock = found.one("h")
    return clock
