"""The tenant and the table `[search]`."""

from pathlib import Path

import pytest

from recall_core.adapters.corpus_config import load_configuration
from recall_core.adapters.search_config import SearchSettings, demand_tenant, read_search_settings
from recall_core.errors import ConfigurationError, UsageError


def settings(folder: Path, text: str) -> SearchSettings:
    (folder / "recall.toml").write_text(text)
    return read_search_settings(load_configuration(str(folder), top_level=str(folder)))


def test_without_configuration_the_defaults_hold(tmp_path):
    assert settings(tmp_path, "") == SearchSettings(None, None, 30)


def test_the_keys_are_read(tmp_path):
    found = settings(tmp_path, 'tenant = "acme"\n[search]\nembedder = "none"\nmax-age-days = 7\n')
    assert found == SearchSettings("acme", "none", 7)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tenant = 3", "recall.toml:1: `tenant` must be a string, and is an integer"),
        ('tenant = "a b"', "recall.toml:1: `a b` is no name for a tenant"),
        ("search = 3", "recall.toml:1: `search` must be a table, and is an integer"),
        ("[search]\nmax-age = 3", "recall.toml:2: unknown key `max-age`"),
        ("[search]\nembedder = 3", "recall.toml:2: `search.embedder` must be a string, and is an integer"),
        ('[search]\nmax-age-days = "3"', "recall.toml:2: `search.max-age-days` must be an integer, and is a string"),
        ("[search]\nmax-age-days = 0", "recall.toml:2: `search.max-age-days` must lie between 1 and 36500, and is 0"),
    ],
)
def test_a_value_that_is_none_is_an_error_at_its_place(tmp_path, text, said):
    with pytest.raises(ConfigurationError) as refused:
        settings(tmp_path, text)
    assert refused.value.message == said


@pytest.mark.parametrize("name", ["", " ", "a b", "../a", "a" * 64, "-a", "a\n", "é"])
def test_a_tenant_has_a_plain_name(name):
    with pytest.raises(UsageError):
        demand_tenant(name)
