"""A small logistic regression with a ridge, fitted the same way every time."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_MOST_STEPS = 100
_CLOSE = 1e-10


def fit_logistic(rows: Numbers, labels: Numbers, ridge: float, least_first: float) -> Numbers:
    """The intercept and the weight of each column that minimise the ridge-penalised log loss.

    `rows` is n by d, `labels` n of 0 and 1; either class counts as much as the other, however many there are of each.
    The loss is a mean over the classes' means times n, to which `ridge` / 2 times the squared weights are added; the
    intercept is free. The first column's weight is at least `least_first`: where the minimum lies below, it is put
    there and the others are fitted again, which is the constrained minimum, the loss being convex.

    By Newton's method, which for this loss is iteratively reweighted least squares (Hastie, Tibshirani and Friedman
    2009, section 4.4.1), with the step halved until the loss falls. Raises ValueError where a class is missing.
    """
    weights = _balance(labels)
    design = np.column_stack([np.ones(len(rows)), rows])
    found = _minimise(design, labels, weights, np.zeros(len(rows)), _penalty(design.shape[1], ridge))
    if found[1] >= least_first:
        return found
    others = np.delete(design, 1, axis=1)
    offset = least_first * design[:, 1]
    rest = _minimise(others, labels, weights, offset, _penalty(others.shape[1], ridge))
    return np.insert(rest, 1, least_first)


def _balance(labels: Numbers) -> Numbers:
    positives = float(labels.sum())
    negatives = len(labels) - positives
    if not positives or not negatives:
        raise ValueError("a model needs queries of both classes")
    return np.where(labels > 0, len(labels) / (2 * positives), len(labels) / (2 * negatives))


def _penalty(size: int, ridge: float) -> Numbers:
    penalty = np.full(size, ridge)
    penalty[0] = 0
    return penalty


def _minimise(design: Numbers, labels: Numbers, weights: Numbers, offset: Numbers, penalty: Numbers) -> Numbers:
    found = np.zeros(design.shape[1])
    loss = _loss(design @ found + offset, labels, weights, found, penalty)
    for _ in range(_MOST_STEPS):
        evidence = design @ found + offset
        shares = 0.5 * (1 + np.tanh(evidence / 2))
        gradient = design.T @ (weights * (shares - labels)) + penalty * found
        curvature = (design.T * (weights * shares * (1 - shares))) @ design + np.diag(penalty + 1e-12)
        step = np.linalg.solve(curvature, gradient)
        length = 1.0
        while (
            closer := _loss(design @ (found - length * step) + offset, labels, weights, found - length * step, penalty)
        ) > loss:
            length /= 2
            if length < 1e-8:
                return found
        found, fell, loss = found - length * step, loss - closer, closer
        if fell < _CLOSE * (1 + abs(loss)):
            break
    return found


def _loss(evidence: Numbers, labels: Numbers, weights: Numbers, found: Numbers, penalty: Numbers) -> float:
    """The sum of log(1 + e^x) - y x, weighted, and the penalty."""
    return float(
        (weights * (np.logaddexp(0, evidence) - labels * evidence)).sum() + (penalty * found * found).sum() / 2
    )
