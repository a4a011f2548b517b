"""What `fix` would propose and `check` would show in labelled collections whose declarations are taken away.

`DATA [OUT]`: DATA holds `<collection>/docs/*.md`. Prints JSON: `predictions` (collection, newer, older, kind, memo,
reason, proof), `memos` and CPU seconds. With OUT it also writes `fix.jsonl`, `check.jsonl` and `memos.jsonl` there, for
another program to judge. Nothing in DATA is written.
"""

import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from recall_core.frontmatter.fence import find_fence
from recall_core.frontmatter.read import decode, read_text
from recall_core.model.memo import Memo
from recall_core.prose.candidate import Candidate
from recall_core.prose.candidates import find_candidates
from recall_core.prose.names import Names
from recall_core.prose.resemblance import Lookalikes
from recall_core.prose.rivals import hold_rivals

_DECLARED = re.compile(r"^supersedes:.*\n(?:(?:[ \t]|- ).*\n)*", re.MULTILINE)


def _load(folder: str) -> Iterator[tuple[Memo, str, int]]:
    """Each memo of a folder as if it declared nothing, its body, and the body's first line."""
    for name in sorted(os.listdir(folder)):
        if not name.lower().endswith(".md"):
            continue
        with open(os.path.join(folder, name), "rb") as file:
            text = decode(file.read())
        if text is None:
            continue
        fence = find_fence(text)
        text = _DECLARED.sub("", text[: fence.body]) + text[fence.body :]
        fence = find_fence(text)
        memo = read_text(name, text, fence)
        yield memo, text[fence.body :], memo.block_end + 1


def _predict(collection: str, folder: str) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    read = list(_load(folder))
    names = Names(memo for memo, _, _ in read)
    found: list[Candidate] = []
    for memo, body, line in read:
        found += find_candidates(memo, body, line, names)
    rows = [_row(collection, each) for each in hold_rivals(found)]
    lookalikes = Lookalikes(memo for memo, _, _ in read)
    for memo, _, _ in read:
        for like in lookalikes.find(memo):
            row = {"collection": collection, "newer": _stem(like.newer), "older": _stem(like.older)}
            rows.append({**row, "kind": "resembles", "memo": _stem(memo.path), "reason": None, "proof": False})
    return rows, [{"collection": collection, "memo": _stem(memo.path)} for memo, _, _ in read]


def _row(collection: str, each: Candidate) -> dict[str, Any]:
    return {
        "collection": collection,
        "newer": _stem(each.successor),
        "older": _stem(each.target),
        "kind": "held_back" if each.refusals else "question",
        "memo": _stem(each.evidence.path),
        "reason": each.refusals[0].value if each.refusals else None,
        "proof": each.is_proof,
    }


def _stem(path: str) -> str:
    return path.removesuffix(".md")


def _write(folder: str, name: str, rows: Iterable[dict[str, Any]]) -> None:
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def main() -> None:
    data = sys.argv[1]
    predictions: list[dict[str, Any]] = []
    memos: list[dict[str, str]] = []
    start = time.process_time()
    for collection in sorted(os.listdir(data)):
        if os.path.exists(os.path.join(data, collection, "edges.jsonl")):
            docs = os.path.join(data, collection, "docs")
            if os.path.isdir(docs):
                rows, read = _predict(collection, docs)
                predictions += rows
                memos += read
    cpu = time.process_time() - start
    if len(sys.argv) > 2:
        _write(sys.argv[2], "fix.jsonl", (row for row in predictions if row["proof"]))
        _write(sys.argv[2], "check.jsonl", predictions)
        _write(sys.argv[2], "memos.jsonl", memos)
    json.dump({"predictions": predictions, "memos": memos, "cpu": cpu}, sys.stdout)


main()
