"""The public strategies: what they promise holds, and what they find shrinks to the plainest."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from exactsched import strategies
from exactsched.exact.errors import InvalidInput
from exactsched.instances.choices import Replayed, Seeded
from exactsched.instances.documents import instance_document, read_instance
from exactsched.instances.platforms import unit_cost
from exactsched.model.platform import Platform
from exactsched.model.problem import PORTS, Alltoall, Broadcast, Reduction
from exactsched.theorems import claims

ALL: dict[str, Callable[..., st.SearchStrategy[Any]]] = {
    "broadcasts": strategies.broadcasts,
    "alltoalls": strategies.alltoalls,
    "reductions": strategies.reductions,
    "digraphs": strategies.digraphs,
    "multigraphs": strategies.multigraphs,
    "bipartite_multigraphs": strategies.bipartite_multigraphs,
    "logp_machines": strategies.logp_machines,
    "multi_port_machines": strategies.multi_port_machines,
}


def smallest(strategy: st.SearchStrategy[Any], wanted: Callable[[Any], bool]) -> Any:
    # Without the phase that explains: it tries many more.
    phases = (Phase.generate, Phase.shrink)
    return find(strategy, wanted, settings=settings(max_examples=3000, phases=phases))


def reached(platform: Platform) -> set[Any]:
    found = {platform.nodes[0]}
    for _ in platform.nodes:
        found |= {arc.head for arc in platform.arcs if arc.tail in found}
    return found


@pytest.mark.parametrize("name", ALL)
@given(data=st.data())
def test_what_is_made_can_be_written_and_read(name: str, data: st.DataObject) -> None:
    made = data.draw(ALL[name]())
    assert read_instance(type(made), instance_document(made)) == made


@given(st.booleans(), st.data())
def test_platforms_are_as_connected_as_asked(wanted: bool, data: st.DataObject) -> None:
    drawn = data.draw(strategies.platforms(reachable=wanted))
    assert (reached(drawn) == set(drawn.nodes)) == wanted


@given(strategies.platforms(bipartite=True, reachable=True))
def test_bipartite_platforms_have_no_odd_cycle(platform: Platform) -> None:
    nodes = platform.nodes
    assert any(
        all(side[nodes.index(arc.tail)] != side[nodes.index(arc.head)] for arc in platform.arcs)
        for side in product((0, 1), repeat=len(nodes))
    )


@given(strategies.broadcasts(max_nodes=4, latencies=False, cost=unit_cost))
def test_options_are_kept(problem: Broadcast) -> None:
    assert len(problem.platform.nodes) <= 4
    assert all(arc.cost == 1 and not arc.latency for arc in problem.platform.arcs)


def test_corners_come_up() -> None:
    """Each is found within a few thousand examples: another one would be missed."""
    costs: Callable[[Platform], list[Fraction]] = lambda p: [arc.cost for arc in p.arcs]  # noqa: E731
    opposite = smallest(
        strategies.platforms(),
        lambda p: any(
            one.tail == other.head and one.head == other.tail and one.cost != other.cost
            for one in p.arcs
            for other in p.arcs
        ),
    )
    assert (len(opposite.nodes), len(opposite.arcs)) == (2, 2)
    smallest(strategies.platforms(), lambda p: any(c.denominator > 10 for c in costs(p)))
    smallest(strategies.platforms(), lambda p: "" in p.nodes)
    smallest(strategies.digraphs(), lambda g: max(g.numbers, default=0) > 10**39)
    smallest(strategies.digraphs(), lambda g: any(a == b for a, b in g.arcs))
    smallest(strategies.alltoalls(), lambda g: len(g.sources) > 1 and g.demands[0].size != 1)
    smallest(strategies.reductions(), lambda r: len(set(r.owners)) < len(r.owners))
    smallest(strategies.reductions(), lambda r: isinstance(r.size, tuple) and not r.compute)
    smallest(strategies.multi_port_machines(), lambda m: 0 in m.bandwidths and 0 in m.degrees)
    smallest(strategies.logp_machines(), lambda m: m.g < m.o and m.L.denominator > 1)


def test_broadcasts_shrink_to_a_star_with_plain_names() -> None:
    for ports in PORTS:
        found = smallest(
            strategies.broadcasts(ports=ports),  # type: ignore[arg-type]
            lambda asked: len(asked.platform.nodes) >= 4,
        )
        assert found.platform.nodes == (0, 1, 2, 3)
        assert [(arc.tail, arc.head, arc.cost) for arc in found.platform.arcs] == [
            (0, node, 1) for node in (1, 2, 3)
        ]


def test_a_cost_shrinks_alone() -> None:
    found = smallest(
        strategies.platforms(),
        lambda platform: any(arc.cost > 2 for arc in platform.arcs),
    )
    assert (len(found.nodes), len(found.arcs)) == (2, 1)
    assert found.arcs[0].cost == 3


def test_others_shrink_to_the_plainest() -> None:
    alltoall = smallest(strategies.alltoalls(), lambda asked: len(asked.demands) >= 2)
    assert isinstance(alltoall, Alltoall)
    assert len(alltoall.platform.nodes) <= 3
    assert all(demand.size == 1 for demand in alltoall.demands)
    reduction = smallest(strategies.reductions(), lambda asked: len(asked.owners) >= 3)
    assert isinstance(reduction, Reduction)
    assert len(reduction.platform.nodes) == 2
    graph = smallest(strategies.digraphs(), lambda graph: len(graph.arcs) >= 3)
    assert (graph.size, graph.numbers) == (1, (0, 0, 0))
    machine = smallest(strategies.logp_machines(), lambda machine: machine.P >= 5)
    assert (machine.L, machine.o, machine.g, machine.P) == (1, 0, 1, 5)


def test_instances_of_a_theorem() -> None:
    koenig = claims()["konig.edge-coloring"]
    found = smallest(strategies.of_claim(koenig), lambda graph: len(graph.edges) >= 2)
    assert (found.size, found.edges, found.numbers) == (1, ((0, 0), (0, 0)), (1, 1))
    assert smallest(strategies.of_claim(koenig, 1), lambda _: True).size == 1


@pytest.mark.parametrize("options", [{"min_nodes": 4, "max_nodes": 3}, {"max_nodes": 1}])
def test_empty_ranges_are_refused_at_once(options: dict[str, int]) -> None:
    with pytest.raises(InvalidInput, match="largest size"):
        strategies.broadcasts(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", list(claims()))
def test_any_choices_make_an_instance(name: str) -> None:
    """Also none, or far too large ones: what shrinks a counterexample tries all sorts."""
    claim = claims()[name]
    for listed in ([], [10**9] * 50, [1] * 50, [0, 3, 1, 2] * 20):
        first = claim.instance(Replayed(listed), claim.bounds.small)
        assert type(first) is claim.instance_type
    seeded = Seeded(f"{name}/small/0/0")
    made = claim.instance(seeded, claim.bounds.small)
    assert claim.instance(Replayed(seeded.made), claim.bounds.small) == made
