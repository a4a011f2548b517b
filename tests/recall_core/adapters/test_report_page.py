"""The page of a calibration: whole in itself, and nothing in it that a question could put there."""

from datetime import UTC, datetime
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from recall_core.adapters.report_page import render_page, render_picture
from recall_core.calibration.artifact import Artifact, Binding
from recall_core.calibration.bundle import Bundle
from recall_core.calibration.measure import Maker, build_artifact, take_sample
from recall_core.calibration.queryset import build_query_set
from recall_core.calibration.rule import Midgap

HOSTILE = "</td><script>alert(1)</script><img src=x onerror=alert(2)> \u202e & \x1b[31m"


def make(answerable: int, unanswerable: int) -> Bundle:
    queries = build_query_set(
        [{"query": f"answered {number} {HOSTILE}", "answerable": True} for number in range(answerable)]
        + [{"query": f"unknown {number} {HOSTILE}", "answerable": False} for number in range(unanswerable)]
    )
    samples = [take_sample(entry, (0.7 if entry.answerable else 0.4) + len(entry.query) / 999) for entry in queries]
    binding = Binding("<b>", "gen_1", "model<i>", 384, "sha256:pipeline", "sha256:corpus")
    maker = Maker("<u>ada", datetime(2026, 3, 1, tzinfo=UTC), "1.2.3")
    artifact = build_artifact(queries, samples, Midgap(), binding, maker)
    assert isinstance(artifact, Artifact)
    return Bundle(artifact, queries)


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words += data


def test_a_page_holds_no_script_no_handler_and_nothing_from_elsewhere() -> None:
    page = Page(render_page(make(30, 30), "draft"))
    assert not {"script", "img", "link", "iframe", "object", "a"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href")]
    policy = dict(page.attributes)["content"]
    assert policy is not None
    assert any(value is not None and value.startswith("default-src 'none'") for _, value in page.attributes)
    assert page.tags.count("svg") == 3


def test_what_a_question_holds_is_shown_and_never_acts() -> None:
    text = render_page(make(30, 30), "draft")
    assert not {"\u202e", "\x1b"} & set(text)
    assert "<script>alert(1)</script>" in Page(text).words


def test_a_page_says_verdict_promise_and_area() -> None:
    words = Page(render_page(make(30, 30), "published")).words
    assert "certified: the classes are apart" in words
    assert "of unanswerable questions are answered (0 of 30 here)" in words
    assert "(AURC) is 0." in words
    assert "published" in words


@pytest.mark.parametrize("classes", [(30, 30), (1, 0), (0, 1), (1, 1)], ids=str)
def test_the_picture_is_xml_for_any_number_of_queries(classes: tuple[int, int]) -> None:
    bundle = make(*classes)
    render_page(bundle, "draft")
    root = ET.fromstring(render_picture(bundle))
    assert len(root.findall("{http://www.w3.org/2000/svg}svg")) == 3
