"""Writes `docs/rules/` from the rules' docstrings. `--check` writes nothing and exits 1 where a page is not in step."""

import argparse
import sys
from pathlib import Path

from recall_lint.cli.rule import render_page, summarise
from recall_lint.rules import REGISTERED

FOLDER = Path(__file__).parent / "rules"


def build_pages() -> dict[str, str]:
    """File name to text, the list of rules included."""
    pages = {
        f"{each.rule.code}.md": render_page(each.rule.code, each.rule.name, each.rule.severity.value, each.page)
        for each in REGISTERED
    }
    rows = [
        f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.severity.value} | {summarise(page)} |"
        for rule, _, page in REGISTERED
    ]
    head = "# Rules\n\nMade from the rules themselves; `recall rule CODE` prints the same page.\n\n"
    table = "| code | name | default | says |\n|---|---|---|---|\n"
    pages["README.md"] = head + table + "\n".join(rows) + "\n"
    return pages


def out_of_step() -> list[str]:
    """The names of pages that are missing, different, or left over."""
    pages = build_pages()
    stale = [name for name, text in pages.items() if not (FOLDER / name).exists() or _read(FOLDER / name) != text]
    return sorted([*stale, *(path.name for path in FOLDER.glob("*.md") if path.name not in pages)])


def write() -> None:
    """Make every page anew and remove those of no rule."""
    pages = build_pages()
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.md"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only look")
    if not parser.parse_args().check:
        write()
        return 0
    stale = out_of_step()
    for name in stale:
        sys.stderr.write(f"docs/rules/{name} is not in step: run `.ci/docs --write`\n")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
