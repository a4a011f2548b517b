"""The model that lets the signals of a query move its threshold."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from recall_core.calibration.logistic import fit_logistic
from recall_core.calibration.signals import NAMES, VERSION

RIDGE = 5.0
"""The penalty on squared weights of standardised columns, which labelled queries have to outweigh."""
LEAST_WEIGHT = 0.1
"""The least weight of the cosine, in units of its standard deviation: more cosine is never less evidence."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How far each signal moves the threshold, in units of cosine.

    `centres` are the signals of a usual query, which keep the threshold where it is; `slopes` the shift for each unit
    above. `version` names the list of signals that both stand for.
    """

    version: str
    centres: tuple[float, ...]
    slopes: tuple[float, ...]

    def shift(self, signals: Sequence[float]) -> float:
        """What the signals add to the cosine, or take off the threshold: the same comparison.

        Raises ValueError for another number of signals than the model has.
        """
        terms = zip(signals, self.centres, self.slopes, strict=True)
        return math.fsum((signal - centre) * slope for signal, centre, slope in terms)


def fit_evidence(cosines: Sequence[float], signals: Sequence[Sequence[float]], answerable: Sequence[bool]) -> Evidence:
    """The model of queries given in the same order in all three.

    log odds(answerable) = a + w cosine + v·signals, ridge-penalised with w above 0; the shift is v·(signals - their
    means) / w, so that the threshold of a usual query needs none. A signal that never varies has no slope. Raises
    ValueError where a class is missing.
    """
    rows = np.column_stack([np.asarray(cosines, np.float64), np.asarray(signals, np.float64)])
    centres, spreads = rows.mean(axis=0), rows.std(axis=0)
    usable = np.where(spreads > 1e-9, spreads, np.inf)
    found = fit_logistic((rows - centres) / usable, np.asarray(answerable, np.float64), RIDGE, LEAST_WEIGHT)
    slopes = found[1:] / usable
    # Where all cosines are equal there is nothing to measure a shift by.
    shifts = slopes[1:] / slopes[0] if slopes[0] > 0 else np.zeros(len(slopes) - 1)
    return Evidence(VERSION, tuple(map(float, centres[1:])), tuple(map(float, shifts)))


def is_current(evidence: Evidence) -> bool:
    """Whether the model stands for the signals that this version computes."""
    return evidence.version == VERSION and len(evidence.slopes) == len(evidence.centres) == len(NAMES)
