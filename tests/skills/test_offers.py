"""/skills install: shown in the chat first, and installed as it was shown, by the owner alone."""

from pathlib import Path

import pytest

from bot.commands.base import Answer, Call, Context
from bot.commands.registry import COMMANDS
from bot.errors import Denied, Unavailable
from bot.turn.gate import Role, Rules
from skills.room import Settings, Skills
from tests.fakes.clock import ManualClock
from tests.skills.build import write_skill
from tests.skills.test_install import SKILL, zipped
from tests.turn.house import inbound

HEAD = "name: plum\ndescription: Prunes plum trees.\nallowed-tools: [web]\n"


class Web:
    """Addresses with what is there."""

    def __init__(self, contents: dict[str, bytes]) -> None:
        self._contents = contents

    def __call__(self, url: str, max_bytes: int) -> bytes:
        if url not in self._contents:
            raise Unavailable("the server answered 404")
        assert len(self._contents[url]) <= max_bytes
        return self._contents[url]

    def judged(self, url: str) -> tuple[str, int, str]:
        raise Denied(f"{url} is not of the public internet")


class Garden:
    """A bot with skills of its own, and somebody who writes to it."""

    def __init__(self, root: Path, web: dict[str, bytes] | None = None, **environ: str) -> None:
        self.web = {} if web is None else web
        home = {
            "HOME": str(root),
            "XIAOMAOLV_SKILLS_USER_DIR": str(root / "mine"),
            "XIAOMAOLV_SKILLS_USER_CONFIG": str(root / "skills.toml"),
        }
        self.room = Skills(home | environ, Settings(), ManualClock(), None, None, Web(self.web))
        self.mine = root / "mine"

    async def say(self, text: str, role: Role = "owner") -> str | Answer:
        """What a command answers, as it would come out: an answer with buttons, or a text."""
        _, _, arguments = text.partition(" ")
        call = Call("skills", arguments, inbound(text), role, "en-US")
        context = Context(None, ManualClock(), Rules({}), None, skills=self.room)  # type: ignore[arg-type]
        return await COMMANDS["skills"].run(call, context)

    async def offered(self, source: str) -> tuple[str, str, str]:
        """The text of an offer, and the commands of its two buttons."""
        answer = await self.say(f"/skills install {source}")
        assert isinstance(answer, Answer), answer
        ((yes, no),) = answer.buttons
        return answer.text, yes.data, no.data


async def test_a_skill_is_shown_and_installed_once_the_owner_agrees(tmp_path: Path) -> None:
    garden = Garden(tmp_path)
    source = write_skill(tmp_path / "source", "plum", HEAD, "Prune.\n\n<!-- hidden -->\u200b")
    text, yes, _ = await garden.offered(str(source))
    assert "Prunes plum trees." in text
    assert "tools: web" in text
    assert "a comment that is not shown" in text
    assert yes in text
    assert "\u200b" not in text
    assert not garden.mine.exists()
    assert await garden.say(yes) == "plum is installed."
    assert (garden.mine / "plum" / "SKILL.md").is_file()
    assert (await garden.room.desk()).shelf.kept["plum"].state == "ready"
    assert await garden.say(f"/skills install '{source}'") == "plum is installed as it is now."
    assert "That does not work: nothing that was shown waits" in str(await garden.say(yes))


async def test_what_has_changed_since_it_was_shown_is_not_installed(tmp_path: Path) -> None:
    garden = Garden(tmp_path)
    source = write_skill(tmp_path / "source", "plum", HEAD)
    _, yes, _ = await garden.offered(str(source))
    write_skill(tmp_path / "source", "plum", HEAD, "Fell it.")
    assert "changed after they were shown" in str(await garden.say(yes))
    assert not garden.mine.exists()
    _, again, _ = await garden.offered(str(source))
    assert again != yes
    assert await garden.say(again) == "plum is installed."


async def test_what_is_declined_is_forgotten(tmp_path: Path) -> None:
    garden = Garden(tmp_path)
    _, yes, no = await garden.offered(str(write_skill(tmp_path / "source", "plum", HEAD)))
    assert await garden.say(no) == "Nothing is installed."
    assert "nothing that was shown" in str(await garden.say(yes))


@pytest.mark.parametrize("role", ["admin", "trusted"])
async def test_nobody_but_the_owner_installs(tmp_path: Path, role: Role) -> None:
    garden = Garden(tmp_path)
    source = write_skill(tmp_path / "source", "plum", HEAD)
    _, yes, no = await garden.offered(str(source))
    for text in (f"/skills install {source}", "/skills install", yes, no):
        assert await garden.say(text, role) == "Only the owner may install a skill."
    assert not garden.mine.exists()
    assert await garden.say(yes) == "plum is installed."


async def test_an_archive_from_the_web_and_one_of_an_index_are_installed(tmp_path: Path) -> None:
    address = "https://e.example/demo.zip"
    web = {
        address: zipped(("demo/SKILL.md", SKILL)),
        "https://e.example/index": b'{"skills": [{"id": "it", "download_url": "https://e.example/demo.zip"}]}',
    }
    garden = Garden(tmp_path, web, XIAOMAOLV_SKILLS_TEAM_INDEX_URL="https://e.example/index")
    _, of_address, _ = await garden.offered(address)
    _, of_index, _ = await garden.offered("it")
    assert of_address == of_index
    assert await garden.say(of_index) == "demo is installed."


async def test_one_of_several_is_named(tmp_path: Path) -> None:
    garden = Garden(tmp_path)
    for name in ("plum", "pear"):
        write_skill(tmp_path / "source", name)
    assert "it has several skills: pear, plum" in str(await garden.say(f"/skills install {tmp_path}/source"))
    answer = await garden.say(f"/skills install {tmp_path}/source --name pear")
    assert isinstance(answer, Answer)
    assert await garden.say(answer.buttons[0][0].data) == "pear is installed."


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("https://e.example/none.zip", "404"),
        ("https://e.example/evil.zip", "That does not work"),
        ("nothing-of-that-name", "there is no folder, archive or entry"),
        ("", "Send /skills ls"),
        ("a b", "Send /skills ls"),
        ("a --name", "Send /skills ls"),
        ("'a", "Send /skills ls"),
    ],
)
async def test_what_cannot_be_brought_is_told(tmp_path: Path, source: str, words: str) -> None:
    web = {"https://e.example/evil.zip": zipped(("../../evil/SKILL.md", SKILL))}
    told = str(await Garden(tmp_path, web).say(f"/skills install {source}"))
    assert words in told
    assert not (tmp_path.parent / "evil").exists()


async def test_only_so_many_offers_wait(tmp_path: Path) -> None:
    garden = Garden(tmp_path)
    codes = []
    for number in range(20):
        name = f"plum-{number}"
        source = write_skill(tmp_path / "source", name)
        codes.append((await garden.offered(str(source)))[1])
    assert "nothing that was shown" in str(await garden.say(codes[0]))
    assert await garden.say(codes[-1]) == "plum-19 is installed."
