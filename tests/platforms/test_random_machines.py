"""Random machines: their bandwidths by definition, reproducible, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.exact.errors import InvalidInput
from exactsched.model.machine import MultiPort
from exactsched.overlay.bounds import acyclic_bound, throughput_bound
from exactsched.platforms.random_machines import (
    LEAST,
    LINES,
    MOST,
    SHAPES,
    VALUES,
    bandwidth_trace,
    sample_machine,
)


@pytest.mark.parametrize("shape", SHAPES)
def test_traces_are_sorted_integers_in_the_interval(shape: str) -> None:
    trace = bandwidth_trace(shape)
    assert len(trace) == VALUES
    assert all(type(value) is int for value in trace)
    assert list(trace) == sorted(trace)
    assert LEAST <= trace[0] <= trace[-1] <= MOST


@pytest.mark.parametrize("index", [0, 1, 1234, 3749, 3750, 7000, 7499])
def test_quantiles(index: int) -> None:
    """The value v at share q = a / b is the largest integer with F(v) <= q, in integers."""
    a, b = 2 * index + 1, 2 * VALUES

    def log_uniform(v: int) -> bool:  # log(v / 1000) / log(100) <= a / b
        return v**b <= 100**a * 1000**b

    def uniform(v: int) -> bool:
        return Fraction(v - LEAST, MOST - LEAST) <= Fraction(a, b)

    def hyperbolic(v: int) -> bool:  # (1/1000 - 1/v) / (1/1000 - 1/100000) <= a / b
        return (Fraction(1, LEAST) - Fraction(1, v)) / Fraction(99, MOST) <= Fraction(a, b)

    for shape, below in zip(SHAPES, (log_uniform, uniform, hyperbolic), strict=False):
        value = bandwidth_trace(shape)[index]
        assert below(value)
        assert not below(value + 1)


def test_lines() -> None:
    trace = bandwidth_trace("lines")
    assert sum(percent for _, percent in LINES) == 100
    for rate, percent in LINES:
        assert trace.count(rate) == VALUES * percent // 100


@given(st.integers(1, 30), st.integers(0, 10), st.integers(0, 50))
def test_machines(count: int, degree: int, seed: int) -> None:
    machine = sample_machine(count, degree, seed)
    assert machine.size == count + 1
    assert set(machine.degrees) == {degree}
    assert set(machine.bandwidths) <= set(bandwidth_trace("log-uniform"))
    assert machine == sample_machine(count, degree, seed)
    longer = sample_machine(count + 5, degree + 1, seed)
    assert longer.bandwidths[: count + 1] == machine.bandwidths


@given(st.integers(1, 12), st.integers(0, 50), st.sampled_from(SHAPES))
def test_acyclic_overlays_lose_little_without_degrees(count: int, seed: int, shape: str) -> None:
    """At most a share of 1 / (n + 1); with degrees up to half, for one node of many."""
    machine = sample_machine(count, count, seed, bandwidth_trace(shape))
    acyclic, cyclic = acyclic_bound(machine), throughput_bound(machine)
    total = sum(machine.bandwidths)
    assert cyclic == min(machine.bandwidths[0], total / count)
    assert acyclic == min(machine.bandwidths[0], (total - min(machine.bandwidths[1:])) / count)
    assert acyclic * (count + 1) >= cyclic * count
    if count >= 3:
        chain = MultiPort([1] * (count - 1) + ["1/2"] * 2, [1] * (count + 1))
        assert (acyclic_bound(chain), throughput_bound(chain)) == (Fraction(1, 2), 1)


def test_draws_are_uniform_and_from_the_list() -> None:
    machine = sample_machine(5999, 2, 1, ["1/2", 3, Fraction(5)])
    assert {machine.bandwidths.count(Fraction(value)) // 200 for value in ("1/2", 3, 5)} <= {9, 10}
    seeds = {sample_machine(1, 1, seed).bandwidths for seed in range(40)}
    assert len(seeds) == 40


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((0, 2, 0), "count: 0: an integer, at least 1"),
        ((True, 2, 0), "count: True"),
        ((3, -1, 0), "degree: -1: an integer, at least 0"),
        ((3, 1.5, 0), r"degree: 1\.5"),
        ((3, 2, 0.5), r"seed: 0\.5: a seed is an integer"),
        ((3, 2, 0, []), r"bandwidths: \[\]: at least one"),
        ((3, 2, 0, [0.5]), r"bandwidths\[0\]: 0\.5: a float is not exact"),
        ((3, 2, 0, [-1]), r"bandwidths\[0\]: '-1': a bandwidth is not negative"),
    ],
)
def test_refusals(arguments: tuple[int, int, int], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        sample_machine(*arguments)


def test_other_shapes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="shape: 'normal': one of log-uniform, uniform"):
        bandwidth_trace("normal")
