"""Which command lines may run unseen: nearly none. Own samples of each kind of bypass."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tools.guards.commands import judge_argv, judge_command

BYPASSES = {
    "expansion": ["cat ?otes", "echo $(whoami)", "echo `whoami`", "echo ${x}", "ls {a,b}", "ls ~", "cat [a]"],
    "look-alikes": ["ls ﹔ whoami", "ls ； whoami", "echo x ＞ y", "ls ｜ sh"],
    "joining": ["pwd; whoami", "pwd && whoami", "pwd || whoami", "pwd | sh", "pwd & whoami", "pwd\nwhoami"],
    "redirection": ["echo x > y", "cat < y", "cat <(whoami)", "ls 2>&1", "cat << X"],
    "wrappers": ["env ls", "nice ls", "sudo ls", "xargs ls", "time ls", "busybox ls", "sh -c ls", "nohup ls"],
    "environment": ["PATH=/tmp ls", "LD_PRELOAD=x ls", "IFS=x ls"],
    "options that do": ["head --lines=5 x", "ls --col", "tail -f x", "date -s 1", "wc --files0-from=x"],
    "programs that do": [
        "find . -delete",
        "sort -o x y",
        "sed -i x y",
        "awk x",
        "tar cf x y",
        "git log",
        "rm x",
    ],
    "the same name elsewhere": ["./cat x", "/usr/bin/cat x", "../ls", "bin/ls"],
    "files outside": ["cat /etc/hosts", "cat ../x", "head -n 5 /dev/zero", "ls .ssh", "cat .env"],
    "shell words": ["eval ls", "exec ls", "source x", ". x", "alias ls", "trap x EXIT", "function f"],
    "quotes": ["'l's", 'l"s"', "l\\s", "echo 'x", "ls ''"],
    "other shells": ["ls ^& calc", "dir %PATH%", "ls `n whoami"],
    "unfinished": ["head -n", "head -n x y", "echo -e x"],
}
DECEIVES = [
    "ls\rwhoami",
    "ls \u202e x",
    "ls\u2028id",
    "ls\u200b",
    "ls\x00",
    "ls\xa0x",
    "ls\x1b[2K",
    "",
    "   ",
    "ls " * 2000,
]
HARMLESS = [
    "ls",
    "ls -la",
    "ls -l reports",
    "cat notes.txt",
    "head -n 5 b/c.txt",
    "wc -lw x.md",
    "pwd",
    "echo hi there",
]


@pytest.mark.parametrize("command", [line for lines in BYPASSES.values() for line in lines])
def test_what_can_do_more_than_look_is_asked_about(command: str) -> None:
    verdict = judge_command(command)
    assert (verdict.verdict, bool(verdict.reason)) == ("ask", True)


@pytest.mark.parametrize("command", DECEIVES)
def test_what_a_person_would_not_see_as_it_is_is_refused(command: str) -> None:
    assert judge_command(command).verdict == "deny"


@pytest.mark.parametrize("command", HARMLESS)
def test_a_plain_look_is_let_pass(command: str) -> None:
    assert judge_command(command).allowed, judge_command(command).reason


@given(st.text(alphabet="lscat -/.;|&$`'\"\\\n\t()<>=*?~#!ab", max_size=30))
def test_whatever_passes_is_a_known_program_with_the_words_that_were_read(command: str) -> None:
    if judge_command(command).allowed:
        words = shlex.split(command)
        assert command.split() == words
        assert words[0] in {"ls", "cat"}
        assert judge_argv(words).allowed


@given(st.text(max_size=40))
def test_no_text_breaks_the_guard(command: str) -> None:
    judge_command(command)
