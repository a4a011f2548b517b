"""What a program reads when a command could not run (exit status 2) and a JSON format was asked for."""

from recall_core.adapters.encode import dumps, text


def render_error(kind: str, message: str, help: str = "") -> str:  # noqa: A002 - the word of every message here
    """One line of JSON; its schema is `recall_lint/schema/error.schema.json`."""
    return f"{dumps({'version': 1, 'error': {'kind': kind, 'message': text(message), 'help': text(help)}})}\n"
