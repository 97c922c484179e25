"""Several collectives at once: optima, schedules, certificates."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from exactsched import (
    InvalidInput,
    Platform,
    Rejected,
    advise,
    allgather,
    alltoall,
    broadcast,
    built_in,
    check,
    draw,
    mix,
    order_free_allreduce,
    order_free_reduce,
    reduce_scatter,
    scatter,
    simulate,
)
from exactsched.model.parts import Block
from exactsched.model.problem import PORTS, Combination, Ports
from exactsched.oracles.collectives import (
    optimal_throughput_by_definition,
    problem_of,
    simulate_run,
    simulate_series,
)
from exactsched.runs.finite_run import run_operations
from exactsched.steady_state.combination import solve_combination
from exactsched.steady_state.mix import mix_part
from exactsched.steady_state.solution import Solution
from tests.independent import verdict

F = Fraction


def checked(solution: Solution) -> Solution:
    """Both checkers and the player accept the certificate; every message arrives once and whole."""
    document = solution.certificate()
    proved = check(document)
    assert proved.optimal
    assert proved.bound == solution.throughput
    other = verdict(json.dumps(document))
    assert other.word == "accepted", other.reason
    problem = solution.problem
    assert isinstance(problem, Combination)
    if solution.structures:
        report = simulate(document, 4)
        for (block, node), values in report.results.items():
            source, nodes = problem.blocks[block].source, len(problem.group_of(block))
            assert node != source
            for value in values:
                assert len(value) == (nodes if source is None else 1)
                assert set(value.values()) == {1}
                assert source is None or f" of {source} (" in next(iter(value))
    return solution


def random_platform(dice: Random) -> Platform:
    """Four nodes around a cycle, and some further arcs."""
    pairs = [(0, 1), (1, 2), (2, 3), (3, 0)]
    others = sorted(set(permutations(range(4), 2)) - set(pairs))
    pairs += dice.sample(others, dice.randint(0, 3))
    arcs = [(u, v, F(dice.randint(1, 5), dice.randint(1, 3))) for u, v in pairs]
    return Platform(range(4), arcs)


def random_mix(dice: Random) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = [
        {"collective": "broadcast", "source": dice.randrange(4)},
        {"collective": "scatter", "source": 0, "targets": [1, 3]},
        {"collective": "gather", "target": 2, "sources": [0, 3]},
        {"collective": "alltoall", "sources": [1, 2], "targets": [2, 0]},
        {"collective": "allgather"},
        {"collective": "reduce", "target": dice.randrange(4)},
        {"collective": "reduce-scatter"},
        {"collective": "allreduce"},
    ]
    for one in listed:
        one |= {"size": F(dice.randint(1, 3), 2), "weight": dice.randint(1, 3)}
    return dice.sample(listed, dice.randint(1, 3))


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("seed", range(8))
def test_the_optimum_by_definition(seed: int, ports: Ports) -> None:
    dice = Random(seed)
    platform, parts = random_platform(dice), random_mix(dice)
    solution = checked(mix(platform, parts, ports=ports))
    problem = solution.problem
    assert isinstance(problem, Combination)
    assert solution.throughput == optimal_throughput_by_definition(problem)
    document = solution.certificate()
    assert simulate_series(document, 12) > 0
    run = run_operations(solution, 3)
    assert check(run.certificate()).makespan == simulate_run(run.certificate()) == run.makespan
    assert verdict(json.dumps(run.certificate())).word == "accepted"


def random_groups(dice: Random) -> list[dict[str, Any]]:
    """Collectives among some of four nodes and a switch, most of them with groups of their own."""

    def group(count: int) -> list[int]:
        return dice.sample(range(4), count)

    source, *targets = group(dice.randint(2, 3))
    target, *others = group(dice.randint(2, 4))
    first, second = group(2), group(3)
    listed: list[dict[str, Any]] = [
        {"collective": "broadcast", "source": source, "targets": targets},
        {"collective": "reduce", "target": target, "participants": [target, *others]},
        {"collective": "allreduce", "participants": group(dice.randint(2, 3))},
        {"collective": "allgather", "within": [first, second]},
        {"collective": "reduce-scatter", "participants": group(2)},
        {"collective": "alltoall", "participants": group(dice.randint(2, 3))},
        {"collective": "scatter", "source": source, "targets": targets},
    ]
    for one in listed:
        one |= {"size": F(dice.randint(1, 3), 2), "weight": dice.randint(1, 2)}
    return dice.sample(listed, dice.randint(1, 3))


def random_fabric(dice: Random) -> Platform:
    """Four nodes around a cycle, and a switch that some of them are at."""
    around = [(0, 1), (1, 2), (2, 3), (3, 0)]
    pairs = [*around, *dice.sample([(v, u) for u, v in around], 2)]
    pairs += [pair for node in dice.sample(range(4), 3) for pair in ((node, "s"), ("s", node))]
    arcs = [(u, v, F(dice.randint(1, 4), dice.randint(1, 3))) for u, v in pairs]
    return Platform([*range(4), "s"], arcs, switches="s")


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("seed", range(10))
def test_groups_by_definition(seed: int, ports: Ports) -> None:
    """All structures of each block in its own group, through all nodes outside of it."""
    dice = Random(f"groups {seed}")
    platform, parts = random_fabric(dice), random_groups(dice)
    solution = checked(mix(platform, parts, ports=ports))
    problem = solution.problem
    assert isinstance(problem, Combination)
    assert solution.throughput == optimal_throughput_by_definition(problem) > 0
    document = solution.certificate()
    read = problem_of(document)
    assert isinstance(read, Combination)
    assert (read.blocks, read.groups) == (problem.blocks, problem.groups)
    assert simulate_series(document, 12) > 0
    run = run_operations(solution, 3)
    assert check(run.certificate()).makespan == simulate_run(run.certificate()) == run.makespan
    assert verdict(json.dumps(run.certificate())).word == "accepted"


@pytest.mark.parametrize("ports", PORTS)
def test_a_group_alone_is_that_collective(ports: Ports) -> None:
    platform = random_fabric(Random(7))
    group = [0, 2, 3]
    for part, alone in (
        ({"collective": "allreduce"}, order_free_allreduce(platform, group, ports=ports)),
        ({"collective": "reduce-scatter"}, reduce_scatter(platform, None, group, ports=ports)),
    ):
        given = part | {"participants": group}
        assert checked(mix(platform, [given], ports=ports)).throughput == alone.throughput
        # A second group makes the first one a group of its own; it costs nothing worth a name.
        tiny = {"collective": "allreduce", "participants": [0, 1], "weight": F(1, 10**6)}
        whole = checked(mix(platform, [given, tiny], ports=ports)).throughput
        assert alone.throughput * F(99, 100) < whole <= alone.throughput


def test_groups_that_share_nothing_do_not_slow_each_other() -> None:
    line = Platform("abcd", [(u, v, 1) for one in ("ab", "cd") for u, v in (one, one[::-1])])
    within = {"collective": "allgather", "within": [["a", "b"], ["c", "d"]]}
    assert checked(mix(line, [within])).throughput == 1
    everybody = {"collective": "allreduce"}
    solution = checked(mix(line, [within, everybody]))
    assert solution.throughput == 0
    apart = [{"collective": "allreduce", "participants": ["a", "b"]}]
    apart += [{"collective": "reduce", "target": "c", "participants": ["b", "c"]}]
    assert checked(mix(line, [within, *apart])).throughput == 0


def test_training_on_two_boxes() -> None:
    """Tensor parallel: an allgather in each box; data parallel: an allreduce across the boxes."""
    boxes = [[f"gpu{8 * box + one}" for one in range(8)] for box in range(2)]
    parts = [
        {"collective": "allgather", "within": boxes},
        {"collective": "allreduce", "participants": ["gpu0", "gpu8"]},
    ]
    solution = mix(built_in("dgx-a100:2"), parts, ports="link")
    assert check(solution.certificate()).optimal
    assert solution.throughput == F(325, 8)
    assert verdict(json.dumps(solution.certificate())).word == "accepted"


@pytest.mark.parametrize("ports", ["link", "one-port", "half-duplex"])
def test_a_mix_of_one_is_that_one(ports: Ports) -> None:
    platform = random_platform(Random(3))
    bipartite = built_in("grid:2x2")
    everywhere = [
        ({"collective": "broadcast", "source": 1}, broadcast(platform, 1, ports=ports)),
        ({"collective": "reduce", "target": 1}, order_free_reduce(platform, 1, ports=ports)),
        ({"collective": "allreduce"}, order_free_allreduce(platform, ports=ports)),
        ({"collective": "reduce-scatter"}, reduce_scatter(platform, ports=ports)),
    ]
    for part, alone in everywhere:
        assert checked(mix(platform, [part], ports=ports)).throughput == alone.throughput
    pairs = list(permutations(range(4), 2))
    for part, alone in (
        ({"collective": "scatter", "source": 0}, scatter(bipartite, 0, [1, 2, 3], ports=ports)),
        (
            {"collective": "gather", "target": 0},
            alltoall(bipartite, [(1, 0), (2, 0), (3, 0)], ports=ports),
        ),
        ({"collective": "alltoall"}, alltoall(bipartite, pairs, ports=ports)),
    ):
        assert checked(mix(bipartite, [part], ports=ports)).throughput == alone.throughput
    if ports == "link":
        together = mix(platform, [{"collective": "allgather"}], ports=ports)
        assert together.throughput == allgather(platform).throughput


def test_weights_are_ratios() -> None:
    """A mix is at least as fast as one collective after the other, and no part is faster alone."""
    for seed in range(6):
        dice = Random(seed)
        platform, parts = random_platform(dice), random_mix(dice)
        whole = mix(platform, parts).throughput
        alone = [mix(platform, [part]).throughput for part in parts]
        assert 1 / sum(1 / one for one in alone) <= whole <= min(alone)
        doubled = [part | {"weight": 2 * part["weight"]} for part in parts]
        assert mix(platform, doubled).throughput == whole / 2
        halves = [part | {"weight": F(part["weight"], 2)} for part in (*parts, *parts)]
        assert mix(platform, halves).throughput == whole


def test_together_is_faster_than_in_turn() -> None:
    """A broadcast from each end of a line leaves the other direction idle."""
    line = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    parts = [{"collective": "broadcast", "source": end} for end in "ab"]
    assert checked(mix(line, parts, ports="link")).throughput == 1


def test_an_odd_set_bounds_a_mix() -> None:
    """Half-duplex on a triangle one transfer works at a time."""
    triangle = built_in("complete:3")
    parts = [
        {"collective": "scatter", "source": 0, "targets": [1]},
        {"collective": "scatter", "source": 1, "targets": [2]},
        {"collective": "reduce", "target": 0},
    ]
    solution = checked(mix(triangle, parts, ports="half-duplex"))
    assert solution.throughput == F(1, 4)
    assert solution.proof.odd_sets  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("arcs", "part", "said"),
    [
        ([("a", "b", 1), ("b", "c", 1)], {"collective": "broadcast", "source": "b"}, "b to a"),
        (
            [("a", "b", 1), ("b", "c", 1)],
            {"collective": "scatter", "source": "c", "targets": ["b"]},
            "c to b",
        ),
        ([("a", "b", 1), ("b", "a", 1)], {"collective": "allreduce"}, "not from all nodes"),
    ],
)
def test_what_does_not_arrive(
    arcs: list[tuple[str, str, int]], part: dict[str, Any], said: str
) -> None:
    from exactsched.model.unreachable import unreachable_in_words

    fine = {"collective": "scatter", "source": "a", "targets": ["b"]}
    solution = checked(mix(Platform("abc", arcs), [fine, part]))
    assert solution.throughput == 0
    assert said in unreachable_in_words(solution.problem)


def test_advice_on_a_mix() -> None:
    platform = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    parts = [
        {"collective": "broadcast", "source": "a"},
        {"collective": "scatter", "source": "b", "targets": ["c"], "size": 2},
    ]
    (row,) = advise(mix(platform, parts, ports="link")).rows
    assert (row.item.name, row.gain, row.until, row.without) == ("b->c", F(1, 3), 2, 0)


def test_pictures_tell_messages_from_sums(tmp_path: Path) -> None:
    platform = built_in("grid:2x2")
    parts = [
        {"collective": "allreduce"},
        {"collective": "broadcast", "source": 0},
        {"collective": "scatter", "source": 1, "targets": [2]},
    ]
    solution = mix(platform, parts)
    for made in (solution, run_operations(solution, 2)):
        page = tmp_path / "mix.html"
        draw(made.certificate(), page)
        text = page.read_text()
        assert "message of 0 to all" in text
        assert "message of 1 to 2" in text
        assert "block of all" in text
    draw(mix(Platform("ab", [("a", "b", 1)]), [{"collective": "allreduce"}]).certificate())


def test_a_message_cut_has_to_contain_the_target() -> None:
    chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    solution = mix(chain, [{"collective": "scatter", "source": "a", "targets": ["c"]}])
    document = solution.certificate()
    order = document["proof"]["roots"][0][5]
    document["proof"]["roots"][0][5] = ["b" for node in order if node == "b"]
    document["proof"]["roots"][0][6] = []
    with pytest.raises(Rejected, match="nothing is bounded"):
        check(document)
    assert verdict(json.dumps(document)).word == "rejected"


def test_what_a_collective_may_say() -> None:
    ring = built_in("ring:3")
    given: Any = {"collective": "broadcast", "source": "0", "size": "0.25", "weight": "2/3"}
    part = mix_part(ring, given, "here")
    assert part.weight == F(2, 3)
    assert part.blocks == (Block(F(1, 6), ring.nodes, 0),)
    assert mix_part(ring, {"collective": "allgather"}, "here").blocks[2].source == 2
    for wrong, rule in (
        (1, "an object such as"),
        ({"collective": "barrier"}, "one of broadcast"),
        ({"collective": "broadcast"}, "broadcast needs it"),
        ({"collective": "allreduce", "source": 0}, "allreduce has weight, size"),
        ({"collective": "allreduce", "participants": [1]}, "at least two nodes take part"),
        ({"collective": "allreduce", "participants": 1}, "a list of nodes"),
        ({"collective": "allgather", "within": [[0, 1], [2]]}, "at least two nodes take part"),
        ({"collective": "allgather", "within": []}, "a list of lists of nodes"),
        ({"collective": "allgather", "within": [0, 1]}, "group 0: 0: a list of nodes"),
        ({"collective": "alltoall", "within": [[0]]}, "at least two nodes take part"),
        ({"collective": "allgather", "within": [[0, 1]], "participants": [0, 1]}, "not both"),
        ({"collective": "alltoall", "within": [[0, 1]], "sources": [0]}, "or participants, or"),
        ({"collective": "reduce", "target": 0, "participants": [1, 2]}, "one of the participants"),
        ({"collective": "broadcast", "source": 0, "targets": [0]}, "at least two nodes"),
        ({"collective": "allreduce", "size": 0}, "a positive number"),
        ({"collective": "allreduce", "weight": -1}, "a positive number"),
        ({"collective": "scatter", "source": 9}, "not a node of the platform"),
        ({"collective": "scatter", "source": [0]}, "one node"),
        ({"collective": "scatter", "source": 0, "targets": 1}, "a list of nodes"),
        ({"collective": "scatter", "source": 0, "targets": []}, "at least one node"),
        ({"collective": "scatter", "source": 0, "targets": [1, 1]}, "named once"),
        ({"collective": "scatter", "source": 0, "targets": [0]}, "another node as target"),
    ):
        listed: Any = [wrong]
        with pytest.raises(InvalidInput, match=rule):
            mix(ring, listed)
    with pytest.raises(InvalidInput, match="at least one collective"):
        mix(ring, [])
    with pytest.raises(InvalidInput, match="it takes no part"):
        mix_part(built_in("dgx-a100:1"), {"collective": "scatter", "source": "nvswitch0"}, "here")


def test_blocks_that_are_no_messages() -> None:
    ring = built_in("ring:3")
    for block, rule in (
        ((1, (0, 1, 2), 5), "not a node of the platform"),
        ((1, (0,), 0), "there already"),
        ((1, (0,), 0, 1, 1), "a block is"),
        ((1, (0,), 1, 0), "the index of one of 0 groups"),
    ):
        blocks: Any = (block,)
        with pytest.raises(InvalidInput, match=rule):
            Combination(ring, blocks)
    fabric = built_in("dgx-a100:1")
    with pytest.raises(InvalidInput, match="a switch only forwards"):
        Combination(fabric, (Block(F(1), ("gpu1",), "gpu0"),))
    assert mix(fabric, [{"collective": "scatter", "source": "gpu0"}], ports="link").optimal
    twice: Any = ((1, ring.nodes, 0), (1, ring.nodes, 0))
    assert solve_combination(Combination(ring, twice)).throughput == F(1, 2)


@pytest.mark.parametrize("ports", PORTS)
def test_a_mix_through_nodes_that_only_forward(ports: Ports) -> None:
    """Messages go from node to node of the group, and switches copy nothing."""
    arcs = [("a", "s", 1), ("s", "b", "1/2"), ("b", "s", 1), ("s", "c", 1), ("c", "a", 2)]
    arcs += [("b", "c", 3), ("s", "a", 2)]
    platform = Platform("abcs", arcs, switches="s")
    parts = [
        {"collective": "broadcast", "source": "a"},
        {"collective": "scatter", "source": "b", "targets": ["a"], "size": 2},
        {"collective": "reduce", "target": "c"},
    ]
    solution = checked(mix(platform, parts, ports=ports))
    problem = solution.problem
    assert isinstance(problem, Combination)
    assert problem.members == ("a", "b", "c")
    assert solution.throughput == optimal_throughput_by_definition(problem) > 0
    run = run_operations(solution, 3).certificate()
    assert check(run).makespan == simulate_run(run)
    assert verdict(json.dumps(run)).word == "accepted"


def test_a_machine_does_several_things_at_once() -> None:
    parts = [{"collective": "allreduce"}, {"collective": "alltoall", "size": "1/8"}]
    solution = mix(built_in("dgx-a100:1"), parts, ports="link")
    proved = check(solution.certificate())
    assert proved.optimal
    assert verdict(json.dumps(solution.certificate())).word == "accepted"
    nowhere: Any = ((1, ("gpu0", "gpu1")), (1, ("gpu0",), "gpu2"))
    with pytest.raises(InvalidInput, match="starts at a node of the group"):
        Combination(built_in("dgx-a100:1"), nowhere)
