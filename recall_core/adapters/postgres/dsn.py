"""DSNs: what must not be dialled, and what must not be shown."""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from recall_core.errors import ConfigurationError

_WELL_KNOWN: Final = frozenset({"", "admin", "changeme", "password", "postgres", "recall", "root", "secret", "test"})
_URL_PASSWORD: Final = re.compile(r"(\w+://[^\s:/@]*:)[^\s@]*(@)")
_FIELD_PASSWORD: Final = re.compile(r"(password\s*=\s*)('(?:[^'\\]|\\.)*'|\S+)", re.IGNORECASE)


def check_dsn(dsn: str, *, name: str = "the DSN") -> str:
    """The DSN, fit to be dialled.

    Raises ConfigurationError where it cannot be read, or where it takes a password that everybody knows to a host that
    is not this one. `name` is what it is called in the message: the DSN itself is never shown.
    """
    try:
        fields = conninfo_to_dict(dsn)
    except ProgrammingError:
        # What the driver says may quote a piece of a password, such as one with a blank in it.
        raise ConfigurationError(
            f"{name} cannot be read", help="such as postgresql://user:password@host:5432/database"
        ) from None
    hosts = [each for key in ("host", "hostaddr") if fields.get(key) for each in str(fields[key]).split(",")]
    password = fields.get("password")
    is_known = password is not None and (str(password).lower() in _WELL_KNOWN or password == fields.get("user"))
    remote = next((host for host in hosts if not _is_local(host)), None)
    if is_known and remote is not None:
        raise ConfigurationError(
            f"{name} takes a password that everybody knows to {remote}",
            help="give the role a password of its own; a default one is accepted on this machine alone",
        )
    return dsn


def find_user(dsn: str) -> str:
    """The role that a DSN names, "" where it leaves that to the system."""
    return str(conninfo_to_dict(dsn).get("user") or "")


def scrub(text: str, dsns: Iterable[str] = ()) -> str:
    """`text` without the passwords in it: those of `dsns`, and whatever stands where a password stands."""
    for dsn in dsns:
        text = text.replace(dsn, "<the DSN>")
        try:
            password = conninfo_to_dict(dsn).get("password")
        except ProgrammingError:
            password = None
        if password:
            text = text.replace(str(password), "***")
    text = _URL_PASSWORD.sub(r"\1***\2", text)
    return _FIELD_PASSWORD.sub(r"\1***", text)


def _is_local(host: str) -> bool:
    if not host or host.startswith(("/", "@")) or host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
