"""`recall server`: the linter in an editor, over the language server protocol."""

import click

from recall_core.errors import MissingExtraError
from recall_lint.cli.environment import Environment


@click.command("server", short_help="Lint in an editor, over the language server protocol.")
@click.option("--stdio", is_flag=True, help="Speak over standard input and output, as it always does.")
def command(*, stdio: bool) -> int:  # noqa: ARG001 - editors pass it, and there is no other way
    """Speak the language server protocol over standard input and output; editors start this.

    Exit status: 0 when the editor ends it, 2 could not run.
    """
    try:
        from recall_lint.lsp.server import build_server
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise MissingExtraError(
            "the language server is not installed", help="pip install 'recall-lint[lsp]'"
        ) from error
    build_server(Environment.read().cache_folder).start_io()
    return 0
