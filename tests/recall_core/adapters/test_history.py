import json
import os
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recall_core.adapters.git.history import History, read_history
from recall_core.adapters.git.repository import Git
from recall_core.errors import GitError


def day(number: int) -> datetime:
    return datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=number)


def body(name: str) -> str:
    return "".join(f"{name} {number}\n" for number in range(20))


def history(repository, below: str = "", **more) -> History:
    return read_history(repository.find(), str(repository.path / below), **more)


def recorded(repository, below: str = "", **more) -> dict[str, datetime]:
    return dict(history(repository, below, **more).recorded)


class TestRecorded:
    def test_it_is_the_committers_date_of_the_commit_that_brought_it_in(self, repository) -> None:
        repository.add("a.md", body("a"))
        repository.commit(day=3)
        repository.add("a.md", body("a") + "more\n")
        repository.add("docs/b.md", body("b"))
        repository.commit(day=5)
        assert recorded(repository) == {"a.md": day(3), "docs/b.md": day(5)}

    def test_times_are_aware_and_utc_whatever_the_zone_of_the_committer(self, repository) -> None:
        repository.add("a.md")
        repository.git("commit", "-q", "-m", "x", GIT_COMMITTER_DATE="2024-01-01T01:30:00 +0300")
        assert recorded(repository) == {"a.md": datetime(2023, 12, 31, 22, 30, tzinfo=UTC)}
        assert recorded(repository)["a.md"].tzinfo is UTC

    def test_a_rename_is_followed_edited_or_not(self, repository) -> None:
        repository.add("a.md", body("a"))
        repository.commit(day=1)
        repository.git("mv", "a.md", "b.md")
        repository.commit(day=2)
        (repository.path / "docs").mkdir()
        repository.git("mv", "b.md", "docs/c.md")
        repository.add("docs/c.md", body("a") + "more\n")
        repository.commit(day=3)
        assert recorded(repository) == {"docs/c.md": day(1)}

    def test_a_memo_deleted_and_brought_in_again_keeps_its_first_time(self, repository) -> None:
        repository.add("a.md", body("a"))
        repository.commit(day=1)
        repository.git("rm", "-q", "a.md")
        repository.commit(day=2)
        repository.add("a.md", "quite another text\n")
        repository.commit(day=3)
        assert recorded(repository) == {"a.md": day(1)}

    def test_a_memo_written_under_the_old_name_of_a_renamed_one_is_new(self, repository) -> None:
        repository.add("current.md", body("a"))
        repository.commit(day=1)
        repository.git("mv", "current.md", "archived.md")
        repository.commit(day=2)
        repository.add("current.md", body("b"))
        repository.commit(day=3)
        assert recorded(repository) == {"archived.md": day(1), "current.md": day(3)}

    def test_a_rename_into_the_path_of_an_older_deleted_memo_brings_its_own_time(self, repository) -> None:
        repository.add("a.md", body("a"))
        repository.commit(day=1)
        repository.git("rm", "-q", "a.md")
        repository.add("b.md", body("b"))
        repository.commit(day=2)
        repository.git("mv", "b.md", "a.md")
        repository.commit(day=3)
        assert recorded(repository) == {"a.md": day(2)}

    def test_names_that_move_on_in_one_commit_take_their_own_times_along(self, repository) -> None:
        repository.add("a.md", body("a"))
        repository.commit(day=1)
        repository.add("b.md", body("b"))
        repository.commit(day=2)
        repository.git("mv", "b.md", "c.md")
        repository.git("mv", "a.md", "b.md")
        repository.git("mv", "c.md", "d.md")
        repository.commit(day=3)
        # Git compares b.md with b.md: a memo stands there before and after, so that one keeps its time.
        assert recorded(repository)["b.md"] == day(2)

    def test_a_clock_that_runs_backwards_changes_nothing(self, repository) -> None:
        repository.add("a.md", body("a"))
        repository.commit(day=9)
        repository.add("a.md", body("a") + "more\n")
        repository.add("b.md", body("b"))
        repository.commit(day=2)
        repository.git("rm", "-q", "a.md")
        repository.commit(day=3)
        repository.add("a.md", body("a"))
        repository.commit(day=1)
        assert recorded(repository) == {"a.md": day(9), "b.md": day(2)}

    def test_a_symlink_is_no_memo_until_a_file_takes_its_place(self, repository) -> None:
        repository.add("target.md", body("t"))
        (repository.path / "a.md").symlink_to("target.md")
        repository.git("add", "a.md")
        repository.commit(day=1)
        (repository.path / "a.md").unlink()
        repository.add("a.md", body("a"))
        repository.commit(day=2)
        assert recorded(repository) == {"a.md": day(2), "target.md": day(1)}

    @pytest.mark.parametrize("name", ["two\nlines.md", "with space.MD", ":a.md", os.fsdecode(b"caf\xe9.md"), "*.md"])
    def test_odd_names_come_back_as_they_are(self, repository, name: str) -> None:
        repository.add("a.md", body("a"))
        repository.commit(day=1)
        repository.git("mv", "a.md", "./" + name)
        repository.commit(day=2)
        assert recorded(repository) == {name: day(1)}

    def test_only_names_with_a_suffix_asked_for_are_read(self, repository) -> None:
        for name in ("a.md", "b.MD", "c.markdown", "d.txt", "e.amd", ".md", "f.map", "g.mk", "h.mdb", "i.md.bak"):
            repository.add(name, body(name))
        repository.commit(day=1)
        assert recorded(repository).keys() == {"a.md", "b.MD", "c.markdown", ".md"}
        assert recorded(repository, suffixes=(".txt",)).keys() == {"d.txt"}

    def test_a_memo_renamed_from_another_kind_of_file_is_recorded_when_it_became_one(self, repository) -> None:
        for name in ("a.map", "b.txt"):
            repository.add(name, body(name))
        repository.commit(day=1)
        repository.git("mv", "a.map", "a.md")
        repository.git("mv", "b.txt", "b.md")
        repository.commit(day=2)
        assert recorded(repository) == {"a.md": day(2), "b.md": day(2)}

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("log.showRoot", "false"),
            ("log.follow", "true"),
            ("log.showSignature", "true"),
            ("log.diffMerges", "off"),
            ("diff.renames", "false"),
            ("color.ui", "always"),
            ("format.pretty", "fuller"),
        ],
    )
    def test_the_users_settings_change_nothing(self, repository, name: str, value: str) -> None:
        repository.git("config", name, value)
        repository.add("a.md", body("a"))
        repository.commit(day=1)
        repository.git("checkout", "-q", "-b", "other")
        repository.git("mv", "a.md", "b.md")
        repository.add("c.md", body("c"))
        repository.commit(day=2)
        repository.git("checkout", "-q", "main")
        repository.git("merge", "-q", "--no-ff", "--no-edit", "other", **repository.dated(3))
        assert recorded(repository) == {"b.md": day(1), "c.md": day(3)}


