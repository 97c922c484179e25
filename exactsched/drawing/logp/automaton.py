"""The automaton of legal words as the paper's figure 2 draws it: start states in double circles."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Protocol, TypeVar

from exactsched.drawing.layout.circle import circle_places
from exactsched.drawing.palette import PAPER, SOFT_INK, color
from exactsched.drawing.scene import Edge, Figure, Graph, Node, Panels, Scene
from exactsched.drawing.words.logp import index_name
from exactsched.exact.errors import InvalidInput

MOST_STATES = 40

State = TypeVar("State")


class Automaton(Protocol[State]):
    """States, those where words start, and the letters that lead from each to others."""

    L: int
    states: tuple[State, ...]
    starts: Mapping[State, object]
    transitions: Mapping[State, Mapping[int, State]]


def automaton_scene(automaton: Automaton[State]) -> Scene:
    """The states on a circle, in an order in which few transitions cross, with their letters.

    Start states have double borders.  Raises `InvalidInput` for more than MOST_STATES states.
    """
    count = len(automaton.states)
    if count > MOST_STATES:
        raise InvalidInput("automaton", f"{count} states", f"at most {MOST_STATES} are drawn")
    number = {state: index for index, state in enumerate(automaton.states)}
    edges = tuple(
        Edge(number[state], number[head], index_name(letter), "", ((SOFT_INK, Fraction(1)),))
        for state, following in automaton.transitions.items()
        for letter, head in following.items()
    )
    nodes = tuple(_node(state, automaton.starts) for state in automaton.states)
    places = circle_places(count, [(edge.tail, edge.head) for edge in edges])
    graph = Graph(nodes, edges, places, every_label=True, width=1.2)
    note = "States in double circles are start states."
    figure = Figure("Automaton", graph, notes=(note,), panel="graph")
    return Scene(f"Legal words for L = {automaton.L}", "", (Panels("", (figure,)),))


def _node(state: State, starts: Collection[State] | Mapping[State, object]) -> Node:
    ring = color(0) if state in starts else ""
    return Node(_state_name(state), fill=PAPER, stroke=color(0), ring=ring)


def _state_name(state: object) -> str:
    """A window of letters as a word; a juggling state as the set of its landing times."""
    if isinstance(state, tuple):
        return "".join(index_name(letter) for letter in state) or "\u03b5"
    if isinstance(state, frozenset):
        return f"{{{','.join(map(str, sorted(state)))}}}"
    return str(state)
