"""Edges of LogP machines, schedules and pictures that the tests of their modules leave open."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from exactsched import drawing
from exactsched.errors import InvalidInput
from exactsched.logp.broadcast import broadcast, broadcast_tree
from exactsched.machine import LogP


def test_a_trace_says_that_slices_are_too_short_to_be_shown() -> None:
    told = drawing.trace(broadcast(LogP(10**12, 0, Fraction(1, 10**9 + 7), 5)))
    assert told["traceEvents"] == []
    assert told["otherData"]["left out"] == "8 slices shorter than a microsecond"
    told = drawing.trace(broadcast(LogP(6, 2, 4, 8)))
    assert told["otherData"]["left out"] == "nothing"


@pytest.mark.parametrize("built", [broadcast, broadcast_tree])
def test_a_tree_that_fits_nowhere_is_refused(built: Callable[[LogP], object]) -> None:
    with pytest.raises(InvalidInput, match="more than 10000000 processors is not written out"):
        built(LogP(6, 2, 4, 10**18))
