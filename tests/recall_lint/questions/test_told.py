"""RL301 fires exactly where `recall check` has an open question."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.adapters.corpus_config import Configuration
from recall_core.frontmatter.fence import find_fence
from recall_core.graph.corpus import Corpus
from recall_lint.asking import open_told
from recall_lint.check.gather import Gatherer
from recall_lint.check.suggestion import Suggestion
from recall_lint.config import build_settings
from recall_lint.engine import lint
from recall_lint.inspection import Surroundings
from recall_lint.questions.text import read_text
from recall_lint.reading import read_file
from recall_lint.rules import RULES

AT = datetime(2026, 6, 1, tzinfo=UTC)
IGNORED = {"per-file-ignores": {"silent*.md": ["RL301"]}}
SETTINGS = build_settings(Configuration(root=".", table=IGNORED), RULES)
DECLARED = re.compile(r"^supersedes:.*\n(?:(?:[ \t]|- ).*\n)*", re.MULTILINE)
Place = tuple[str, int, int]


class Both:
    """One corpus as lint and as check see it."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.read: list[str] = []
        self.readings = [read_file(path, content) for path, content in sorted(files.items())]

    def texts(self, paths):
        self.read += paths
        return {path: text for path in paths if (text := read_text(self.files[path])) is not None}

    def linted(self) -> list[Place]:
        found = lint(self.readings, SETTINGS, at=AT, surroundings=Surroundings(read_texts=self.texts)).diagnostics
        return [(each.path, each.span.line, each.span.column) for each in found if each.code == "RL301"]

    def gatherer(self) -> Gatherer:
        corpus = Corpus(reading.memo for reading in self.readings)
        return Gatherer(open_told(self.readings, corpus, SETTINGS, self.texts))

    def checked(self) -> set[Place]:
        return places(self.gatherer().tell_all(self.files))

    def checked_one_by_one(self) -> set[Place]:
        """Each memo by a run of its own."""
        return {place for path in self.files for place in places(self.gatherer().gather([path])[0].suggestions)}


def places(suggestions: list[Suggestion]) -> set[Place]:
    return {
        (each.evidence.path, each.evidence.span.line, each.evidence.span.column)
        for each in suggestions
        if each.is_question and each.evidence is not None
    }


NAMES = ["limits-v1", "limits-v2", "0012-queue", "0013-queue", "README", "silent", "rates"]
SENTENCES = (
    "This memo supersedes {}.", "This memo replaces {} and [[rates]].", "Superseded by {}.", "{} is superseded by this memo.",
    "This memo probably replaces {}.", "This memo does not replace {}.", "Does this memo replace {}?", "It retires {}.",
    "We replaced {}.", "This memo is a replacement for {}.", "> This memo supersedes {}.", "> [!NOTE]\n> Superseded by {}.",
    "This memo will replace {}.", "This memo supersedes section 3 of {}.", "Withdrawn in favour of {}.", "See {}.",
    "This memo supersedes {}. <!-- recall: ignore RL301 -->", "<!-- recall: not-superseding rates -->", "## {}",
    "<!-- recall: not-superseding 0012-queue -->", "```\nThis memo supersedes {}.\n```", "This memo extends {}.",
)  # fmt: skip
WAYS = ("[[{0}]]", "{0}.md", "[it](x/{0}.md)", '"Title of {0}"', "ADR 12", "ADR 13", "[[gone]]")
BLOCKS = (
    "",
    "supersedes: rates\n",
    "supersedes: [limits-v1, 0012-queue]\n",
    "supersedes: limits-v1#part\n",
    "supersedes: [\n",
)


@st.composite
def corpora(draw: st.DrawFn) -> dict[str, bytes]:
    files = {}
    for name in NAMES:
        said = draw(
            st.lists(st.tuples(st.sampled_from(SENTENCES), st.sampled_from(WAYS), st.sampled_from(NAMES)), max_size=3)
        )
        block = draw(st.sampled_from(("", "", "", *BLOCKS)))
        body = "\n\n".join(sentence.format(way.format(about)) for sentence, way, about in said)
        files[f"{name}.md"] = f'---\ntitle: "Title of {name}"\n{block}---\n\n{body}\n'.encode()
    return files


@given(corpora())
def test_rl301_reports_exactly_the_open_questions_of_check(files: dict[str, bytes]) -> None:
    both = Both(files)
    linted = both.linted()
    assert len(linted) == len(set(linted))
    assert set(linted) == both.checked() == both.checked_one_by_one()


@pytest.mark.parametrize("declares", [True, False], ids=["as they are", "nothing declared"])
def test_rl301_and_check_agree_on_real_documents(shared: Path, declares: bool) -> None:
    found = 0
    for docs in sorted((shared / "corpora").glob("*/docs")):
        files = {path.name: path.read_bytes() for path in sorted(docs.glob("*.md"))}
        if not declares:
            files = {name: without_declarations(content) for name, content in files.items()}
        both = Both(files)
        linted = set(both.linted())
        assert linted == both.checked(), docs
        found += len(linted)
    assert found >= (15 if declares else 35)


def without_declarations(content: bytes) -> bytes:
    text = content.decode()
    fence = find_fence(text)
    return (DECLARED.sub("", text[: fence.body]) + text[fence.body :]).encode()


def test_only_bodies_that_may_ask_are_read() -> None:
    both = Both(
        {
            "a.md": b"This memo supersedes [[old]].\n",
            "b.md": b"---\nsupersedes: rates\n---\n\nThis memo supersedes [[rates]].\n",
            "c.md": b"This memo supersedes [[rates]].\n\n<!-- recall: not-superseding rates -->\n",
            "d.md": b"This memo replaces a list that nobody kept. See [[old]].\n\nSee [[rates]].\n",
            "e.md": b"See [[old]].\n",
            "old.md": b"",
            "rates.md": b"",
        }
    )
    both.linted()
    assert sorted(set(both.read)) == ["a.md", "d.md"]
    assert len(both.read) == 2


@pytest.mark.parametrize("missing", ["s1", "s2", "s3"])
def test_what_two_claimants_say_of_each_other_counts_for_a_third_whoever_is_asked(missing: str) -> None:
    bodies = {
        "old": "",
        "s1": "This memo supersedes [[old]]. This memo supersedes [[s3]].",
        "s2": "This memo supersedes [[old]]. This memo supersedes [[s1]].",
        "s3": "This memo supersedes [[old]].",
    }
    bodies[missing] = ""
    both = Both({f"{name}.md": body.encode() for name, body in bodies.items()})
    assert set(both.linted()) == both.checked() == both.checked_one_by_one()
