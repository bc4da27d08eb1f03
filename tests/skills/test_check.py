"""`skills check` on files as people write them: each fault once, on its line; and nothing on sound ones."""

import os
from pathlib import Path

import pytest

from skills.disk import MAX_BYTES
from skills.load import check, load_folder
from tests.skills.build import write_skill

D = "description: Prunes fruit trees. Use when a garden is planned.\n"
GOOD = "name: demo\n" + D

# The head (its first line is line 2 of the file), and line and words of each fault, in order.
FAULTY: dict[str, tuple[str, list[tuple[int, str]]]] = {
    # The name.
    "no-name": (D, [(2, "name is missing")]),
    "null-name": (f"name:\n{D}", [(2, "name is missing or empty")]),
    "blank-name": (f"{D}name: '  '\n", [(3, "name is missing or empty")]),
    "upper-case": (f"name: Demo\n{D}", [(2, "lower case")]),
    "capital-greek": (f"name: δΩ\n{D}", [(2, "lower case"), (2, "its folder")]),
    "underscore": (f"name: de_mo\n{D}", [(2, "letters, digits and hyphens"), (2, "its folder")]),
    "space": (f"name: demo skill\n{D}", [(2, "letters, digits and hyphens"), (2, "its folder")]),
    "dot": (f"name: demo.\n{D}", [(2, "letters, digits and hyphens")]),
    "slash": (f"name: ../demo\n{D}", [(2, "letters, digits and hyphens")]),
    "emoji": (f"name: demo🌳\n{D}", [(2, "letters, digits and hyphens")]),
    "hyphen-first": (f'name: "-demo"\n{D}', [(2, "a hyphen")]),
    "hyphen-last": (f"name: demo-\n{D}", [(2, "a hyphen")]),
    "two-hyphens": (f"name: de--mo\n{D}", [(2, "a hyphen"), (2, "its folder")]),
    "long-name": (f"name: {'a' * 65}\n{D}", [(2, "65 characters"), (2, "its folder")]),
    "other-folder": (f"license: MIT\nname: garden\n{D}", [(3, 'its folder, "demo"')]),
    "number-as-name": (f"name: 2024\n{D}", [(2, "has to be a text"), (2, "its folder")]),
    "list-as-name": (f"name: [demo]\n{D}", [(2, "has to be a text")]),
    "mapping-as-name": (f"name:\n  is: demo\n{D}", [(2, "has to be a text")]),
    "line-break-in-name": (f'name: "de\\nmo"\n{D}', [(2, "letters, digits"), (2, "its folder")]),
    "half-a-character": (f'name: "demo\\ud800"\n{D}', [(2, "no character")]),
    "escaped-nul": (f'name: demo\ndescription: "a\\0b"\n{D}', [(3, "no character")]),
    "misspelt-name": (f"nmae: demo\n{D}", [(2, 'did you mean "name"')]),
    "capital-key": (f"Name: demo\n{D}", [(2, 'did you mean "name"')]),
    # The description.
    "no-description": ("name: demo\n", [(2, "description is missing")]),
    "empty-description": ("name: demo\ndescription: ''\n", [(3, "description is missing or empty")]),
    "comment-as-description": ("name: demo\ndescription: # later\n", [(3, "missing or empty")]),
    "long-description": (f"name: demo\ndescription: {'a' * 1025}\n", [(3, "1025 characters")]),
    "long-block": (f"name: demo\ndescription: |\n  {'a' * 600}\n  {'b' * 600}\n", [(3, "1202 characters")]),
    "list-as-description": ("name: demo\ndescription: [1]\n", [(3, "has to be a text")]),
    "mapping-as-description": ("name: demo\ndescription: {a: b}\n", [(3, "has to be a text")]),
    "number-as-description": ("name: demo\ndescription: 42\n", [(3, "has to be a text")]),
    "flag-as-description": ("name: demo\ndescription: yes\n", [(3, "has to be a text")]),
    "colon-in-description": ("name: demo\ndescription: Prunes: trees\n", [(3, "a colon")]),
    "two-colons": ("name: demo\ndescription: a: b\ncompatibility: c: d\n", [(3, "a colon"), (4, "a colon")]),
    # What it may use.
    "misspelt-tool": (f"{GOOD}allowed-tools: time web_serach\n", [(4, 'did you mean "web_search"')]),
    "misspelt-toolset": (f"{GOOD}allowed-tools:\n  - time\n  - memroy\n", [(6, 'did you mean "memory"')]),
    "one-of-a-set": (f"{GOOD}allowed_tools: [file]\n", [(4, 'did you mean "files"')]),
    "capital-tool": (f"{GOOD}allowed-tools: Math, Text\n", [(4, '"math"'), (4, '"text"')]),
    "half-a-tool": (f"{GOOD}allowed-tools: calculator\n", [(4, 'did you mean "math_calculator"')]),
    "misspelt-effect": (f"{GOOD}allowed-tools: effect:raed\n", [(4, 'did you mean "effect:read"')]),
    # The other fields of the standard.
    "list-as-license": (f"{GOOD}license: [MIT]\n", [(4, "license has to be a text")]),
    "number-as-license": (f"{GOOD}license: 3\n", [(4, "license has to be a text")]),
    "long-compatibility": (f"{GOOD}compatibility: {'a' * 501}\n", [(4, "501 characters")]),
    "empty-compatibility": (f"{GOOD}compatibility: ''\n", [(4, "compatibility is empty")]),
    "null-compatibility": (f"{GOOD}compatibility:\n", [(4, "compatibility is empty")]),
    "list-as-compatibility": (f"{GOOD}compatibility:\n  - linux\n", [(4, "has to be a text")]),
    "text-as-metadata": (f"{GOOD}metadata: me\n", [(4, "has to be a mapping")]),
    "list-as-metadata": (f"{GOOD}metadata:\n  - me\n", [(4, "has to be a mapping")]),
    "number-as-tools": (f"{GOOD}allowed-tools: 7\n", [(4, "a text or a list")]),
    "flag-as-tools": (f"{GOOD}allowed-tools: true\n", [(4, "a text or a list")]),
    "mapping-as-tools": (f"{GOOD}allowed-tools:\n  Read: yes\n", [(4, "a text or a list")]),
    "null-as-tools": (f"{GOOD}allowed-tools: ~\n", [(4, "is empty")]),
    "number-among-tools": (f"{GOOD}allowed-tools:\n  - Read\n  - 7\n", [(6, "has to be a text")]),
    "null-among-tools": (f"{GOOD}allowed-tools:\n  - Read\n  -\n", [(6, "has to be a text")]),
    "list-among-tools": (f"{GOOD}allowed-tools:\n  - [Read]\n", [(5, "has to be a text")]),
    "open-bracket": (f"{GOOD}allowed-tools: Bash(git:* Read\n", [(4, "brackets")]),
    "open-bracket-in-list": (f"{GOOD}allowed-tools:\n  - Read\n  - Bash(git\n", [(6, "brackets")]),
    "both-spellings": (f"{GOOD}allowed-tools: Read\nallowed_tools: Read\n", [(5, "the same field")]),
    "unknown": (f"{GOOD}colour: green\n", [(4, '"colour" is not a field')]),
    "three-unknown": (
        f"colour: green\n{GOOD}shape: round\nweight: 3\n",
        [(2, "colour"), (5, "shape"), (6, "weight")],
    ),
    "number-as-key": (f"{GOOD}7: seven\n", [(4, '"7" is not a field')]),
    # The fields of this product.
    "short-trigger": (f"{GOOD}triggers:\n  - prune\n  - x\n", [(6, "2 to 200")]),
    "bad-pattern": (f"{GOOD}triggers:\n  - prune\n  - type: regex\n    pattern: '(a'\n", [(6, "regular")]),
    "bad-trigger-type": (f"{GOOD}triggers:\n  - type: often\n    pattern: prune\n", [(5, "is one of")]),
    "pattern-that-looks-ahead": (
        f"{GOOD}triggers:\n  - type: regex\n    pattern: a(?=b)\n",
        [(5, "a regular expression of RE2")],
    ),
    "trigger-without-pattern": (f"{GOOD}triggers:\n  - prune\n  - type: regex\n", [(6, "needs a pattern")]),
    "misspelt-pattern": (f"{GOOD}triggers:\n  - patern: prune\n", [(5, 'did you mean "pattern')]),
    "text-as-triggers": (f"{GOOD}triggers: prune\n", [(4, "has to be a list")]),
    "parameter-without-name": (f"{GOOD}parameters:\n  - type: string\n", [(5, "not a name")]),
    "parameter-type": (f"{GOOD}parameters:\n  - name: tree\n    type: wood\n", [(6, "not a type")]),
    "parameter-twice": (f"{GOOD}parameters:\n  - name: tree\n  - name: tree\n", [(6, "twice")]),
    "default-of-another-type": (
        f"{GOOD}parameters:\n  - name: many\n    type: integer\n    default: few\n",
        [(7, "many has to be of type integer")],
    ),
    "default-that-is-no-choice": (
        f"{GOOD}parameters:\n  - name: tree\n    default: fir\n    enum: [oak, ash]\n",
        [(6, "tree is one of oak, ash")],
    ),
    "misspelt-need": (f"{GOOD}requires:\n  bin: [git]\n", [(5, 'did you mean "bins')]),
    "needs-no-version": (f"{GOOD}requires:\n  python: a new one\n", [(5, "not a version of Python")]),
    "needs-itself": (f"{GOOD}dependencies: [demo]\n", [(2, "needs itself")]),
    "text-as-parameter": (f"{GOOD}parameters:\n  - tree\n", [(5, "has to be a mapping")]),
    "os": (f"{GOOD}os:\n  - linux\n  - amiga\n", [(4, "not an os")]),
    "mode": (f"{GOOD}mode: sometimes\n", [(4, "is one of")]),
    "priority": (f"{GOOD}priority: high\n", [(4, "whole number")]),
    "mapping-as-tags": (f"{GOOD}tags: {{a: b}}\n", [(4, "a list of texts")]),
    "null-among-tags": (f"{GOOD}tags:\n  - garden\n  -\n", [(6, "a list of texts")]),
    # YAML.
    "no-fields": ("", [(2, "no fields")]),
    "comment-only": ("# name: demo\n", [(2, "no fields")]),
    "text-only": ("just a text\n", [(2, "no fields")]),
    "list-only": ("- name\n- demo\n", [(2, "no fields")]),
    "twice": (f"{GOOD}license: MIT\nlicense: MIT\n", [(5, "twice")]),
    "twice-inside": (f"{GOOD}metadata:\n  by: a\n  by: b\n", [(6, "twice")]),
    "three-times": (f"name: demo\nname: demo\n{D}name: demo\n", [(3, "twice"), (5, "twice")]),
    "twice-and-more": (f"name: demo\n{D}name: Demo\n", [(4, "twice"), (4, "lower case")]),
    "anchor": (f"{GOOD}metadata: &m\n  by: me\n", [(4, "anchors")]),
    "alias": (f"{GOOD}license: *m\n", [(4, "anchors")]),
    "bomb": (f"{GOOD}a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", [(4, "anchors")]),
    "tag": (f"{GOOD}license: !!python/name:os.system x\n", [(4, "tags")]),
    "deep": (f"{GOOD}metadata: {'{a: ' * 20}b{'}' * 20}\n", [(4, "nested")]),
    "open-quote": (f'name: "demo\n{D}', [(2, "no end")]),
    "open-quote-above-a-quote": (f'{GOOD}license: "MIT\nmetadata:\n  version: "1"\n', [(4, "no end")]),
    "open-quote-inside": (f"{GOOD}metadata:\n  by: 'me\n  to: you\n", [(5, "no end")]),
    "open-list": (f"name: [demo\n{D}", [(2, "not YAML")]),
    "open-mapping": (f"{GOOD}metadata: {{by: me\n", [(4, "not YAML")]),
    "no-colon": (f"name demo\n{D}", [(2, "is no field")]),
    "no-space-after-colon": ("name: demo\ndescription:Prunes\n", [(3, "is no field")]),
    "indented-field": ("name: demo\n  description: Prunes\n", [(3, "not YAML")]),
    "tab": (f"{GOOD}metadata:\n\tby: me\n", [(5, "a tab")]),
    "at-sign": ("name: demo\ndescription: @home\n", [(3, "not YAML")]),
    "percent": ("name: demo\ndescription: %home\n", [(3, "not YAML")]),
    "control-character": ("name: demo\ndescription: a\x07b\n", [(3, "not YAML")]),
    "bad-escape": ('name: demo\ndescription: "C:\\garden"\n', [(3, "not YAML")]),
    "two-documents": (f"{GOOD}...\nname: other\n", [(4, "is no field")]),
    "line-separator": ("name: demo\ndescription: 'a\u2028b'\ncolour: green\n", [(4, "colour")]),
}  # fmt: skip


