"""The awkward inputs, through `lint` and `status`. What is right stands in each case's `expect.md`.

`test_writing_cases.py` has those on prose and on what is written.
"""

import pytest

# Lines as `--format concise --verbose` prints them, up to the code.
FRONTMATTER = {
    "01-bom-crlf": [],
    # The look-alike block is a warning (RL109), which expect.md allows.
    "02-dashes-in-body": ["input.md:17:1: RL109"],
    # The block of b-tail never closes either.
    "04-bogus-closing-fence": ["a-suffix.md:1:1: RL101", "b-tail.md:1:1: RL101", "c-four-dashes.md:1:1: RL111"],
    "06-unclosed-or-rule-first": ["a-unclosed.md:1:1: RL101"],
    "08-impossible-date": [
        "a-month.md:3:14: RL105",
        "b-day.md:3:13: RL105",
        "c-zero.md:3:14: RL105",
        "d-extra-zero.md:3:14: RL105",
        "e-short.md:3:13: RL105",
        "f-order.md:4:14: RL106",
    ],
    # Four memos claim limits-v1 here: an info at the last of them, which the case was not made to show.
    "10-unquoted-wikilink": [
        "a-flow.md:3:13: RL110",
        "b-block.md:4:5: RL110",
        "c-quoted.md:3:13: RL205",
        "d-two-bare.md:3:26: RL102",
        "e-double-colon.md:3:1: RL104",
    ],
    # One closure, in the sentence outside all code.
    "12-links-in-code": ["input.md:26:12: RL301"],
    "13-suffix-is-not-ambiguity": [],
    "15-colon-in-value": ["at.md:3:8: RL102", "input.md:3:19: RL102"],
    "21-chain-and-conflict": [
        "d1.md:4:1: RL104",
        "d2.md:4:1: RL104",
        "d3.md:3:21: RL213",
        "e1.md:3:13: RL204",
        "self.md:3:13: RL203",
    ],
    "20-writer-fidelity": ["input.md:16:6: RL301"],
}
ERRORS = {"RL101", "RL102", "RL105", "RL106", "RL203", "RL204"}


@pytest.mark.parametrize("name", FRONTMATTER)
def test_a_frontmatter_case_gets_its_findings(project, recall, case, name):
    case("frontmatter", name)
    before = project.snapshot()
    result = recall("lint", "--format", "concise", "--verbose")
    found = [" ".join(line.split(" ")[:2]) for line in result.out.splitlines()]
    assert found == FRONTMATTER[name]
    assert result.status == int(any(line.split()[-1] in ERRORS for line in found))
    assert "Traceback" not in result.err
    assert project.snapshot() == before


def edges(recall) -> dict[str, list[str]]:
    memos = recall("status", "--format", "json").json["memos"]
    return {memo["path"]: memo["superseded_by"] for memo in memos if memo["superseded_by"]}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("01-bom-crlf", {"retry-v1.md": ["input.md"]}),
        ("02-dashes-in-body", {"alert-mail-v1.md": ["input.md"]}),
        ("04-bogus-closing-fence", {}),
        ("06-unclosed-or-rule-first", {}),
        (
            "10-unquoted-wikilink",
            {"limits-v1.md": ["a-flow.md", "b-block.md", "c-quoted.md"], "limits-v2.md": ["b-block.md"]},
        ),
        ("13-suffix-is-not-ambiguity", {"plan.md": ["input.md"]}),
        ("15-colon-in-value", {"rate-limits.md": ["hash.md"]}),
        (
            "21-chain-and-conflict",
            {"d1.md": ["d3.md"], "d2.md": ["d3.md"], "e1.md": ["e2.md"], "e2.md": ["e1.md"]},
        ),
        ("23-prose-is-not-a-declaration", {}),
    ],
)
def test_a_frontmatter_case_gets_its_edges(recall, case, name, expected):
    case("frontmatter", name)
    assert edges(recall) == expected


def test_01_positions_do_not_count_the_mark_and_fixes_keep_it(project, recall, case):
    case("frontmatter", "01-bom-crlf")
    project.write("input.md", project.read("input.md").replace(b"retry-v1.md", b"Retry-v1.md"))
    (found,) = recall.lint().json["diagnostics"]
    assert (found["line"], found["column"]) == (3, 13)
    recall.lint("--fix")
    fixed = project.read("input.md")
    assert fixed.startswith(b"\xef\xbb\xbf---\r\n")
    assert fixed.count(b"\r\n") == fixed.count(b"\n") == 7


