"""The number of frames: the one with the least limit, by trying all."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.model.platform import Platform
from exactsched.model.problem import Broadcast
from exactsched.platforms.papers import legrand_fig1
from exactsched.runs import frames
from exactsched.runs.frames import Pattern, frame_patterns
from exactsched.steady_state.broadcast import broadcast

PATHS = [3, 4, 6]


def pattern(hops: int, latency: int = 1, cost: int = 1) -> Pattern:
    arcs = [(node, node + 1, cost) for node in range(hops)]
    layout = broadcast(Platform(range(hops + 1), arcs), 0)
    slow = Platform(range(hops + 1), [(*arc, latency) for arc in arcs])
    return frame_patterns(Broadcast(slow, 0), layout)[0]


@pytest.mark.parametrize("hops", PATHS)
@pytest.mark.parametrize("cost", [1, 3])
@given(st.fractions(Fraction(1, 9), 60, max_denominator=9))
def test_no_number_of_frames_has_a_smaller_limit(hops: int, cost: int, size: Fraction) -> None:
    """And of equal ones it is the smallest; the square root is rounded up as well as down."""
    one = pattern(hops, cost=cost)
    limits = [one.limit(size, count) for count in range(1, 40)]
    assert one.best_frames(size) == 1 + limits.index(min(limits))
    assert one.least_limit(size) == min(limits)


def test_roots_are_rounded_to_both_sides() -> None:
    """Two hops, start-up e = 1: (Q + 1) (L / Q + 1), least where Q (Q - 1) <= L <= Q (Q + 1)."""
    one = pattern(2)
    assert (one.rate, one.depth, one.startup) == (1, 2, 1)
    found = [one.best_frames(Fraction(size)) for size in (1, 2, 3, 5, 6, 7, 12, 13)]
    assert found == [1, 1, 2, 2, 2, 3, 3, 4]


def test_without_latencies_the_cap_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MAX_TRANSFERS", 14)
    assert pattern(2, latency=0).best_frames(Fraction(5)) == 7
    # And a cap below the root.
    assert pattern(2).best_frames(Fraction(10_000)) == 7


def test_one_level_needs_one_frame() -> None:
    assert pattern(1).best_frames(Fraction(10_000)) == 1
    assert pattern(1, latency=0).best_frames(Fraction(10_000)) == 1


def test_rounded_frames_have_few_packets() -> None:
    """Figure 1: two trees of weight 1/2, a frame of both, and one of the heavier alone."""
    free = legrand_fig1()
    found = frame_patterns(Broadcast(free, "Ps"), broadcast(free, "Ps"))
    assert found[0].rate == 1
    assert all(sum(one.parts) == 1 for one in found)
    assert all(one.rate <= 1 for one in found)
