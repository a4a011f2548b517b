"""A bar for people: how far a long run is, how fast, and how long it will take."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int, int], None]


@contextmanager
def show_progress(what: str, *, wanted: bool) -> Iterator[Advance]:
    """A bar on stderr while the block runs, and nothing of it afterwards; without `wanted` nothing at all.

    What is given is told how many are done, and of how many.
    """
    if not wanted:
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f}/s" if task.speed else "")

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), Rate(), Remaining())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=max(done, total))
