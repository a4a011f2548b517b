"""Run one command and print what it cost. Reads a request as JSON from standard input.

A process of its own because Linux counts the memory of whoever starts a program into that program's peak: this one is
small, the one that keeps the corpora may not be.
"""

import json
import os
import sys
import time


def main() -> None:
    request = json.load(sys.stdin)
    os.chdir(request["folder"])
    output = os.open(request["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, output, 1),
        (os.POSIX_SPAWN_DUP2, output, 2),
    ]
    arguments = request["arguments"]
    start = time.perf_counter()
    pid = os.posix_spawn(arguments[0], arguments, request["variables"], file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    unit = 1 if sys.platform == "darwin" else 1024  # Linux and the BSDs count kilobytes
    answer = {
        "status": os.waitstatus_to_exitcode(status),
        "cpu": usage.ru_utime + usage.ru_stime,
        "wall": wall,
        "peak": usage.ru_maxrss * unit,
    }
    json.dump(answer, sys.stdout)


main()
