"""Latency 2: which numbers of processors have a continuous broadcast of the least delay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, product
from math import lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.logp import LogPCycles
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.latency_two.automaton import (
    Arc,
    least_depth,
    recurrent_arcs,
    roles_of_trees,
    simple_roles,
)
from exactsched.logp.latency_two.continuous import early_partition, most_in_blocks, stored_cycles
from exactsched.logp.latency_two.exclusion import (
    exclusion,
    longest_series,
    longest_series_by_counting,
    rate_program,
)
from exactsched.logp.latency_two.partitions import stored_partition
from exactsched.logp.latency_two.program import circulation

IMPOSSIBLE = [21, *range(32, 35), *range(49, 56), *range(77, 90)]


def test_settled_up_to_89() -> None:
    late = [m for m in range(1, 90) if not continuous_broadcast(2, m + 1).optimal]
    assert late == IMPOSSIBLE
    for m in range(1, 90):
        cycles = continuous_broadcast(2, m + 1)
        assert check(cycles).time == cycles.bound + (m in IMPOSSIBLE)


@pytest.mark.parametrize("m", [21, 32, 33, 34, 53, 54, 55, 88, 89])
def test_excluded(m: int) -> None:
    proof = exclusion(m)
    assert proof is not None
    assert proof.program == rate_program(m)
    assert check(proof).kind == "linear-infeasibility"
    assert_infeasible_by_definition(m, dict(proof.multipliers))


@pytest.mark.parametrize("m", [1, 2, 3, 4, 5, 8, 12, 13, 18, 20, 30, 31])
def test_not_excluded(m: int) -> None:
    assert exclusion(m) is None


def assert_infeasible_by_definition(m: int, multipliers: dict[int, object]) -> None:
    """Prices of states and indices under which every role in every state costs nothing or more."""
    arcs = recurrent_arcs(least_depth(m), roles_of_trees(m))
    states = sorted({tail for tail, *_ in arcs})
    values = [Fraction(str(multipliers.get(row, 0))) for row in range(len(states) + 99)]
    price = dict(zip(states, values, strict=False))
    depth = least_depth(m)
    node = values[len(states) : len(states) + depth + 1]
    share = values[len(states) + depth + 1]
    assert node[depth] + m * share < 0
    for tail, (index, offsets), head in arcs:
        below = [node[index - 2 - s] for s in range(depth) if offsets >> s & 1]
        assert price[tail] - price[head] + node[index] - sum(below) + share >= 0


Tree = tuple[int, tuple["Tree", ...]]  # type: ignore[misc]


def trees(index: int, size: int) -> Iterator[Tree]:
    """All trees of `size` nodes whose root has `index` steps left, by definition."""
    for count in range(min(max(index, 1), size)):
        for below in combinations(range(index - 1), count):
            for sizes in product(range(1, size), repeat=count):
                if sum(sizes) == size - 1:
                    kinds = [list(trees(v, n)) for v, n in zip(below, sizes, strict=True)]
                    for subtrees in product(*kinds):
                        yield index, subtrees


@pytest.mark.parametrize("m", range(1, 13))
def test_roles_are_the_nodes_of_all_optimal_trees(m: int) -> None:
    found = set()
    stack = list(trees(least_depth(m), m))
    assert stack
    while stack:
        index, below = stack.pop()
        found.add((index, sum(1 << index - 2 - child for child, _ in below)))
        stack += below
    assert found == set(roles_of_trees(m))


def arcs_by_definition(m: int) -> set[Arc]:
    """Sets instead of bits, all states, and an arc stays if its head leads back to its tail."""
    depth = least_depth(m)
    steps = range(depth)
    subsets = [
        frozenset(chosen)
        for chosen in chain.from_iterable(combinations(steps, size) for size in range(depth + 1))
    ]
    arcs = []
    for received, sending in product(subsets, repeat=2):
        for index, offsets in roles_of_trees(m):
            sends = {s for s in steps if offsets >> s & 1}
            new = received | {index}
            if index in received or 0 not in new or sends & sending:
                continue
            head = (
                frozenset(x - 1 for x in new if x),
                frozenset(x - 1 for x in sends | sending if x),
            )
            arcs.append(((received, sending), (index, offsets), head))
    while True:  # walks for ever in both directions
        tails, heads = {arc[0] for arc in arcs}, {arc[2] for arc in arcs}
        kept = [arc for arc in arcs if arc[0] in heads and arc[2] in tails]
        if len(kept) == len(arcs):
            break
        arcs = kept
    after: dict[object, set[object]] = {}
    for tail, _, first in arcs:
        after.setdefault(tail, set()).add(first)

    def leads(start: object, goal: object) -> bool:
        seen, stack = {start}, [start]
        while stack:
            state = stack.pop()
            if state == goal:
                return True
            new_ones = after[state] - seen
            seen |= new_ones
            stack += new_ones
        return False

    def bits(steps_of: frozenset[int]) -> int:
        return sum(1 << x for x in steps_of)

    return {
        ((bits(tail[0]), bits(tail[1])), role, (bits(head[0]), bits(head[1])))
        for tail, role, head in arcs
        if leads(head, tail)
    }


@pytest.mark.parametrize("m", [2, 3, 4, 5, 7, 8, 12, 13])
def test_automaton_by_definition(m: int) -> None:
    arcs = recurrent_arcs(least_depth(m), roles_of_trees(m))
    assert len(set(arcs)) == len(arcs)
    assert set(arcs) == arcs_by_definition(m)


def rates(cycles: LogPCycles) -> dict[Arc, Fraction]:
    """How often each role is taken in each state, from absolute times of one period."""
    depth = cycles.time - 2
    count: Counter[Arc] = Counter()
    period = lcm(*[len(roles) for _, roles in cycles.cycles])
    for shift, roles in cycles.cycles:
        for start in range(0, len(roles), shift):

            def taken(time: int, start: int = start, roles: tuple = roles) -> tuple[int, int]:  # type: ignore[type-arg]
                delay, children = roles[(time - start) % len(roles)]
                return depth - delay, children

            def state(time: int) -> tuple[int, int]:
                received = sending = 0
                for earlier in range(time - depth - 1, time):
                    index, children = taken(earlier)
                    received |= 1 << earlier + index - time if earlier + index >= time else 0
                    for send in range(earlier, earlier + children):
                        sending |= 1 << send - time if send >= time else 0
                return received, sending

            for time in range(len(roles)):
                index, children = taken(time)
                count[state(time), (index, (1 << children) - 1), state(time + 1)] += period // len(
                    roles
                )
    return {arc: Fraction(times, period) for arc, times in count.items()}


@pytest.mark.parametrize("m", [1, 2, 5, 8, 9, 13, 17, 19, 20, 29, 31])
def test_schedules_are_feasible_points(m: int) -> None:
    program = rate_program(m)
    column = {arc: j for j, arc in enumerate(recurrent_arcs(least_depth(m), roles_of_trees(m)))}
    point = {column[arc]: rate for arc, rate in rates(continuous_broadcast(2, m + 1)).items()}
    assert sum(point.values()) == m
    assert program.equalities == tuple(range(len(program.rows)))
    for entries, right in zip(program.rows, program.right_sides, strict=True):
        assert sum(value * point.get(j, 0) for j, value in entries) == right


@given(st.integers(1, 800) | st.integers(800, 5000))
def test_blocks(m: int) -> None:
    if stored_cycles(m) is not None:
        return
    partition = early_partition(m)
    least = least_depth(m)
    assert partition.is_valid()
    assert partition.processors == m
    early = m <= most_in_blocks(least) or stored_partition((2, least, m, None, None)) is not None
    assert partition.depth == least + (not early and m > 1)


def test_induction_at_its_ends() -> None:
    assert [most_in_blocks(t) for t in range(9, 14)] == [4 * n for n in (11, 18, 29, 47, 76)]
    for depth in range(8, 24):
        most = most_in_blocks(depth)
        assert continuous_broadcast(2, most + 1).optimal
        assert early_partition(most).depth == depth
        assert early_partition(most + 1).depth <= depth + 1


@pytest.mark.parametrize("depth", range(1, 11))
def test_theorem_3_4(depth: int) -> None:
    m = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89][depth]
    assert (longest_series_by_counting(m) is not None) == (depth >= 7)
    assert (exclusion(m) is not None) == (depth >= 7)
    assert continuous_broadcast(2, m + 1).optimal == (depth < 7)


def test_excluded_by_counting_and_served_by_nobody() -> None:
    numbers = [*range(1, 400), *range(6000, 6766, 7)]
    excluded = {m for m in numbers if longest_series_by_counting(m) is not None}
    assert all(m > most_in_blocks(least_depth(m)) for m in excluded)
    assert not any(stored_cycles(m) for m in excluded)
    assert excluded & set(range(90)) == {21, 34, 55, 88, 89}
    for m in numbers:
        assert longest_series_by_counting(m) == by_hand(m)


def by_hand(m: int) -> int | None:
    """a's per item against the a's that idle steps, nodes that lack a child, and the ends allow."""
    f = [1, 1]
    while f[-1] < m:
        f.append(f[-1] + f[-2])
    t = len(f) - 1 if m > 1 else 0
    lacking = f[t] - m
    surplus = f[t - 2] - lacking - ((t - 1) + (2 * t - 3) * lacking) if t > 1 else 0
    at_the_ends = m * (t + 1) * (t - 1) + m * t * (2 * t - 3)
    return at_the_ends // surplus if surplus > 0 else None


def test_what_the_program_finds() -> None:
    assert circulation(5, 1) is None
    assert circulation(21, 1) is None
    for m, period in ((5, 2), (13, 1), (31, 1), (10, 2), (12, 3)):
        walks = circulation(m, period)
        assert walks is not None
        depth = least_depth(m)
        cycles = tuple(
            (period, tuple((depth - index, count) for index, count in walk)) for walk in walks
        )
        machine = continuous_broadcast(2, m + 1).machine
        assert check(LogPCycles(machine, cycles, 0, (), 2 + depth, 2 + depth, True)).optimal
    assert set(simple_roles(5)) == {role for m in (6, 7, 8) for role in roles_of_trees(m)} - {
        (index, offsets)
        for m in (6, 7, 8)
        for index, offsets in roles_of_trees(m)
        if offsets & (offsets + 1) or offsets.bit_count() < index - 2
    }


def test_longest_series_by_definition() -> None:
    """For 21 processors nothing is missing: sends are the next 0, 1, ..., 5 steps."""
    m, depth = 21, 7
    proof = exclusion(m)
    assert proof is not None
    row = dict(proof.multipliers)
    last = len(proof.program.rows) - 1
    node = [row.get(last - depth - 1 + v, 0) for v in range(depth + 1)]
    cost = [node[w] - sum(node[: max(w - 1, 0)]) + row.get(last, 0) for w in range(depth + 1)]
    states = [
        (frozenset(r), b) for n in range(8) for r in combinations(range(7), n) for b in range(6)
    ]
    gained: dict[tuple[frozenset[int], int], int] = dict.fromkeys(states, 0)
    for _ in range(len(states)):
        before = dict(gained)
        for (received, busy), w in product(states, range(depth + 1)):
            if w in received or (w and 0 not in received) or (w > 1 and busy):
                continue
            head = frozenset(x - 1 for x in received | {w} if x), max(busy, w - 1, 1) - 1
            gained[head] = max(gained[head], gained[received, busy] - cost[w])
        if gained == before:
            break
    worst = max(0, -min(cost))
    loss = (depth + 1) * max(gained.values()) + 2 * depth * worst
    assert longest_series(proof, m) == m * loss // -(node[depth] + m * row.get(last, 0))


def test_longest_series_is_about_its_own_proof() -> None:
    proof = exclusion(34)
    assert proof is not None
    with pytest.raises(InvalidInput):
        longest_series(proof, 33)
    assert 8 < longest_series(proof, 34) < 10**5


@pytest.mark.parametrize("m", [0, -1, True, 2.0, "21", 35, 76, 10**6])
def test_refusals(m: object) -> None:
    with pytest.raises(InvalidInput):
        exclusion(m)  # type: ignore[arg-type]


@pytest.mark.parametrize("m", [0, True, 21.0])
def test_counting_refuses(m: object) -> None:
    with pytest.raises(InvalidInput):
        longest_series_by_counting(m)  # type: ignore[arg-type]