class TestFirstParentLine:
    def test_a_merge_brings_in_at_its_own_date(self, repository) -> None:
        repository.commit(day=1)
        repository.git("checkout", "-q", "-b", "other")
        repository.add("a.md", body("a"))
        repository.commit(day=2)
        repository.git("checkout", "-q", "main")
        repository.add("b.md", body("b"))
        repository.commit(day=3)
        repository.git("merge", "-q", "--no-edit", "other", **repository.dated(7))
        assert recorded(repository) == {"a.md": day(7), "b.md": day(3)}
        # Seen from the branch itself, it was there earlier.
        assert recorded(repository, rev="other") == {"a.md": day(2)}

    def test_a_branch_that_was_fast_forwarded_keeps_its_dates(self, repository) -> None:
        repository.commit(day=1)
        repository.git("checkout", "-q", "-b", "other")
        repository.add("a.md", body("a"))
        repository.commit(day=2)
        repository.git("checkout", "-q", "main")
        repository.git("merge", "-q", "--ff-only", "other")
        assert recorded(repository) == {"a.md": day(2)}

    def test_a_rename_in_a_merged_branch_is_followed(self, repository) -> None:
        repository.add("a.md", body("a"))
        repository.commit(day=1)
        repository.git("checkout", "-q", "-b", "other")
        repository.git("mv", "a.md", "b.md")
        repository.commit(day=2)
        repository.git("checkout", "-q", "main")
        repository.commit(day=3)
        repository.git("merge", "-q", "--no-edit", "other", **repository.dated(4))
        assert recorded(repository) == {"b.md": day(1)}