def test_04_what_looks_like_a_fence_is_named(recall, case):
    case("frontmatter", "04-bogus-closing-fence")
    by_path = {each["path"]: each for each in recall.lint().json["diagnostics"]}
    assert by_path["a-suffix.md"]["related"][0]["line"] == 4
    assert "three dashes" in by_path["c-four-dashes.md"]["message"] + by_path["c-four-dashes.md"]["help"]
    assert by_path["c-four-dashes.md"]["severity"] == "warning"
    assert recall.verdicts()["a-suffix.md"] == "invalid_metadata"


def test_06_the_message_names_the_fence_that_is_missing(recall, case):
    case("frontmatter", "06-unclosed-or-rule-first")
    (found,) = recall.lint().json["diagnostics"]
    assert "never closed" in found["message"]
    assert "line 4" in found["message"] + found["help"]
    assert "supersedes: base.md" in found["message"] + found["help"]  # what is not applied is said


def test_06_no_fixer_touches_what_is_body(project, recall, case):
    case("frontmatter", "06-unclosed-or-rule-first")
    before = project.snapshot()
    recall.lint("--fix", "--unsafe-fixes")
    assert recall("fix", "--write").status == 0
    after = project.snapshot()
    assert {name: after[name] for name in ("b-rule-first.md", "c-two-rules.md")} == {
        name: before[name] for name in ("b-rule-first.md", "c-two-rules.md")
    }


def test_08_a_date_is_quoted_as_written_and_a_short_one_can_be_fixed(project, recall, case):
    case("frontmatter", "08-impossible-date")
    by_path = {each["path"]: each for each in recall.lint().json["diagnostics"]}
    for path, written in (
        ("a-month.md", "2026-13-01"),
        ("c-zero.md", "0000-00-00"),
        ("d-extra-zero.md", "2026-02-010"),
    ):
        assert written in by_path[path]["message"]
        assert by_path[path]["fix"] is None
    assert by_path["e-short.md"]["fix"]["applicability"] == "safe"
    assert by_path["f-order.md"]["related"][0]["line"] == 3
    verdicts = recall.verdicts()
    assert verdicts.pop("g-good.md") == "ok"
    assert set(verdicts.values()) == {"invalid_metadata"}


def test_10_what_to_write_is_said(project, recall, case):
    case("frontmatter", "10-unquoted-wikilink")
    declared = recall("check", "--format", "json", "b-block.md").json["memos"][0]["declared"]
    assert declared == ["limits-v1.md", "limits-v2.md"]  # in the order written
    by_path = {each["path"]: each for each in recall.lint().json["diagnostics"]}
    assert '["[[limits-v1]]", "[[limits-v2]]"]' in by_path["d-two-bare.md"]["help"]
    assert "supersedes" in by_path["e-double-colon.md"]["message"] + by_path["e-double-colon.md"]["help"]
    assert by_path["a-flow.md"]["fix"]["applicability"] == by_path["b-block.md"]["fix"]["applicability"] == "safe"
    recall.lint("--fix")
    assert b'supersedes: "[[limits-v1]]"\n' in project.read("a-flow.md")
    assert "RL110" not in str(recall.lint().codes)
    assert edges(recall)["limits-v1.md"] == ["a-flow.md", "b-block.md", "c-quoted.md"]


def test_15_the_place_is_that_of_the_file_and_the_cure_is_said(recall, case):
    case("frontmatter", "15-colon-in-value")
    by_path = {each["path"]: each for each in recall.lint().json["diagnostics"]}
    colon = by_path["input.md"]
    assert "quote" in colon["message"] + colon["help"]
    assert "supersedes: rate-limits.md" in colon["message"] + colon["help"]  # not applied until the error is gone
    assert '"@platform"' in by_path["at.md"]["help"]
    assert "  3 | title: Rate limits: second try\n" in recall("lint").out


