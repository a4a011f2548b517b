"""Models behind a server, tried on one of our own on this machine (issue 4, item 5)."""

import io
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from recall_core.adapters.embedders import server as server_module
from recall_core.adapters.embedders.choose import choose_embedder
from recall_core.adapters.embedders.endpoint import Endpoint
from recall_core.adapters.embedders.prefixes import prefixes_of
from recall_core.adapters.embedders.served import OLLAMA_URL, OllamaEmbedder, OpenAIEmbedder
from recall_core.adapters.embedders.server import ModelServer
from recall_core.errors import EmbedderError, RefusedError, UsageError

KEY = "sk-very-secret-key"
TAGS = {
    "models": [{"name": "other:latest", "digest": "ff" * 32}, {"name": "nomic:latest", "digest": "0a1b2c3d4e5f" * 5}]
}
Answer = tuple[int, dict[str, str], bytes]


def vector(text: str) -> list[float]:
    """Three numbers that tell texts apart by their length."""
    return [float(len(text)), 1.0, -2.0]


def openai(texts: list[str]) -> dict[str, Any]:
    """What OpenAI answers, in an order of its own."""
    return {"data": [{"index": place, "embedding": vector(text)} for place, text in reversed(list(enumerate(texts)))]}


def answered(body: object, status: int = 200, **headers: str) -> Answer:
    return status, headers, body if isinstance(body, bytes) else json.dumps(body).encode()


@dataclass
class Fake:
    """A server that answers with `answer(path, body)` and remembers what it was sent."""

    url: str
    answer: Callable[[str, Any], Answer]
    asked: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)

    def texts(self) -> list[str]:
        return [text for _, _, body in self.asked if body for text in body["input"]]