class TestRoots:
    def test_paths_are_relative_to_a_root_below_the_top(self, repository) -> None:
        for path in ("a.md", "docs/b.md", "docs/in/c.md", "docs-2/d.md"):
            repository.add(path, body(path))
        repository.commit(day=1)
        repository.git("mv", "docs/b.md", "docs/e.md")
        repository.commit(day=2)
        assert recorded(repository, "docs") == {"e.md": day(1), "in/c.md": day(1)}

    def test_a_memo_moved_in_from_outside_is_recorded_when_it_came(self, repository) -> None:
        repository.add("a.md", body("a"))
        repository.add("docs/b.md", body("b"))
        repository.commit(day=1)
        repository.git("mv", "a.md", "docs/a.md")
        repository.commit(day=2)
        assert recorded(repository, "docs") == {"a.md": day(2), "b.md": day(1)}
        assert recorded(repository)["docs/a.md"] == day(1)

    @pytest.mark.parametrize("folder", ["do[c]s", "do*", "do?s", "back\\slash", ":odd", "Docs"])
    def test_a_folder_with_an_odd_name_is_taken_literally(self, repository, folder: str) -> None:
        repository.add(f"{folder}/a.md", body("a"))
        repository.add("docs/b.md", body("b"))
        repository.commit(day=1)
        assert recorded(repository, folder) == {"a.md": day(1)}


class TestWhereNothingIsKnown:
    def test_before_the_first_commit(self, repository) -> None:
        repository.add("a.md")
        found = history(repository)
        assert (found.head, found.recorded) == ("", {})

    def test_in_a_shallow_clone_even_with_a_cached_history(self, repository) -> None:
        repository.add("a.md")
        repository.commit(day=1)
        repository.commit(day=2)
        known = history(repository)
        found = history(repository.clone("shallow", "--depth=1"), known=known)
        assert (found.head, found.recorded) == ("", {})

    def test_once_no_longer_shallow_everything_is_read(self, repository) -> None:
        repository.add("a.md")
        repository.commit(day=1)
        repository.commit(day=2)
        shallow = repository.clone("shallow", "--depth=1")
        cached = History.from_json(history(shallow).to_json())
        shallow.git("fetch", "-q", "--unshallow")
        assert recorded(shallow, known=cached) == {"a.md": day(1)}

    def test_a_revision_that_is_none_is_said(self, repository) -> None:
        repository.commit()
        with pytest.raises(GitError):
            history(repository, rev="none")

    def test_a_partial_clone_still_follows_what_was_moved_unchanged(self, repository) -> None:
        repository.add("a.md", body("a"))
        repository.commit(day=1)
        repository.git("mv", "a.md", "b.md")
        repository.commit(day=2)
        repository.git("mv", "b.md", "c.md")
        repository.add("c.md", body("a") + "more\n")
        repository.commit(day=3)
        repository.git("mv", "c.md", "d.md")
        repository.commit(day=4)
        partial = repository.clone("partial", "--filter=blob:none", "--no-checkout")
        # The edit hides that c.md was b.md: its content is not here to compare.
        assert recorded(partial)["d.md"] == day(3)


class TestExtending:
    def test_a_known_history_of_the_same_head_is_given_back(self, repository, monkeypatch: pytest.MonkeyPatch) -> None:
        repository.add("a.md")
        repository.commit()
        git = repository.find()
        known = read_history(git, str(repository.path))
        monkeypatch.setattr(Git, "run_with_patterns", None)
        assert read_history(git, str(repository.path), known=known) is known

    def test_only_newer_commits_are_read(self, repository) -> None:
        repository.add("a.md", body("a"))
        repository.commit(day=1)
        first = history(repository)
        marked = History(first.head, {"a.md": day(-7), "gone.md": day(-8)}, first.scope)
        repository.add("gone.md", body("g"))
        repository.commit(day=2)
        repository.commit(day=3)
        assert recorded(repository, known=marked) == {"a.md": day(-7), "gone.md": day(-8)}

    @pytest.mark.parametrize("change", ["amended", "behind", "other-parent", "cleared", "other-root", "other-names"])
    def test_a_known_history_that_is_of_no_use_is_read_anew(self, repository, change: str) -> None:
        repository.add("docs/a.md", body("a"))
        repository.commit(day=1)
        known = history(repository, "docs")
        false = History(known.head, {"a.md": day(-9)}, known.scope)
        if change == "amended":
            repository.commit("--amend", day=5)
            expected = day(5)
        elif change == "behind":
            repository.commit(day=2)
            false = History(repository.git("rev-parse", "HEAD").strip(), false.recorded, known.scope)
            repository.git("reset", "-q", "--hard", "HEAD~")
            expected = day(1)
        elif change == "other-parent":
            # The known head is an ancestor by a second parent alone.
            repository.git("checkout", "-q", "-b", "other")
            repository.commit(day=2)
            false = History(repository.git("rev-parse", "HEAD").strip(), false.recorded, known.scope)
            repository.git("checkout", "-q", "main")
            repository.commit(day=3)
            repository.git("merge", "-q", "--no-edit", "other", **repository.dated(4))
            repository.commit(day=5)
            expected = day(1)
        elif change == "cleared":
            false = History("1" * 40, false.recorded, known.scope)
            expected = day(1)
        elif change == "other-root":
            false = History(known.head, false.recorded, history(repository).scope)
            expected = day(1)
        else:
            false = History(known.head, false.recorded, history(repository, "docs", suffixes=(".txt",)).scope)
            expected = day(1)
        assert recorded(repository, "docs", known=false) == {"a.md": expected}

    def test_an_extended_history_equals_one_read_anew(self, repository, rounds: int) -> None:
        for seed in range(rounds):
            random_walk(repository, random.Random(seed))


