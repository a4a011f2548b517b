"""What goes wrong in somebody else's package, or at somebody else's server, as an error of the entailment stage."""

from collections.abc import Iterator
from contextlib import contextmanager

from recall_core.errors import EmbedderError, EntailerError, RecallError
from recall_core.model.escape import visible


@contextmanager
def failing(what: str, advice: str = "") -> Iterator[None]:
    """Whatever is raised becomes EntailerError, saying `what` and giving `advice`; an outage of a server keeps both."""
    try:
        yield
    except EmbedderError as error:  # what the client of model servers raises
        raise EntailerError(error.message, help=error.help) from error
    except RecallError:
        raise
    except Exception as error:
        words = visible(str(error) or type(error).__name__, limit=300)
        raise EntailerError(f"{what}: {words}", help=advice) from error
