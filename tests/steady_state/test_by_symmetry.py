"""Alltoalls stated by symmetries: what theorem S says of them, route by route, slot by slot.

The rules of a series are those of the checker of `series`; it knows nothing of symmetries.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactsched
from exactsched.certificate import by_symmetry as record
from exactsched.certificate import parse, to_document
from exactsched.certificate.by_symmetry import SeriesBySymmetry
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.orbits import orbits
from exactsched.export.plan import plan
from exactsched.export.tables import tables_of
from exactsched.kernel import NotCovered
from exactsched.model.alltoall_among import AlltoallAmong
from exactsched.model.parts import Demand
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Alltoall, Ports
from exactsched.oracles.collectives import collective_fault
from exactsched.platforms.built_in import built_in
from exactsched.runs.finite_run import can_be_listed, run_operations
from exactsched.steady_state import by_symmetry, symmetric_routes
from exactsched.steady_state.alltoall import alltoall, solve_alltoall
from exactsched.steady_state.by_symmetry import SolutionBySymmetry
from exactsched.steady_state.fixed_period import with_period
from exactsched.steady_state.solution import Solution, solution_of
from tests.check.mutants import mutants, refuse_accepted_lies
from tests.check.refusals.broadcasts import CORPUS, accepted
from tests.steady_state.test_symmetric_routes import all_pairs, cayley, without_orbits

ACCEPTED = ["of-a-wheel", "of-two-orbits", "half-duplex", "not-shown-optimal", "of-no-symmetries"]


@contextmanager
def short_from(demands: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_symmetry, "MOST_LISTED", demands - 1)
        yield


def both(problem: Alltoall) -> tuple[Solution, SeriesBySymmetry | None]:
    """The solution with its routes, and the short certificate, if symmetries were found."""
    with short_from(1):
        short = solve_alltoall(problem)
    stated = short.record()
    listed = solve_alltoall(problem)
    assert type(listed) is Solution
    assert (short.rounds, short.priced) == (listed.rounds, listed.priced)
    return listed, stated if isinstance(stated, SeriesBySymmetry) else None


def short_of(name: str) -> SeriesBySymmetry:
    stated = parse(accepted(f"by-symmetry/{name}"))
    assert isinstance(stated, SeriesBySymmetry)
    return stated


# Theorem S --------------------------------------------------------------------------------------


@given(cayley(), st.sampled_from(["one-port", "link"]), st.data())
@settings(max_examples=30)
def test_written_out_it_is_a_series(platform: Platform, ports: Ports, data: st.DataObject) -> None:
    """The checker of `series` proves of all routes and slots what the other one concludes."""
    size = data.draw(st.sampled_from([Fraction(1), Fraction(3, 2)]))
    demands = [demand._replace(size=size) for demand in all_pairs(platform)]
    if alltoall(platform, demands, ports=ports).unreachable:
        return
    listed, short = both(Alltoall(platform, tuple(demands), ports))
    if short is None:
        return
    written = short.written_out()
    proved = exactsched.check(short)
    assert written.problem == listed.problem == short.problem.written_out()
    assert proved.optimal
    assert exactsched.check(written) == replace(proved, problem=listed.problem)
    assert proved.throughput == listed.throughput
    assert str(proved) == str(exactsched.check(listed))


@st.composite
def layers(draw: st.DrawFn) -> tuple[Platform, tuple[Node, ...]]:
    """A rotation of two or three rings that are joined, and the nodes of some of them.

    Of 100 that were drawn 31 had several representatives, 74 relays, and 62 split messages.
    """
    count, rings = draw(st.integers(3, 5)), draw(st.integers(2, 3))
    costs = st.sampled_from([1, 2, Fraction(1, 3), Fraction(7, 5)])
    kinds = {(ring, 1, ring) for ring in range(rings)}
    kinds |= {(ring, 0, (ring + 1) % rings) for ring in range(rings)}
    kinds |= draw(
        st.sets(
            st.tuples(
                st.integers(0, rings - 1), st.integers(1, count - 1), st.integers(0, rings - 1)
            ),
            max_size=3,
        )
    )
    priced = [(kind, draw(costs)) for kind in sorted(kinds)]
    arcs = [
        (ring * count + v, other * count + (v + step) % count, cost)
        for (ring, step, other), cost in priced
        for v in range(count)
    ]
    members = draw(st.sets(st.integers(0, rings - 1), min_size=1))
    group = [ring * count + v for ring in sorted(members) for v in range(count)]
    return Platform(range(rings * count), arcs), tuple(draw(st.permutations(group)))


@given(layers(), st.sampled_from(["one-port", "link"]))
@settings(max_examples=30)
def test_several_orbits_and_relays(drawn: tuple[Platform, tuple[Node, ...]], ports: Ports) -> None:
    asked = AlltoallAmong(*drawn, Fraction(1), ports)  # type: ignore[arg-type]
    listed, short = both(asked.written_out())
    if short is None:
        return
    proved, written = exactsched.check(short), short.written_out()
    assert proved.optimal
    assert proved.throughput == listed.throughput == without_orbits(listed.problem).throughput  # type: ignore[arg-type]
    assert exactsched.check(written) == replace(proved, problem=written.problem)


@pytest.mark.parametrize(
    ("name", "ports", "group"),
    [
        ("torus:3x3", "one-port", 9),
        ("torus:4x4", "half-duplex", 16),
        ("hypercube:3", "link", 8),
        ("grid:3x3", "one-port", 4),
        ("grid:3x4", "half-duplex", 4),
        ("complete:5", "one-port", 5),
        ("ring:7", "link", 7),
    ],
)
def test_families(name: str, ports: Ports, group: int) -> None:
    """With one orbit of sources and with several."""
    platform = built_in(name)
    listed, short = both(Alltoall(platform, all_pairs(platform), ports))
    assert short is not None
    assert len(short.elements) % group == 0
    ways = orbits(len(platform.nodes), short.automorphisms)
    assert len(short.representatives) == len({*ways})
    assert sum(short.representatives.values()) == len(platform.nodes)
    assert exactsched.check(short).throughput == listed.throughput
    assert exactsched.check(short.written_out()).optimal


def test_a_group_among_relays_in_another_order() -> None:
    short = short_of("of-a-wheel")
    written = short.written_out()
    assert [str(demand) for demand in written.problem.demands[:4]] == [
        "b=>a",
        "b=>c",
        "b=>d",
        "a=>b",
    ]
    assert exactsched.check(written).throughput == Fraction(4, 13)
    # 24 operations in 24 periods: 11 by way of a neighbor, 13 by way of the hub.
    assert written.schedule is not None
    assert written.schedule.period == 24 * short.period
    assert sorted({one.operations for one in written.schedule.structures}) == [11, 13, 24]
    assert short.tasks == sum(len(one.tasks) for one in written.schedule.structures) == 24


@pytest.mark.parametrize("name", ACCEPTED)
def test_the_oracle_plays_it(name: str) -> None:
    short = short_of(name)
    best = solve_alltoall(short.problem.written_out()).throughput
    assert not collective_fault(to_document(short), best)


def test_orbits_by_definition() -> None:
    dice = Random(1)
    for _ in range(300):
        count = dice.randint(1, 7)
        generators = [dice.sample(range(count), count) for _ in range(dice.randint(0, 3))]
        for one in range(count):
            reached, before = {one}, set[int]()
            while reached != before:
                before = set(reached)
                reached |= {images[node] for images in generators for node in before}
            assert orbits(count, generators)[one] == min(reached)


# The checker ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ACCEPTED)
def test_any_single_change_is_refused_or_true(name: str) -> None:
    """What is accepted is written out, and the series is checked, and played."""
    document = accepted(f"by-symmetry/{name}")
    best: dict[str, Fraction] = {}

    def fault(changed: dict[str, Any]) -> str:
        claim, short = exactsched.check(changed), parse(changed)
        written = short.written_out()
        if exactsched.check(written) != replace(claim, problem=written.problem):
            return "the series that it stands for is another"
        asked = str(changed["problem"])
        if asked not in best:
            best[asked] = solve_alltoall(written.problem).throughput
        return collective_fault(changed, best[asked])

    names = document["problem"]["platform"]["nodes"]
    refuse_accepted_lies(mutants(document, names), fault)


def test_what_is_taken_for_an_automorphism_is_one() -> None:
    """A permutation is accepted if it keeps arcs and costs, and only then."""
    short, right = short_of("half-duplex"), 0
    nodes = short.problem.platform.nodes
    dice = Random(3)
    for images in permutations(range(4)):
        for _ in range(12):
            arcs = {pair: dice.choice([1, 1, 1, 2]) for pair in permutations(range(4), 2)}
            for pair in dice.sample(sorted(arcs), dice.randint(0, 6)):
                del arcs[pair]
            if dice.random() < 0.5:  # each arc like the first one of its orbit
                listed = sorted(permutations(range(4), 2))
                moved = [listed.index((images[tail], images[head])) for tail, head in listed]
                alike = zip(listed, orbits(12, [moved]), strict=True)
                likes = {pair: arcs.get(listed[one]) for pair, one in alike}
                arcs = {pair: cost for pair, cost in likes.items() if cost}
            arcs = arcs or {(0, 1): 1}
            platform = Platform(nodes, [(*pair, cost) for pair, cost in arcs.items()])
            problem = replace(short.problem, platform=platform, ports="link")
            keeps = all(
                arcs.get((images[tail], images[head])) == cost
                for (tail, head), cost in arcs.items()
            )
            stated = replace(
                short,
                problem=problem,
                automorphisms=(images,),
                routes=tuple(
                    route._replace(source=source, target=target, share=Fraction(1), arcs=(0,))
                    for route in short.routes[:1]
                    for source in {min(orbit) for orbit in _orbits_of(images)}
                    for target in nodes
                    if source != target
                ),
                slots=(),
                proof=replace(
                    short.proof, prices={}, distances=((0,) * 4,) * len(_orbits_of(images))
                ),
            )
            with pytest.raises(Rejected) as refusal:
                exactsched.check(stated)
            moved = "automorphisms" in str(refusal.value)
            assert moved != keeps, (images, arcs, refusal.value)
            right += keeps
    assert 20 < right < 200


def _orbits_of(images: tuple[int, ...]) -> list[set[int]]:
    first = orbits(len(images), [images])
    return [{node for node in range(len(images)) if first[node] == one} for one in {*first}]


# Solutions --------------------------------------------------------------------------------------


@pytest.fixture
def torus() -> tuple[Solution, SolutionBySymmetry]:
    platform = built_in("torus:3x3")
    listed = alltoall(platform, size="2/3")
    with short_from(72):
        short = alltoall(platform, size="2/3")
    assert isinstance(short, SolutionBySymmetry)
    return listed, short


def test_from_which_size_on() -> None:
    assert by_symmetry.MOST_LISTED == 1000
    platform = built_in("torus:3x3")
    with short_from(73):
        assert type(alltoall(platform)) is Solution
    for demands in (  # of other sizes, in another order, to some
        [
            demand._replace(size=Fraction(1 + (demand.source == 0)))
            for demand in all_pairs(platform)
        ],
        [all_pairs(platform)[1], all_pairs(platform)[0], *all_pairs(platform)[2:]],
        all_pairs(platform)[:-1],
    ):
        with short_from(1):
            assert type(alltoall(platform, demands)) is Solution


def test_other_alltoalls_have_ordinary_certificates() -> None:
    """Messages to the next node are twice as large; a ring of links that are shared."""
    ring = built_in("ring:7")
    demands = [
        demand._replace(size=Fraction(1 + ((demand.target - demand.source) % 7 == 1)))  # type: ignore[operator]
        for demand in all_pairs(ring)
    ]
    arcs = [
        (tail, (tail + way) % 5, 1, 0, [(f"{way} of {tail}", 1), (f"switch {tail}", "1/2")])
        for tail in range(5)
        for way in (1, 2)
    ]
    shared = Platform(range(5), arcs)
    for problem in (
        Alltoall(ring, tuple(demands), "link"),
        Alltoall(shared, all_pairs(shared), "routes"),
    ):
        with short_from(1):
            solution = solve_alltoall(problem)
        assert type(solution) is Solution
        assert solution.priced < without_orbits(problem).priced
        assert exactsched.check(solution).optimal


def test_the_solution_is_the_same(torus: tuple[Solution, SolutionBySymmetry]) -> None:
    listed, short = torus
    assert (short.throughput, short.bound, short.optimal) == (listed.throughput, listed.bound, True)
    assert (short.depth, short.period, short.interrupted) == (
        listed.depth,
        listed.period,
        listed.interrupted,
    )
    assert short.makespan_constant == listed.makespan_constant
    assert short.operations_within(1000) == listed.operations_within(1000)
    assert short.unreachable == ()
    assert short.structures == listed.structures
    assert short.trees == listed.trees
    assert short.schedule == listed.schedule
    assert short.proof == listed.proof
    assert short.listed() == listed
    assert short.whole().schedule == listed.whole().schedule
    assert str(short) == str(listed)
    assert short == alltoall_again(short)


def test_a_group_that_is_not_listed_has_an_ordinary_certificate() -> None:
    """No group of automorphisms of the Petersen graph takes each node to each other one once."""
    graph = networkx.petersen_graph()
    arcs = [(a, b, 1) for u, v in graph.edges for a, b in ((u, v), (v, u))]
    with short_from(1):
        solution = alltoall(Platform(range(10), arcs))
    assert type(solution) is Solution
    assert solution.throughput == Fraction(1, 15)


def alltoall_again(short: SolutionBySymmetry) -> Solution:
    with short_from(1):
        return solve_alltoall(short.problem)  # type: ignore[arg-type]


def test_it_comes_back_from_a_file(
    torus: tuple[Solution, SolutionBySymmetry], tmp_path: Path
) -> None:
    listed, short = torus
    path = tmp_path / "torus.json"
    exactsched.write_certificate(short, path)
    assert exactsched.read(path) == short.record()
    again = solution_of(exactsched.read(path))
    assert (again.problem, again.structures, again.proof) == (
        listed.problem,
        listed.structures,
        listed.proof,
    )
    assert exactsched.check(path) == exactsched.check(short)


def test_what_is_made_of_it(torus: tuple[Solution, SolutionBySymmetry]) -> None:
    """By way of the series: pictures, plans, runs, other periods, and the proved checkers."""
    listed, short = torus
    written = short.record().written_out()
    assert exactsched.draw(short.record()) == exactsched.draw(written)
    assert plan(short) == plan(written)
    assert run_operations(short, 3) == run_operations(listed, 3)
    assert can_be_listed(short, 3)
    assert with_period(short, 100).throughput == with_period(listed, 100).throughput
    report = exactsched.simulate(short, 5)
    assert report.throughput == listed.throughput
    mine = exactsched.check(short, kernel=True)
    assert mine.kind == "series-by-symmetry"
    assert mine.values == exactsched.check(listed, kernel=True).values


def test_tables(torus: tuple[Solution, SolutionBySymmetry]) -> None:
    _, short = torus
    tables = tables_of(short.record())
    assert len(tables["schedule"]) == len(short.record().slots)
    assert max(row["end"] for row in tables["schedule"]) == short.record().period
    first = tables["routes"][0]
    assert (first["source"], first["share"]) == (0, 1)
    assert [edge[1] for edge in first["edges"]][-1] == first["target"]


def test_large_tori_have_short_certificates(tmp_path: Path) -> None:
    solution = alltoall(built_in("torus:8x8"))
    assert isinstance(solution, SolutionBySymmetry)
    path = tmp_path / "torus.json"
    exactsched.write_certificate(solution, path)
    assert path.stat().st_size < 15_000
    proved = exactsched.check(path)
    assert proved.optimal
    assert proved.throughput == Fraction(1, 256)
    assert len(solution.structures) == 4032


def test_symmetries_that_were_none_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slots that are longer than the period have no short certificate: all sources are solved."""
    problem = Alltoall(built_in("torus:3x3"), all_pairs(built_in("torus:3x3")))
    whole = symmetric_routes._Platform.orbits

    def twice(self: Any, found: Any) -> tuple[list[int], list[int]]:
        rows, offered = whole(self, found)
        return rows, [2 * one for one in offered]

    monkeypatch.setattr(symmetric_routes._Platform, "orbits", twice)
    with short_from(1):
        solution = solve_alltoall(problem)
    assert type(solution) is Solution
    assert exactsched.check(solution).throughput == Fraction(1, 12)


