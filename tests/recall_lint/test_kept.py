"""What is kept between runs: readings by content, findings by state, states found clean."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.adapters import run_cache
from recall_core.adapters.cache import DataCache
from recall_core.adapters.run_cache import open_cache
from recall_core.model.span import Span
from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.engine import Findings
from recall_lint.kept import FindingsShelf, KeptFindings, KeptReadings
from recall_lint.reading import read_file
from recall_lint.run_cache import CleanStates, describe_state

BLOB = "0" * 39
MEMO = b"---\nsupersedes: [a, 'b#c', \"[[d]]\"]\nvalid_from: 2026-02-30\n---\n<!-- recall: ignore RL301 why -->\nThis replaces a.md.\n"


@pytest.fixture
def cache(tmp_path: Path) -> DataCache:
    return DataCache(str(tmp_path / "cache"), "version")


def keep(cache: DataCache | None, *rows: tuple[str, bytes]) -> KeptReadings:
    readings = KeptReadings(cache, "index", 0)
    for identity, content in rows:
        readings.put(identity, read_file("a.md", content))
    readings.save()
    return readings


def test_a_reading_comes_back_under_the_name_that_is_asked_for(cache):
    keep(cache, (BLOB + "1", MEMO))
    again = KeptReadings(cache, "index", 0)
    assert again.get("a.md", BLOB + "1") == read_file("a.md", MEMO)
    assert again.get("docs/Other.MD", BLOB + "1") == read_file("docs/Other.MD", MEMO)


@given(
    st.binary(max_size=300) | st.text(max_size=300).map(lambda text: b"---\nsupersedes: " + text.encode() + b"\n---\n")
)
def test_any_reading_survives_the_cache(tmp_path_factory, content):
    cache = DataCache(str(tmp_path_factory.mktemp("cache")), "version")
    keep(cache, (BLOB + "1", content))
    for path in ("a.md", "docs/b c.md"):
        assert KeptReadings(cache, "index", 0).get(path, BLOB + "1") == read_file(path, content)


def test_one_kind_of_source_never_serves_another(cache):
    keep(cache, (BLOB + "1", MEMO))
    assert KeptReadings(cache, "work-tree", 0).get("a.md", BLOB + "1") is None


def test_what_a_run_did_not_see_is_forgotten_when_something_is_written(cache):
    keep(cache, *((BLOB + str(number), MEMO) for number in range(4)))
    run = KeptReadings(cache, "index", 0)
    run.get("a.md", BLOB + "1")
    run.put(BLOB + "x", read_file("a.md", MEMO))
    run.save()
    after = KeptReadings(cache, "index", 0)
    assert [after.get("a.md", BLOB + each) is not None for each in "0123x"] == [False, True, False, False, True]


def test_a_run_that_learns_nothing_writes_nothing(cache, tmp_path):
    keep(cache, (BLOB + "1", MEMO))
    (file,) = (tmp_path / "cache").iterdir()
    before = file.stat().st_mtime_ns, file.stat().st_ino
    run = KeptReadings(cache, "index", 0)
    run.get("a.md", BLOB + "1")
    run.save()
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before


def test_without_a_cache_nothing_is_kept():
    readings = keep(None, (BLOB + "1", MEMO))
    assert readings.get("a.md", BLOB + "1") is None
    shelf = FindingsShelf(None, "index")
    shelf.put("state", KeptFindings(Findings((), 0, 0)))
    assert shelf.get("state") is None
    clean = CleanStates(None)
    clean.add("state")
    assert not clean.holds("state")


FOUND = KeptFindings(
    Findings(
        (
            Diagnostic(
                "RL204",
                "supersession-cycle",
                Severity.ERROR,
                "a.md",
                Span(2, 13, 2, 14),
                "message",
                "help",
                (Related("b.md", "here", Span(2, 13, 2, 14)), Related("c.md", "there")),
                clock=True,
                line_text="supersedes: b",
            ),
        ),
        3,
        7,
    ),
    ("a note",),
)


def test_findings_come_back_whole(cache):
    FindingsShelf(cache, "index").put("state", FOUND)
    assert FindingsShelf(cache, "index").get("state") == FOUND
    assert FindingsShelf(cache, "index").get("another") is None
    assert FindingsShelf(cache, "work-tree").get("state") is None


def test_the_last_states_are_kept_and_no_more(cache, tmp_path):
    shelf = FindingsShelf(cache, "index")
    for number in range(40):
        shelf.put(str(number), FOUND)
    shelf.put("39", FOUND)
    (file,) = (tmp_path / "cache").iterdir()
    known = [state for state, _ in json.loads(file.read_bytes().partition(b"\n")[2])]
    assert known == [str(number) for number in range(39, 23, -1)]


def many(number: int, line_text: str) -> KeptFindings:
    """As many findings about one line."""
    (one,) = FOUND.findings.diagnostics
    return KeptFindings(Findings((one._replace(line_text=line_text),) * number, 0, 1))


def test_a_line_with_many_findings_is_kept_once(cache, tmp_path):
    found = many(200, "x" * 50_000)
    FindingsShelf(cache, "index").put("state", found)
    assert FindingsShelf(cache, "index").get("state") == found
    (file,) = (tmp_path / "cache").iterdir()
    assert file.stat().st_size < 100_000


def test_lines_too_long_are_not_kept_and_older_states_stay(cache):
    shelf = FindingsShelf(cache, "index")
    shelf.put("one", FOUND)
    shelf.put("another", many(1, "\0" * 5_000_000))
    assert (shelf.get("one"), shelf.get("another")) == (FOUND, None)


def test_of_states_with_many_findings_fewer_are_kept_the_newest_always(cache):
    shelf = FindingsShelf(cache, "index")
    found = many(9_000, "x")
    for state in "abcd":
        shelf.put(state, found)
    assert [state for state in "abcd" if shelf.get(state)] == ["b", "c", "d"]
    shelf.put("e", many(30_000, "x"))
    shelf.put("f", FOUND)
    assert [state for state in "abcdef" if shelf.get(state)] == ["f"]


def test_clean_states_are_remembered_the_newest_first(cache):
    clean = CleanStates(cache)
    assert not clean.holds("one")
    for number in range(40):
        clean.add(str(number))
    clean.add("30")
    assert cache.load("clean")[:3] == ["30", "39", "38"]
    assert len(cache.load("clean")) == 16
    assert (CleanStates(cache).holds("30"), CleanStates(cache).holds("3")) == (True, False)


@pytest.mark.parametrize("value", [None, 3, {}, {"0": 1}, [[]], [{}], "state"])
def test_a_value_of_another_shape_is_nothing(cache, value):
    for name in ("readings-index", "findings-index", "clean"):
        cache.save(name, value)
    assert KeptReadings(cache, "index", 0).get("a.md", "0") is None
    assert FindingsShelf(cache, "index").get("state") is None
    assert not CleanStates(cache).holds("state")


def test_another_code_has_another_cache(tmp_path, monkeypatch):
    open_cache(str(tmp_path)).save("name", 1)
    assert open_cache(str(tmp_path)).load("name") == 1
    monkeypatch.setattr(run_cache, "_code_stamp", lambda: "another")
    assert open_cache(str(tmp_path)).load("name") is None


def test_the_stamp_follows_every_file_of_ours(tmp_path, monkeypatch):
    for package in ("recall_lint", "recall_core"):
        (tmp_path / package / "deep").mkdir(parents=True)
        (tmp_path / package / "deep/code.py").write_text("1\n")
    monkeypatch.setattr(run_cache, "__file__", str(tmp_path / "recall_core/adapters/run_cache.py"))
    stamps = [run_cache._code_stamp()]
    (tmp_path / "recall_lint/deep/__pycache__").mkdir()
    (tmp_path / "recall_lint/deep/__pycache__/code.pyc").write_text("compiled\n")
    assert run_cache._code_stamp() == stamps[0]
    for package in ("recall_lint", "recall_core"):
        (tmp_path / package / "deep/code.py").write_text("22\n")
        stamps.append(run_cache._code_stamp())
    (tmp_path / "recall_core/more.py").write_text("")
    stamps.append(run_cache._code_stamp())
    assert len(set(stamps)) == 4


def test_a_state_tells_its_parts_apart():
    states = {describe_state(parts) for parts in (["ab"], ["a", "b"], ["", "ab"], ["a\0b"], ["b", "a"], ["caf\udce9"])}
    assert len(states) == 6
