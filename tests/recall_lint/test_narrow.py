"""A narrowed look says of a few memos what a look at the whole corpus says. Shows L1, L2 on corpora known before."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_core.adapters.cache import DataCache
from recall_core.adapters.corpus_config import Configuration
from recall_core.adapters.workspace import Workspace
from recall_core.ports.corpus import Entry, Listing
from recall_lint.check.gather import Gatherer
from recall_lint.config import build_settings
from recall_lint.narrow import NarrowSession
from recall_lint.rules import RULES

AT = datetime(2026, 6, 1, tzinfo=UTC)
SETTINGS = build_settings(Configuration(root="."), RULES)


class Source:
    """Memos in memory, whose identity is their content; it notes what is read."""

    kind = "folder"

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files
        self.read_paths: list[str] = []

    def listing(self) -> Listing:
        return Listing([Entry(path, f"blob{hash(text)}") for path, text in sorted(self.files.items())])

    def read(self, entries):
        for entry in entries:
            self.read_paths.append(entry.path)
            yield entry, self.files[entry.path].encode()


def over(files: dict[str, str], cache: DataCache | None = None) -> NarrowSession:
    return NarrowSession(Workspace(Configuration("/nowhere"), Source(files), None), cache)


def say(session: NarrowSession, paths: Sequence[str], gone: Sequence[str] = ()):
    """What `recall check` shows of these memos: findings in them and about them, and what the sentences suggest."""
    chosen = set(paths)
    found = session.lint_beside_questions(SETTINGS, paths, at=AT).diagnostics
    shown = [
        each._replace(line_text="")
        for each in found
        if each.code != "RL301"
        and (each.path in chosen or any(other.path in chosen for other in each.related) or (gone and _dangles(each)))
    ]
    gatherer = Gatherer(session.open_told(SETTINGS), session.find_near)
    return shown, gatherer.gather(paths, resembling=frozenset(paths))


def _dangles(diagnostic) -> bool:
    return diagnostic.code == "RL201" and "old" in diagnostic.message


@pytest.fixture
def cache(tmp_path: Path) -> DataCache:
    return DataCache(str(tmp_path / "cache"), "1")


STEMS = [
    "limits-v1",
    "limits-v2",
    "limits_v2",
    "Limits-v3",
    "0012-queue",
    "adr-12-rates",
    "0013-queue",
    "README",
    "old",
]
FOLDERS = ["", "api/", "billing/"]
REFERENCES = [
    "limits-v1",
    "limits-v2",
    "old",
    "queue",
    "0012-queue",
    "12",
    "LIMITS-V1",
    "api/limits-v1.md",
    "x#part",
    "TBD",
]
BLOCKS = st.one_of(
    st.just(""),
    st.sampled_from(REFERENCES).map("supersedes: {}\n".format),
    st.tuples(st.sampled_from(REFERENCES), st.sampled_from(REFERENCES)).map("supersedes: [{0[0]}, {0[1]}]\n".format),
    st.sampled_from(REFERENCES).map("superseded_by: {}\n".format),
    st.sampled_from(
        ["title: Rate limits of the queue\n", "title: ADR 12 rates\n", "valid_until: 2026-01-01\n", "supersedes: [a\n"]
    ),
    st.just("supersedes: limits-v1 # recall: ignore RL205 split\n"),
)
SENTENCES = st.sampled_from(
    [
        "See the other.", "This memo supersedes {}.", "Superseded by {}.", "This memo replaces ADR 12.", "We replaced {}.",
        'It is superseded by "Rate limits of the queue".', "This memo replaces ADRs 12 and 13. <!-- recall: ignore RL301 -->",
        "<!-- recall: not-superseding limits-v1 -->", "<!-- recall: not-superseding nobody -->", "# ADR 13: rates",
    ]
)  # fmt: skip
TEXTS = st.builds(
    lambda block, sentence, name: (f"---\n{block}---\n" if block else "") + sentence.format(f"[[{name}]]") + "\n",
    BLOCKS,
    SENTENCES,
    st.sampled_from(STEMS),
)
PATHS = st.builds("{}{}.md".format, st.sampled_from(FOLDERS), st.sampled_from(STEMS))
CORPORA = st.dictionaries(PATHS, TEXTS, min_size=1, max_size=9)


@settings(max_examples=300, deadline=None)
@given(CORPORA, st.dictionaries(PATHS, st.one_of(st.none(), TEXTS), max_size=3), st.data())
def test_a_narrowed_look_says_what_a_look_at_everything_says(before, edits, data):
    after = {path: text for path, text in (before | edits).items() if text is not None}
    if not after:
        return
    paths = sorted(data.draw(st.sets(st.sampled_from(sorted(after)), min_size=1, max_size=3)))
    with TemporaryDirectory() as folder:
        cache = DataCache(folder, "1")
        over(before, cache).keep()
        narrow = over(after, cache)
        narrow.narrow(paths)
        assert say(narrow, paths) == say(over(after), paths)


FAMILY = {
    "a.md": "---\nsupersedes: b\n---\nText.\n",
    "b.md": "Text.\n",
    "speaker.md": "This memo supersedes [[b]].\n",
    **{f"other-{word}.md": f"# About {word}\n" for word in ("cats", "dogs", "owls", "rats")},
}


def test_only_what_changed_and_what_may_speak_of_it_is_read(cache):
    over(FAMILY, cache).keep()
    session = over(FAMILY | {"b.md": "Other text.\n"}, cache)
    session.narrow(["b.md"])
    say(session, ["b.md"])
    assert set(session.workspace.source.read_paths) == {"b.md", "speaker.md"}


def test_without_a_register_all_is_read_and_one_is_kept(cache):
    session = over(FAMILY, cache)
    session.narrow(["b.md"])
    say(session, ["b.md"])
    session.keep()
    assert set(FAMILY) <= set(session.workspace.source.read_paths)
    again = over(FAMILY, cache)
    again.narrow(["b.md"])
    say(again, ["b.md"])
    assert set(again.workspace.source.read_paths) == {"b.md", "speaker.md"}


def test_a_dangling_reference_takes_a_look_at_all_names(cache):
    over(FAMILY, cache).keep()
    files = FAMILY | {"b.md": "---\nsupersedes: other-cat\n---\n"}
    session = over(files, cache)
    session.narrow(["b.md"])
    found, _ = say(session, ["b.md"])
    assert [each.help for each in found if each.code == "RL201"] == ["did you mean `other-cats`?"]
    assert session.find_near is None


def test_who_names_a_memo_that_is_gone_is_told(cache):
    before = FAMILY | {"old.md": "Text.\n", "names-old.md": "---\nsupersedes: old\n---\n"}
    over(before, cache).keep()
    after = {path: text for path, text in before.items() if path != "old.md"}
    session = over(after, cache)
    session.narrow(["b.md"], ["old.md"])
    found, _ = say(session, ["b.md"], ["old.md"])
    assert [each.path for each in found if each.code == "RL201"] == ["names-old.md"]


def test_many_memos_written_since_make_a_new_register(cache):
    over(FAMILY, cache).keep()
    many = FAMILY | {f"new-{number}.md": "Text.\n" for number in range(100)}
    session = over(many, cache)
    session.narrow(["b.md"])
    say(session, ["b.md"])
    session.keep()
    again = over(many, cache)
    again.narrow(["b.md"])
    say(again, ["b.md"])
    assert set(again.workspace.source.read_paths) == {"b.md", "speaker.md"}


def test_a_file_written_while_its_time_of_change_stood_still_is_never_taken_for_known(cache):
    class Ticking(Source):
        def listing(self) -> Listing:
            return Listing([each._replace(identity="5-9999999999999999999-1") for each in super().listing().entries])

    session = NarrowSession(Workspace(Configuration("/nowhere"), Ticking({"a.md": "one\n"}), None), cache)
    session._listed_at = 9999999999999999999  # the very tick
    session.keep()
    again = NarrowSession(Workspace(Configuration("/nowhere"), Ticking({"a.md": "two\n"}), None), cache)
    again.narrow(["a.md"])
    assert again.workspace.source.read_paths == ["a.md"]


def test_a_name_with_a_sign_of_the_columns_is_read_in_full(cache):
    files = FAMILY | {"odd\2name.md": "Text.\n"}
    over(files, cache).keep()
    session = over(files, cache)
    session.narrow(["b.md"])
    say(session, ["b.md"])
    assert session.find_near is None


def test_what_is_a_memo_is_asked_anew_when_the_patterns_change(cache: DataCache) -> None:
    files = {"limits-v1.md": "# One\n", "old/limits.md": "# Two\n", "notes.txt": "no memo\n"}
    over(files, cache).keep()
    configuration = Configuration("/nowhere", exclude=("old/**",))
    session = NarrowSession(Workspace(configuration, Source(files), None), cache)
    assert [entry.path for entry in session.memos] == ["limits-v1.md"]


def test_new_files_beside_known_memos_are_memos_by_the_patterns(cache: DataCache) -> None:
    files = {"limits-v1.md": "# One\n", "notes.txt": "no memo\n"}
    over(files, cache).keep()
    more = {**files, "a.md": "# New\n", ".hidden/b.md": "# No\n", "z.md": "# New\n", "README.txt": ""}
    session, plain = over(more, cache), over(more)
    assert session.memos == plain.memos
    assert [entry.path for entry in session.memos] == ["a.md", "limits-v1.md", "z.md"]
    assert session._split == plain._split
