"""The calibration commands over a store in memory: verdicts, exit statuses, files, and what is refused."""

import json
import stat

import pytest

from recall_core.calibration.artifact import State
from recall_core.generation.states import State as GenerationState

THINGS = [
    "backups", "paging", "limits", "invoices", "tokens", "queues", "secrets", "exports", "uploads", "reports",
    "cookies", "sessions", "webhooks", "retries", "migrations", "replicas", "dashboards", "alerts", "budgets", "rotas",
    "audits", "releases", "branches", "licences",
]  # fmt: skip


def label(answerable: int = 24, unanswerable: int = 24) -> list[dict]:
    """Questions in the words of one memo each, and questions that share no word with any."""
    return [
        *({"query": f"{thing} {thing}keeper", "answerable": True} for thing in THINGS[:answerable]),
        *({"query": f"zebra{number} giraffe{number}", "answerable": False} for number in range(unanswerable)),
    ]


@pytest.fixture
def embedder(make_embedder):
    return make_embedder(4096)  # wide enough that no two words meet


@pytest.fixture
def indexed(memos, recall, store):
    """A ready generation of a memo for each thing."""
    for thing in THINGS:
        memos.write(f"{thing}.md", f"# {thing}\n\n{thing} {thing}keeper\n")
    assert recall("index").status == 0
    (generation,) = store.generations("default")
    return generation


@pytest.fixture
def labels(memos):
    def write(rows: list[dict], name: str = "labels.json") -> str:
        memos.write(name, json.dumps(rows))
        return name

    return write


def all_of(store, tenant: str = "default"):
    return store.calibrations.calibrations(tenant)


def actions(store) -> list[tuple[str, str]]:
    found = store.calibrations.events("default")
    return [(each.action, each.actor) for each in found if each.action.startswith("calibration_")]


def test_a_measurement_ends_in_a_verdict_and_the_next_command(indexed, recall, store, labels):  # H3
    result = recall("calibrate", "--queries", labels(label()))
    assert (result.status, result.err) == (0, "")
    (stored,) = all_of(store)
    assert stored.state is State.DRAFT
    lines = result.out.splitlines()
    assert lines[0] == f"measured 24 answerable labels and 24 unanswerable on {indexed.id}, rule midgap"
    assert lines[1].startswith(f"{stored.id}: certified: the classes are apart")
    assert "of unanswerable questions are answered (1 of 24 here)" in lines[2]
    assert "would prove at most 5.0 %" in result.out
    assert lines[-1] == f"next: recall calibration publish {stored.id}"


def test_publishing_stores_first_and_is_asked_for(indexed, recall, store, labels, conforms):  # H3, H13
    result = recall(
        "--actor", "ada", "calibration", "calibrate", "--queries", labels(label()), "--publish", "--format", "json"
    )
    assert result.status == 0
    assert conforms(result.json, "calibrate")
    assert result.json["calibration"]["state"] == "published"
    assert actions(store) == [("calibration_created", "ada"), ("calibration_published", "ada")]


def test_a_failed_certification_is_kept_and_cannot_be_published(indexed, recall, store, labels, conforms):  # H2
    result = recall("calibrate", "--queries", labels(label(5, 5)), "--publish")
    assert result.status == 1
    assert "not certified: 5 answerable and 5 unanswerable queries are too few" in result.out
    assert "better: 15 more answerable labels and 15 more unanswerable labels" in result.out
    assert "not published: " in result.out
    (stored,) = all_of(store)
    assert stored.state is State.REJECTED
    refused = recall("calibration", "publish", stored.id)
    assert refused.status == 2
    assert "was rejected" in refused.err
    as_json = recall("calibrate", "--queries", labels(label(5, 5)), "--publish", "--format", "json")
    assert as_json.status == 1
    assert conforms(as_json.json, "calibrate")
    assert as_json.json["declined"]["message"]


def test_labels_of_one_class_are_said_to_be_no_evidence(indexed, recall, labels):  # E5
    result = recall("calibrate", "--queries", labels(label(24, 0)))
    assert result.status == 1
    assert "no unanswerable queries" in result.out


def test_a_rule_that_the_labels_cannot_carry_stores_nothing(indexed, recall, store, labels, conforms):
    result = recall("calibrate", "--queries", labels(label()), "--rule", "bounded:0.05,0.10", "--format", "json")
    assert result.status == 1
    assert conforms(result.json, "calibrate")
    assert (result.json["calibration"], result.json["shortfall"]) == (None, {"needed": 45, "missing": 21})
    assert all_of(store) == []
    words = recall("calibrate", "--queries", labels(label()), "--rule", "bounded:0.05,0.10")
    assert "not certifiable: this target needs at least 45" in words.out
    assert recall("calibrate", "--queries", labels(label()), "--rule", "strictly").status == 2


