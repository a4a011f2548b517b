"""The content of many blobs from one `git cat-file --batch`."""

import subprocess
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import IO

from recall_core.adapters.git.program import start
from recall_core.adapters.git.repository import Git
from recall_core.ports.corpus import ReadFailure

_ABSENT = ReadFailure("its content is not in this clone of the repository")
_BROKEN = ReadFailure("Git cannot read its content; `git fsck` says more")


def read_blobs(git: Git, ids: Iterable[str]) -> Iterator[bytes | ReadFailure]:
    """The content behind each blob id, in the order given; a failure where an object is absent, broken or no blob."""
    wanted = list(ids)
    here: frozenset[str] | None = None
    nothing = "0" * git.id_length
    done = 0
    while done < len(wanted):
        # Git answers the null id with `missing` and looks nowhere for it, so the order of answers stays.
        rest = wanted[done:] if here is None else [name if name in here else nothing for name in wanted[done:]]
        for content in _answers(git, rest):
            yield content
            done += 1
        if done == len(wanted):
            return
        # Git gave up on this one: its bytes are damaged, or it wanted to fetch it (a partial clone) and may not.
        # Asking it for all that it has here keeps it from giving up once more for each of the others.
        if here is None:
            here = _objects_here(git)
        yield _BROKEN if wanted[done] in here else _ABSENT
        done += 1


def _answers(git: Git, ids: Sequence[str]) -> Iterator[bytes | ReadFailure]:
    process = start(
        ("cat-file", "--batch", "--buffer"), folder=git.top, environment=git.environment, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None  # noqa: S101 - it was asked for - both are pipes
    assert process.stdout is not None  # noqa: S101 - it was asked for
    # Git stops reading ids while nobody reads its answers: one side alone would end in a dead-lock.
    feeder = threading.Thread(target=_feed, args=(process.stdin, ids), daemon=True)
    feeder.start()
    try:
        yield from _parse(process.stdout, len(ids))
    finally:
        process.kill()
        feeder.join()
        process.stdout.close()
        process.wait()


def _feed(stream: IO[bytes], ids: Sequence[str]) -> None:
    with suppress(OSError):
        stream.write(("\n".join(ids) + "\n").encode("ascii"))
    with suppress(OSError):  # closing writes the rest out
        stream.close()


def _parse(stream: IO[bytes], count: int) -> Iterator[bytes | ReadFailure]:
    """As many answers as there are whole ones: `ID TYPE SIZE`, the content, a line feed; or `ID missing`."""
    for _ in range(count):
        header = stream.readline().split()
        if len(header) == 2:
            yield _ABSENT
            continue
        if len(header) != 3:
            return
        size = int(header[2])
        content = stream.read(size + 1)
        if len(content) != size + 1:
            return
        yield content[:-1] if header[1] == b"blob" else _BROKEN


def _objects_here(git: Git) -> frozenset[str]:
    output = git.run("cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
    return frozenset(output.decode("ascii").split())
