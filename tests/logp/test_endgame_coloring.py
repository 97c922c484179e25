"""What the search for colorings excludes before it asks a linear program."""

from __future__ import annotations

import pytest

from exactsched.logp import endgame_coloring
from exactsched.logp.endgame_coloring import ColoringSearch
from tests.logp.test_items import arcs_of


def test_copies_that_reach_too_few_are_excluded_by_counting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three copies of two items for three processors: whatever is chosen, no program is asked."""

    def refuse(*_: object) -> tuple[bool, int]:
        raise AssertionError("a linear program is asked")

    arcs = arcs_of(1, 2, range(1, 3), 1)
    search = ColoringSearch(1, 3, 2, [arcs], [1, 2], 2, 10**6)
    monkeypatch.setattr(endgame_coloring._OpenStates, "solved", refuse)
    assert list(search.found()) == []
    assert search.work == 0
    # With one item the same copies are enough, and a program decides.
    one = ColoringSearch(1, 3, 2, [arcs], [1, 2], 1, 10**6)
    with pytest.raises(AssertionError, match="a linear program is asked"):
        list(one.found())
