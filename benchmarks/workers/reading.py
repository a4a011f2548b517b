"""Read all Markdown files below FOLDER, part by part, ROUNDS times. Prints JSON: seconds for one memo."""

import gc
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from recall_core.frontmatter.fence import find_fence
from recall_core.frontmatter.read import decode, read_text
from recall_core.prose.markers import has_marker
from recall_core.prose.traces import find_trace
from recall_lint.reading import read_file


def _load(folder: str) -> list[tuple[str, bytes]]:
    files = []
    for parent, _, names in os.walk(folder):
        for name in names:
            if name.lower().endswith(".md"):
                path = os.path.join(parent, name)
                with open(path, "rb") as file:
                    files.append((os.path.relpath(path, folder), file.read()))
    files.sort()
    return files


def _time(function: Callable[..., Any], items: Sequence[tuple[Any, ...]], rounds: int) -> float:
    """CPU seconds for all items, the best of the rounds."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        gc.disable()
        start = time.process_time()
        for item in items:
            function(*item)
        best = min(best, time.process_time() - start)
        gc.enable()
    return best


def main() -> None:
    folder, rounds = sys.argv[1], int(sys.argv[2])
    files = _load(folder)
    texts = [(path, text) for path, data in files if (text := decode(data)) is not None]
    fences = [(path, text, find_fence(text)) for path, text in texts]
    blocks = [row for row in fences if row[2].body]
    marked = [(text[fence.body :],) for _, text, fence in fences if has_marker(text[fence.body :].encode())]
    parts: list[tuple[str, Callable[..., Any], Sequence[tuple[Any, ...]], str]] = [
        ("decode", decode, [(data,) for _, data in files], "all memos"),
        ("find_fence", find_fence, [(text,) for _, text in texts], "all memos"),
        ("read_text, with a block", read_text, blocks, "memos with frontmatter"),
        ("read_text, without", read_text, [row for row in fences if not row[2].body], "memos without"),
        ("has_marker", has_marker, [(data,) for _, data in files], "all memos"),
        ("find_trace", find_trace, marked, "bodies with a closure word"),
        ("read_file, the whole", read_file, files, "all memos"),
    ]
    answer: dict[str, Any] = {"memos": len(files), "bytes": sum(len(data) for _, data in files), "parts": []}
    for name, function, items, of in parts:
        if not items:
            continue
        seconds = _time(function, items, rounds)
        share = len(items) / len(files)
        row = {"name": name, "each": seconds / len(items), "cpu_best": seconds, "of": of, "share": share}
        answer["parts"].append(row)
    json.dump(answer, sys.stdout)


main()
