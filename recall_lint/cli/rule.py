"""`recall rule`: a rule's page, or the list of all."""

import click

from recall_core.errors import UsageError


@click.command("rule")
@click.argument("name", required=False, metavar="[CODE]")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours in the output.")
def command(name: str | None, format_: str, color: str) -> int:
    """Explain a rule, by its code or name; without one, list them all."""
    from recall_lint.rules import REGISTERED, Registered

    def describe(registered: Registered) -> dict[str, str]:
        rule = registered.rule
        return {
            "code": rule.code,
            "name": rule.name,
            "severity": rule.severity.value,
            "summary": summarise(registered.page),
        }

    chosen = REGISTERED
    if name is not None:
        wanted = name.strip().lower()
        chosen = tuple(each for each in REGISTERED if wanted in (each.rule.code.lower(), each.rule.name))
        if not chosen:
            raise UsageError(f"no rule is called `{name}`", help=_suggest(wanted))
    if format_ == "json":
        import json

        rows = [describe(each) | ({"page": each.page} if name else {}) for each in chosen]
        click.echo(json.dumps({"version": 1, "rules": rows}))
    elif name is None:
        for each in chosen:
            rule = each.rule
            click.echo(f"{rule.code}  {rule.name:<28} {rule.severity.value:<8} {summarise(each.page)}")
    else:
        _show(
            render_page(chosen[0].rule.code, chosen[0].rule.name, chosen[0].rule.severity.value, chosen[0].page), color
        )
    return 0


def summarise(page: str) -> str:
    """The first line of a rule's page."""
    return page.strip().partition("\n")[0]


def render_page(code: str, name: str, severity: str, page: str) -> str:
    """The Markdown of a rule's page, as `docs/rules/` has it."""
    summary, _, rest = page.strip().partition("\n")
    return f"# {code} {name}\n\n{summary} Default severity: **{severity}**.\n\n{rest.strip()}\n"


def _show(page: str, color: str) -> None:
    from recall_core.adapters.terminal import color_wanted
    from recall_lint.cli.environment import Environment

    environment = Environment.read()
    if not color_wanted(
        color, no_color=environment.no_color, is_terminal=environment.stdout_is_terminal, term=environment.term
    ):
        click.echo(page, nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console(force_terminal=True, width=min(environment.width, 100)).print(Markdown(page))


def _suggest(wanted: str) -> str:
    from difflib import get_close_matches

    from recall_lint.rules import RULES

    names = {each.lower(): each for rule in RULES for each in (rule.code, rule.name)}
    close = get_close_matches(wanted, names, n=1)
    return f"did you mean `{names[close[0]]}`?" if close else "`recall rule` lists them"
