"""How well group messages are judged: right ones, balanced accuracy, false answers, time.

    python -m bench.group --data FILE [--misses]

FILE holds conversations as `xiaomaolv group explain --jsonl` reads them, each with `expect`: `respond` or
`silent` (to remember without an answer is silent too). Two times are told: one judgement by a running
bot that has seen the messages before, and one whole conversation read and replayed.
"""

import argparse
import json
import statistics
import time
from collections import Counter
from pathlib import Path
from typing import Any

from bot.turn.group.explain import explain, read_moment


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure group judgements on labelled conversations.")
    parser.add_argument("--data", required=True, type=Path, help="JSON lines with expect respond|silent")
    parser.add_argument("--misses", action="store_true", help="print what was judged wrong")
    args = parser.parse_args()
    moments = [json.loads(line) for line in args.data.read_text("utf-8").splitlines() if line.strip()]
    judged = [(moment, explain(moment)) for moment in moments]
    if args.misses:
        _print_misses(judged)
    print(json.dumps({**measure(judged), **_times(moments)}))


def measure(judged: list[tuple[dict[str, Any], Any]]) -> dict[str, float]:
    """Accuracy, the mean of both classes' accuracies, and the share of silent moments that were answered."""
    counts = Counter((m["expect"], verdict.decision == "respond") for m, verdict in judged)
    answers = max(counts["respond", True] + counts["respond", False], 1)
    silences = max(counts["silent", True] + counts["silent", False], 1)
    answered, false = counts["respond", True] / answers, counts["silent", True] / silences
    return {
        "moments": len(judged),
        "accuracy": round((counts["respond", True] + counts["silent", False]) / max(len(judged), 1), 4),
        "balanced_accuracy": round((answered + 1 - false) / 2, 4),
        "answered": round(answered, 4),
        "false_answers": round(false, 4),
    }


def _times(moments: list[dict[str, Any]]) -> dict[str, float]:
    one, whole = [], []
    for moment in moments:
        started = time.perf_counter()
        state, last = read_moment(moment)
        judging = time.perf_counter()
        state.judge(last)
        ended = time.perf_counter()
        one.append(ended - judging)
        whole.append(ended - started)
    return {
        "judgement_us_median": round(statistics.median(one) * 1e6, 1),
        "replay_us_median": round(statistics.median(whole) * 1e6, 1),
        "messages_median": statistics.median(len(moment["messages"]) for moment in moments),
    }


def _print_misses(judged: list[tuple[dict[str, Any], Any]]) -> None:
    for moment, verdict in judged:
        if (moment["expect"] == "respond") == (verdict.decision == "respond"):
            continue
        print(f"--- {moment['expect']}, but {verdict.decision} {verdict.score}: {'; '.join(verdict.reasons)}")
        for message in moment["messages"][-6:]:
            print(f"  {message['t']:>5} {message['from']}: {message['text'][:120]}")


if __name__ == "__main__":
    main()