def _answer_well(path: str, body: Any) -> Answer:
    if path == "/v1/embeddings":
        return answered(openai(body["input"]))
    if path == "/api/tags":
        return answered(TAGS)
    if path == "/api/embed":
        return answered({"embeddings": [vector(text) for text in body["input"]]})
    return answered({"error": {"message": f"no such path {path}"}}, 404)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    class Handler(BaseHTTPRequestHandler):
        def _respond(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            fake.asked.append((self.path, dict(self.headers), body))
            status, headers, content = fake.answer(self.path, body)
            if status == 0:  # hang up
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = _respond  # noqa: N815 - the names are those of the library

        def log_message(self, *_arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        fake = Fake(f"http://127.0.0.1:{running.server_port}", _answer_well)
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield fake
        running.shutdown()
        thread.join()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was waited, without waiting."""
    waited: list[float] = []
    monkeypatch.setattr(server_module.ModelServer.__init__, "__kwdefaults__", {"sleep": waited.append})
    return waited


@pytest.fixture
def model(fake: Fake, pauses: list[float]) -> OpenAIEmbedder:
    return OpenAIEmbedder("small", Endpoint(fake.url + "/v1/", KEY))


def test_rows_come_in_the_order_of_the_texts(model: OpenAIEmbedder, fake: Fake) -> None:
    texts = ["a" * (length % 40 + 1) for length in range(70)]
    rows = model.embed_documents(texts)
    assert rows.shape == (70, 3)
    assert rows.dtype == np.float32
    expected = np.array([vector(text) for text in texts])
    np.testing.assert_allclose(rows, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    assert fake.texts() == ["dimension", *texts]
    path, headers, body = fake.asked[-1]
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body["model"] == "small"
    assert max(len(body["input"]) for _, _, body in fake.asked) <= 32


def test_the_id_names_the_place_and_no_secret(model: OpenAIEmbedder, fake: Fake) -> None:
    place = fake.url.removeprefix("http://")
    assert model.id == f"openai:small@{place}/v1"
    assert fake.asked == []
    assert (
        OpenAIEmbedder("intfloat/e5-small-v2", Endpoint(fake.url)).id == f"openai:intfloat/e5-small-v2@{place}+prefixes"
    )
    assert KEY not in repr(Endpoint(fake.url, KEY))


def test_the_dimension_is_learnt_once(model: OpenAIEmbedder, fake: Fake) -> None:
    assert (model.dimension, model.dimension) == (3, 3)
    assert model.embed_documents([]).shape == (0, 3)
    assert len(fake.asked) == 1


@pytest.mark.parametrize("text", ["", "\0", " \n"])
def test_texts_without_content_are_not_sent(model: OpenAIEmbedder, fake: Fake, text: str) -> None:
    assert not model.embed_documents([text]).any()
    assert fake.texts() == ["dimension"]


def test_hostile_texts_are_sent_as_what_json_can_hold(model: OpenAIEmbedder, fake: Fake) -> None:
    rows = model.embed_documents(["\ud800 and", "x" * 1_000_000])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert fake.texts()[1:] == ["\ufffd and", "x" * 6_000]


def test_a_model_that_wants_prefixes_gets_them(fake: Fake) -> None:
    model = OpenAIEmbedder("nomic-ai/nomic-embed-text-v1.5", Endpoint(fake.url + "/v1"))
    model.embed_documents(["limits"])
    model.embed_queries(["limits"])
    assert fake.texts()[1:] == ["search_document: limits", "search_query: limits"]


@pytest.mark.parametrize(
    ("name", "query", "document"),
    [
        ("intfloat/e5-small-v2", "query: ", "passage: "),
        ("multilingual-e5-large", "query: ", "passage: "),
        ("BAAI/bge-small-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("bge-m3", "", ""),
        ("nomic-embed-text:v1.5", "search_query: ", "search_document: "),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "query: ", ""),
        ("text-embedding-3-small", "", ""),
        ("", "", ""),
    ],
)
def test_prefixes_go_by_the_name(name: str, query: str, document: str) -> None:
    assert (prefixes_of(name).query, prefixes_of(name).document) == (query, document)


GOOD = {"index": 0, "embedding": [1.0, 2.0, 3.0]}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[" * 100_000,
        [],
        {},
        {"data": {}},
        {"data": []},
        {"data": [GOOD, GOOD]},
        {"data": [{**GOOD, "index": 1}]},
        {"data": [{**GOOD, "index": "0"}]},
        {"data": [{**GOOD, "index": True}]},
        {"data": [GOOD, {**GOOD, "index": 1}]},
        {"data": [{"embedding": [1.0, 2.0, 3.0]}]},
        {"data": [{"index": 0}]},
        {"data": [{"index": 0, "embedding": []}]},
        {"data": [{"index": 0, "embedding": [1.0, 2.0]}]},
        {"data": [{"index": 0, "embedding": [1.0, None, 2.0]}]},
        {"data": [{"index": 0, "embedding": ["a", "b", "c"]}]},
        b'{"data": [{"index": 0, "embedding": [1.0, NaN, 2.0]}]}',
        b'{"data": [{"index": 0, "embedding": [1.0, 1e999, 2.0]}]}',
        b'{"data": [{"index": 0, "embedding": "AACAPwAAAEA="}]}',
        b"\xff\xfe",
    ],
    ids=lambda body: str(body)[:40],
)
def test_nonsense_is_an_outage_and_never_a_row(model: OpenAIEmbedder, fake: Fake, body: object) -> None:
    assert model.dimension == 3
    fake.answer = lambda path, asked: answered(body)
    with pytest.raises(EmbedderError):
        model.embed_documents(["limits"])
    fresh = OpenAIEmbedder("small", Endpoint(fake.url + "/v1"))
    if b"1.0, 2.0]}" not in (body if isinstance(body, bytes) else json.dumps(body).encode()):
        with pytest.raises(EmbedderError):
            fresh.embed_documents(["limits"])


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again(model: OpenAIEmbedder, fake: Fake, pauses: list[float], status: int) -> None:
    assert model.dimension == 3
    answers = iter(
        [answered({}, status), answered({}, status, Retry_After="5"), answered({}, status, Retry_After="9999")]
    )
    fake.answer = lambda path, body: next(answers, None) or _answer_well(path, body)
    assert model.embed_documents(["limits"]).any()
    assert pauses == [0.5, 5.0, 30.0]


def test_a_connection_that_breaks_is_tried_again(model: OpenAIEmbedder, fake: Fake, pauses: list[float]) -> None:
    assert model.dimension == 3
    answers = iter([(0, {}, b""), (0, {}, b"")])
    fake.answer = lambda path, body: next(answers, None) or _answer_well(path, body)
    assert model.embed_documents(["limits"]).any()
    assert pauses == [0.5, 2.0]


def test_asking_again_has_an_end(model: OpenAIEmbedder, fake: Fake, pauses: list[float]) -> None:
    fake.answer = lambda path, body: answered({"error": {"message": "too many requests"}}, 429)
    with pytest.raises(EmbedderError, match="it answers 429: too many requests"):
        model.embed_documents(["limits"])
    assert len(fake.asked) == 4
    assert pauses == [0.5, 2.0, 6.0]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422, 501])
def test_a_refusal_is_not_asked_again(model: OpenAIEmbedder, fake: Fake, pauses: list[float], status: int) -> None:
    fake.answer = lambda path, body: answered({"error": {"message": f"wrong key {KEY}\x1b[2J"}}, status)
    with pytest.raises(EmbedderError, match=f"it answers {status}: wrong key") as caught:
        model.embed_documents(["limits"])
    assert len(fake.asked) == 1
    assert pauses == []
    assert KEY not in f"{caught.value.message}{caught.value.help}{caught.value.__cause__}"
    assert "\x1b" not in caught.value.message


@pytest.mark.parametrize("body", [{"error": "gone"}, {"message": "gone"}, {"detail": "gone"}], ids=str)
def test_the_words_of_a_server_are_passed_on(model: OpenAIEmbedder, fake: Fake, body: object) -> None:
    fake.answer = lambda path, asked: answered(body, 404)
    with pytest.raises(EmbedderError, match="it answers 404: gone"):
        model.embed_documents(["limits"])


@pytest.mark.parametrize("body", [b"", b"<html>", b"[1]", b'{"error": {"code": 3}}'], ids=str)
def test_an_error_without_words_is_its_number(model: OpenAIEmbedder, fake: Fake, body: bytes) -> None:
    fake.answer = lambda path, asked: answered(body, 404)
    with pytest.raises(EmbedderError, match=r"it answers 404$"):
        model.embed_documents(["limits"])


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(model: OpenAIEmbedder, fake: Fake, status: int) -> None:
    fake.answer = lambda path, body: answered({}, status, Location=fake.url + "/elsewhere")
    with pytest.raises(EmbedderError, match="redirect"):
        model.embed_documents(["limits"])
    with pytest.raises(EmbedderError, match="redirect"):
        _ = choose_embedder("ollama:nomic", endpoint=Endpoint(fake.url)).id
    assert [path for path, _, _ in fake.asked] == ["/v1/embeddings", "/api/tags"]


def test_an_answer_that_breaks_off_is_an_outage(model: OpenAIEmbedder, fake: Fake) -> None:
    fake.answer = lambda path, body: answered(json.dumps(openai(body["input"])).encode()[:-9])
    with pytest.raises(EmbedderError, match="no JSON"):
        model.embed_documents(["limits"])


def test_an_answer_that_drips_is_given_up(model: OpenAIEmbedder, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 7))
    monkeypatch.setattr(server_module, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))

    class Dripping(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return b" "[:size]

    monkeypatch.setattr(model.server._opener, "open", lambda request, timeout: Dripping())
    with pytest.raises(EmbedderError, match="in time"):
        model.embed_documents(["limits"])


def test_an_answer_without_end_is_cut(model: OpenAIEmbedder, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "_MOST_BYTES", 1 << 20)
    fake.answer = lambda path, body: answered(b" " * (3 << 20))
    with pytest.raises(EmbedderError, match="longer than 1 MiB"):
        model.embed_documents(["limits"])


def test_an_answer_that_takes_too_long_is_given_up(
    model: OpenAIEmbedder, fake: Fake, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "_TIMEOUT", 0.05)
    done = threading.Event()

    def wait(path: str, body: Any) -> Answer:
        done.wait(30)
        return 0, {}, b""

    fake.answer = wait
    try:
        with pytest.raises(EmbedderError, match="in time"):
            model.embed_documents(["limits"])
    finally:
        done.set()
    assert len(pauses) == 3


def test_a_server_that_does_not_run_is_said(fake: Fake, pauses: list[float]) -> None:
    model = OpenAIEmbedder("small", Endpoint("http://127.0.0.1:1/v1"))
    with pytest.raises(EmbedderError, match=r"at 127.0.0.1:1/v1 cannot be used: Connection refused") as caught:
        model.embed_queries(["limits"])
    assert caught.value.help
    assert len(pauses) == 3


def test_nothing_goes_to_this_machine_through_a_proxy(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert OpenAIEmbedder("small", Endpoint(fake.url + "/v1")).embed_documents(["limits"]).any()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost",
        "localhost:8080",
        "file:///etc/passwd",
        "ftp://example.org",
        "http://",
        "http://:80",
        "https://user:secret@example.org/v1",
        "https://example.org/v1?key=secret",
        "https://example.org/v1#secret",
        "https://example.org:99999/",
        "https://example.org:0/",
        "https://[::1/",
        "https://example.org/\r\nX-Evil: 1",
        "https://ex ample.org",
        "https://exämple.org",
    ],
)
def test_what_is_no_plain_url_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        ModelServer(Endpoint(url))
    assert "secret" not in f"{caught.value.message}{caught.value.help}"


@pytest.mark.parametrize("key", ["a\nb", "a\r\nX-Evil: 1", "ключ", " a", "a\x7f"])
def test_what_is_no_key_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(UsageError, match="no key has") as caught:
        ModelServer(Endpoint("https://example.org", key))
    assert key not in caught.value.message


@pytest.mark.parametrize("url", ["http://example.org/v1", "http://10.0.0.1", "http://localhost.example.org"])
def test_a_key_does_not_travel_in_the_clear(url: str) -> None:
    with pytest.raises(RefusedError, match="in the clear"):
        ModelServer(Endpoint(url, KEY))
    ModelServer(Endpoint(url))


@pytest.mark.parametrize(
    "url", ["http://localhost:1", "http://127.0.0.1", "http://[::1]:8000/v1", "https://example.org"]
)
def test_a_key_may_go_where_nobody_listens(url: str) -> None:
    ModelServer(Endpoint(url, KEY))


def test_openai_without_a_url_asks_for_one() -> None:
    with pytest.raises(UsageError) as caught:
        choose_embedder("openai:text-embedding-3-small")
    assert "RECALL_EMBEDDER_URL" in caught.value.help


def test_ollama_is_asked_for_the_digest_of_its_model(fake: Fake) -> None:
    model = choose_embedder("ollama:nomic", endpoint=Endpoint(fake.url))
    assert model.id == "ollama:nomic@sha256:0a1b2c3d4e5f"
    assert model.id == model.id
    rows = model.embed_documents(["a", "bb"])
    assert rows.shape == (2, 3)
    assert rows[0, 0] < rows[1, 0]
    assert [path for path, _, _ in fake.asked] == ["/api/tags", "/api/embed", "/api/embed"]
    assert "Authorization" not in fake.asked[0][1]


def test_a_model_that_ollama_lacks_is_said_with_what_to_type(fake: Fake) -> None:
    with pytest.raises(EmbedderError, match="no model `absent`") as caught:
        _ = choose_embedder("ollama:absent", endpoint=Endpoint(fake.url)).id
    assert caught.value.help == "ollama pull absent"


@pytest.mark.parametrize("body", [[], {}, {"models": 3}, {"models": [{"name": "nomic", "digest": None}]}], ids=str)
def test_a_list_of_models_that_is_none_is_an_outage(fake: Fake, body: object) -> None:
    fake.answer = lambda path, asked: answered(body)
    with pytest.raises(EmbedderError, match="answered"):
        _ = choose_embedder("ollama:nomic", endpoint=Endpoint(fake.url)).id


@pytest.mark.parametrize("body", [[], {}, {"embeddings": 3}, {"embeddings": []}, {"embeddings": [3]}], ids=str)
def test_nonsense_from_ollama_is_an_outage(fake: Fake, body: object) -> None:
    fake.answer = lambda path, asked: answered(body)
    with pytest.raises(EmbedderError, match="answered"):
        choose_embedder("ollama:nomic", endpoint=Endpoint(fake.url)).embed_documents(["limits"])


def test_ollama_is_by_default_that_of_this_machine() -> None:
    assert OllamaEmbedder("nomic", Endpoint()).server.place == OLLAMA_URL.removeprefix("http://")
