"""What a crash leaves behind."""

import os


def clear_zombie(cluster: str) -> None:
    """Remove the pid file of a server that is dead but not yet taken away by its parent.

    Such a process still answers to a signal, so PostgreSQL takes it for a server that runs and never starts again;
    where nothing collects the dead (a container whose first process does not), that is for good.
    """
    path = os.path.join(cluster, "postmaster.pid")
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            pid = int(file.readline())
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            state = file.read().rpartition(")")[2].split()[0]
        if state in ("Z", "X"):
            os.unlink(path)
    except (OSError, ValueError, IndexError):
        return
