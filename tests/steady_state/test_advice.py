"""What to buy: gains, break points and failures, against optima from the definition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched import (
    InvalidInput,
    Platform,
    allgather,
    broadcast,
    broadcast_tree,
    built_in,
    check,
    order_free_allreduce,
)
from exactsched.model.parts import Block
from exactsched.model.problem import Allgather, Alltoall, Broadcast, Collective, Combination, Ports
from exactsched.model.resources import place_resources
from exactsched.model.tasks import Task, duration
from exactsched.oracles.alltoall import routes
from exactsched.oracles.broadcast import arborescences
from exactsched.oracles.linear_programs import THROUGHPUT, ThroughputProgram
from exactsched.oracles.order_free import all_pairs_of_trees
from exactsched.steady_state.advice import Row, _Question, advise, first_piece, packed, solve
from exactsched.steady_state.prefix import prefix
from exactsched.steady_state.reduce import reduce
from exactsched.steady_state.solution import Solution
from exactsched.steady_state.symmetric_items import first_alike

F = Fraction


def ways(problem: Collective) -> list[list[Iterable[Task]]]:
    """All structures of every part."""
    if isinstance(problem, Broadcast):
        return [[[(arc,) for arc in sorted(tree)] for tree in arborescences(problem)]]
    if isinstance(problem, Alltoall):
        found = routes(problem, 1000)
        assert found is not None
        return [list(part) for part in found]
    assert isinstance(problem, Combination)
    return [list(part) for part in all_pairs_of_trees(problem)]


def by_definition(problem: Collective, parts: Any, amounts: dict[str, Fraction]) -> Fraction:
    """The most operations if every resource works for no more than its amount.

    Not for half-duplex ports with odd cycles.
    """
    program = ThroughputProgram()
    busy: dict[str, dict[int, Fraction]] = {}
    used = place_resources(problem)
    for part in parts:
        row = {THROUGHPUT: F(-1)}
        for tasks in part:
            rate = program.variable()
            row[rate] = F(1)
            for task in tasks:
                for name in used[task[0]]:
                    times = busy.setdefault(name, {})
                    times[rate] = times.get(rate, F(0)) + duration(problem, task)
        program.equation(row)
    for name, times in busy.items():
        program.at_most(times, amounts.get(name, F(1)))
    return program.value()


def assert_true(problem: Collective, value: Fraction, row: Row) -> None:
    """All that the row says, by the definition of the packing."""
    parts = ways(problem)

    def at(more: Fraction) -> Fraction:
        return by_definition(problem, parts, {n: 1 + more * unit for n, unit in row.item.units})

    assert at(F(0)) == value
    assert at(F(1)) == row.one_more
    assert by_definition(problem, parts, {name: F(0) for name, _ in row.item.units}) == row.without
    end = F(1000) if row.until is None else row.until
    for more in (end / 1000, end / 2, end):
        assert at(more) == value + row.gain * more
    if row.until is not None:
        assert at(end * F(1001, 1000)) < value + row.gain * end * F(1001, 1000)
        assert row.gain > 0
    assert row.reached


def random_problem(dice: Random, ports: Ports) -> Collective:
    """Small, strongly connected, and without odd cycles where they would matter."""
    nodes = range(4)
    pairs = [(0, 1), (1, 2), (2, 3), (3, 0)]
    others = sorted(set(permutations(nodes, 2)) - set(pairs))
    if ports == "half-duplex":
        others = [(u, v) for u, v in others if (u + v) % 2]
    pairs += dice.sample(others, dice.randint(1, min(4, len(others))))
    arcs = [(u, v, F(dice.randint(1, 5), dice.randint(1, 2))) for u, v in pairs]
    platform = Platform(nodes, arcs)
    kind = dice.randrange(4)
    if kind == 0:
        return Broadcast(platform, 0, ports)
    if kind == 1:
        demands: Any = [(u, v, dice.randint(1, 3)) for u, v in dice.sample(pairs, 2)]
        return Alltoall(platform, (*demands, (0, 2)), ports)
    block = Block(F(1), tuple(nodes) if kind == 2 else (dice.randrange(4),))
    return Combination(platform, (block,), ports)


@pytest.mark.parametrize("ports", ["link", "one-port", "half-duplex"])
@pytest.mark.parametrize("seed", range(6))
def test_every_row_is_true_by_definition(seed: int, ports: Ports) -> None:
    problem = random_problem(Random(seed), ports)
    checked: list[Fraction] = []

    def resolved(solution: Solution) -> None:
        proved = check(solution.certificate())
        assert proved.optimal
        checked.append(proved.bound)

    advice = advise(solve(problem), every=True, resolved=resolved)
    assert checked
    for row in advice.rows:
        assert_true(problem, advice.throughput, row)
    gains = [row.gain for row in advice.rows]
    assert gains == sorted(gains, reverse=True)


def test_gains_are_not_all_zero_nor_all_endless() -> None:
    """So that the test above tests something."""
    rows = [
        row
        for seed in range(6)
        for ports in ("link", "one-port", "half-duplex")
        for row in advise(solve(random_problem(Random(seed), ports))).rows  # type: ignore[arg-type]
    ]
    assert sum(row.until is not None for row in rows) > 10
    assert sum(row.gain == 0 for row in rows) > 5


def test_cables_are_bought_in_both_directions() -> None:
    """Allgathers over switches: the rate of a platform that has been written anew."""
    platform = built_in("dgx-a100:2")
    advice = advise(allgather(platform))
    by_name = {row.item.name: row for row in advice.rows}
    uplinks = by_name["all cables of bandwidth 25"]
    assert (uplinks.gain, uplinks.until, uplinks.one_more) == (F(1, 15), F(4175), F(326, 15))
    for more, value in ((F(4175), F(300)), (F(4176), F(300))):
        arcs = [
            (a.tail, a.head, 1 / (1 / a.cost + (more if 1 / a.cost == 25 else 0)))
            for a in platform.arcs
        ]
        faster = Platform(platform.nodes, arcs, platform.node_data, platform.switches)
        assert allgather(faster).throughput == value
    broken = [a for a in platform.arcs if {a.tail, a.head} != {"gpu0", "nvswitch0"}]
    without = Platform(platform.nodes, broken, platform.node_data, platform.switches)
    assert by_name["gpu0<->nvswitch0"].without == allgather(without).throughput == F(5, 3)
    assert by_name["gpu0<->nvswitch0"].gain == 0


def test_what_no_schedule_is_known_to_reach_is_marked() -> None:
    """More out of a switch than into it: the value is that of cuts."""
    arcs = [("a", "s", "1/2"), ("s", "b", 1), ("s", "c", 1), ("a", "c", 1)]
    network = Platform("absc", arcs, switches="s")
    advice = advise(allgather(network, {"a": 1, "b": 0, "c": 0}), every=True)
    marked = {row.item.name: row for row in advice.rows}
    assert advice.throughput == 1
    assert marked["s->b"].one_more == 2  # by cuts; s would send 3 and receive 2
    unreached = [name for name, row in marked.items() if not row.reached]
    assert sorted(unreached) == ["all cables of bandwidth 1", "s->b"]


def test_a_single_arc_gains_for_ever() -> None:
    (row,) = advise(broadcast(Platform("ab", [("a", "b", "1/3")]), "a", ports="link")).rows
    assert (row.gain, row.until, row.one_more, row.without) == (1, None, 4, 0)


def test_several_bottlenecks_have_to_be_bought_together() -> None:
    chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    rows = {
        row.item.name: row for row in advise(broadcast(chain, "a", ports="link"), every=True).rows
    }
    assert rows["a->b"].gain == rows["b->c"].gain == 0
    assert rows["a->b"].until is None
    ports = {row.item.name: row for row in advise(broadcast(chain, "a"), every=True).rows}
    assert all(row.gain == 0 for row in ports.values())
    assert ports["send:c"].without == 1
    assert ports["send:b"].without == 0


def test_what_advice_is_not_given_on() -> None:
    chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    triangle = built_in("complete:3")
    fork = Platform("asb", [("a", "s", 1), ("s", "b", "1/2"), ("b", "a", 1)])
    for solution, rule in (
        (allgather(fork, "ab"), "node s: '1 more is sent': advice is for"),
        (broadcast(chain, "b"), "no resource has a price"),
        (broadcast_tree(chain, "a"), "without restriction"),
        (broadcast(triangle, 0, ports="half-duplex"), "odd cycle"),
        (replace(broadcast(chain, "a"), bound=F(2)), "where the optimum is known"),
        (reduce(chain, "ab", "c", compute=1), "link ports"),
        (prefix(triangle, [0, 1, 2], compute=1), "single goal|optimum is known"),
    ):
        with pytest.raises(InvalidInput, match=rule):
            advise(solution)
    with pytest.raises(ValueError, match="is packed"):
        packed(reduce(chain, "ab", "c", compute=1).problem, {})


def test_an_ordered_reduction_has_links_to_buy() -> None:
    chain = Platform("abc", [("a", "b", 2), ("b", "c", 1)])
    rows = advise(reduce(chain, "abc", "c", compute="1/100", ports="link")).rows
    (first, *_) = rows
    assert (first.item.name, first.gain, first.until) == ("a->b", 1, F(1, 2))
    assert first.one_more == 1


lines = st.lists(
    st.tuples(st.fractions(0, 5, max_denominator=6), st.fractions(0, 5, max_denominator=6)),
    min_size=1,
    max_size=6,
)


@given(lines, st.randoms(use_true_random=False))
def test_first_pieces_of_concave_functions(
    listed: list[tuple[Fraction, Fraction]], dice: Random
) -> None:
    """The least of lines (value at 0, slope), of which any that is least may be named."""
    value = min(start for start, _ in listed)

    def line(at: Fraction) -> tuple[Fraction, Fraction]:
        least = min(start + slope * at for start, slope in listed)
        return least, dice.choice([s for start, s in listed if start + s * at == least])

    forever = min(slope for _, slope in listed)
    here = sorted({slope for start, slope in listed if start == value})
    gain, until = first_piece(line, value, dice.choice(here), forever)
    assert gain == here[0]
    ends = [(start - value) / (gain - slope) for start, slope in listed if slope < gain]
    assert until == min(ends, default=None)


def test_rows_are_told_as_they_are_done() -> None:
    told: list[tuple[int, int]] = []
    advise(
        broadcast(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), "a", ports="link"),
        every=True,
        progress=lambda done, of: told.append((done, of)),
    )
    assert all(later[0] == earlier[0] + 1 for earlier, later in pairwise(told))
    assert {of for _, of in told} == {len(told)}


def test_shared_links_are_bought_and_fail() -> None:
    """Three hosts; all routes of c go over one link, and everything goes over the backbone.

    Of an allgather the backbone takes two copies of each of three shards, and the link of c takes
    three.  With twice the bandwidth of the backbone both are busy all the time.
    """
    costs = {"backbone": F(1), "a": F(1, 10), "b": F(1, 10), "c": F(1)}

    def at(more: Fraction) -> Fraction:
        return allgather(shared(costs | {"backbone": 1 / (1 + more)}), ports="routes").throughput

    def shared(of: dict[str, Fraction]) -> Platform:
        arcs = []
        for one, other in permutations("abc", 2):
            route = tuple((name, of[name]) for name in (one, "backbone", other))
            arcs.append((one, other, max(cost for _, cost in route), 0, route))
        return Platform("abc", arcs)

    advice = advise(allgather(shared(costs), ports="routes"), every=True, resolved=check_solution)
    assert (advice.throughput, advice.unit) == (F(1, 6), "bandwidth")
    rows = {row.item.name: row for row in advice.rows}
    bought = rows["backbone"]
    assert (bought.gain, bought.until, bought.one_more, bought.without) == (F(1, 6), 1, F(1, 3), 0)
    assert [at(more) for more in (F(1, 2), F(1), F(2))] == [F(1, 4), F(1, 3), F(1, 3)]
    assert (rows["c"].gain, rows["c"].until, rows["c"].without) == (0, None, 0)


def check_solution(solution: Solution) -> None:
    assert check(solution.certificate()).bound == solution.throughput


@pytest.mark.parametrize("ports", ["one-port", "half-duplex"])
def test_ports_of_an_allgather(ports: Ports) -> None:
    """The port of the switch is all that counts: each shard passes it once for every other node."""
    advice = advise(allgather(built_in("dgx-a100:1"), ports=ports))
    times = 7 * (2 if ports == "half-duplex" else 1)
    assert advice.throughput == F(300, 8 * times)
    (row, *_) = advice.rows
    assert row.without == 0
    assert all(one.gain <= advice.throughput for one in advice.rows)


@pytest.mark.parametrize("ports", ["link", "one-port"])
def test_what_is_alike_is_asked_once(ports: Ports) -> None:
    """Every row is what it is if each item is asked for itself, which takes more optima."""
    best = order_free_allreduce(built_in("dgx-a100:1"), ports=ports)
    solved: list[Solution] = []
    alone: list[Solution] = []
    alike = advise(best, every=True, resolved=solved.append)
    for row in alike.rows:
        assert _Question(best, row.item, alone.append).row() == row
    assert 2 * len(solved) < len(alone)


def test_what_is_asked_for_tells_items_apart() -> None:
    """A star whose leaves are alike, but for a broadcast from one, a shard, or a demand."""
    arcs = [(*ends, 1) for one in "abc" for ends in ((one, "s"), ("s", one))]
    star = Platform("abcs", arcs, switches="s")
    cables = [[f"link:{2 * k}", f"link:{2 * k + 1}"] for k in range(3)]
    equal, unlike = (tuple(zip("abc", sizes, strict=True)) for sizes in ((1, 1, 1), (2, 1, 1)))
    block = Block(F(1), ("a", "b", "c"))
    for problem, expected in (
        (Allgather(star, equal), [0, 0, 0]),  # type: ignore[arg-type]
        (Allgather(star, unlike), [0, 1, 1]),  # type: ignore[arg-type]
        (Combination(star, (block,), "link"), [0, 0, 0]),
        (Combination(star, (block._replace(source="b"),), "link"), [0, 1, 0]),
        (Alltoall(star, (("a", "b"), ("b", "a")), "link"), [0, 0, 2]),  # type: ignore[arg-type]
    ):
        assert first_alike(problem, cables) == expected  # type: ignore[arg-type]


def test_who_asks_whom_tells_items_apart() -> None:
    """In a complete graph b and c each want one message, but not from the same node."""
    arcs = [(u, v, 1) for u in "abcd" for v in "abcd" if u != v]
    demands = (("a", "d"), ("a", "b"), ("d", "c"))
    problem = Alltoall(Platform("abcd", arcs), demands, "link")  # type: ignore[arg-type]
    links = [[f"link:{arcs.index((*ends, 1))}"] for ends in ("dc", "db")]
    assert first_alike(problem, links) == [0, 1]
