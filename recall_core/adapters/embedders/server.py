"""A model server on the network, asked in JSON: only the host that the user named, within bounds of time and size."""

import http.client
import ipaddress
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from recall_core.adapters.embedders.endpoint import Endpoint
from recall_core.errors import EmbedderError, RefusedError, UsageError
from recall_core.model.escape import visible

_TIMEOUT: Final = 60.0
"""Seconds for one answer, from the connection to its last byte."""
_MOST_BYTES: Final = 64 << 20
_PAUSES: Final = (0.5, 2.0, 6.0)
"""Seconds before each further try."""
_LONGEST_PAUSE: Final = 30.0
"""What a server may ask for by `Retry-After`."""
_PASSING: Final = frozenset({429, 500, 502, 503, 504})
_CONNECTION: Final = (OSError, http.client.HTTPException)
_EXAMPLE: Final = "give a base URL such as `https://api.openai.com/v1`"


class ModelServer:
    """The server behind `endpoint`.

    Redirects are not followed, so that no text goes to a host that the user did not name. Raises UsageError for what
    is no URL, RefusedError where the key would travel in the clear.
    """

    def __init__(self, endpoint: Endpoint, *, sleep: Callable[[float], None] = time.sleep) -> None:
        parts = _demand_url(endpoint.url or "")
        host = parts.hostname or ""
        self.place = parts.netloc + parts.path.rstrip("/")
        """The host, its port and the path, for messages and ids: there is no secret in it."""
        self._base = f"{parts.scheme}://{self.place}"
        self._key = _demand_key(endpoint.key)
        self._sleep = sleep
        is_near = _is_loopback(host)
        if self._key and parts.scheme == "http" and not is_near:
            raise RefusedError(
                f"the key for {visible(self.place)} would travel in the clear", help="use https, or give no key"
            )
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({} if is_near else None), _NoRedirects())

    def get(self, path: str) -> Any:
        """The JSON under `path`. Raises EmbedderError as `post`."""
        return self._ask(path, None)

    def post(self, path: str, body: object) -> Any:
        """The JSON that `body` is answered with.

        Asks again, three times at most, where the connection fails or the server is busy. Raises EmbedderError where
        there is no answer, or none that can be read.
        """
        return self._ask(path, json.dumps(body).encode())

    def _ask(self, path: str, content: bytes | None) -> Any:
        for pause in (*_PAUSES, None):
            try:
                return self._parse(self._once(path, content))
            except urllib.error.HTTPError as error:
                with error:
                    if pause is None or error.code not in _PASSING:
                        raise self._failed(self._explain(error)) from None
                    self._sleep(max(pause, _asked_pause(error)))
            except _CONNECTION as error:
                if pause is None:
                    raise self._failed(_reason(error)) from None
                self._sleep(pause)
        raise AssertionError

    def _once(self, path: str, content: bytes | None) -> bytes:
        headers = {"Accept": "application/json", "Content-Type": "application/json", "User-Agent": "recall"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._base + path, content, headers)  # noqa: S310 - http and https alone
        ends = time.monotonic() + _TIMEOUT
        with self._opener.open(request, timeout=_TIMEOUT) as answer:
            return _read(answer, ends)

    def _parse(self, content: bytes) -> Any:
        if len(content) > _MOST_BYTES:
            raise self._failed(f"the answer is longer than {_MOST_BYTES >> 20} MiB")
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise self._failed("the answer is no JSON") from None

    def _explain(self, error: urllib.error.HTTPError) -> str:
        if 300 <= error.code < 400:
            return f"it answers {error.code}, a redirect, which is not followed; give the URL that it leads to"
        try:
            said = _message(json.loads(_read(error, time.monotonic() + _TIMEOUT)[:10_000]))
        except (*_CONNECTION, ValueError, RecursionError):
            said = ""
        if self._key:
            said = said.replace(self._key, "***")
        return f"it answers {error.code}" + (f": {visible(said, limit=300)}" if said else "")

    def _failed(self, reason: str) -> EmbedderError:
        return EmbedderError(
            f"the model server at {visible(self.place)} cannot be used: {reason}",
            help="check the URL, the key and the name of the model, and that the server runs",
        )


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: object, **_more: object) -> None:
        return None


def _read(answer: Any, ends: float) -> bytes:
    """What is answered, and one byte more than is allowed where it is longer. Raises TimeoutError after `ends`."""
    content = bytearray()
    while len(content) <= _MOST_BYTES:
        if time.monotonic() > ends:
            raise TimeoutError("the answer takes too long")
        some = answer.read1(1 << 16)  # what has come, so that a server that drips is seen to be late
        if not some:
            break
        content += some
    return bytes(content[: _MOST_BYTES + 1])


def _message(answer: object) -> str:
    """The words of an error, as OpenAI (`error.message`), Ollama (`error`) and others write them."""
    if not isinstance(answer, dict):
        return ""
    said = answer.get("error", answer.get("message", answer.get("detail")))
    if isinstance(said, dict):
        said = said.get("message")
    return said if isinstance(said, str) else ""


def _reason(error: Exception) -> str:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return "it does not answer in time"
    words = cause.strerror if isinstance(cause, OSError) else None
    return visible(words or str(cause) or type(cause).__name__, limit=200)


def _asked_pause(error: urllib.error.HTTPError) -> float:
    value = error.headers.get("Retry-After", "") if error.headers else ""
    return min(float(value), _LONGEST_PAUSE) if value.isascii() and value.isdigit() else 0.0


def _demand_url(url: str) -> SplitResult:
    if not url.isascii() or not url.isprintable() or " " in url:
        raise UsageError("the URL of the model server has characters that no URL has", help=_EXAMPLE)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError("the URL of the model server cannot be read", help=_EXAMPLE) from error
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise UsageError("the URL of the model server is no http or https URL", help=_EXAMPLE)
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise UsageError(
            "the URL of the model server holds more than a host and a path", help="give the key as RECALL_EMBEDDER_KEY"
        )
    return parts


def _demand_key(key: str | None) -> str | None:
    if key is not None and not (key.isascii() and key.isprintable() and key.strip() == key):
        raise UsageError("the key of the model server has characters that no key has", help="copy it once more")
    return key or None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
