"""Pieces as early as possible in a given order, ways and families of a tree: by hand."""

from __future__ import annotations

from fractions import Fraction

from exactsched.model.platform import Platform
from exactsched.model.problem import Broadcast
from exactsched.runs.list_scheduling import Ports, in_order
from exactsched.runs.pipelined import _laminar_family, _longest_way

CHAIN = Ports(Broadcast(Platform("abc", [("a", "b", 2), ("b", "c", 1)]), "a"))


def test_pieces_that_adjoin_become_one_row() -> None:
    """Of the same task and the same operation; it is received with the last piece."""
    pieces = [(0, 1, 2), (0, 1, 3), (1, 1, 1)]
    assert in_order(CHAIN, pieces) == [(0, 1, 0, 5), (1, 1, 5, 6)]


def test_pieces_of_two_operations_stay_apart() -> None:
    """Also where the number of the second one is the start of the first."""
    assert in_order(CHAIN, [(0, 1, 2), (0, 0, 2)]) == [(0, 1, 0, 2), (0, 0, 2, 4)]
    interrupted = [(0, 0, 1), (0, 1, 2), (0, 0, 1), (1, 1, 1), (1, 0, 1)]
    assert in_order(CHAIN, interrupted) == [
        *[(0, 0, 0, 1), (0, 1, 1, 3), (0, 0, 3, 4)],
        *[(1, 1, 3, 4), (1, 0, 4, 5)],
    ]


def test_the_longest_way_of_a_tree_in_any_order() -> None:
    assert _longest_way(CHAIN, (0, 1), [2, 1]) == _longest_way(CHAIN, (1, 0), [2, 1]) == 3


def test_a_laminar_family_has_the_single_nodes_and_all_of_them() -> None:
    order, sets = _laminar_family(CHAIN, [Fraction(2), Fraction(1)])
    assert sorted(order) == sorted({*CHAIN.head})
    assert {(0, 1), (1, 2), (0, 2)} == set(sets)
