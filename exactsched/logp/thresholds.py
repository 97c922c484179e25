"""From which depth on there are block-cyclic broadcasts: by the paper's method, and in truth.

    python -m exactsched.logp.thresholds 10

prints, for L = 3, ..., 10, t(L) with the words of lemma 3.1 and the paper's induction, the true
t(L), the number of partitions that were verified for the latter, and the numbers of processors that
have none (proofs/logp-continuous.md).
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from exactsched.logp.counts import fibonacci
from exactsched.logp.partition_series import base_cases, series_case
from exactsched.logp.words import lemma_words


def lemma_threshold(L: int) -> int:
    """The least depth from which L consecutive trees have blocks with words of lemma 3.1.

    The spare letter is b and the root's word a^(L-2) (ca)^* b^*, as the paper's induction needs.
    Integer programs say so (SCIP), not certificates.

    >>> lemma_threshold(3)
    11
    """
    depth, row = L, 0
    while row < L:
        row = row + 1 if _has_lemma_words(L, depth) else 0
        depth += 1
    return depth - L


def without_partition(L: int) -> tuple[int, list[int]]:
    """How many base cases of the induction were verified, and the numbers of processors that fail.

    An empty list, or one with L + 3 alone for even L, is theorems A and B for this L.

    >>> without_partition(3), without_partition(4)
    ((132, []), (98, [7]))
    """
    verified, missing = 0, []
    for depth, dropped, spare, balls in base_cases(L):
        partition = series_case(L, depth, dropped, spare, balls)
        processors = fibonacci(L, depth) - dropped
        if (
            partition is not None
            and partition.is_valid()
            and (partition.depth, partition.processors) == (depth, processors)
            and spare in (None, partition.spare)
            and balls in (None, partition.blocks[-1].balls)
        ):
            verified += 1
        else:
            missing.append(processors)
    return verified, missing


def _has_lemma_words(L: int, depth: int) -> bool:
    from pyscipopt import Model, quicksum

    model = Model()
    model.hideOutput()
    used: dict[int, list[Any]] = {letter: [] for letter in range(L)}
    sizes = {size: fibonacci(L, depth - 2 * L + 1 - size) for size in range(1, depth - 2 * L + 2)}
    root = depth - L + 1
    for size, blocks in [*sizes.items(), (root, 1)]:
        words = list(lemma_words(L, size - 1))
        if size == root:
            words = [word for word in words if len(word) >= L - 2 and word[:1] in ((), (0,))]
        counts = [model.addVar(vtype="I") for _ in words]
        model.addCons(quicksum(counts) == blocks)
        for word, count in zip(words, counts, strict=True):
            for letter, times in Counter(word).items():
                used[letter].append(times * count)
    for letter, terms in used.items():
        leaves = fibonacci(L, depth - letter - L) if depth - letter >= L else 0
        model.addCons(quicksum(terms) == leaves - (letter == 1))
    model.optimize()
    return model.getNSols() > 0


def main(last: int) -> None:
    """Print the table."""
    for latency in range(3, last + 1):
        verified, missing = without_partition(latency)
        truth = latency if latency % 2 else 2 * latency + 1
        by_lemma = lemma_threshold(latency) if latency <= 10 else "-"
        print(latency, by_lemma, truth, verified, *missing, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