def told(root: Path) -> list[tuple[int, str]]:
    """Line and text of each fault, as it is printed; each is one line that begins with its file."""
    _, faults = check(root)
    printed = [str(fault) for fault in faults]
    assert all(
        line.startswith(f"{fault.path}:{fault.line}: ") for line, fault in zip(printed, faults, strict=True)
    )
    assert not any("\n" in line for line in printed)
    return [(fault.line, line) for line, fault in zip(printed, faults, strict=True)]


@pytest.mark.parametrize("case", FAULTY)
def test_each_fault_is_told_once_and_on_its_line(tmp_path: Path, case: str) -> None:
    head, wanted = FAULTY[case]
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "SKILL.md").write_text(f"---\n{head}---\n\nPrune in winter.\n", "utf-8")
    found = told(folder)
    assert [line for line, _ in found] == [line for line, _ in wanted], found
    for (_, text), (_, words) in zip(found, wanted, strict=True):
        assert words in text


FILES: dict[str, tuple[bytes, int, str]] = {
    "empty": (b"", 1, "no frontmatter"),
    "no-frontmatter": (b"# Prune\n", 1, "no frontmatter"),
    "blank-line-first": (f"\n---\n{GOOD}---\nx".encode(), 1, "no frontmatter"),
    "four-dashes": (f"----\n{GOOD}----\nx".encode(), 1, "no frontmatter"),
    "no-end": (f"---\n{GOOD}".encode(), 1, "no end"),
    "indented-end": (f"---\n{GOOD} ---\nx".encode(), 1, "no end"),
    "latin-1": ("---\nname: demo\ndescription: Baumpflege für Gärten\n---\nx".encode("latin-1"), 3, "UTF-8"),
    "latin-1-with-mac-ends": ("---\rname: demo\rdescription: für\r---\rx".encode("latin-1"), 3, "UTF-8"),
    "utf-16": (f"---\n{GOOD}---\nx".encode("utf-16"), 1, "UTF-16"),
    "nul-in-head": (f"---\n{GOOD}license: M\0T\n---\nx".encode(), 4, "NUL"),
    "nul-in-body": (f"---\n{GOOD}---\nx\n\0\n".encode(), 6, "NUL"),
    "nul-with-windows-ends": (f"---\n{GOOD}---\nx\n\0\n".replace("\n", "\r\n").encode(), 6, "NUL"),
    "huge": (f"---\n{GOOD}---\n".encode() + b"x" * 2_000_000, 1, "bytes"),
    "huge-head": (f"---\n{GOOD}license: {'x' * 70_000}\n---\nx".encode(), 1, "70083 characters"),
}  # fmt: skip


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_no_manifest_has_one_fault(tmp_path: Path, case: str) -> None:
    data, line, words = FILES[case]
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "SKILL.md").write_bytes(data)
    ((at, text),) = told(folder)
    assert (at, words in text) == (line, True), text


