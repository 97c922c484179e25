"""What one processor may do in a continuous broadcast of the least delay, for the latency 2.

Every item has an optimal tree.  A node of the delay d has the *index* w = t - d, where t is the
depth; what is received with the index w in a step would have been due w steps later.  A *role* is
an index and the steps, from the reception on, in which the item is sent: offset s makes a child of
the index w - 2 - s.  A *state* says which of the items that are due now, in one step, two steps,
... have been received, and in which of the coming steps something will be sent.

Sets of steps are bits of an integer, bit x for the step x from now.
Proofs: proofs/logp-two-steps.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import networkx as nx

from exactsched.graphs.reachability import breadth_first
from exactsched.logp.counts import fibonacci

Role = tuple[int, int]  # index, offsets of the sends
State = tuple[int, int]  # what has been received, what will be sent
Arc = tuple[State, Role, State]


def least_depth(processors: int) -> int:
    """The least t with f_t >= processors, where f_t = 1, 1, 2, 3, 5, ... is Fibonacci's sequence.

    >>> least_depth(1), least_depth(21), least_depth(22)
    (0, 7, 8)
    """
    depth = 0
    while fibonacci(2, depth) < processors:
        depth += 1
    return depth


def children(role: Role) -> Iterator[int]:
    """The indices of the children.

    >>> list(children((6, 0b10011)))
    [4, 3, 0]
    """
    index, offsets = role
    return (index - 2 - s for s in range(max(index - 1, 0)) if offsets >> s & 1)


def roles_of_trees(processors: int) -> list[Role]:
    """All roles in trees of `processors` nodes and the least depth t: f_t nodes, except for a few.

    A node of the index w is the root of f_w nodes at most, so a child of the index v that is not
    there takes f_v away.

    >>> roles_of_trees(4)  # of a tree of depth 4 one node is missing
    [(0, 0), (1, 0), (2, 0), (2, 1), (4, 3), (4, 5), (4, 7)]
    """
    depth = least_depth(processors)
    dropped = fibonacci(2, depth) - processors

    def choices(index: int, offset: int, left: int) -> Iterator[int]:
        if offset > index - 2:
            yield 0
            return
        lost = fibonacci(2, index - 2 - offset)
        if lost <= left:
            yield from choices(index, offset + 1, left - lost)
        for rest in choices(index, offset + 1, left):
            yield rest | 1 << offset

    return [
        (index, offsets)
        for index in _indices(depth)
        for offsets in sorted(choices(index, 0, dropped))
    ]


def simple_roles(depth: int) -> list[Role]:
    """The roles in which a node sends in all steps that there are, or in all but the last one.

    >>> simple_roles(4)
    [(0, 0), (1, 0), (2, 0), (2, 1), (4, 3), (4, 7)]
    """
    return [
        (index, (1 << count) - 1)
        for index in _indices(depth)
        for count in sorted({max(index - 2, 0), max(index - 1, 0)})
    ]


def _indices(depth: int) -> list[int]:
    """Those of nodes: the first child of the root has the index depth - 2."""
    return [*range(depth - 1), depth]


def following(state: State, role: Role) -> State | None:
    """The state one step after a role has been taken, or None if the state forbids it.

    An item that is due now must be received now, and nothing twice; one send in a step.

    >>> following((0b0001, 0), (4, 0b0111)), following((0b0000, 0), (4, 0b0111))
    ((8, 3), None)
    """
    received, sending = state
    index, offsets = role
    if received >> index & 1 or sending & offsets or (index and not received & 1):
        return None
    return (received | 1 << index) >> 1, (sending | offsets) >> 1


def reachable_arcs(depth: int, roles: Iterable[Role]) -> list[Arc]:
    """All roles in all states that can be reached from those in which nothing is to be sent.

    All states on cycles are among them: nothing is sent later than `depth` - 2 steps after its
    reception, so who starts with nothing to be sent, `depth` steps before, comes to the same state.
    """
    choice = list(roles)
    arcs: list[Arc] = []

    def heads(state: State) -> list[State]:
        leaving = [(role, head) for role in choice if (head := following(state, role)) is not None]
        arcs.extend((state, role, head) for role, head in leaving)
        return [head for _, head in leaving]

    breadth_first(((received, 0) for received in range(1 << depth)), heads)
    return arcs


def recurrent_arcs(depth: int, roles: Iterable[Role]) -> list[Arc]:
    """Those arcs that lie on a cycle: only they can be used again and again.

    >>> len(recurrent_arcs(7, roles_of_trees(21))), len(recurrent_arcs(8, roles_of_trees(33)))
    (23, 134)
    """
    arcs = reachable_arcs(depth, roles)
    graph = nx.DiGraph([(tail, head) for tail, _, head in arcs])
    component = {}
    for number, states in enumerate(nx.strongly_connected_components(graph)):
        component.update(dict.fromkeys(states, number))
    return [arc for arc in arcs if component[arc[0]] == component[arc[2]]]
