"""Traces: whatever a body may ask about can be told without reading it."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.fence import find_fence
from recall_core.frontmatter.read import read_text
from recall_core.model.memo import Memo
from recall_core.prose import traces
from recall_core.prose.candidate import Candidate, Refusal
from recall_core.prose.candidates import find_candidates
from recall_core.prose.mentions import find_tokens, may_mention
from recall_core.prose.names import Names
from recall_core.prose.trace import Trace
from recall_core.prose.traces import find_trace

UNTRACED = {Refusal.AUGMENTING, Refusal.ALTERNATIVE, Refusal.OTHER_SUBJECT}
"""One of these stands with every candidate of `extends`, `instead of` and `no longer applies`."""


def memo(path: str, title: str = "", label: str = "") -> Memo:
    lines = [f'{key}: "{value}"\n' for key, value in (("title", title), ("label", label)) if value]
    text = f"---\n{''.join(lines)}---\n"
    return read_text(path, text, find_fence(text))


MEMOS = [
    memo("0012-limits.md", "Limits for uploads"),
    memo("0013-queue.md", "The queue"),
    memo("a/limits-v1.md", "Limits, first"),
    memo("b/limits-v1.md"),
    memo("rule-3.md"),
    memo("rule-4.md"),
    memo("rule-5.md", "Three rules"),
    memo("pep-0440.md", "PEP 440 - Versions", "PEP 440"),
    memo("14-outbox/notes.md", label="DR 14"),
    memo("own.md", "Own memo", "ADR 99"),
]
NAMES = Names(MEMOS)
OWN = MEMOS[-1]

WORDS = (
    "this memo", "This", "it", "**this** ADR", "our present decision", "the current memo", "We", "the ADR", "ADR 99",
    " supersedes ", " replaces ", " is superseded by ", "Superseded by ", " was superseded\nby ", " deprecated ",
    " retired in favour of ", " withdrawn in favor of ", " rejected, favouring ", " succeeds ", " rescinds ",
    " was merged into ", " was moved to ", " obsoletes ", " replacement for ", " is a successor of ", " instead of ",
    " extends ", " no longer applies", " not ", " probably ", "?", ". ", "; ", ", ", " and ", " <!-- x --> ", "`",
)  # fmt: skip
REFERENCES = (
    "[[0012-limits]]", "[[own]]", "[[0013-queue|the queue]]", "[[gone|Limits for uploads]]", "[[x#y]]", "[[gone|ADR 12]]",
    "0012-limits.md", "docs/0013-queue.md", "limits-v1", "a/limits-v1.md", "[Limits for uploads](https://example.org)",
    "[ADR 12](https://example.org)", "[`ADR 12`](gone.md)", "[*The queue*](gone.md)", "[it](./x/0013-queue.md#part)",
    "[it](../14-outbox/README.md)", "[it](./ADR%2012%20-%20x.md)", "[it][id]", "\u201cLimits for uploads\u201d", '"Three rules"',
    "ADR 12", "ADRs 12, 13 and 14", "ADRs 12\u201314", "adr-12", "ADR#12", "ADR No. 13", "ADR`x`12", "rule 3", "Rules 3/4",
    "PEP 440", "pep440", "PEP\u00a0440", "DR 14", "0012", "![it](0012-limits.md)", "<https://example.org/0012-limits.md>",
)  # fmt: skip
LAYOUT = (
    "\n", "\n\n", "\r\n\r\n", "\n> ", "\n- ", "\n  - ", "\n# ", "\n## ", "\n\n===\n", "| ", "\n\n    ", "\n[id]: 0012-limits.md\n",
    "> [!NOTE]\n> ", "Note: ", "**Status:** ", "\n```\n", "~~",
)  # fmt: skip
PIECES = st.sampled_from(WORDS) | st.sampled_from(REFERENCES) | st.sampled_from(LAYOUT)
BODIES = st.lists(PIECES, min_size=2, max_size=24).map("".join)


def assert_traced(candidates: Sequence[Candidate], trace: Trace, own: Memo, names: Names, memos: set[str]) -> None:
    for each in candidates:
        for path in ({each.target, each.successor} & memos) - {own.path}:
            if UNTRACED.isdisjoint(each.refusals):
                assert names.may_mean(trace, names.memo(path)), each
            assert names.may_mean(trace, names.memo(path)) is (path in names.meant_by(trace))
        if not each.refusals:
            assert own.path in (each.target, each.successor), "what is asked is asked of the memo that says it"


@given(BODIES)
def test_what_a_body_asks_about_has_left_a_trace(body: str) -> None:
    candidates = find_candidates(OWN, body, 1, NAMES)
    assert_traced(candidates, find_trace(body), OWN, NAMES, {memo.path for memo in MEMOS})


@pytest.mark.parametrize("reference", REFERENCES)
def test_every_way_to_name_a_memo_leaves_a_trace(reference: str) -> None:
    body = f"This memo supersedes {reference}.\n\n[id]: 0012-limits.md\n"
    candidates = find_candidates(OWN, body, 1, NAMES)
    assert_traced(candidates, find_trace(body), OWN, NAMES, {memo.path for memo in MEMOS})


@pytest.mark.parametrize(
    "body",
    [
        "## ADR 12\n\nSuperseded by this memo.\n",
        "ADR 12\n------\n\nSuperseded by the present ADR.\n",
        "- [[0012-limits]]\n  - Superseded by this memo.\n",
        "Withdrawn (see [a long address](https://example.org/" + "x" * 200 + ")) in favour of ADR 12.\n",
        "It was rejected, favouring ADR 12.\n",
        "This memo succeeds ADR 12.\n",
        "This memo rescinds ADR 12.\n",
        "This memo was merged into ADR 12.\n",
        "This memo was moved to [[0012-limits]].\n",
    ],
)
def test_every_family_and_every_subject_above_leaves_a_trace(body: str) -> None:
    assert NAMES.may_mean(find_trace(body), NAMES.memo("0012-limits.md"))


@pytest.mark.parametrize(
    "body",
    [
        "",
        "See [[0012-limits]].",
        "This replaces the old list.\n\nSee [[0012-limits]].",
        "This memo extends [[0012-limits]].",
        "```\nThis memo supersedes [[0012-limits]].\n```",
        "`supersedes` [[0012-limits]]",
        "This memo supersedes <!-- [[0012-limits]] --> it.",
    ],
)
def test_what_no_sentence_could_tell_leaves_none(body: str) -> None:
    assert not find_trace(body)


def read_in_full(text: str, monkeypatch: pytest.MonkeyPatch) -> Trace:
    with monkeypatch.context() as patch:
        patch.setattr(traces, "_worth_reading", lambda _flat, _lowered, marks: iter(marks))
        patch.setattr(traces, "_as_far_as_needed", lambda flat, _offset: flat)
        return find_trace(text)


@given(BODIES)
def test_the_shortcuts_lose_nothing_that_a_corpus_could_know(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        full = read_in_full(text, patch)
    assert NAMES.meant_by(full) >= NAMES.meant_by(find_trace(text))


@given(BODIES | st.text())
def test_what_could_be_a_stem_leaves_a_trace(text: str) -> None:
    if find_tokens(text):
        assert may_mention(text, 0, len(text))


def test_any_text_gives_a_trace_of_distinct_names(bodies: st.SearchStrategy[str]) -> None:
    @given(bodies)
    def check(text: str) -> None:
        for names in (find_trace(text).keys, find_trace(text).titles, find_trace(text).numbers):
            assert len(names) == len(set(names))
            assert "" not in names

    check()


def test_real_documents_ask_about_nothing_that_left_no_trace(shared: Path) -> None:
    crossing = 0
    for docs in sorted((shared / "corpora").glob("*/docs")):
        texts = {path.name: path.read_text("utf-8") for path in sorted(docs.glob("*.md"))}
        fences = {name: find_fence(text) for name, text in texts.items()}
        memos = {name: read_text(name, text, fences[name]) for name, text in texts.items()}
        names = Names(memos.values())
        for name, text in texts.items():
            body = text[fences[name].body :]
            candidates = find_candidates(memos[name], body, 1, names)
            assert_traced(candidates, find_trace(body), memos[name], names, set(memos))
            crossing += sum(bool({each.target, each.successor} & memos.keys() - {name}) for each in candidates)
    assert crossing > 250
