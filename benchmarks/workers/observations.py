"""Search a public corpus with labelled questions: DATA EMBEDDER OUT. Prints JSON: embedder, counts, CPU seconds.

DATA holds `squad2-dev-half` and `nomiracl-en`, EMBEDDER is what `--embedder` takes. OUT becomes JSON with the best
cosine and the signals of each question, by how far it is from the corpus: `answerable`; `mid`, the same questions with
the paragraph that answers withheld; `near`, written to look answerable; `far`, about something else.
"""

import json
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Collection as Some
from typing import Any

import numpy as np

from recall_core.adapters.embedders.choose import choose_embedder
from recall_core.adapters.memory.lexemes import list_lexemes
from recall_core.calibration.signals import NAMES, Observation, compute_signals
from recall_core.ports.embedder import Embedder, Vectors
from recall_core.retrieval.bm25 import Collection, inverse_document_frequency, score
from recall_core.retrieval.postings import Postings, build_postings

_DEPTH = 50


class Corpus:
    """The paragraphs, embedded and as postings."""

    def __init__(self, rows: list[dict[str, Any]], embedder: Embedder) -> None:
        texts = [f"{row['title']}\n\n{row['text']}" for row in rows]
        self.numbers = {row["id"]: number for number, row in enumerate(rows)}
        self.vectors = embedder.embed_documents(texts)
        self.words = [Counter(list_lexemes(text, "english")) for text in texts]
        lengths = np.array([sum(words.values()) for words in self.words], np.int32)
        self.collection = Collection(lengths, len(rows), float(lengths.mean()))
        held: dict[str, list[tuple[int, int]]] = {}
        for number, words in enumerate(self.words):
            for word, count in words.items():
                held.setdefault(word, []).append((number, count))
        self.postings: dict[str, Postings] = {
            word: build_postings([number for number, _ in pairs], [count for _, count in pairs])
            for word, pairs in held.items()
        }

    def observe(self, text: str, vector: Vectors, withheld: Some[int] = ()) -> Observation:
        """One search; the paragraphs withheld are not there."""
        allowed = np.ones(len(self.words), np.bool_)
        allowed[list(withheld)] = False
        cosines = np.where(allowed, self.vectors @ vector, -2)
        order = np.argsort(-cosines, kind="stable")[:_DEPTH]
        words = list(dict.fromkeys(list_lexemes(text, "english")))
        known = {word: self.postings[word] for word in words if word in self.postings}
        frequencies = {word: len(postings.numbers) for word, postings in known.items()}
        ranking = score(
            {word: [postings] for word, postings in known.items()},
            frequencies,
            self.collection,
            depth=1,
            allowed=allowed,
        )
        return Observation(
            tuple(map(float, cosines[order])),
            tuple(inverse_document_frequency(self.collection.documents, frequencies.get(word, 0)) for word in words),
            tuple(frozenset(at for at, word in enumerate(words) if word in self.words[hit]) for hit in order[:5]),
            frozenset(at for at, word in enumerate(words) if word not in known),
            float(ranking.scores[0]) if len(ranking) else 0.0,
        )


def load(folder: str, name: str) -> list[dict[str, Any]]:
    """The rows of a file with one JSON object a line."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def main(data: str, name: str, out: str) -> None:
    """Search with every question, and write what was seen."""
    embedder = choose_embedder(name)
    squad = os.path.join(data, "squad2-dev-half")
    corpus = Corpus(load(squad, "docs.jsonl"), embedder)
    questions = load(squad, "queries.jsonl")
    others = load(os.path.join(data, "nomiracl-en"), "queries.jsonl")
    seen: dict[str, list[Observation]] = {"answerable": [], "mid": [], "near": [], "far": []}
    vectors = embedder.embed_queries([row["query"] for row in questions])
    for row, vector in zip(questions, vectors, strict=True):
        if row["answerable"]:
            withheld = [corpus.numbers[each] for each in row["relevant_ids"]]
            seen["answerable"].append(corpus.observe(row["query"], vector))
            seen["mid"].append(corpus.observe(row["query"], vector, withheld))
        else:
            seen["near"].append(corpus.observe(row["query"], vector))
    vectors = embedder.embed_queries([row["query"] for row in others])
    seen["far"] = [corpus.observe(row["query"], vector) for row, vector in zip(others, vectors, strict=True)]
    written = {
        kind: [[each.cosines[0], *compute_signals(each)] for each in observations]
        for kind, observations in seen.items()
    }
    assert all(len(row) == 1 + len(NAMES) and all(map(math.isfinite, row)) for rows in written.values() for row in rows)
    with open(out, "w", encoding="utf-8") as file:
        json.dump(written, file)
    counts = {kind: len(rows) for kind, rows in written.items()}
    print(json.dumps({"embedder": embedder.id, "counts": counts, "cpu": time.process_time()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
