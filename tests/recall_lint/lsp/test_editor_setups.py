"""What the page on editors shows is read from real output: problem matcher and error format."""

import json
import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "editors"


def concise(memos) -> list[str]:
    memos.write({"a b/ü:1.md": "---\nsupersedes: gone: really\n---\n", "c.md": "---\nsupersedes: [gone]\n---\n"})
    lines = memos.recall("lint", "--format", "concise").splitlines()
    assert len(lines) == 2
    return lines


def test_the_problem_matcher_reads_every_line(memos) -> None:
    pattern = json.loads((FOLDER / "tasks.json").read_text("utf-8"))["tasks"][0]["problemMatcher"]["pattern"]
    found = [re.fullmatch(pattern["regexp"], line) for line in concise(memos)]
    assert [match and match[pattern["file"]] for match in found] == ["a b/ü:1.md", "c.md"]
    assert [match and match[pattern["code"]] for match in found] == ["RL102", "RL201"]
    assert [match and match[pattern["line"]] for match in found] == ["2", "2"]


def test_the_error_format_reads_a_line(memos) -> None:
    assert r"errorformat=%f:%l:%c:\ %m" in (FOLDER / "README.md").read_text("utf-8")
    expression = re.compile(r"(?P<f>.+?):(?P<l>[0-9]+):(?P<c>[0-9]+): (?P<m>.*)")
    assert all(expression.fullmatch(line) for line in concise(memos))
