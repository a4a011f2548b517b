"""BEHAVIOURS I16."""

import pytest

from recall_core.adapters.postgres.dsn import check_dsn, scrub
from recall_core.errors import ConfigurationError


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://postgres:postgres@db.example.com/x",
        "postgresql://app:app@10.0.0.5/x",
        "host=db.example.com user=me password=password",
        "host=localhost,db.example.com user=me password=changeme",
        "hostaddr=192.0.2.1 user=me password=Secret",
        "host=db.example.com user=me password=''",
    ],
)
def test_default_credentials_stay_on_this_machine(dsn: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        check_dsn(dsn, name="the serving DSN")
    assert caught.value.message.startswith("the serving DSN takes a password that everybody knows to ")


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://postgres:postgres@localhost/x",
        "postgresql://postgres:postgres@127.0.0.1:5433/x",
        "postgresql://postgres:postgres@[::1]/x",
        "host=/run/postgresql user=postgres password=postgres",
        "postgresql://app:vGx83kdLq0@db.example.com/x",
        "host=db.example.com user=me",
        "dbname=x",
    ],
)
def test_others_are_dialled(dsn: str) -> None:
    assert check_dsn(dsn) == dsn


def test_what_cannot_be_read_is_said_without_the_secret() -> None:
    with pytest.raises(ConfigurationError) as caught:
        check_dsn("host=db password=hunter2 hunter2 = = x")
    assert "hunter2" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("to postgresql://me:p4ss@h/x failed", "to postgresql://me:***@h/x failed"),
        ("connection host=h password='a b' port=1", "connection host=h password=*** port=1"),
        ("password = abc", "password = ***"),
        ("nothing to hide", "nothing to hide"),
    ],
)
def test_passwords_are_taken_out(text: str, shown: str) -> None:
    assert scrub(text) == shown


def test_the_password_of_a_known_dsn_is_taken_out_wherever_it_stands() -> None:
    dsn = "postgresql://me:tr0ub4dor@h/x"
    assert scrub(f"role tr0ub4dor of {dsn}", (dsn,)) == "role *** of <the DSN>"
