"""A calibration as one page that needs nothing else: no script, no font, no picture from elsewhere."""

from collections.abc import Iterator, Sequence
from html import escape

from recall_core.adapters.report_charts import STYLE, draw_all, draw_confidences, draw_risk, draw_scores
from recall_core.calibration.artifact import Artifact
from recall_core.calibration.bundle import Bundle
from recall_core.calibration.facts import list_facts
from recall_core.calibration.figures import Figures, build_figures
from recall_core.calibration.sample import Sample
from recall_core.calibration.words import tell_promise, tell_remedies, tell_verdict
from recall_core.model.escape import visible

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_PAGE_STYLE = """
:root { color-scheme: light dark; --ink: #222; --faint: #bbb; --paper: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --faint: #666; --paper: #181818; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 44rem;
  margin: 2rem auto; padding: 0 1rem; }
svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .2rem .6rem .2rem 0; vertical-align: top; overflow-wrap: anywhere; }
tr { border-bottom: 1px solid var(--faint); }
th, td.number, td.did { white-space: nowrap; }
td.number { font-variant-numeric: tabular-nums; }
.verdict { font-weight: 600; }
.key { display: inline-block; width: .8em; height: .8em; }
.key.a { background: #2271b2; } .key.u { background: #d55e00; }
"""


def render_page(bundle: Bundle, state: str) -> str:
    """The page of an artifact with its labels; `state` is where it stands now."""
    return "".join(_render(bundle, state))


def render_picture(bundle: Bundle) -> str:
    """The charts alone, as one SVG file."""
    return draw_all(build_figures(bundle.artifact), bundle.artifact.threshold)


def _render(bundle: Bundle, state: str) -> Iterator[str]:
    artifact = bundle.artifact
    figures = build_figures(artifact)
    questions = {entry.digest: entry.query for entry in bundle.queries}
    yield (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(artifact.id)}</title>'
        f"<style>{_PAGE_STYLE}{STYLE}</style></head><body>\n"
    )
    yield f"<h1>Calibration {escape(artifact.id)}</h1>\n"
    yield f'<p class="verdict">{_escape(tell_verdict(artifact))}</p>\n'
    yield f"<p>{_escape(_begin(tell_promise(artifact)))}.</p>\n"
    if remedies := tell_remedies(artifact):
        yield "<h2>What would make it better</h2>\n<ul>"
        yield "".join(f"<li>{_escape(remedy)}</li>" for remedy in remedies)
        yield "</ul>\n"
    yield from _render_charts(artifact, figures)
    yield from _render_worst("Unanswerable, with the highest scores", figures.answered, artifact, questions)
    yield from _render_worst("Answerable, with the lowest scores", figures.refused, artifact, questions)
    yield from _render_facts(artifact, state)
    yield "</body></html>\n"


def _render_charts(artifact: Artifact, figures: Figures) -> Iterator[str]:
    yield (
        '<h2>Scores</h2>\n<p><span class="key a"></span> answerable <span class="key u"></span> unanswerable. A query'
        " is answered from the threshold on.</p>\n"
    )
    yield draw_scores(figures.scores, artifact.threshold)
    yield (
        "<h2>Reliability</h2>\n<p>How many of the queries of one confidence are answerable; a larger circle stands for"
        " more. Confidence ranks hits and is one half at the threshold. It is no probability: the circles need not lie"
        " on the line.</p>\n"
    )
    yield draw_confidences(figures.confidences)
    yield (
        "<h2>Risk and coverage</h2>\n<p>With every threshold: the share of queries that is answered, and of these"
        f" the share that has no answer. The area under the curve (AURC) is {figures.aurc:.4f}."
        f"{_tell_chosen(figures)}</p>\n"
    )
    yield draw_risk(figures.curve, figures.chosen)


def _tell_chosen(figures: Figures) -> str:
    if figures.chosen is None:
        return " The threshold answers nothing."
    return f" At the threshold coverage is {figures.chosen.coverage:.3f} and risk {figures.chosen.risk:.3f}."


def _render_worst(
    title: str, samples: Sequence[Sample], artifact: Artifact, questions: dict[str, str]
) -> Iterator[str]:
    yield f"<h2>{title}</h2>\n"
    if not samples:
        yield "<p>There are none.</p>\n"
        return
    yield "<table><tr><th>score</th><th>it is</th><th>query</th></tr>\n"
    for sample in samples:
        did = "answered" if sample.score >= artifact.threshold else "refused"
        query = _escape(questions.get(sample.entry, sample.entry))
        yield f'<tr><td class="number">{sample.score:.3f}</td><td class="did">{did}</td><td>{query}</td></tr>\n'
    yield "</table>\n"


def _render_facts(artifact: Artifact, state: str) -> Iterator[str]:
    facts = list_facts(artifact, state)
    yield "<h2>What it is bound to</h2>\n<table>"
    yield "".join(f"<tr><th>{_escape(name)}</th><td>{_escape(value)}</td></tr>" for name, value in facts.items())
    yield "</table>\n"


def _begin(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _escape(text: str) -> str:
    return escape(visible(text))
