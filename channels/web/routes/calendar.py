"""`/v1/calendar`: jobs as an iCalendar file, and the secret addresses at which calendars read it."""

from aiohttp import web

from bot.domain.conversation import SpeakerId
from bot.errors import NotFound
from bot.schedule.feeds import SECRET
from bot.schedule.jobs import Scope
from bot.schedule.room import Jobs
from channels.web.chat import CHANNEL
from channels.web.errors import ApiError, json_response
from channels.web.request import checked_id, id_field, read_json

CALENDAR = "/v1/calendar"


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


def _person(request: web.Request) -> SpeakerId:
    return SpeakerId(f"{CHANNEL}:{checked_id(request.query.get('user_id', ''), 'user_id')}")


def _file(text: str) -> web.Response:
    headers = {"Content-Disposition": 'inline; filename="tasks.ics"'}
    return web.Response(body=text.encode(), content_type="text/calendar", charset="utf-8", headers=headers)
