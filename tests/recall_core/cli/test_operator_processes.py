"""Real processes on a server of their own: from nothing to an answer, and the exit status of each step."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PROGRAM = "from recall_lint.cli.main import main; main()"

Done = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("operator")


@pytest.fixture(scope="module")
def start(place: Path) -> Iterator[Callable[..., Done]]:
    """Runs `recall` in `place`; the server that the first run starts is stopped in the end."""
    keep = ("PATH", "LANG", "TMPDIR", "SYSTEMROOT")
    environment = {
        **{name: os.environ[name] for name in keep if name in os.environ},
        "HOME": str(place),
        "GIT_CEILING_DIRECTORIES": str(place.parent),
        "RECALL_DATA_DIR": str(place / "data"),
        "RECALL_CACHE_DIR": str(place / "cache"),
        "RECALL_EMBEDDER": "hash:64",
    }

    def start(*arguments: str, **more: str) -> Done:
        return subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=place,
            env={**environment, **more},
            capture_output=True,
            text=True,
            check=False,
        )

    yield start
    start("db", "stop")


@pytest.fixture(scope="module")
def demo(start: Callable[..., Done]) -> Done:
    return start("demo")


def test_one_command_leads_from_nothing_to_an_answer(demo: Done, place: Path) -> None:
    assert demo.returncode == 0, demo.stderr
    assert "replaced by decisions/backup-retention-2026.md" in demo.stdout
    assert "refused: INDEX_NOT_READY" in demo.stdout
    assert "Traceback" not in demo.stderr
    assert {each.name for each in place.iterdir()} <= {"cache", "data"}  # nothing was made elsewhere


def test_a_search_exits_0_answered_1_abstained_and_3_refused(demo: Done, start: Callable[..., Done]) -> None:
    asked = ("--tenant", "demo", "search", "who is paged at night", "--format", "json")
    strict = start(*asked)
    assert strict.returncode == 0, strict.stderr
    found = json.loads(strict.stdout)
    assert (found["trust_state"], found["calibrated"]) == ("trusted", True)
    assert found["hits"][0]["provenance"]["path"] == "runbooks/paging.md"
    abstained = start(*asked[:3], "zebra xylophone quartz", "--format", "json")
    assert (abstained.returncode, json.loads(abstained.stdout)["abstained"]) == (1, True)
    refused = start(*asked, "--embedder", "hash:32")
    assert (refused.returncode, json.loads(refused.stdout)["failure_code"]) == (3, "LINEAGE_MISMATCH")
    development = start(*asked, "--embedder", "hash:32", RECALL_TRUST_MODE="development")
    assert development.returncode == 0, development.stderr
    assert json.loads(development.stdout)["trust_state"] == "degraded"


def test_an_index_exits_0_1_and_2(demo: Done, start: Callable[..., Done], place: Path) -> None:
    memos = place / "mine"
    memos.mkdir()
    try:
        (memos / "recall.toml").write_text('tenant = "mine"\n')
        (memos / "a.md").write_text("# A\n\nsome text\n")
        assert start("index", "mine").returncode == 0
        unchanged = start("index", "mine")
        assert (unchanged.returncode, "nothing changed" in unchanged.stdout) == (0, True)
        (memos / "bad.md").write_text("---\nvalid_from: soon\n---\n")
        broken = start("index", "mine")
        assert (broken.returncode, "bad.md:2: left out" in broken.stdout) == (1, True)
        assert start("index", "mine", "--tenant", "demo").returncode == 2  # another root
        assert start("index", "nowhere").returncode == 2
    finally:
        for each in memos.iterdir():
            each.unlink()
        memos.rmdir()


def test_forget_exits_1_until_it_is_done(demo: Done, start: Callable[..., Done]) -> None:
    asked = ("forget", "decisions/winter-freeze.md", "--tenant", "demo")
    assert start(*asked).returncode == 1
    done = start(*asked, "--yes")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "forgotten: decisions/winter-freeze.md")
    assert "Git history still holds the file" in done.stderr
    found = start(
        "search", "deployed between 15 December and 6 January", "--tenant", "demo", RECALL_TRUST_MODE="development"
    )
    assert "winter-freeze" not in found.stdout


def test_a_server_that_is_not_there_is_a_refusal(start: Callable[..., Done]) -> None:
    found = start("search", "anything", "--format", "json", "--serving-dsn", "host=127.0.0.1 port=1 user=me dbname=d")
    assert (found.returncode, json.loads(found.stdout)["failure_code"]) == (3, "DEPENDENCY_UNAVAILABLE")


def test_help_imports_no_driver_no_numbers_and_no_model(place: Path) -> None:
    for command in ([], ["search"], ["index"], ["generation"], ["forget"], ["demo"], ["calibrate"], ["calibration"]):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-c", PROGRAM, *command, "--help"],
            capture_output=True,
            text=True,
            check=True,
        )
        names = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
        assert not names & {"numpy", "psycopg", "rich", "onnxruntime", "sqlite3"}, command


def test_an_edge_that_check_wrote_is_seen_by_lint_and_search(start: Callable[..., Done], place: Path) -> None:
    # K13: after apply, lint and search see the edge.
    memos = place / "edges"
    memos.mkdir()
    try:
        (memos / "recall.toml").write_text('tenant = "edges"\n')
        (memos / "old.md").write_text("# Old limits\n\nThe limit is forty requests a second.\n")
        (memos / "new.md").write_text("---\ntitle: New limits\n---\nThis memo supersedes [[old]]: sixty requests.\n")
        named = ("--config", "edges/recall.toml")

        def ask() -> dict[str, list[str]]:
            assert start("index", "edges", "--promote", RECALL_TRUST_MODE="development").returncode == 0
            asked = ("search", "limit of requests a second", "--format", "json", *named)
            found = json.loads(start(*asked, RECALL_TRUST_MODE="development").stdout)
            return {hit["provenance"]["path"]: hit["validity"]["superseded_by"] for hit in found["hits"]}

        assert ask() == {"old.md": [], "new.md": []}
        accepted = start("check", "edges/new.md", "--accept", "old", *named)
        assert "supersedes: old" in (memos / "new.md").read_text(), accepted.stderr
        assert start("lint", *named).returncode == 0
        assert ask() == {"old.md": ["new.md"], "new.md": []}
    finally:
        for each in memos.iterdir():
            each.unlink()
        memos.rmdir()


def test_the_server_and_its_tables_are_looked_at_and_stopped(start: Callable[..., Done], place: Path) -> None:
    # The last test of this file: the server is stopped and started again by whoever needs it.
    assert "runs as process" in start("db", "start").stdout
    assert start("db", "status").returncode == 0
    assert start("db", "path").stdout.strip().startswith(("/", str(place)))
    applied = start("schema", "apply")
    assert (applied.returncode, "the tables are those that the migrations made" in applied.stdout) == (0, True)
    assert start("schema", "status").returncode == 0
    plan = start("schema", "plan")
    assert (plan.stdout, "nothing is pending" in plan.stderr) == ("", True)
    assert "GRANT USAGE ON SCHEMA recall TO" in start("schema", "grants").stdout
    assert 'TO "other"' in start("schema", "grants", "--role", "other").stdout
    lonely = start("schema", "status", "--serving-dsn", "host=/nowhere user=x")
    assert (lonely.returncode, "--migration-dsn" in lonely.stderr) == (2, True)
    secret = start("schema", "status", "--migration-dsn", "postgresql://me:s3cr3tword@localhost:1/x")
    assert (secret.returncode, "s3cr3tword" in secret.stderr + secret.stdout) == (2, False)
    assert start("db", "stop").stdout == "stopped\n"
    assert start("db", "status").returncode == 1
    assert start("db", "stop").stdout == "it did not run\n"