def test_a_draft_is_published_by_the_beginning_of_its_id(indexed, recall, store, labels):  # H15
    recall("calibrate", "--queries", labels(label()))
    (stored,) = all_of(store)
    result = recall("calibration", "publish", stored.id[:9])
    assert (result.status, result.out) == (
        0,
        f"{stored.id} is published: searches of {indexed.id} are judged by it\n",
    )
    assert all_of(store)[0].state is State.PUBLISHED
    assert recall("calibration", "publish", "cal_nothing").status == 2


def test_lists_and_shows(indexed, recall, store, labels, conforms):
    assert "no calibration yet" in recall("calibration", "list").out
    recall("calibrate", "--queries", labels(label()))
    recall("calibrate", "--queries", labels(label(5, 5)))
    listed = recall("calibration", "list")
    assert [line.split()[0] for line in listed.out.splitlines()] == ["rejected", "draft"]
    as_json = recall("calibration", "list", "--generation", indexed.id, "--format", "json")
    assert conforms(as_json.json, "calibration")
    assert len(as_json.json["calibrations"]) == 2
    shown = recall("calibration", "show", all_of(store)[1].id)
    assert "promise: at a threshold of " in shown.out
    assert f"generation: {indexed.id}" in shown.out
    assert conforms(recall("calibration", "show", all_of(store)[1].id, "--format", "json").json, "calibration")


def test_an_export_is_private_and_goes_in_again_unpublished(indexed, recall, store, labels, *, memos, conforms):  # H5
    recall("calibrate", "--queries", labels(label()), "--publish")
    (stored,) = all_of(store)
    assert recall("calibration", "export", stored.id, "--output", "out.json").status == 0
    path = memos.path / "out.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert recall("calibration", "export", stored.id).out == path.read_text()
    store.calibrations._open("default").kept.calibrations.clear()  # as on a store that was set up anew
    result = recall("calibration", "import", "out.json", "--format", "json")
    assert result.status == 0
    assert conforms(result.json, "calibration")
    assert (result.json["calibrations"][0]["state"], result.json["calibrations"][0]["origin"]) == ("draft", "imported")
    changed = path.read_text().replace("zebra1 ", "zebra0 ", 1)
    path.write_text(changed)
    refused = recall("calibration", "import", "out.json")
    assert refused.status == 2
    assert "changed" in refused.err
    other = recall("--tenant", "other", "calibration", "import", "out.json")
    assert other.status == 2


def test_an_export_of_another_tenant_is_refused(indexed, recall, store, labels):  # H6
    recall("calibrate", "--queries", labels(label()))
    recall("calibration", "export", all_of(store)[0].id, "--output", "out.json")
    refused = recall("--tenant", "other", "calibration", "import", "out.json")
    assert refused.status == 2
    assert all_of(store, "other") == []


def test_a_file_of_the_former_format_is_kept_and_never_selected(indexed, recall, store, memos):  # H7
    memos.write("calibration.json", json.dumps({"embedder": "stand-in", "threshold": 0.4, "scale": 0.05}))
    result = recall("calibration", "import", "calibration.json")
    assert result.status == 0
    (stored,) = all_of(store)
    assert stored.state is State.LEGACY_UNBOUND
    assert "bound to nothing" in result.out
    assert recall("calibration", "publish", stored.id).status == 2
    assert recall("calibration", "export", stored.id).out == (memos.path / "calibration.json").read_text()
    assert recall("calibration", "report", stored.id, "--output", "page.html").status == 2
    assert "no certified calibration" in recall("generation", "promote", indexed.id).err


def test_drift_of_nothing_is_unknown(indexed, recall, conforms, development):  # H16
    recall("generation", "promote", indexed.id)
    result = recall("calibration", "drift", "--format", "json")
    assert result.status == 0
    assert conforms(result.json, "drift")
    assert result.json["finding"] == "unknown"


def test_drift_exits_1_once_the_certificate_no_longer_holds(indexed, recall, store, labels, *, memos, conforms):  # H16
    recall("calibrate", "--queries", labels(label()), "--publish")
    assert recall("generation", "promote", indexed.id).status == 0
    stable = recall("calibration", "drift")
    assert (stable.status, stable.out.splitlines()[0].split(":")[0]) == (0, "stable")
    for number in range(24):  # now the corpus answers what was unanswerable
        memos.write(f"z{number}.md", f"# zebra{number}\n\nzebra{number} giraffe{number}\n")
    recall("index")
    newest = store.generations("default")[0]
    drifted = recall("calibration", "drift", "--generation", newest.id, "--format", "json")
    assert drifted.status == 1
    assert conforms(drifted.json, "drift")
    assert (drifted.json["finding"], drifted.json["certified"]) == ("drifted", False)
    assert drifted.json["unanswerable_change"] > 0.5
    words = recall("calibration", "drift", "--generation", newest.id)
    assert f"next: recall calibrate --generation {newest.id} --query-set published --publish" in words.out