SOUND = {
    "least": GOOD,
    "all-of-the-standard": f"{GOOD}license: MIT\ncompatibility: git\nmetadata: {{}}\nallowed-tools: a\n",
    "name-of-a-folder-in-quotes": f"name: 'demo'\n{D}",
    "name-with-spaces-around": f"name: '  demo '\n{D}",
    "description-of-most": f"name: demo\ndescription: {'a' * 1024}\n",
    "compatibility-of-most": f"{GOOD}compatibility: {'a' * 500}\n",
    "folded": "name: demo\ndescription: >\n  Prunes: fruit trees,\n  and others.\n\n  Use it: always.\n",
    "folded-without-end": "name: demo\ndescription: >-\n  Prunes # trees\n",
    "block": "name: demo\ndescription: |\n  ---\n  Prunes trees\n",
    "continued": "name: demo\ndescription: Prunes trees\n  and hedges\n  and vines\n",
    "double-quotes": 'name: demo\ndescription: "Prunes: \\"trees\\" \\u00e9"\n',
    "single-quotes": "name: demo\ndescription: 'It''s: pruned'\n",
    "quotes-over-lines": 'name: demo\ndescription: "Prunes trees,\n  and hedges: all"\n',
    "colon-without-space": "name: demo\ndescription: See https://example.org/a:b at 10:30\n",
    "comment": f"# a comment\nname: demo # another\n{D}# the last\n",
    "blank-lines": f"\n\nname: demo\n\n{D}\n",
    "apostrophe": "name: demo\ndescription: Don't prune \"hard\"\n",
    "chinese": "name: demo\ndescription: 修剪果树。用户：想要规划花园时使用\n",
    "emoji": "name: demo\ndescription: Prunes 🌳\n",
    "digits-in-quotes": "name: demo\ndescription: '42'\n",
    "tools-as-text": f"{GOOD}allowed-tools: Bash(git:*) Bash(jq add *) Read\n",
    "tools-with-commas": f"{GOOD}allowed-tools: Read, Write, mcp__fs__read\n",
    "tools-as-list": f"{GOOD}allowed-tools:\n  - Bash(git:*)\n  - Read\n",
    "tools-as-inline-list": f"{GOOD}allowed-tools: [Read, Write]\n",
    "no-tools": f"{GOOD}allowed-tools: []\n",
    "no-tools-as-text": f"{GOOD}allowed-tools: ''\n",
    "other-spelling": f"{GOOD}allowed_tools: [net_httprequest, json]\n",
    "license-of-a-file": f"{GOOD}license: Proprietary. LICENSE.txt has complete terms\n",
    "version-in-metadata": f"{GOOD}metadata:\n  version: 1.0\n  public: true\n  since: 2024-05-01\n",
    "empty-metadata": f"{GOOD}metadata: {{}}\n",
    "metadata-without-anything": f"{GOOD}metadata:\n",
    "metadata-of-another-product": f"{GOOD}metadata:\n  hub:\n    emoji: x\n    needs:\n      bins: [jq]\n",
    "metadata-as-json": f'{GOOD}metadata: {{"hub": {{"install": [{{"id": "brew", "kind": "brew"}}]}}}}\n',
    "metadata-over-lines": f'{GOOD}metadata:\n  {{\n    "hub": {{ "os": ["linux"] }},\n  }}\n',
    "metadata-with-odd-keys": f'{GOOD}metadata:\n  "a b": c\n  d.e: f\n  1: g\n',
    "metadata-with-known-names": f"{GOOD}metadata:\n  name: other\n  triggers: none\n  allowed-tools: none\n",
    "metadata-null": f"{GOOD}metadata:\n  by: ~\n  to:\n",
    "long-metadata": f"{GOOD}metadata:\n" + "".join(f"  key-{n}: {n}\n" for n in range(500)),
    "another-product": f"{GOOD}argument-hint: '[file]'\nmodel: x\nuser-invocable: false\n",
    "not-for-the-model": f"{GOOD}disable-model-invocation: true\n",
    "version": f"{GOOD}version: 1.10\nauthor: me\n",
    "tags": f"{GOOD}tags: garden, trees\nkeywords: [prune, 修剪]\n",
    "triggers": f"{GOOD}triggers: [prune it, 修剪]\n",
    "triggers-of-all-types": (
        f"{GOOD}triggers:\n  - {{type: regex, pattern: 'prun(e|ing)'}}\n"
        "  - {type: intent, pattern: garden}\n  - {type: manual}\n  - prune\n"
    ),
    "triggers-of-the-seed": f"{GOOD}triggers:\n  patterns: [search for]\n  case_sensitive: true\n",
    "parameters": (
        f"{GOOD}parameters:\n  - name: tree\n    type: string\n    description: which\n"
        "    required: true\n    enum: [oak, ash]\n"
    ),
    "parameters-of-the-seed": (
        f"{GOOD}parameters:\n  - name: n\n    type: int\n    default: 10\n    example: 3\n"
        "    enum_values: [1, 10]\n"
    ),
    "os": f"{GOOD}os: [linux, darwin, win32]\n",
    "os-in-metadata": f"{GOOD}metadata:\n  os: [linux]\n  requires: {{bins: [git], python: '>=3.8'}}\n",
    "words-for-os-in-metadata": f"{GOOD}metadata:\n  os: any\n  requires: a network\n",
    "texts-as-default-and-choice": (
        f"{GOOD}parameters:\n  - name: sure\n    default: yes\n    enum: [yes, no]\n"
        "  - name: many\n    type: integer\n    default: '3'\n"
    ),
    "other-needs": f"{GOOD}requires:\n  memory: 4 GB\n  python: 3.9+\n",
    "requires": f"{GOOD}requires:\n  bins: [git]\n  env: TOKEN\n",
    "requires-as-list": f"{GOOD}requires: [git, jq]\n",
    "mode": f"{GOOD}mode: manual\ntrust: untrusted\npriority: -3\n",
    "budget": f"{GOOD}context-budget: 4000\n",
    "dependencies": f"{GOOD}dependencies: [other]\n",
    "quoted-keys": "\"name\": demo\n'description': Prunes\n",
    "flow": '{name: demo, description: "Prunes trees"}\n',
    "spaces-after": "name: demo   \ndescription: Prunes trees  \n",
    "tab-after-colon": "name:\tdemo\ndescription:\tPrunes trees\n",
    "line-separator": "name: demo\ndescription: 'a\u2028b'\n",
    "hash-in-text": "name: demo\ndescription: Prunes#1 trees\n",
    "dashes-in-text": "name: demo\ndescription: Prunes --- trees\n",
}  # fmt: skip


