"""`/v1/calendar`: jobs as an iCalendar file, and the secret addresses at which calendars read it.

`/v1/firings`: what is to come between two moments, for a calendar on a page.
"""

from datetime import UTC, datetime, timedelta

from aiohttp import web

from bot.domain.conversation import SpeakerId
from bot.errors import NotFound
from bot.schedule.feeds import SECRET
from bot.schedule.jobs import Scope
from bot.schedule.room import Jobs
from bot.schedule.told import told_firings
from channels.web.chat import CHANNEL
from channels.web.errors import ApiError, bad_request, json_response
from channels.web.request import checked_id, id_field, read_json
from channels.web.routes.jobs import scope_of

CALENDAR = "/v1/calendar"
MOST_OF_CALENDAR = timedelta(days=62)
MOST_JOBS = 200


class CalendarRoutes:
    def __init__(self, jobs: Jobs, max_body_bytes: int) -> None:
        self._jobs = jobs
        self._max_body_bytes = max_body_bytes

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/v1/calendar", self.export),
            web.post("/v1/calendar", self.open),
            web.delete("/v1/calendar", self.close),
            web.get("/v1/calendar/{secret}.ics", self.feed),
            web.get("/v1/firings", self.firings),
        ]

    async def export(self, request: web.Request) -> web.Response:
        """What is to come for a person, or on the whole channel."""
        person = _person(request) if "user_id" in request.query else ""
        return _file(await self._jobs.calendar(Scope(person, channel=CHANNEL)))

    async def open(self, request: web.Request) -> web.Response:
        """A secret address for a person's calendar; the one before opens nothing any more."""
        body = await read_json(request, self._max_body_bytes)
        secret = await self._jobs.open_feed(SpeakerId(f"{CHANNEL}:{id_field(body, 'user_id')}"))
        return json_response({"path": f"{CALENDAR}/{secret}.ics"}, status=201)

    async def close(self, request: web.Request) -> web.Response:
        if not await self._jobs.close_feed(_person(request)):
            raise NotFound("there is no such calendar")
        return web.Response(status=204)

    async def feed(self, request: web.Request) -> web.Response:
        """The calendar behind a secret address, for programs that show no token."""
        secret = request.match_info["secret"]
        if not SECRET.fullmatch(secret):
            raise ApiError(404, "not_found", "there is no such calendar")
        return _file(await self._jobs.feed(secret))

    async def firings(self, request: web.Request) -> web.Response:
        """What is to come of all jobs between two moments, for a calendar."""
        begin, end = _moment(request, "from"), _moment(request, "to")
        if not timedelta(0) < end - begin <= MOST_OF_CALENDAR:
            raise bad_request("to is after from, and 62 days after it at most", "to")
        found = await self._jobs.page(scope_of(request), states=("active",), limit=MOST_JOBS)
        return json_response({"firings": told_firings(found, max(begin, self._jobs.now()), end)})


def _moment(request: web.Request, name: str) -> datetime:
    try:
        moment = datetime.fromisoformat(request.query.get(name, ""))
        in_utc = moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise bad_request(f"{name} is a time, as in 2026-03-01T00:00:00Z", name) from error
    if moment.tzinfo is None:
        raise bad_request(f"{name} needs its offset, as in 2026-03-01T00:00:00Z", name)
    return in_utc


def _person(request: web.Request) -> SpeakerId:
    return SpeakerId(f"{CHANNEL}:{checked_id(request.query.get('user_id', ''), 'user_id')}")


def _file(text: str) -> web.Response:
    headers = {"Content-Disposition": 'inline; filename="tasks.ics"'}
    return web.Response(body=text.encode(), content_type="text/calendar", charset="utf-8", headers=headers)
