"""The mutants themselves: complete for a small function, compiled, and sampled the same way."""

from __future__ import annotations

import ast

import pytest

from exactsched.graphs.reachability import bipartition, breadth_first
from exactsched.runs.time_scaling import halvings
from tests.campaign.planted import plain
from tests.mutation.__main__ import AREAS
from tests.mutation.mutants import Mutant, _changes, apply, mutants_of, mutants_under, sample

EXAMPLE = '''
def counted(rows, most=7):
    """Numbers like 3 in a text do not count."""
    found = 0
    for row in rows[1:]:
        if not row or row > most and True:
            raise ValueError(f"{row + 1} is too much")
        found += min(row, 2)
    return found
'''


def test_every_change_of_a_small_function() -> None:
    [definition] = ast.parse(EXAMPLE).body
    before = ast.unparse(definition)
    changes = [change.text for change in _changes(definition)]
    assert sorted(changes) == sorted(
        [
            *["0 -> 1", "0 -> -1"],
            *["1: -> 2:", "1: -> 0:"],
            *["not row -> row", "row > most -> row >= most"],
            "row > most and True -> row > most or True",
            "row > most and True -> row > most and False",
            "not row or (row > most and True) -> not row and (row > most and True)",
            "not row or (row > most and True) -> not (not row or (row > most and True))",
            "raise ValueError(f'{row + 1} is too much') -> pass",
            *["found += min(row, 2) -> found -= min(row, 2)", "found += min(row, 2) -> pass"],
            *["min(row, 2) -> min(row, 3)", "min(row, 2) -> min(row, 1)", "min -> max"],
        ]
    )
    assert ast.unparse(definition) == before


@pytest.mark.parametrize("area", AREAS)
def test_samples_are_the_same_and_grow(area: str) -> None:
    mutants = list(mutants_under(AREAS[area].folder))
    assert len({mutant.name for mutant in mutants}) == len(mutants) > 500
    few, more = sample(mutants, 20), sample(reversed(mutants), 40)
    assert len(few) == 20
    assert set(few) <= set(more)


def test_a_mutant_takes_the_place_of_its_function() -> None:
    function = plain(halvings)
    right = function.__code__
    [found] = [
        one
        for one in mutants_of("exactsched.runs.time_scaling")
        if (one.function, one.change) == ("halvings", "number >> shift -> number << shift")
    ]
    try:
        apply(found)
        assert halvings(6) == [6, 12, 24]
        assert function.__code__.co_firstlineno == right.co_firstlineno
    finally:
        function.__code__ = right
    assert halvings(6) == [6, 3, 1]


def test_all_mutants_of_a_module_compile() -> None:
    codes = {plain(one): plain(one).__code__ for one in (breadth_first, bipartition)}
    try:
        for mutant in mutants_of("exactsched.graphs.reachability"):
            try:
                apply(mutant)
            except SyntaxError:
                pytest.fail(mutant.name)
    finally:
        for function, code in codes.items():
            function.__code__ = code
    assert bipartition(3, [(0, 1), (1, 2)]) == {1}


def test_names_say_where() -> None:
    mutant = Mutant("exactsched.graphs.flow", "FlowNetwork.push", "1 -> 2", 3, 40)
    assert mutant.name == "graphs.flow:FlowNetwork.push: 1 -> 2 #3"