@pytest.mark.parametrize("case", SOUND)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["unix", "windows", "mac"])
def test_a_sound_file_has_no_fault(tmp_path: Path, case: str, ends: str) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    text = f"---\n{SOUND[case]}---\n\n# Prune\n\n---\n\nIn winter: always.\n".replace("\n", ends)
    (folder / "SKILL.md").write_bytes(b"\xef\xbb\xbf" * (ends == "\r\n") + text.encode())
    assert told(folder) == []
    skill, _ = load_folder(folder)
    assert skill is not None
    assert skill.name == "demo"


@pytest.mark.parametrize("name", ["a", "7", "报表", "мой-навык", "a" * 64, "x-1-y", "cafe\u0301"])
def test_a_name_of_the_standard_is_a_name(tmp_path: Path, name: str) -> None:
    write_skill(tmp_path, name, f"name: '{name}'\n{D}")
    assert told(tmp_path) == []


def test_a_skill_without_instructions_is_sound(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "SKILL.md").write_text(f"---\n{GOOD}---", "utf-8")
    assert told(folder) == []


def test_a_manifest_in_lower_case_letters_is_taken_where_there_is_no_other(tmp_path: Path) -> None:
    folder = write_skill(tmp_path, "demo", GOOD)
    (folder / "SKILL.md").rename(folder / "skill.md")
    assert told(tmp_path) == []
    assert [skill.name for skill in check(folder)[0]] == ["demo"]
    (folder / "SKILL.md").write_text("x", "utf-8")
    assert [line for line, _ in told(folder)] == [1]


