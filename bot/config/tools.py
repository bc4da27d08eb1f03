"""Settings of the bot's own tools: which sets are on, what they may reach, how much they may keep."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from bot.config.base import Count, OptionalHttpUrl, OptionalSecret, Section, TextList


def _hosts(lines: tuple[str, ...]) -> tuple[str, ...]:
    for line in lines:
        if not line or any(mark.isspace() for mark in line) or "://" in line:
            raise ValueError(f'"{line}" is not a host; as in nas.lan:8080, *.corp, 192.168.7.0/24')
    return lines


def _ports(values: tuple[int, ...]) -> tuple[int, ...]:
    if not all(0 < port < 65536 for port in values):
        raise ValueError("a port is a number from 1 to 65535")
    return values


class SetSettings(Section):
    enabled: bool = Field(True, description="Whether these tools are there.")


class SetsSettings(Section):
    time: SetSettings = Field(default_factory=SetSettings, description="The clock and time zones.")
    math: SetSettings = Field(default_factory=SetSettings, description="Arithmetic, statistics, units.")
    text: SetSettings = Field(default_factory=SetSettings, description="Lines of text, patterns.")
    memory: SetSettings = Field(default_factory=SetSettings, description="What is remembered of the person.")
    schedule: SetSettings = Field(default_factory=SetSettings, description="Reminders and tasks for later.")
    net: SetSettings = Field(default_factory=SetSettings, description="Pages of the web.")
    web: SetSettings = Field(
        default_factory=SetSettings, description="Search of the web, once tools.search says where."
    )
    files: SetSettings = Field(
        default_factory=SetSettings, description="Files of a conversation, in a folder of its own."
    )


class EgressSettings(Section):
    allow_hosts: Annotated[TextList, AfterValidator(_hosts)] = Field(
        (),
        examples=[["nas.lan:8080", "192.168.7.0/24"]],
        description="Hosts and networks beyond the public web that tools may call, each with a port or any.",
    )
    allow_ports: Annotated[tuple[int, ...], AfterValidator(_ports)] = Field(
        (80, 443), description="Ports that tools may call on public hosts."
    )
    allow_private: bool = Field(
        False,
        description="Let tools call every address of your own network; never a cloud's metadata service.",
    )


class SearchSettings(Section):
    kind: Literal["", "searxng", "brave", "tavily"] = Field(
        "", description="Service that web_search asks: searxng, brave or tavily; empty: no web_search."
    )
    url: OptionalHttpUrl = Field(
        None,
        examples=["http://127.0.0.1:8888"],
        description="Address of the service; needed for searxng, known for the others.",
    )
    api_key: OptionalSecret = Field(
        None, examples=["${BRAVE_API_KEY}"], description="Key of the service, for brave and tavily."
    )

    @model_validator(mode="after")
    def _is_whole(self) -> "SearchSettings":
        if self.kind == "searxng" and self.url is None:
            raise ValueError("searxng wants its url")
        if self.kind in {"brave", "tavily"} and self.api_key is None:
            raise ValueError(f"{self.kind} wants an api_key")
        return self


class WorkspaceSettings(Section):
    max_file_bytes: Count = Field(10 * 1024 * 1024, description="Bytes of one file.")
    max_total_bytes: Count = Field(100 * 1024 * 1024, description="Bytes of all files of a conversation.")
    max_files: Count = Field(2000, description="Files and folders of a conversation.")


class ToolsSettings(Section):
    sets: SetsSettings = Field(default_factory=SetsSettings, description="The bot's own sets of tools.")
    workspace_dir: str = Field(
        "data/workspaces", description="Folder below which each conversation has its files."
    )
    workspace: WorkspaceSettings = Field(
        default_factory=WorkspaceSettings, description="How much a conversation may keep."
    )
    egress: EgressSettings = Field(
        default_factory=EgressSettings, description="What tools may reach beyond the public web."
    )
    search: SearchSettings = Field(default_factory=SearchSettings, description="Where web_search asks.")