def test_an_ended_search_has_an_interval() -> None:
    """What has been found when it is interrupted is stated as it is, and not as an optimum."""
    arcs = [(v, (v + jump) % 9, cost) for v in range(9) for jump, cost in ((3, 9), (2, 1), (7, 6))]
    with short_from(1):
        solution = alltoall(Platform(range(9), arcs), ports="link", progress=lambda *_: True)
    assert isinstance(solution, SolutionBySymmetry)
    proved = exactsched.check(solution)
    assert (proved.throughput, proved.bound) == (Fraction(7, 108), Fraction(7, 90))
    assert not proved.optimal
    assert exactsched.check(solution.record().written_out()).bound == proved.bound


# What cannot be written out ---------------------------------------------------------------------


def test_what_has_too_many_images_is_refused(
    torus: tuple[Solution, SolutionBySymmetry], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, short = torus
    stated = parse(short.certificate())
    assert isinstance(stated, SeriesBySymmetry)
    most = max(stated.tasks, 9 * len(stated.automorphisms) * len(stated.elements))
    monkeypatch.setattr(record, "MOST_TASKS", most)
    assert not parse(short.certificate()).long
    monkeypatch.setattr(record, "MOST_TASKS", most - 1)
    assert parse(short.certificate()).long
    rule = f"are written down if they have at most {most - 1} transfers"
    for refused in (
        lambda: parse(short.certificate()).written_out(),
        lambda: solution_of(parse(short.certificate())),
        lambda: exactsched.simulate(parse(short.certificate()), 3),
        lambda: plan(short.certificate()),
        lambda: exactsched.draw(parse(short.certificate()), "torus.json"),
    ):
        with pytest.raises(InvalidInput, match=rule):
            refused()
    with pytest.raises(NotCovered, match=rule):
        exactsched.check(short.certificate(), kernel=True)
    # What needs no routes: checks, tables, a picture of the platform.
    assert exactsched.check(short.certificate()).optimal
    assert "throughput" in exactsched.draw(parse(short.certificate()))
    assert tables_of(parse(short.certificate()))["routes"]


def test_arcs_that_are_moved_to_none_are_named() -> None:
    path = CORPUS / "rejected" / "by-symmetry" / "of-an-arc-to-none.json"
    with pytest.raises(InvalidInput, match=r"'b->d': .* that of a->b is none"):
        exactsched.read(path).written_out()
    with pytest.raises(Rejected, match=r"'b->d': .* that of a->b is none"):
        exactsched.check(path, kernel=True)


def test_the_kernel_refuses_what_is_wrong() -> None:
    for name in ("shares-below-1", "slots-overlap", "throughput-overstated", "distance-too-far"):
        path = CORPUS / "rejected" / "by-symmetry" / f"{name}.json"
        with pytest.raises(Rejected):
            exactsched.check(path, kernel=True)


# The problem ------------------------------------------------------------------------------------


def test_a_group_and_its_demands() -> None:
    platform = built_in("ring:4")
    asked = AlltoallAmong(platform, (2, 0, 1), Fraction(3), "link")
    written = asked.written_out()
    assert written.demands[:3] == (
        Demand(2, 0, Fraction(3)),
        Demand(2, 1, Fraction(3)),
        Demand(0, 2, Fraction(3)),
    )
    assert AlltoallAmong.of(written) == asked
    assert AlltoallAmong.of(Alltoall(platform, written.demands[1:])) is None
    assert (
        AlltoallAmong.of(Alltoall(platform, (*written.demands[1::-1], *written.demands[2:])))
        is None
    )
    switched = Platform("abs", [("a", "s", 1), ("s", "b", 1), ("b", "a", 1)], {}, "s")
    for among, ports, rule in (
        (("a", "s"), "one-port", "a switch only forwards"),
        (("a",), "one-port", "at least two nodes"),
        (("a", "b"), "routes", "a port model is one of"),
    ):
        with pytest.raises(InvalidInput, match=rule):
            AlltoallAmong(switched, among, Fraction(1), ports)  # type: ignore[arg-type]
