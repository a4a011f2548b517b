"""Where an embedded server lies: its folders, its socket, and the user that it runs as."""

import hashlib
import os
import stat
import tempfile
from dataclasses import dataclass
from typing import Final

from recall_core.errors import StoreError

PORT: Final = 5432
LONGEST_SOCKET: Final = 107
"""Bytes in the path of a Unix socket: `sun_path` holds 108 with its end (Linux; 104 on macOS, see below)."""

SYSTEM_FOLDER: Final = "/var/lib/recall"
"""Where the server of the superuser lies when nobody else can reach the superuser's own folders."""


@dataclass(frozen=True, slots=True)
class Account:
    """The user that the server runs as."""

    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of one server. `account` is None where it runs as the user who calls.

    `asked` is the data folder that was asked for; `folder` differs from it where the server cannot live there.
    """

    asked: str
    folder: str
    account: Account | None

    @property
    def cluster(self) -> str:
        """PostgreSQL's own data folder."""
        return os.path.join(self.folder, "cluster")

    @property
    def log(self) -> str:
        """What the server says. It lies in the cluster, which belongs to whom the server runs as."""
        return os.path.join(self.cluster, "server.log")

    @property
    def lock(self) -> str:
        """The file that is locked while anything about the server changes."""
        return os.path.join(self.folder, "lock")

    @property
    def watched(self) -> str:
        """The file that the watcher locks as long as it lives."""
        return os.path.join(self.folder, "watcher.lock")

    @property
    def used(self) -> str:
        """The file whose time says when somebody last asked for the server."""
        return os.path.join(self.folder, "used")

    @property
    def prepared(self) -> str:
        """The file that stands once roles, database and extension are there."""
        return os.path.join(self.folder, "prepared")

    @property
    def password(self) -> str:
        """The file with the password, where the server listens on a port."""
        return os.path.join(self.folder, "password")

    @property
    def socket_folder(self) -> str:
        """The folder of the socket: the cluster itself, or a short one.

        The path may be too long, and a comma in it would be read as the end of a host's name.
        """
        longest = LONGEST_SOCKET if os.uname().sysname == "Linux" else LONGEST_SOCKET - 4
        is_short = len(os.fsencode(os.path.join(self.cluster, f".s.PGSQL.{PORT}"))) <= longest
        if is_short and "," not in self.cluster:
            return self.cluster
        name = hashlib.sha256(os.fsencode(self.cluster)).hexdigest()[:16]
        return os.path.join(tempfile.gettempdir(), f"recall-{self.owner}-{name}")

    @property
    def programs_folder(self) -> str:
        """Where a copy of the programs lies: here, or, where a shell would read something into that, in a plain place.

        `initdb` starts the server through a shell, with its own path in double quotes.
        """
        if is_plain(self.folder):
            return self.folder
        name = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]
        return os.path.join(tempfile.gettempdir(), f"recall-{os.geteuid()}-programs-{name}")

    @property
    def owner(self) -> int:
        """The uid that owns the cluster and the socket."""
        return self.account.uid if self.account is not None else os.geteuid()


def find_place(data_folder: str, *, system_folder: str = SYSTEM_FOLDER) -> Place:
    """The place of the server for a data folder. Nothing is made.

    PostgreSQL refuses to run as the superuser, so there it runs as `nobody`; where `nobody` cannot reach the data
    folder, the server lies below `system_folder`, in a folder of its own for each data folder.
    """
    asked = os.path.abspath(data_folder)
    if os.name == "nt" or os.geteuid() != 0:
        return Place(asked, os.path.join(asked, "postgres"), None)
    account = _find_nobody()
    folder = os.path.join(asked, "postgres")
    if not is_reachable(folder, account):
        name = hashlib.sha256(os.fsencode(os.path.realpath(asked))).hexdigest()[:16]
        folder = os.path.join(system_folder, name)
    return Place(asked, folder, account)


def _find_nobody() -> Account:
    import pwd  # noqa: PLC0415 - not on Windows

    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        raise StoreError(
            "PostgreSQL does not run as the superuser, and this system has no user `nobody` to run it as",
            help="run recall as another user, or give a server with --serving-dsn",
        ) from None
    return Account(entry.pw_uid, entry.pw_gid)


def is_reachable(path: str, account: Account) -> bool:
    """Whether the account may pass through every folder that exists above `path`, and through `path` itself."""
    path = os.path.realpath(path)
    while True:
        try:
            found = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            found = None
        if found is not None and not _may_pass(found, account):
            return False
        parent = os.path.dirname(path)
        if parent == path:
            return True
        path = parent


def _may_pass(found: os.stat_result, account: Account) -> bool:
    if found.st_uid == account.uid:
        return bool(found.st_mode & stat.S_IXUSR)
    if found.st_gid == account.gid:
        return bool(found.st_mode & stat.S_IXGRP)
    return bool(found.st_mode & stat.S_IXOTH)


def make_folders(place: Place) -> None:
    """Make the server's folder and the short one of its socket. Raises StoreError where they cannot be or are not ours.

    The folder itself can be passed through by the account that the server runs as; what lies in it is readable for its
    owner alone.
    """
    try:
        os.makedirs(
            place.asked,
            mode=0o711 if place.account is not None and place.folder.startswith(place.asked) else 0o700,
            exist_ok=True,
        )
        os.makedirs(place.folder, mode=0o711 if place.account is not None else 0o700, exist_ok=True)
        if place.socket_folder != place.cluster:
            _make_private(place.socket_folder, place.owner)
            give(place.socket_folder, place)
    except OSError as error:
        raise StoreError(
            f"the folder {place.folder} of the embedded server cannot be made: {error.strerror}",
            help="choose another with --data-dir, or give a server with --serving-dsn",
        ) from error


def give(path: str, place: Place) -> None:
    """Let a file or folder of ours belong to whom the server runs as."""
    if place.account is not None:
        os.chown(path, place.account.uid, place.account.gid)


def make_programs_folder(place: Place) -> str:
    """The folder for a copy of the programs, made where it is not the server's own. Raises StoreError as above."""
    folder = place.programs_folder
    if folder != place.folder:
        _make_private(folder, os.geteuid())
        os.chmod(folder, 0o711 if place.account is not None else 0o700)
    return folder


def is_plain(path: str) -> bool:
    """Whether a shell takes the path for itself inside double quotes."""
    return not set(path) & set('$`"\\\n') if os.name != "nt" else True


def _make_private(folder: str, owner: int) -> None:
    """A folder in a place that everybody may write to: made by us, or proved to be `owner`'s and nobody else's."""
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        found = os.lstat(folder)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or found.st_mode & 0o066:
            raise StoreError(
                f"{folder} is not ours: the embedded server cannot use it",
                help="remove it, or choose a shorter and plainer folder with --data-dir",
            ) from None
