"""`python -m recall_core.adapters.embedded.idle`: watches one server, and stops it when nobody uses it any more.

It asks the server who is connected and the file `used` when somebody last asked for it, so that a client that was
killed keeps nothing alive, and one that lives is never cut off. It ends with its server.
"""

import os
import sys
import time

import psycopg
from filelock import FileLock, Timeout
from psycopg.conninfo import make_conninfo

from recall_core.adapters.embedded.place import PORT, Place, find_place
from recall_core.adapters.embedded.run import Runner
from recall_core.adapters.embedded.server import OWNER, host_of, programs_for, stop_locked
from recall_core.errors import RecallError

_OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"


def watch(place: Place, idle_seconds: float) -> None:
    """Return when the server is gone, because we stopped it or of itself."""
    try:
        with FileLock(place.watched, timeout=0):
            last_seen = time.time()
            while True:
                time.sleep(min(max(idle_seconds / 4, 0.2), 60))
                others = count_others(place)
                if others is None:
                    return
                if others:
                    last_seen = time.time()
                elif time.time() - max(last_seen, _last_asked(place)) >= idle_seconds and _stop(place, idle_seconds):
                    return
    except Timeout:
        return  # another one watches


def count_others(place: Place) -> int | None:
    """How many clients are connected; None where the server does not answer."""
    dsn = make_conninfo(host=host_of(place), port=PORT, user=OWNER, dbname="postgres", connect_timeout=10)
    try:
        with psycopg.connect(dsn) as connection:
            row = connection.execute(_OTHERS).fetchone()
            return int(row[0]) if row is not None else 0
    except psycopg.OperationalError:
        return None


def _stop(place: Place, idle_seconds: float) -> bool:
    """Stop the server if still nobody uses it: whoever asks for it holds the lock meanwhile, and has touched `used`."""
    with FileLock(place.lock):
        if time.time() - _last_asked(place) < idle_seconds or count_others(place):
            return False
        stop_locked(Runner(programs_for(place), place))
        return True


def _last_asked(place: Place) -> float:
    try:
        return os.path.getmtime(place.used)
    except OSError:
        return 0.0


if __name__ == "__main__":
    asked, folder, seconds = sys.argv[1:]
    found = find_place(asked, system_folder=os.path.dirname(folder))
    if found.folder == folder:
        try:
            watch(found, float(seconds))
        except RecallError as error:
            sys.exit(error.message)
