"""What the driver raises, in the words of the product."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout

from recall_core.adapters.postgres.dsn import scrub
from recall_core.errors import RecallError, SchemaError, StoreError

_LONGEST = 300


@contextmanager
def translated(dsns: Iterable[str]) -> Iterator[None]:
    """Turn errors of the driver into StoreError, and into SchemaError where tables are missing; no secret is shown."""
    try:
        yield
    except (psycopg.Error, PoolTimeout, PoolClosed) as error:
        raise explain(error, dsns) from None


def explain(error: Exception, dsns: Iterable[str]) -> RecallError:
    """The error of the product that says what `error` says."""
    said = scrub(" ".join(str(error).split()), dsns)[:_LONGEST]
    match error:
        case errors.UndefinedTable() | errors.InvalidSchemaName() | errors.UndefinedFunction():
            return SchemaError(f"the tables are not there: {said}", help="`recall schema apply` makes them")
        case errors.InsufficientPrivilege():
            return StoreError(
                f"the server refused: {said}", help="`recall schema grants` prints what the serving role needs"
            )
        case errors.QueryCanceled():
            return StoreError(f"the server cancelled the statement, which is not tried again: {said}")
        case errors.LockNotAvailable():
            return StoreError(f"the server is busy: {said}", help="try again in a moment")
        case errors.DiskFull():
            return StoreError(f"the server's disk is full: {said}")
        case PoolTimeout():
            return StoreError(f"the server gave no connection in time: {said}", help="`recall db status` shows it")
        case psycopg.OperationalError():
            return StoreError(
                f"the server cannot be reached: {said}", help="is it running? `recall db status` shows the embedded one"
            )
        case _:
            return StoreError(f"the server refused a statement: {said}")
