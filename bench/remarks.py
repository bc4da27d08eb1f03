"""Fits the weights of remarks, and tells how well they hold on remarks that were not fitted.

    python -m bench.remarks --data FILE [FILE ...]

Each line of a file is `1 TEXT` (the remark wants an answer) or `0 TEXT`. A logistic regression with a
quadratic penalty of 1 is fitted to the signs of each text; ten parts are held back in turn. Prints the
weights as `bot/turn/group/weights.py` has them, and the figures.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot.turn.group.remarks import PRICE, SIGNS, signs_of

PENALTY, PARTS, STEPS = 1.0, 10, 30
NAMES = ("bias", *SIGNS)
Floats = NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights of the signs of remarks.")
    parser.add_argument("--data", required=True, nargs="+", type=Path, help="lines of 1 TEXT or 0 TEXT")
    args = parser.parse_args()
    labelled = [pair for path in args.data for pair in read(path)]
    rows = np.array([features(text) for text, _ in labelled])
    wanted = np.array([float(label) for _, label in labelled])
    print(json.dumps(dict(zip(NAMES, np.round(fit(rows, wanted), 2).tolist(), strict=True)), indent=2))
    print(json.dumps(measure(rows, wanted)))


def read(path: Path) -> list[tuple[str, bool]]:
    """The labelled remarks of a file; lines with a # are comments."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return [(line[2:], line[0] == "1") for line in lines]


def features(text: str) -> list[float]:
    """One for the bias and each sign that the text bears, else nought."""
    found = set(signs_of(text))
    return [1.0, *(float(name in found) for name in SIGNS)]


def fit(rows: Floats, wanted: Floats) -> Floats:
    """The weights, by Newton's method; the bias is hardly held back."""
    penalty = np.eye(rows.shape[1]) * PENALTY
    penalty[0, 0] = 0.01
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (wanted - likely) - penalty @ weights
        curve = (rows * (likely * (1 - likely))[:, None]).T @ rows + penalty
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def measure(rows: Floats, wanted: Floats) -> dict[str, float]:
    """Accuracy, false answers and missed ones, each remark judged by weights that did not see it."""
    part = np.random.default_rng(0).integers(0, PARTS, len(rows))
    answered = np.zeros(len(rows), dtype=bool)
    for held in range(PARTS):
        weights = fit(rows[part != held], wanted[part != held])
        answered[part == held] = rows[part == held] @ weights > PRICE
    wants = wanted > 0
    return {
        "remarks": len(rows),
        "accuracy": round(float((answered == wants).mean()), 4),
        "false_answers": round(float(answered[~wants].mean()), 4),
        "missed": round(float((~answered)[wants].mean()), 4),
    }


if __name__ == "__main__":
    main()
