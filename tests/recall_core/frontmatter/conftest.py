"""The Python YAML parser in place of the C one, and the real documents."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from recall_core.frontmatter import nodes, parse
from recall_core.frontmatter.read import read_memo
from recall_core.model.memo import Memo


@pytest.fixture(scope="session")
def python_nodes() -> ModuleType:
    """The module `nodes` as it is where PyYAML was built without its C parser."""
    hidden = {name: sys.modules.pop(name, None) for name in ("yaml.cyaml", "yaml._yaml")}
    sys.modules["yaml.cyaml"] = None  # type: ignore[assignment]  # None makes the import fail
    try:
        spec = importlib.util.spec_from_file_location("nodes_without_c", nodes.__file__)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        del sys.modules["yaml.cyaml"]
        sys.modules.update({name: loaded for name, loaded in hidden.items() if loaded is not None})
    assert nodes.HAS_C_PARSER
    assert not module.HAS_C_PARSER
    return module


@pytest.fixture
def read_without_c(python_nodes: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], Memo]]:
    """`read_memo` over the Python parser."""

    def read(data: bytes) -> Memo:
        with monkeypatch.context() as patch:
            patch.setattr(parse, "compose", python_nodes.compose)
            return read_memo("memo.md", data)

    return read


@pytest.fixture(scope="session")
def real_files(shared: Path) -> list[Path]:
    """Every Markdown file of the shared cases and collections."""
    files = sorted([*(shared / "cases").rglob("*.md"), *(shared / "corpora").rglob("*.md")])
    assert len(files) > 1000
    return files
