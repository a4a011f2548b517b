from pathlib import Path

from recall_core.adapters.embedders.choose import choose_embedder
from recall_core.adapters.embedders.prefixes import PREFIXES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "embedders.md").read_text(encoding="utf-8")


def test_the_page_names_every_prefix() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    for beginning, prefixes in PREFIXES.items():
        row = next(line for line in rows if f"`{beginning}`" in line.split("|")[1])
        for wanted in (prefixes.query, prefixes.document):
            for part in wanted.replace("|", "\\|").split("\n"):
                assert part in row, beginning


def test_the_page_names_the_default_by_its_id() -> None:
    assert f"`{choose_embedder('local').id}`" in PAGE
