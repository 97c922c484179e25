"""Role cycles made for an endgame, by integer programming: circulations in an automaton.

What a processor has received of the last copies is a state, roles lead from state to state, and in
a steady schedule as many processors enter a state in a step as leave it.  Only states are admitted
in which no last item is missing; cycles of such a circulation are role cycles.
Proofs: proofs/logp-items.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

from exactsched.certificate.logp import Role

Cycle = tuple[int, tuple[Role, ...]]

# Pending receptions, in steps from now, and the sends that are still to be made.
_State = tuple[frozenset[int], int]
_Arc = tuple[_State, Role, _State]

# Larger automata are not searched: their programs take seconds.
_MAX_ARCS = 700

# Branch and bound of one program is cut off here; nearly all are decided at the root.
_MAX_NODES = 30


@dataclass(frozen=True)
class EndgameProgram:
    """Role cycles for trees of `processors` nodes and a depth, whatever time a schedule ends.

    `color` says which of the `colors` last items a copy is, by how many steps before the last
    possible moment it is sent.  An item that was sent x steps before that moment has been received
    in roles of a delay of x at most.  Everybody has all colors at every time.  Nodes may lack up to
    `lost` of the children for which there would be time.
    """

    L: int
    processors: int
    depth: int
    color: Mapping[int, int]
    colors: int
    surplus: int
    lost: int = 1

    @cached_property
    def arcs(self) -> list[_Arc] | None:
        """All roles in all states that can be reached from those in which a processor may send.

        None if there are too many.

        A processor always receives as many copies that others still wait for: `colors` of them, or
        up to `surplus` more.
        """
        sizes = range(self.colors, self.colors + self.surplus + 1)
        soon = range(1, self.L + self.lost + 1)
        if sum([comb(len(soon), size) for size in sizes]) > _MAX_ARCS:
            return None
        found: list[_State] = [
            (frozenset(received), 0)
            for size in sizes
            for received in combinations(soon, size)
            if self._has_all_colors(received)
        ]
        seen = set(found)
        arcs: list[_Arc] = []
        for state in found:  # which grows
            for role in self._roles(state):
                following = self._after(state, role)
                if self._has_all_colors(following[0]):
                    arcs.append((state, role, following))
                    if len(arcs) > _MAX_ARCS:
                        return None
                    if following not in seen:
                        seen.add(following)
                        found.append(following)
        return arcs

    def cycles(self, period: int) -> tuple[Cycle, ...] | None:
        """The cycles of a circulation that repeats after `period` steps, or None if none is found
        (or if the automaton is too large).

        It is SCIP that proposes it; the certificate is checked as any other.

        >>> EndgameProgram(1, 2, 1, {}, 0, 1).cycles(1)
        ((1, ((1, 0),)), (1, ((0, 1),)))
        """
        from pyscipopt import Model, quicksum

        if self.arcs is None:
            return None
        model = Model()
        model.hideOutput()
        model.setParam("limits/nodes", _MAX_NODES)
        kept: dict[tuple[_State, int], list[Any]] = defaultdict(list)
        nodes: dict[tuple[int, int], list[Any]] = {
            (delay, item): [] for delay in range(self.depth + 1) for item in range(period)
        }
        variables = []
        for phase in range(period):
            for state, role, following in self.arcs:
                count = model.addVar(vtype="I")
                variables.append((count, (state, phase), role, (following, (phase + 1) % period)))
                kept[state, phase].append(count)
                kept[following, (phase + 1) % period].append(-count)
                delay, children = role
                item = (phase - delay) % period
                nodes[delay, item].append(count)
                for child in range(children):
                    nodes[delay + self.L + child, item].append(-count)
        for terms in kept.values():
            model.addCons(quicksum(terms) == 0)
        for (delay, _), terms in nodes.items():
            model.addCons(quicksum(terms) == (1 if delay == 0 else 0))
        counts = [count for count, *_ in variables]
        model.addCons(quicksum(counts) == self.processors * period)
        model.optimize()
        if model.getNSols() == 0:
            return None
        leaving: dict[tuple[_State, int], list[tuple[Role, tuple[_State, int]]]]
        leaving = defaultdict(list)
        for count, tail, role, head in variables:
            leaving[tail] += [(role, head)] * round(model.getVal(count))
        return tuple([(period, walk) for walk in _closed_walks(leaving)])

    def _has_all_colors(self, received: Any) -> bool:
        seen = {self.color.get(self.depth - landing) for landing in received}
        return len(seen - {None}) == self.colors

    def _roles(self, state: _State) -> Iterator[Role]:
        """All roles that one in this state may take, with up to `lost` children too few."""
        landing, busy = state
        if 1 in landing:  # a copy that was the last is not; there is another, or a 0
            delays = [self.depth - x for x in range(1, self.depth + 1) if x + 1 not in landing]
        else:
            delays = [self.depth]
        for delay in delays:
            full = max(self.depth - delay - self.L + 1, 0)
            for children in range(max(full - self.lost, 0), full + 1):
                if children == 0 or busy == 0:
                    yield delay, children

    def _after(self, state: _State, role: Role) -> _State:
        landing, busy = state
        delay, children = role
        later = {x - 1 for x in landing} | {self.depth - delay}
        return frozenset(later - {0}), max(busy, children) - 1 if busy or children else 0


def _closed_walks(
    leaving: dict[tuple[_State, int], list[tuple[Role, tuple[_State, int]]]],
) -> Iterator[tuple[Role, ...]]:
    """Closed walks from phase 0 that use every arc once, as lists of roles."""
    for start in [state for state in leaving if state[1] == 0]:
        while leaving[start]:
            walk, state = [], start
            while leaving[state]:
                role, state = leaving[state].pop()
                walk.append(role)
            yield tuple(walk)