def test_the_file_of_a_skill_and_the_folder_one_is_in_stand_for_the_skill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_skill(tmp_path, "demo", f"{GOOD}colour: green")
    assert [line for line, _ in told(folder / "SKILL.md")] == [4]
    monkeypatch.chdir(folder)
    assert [line for line, _ in told(Path())] == [4]
    assert [line for line, _ in told(Path("SKILL.md"))] == [4]
    (tmp_path / "other.md").write_text("x", "utf-8")
    ((_, text),) = told(tmp_path / "other.md")
    assert "this is a file" in text
    ((_, text),) = told(tmp_path / "nowhere" / "SKILL.md")
    assert "no such folder" in text


def test_links_pipes_and_folders_instead_of_files_are_named(tmp_path: Path) -> None:
    sound = write_skill(tmp_path / "elsewhere", "sound", "name: sound\n" + D)
    root = tmp_path / "all"
    for name in ("linked", "broken", "folder", "inner", "pipe"):
        (root / name).mkdir(parents=True)
    (root / "linked" / "SKILL.md").symlink_to(sound / "SKILL.md")
    (root / "broken" / "SKILL.md").symlink_to("nowhere")
    (root / "folder" / "SKILL.md").mkdir()
    os.mkfifo(root / "pipe" / "SKILL.md")
    (write_skill(root, "inner", "name: inner\n" + D) / "data.md").symlink_to("/etc/hosts")
    os.mkfifo(write_skill(root, "waiting", "name: waiting\n" + D) / "data")
    (root / "sound").symlink_to(sound)
    found = dict(text.removeprefix(f"{root}/").split(":1: ") for _, text in told(root))
    assert {name.split("/")[0]: text.split("; ")[0] for name, text in found.items()} == {
        "linked": "this is a link",
        "broken": "this is a link",
        "folder": "this is a folder",
        "inner": "data.md is a link",
        "pipe": "this is no plain file",
        "waiting": "data is no plain file",
        "sound": "this is a link",
    }