def test_a_report_is_private_and_drawn_from_the_newest(indexed, recall, store, labels, memos):
    recall("calibrate", "--queries", labels(label()))
    (stored,) = all_of(store)
    result = recall("calibration", "report", "--output", "page.html")
    assert (result.status, result.out) == (0, "")
    assert f"{stored.id} is drawn in page.html" in result.err
    assert "<!doctype html>" in (memos.path / "page.html").read_text()
    assert stat.S_IMODE((memos.path / "page.html").stat().st_mode) == 0o600
    assert recall("calibration", "report", stored.id, "--output", "charts.SVG").status == 0
    assert (memos.path / "charts.SVG").read_text().startswith("<svg ")
    assert recall("calibration", "report", "--output", "no/such/folder/page.html").status == 2


def test_suggest_writes_drafts_once_and_calibrate_uses_the_accepted_ones(indexed, recall, store, memos):
    result = recall("calibration", "suggest", "--output", "drafts.json", "--drafts", "30")
    assert result.status == 0
    path = memos.path / "drafts.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = recall("calibration", "suggest", "--output", "drafts.json")
    assert again.status == 2
    assert "may hold your work" in again.err
    assert recall("calibrate", "--queries", "drafts.json").status == 2
    rows = json.loads(path.read_text())
    for row in rows[:-2]:
        row["accepted"] = True
    path.write_text(json.dumps(rows))
    measured = recall("calibrate", "--queries", "drafts.json", "--format", "json")
    assert measured.json["drafts_waiting"] == 2
    artifact = measured.json["calibration"]["artifact"]
    assert artifact["answerable"] + artifact["unanswerable"] == len(rows) - 2


def test_a_withheld_memo_is_not_found_by_the_query_it_answers(indexed, recall, store, labels):
    rows = label()
    rows[-1] = {"query": "backups backupskeeper?", "answerable": False, "relevant_ids": ["backups.md"], "kind": "mid"}
    assert recall("calibrate", "--queries", labels(rows)).status == 0
    (stored,) = all_of(store)
    (withheld,) = (each for each in stored.artifact.samples if each.kind is not None)
    assert withheld.cosine < 0.1
    rows[-1]["relevant_ids"] = ["gone.md"]
    assert "`gone.md`" in recall("calibrate", "--queries", labels(rows)).err


def test_the_embedder_must_be_the_generations_and_make_vectors(
    indexed, recall, labels, *, make_embedder, monkeypatch
):  # H11
    from recall_core import wiring

    file = labels(label())
    monkeypatch.setattr(wiring, "open_embedder", lambda *_, **__: make_embedder(64, "another"))
    refused = recall("calibrate", "--queries", file)
    assert (refused.status, "not comparable" in refused.err) == (2, True)
    monkeypatch.setattr(wiring, "open_embedder", lambda *_, **__: make_embedder(0, "none"))
    recall("index")
    without = recall("calibrate", "--queries", file)
    assert (without.status, "`recall index --embedder local`" in without.err) == (2, True)


def test_a_generation_whose_rows_are_gone_is_refused(indexed, recall, labels):  # H11
    file = labels(label())
    assert recall("generation", "retire", indexed.id).status == 0
    refused = recall("calibrate", "--queries", file, "--generation", indexed.id)
    assert refused.status == 2
    assert recall("calibrate", "--queries", file).status == 2  # nothing is ready or active


@pytest.mark.parametrize("given", [(), ("--queries", "a", "--query-set", "published")], ids=["neither", "both"])
def test_labels_come_from_one_place(indexed, recall, given):
    assert recall("calibrate", *given).status == 2


def test_stored_labels_are_measured_again_by_digest_and_by_name(indexed, recall, store, labels, memos):  # H8
    assert recall("calibrate", "--query-set", "published").status == 2
    recall("calibrate", "--queries", labels(label()), "--publish", "--rule", "conformal:0.05")
    (first,) = all_of(store)
    memos.write("more.md", "# more\n\nmore of it\n")
    recall("index")
    newest = store.generations("default")[0]
    again = recall("calibrate", "--query-set", "published", "--format", "json")
    assert again.status == 0
    assert (again.json["generation_id"], again.json["rule"]) == (newest.id, "conformal:0.05")
    digest = first.artifact.query_set_digest
    for asked in (digest, digest.removeprefix("sha256:")[:12]):
        assert recall("calibrate", "--query-set", asked).status == 0
    assert recall("calibrate", "--query-set", "sha256:ffff").status == 2


