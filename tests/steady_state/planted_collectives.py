"""Random alltoalls and reductions with a steady state that is known because it was planted.

Structures are drawn first, then weighted so that no resource works more than full time.  Nothing
is optimal: what is tested here is played, drawn and read, not solved.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from hypothesis import strategies as st

from exactsched.certificate.bounds import DistanceBound, PotentialBound
from exactsched.certificate.collectives import Run, Series
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Alltoall, Ports, Reduction
from exactsched.model.resources import place_resources
from exactsched.model.tasks import WeightedStructure, duration, makes, needs
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.schedule import periodic_schedule
from exactsched.strategies import costs, platforms

Task = tuple[int, ...]


def series_of(problem: Alltoall | Reduction, structures: Iterable[WeightedStructure]) -> Series:
    """The certificate of these structures, with a bound that says nothing."""
    listed = tuple(structures)
    rate = sum((one.weight for one in listed if one.part == 0), start=Fraction(0))
    nothing = (0,) * len(problem.platform.nodes)
    bound: DistanceBound | PotentialBound
    if isinstance(problem, Alltoall):
        bound = DistanceBound({}, (nothing,) * len(problem.sources))
    else:
        bound = PotentialBound({}, ((nothing,) * len(problem.intervals),) * len(problem.goals))
    schedule = periodic_schedule(problem, listed) if listed else None
    return Series(problem, rate, rate, True, schedule, bound)


def reduce_toy() -> Series:
    """RR-4872, figures 6 and 7: a unit triangle, trees of weight 1/3 and 2/3."""
    platform = built_in("reduce-toy")
    compute = tuple((node, platform.node_data[node]["compute"]) for node in platform.nodes)
    goals = (((0, 2), "P0"),)
    problem = Reduction(platform, ("P0", "P1", "P2"), goals, Fraction(1), compute)
    arc = {(one.tail, one.head): index for index, one in enumerate(platform.arcs)}
    on = {node: len(arc) + index for index, node in enumerate(platform.nodes)}
    first = (
        (arc["P2", "P1"], 2, 2),
        (on["P1"], 1, 1, 2),
        (arc["P1", "P0"], 1, 2),
        (on["P0"], 0, 0, 2),
    )
    second = (
        (arc["P1", "P2"], 1, 1),
        (on["P2"], 1, 1, 2),
        (arc["P2", "P0"], 1, 2),
        (on["P0"], 0, 0, 2),
    )
    third = Fraction(1, 3)
    return series_of(
        problem, [WeightedStructure(0, first, third), WeightedStructure(0, second, 2 * third)]
    )


def scatter_toy() -> Series:
    """RR-4872, figure 2: two routes to P0, one to P1, throughput 1/2."""
    platform = built_in("scatter-toy")
    arc = {(one.tail, one.head): index for index, one in enumerate(platform.arcs)}
    problem = Alltoall(platform, (("Ps", "P0"), ("Ps", "P1")))  # type: ignore[arg-type]
    ways = [(0, "Pa", "P0", 4), (0, "Pb", "P0", 4), (1, "Pb", "P1", 2)]
    return series_of(
        problem,
        [
            WeightedStructure(part, ((arc["Ps", by], part), (arc[by, to], part)), Fraction(1, over))
            for part, by, to, over in ways
        ],
    )


@st.composite
def weighted(
    draw: st.DrawFn, problem: Alltoall | Reduction, parts: list[list[tuple[Task, ...]]]
) -> Series:
    """Weights for the structures of every part: the same sum in each, and full time at most."""
    shares = [[draw(st.integers(1, 3)) for _ in structures] for structures in parts]
    structures = [
        WeightedStructure(part, tasks, Fraction(share, sum(shares[part])))
        for part, listed in enumerate(parts)
        for tasks, share in zip(listed, shares[part], strict=True)
    ]
    names = place_resources(problem)
    load: dict[str, Fraction] = {}
    for one in structures:
        for task in one.tasks:
            for name in names[task[0]]:
                work = one.weight * duration(problem, task)
                load[name] = load.get(name, Fraction(0)) + work
    rate = 1 / (max(load.values()) * draw(st.sampled_from([1, 1, 2])))
    return series_of(
        problem, [WeightedStructure(one.part, one.tasks, one.weight * rate) for one in structures]
    )


@st.composite
def alltoalls(draw: st.DrawFn, ports: Ports = "one-port") -> Series:
    """One to six demands of any sizes, each with one to three routes."""
    platform = draw(_connected(ports))
    pairs = st.tuples(*2 * [st.sampled_from(platform.nodes)]).filter(
        lambda ends: ends[0] != ends[1]
    )
    ends = draw(st.lists(pairs, min_size=1, max_size=6, unique=True))
    problem = Alltoall(platform, tuple((*pair, draw(costs())) for pair in ends), ports)  # type: ignore[arg-type]
    parts = []
    for index, demand in enumerate(problem.demands):
        count = draw(st.integers(1, 3))
        routes = {
            tuple((arc, index) for arc in draw(_route(platform, demand.source, demand.target)))
            for _ in range(count)
        }
        parts.append(sorted(routes))
    return draw(weighted(problem, parts))


@st.composite
def reductions(draw: st.DrawFn, ports: Ports = "one-port") -> Series:
    """One to five values, one goal or several, one to three schemes of random splits and routes."""
    platform = draw(_connected(ports))
    nodes = st.sampled_from(platform.nodes)
    owners = draw(st.lists(nodes, min_size=1, max_size=5))
    able = draw(st.lists(nodes, min_size=1, unique=True))
    compute = tuple((node, draw(costs())) for node in able)
    last = len(owners) - 1
    if last and draw(st.booleans()):
        goals = [((0, index), owners[index]) for index in range(1, last + 1)]
    else:
        target = draw(nodes.filter(lambda node: last > 0 or node != owners[0]))
        goals = [((0, last), target)]
    size = draw(costs())
    problem = Reduction(platform, tuple(owners), tuple(goals), size, compute, ports)
    count = draw(st.integers(1, 3))
    return draw(weighted(problem, [sorted({draw(_scheme(problem)) for _ in range(count)})]))


@st.composite
def _connected(draw: st.DrawFn, ports: Ports) -> Platform:
    """Every node reaches every other: the reverse of each arc is there."""
    drawn = draw(platforms(max_nodes=5, reachable=True, bipartite=ports == "half-duplex"))
    known = {(arc.tail, arc.head) for arc in drawn.arcs}
    back = [
        (arc.head, arc.tail, draw(costs()))
        for arc in drawn.arcs
        if (arc.head, arc.tail) not in known
    ]
    return Platform(drawn.nodes, [*drawn.arcs, *back])


@st.composite
def _route(draw: st.DrawFn, platform: Platform, source: Node, target: Node) -> tuple[int, ...]:
    """A path found by a search that meets the arcs in random order."""
    order = draw(st.permutations(range(len(platform.arcs))))
    came: dict[Node, int | None] = {source: None}
    queue = [source]
    for node in queue:
        for arc in order:
            ends = platform.arcs[arc]
            if ends.tail == node and ends.head not in came:
                came[ends.head] = arc
                queue.append(ends.head)
    path: list[int] = []
    arc = came[target]
    while arc is not None:
        path.append(arc)
        arc = came[platform.arcs[arc].tail]
    return tuple(reversed(path))


@st.composite
def _scheme(draw: st.DrawFn, problem: Reduction) -> tuple[Task, ...]:
    """Every goal is split at random; what is known somewhere already may be fetched from there."""
    platform = problem.platform
    tasks: list[Task] = []
    known = {((index, index), owner) for index, owner in enumerate(problem.owners)}

    def add(task: Task) -> None:
        assert all(state in known for state in needs(problem, task))
        if makes(problem, task) not in known:
            known.add(makes(problem, task))  # type: ignore[arg-type]
            tasks.append(task)

    def bring(item: tuple[int, int], node: Node) -> None:
        if (item, node) in known:
            return
        there = sorted((platform.position[other] for state, other in known if state == item))
        if not there:
            cut = draw(st.integers(item[0], item[1] - 1))
            worker = draw(st.sampled_from(problem.processors))
            bring((item[0], cut), worker)
            bring((cut + 1, item[1]), worker)
            place = len(platform.arcs) + platform.position[worker]
            add((place, item[0], cut, item[1]))
            there = [platform.position[worker]]
        source = platform.nodes[draw(st.sampled_from(there))]
        if source != node:
            for arc in draw(_route(platform, source, node)):
                add((arc, *item))

    for interval, node in problem.goals:
        bring(interval, node)
    return tuple(tasks)


def run_of(series: Series, operations: int) -> Run:
    """One operation after the other, each by the first structure of every part, task after task."""
    problem, schedule = series.problem, series.schedule
    assert schedule is not None
    tasks: list[Task] = []
    first: set[int] = set()
    for structure in schedule.structures:
        if structure.part not in first:
            first.add(structure.part)
            tasks += structure.tasks
    lasts = [duration(problem, task) for task in tasks]
    unit = Fraction(1)
    for time in lasts:
        unit /= (time / unit).denominator
    rows = []
    now = 0
    for operation in range(operations):
        for index, time in enumerate(lasts):
            rows.append((index, operation, now, now + int(time / unit)))
            now += int(time / unit)
    end = now * unit
    return Run(
        problem, operations, (), end, end, True, unit, tuple(tasks), tuple(rows), series.proof
    )
