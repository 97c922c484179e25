"""The depth from which on block-cyclic broadcasts exist: by the paper's method, and the true one.

    python -m exactsched.logp.thresholds 67

prints, for L = 3, ..., 67, t(L) with the words of lemma 3.1 and the paper's induction (L <= 10),
the true t(L), the number of partitions that were verified for the latter, and the numbers of
processors that have none.  From L = 68 on this is proved without a computation
(proofs/logp-continuous.md).
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

import sys
from collections import Counter
from itertools import product
from typing import Any

from exactsched.logp.counts import fibonacci
from exactsched.logp.partition_series import base_cases, direct_partition
from exactsched.logp.word_automaton import lemma_words

# From this latency on the sums of three exchanges are examined instead of all partitions.
EXAMINED = 32


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

    An empty list, or one with L + 3 alone for even L, is theorem B for this L.  From L = 32 on the
    cases with a prescribed spare letter are those of `exchanges_suffice`.

    >>> without_partition(3), without_partition(4)
    ((219, []), (124, [7]))
    """
    verified, missing = 0, []
    for depth, dropped, spare in base_cases(L):
        if spare is not None and L >= EXAMINED:
            continue
        partition = direct_partition(L, depth, dropped, spare)
        processors = fibonacci(L, depth) - dropped
        if (
            partition is not None
            and partition.is_valid()
            and (partition.depth, partition.processors) == (depth, processors)
            and spare in (None, partition.spare)
            and (spare is None or 2 <= partition.blocks[-1].balls <= L - (dropped == 0))
        ):
            verified += 1
        else:
            missing.append(processors)
    return verified, missing


def exchanges_suffice(L: int) -> bool:
    """Whether a block of size 2 and one of size 3 can mend any sum of a root of L + 4 to 2 L + 3.

    Letters x of the former and y, z of the latter are exchanged, or not, for letters x + 2 a,
    y + 3 b, z + 3 c of the root, different ones, less than L, and not the spare letter or one
    letter more that is needed elsewhere (2, 3 or 4, and only from 2 L + 1 on).

    >>> exchanges_suffice(32), exchanges_suffice(28)
    (True, False)
    """
    return all(
        _covers(_sums(L, letter, pair, {spare, needed}), L + 4 if needed == spare else 2 * L + 1, L)
        for letter, pair in product((0, 1, 2), ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3)))
        for spare in range(L)
        for needed in {spare, 2, 3, 4}
    )


def _sums(L: int, letter: int, pair: tuple[int, int], kept: set[int]) -> int:
    """The sums 2 a + 3 b + 3 c, as the bits of an integer."""
    twos, *threes = [
        [x for x in range(start, L, step) if x == start or x not in kept]
        for start, step in ((letter, 2), (pair[0], 3), (pair[1], 3))
    ]
    every = sum(1 << (x - letter) for x in twos)
    sums = 0
    for y, z in product(*threes):
        # What starts a list stands for no exchange.
        taken = {x for x, start in ((y, pair[0]), (z, pair[1])) if x != start}
        fits = every - sum(1 << (x - letter) for x in taken if x > letter and x in twos)
        sums |= fits << (y - pair[0] + z - pair[1])
    return sums


def _covers(sums: int, least: int, L: int) -> bool:
    """Whether all residues are among the sums, for every modulus from `least` to 2 L + 3."""
    for modulus in range(least, 2 * L + 4):
        every = (1 << modulus) - 1
        rest, residues = sums, 0
        while rest:
            residues |= rest & every
            rest >>= modulus
        if residues != every:
            return False
    return True


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
        proved = latency < EXAMINED or exchanges_suffice(latency)
        truth = latency if latency % 2 else 2 * latency + 1
        by_lemma = lemma_threshold(latency) if latency <= 10 else "-"
        print(latency, by_lemma, truth if proved else "-", verified, *missing, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
