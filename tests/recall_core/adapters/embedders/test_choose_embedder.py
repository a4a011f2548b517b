"""One string chooses the embedder (issue 4, item 5)."""

import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints
from types import SimpleNamespace

import pytest

from recall_core.adapters.embedders import choose
from recall_core.adapters.embedders.choose import choose_embedder
from recall_core.adapters.embedders.nothing import NoEmbedder
from recall_core.errors import EmbedderError, MissingExtraError, UsageError


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("local", "minilm-l6-v2-int8@sha256:8199be6f"),
        (" local ", "minilm-l6-v2-int8@sha256:8199be6f"),
        ("none", "none"),
        ("hash:512", "hash:512@1"),
    ],
)
def test_a_name_chooses(text: str, id_: str) -> None:
    assert choose_embedder(text).id == id_


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("hash", "write it as `hash:512`"),
        ("hash:", "write it as `hash:512`"),
        ("hash:many", "write it as `hash:512`"),
        ("hash:-5", "write it as `hash:512`"),
        ("hash:٣", "write it as `hash:512`"),
        ("hash:99999999", "write it as `hash:512`"),
        ("hash:" + "9" * 5000, "write it as `hash:512`"),
        ("local:big", "write it as `local`"),
        ("local:", "write it as `local`"),
        ("none:", "write it as `none`"),
        ("locla", "did you mean `local`?"),
        ("LOCAL", "did you mean `local`?"),
        ("hsah:512", "did you mean `hash:512`?"),
    ],
)
def test_a_name_that_nothing_has_is_refused_with_what_was_meant(text: str, advice: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose_embedder(text)
    assert caught.value.help == advice


@pytest.mark.parametrize("text", ["", ":", "qqqq", "\x1b[2J"])
def test_a_name_unlike_any_lists_what_is_known(text: str) -> None:
    with pytest.raises(UsageError, match="no embedder is called") as caught:
        choose_embedder(text)
    assert caught.value.help.startswith("known are local, none, hash:512")
    assert "\x1b" not in caught.value.message


def test_a_package_may_add_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    _plug(monkeypatch, lambda rest: NoEmbedder(id=f"acme:{rest}@1"))
    assert choose_embedder("acme:large").id == "acme:large@1"
    with pytest.raises(UsageError) as caught:
        choose_embedder("acmee:large")
    assert caught.value.help == "did you mean `acme:NAME`?"


def test_a_package_does_not_take_the_place_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    _plug(monkeypatch, lambda rest: NoEmbedder(id="another"), name="none")
    assert choose_embedder("none").id == "none"


def _fails(rest: str) -> NoEmbedder:
    raise RuntimeError("no weights")


def _refuses(rest: str) -> NoEmbedder:
    raise MissingExtraError("acme needs its weights", help="acme fetch")


def test_what_a_package_raises_is_said_to_be_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    _plug(monkeypatch, _fails)
    with pytest.raises(EmbedderError, match=r"entry point `plugged_embedder:make` cannot make .* no weights"):
        choose_embedder("acme:large")


def test_an_error_with_what_to_type_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    _plug(monkeypatch, _refuses)
    with pytest.raises(MissingExtraError) as caught:
        choose_embedder("acme:large")
    assert caught.value.help == "acme fetch"


def test_a_package_whose_code_is_gone_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    points = EntryPoints([EntryPoint("acme", "no_such_module_here:make", choose.GROUP)])
    monkeypatch.setattr(choose, "entry_points", lambda group: points.select(group=group))
    with pytest.raises(EmbedderError, match="no_such_module_here"):
        choose_embedder("acme:large")


def test_what_is_no_embedder_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _plug(monkeypatch, lambda rest: SimpleNamespace(id="a", dimension=1, max_tokens=256, is_fused=True))
    with pytest.raises(EmbedderError, match="without embed_documents and embed_queries"):
        choose_embedder("acme:large")


def _plug(monkeypatch: pytest.MonkeyPatch, make: object, name: str = "acme") -> None:
    monkeypatch.setitem(sys.modules, "plugged_embedder", SimpleNamespace(make=make))  # type: ignore[arg-type]
    points = EntryPoints([EntryPoint(name, "plugged_embedder:make", choose.GROUP)])
    monkeypatch.setattr(choose, "entry_points", lambda group: points.select(group=group))


def test_without_numpy_the_extra_is_named() -> None:
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "from recall_core.adapters.embedders.choose import choose_embedder\n"
        "from recall_core.errors import MissingExtraError\n"
        "try: choose_embedder('hash:512')\n"
        "except MissingExtraError as error: print(error.help)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "pip install 'recall-lint[search]'"


def test_choosing_imports_no_model() -> None:
    program = (
        "import sys; from recall_core.adapters.embedders.choose import choose_embedder; choose_embedder('hash:8'); "
        "print({'onnxruntime', 'tokenizers', 'urllib.request', 'torch', 'fastembed', 'model2vec'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
