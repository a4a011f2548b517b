"""`recall search`: retrieve, judge, and say what can be relied on."""

import sys
from typing import TYPE_CHECKING

import click

from recall_core.cli.instant import Instant, Moment
from recall_core.cli.options import embedder_option, format_option, store_options
from recall_core.wiring import Choices, Wiring, read_screen

if TYPE_CHECKING:
    from recall_core.app.answer import Refused, SearchResult
    from recall_core.trust.policy import TrustPolicy

REFUSED = 3
DEFAULT_K = 5


@click.command("search", short_help="Ask the memos, and be told which answers hold.")
@click.argument("query")
@click.option("-k", type=int, default=DEFAULT_K, show_default=True, metavar="NUMBER", help="How many hits at most.")
@click.option("--at", type=Instant(), help="Judge validity windows on this day.  [default: now, UTC]")
@click.option("--known-at", type=Instant(), help="As far as the corpus knew it then.")
@click.option("--generation", metavar="ID", help="Search this generation.  [default: the one that is served]")
@click.option("--entail", metavar="NAME", help="Ask `lexical`, `openai:MODEL` … whether each hit answers.")
@click.option("--explain", is_flag=True, help="Say what each verdict is made of.")
@click.option("--all", "all_", is_flag=True, help="Show the hits that do not hold too.")
@embedder_option
@format_option
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours in the output.")
@store_options
def command(
    *,
    query: str,
    k: int,
    at: Moment | None,
    known_at: Moment | None,
    generation: str | None,
    entail: str | None,
    explain: bool,
    all_: bool,
    format_: str,
    color: str,
    choices: Choices,
) -> int:
    """Search the generation that is served, and judge every hit.

    Exit status: 0 answered, 1 nothing can be relied on, 2 could not run, 3 refused: no judgment was possible.
    """
    from recall_core.adapters.output import say, write
    from recall_core.app.answer import Refused
    from recall_core.cli import search_json, search_text

    with Wiring(choices) as wiring:
        found = run(wiring, query, k=k, at=at, known_at=known_at, generation=generation, entail=entail)
    if isinstance(found, Refused):
        if format_ == "json":
            write(search_json.render_refusal(found.refusal))
        say(search_text.describe_refusal(found, read_screen(color, sys.stderr)))
        return REFUSED
    if format_ == "json":
        write(search_json.render(found, explain=explain))
    else:
        write(search_text.render(found, all_hits=all_, explain=explain, screen=read_screen(color, sys.stdout)))
    return 1 if found.judged.abstained or not found.judged.hits else 0


def run(
    wiring: Wiring,
    query: str,
    *,
    k: int = DEFAULT_K,
    at: Moment | None = None,
    known_at: Moment | None = None,
    generation: str | None = None,
    entail: str | None = None,
    policy: "TrustPolicy | None" = None,
) -> "SearchResult | Refused":
    """Ask the tenant of `wiring`, under its policy unless another is given."""
    from recall_core.adapters import clock
    from recall_core.app.search import SearchRequest, search

    now = clock.now()
    request = SearchRequest(
        query,
        k,
        at.instant if at is not None else now,
        at.written if at is not None else now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        known_at.instant if known_at is not None else None,
        known_at.written if known_at is not None else None,
        generation,
        wiring.tenant,
        policy or wiring.policy,
        wiring.max_age,
    )
    return search(request, wiring.tools(entailer=entail), now=now)
