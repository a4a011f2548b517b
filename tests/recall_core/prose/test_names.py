"""What a text can mean by what it writes."""

import pytest

from recall_core.frontmatter.reference import normalise_key
from recall_core.model.memo import Memo
from recall_core.prose.names import Names
from recall_core.prose.traces import find_trace


def memo(path: str, title: str = "", label: str = "") -> Memo:
    return Memo(path, normalise_key(path), title, label)


NAMES = Names(
    [
        memo("eip-1.md", "Purpose", "EIP-1"),
        memo("erc-820.md", "Registry", "ERC-820"),
        memo("0012-queues.md", "Queues"),
        memo("2025-02-12_032-storage.md", "Storage"),
        memo("a/twin.md"),
        memo("b/twin.md"),
        memo("adr-007-one.md", "One", "ADR 7"),
        memo("adr-007-two.md", "Two", "ADR 7"),
        memo("limits-v2.md", "Limits"),
    ]
)


@pytest.mark.parametrize(
    ("kind", "number", "paths"),
    [
        ("EIP", 1, ["eip-1.md"]),
        ("EIP", 820, ["erc-820.md"]),
        ("ERC", 1, ["eip-1.md"]),
        ("ADR", 7, ["adr-007-one.md", "adr-007-two.md"]),
        ("decision", 12, ["0012-queues.md"]),
        ("memo", 32, ["2025-02-12_032-storage.md"]),
        ("RFC", 12, []),
        ("EIP", 99, []),
    ],
)
def test_a_number_names_the_memos_of_its_space(kind: str, number: int, paths: list[str]) -> None:
    assert list(NAMES.by_number(kind, number)) == paths


def test_kinds_that_share_a_number_are_two_spaces() -> None:
    names = Names([memo("adr-1.md", "", "ADR 1"), memo("rfc-1.md", "", "RFC 1"), memo("rfc-2.md", "", "RFC 2")])
    assert names.by_number("adr", 2) == ()
    assert names.by_number("rfc", 2) == ("rfc-2.md",)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("EIP-820", [("erc-820.md",)]),
        ("EIPs 1, 2 and 820", [("eip-1.md",), (), ("erc-820.md",)]),
        ("EIP 1, 3 days later", [("eip-1.md",)]),
        ("ERC820", [("erc-820.md",)]),
        ("EIP-1559-style", None),
        ("EIP 1.2", None),
        ("the queue", None),
    ],
)
def test_numbered_mentions_are_found_with_their_lists(text: str, paths: list[tuple[str, ...]] | None) -> None:
    found = NAMES.find_numbered(text, 0, len(text))
    assert [each.paths for each in found] == ([tuple(paths)] if paths is not None else [])


def test_keys_are_exact_and_titles_folded() -> None:
    assert NAMES.by_key("[[limits-v2]]") == ("limits-v2.md",)
    assert NAMES.by_key("Limits-v2") == ()
    assert NAMES.by_key("x/twin.md") == ("a/twin.md", "b/twin.md")
    assert NAMES.by_title("  LIMITS ") == ("limits-v2.md",)
    assert NAMES.by_key("") == ()


@pytest.mark.parametrize(
    ("body", "speaks"),
    [
        ("This supersedes [[erc-820]].", True),
        ("This supersedes EIP 820.", True),
        ("This supersedes EIPs 810\u2013830.", True),
        ("This supersedes EIPs 800\u2013900.", False),
        ("This supersedes \u201cRegistry\u201d.", True),
        ("> [!NOTE]\n> Superseded by erc-820.md.", True),
        ("Withdrawn in favour of ERC 820.", True),
        ("This supersedes [the registry](./eip-820.md).", True),
        ("This supersedes [[eip-1]].", False),
        ("See [[erc-820]].", False),
    ],
)
def test_a_trace_tells_whom_a_body_may_speak_of(body: str, speaks: bool) -> None:
    assert NAMES.may_mean(find_trace(body), NAMES.memo("erc-820.md")) is speaks