# What `recall index --promote` does with labels that were published before.


@pytest.fixture
def served(indexed, recall, labels):
    assert recall("calibrate", "--queries", labels(label()), "--publish").status == 0
    assert recall("generation", "promote", indexed.id).status == 0
    return indexed


def test_an_index_is_measured_again_published_and_promoted(served, recall, store, memos, conforms):  # H8, I11
    memos.write("more.md", "# more\n\nmore of it\n")
    result = recall("index", "--promote", "--format", "json")
    assert result.status == 0, result.err
    assert conforms(result.json, "index")
    active = store.active("default")
    assert active.id != served.id
    assert result.json["generation"]["state"] == "active"
    (published,) = (each for each in all_of(store) if each.generation == active.id)
    assert (published.state, published.id) == (State.PUBLISHED, result.json["calibration_id"])
    unchanged = recall("index", "--promote")
    assert (unchanged.status, "measured again" in unchanged.out) == (0, False)


def test_an_index_that_does_not_certify_stays_ready_and_says_what_to_type(served, recall, store, memos):  # I11
    for number in range(24):
        memos.write(f"z{number}.md", f"# zebra{number}\n\nzebra{number} giraffe{number}\n")
    result = recall("index", "--promote")
    assert result.status == 1
    newest = store.generations("default")[0]
    assert newest.state is GenerationState.READY
    assert store.active("default").id == served.id
    assert "does not certify: the classes overlap" in result.out
    assert f"`recall calibrate --generation {newest.id} --queries FILE --publish`" in result.out
    assert all_of(store)[0].state is State.REJECTED


def test_a_memo_that_labels_name_and_the_corpus_lost_is_said(indexed, recall, labels, memos):
    rows = [{**row, "relevant_ids": [f"{row['query'].split()[0]}.md"]} if row["answerable"] else row for row in label()]
    assert recall("calibrate", "--queries", labels(rows), "--publish").status == 0
    (memos.path / "rotas.md").rename(memos.path / "rota.md")
    result = recall("index", "--promote")
    assert result.status == 0
    assert "the labels name memos that the generation does not have: `rotas.md`" in result.err


def test_in_development_what_does_not_certify_is_served_and_said(served, recall, store, memos, development):  # I11
    for number in range(24):
        memos.write(f"z{number}.md", f"# zebra{number}\n\nzebra{number} giraffe{number}\n")
    result = recall("index", "--promote")
    assert result.status == 0
    assert "served all the same" in result.err
    assert store.active("default").id != served.id


def test_other_labels_can_be_named_for_a_promotion(served, recall, store, labels, memos):
    recall("calibrate", "--queries", labels(label(20, 24), "other.json"))
    digest = all_of(store)[0].artifact.query_set_digest
    memos.write("more.md", "# more\n\nmore of it\n")
    assert recall("index", "--promote", "--query-set", digest).status == 0
    (published,) = (each for each in all_of(store) if each.generation == store.active("default").id)
    assert published.artifact.query_set_digest == digest
    assert recall("index", "--query-set", digest).status == 2  # without --promote
    assert recall("index", "--promote", "--query-set", "sha256:ffff").status == 2


def test_forgetting_makes_it_stale_and_promoting_again_mends_it(indexed, recall, store, labels, memos):  # H9
    memos.write("extra.md", "# extra\n\nnobody asks for it\n")
    recall("index")
    recall("calibrate", "--queries", labels(label()))
    recall("calibrate", "--queries", labels(label()), "--publish", "--rule", "conformal:0.05")
    published, draft = all_of(store)
    assert recall("index", "--promote").status == 0
    assert recall("forget", "extra.md", "--yes").status == 0
    assert recall("calibration", "drift").status == 0
    stale = recall("calibration", "publish", draft.id)
    assert (stale.status, "the corpus has changed" in stale.err) == (2, True)
    mended = recall("index", "--promote", "--format", "json")
    assert mended.status == 0
    assert mended.json["generation"]["id"] == published.generation == store.active("default").id
    assert mended.json["calibration_id"] not in (None, published.id)
    assert all_of(store)[0].state is State.PUBLISHED
    assert [each.state for each in all_of(store) if each.id == published.id] == [State.SUPERSEDED]