def random_walk(repository, choose: random.Random) -> None:
    """Random commits, branches and merges; after some, the history is extended, and compared with one read anew."""
    known: History | None = None
    for step in range(40):
        random_change(repository, choose)
        repository.commit(day=choose.randrange(1000))
        if choose.random() < 0.2:
            repository.git("checkout", "-q", "-b", f"branch-{choose.random()}")
            random_change(repository, choose)
            repository.commit(day=choose.randrange(1000))
            repository.git("checkout", "-q", "-")
            repository.commit(day=choose.randrange(1000))
            repository.git("merge", "-q", "--no-edit", "@{-1}", **repository.dated(choose.randrange(1000)))
        if choose.random() < 0.4:
            known = history(repository, known=known)
            known = History.from_json(json.loads(json.dumps(known.to_json())))
            assert known == history(repository), f"after step {step}"


def random_change(repository, choose: random.Random) -> None:
    present = repository.git("ls-files", "-z").split("\0")[:-1]
    for _ in range(choose.randrange(1, 4)):
        kind = choose.choice(["add", "add", "edit", "delete", "rename", "rename"])
        path = f"{choose.choice(['', 'docs/'])}{choose.choice('abcdefgh')}.md"
        if kind == "add":
            repository.add(path, body(str(choose.random())))
            present.append(path)
        elif present:
            old = choose.choice(present)
            if kind == "edit":
                repository.add(old, (repository.path / old).read_text() + "more\n")
            elif kind == "delete":
                repository.git("rm", "-qf", old)
                present = [name for name in present if name != old]
            elif path not in present:
                (repository.path / path).parent.mkdir(exist_ok=True)
                repository.git("mv", old, path)
                present = [path if name == old else name for name in present]


class TestJson:
    def test_it_survives_the_way_through_a_cache(self, repository) -> None:
        repository.add(os.fsdecode(b"caf\xe9.md"))
        repository.add("two\nlines.md")
        repository.commit(day=1)
        found = history(repository)
        assert History.from_json(json.loads(json.dumps(found.to_json()))) == found

    @pytest.mark.parametrize(
        "data",
        [
            pytest.param(None, id="nothing"),
            pytest.param([], id="a-list"),
            pytest.param({}, id="no-version"),
            pytest.param({"version": 2, "head": "", "scope": "", "recorded": {}}, id="another-version"),
            pytest.param({"version": 1, "scope": "", "recorded": {}}, id="no-head"),
            pytest.param({"version": 1, "head": 1, "scope": "", "recorded": {}}, id="a-number-for-head"),
            pytest.param({"version": 1, "head": "", "recorded": {}}, id="no-scope"),
            pytest.param({"version": 1, "head": "", "scope": "", "recorded": []}, id="a-list-for-times"),
            pytest.param({"version": 1, "head": "", "scope": "", "recorded": {"a": "1"}}, id="a-text-for-a-time"),
            pytest.param({"version": 1, "head": "", "scope": "", "recorded": {"a": True}}, id="a-truth-for-a-time"),
            pytest.param({"version": 1, "head": "", "scope": "", "recorded": {"a": 1.5}}, id="a-fraction"),
            pytest.param({"version": 1, "head": "", "scope": "", "recorded": {"a": -1}}, id="before-1970"),
            pytest.param({"version": 1, "head": "", "scope": "", "recorded": {"a": 10**15}}, id="after-9999"),
        ],
    )
    def test_anything_malformed_is_a_value_error(self, data: object) -> None:
        with pytest.raises(ValueError, match=r"."):
            History.from_json(data)


def test_a_commit_dated_beyond_the_calendar_is_recorded_at_its_end(repository, tmp_path: Path) -> None:
    repository.add("a.md")
    tree = repository.git("write-tree").strip()
    raw = tmp_path / "commit"
    raw.write_text(f"tree {tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 999999999999999 +0000\n\nx\n")
    commit = repository.git("hash-object", "-t", "commit", "-w", "--literally", str(raw)).strip()
    repository.git("update-ref", "HEAD", commit)
    assert recorded(repository) == {"a.md": datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)}
