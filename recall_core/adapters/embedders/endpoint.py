"""Where a model is served, as the user says it."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The base URL of a server (`https://api.openai.com/v1`) and the key that it wants; None where not given."""

    url: str | None = None
    key: str | None = field(default=None, repr=False)
