"""Real processes on a server of their own: from labels to what is served, and on to the next index."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PROGRAM = "from recall_lint.cli.main import main; main()"

Done = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("calibration")
    for number in range(24):
        (place / f"memo{number}.md").write_text(f"# topic{number}\n\ntopic{number} detail{number}\n")
    rows = [
        *({"query": f"topic{number} detail{number}", "answerable": True} for number in range(24)),
        *({"query": f"zebra{number} giraffe{number}", "answerable": False} for number in range(24)),
    ]
    (place / "labels.json").write_text(json.dumps(rows))
    return place


@pytest.fixture(scope="module")
def start(place: Path) -> Iterator[Callable[..., Done]]:
    """Runs `recall` in `place`; the server that the first run starts is stopped in the end."""
    keep = ("PATH", "LANG", "TMPDIR", "SYSTEMROOT")
    environment = {
        **{name: os.environ[name] for name in keep if name in os.environ},
        "HOME": str(place),
        "GIT_CEILING_DIRECTORIES": str(place.parent),
        "RECALL_DATA_DIR": str(place / ".data"),
        "RECALL_CACHE_DIR": str(place / ".cache"),
        "RECALL_EMBEDDER": "hash:2048",
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
def published(start: Callable[..., Done]) -> dict:
    """What `calibrate --publish` says of a first index, which is served then."""
    built = start("index", "--promote", "--format", "json")
    assert built.returncode == 1, built.stderr  # strict mode serves nothing without a calibration
    assert "no certified calibration" in json.loads(built.stdout)["declined"]["message"]
    done = start("--actor", "ada", "calibrate", "--queries", "labels.json", "--publish", "--format", "json")
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    promoted = start("generation", "promote", value["generation_id"])
    assert promoted.returncode == 0, promoted.stderr
    return value


def test_what_was_measured_is_listed_drawn_and_held_against_today(
    published: dict, start: Callable[..., Done], place: Path
) -> None:  # H16
    name = published["calibration"]["id"]
    assert published["calibration"]["stored_by"] == "ada"
    listed = start("calibration", "list")
    assert listed.stdout.split()[:2] == ["published", name]
    assert start("calibration", "drift").stdout.startswith("stable: ")
    assert start("calibration", "report", "--output", "page.html").returncode == 0
    assert stat.S_IMODE((place / "page.html").stat().st_mode) == 0o600


def test_a_strict_search_answers_and_abstains_by_what_was_published(
    published: dict, start: Callable[..., Done]
) -> None:
    found = start("search", "topic7 detail7", "--format", "json")
    assert found.returncode == 0, found.stderr
    value = json.loads(found.stdout)
    assert (value["calibrated"], value["calibration_id"]) == (True, published["calibration"]["id"])
    assert value["hits"][0]["provenance"]["path"] == "memo7.md"
    unknown = start("search", "zebra3 giraffe3", "--format", "json")
    assert (unknown.returncode, json.loads(unknown.stdout)["abstained"]) == (1, True)


def test_an_export_is_the_same_in_every_time_zone_and_locale(
    published: dict, start: Callable[..., Done]
) -> None:  # H5, H12
    asked = ("calibration", "export", published["calibration"]["id"])
    plain = start(*asked)
    assert plain.returncode == 0, plain.stderr
    for around in ({"TZ": "Asia/Tokyo", "PGTZ": "America/New_York"}, {"LC_ALL": "C", "PYTHONHASHSEED": "1"}):
        assert start(*asked, **around).stdout == plain.stdout


def test_the_next_index_is_measured_again_and_served(published: dict, start: Callable[..., Done], place: Path) -> None:
    """H8, I11: and one that the published labels do not certify is not; what was served is served on."""
    (place / "more.md").write_text("# more\n\nmore of it\n")
    done = start("index", "--promote", "--format", "json")
    assert done.returncode == 0, done.stdout + done.stderr
    value = json.loads(done.stdout)
    assert (value["generation"]["state"], value["is_new"]) == ("active", True)
    assert value["calibration_id"] not in (None, published["calibration"]["id"])
    for number in range(24):
        (place / f"zebra{number}.md").write_text(f"# zebra{number}\n\nzebra{number} giraffe{number}\n")
    declined = start("index", "--promote", "--format", "json")
    refused = json.loads(declined.stdout)
    assert (declined.returncode, refused["generation"]["state"]) == (1, "ready")
    assert "does not certify" in refused["declined"]["message"]
    assert start("calibration", "drift", "--generation", refused["generation"]["id"]).returncode == 1
    active = start("generation", "list", "--format", "json")
    states = {each["id"]: each["state"] for each in json.loads(active.stdout)["generations"]}
    assert states[value["generation"]["id"]] == "active"


def test_a_query_whose_memo_is_withheld_scores_by_the_rest(start: Callable[..., Done], place: Path, published: dict):
    rows = json.loads((place / "labels.json").read_text())
    rows[-1] = {"query": "topic0 detail0?", "answerable": False, "relevant_ids": ["memo0.md"], "kind": "mid"}
    (place / "withheld.json").write_text(json.dumps(rows))
    generation = published["generation_id"]
    done = start("calibrate", "--queries", "withheld.json", "--generation", generation, "--format", "json")
    assert done.returncode == 0, done.stdout + done.stderr
    exported = json.loads(start("calibration", "export", json.loads(done.stdout)["calibration"]["id"]).stdout)
    (sample,) = (each for each in exported["artifact"]["samples"] if each["kind"] == "mid")
    assert sample["cosine"] < 0.5
