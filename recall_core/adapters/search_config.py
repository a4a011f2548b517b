"""What the configuration says about searching: the tenant, and the table `[search]`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from recall_core.adapters.configured import refuse_unknown, wrong_type
from recall_core.adapters.corpus_config import Configuration
from recall_core.errors import ConfigurationError, UsageError

DEFAULT_TENANT = "default"
DEFAULT_MAX_AGE_DAYS = 30
MOST_DAYS = 36_500

_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}\Z")
_KEYS = frozenset({"embedder", "max-age-days"})


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Settings of index and search. None where nobody sets them; `max_age_days` is when an index counts as stale."""

    tenant: str | None = None
    embedder: str | None = None
    max_age_days: int = DEFAULT_MAX_AGE_DAYS


def read_search_settings(configuration: Configuration) -> SearchSettings:
    """The settings of a configuration. Raises ConfigurationError for what is none."""
    tenant = _text(configuration, configuration.table, "tenant")
    if tenant is not None and not is_tenant(tenant):
        raise ConfigurationError(f"{configuration.place('tenant')}: {_refuse(tenant)}", help=_ALLOWED)
    table = configuration.table.get("search", {})
    if not isinstance(table, Mapping):
        raise wrong_type(configuration, ("search",), "a table", table)
    refuse_unknown(configuration, table, _KEYS, "search")
    return SearchSettings(
        tenant, _text(configuration, table, "search", "embedder"), _days(configuration, table.get("max-age-days"))
    )


def is_tenant(name: str) -> bool:
    """Whether `name` may be a tenant's: 1 to 63 ASCII letters, digits, dots, hyphens and underscores."""
    return _TENANT.match(name) is not None


def demand_tenant(name: str) -> str:
    """`name`, from the command line or the environment. Raises UsageError where no tenant may be called that."""
    if not is_tenant(name):
        raise UsageError(_refuse(name), help=_ALLOWED)
    return name


_ALLOWED = "1 to 63 letters, digits, dots, hyphens and underscores, the first a letter or digit"


def _refuse(name: str) -> str:
    return f"`{name}` is no name for a tenant"


def _text(configuration: Configuration, table: Mapping[str, object], *keys: str) -> str | None:
    value = table.get(keys[-1])
    if value is not None and not isinstance(value, str):
        raise wrong_type(configuration, keys, "a string", value)
    return value


def _days(configuration: Configuration, value: object) -> int:
    keys = ("search", "max-age-days")
    if value is None:
        return DEFAULT_MAX_AGE_DAYS
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_type(configuration, keys, "an integer", value)
    if not 1 <= value <= MOST_DAYS:
        place = configuration.place(*keys)
        raise ConfigurationError(f"{place}: `search.max-age-days` must lie between 1 and {MOST_DAYS}, and is {value}")
    return value
