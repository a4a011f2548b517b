"""The charts of a calibration report, each one SVG: no script, no link, nothing from elsewhere."""

from collections.abc import Iterable
from html import escape

from recall_core.calibration.figures import ConfidenceBin, Figures, RiskPoint, ScoreBin

WIDTH, HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 16, 44
_INNER_WIDTH, _INNER_HEIGHT = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

STYLE = """
text { font: 12px system-ui, sans-serif; fill: var(--ink, #222); }
.axis { stroke: var(--ink, #222); stroke-width: 1; }
.guide { stroke: var(--faint, #bbb); stroke-width: 1; stroke-dasharray: 4 4; }
.answerable { fill: #2271b2; fill-opacity: .75; }
.unanswerable { fill: #d55e00; fill-opacity: .75; }
.threshold { stroke: var(--ink, #222); stroke-width: 2; stroke-dasharray: 6 3; }
.line { fill: none; stroke: #2271b2; stroke-width: 2; }
.point { fill: #2271b2; }
.chosen { fill: #d55e00; }
"""


def draw_scores(bins: tuple[ScoreBin, ...], threshold: float) -> str:
    """Histograms of both classes side by side over one axis, and the threshold."""
    low, high = min(bins[0].low, threshold), max(bins[-1].high, threshold)
    top = max(max(each.answerable, each.unanswerable) for each in bins) or 1
    plane = _Plane(low, high, 0, top)
    parts = list(_draw_axes(plane, "score of the best hit", "queries", whole=True))
    for each in bins:
        middle = (each.low + each.high) / 2
        parts.append(_draw_bar(plane, each.low, middle, each.answerable, "answerable"))
        parts.append(_draw_bar(plane, middle, each.high, each.unanswerable, "unanswerable"))
    at = plane.x(threshold)
    parts.append(f'<line class="threshold" x1="{at:.1f}" y1="{_TOP}" x2="{at:.1f}" y2="{_TOP + _INNER_HEIGHT}"/>')
    side, shift = ("end", -6) if at > WIDTH / 2 else ("start", 6)
    parts.append(f'<text x="{at + shift:.1f}" y="{_TOP + 12}" text-anchor="{side}">threshold {threshold:.3f}</text>')
    return _wrap("Scores of answerable and of unanswerable queries, with the threshold", parts)


def draw_confidences(bins: tuple[ConfidenceBin, ...]) -> str:
    """A reliability diagram: how many of the queries of one confidence are answerable; the area says how many."""
    plane = _Plane(0, 1, 0, 1)
    parts = list(_draw_axes(plane, "confidence of the best hit", "share that is answerable"))
    parts.append(_draw_guide(plane, (0, 0), (1, 1)))
    most = max(each.queries for each in bins)
    for each in bins:
        radius = 3 + 9 * (each.queries / most) ** 0.5
        parts.append(
            f'<circle class="point" cx="{plane.x(each.confidence):.1f}" cy="{plane.y(each.answerable):.1f}"'
            f' r="{radius:.1f}"><title>{each.queries} of confidence {each.confidence:.2f}:'
            f" {each.answerable:.2f} answerable</title></circle>"
        )
    return _wrap("Reliability: the share of answerable queries at each confidence", parts)


def draw_risk(curve: tuple[RiskPoint, ...], chosen: RiskPoint | None) -> str:
    """The risk-coverage curve, and the point at which the threshold stands."""
    top = max(0.1, *(point.risk for point in curve)) * 1.1
    plane = _Plane(0, 1, 0, top)
    parts = list(_draw_axes(plane, "coverage: share of all queries that is answered", "risk: of these, unanswerable"))
    points = " ".join(f"{plane.x(point.coverage):.1f},{plane.y(point.risk):.1f}" for point in curve)
    parts.append(f'<polyline class="line" points="{points}"/>')
    if chosen is not None:
        parts.append(
            f'<circle class="chosen" cx="{plane.x(chosen.coverage):.1f}" cy="{plane.y(chosen.risk):.1f}" r="5"/>'
        )
    return _wrap("Risk and coverage, with the point of the threshold", parts)


def draw_all(figures: Figures, threshold: float) -> str:
    """The three charts below each other, as one picture for other pages."""
    charts = (
        draw_scores(figures.scores, threshold),
        draw_confidences(figures.confidences),
        draw_risk(figures.curve, figures.chosen),
    )
    placed = "".join(
        chart.replace("<svg ", f'<svg y="{place * HEIGHT}" height="{HEIGHT}" ', 1) for place, chart in enumerate(charts)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {3 * HEIGHT}" width="{WIDTH}"'
        f' height="{3 * HEIGHT}"><style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>{placed}</svg>\n'
    )


class _Plane:
    """From values to places in the picture."""

    def __init__(self, low: float, high: float, bottom: float, top: float) -> None:
        self.low, self.bottom = low, bottom
        self.width, self.height = (high - low) or 1.0, (top - bottom) or 1.0

    def x(self, value: float) -> float:
        return _LEFT + (value - self.low) / self.width * _INNER_WIDTH

    def y(self, value: float) -> float:
        return _TOP + _INNER_HEIGHT - (value - self.bottom) / self.height * _INNER_HEIGHT


def _draw_axes(plane: _Plane, along: str, up: str, *, whole: bool = False) -> Iterable[str]:
    floor = _TOP + _INNER_HEIGHT
    yield f'<line class="axis" x1="{_LEFT}" y1="{floor}" x2="{WIDTH - _RIGHT}" y2="{floor}"/>'
    yield f'<line class="axis" x1="{_LEFT}" y1="{_TOP}" x2="{_LEFT}" y2="{floor}"/>'
    for step in range(5):
        value = plane.low + plane.width * step / 4
        yield f'<text x="{plane.x(value):.1f}" y="{floor + 16}" text-anchor="middle">{value:.2f}</text>'
    for height in (0, round(plane.height / 2), plane.height) if whole else (0, plane.height / 2, plane.height):
        written = f"{height:.0f}" if whole else f"{height:.2f}"
        yield f'<text x="{_LEFT - 6}" y="{plane.y(height) + 4:.1f}" text-anchor="end">{written}</text>'
    yield f'<text x="{_LEFT + _INNER_WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(along)}</text>'
    middle = _TOP + _INNER_HEIGHT / 2
    yield (f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">{escape(up)}</text>')


def _draw_bar(plane: _Plane, low: float, high: float, count: int, kind: str) -> str:
    if not count:
        return ""
    top = plane.y(count)
    width = max(plane.x(high) - plane.x(low), 1)
    return (
        f'<rect class="{kind}" x="{plane.x(low):.1f}" y="{top:.1f}" width="{width:.1f}"'
        f' height="{_TOP + _INNER_HEIGHT - top:.1f}"><title>{count} {kind}</title></rect>'
    )


def _draw_guide(plane: _Plane, start: tuple[float, float], end: tuple[float, float]) -> str:
    return (
        f'<line class="guide" x1="{plane.x(start[0]):.1f}" y1="{plane.y(start[1]):.1f}"'
        f' x2="{plane.x(end[0]):.1f}" y2="{plane.y(end[1]):.1f}"/>'
    )


def _wrap(title: str, parts: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )
