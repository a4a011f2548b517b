"""What turned memos into rows: two generations with one fingerprint were made in the same way."""

from dataclasses import dataclass

from recall_core.generation.digest import digest


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The identity of an embedder, a chunker, a text-search configuration and a schema.

    `embedder` holds the model with its revision or file hash, `dimension` the length of its vectors (0 for none).
    `schema` is the number of the migration that the rows were written under.
    """

    embedder: str
    dimension: int
    chunker: str
    text_search: str
    schema: int

    @property
    def fingerprint(self) -> str:
        """The canonical digest of all of it."""
        return digest(self.to_json())

    def to_json(self) -> dict[str, str | int]:
        """The fields by name."""
        return {
            "embedder": self.embedder,
            "dimension": self.dimension,
            "chunker": self.chunker,
            "text_search": self.text_search,
            "schema": self.schema,
        }
