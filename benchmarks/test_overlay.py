"""Overlays in polynomial time.

Why these instances: bandwidths between 1,000 and 100,000 with denominators up to 20, where nearly
all nodes are served by Algorithm 1; degrees of 1 and bandwidths just below the throughput, where
nearly all nodes lie on the path, all alike or all different.  *Above*
counts nodes with more receivers than their degree.  Peer: bisection of T with floats, as the paper
proposes, for the bound alone.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from conftest import TIMER, best_of, checked

from exactsched.model.machine import MultiPort
from exactsched.overlay.augmented import augmented_overlay, unconstrained_overlay
from exactsched.overlay.bounds import acyclic_bound, throughput_bound, tree_bound
from exactsched.overlay.sequential import acyclic_overlay
from exactsched.overlay.tree import best_tree

pytestmark = pytest.mark.benchmark(timer=TIMER)

SIZES = [10_000, 100_000]


def fast_and_slow(count: int) -> MultiPort:
    chance = random.Random(5)
    rates = [
        Fraction(chance.randint(10**3, 10**5), chance.randint(1, 20)) for _ in range(count + 1)
    ]
    degrees = [chance.randint(1, 4) for _ in range(count + 1)]
    return MultiPort([2 * max(rates), *rates[1:]], [2, *degrees[1:]])


def alike(count: int) -> MultiPort:
    return MultiPort([Fraction(count, 3), *[Fraction(count - 1, 3)] * count], [1] * (count + 1))


def different(count: int) -> MultiPort:
    chance = random.Random(6)
    rate = Fraction(10**6, 7)
    lacking = [Fraction(chance.randint(1, 2 * 10**6 // count), 7) for _ in range(count)]
    return MultiPort([rate, *(rate - less for less in lacking)], [1] * (count + 1))


INSTANCES = {"fast and slow": fast_and_slow, "path, alike": alike, "path, different": different}


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("name", INSTANCES)
@pytest.mark.parametrize(
    "method", [augmented_overlay, acyclic_overlay, best_tree, unconstrained_overlay]
)
def test_overlay(benchmark, method, name, count):
    machine = INSTANCES[name](count)
    overlay = benchmark.pedantic(method, (machine,), rounds=3)
    used = [0] * machine.size
    for sender, *_ in overlay.arcs:
        used[sender] += 1
    benchmark.extra_info.update(
        arcs=len(overlay.arcs),
        digits=len(str(overlay.parts)),
        above=sum(
            count > degree for count, degree in zip(used, overlay.machine.degrees, strict=True)
        ),
        **checked(benchmark, overlay),
    )


@pytest.mark.long
def test_a_million_nodes(benchmark):
    """Made, and checked as it is, without a file."""
    machine = fast_and_slow(1_000_000)
    overlay = benchmark.pedantic(augmented_overlay, (machine,), rounds=1)
    benchmark.extra_info.update(arcs=len(overlay.arcs), **checked(benchmark, overlay))


@pytest.mark.parametrize("name", INSTANCES)
@pytest.mark.parametrize("bound", [acyclic_bound, tree_bound])
def test_bound(benchmark, bound, name):
    benchmark.pedantic(bound, (INSTANCES[name](100_000),), rounds=3)


@pytest.mark.parametrize("name", INSTANCES)
def test_throughput_bound(benchmark, name):
    """Bisection halves its float interval 60 times: how far from the exact value does it end?"""
    machine = INSTANCES[name](100_000)
    count = machine.size - 1
    pairs = [(float(b), d) for b, d in zip(machine.bandwidths, machine.degrees, strict=True)]

    def bisection():
        low, high = 0.0, sum(b for b, _ in pairs)
        for _ in range(60):
            middle = (low + high) / 2
            enough = sum(min(b, middle * d) for b, d in pairs) >= count * middle
            low, high = (middle, high) if enough else (low, middle)
        return min(low, pairs[0][0])

    exact = benchmark.pedantic(throughput_bound, (machine,), rounds=3)
    seconds = best_of(1, bisection)
    benchmark.extra_info.update(
        relative_error=float(abs(Fraction(bisection()) - exact) / exact),
        peers={"bisection in floats": seconds},
    )
