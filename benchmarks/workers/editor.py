"""A language server's work without its pipes: what is asked of it once an editor has started, in CPU seconds.

Prints a JSON object: seconds from the start of the process until the corpus is read and judged, seconds of each
keystroke by kind and of each completion, and the peak memory in bytes. Child processes count.
"""

import json
import resource
import sys
import time

from lsprotocol import types

from recall_lint.lsp.address import address_of
from recall_lint.lsp.completion import complete
from recall_lint.lsp.server import build_server


def spent() -> float:
    """CPU seconds of this process and its children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def main(root: str, cache_folder: str, memo: str, rounds: int) -> dict[str, object]:
    """Open a corpus as an editor does, and type in one of its memos."""
    service = build_server(cache_folder).service
    service.change_folders([root])
    service.roots.open_folders()
    address = address_of(f"{root}/{memo}")
    with open(f"{root}/{memo}", encoding="utf-8") as file:
        text = file.read()
    service.put(address, text, 1)
    service.changed()
    ready = spent()  # all of the process, imports and all
    _, top, body = text.split("---\n", 2)
    other = f"supersedes: {memo.rpartition('/')[2][:5]}"
    typed = {
        "body": lambda number: f"{text}{'word ' * (number + 1)}\n",
        "frontmatter": lambda number: f"---\n{top}{other}{number}\n---\n{body}",
        "about replacement": lambda number: f"{text}\nThis memo supersedes [[{memo}]] {'so ' * number}\n",
    }
    keystrokes: dict[str, list[float]] = {}
    for kind, write in typed.items():
        service.put(address, write(0), 2)
        service.changed()
        keystrokes[kind] = []
        for number in range(1, rounds + 1):
            began = spent()
            service.put(address, write(number), number + 2)
            service.changed()
            keystrokes[kind].append(spent() - began)
    completions = []
    for number in range(rounds):
        began = spent()
        service.put(address, f"---\n{top}{other[: 14 + number % 3]}\n---\n{body}", number)
        page = service.page(address)
        assert page is not None
        line = top.count("\n") + 1
        assert complete(page, types.Position(line, 14 + number % 3)).items
        completions.append(spent() - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {"ready": ready, "keystrokes": keystrokes, "completions": completions, "peak": peak}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))))