def test_18_a_deleted_target_fails_the_commit_that_deletes_it(repository, recall, case):
    case("frontmatter", "18-deleted-target", "before")
    repository.commit()
    repository.git("rm", "-q", "base.md")
    result = recall.lint("--staged")
    assert (result.status, result.codes) == (1, ["next.md:3:13 RL201"])
    (found,) = result.json["diagnostics"]
    assert "base.md" in found["message"] + found["help"] + str(found["related"])
    assert "deleted" in found["message"] + found["help"] + str(found["related"])


def test_18_a_renamed_target_is_followed(repository, recall, case):
    case("frontmatter", "18-deleted-target", "before")
    repository.commit()
    repository.git("mv", "base.md", "base-2.md")
    result = recall.lint("--staged")
    assert (result.status, result.codes) == (1, ["next.md:3:13 RL201"])
    (found,) = result.json["diagnostics"]
    assert "base-2" in found["message"] + found["help"]
    assert found["fix"]["applicability"] == "safe"
    recall.lint("--fix")
    assert b"supersedes: base-2" in repository.read("next.md")


def test_21_a_cycle_and_a_short_cut_name_both_places(recall, case):
    case("frontmatter", "21-chain-and-conflict")
    found = recall.lint().json["diagnostics"]
    severity = {f"{each['path']} {each['code']}": each["severity"] for each in found}
    assert severity["d1.md RL104"] == severity["d2.md RL104"] == "info"  # their partner declares the edge
    assert severity["d3.md RL213"] == "warning"
    cycle = next(each for each in found if each["code"] == "RL204")
    assert [each["path"] for each in cycle["related"]] == ["e2.md"]
    short_cut = next(each for each in found if each["code"] == "RL213")
    assert [(each["path"], each["line"]) for each in short_cut["related"]] == [("d2.md", 3)]
    assert recall.verdicts()["self.md"] == "ok"


# Verdicts of the trust cases, as far as they need no score: by clock, by memo.
TRUST = [
    ("01-replaced-preference-both-returned", "2026-06-01", "drinks-2026-01.md superseded", "drinks-2026-05.md ok"),
    ("02-contradiction-must-not-erase", "2026-04-02", "guest14-a.md superseded", "guest14-b.md ok"),
    ("04-history-arrives-late", "2026-10-01", "coffee.md ok", "green-tea.md expired"),
    ("05-last-valid-day-is-inclusive", "2027-01-31T23:59:59Z", "freeze.md ok"),
    ("05-last-valid-day-is-inclusive", "2027-02-01T00:00:00Z", "freeze.md expired"),
    ("06-as-of-before-expiry", "2026-10-10", "autumn.md ok", "winter.md not_yet_valid"),
    ("06-as-of-before-expiry", "2026-12-15", "autumn.md expired", "winter.md ok"),
    (
        "08-same-stem-in-two-folders",
        "2026-07-24",
        "eu/retention.md ambiguous_supersession",
        "retention-v2.md ok",  # low confidence is a matter of the score
        "us/retention.md ambiguous_supersession",
    ),
    ("10-two-spellings-of-one-title", "2026-07-16", "Site Roadmap.md ok", "site-roadmap.md ok"),
    (
        "16-one-correction-retires-five",
        "2026-08-16",
        *(f"vault-{number}.md superseded" for number in range(1, 6)),
        "vault-fix.md ok",
    ),
]


@pytest.mark.parametrize("row", TRUST, ids=lambda row: f"{row[0]} at {row[1]}")
def test_a_trust_case_gets_its_verdicts(recall, case, row):  # D1
    name, at, *expected = row
    case("trust", name)
    assert [f"{path} {verdict}" for path, verdict in recall.verdicts("--at", at).items()] == expected


def test_trust_10_lint_warns_of_two_spellings(recall, case):
    case("trust", "10-two-spellings-of-one-title")
    assert recall.lint().codes == ["site-roadmap.md:1:1 RL212"]
    assert "RL212" in recall("check", "Site Roadmap.md", "--strict").out  # it does not pass silently


def test_trust_16_every_item_of_a_list_is_a_reference(project, recall, case):
    case("trust", "16-one-correction-retires-five")
    block = edges(recall)
    assert block == {f"vault-{number}.md": ["vault-fix.md"] for number in range(1, 6)}
    project.memo("vault-fix.md", 'supersedes: [vault-1, vault-2.md, "[[vault-3]]", vault-4, vault-5]')
    assert edges(recall) == block
