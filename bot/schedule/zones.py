"""Time zones: their names, and the moment that a time on the wall is."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.errors import InputError

_SECOND = timedelta(seconds=1)
_DAY = timedelta(days=1)
_MACHINE = Path("/etc/localtime")


def zone_of(name: str, field: str = "tz") -> tzinfo:
    """The zone of an IANA name, or an offset such as +08:00. Raises `InputError` that names `field`."""
    if name[:1] in {"+", "-"}:
        try:
            offset = datetime.strptime(name.replace(":", ""), "%z").utcoffset()
        except ValueError as error:
            raise InputError(f'"{name[:40]}" is not an offset', field=field, hint="as in +08:00") from error
        return timezone(offset or timedelta())
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InputError(
            f'there is no zone "{name[:40]}"', field=field, hint="as in Europe/Berlin"
        ) from error


def kept_zone(name: str) -> tzinfo:
    """The zone in which something kept is shown; UTC where the zone data of this machine lacks it."""
    try:
        return zone_of(name)
    except InputError:
        return UTC


def default_zone(setting: str, environment: str = "") -> str:
    """The zone of people who told none: the operator's, else the machine's, else UTC.

    `environment` is the machine's variable TZ.
    """
    if setting:
        return setting
    for name in (environment.lstrip(":"), _machine_zone()):
        try:
            if name:
                return ZoneInfo(name).key
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return "UTC"


def _machine_zone() -> str:
    """What /etc/localtime points to, as the name below the zone database."""
    try:
        return str(_MACHINE.resolve()).partition("zoneinfo/")[2]
    except OSError:
        return ""


def moment_of(wall: datetime, zone: tzinfo) -> datetime:
    """The moment, in UTC, at which clocks in `zone` show `wall` (a time without zone).

    A time that is shown twice is taken the first time (but for a `wall` whose fold says the second). One
    that is skipped becomes the first moment after the gap: 02:30 on the night when 02:00 is followed by
    03:00 is 03:00.
    """
    first = wall.replace(tzinfo=zone).astimezone(UTC)
    if first.astimezone(zone).replace(tzinfo=None) == wall:
        return first
    return _end_of_gap(wall, zone)


def _end_of_gap(wall: datetime, zone: tzinfo) -> datetime:
    """The moment at which the clocks jump over `wall`."""
    before = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)  # with the offset that is still to come
    after = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    return _change(before, after, zone)


def _change(before: datetime, after: datetime, zone: tzinfo) -> datetime:
    """The first second of the new offset, of two moments between which the clocks change."""
    offset = before.astimezone(zone).utcoffset()
    while after - before > _SECOND:
        middle = before + ((after - before) // _SECOND // 2) * _SECOND
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after


def next_change(moment: datetime, zone: tzinfo, limit: datetime) -> datetime | None:
    """When the clocks change after `moment` and not after `limit`; None where they do not.

    Between the two they change once at most: keep them within a day.
    """
    if moment.astimezone(zone).utcoffset() == limit.astimezone(zone).utcoffset():
        return None
    return _change(moment, limit, zone)


def wall_of(moment: datetime, zone: tzinfo) -> datetime:
    """What clocks in `zone` show at `moment`, without zone; the fold is kept."""
    return moment.astimezone(zone).replace(tzinfo=None)


def every_pass(
    times: Callable[[datetime], Iterator[datetime]], zone: tzinfo, after: datetime
) -> Iterator[datetime]:
    """Every moment after `after` at which the wall shows one of the times, twice where it does so twice.

    `times` gives them from a time on the wall on, in order.
    """
    begin = after.replace(microsecond=0) + _SECOND
    while True:
        change = next_change(begin, zone, begin + _DAY)
        end = change or begin + _DAY
        shown = wall_of(begin, zone).replace(fold=0)
        for wall in times(shown):
            if wall - shown >= end - begin:
                break
            yield begin + (wall - shown)
        else:
            return
        # Where the clocks change, the same times may come again; elsewhere empty days are passed over.
        begin = change or max(end, moment_of(wall, zone) - _DAY)
