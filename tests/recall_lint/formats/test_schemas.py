import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from recall_lint.formats.error import render_error
from recall_lint.formats.status import StatusReport, StatusRow, render_json

DATA = Path(__file__).resolve().parents[2] / "data" / "formats"


def schema(name: str) -> Any:
    return json.loads(files("recall_lint").joinpath("schema", f"{name}.schema.json").read_text(encoding="utf-8"))


def golden(name: str) -> str:
    return (DATA / f"{name}.golden").read_text(encoding="utf-8")


def check(instance: Any, against: Any) -> None:
    jsonschema.Draft202012Validator(against, format_checker=jsonschema.FormatChecker()).validate(instance)


@pytest.mark.parametrize("name", ["lint", "status", "error"])
def test_a_schema_is_one(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))


def test_json_honours_its_schema() -> None:
    check(json.loads(golden("json")), schema("lint"))


def test_every_line_of_jsonl_is_a_diagnostic_of_the_schema() -> None:
    lint = schema("lint")
    for line in golden("jsonl").splitlines():
        check(json.loads(line), {"$ref": "#/$defs/diagnostic", "$defs": lint["$defs"]})


def test_the_schema_refuses_what_the_contract_does_not_say() -> None:
    output = json.loads(golden("json"))
    output["diagnostics"][0]["severity"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        check(output, schema("lint"))
    del output["diagnostics"][0]["severity"]
    with pytest.raises(jsonschema.ValidationError):
        check(output, schema("lint"))


def test_status_honours_its_schema_and_the_contracts_order() -> None:
    output = json.loads(golden("status-json"))
    check(output, schema("status"))
    assert list(output) == ["version", "tool_version", "root", "at", "known_at", "memos"]
    assert list(output["memos"][0]) == ["path", "verdict", "superseded_by", "valid_from", "valid_until", "recorded"]


def test_status_of_nothing_is_an_empty_list() -> None:
    output = json.loads("".join(render_json(StatusReport("1", "/r", "2026-01-31", None, ()))))
    check(output, schema("status"))
    assert output["memos"] == []


def test_status_keeps_the_order_it_was_given() -> None:
    rows = (StatusRow("b.md", "ok"), StatusRow("a.md", "expired"))
    output = json.loads("".join(render_json(StatusReport("1", "/r", "2026-01-31", None, rows))))
    assert [row["path"] for row in output["memos"]] == ["b.md", "a.md"]


def test_an_error_honours_its_schema() -> None:
    output = json.loads(render_error("usage", "no such file: \udcff", "recall lint --help"))
    check(output, schema("error"))
    assert output == {
        "version": 1,
        "error": {"kind": "usage", "message": "no such file: \\xff", "help": "recall lint --help"},
    }


def test_sarif_honours_the_standards_own_schema() -> None:
    standard = json.loads((DATA / "sarif-2.1.0.schema.json").read_text(encoding="utf-8"))
    checker = jsonschema.Draft4Validator(standard, format_checker=jsonschema.FormatChecker())
    checker.validate(json.loads(golden("sarif")))
    broken = json.loads(golden("sarif"))
    broken["runs"][0]["results"][0]["level"] = "info"
    assert not checker.is_valid(broken)