def test_skills_that_need_each_other_in_a_circle_are_told_and_no_others(tmp_path: Path) -> None:
    for name, needs in (("one", "[two]"), ("two", "[three, outside]"), ("three", "[one]"), ("four", "[one]")):
        write_skill(tmp_path, name, f"name: {name}\n{D}dependencies: {needs}")
    assert sorted(text for _, text in told(tmp_path)) == sorted(
        f"{tmp_path}/{name}/SKILL.md:2: the skill {name} needs itself in a circle"
        for name in ("one", "two", "three")
    )


def test_a_place_in_the_text_that_no_parameter_fills_is_told_on_its_line(tmp_path: Path) -> None:
    head = f"{GOOD}parameters:\n  - name: tree\n"
    write_skill(tmp_path, "demo", head, "\n\nPrune {{tree}}.\nIn {{month}}, or {{ month }}.")
    ((line, text),) = told(tmp_path)
    lines = (tmp_path / "demo" / "SKILL.md").read_text("utf-8").split("\n")
    assert "{{month}} is not a parameter" in text
    assert "{{month}}" in lines[line - 1]
    write_skill(tmp_path, "demo", GOOD, "A template has {{month}} in it.")
    assert told(tmp_path) == []


def test_a_skill_with_a_pattern_that_only_python_can_run_is_found_without_it(tmp_path: Path) -> None:
    head = f"{GOOD}triggers:\n  - prune\n  - type: regex\n    pattern: (?<!no )pruning\n"
    ((line, _),) = told(write_skill(tmp_path, "demo", head))
    skill, _ = load_folder(tmp_path / "demo")
    assert line == 6
    assert skill is not None
    assert [trigger.pattern for trigger in skill.triggers] == ["prune"]


def test_a_name_that_is_taken_is_told_on_the_line_of_the_name(tmp_path: Path) -> None:
    write_skill(tmp_path / "one", "demo", GOOD)
    write_skill(tmp_path / "two", "demo", f"license: MIT\n{GOOD}")
    ((line, text),) = told(tmp_path)
    assert line == 3
    assert str(tmp_path / "one" / "demo") in text


def test_a_skill_with_much_beside_it_is_used_and_told(tmp_path: Path) -> None:
    folder = write_skill(tmp_path, "demo", GOOD)
    (folder / "fonts.bin").write_bytes(bytes(MAX_BYTES))
    ((line, text),) = told(tmp_path)
    assert (line, "at most" in text) == (1, True)
    assert [skill.name for skill in check(tmp_path)[0]] == ["demo"]
