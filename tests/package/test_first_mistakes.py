"""What people try first: a name or a graph for a platform, arguments in another order, numpy."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import networkx
import pytest

import exactsched
from exactsched import InvalidInput

CALLS: dict[str, Callable[[Any], object]] = {
    "broadcast": lambda p: exactsched.broadcast(p, 0),
    "broadcast_tree": lambda p: exactsched.broadcast_tree(p, 0),
    "broadcast_dag": lambda p: exactsched.broadcast_dag(p, 0),
    "scatter": lambda p: exactsched.scatter(p, 0, [1]),
    "alltoall": lambda p: exactsched.alltoall(p, [(0, 1)]),
    "allgather": exactsched.allgather,
    "reduce": lambda p: exactsched.reduce(p, [0, 1], 0),
    "prefix": lambda p: exactsched.prefix(p, [0, 1]),
    "allreduce": lambda p: exactsched.allreduce(p, [0, 1]),
    "order_free_reduce": lambda p: exactsched.order_free_reduce(p, 0),
    "order_free_allreduce": exactsched.order_free_allreduce,
    "reduce_scatter": exactsched.reduce_scatter,
    "in_network_allreduce": lambda p: exactsched.in_network_allreduce(p, [0, 1]),
    "mix": lambda p: exactsched.mix(p, [{"collective": "allreduce"}]),
    "sized_allgather": lambda p: exactsched.sized_allgather(p, 10),
    "pipelined_broadcast": lambda p: exactsched.pipelined_broadcast(p, 0, 10),
    "ratio_curve": lambda p: exactsched.ratio_curve(p, 0, [10]),
    "synchronous_graph": lambda p: exactsched.synchronous_graph(p, 0),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_name_or_a_graph_is_no_platform_and_the_error_says_what_to_type(name: str) -> None:
    with pytest.raises(InvalidInput, match=r'type built_in\("grid:3x3"\)'):
        CALLS[name]("grid:3x3")
    with pytest.raises(InvalidInput, match=r"type from_networkx\(graph\)"):
        CALLS[name](networkx.DiGraph([(0, 1)]))
    with pytest.raises(InvalidInput, match=r"type Platform\(nodes, arcs\)"):
        CALLS[name](None)


def test_a_target_is_no_list_of_targets() -> None:
    grid, five = exactsched.built_in("grid:3x3"), cast(Any, 5)
    calls = [
        lambda: exactsched.scatter(grid, 0, five),
        lambda: exactsched.broadcast(grid, 0, five),
        lambda: exactsched.allgather(grid, five),
        lambda: exactsched.reduce_scatter(grid, five),
        lambda: exactsched.order_free_reduce(grid, 0, five),
        lambda: exactsched.order_free_allreduce(grid, five),
    ]
    for call in calls:
        with pytest.raises(InvalidInput, match=r"5: a list of nodes, such as \[5\]"):
            call()


def test_a_path_is_no_result(tmp_path: Path) -> None:
    flow = exactsched.maximum_flow(2, 0, 1, [(0, 1)], [1])
    with pytest.raises(InvalidInput, match=r"write_certificate\(result, path\)"):
        exactsched.write_certificate(tmp_path / "flow.json", flow)  # type: ignore[arg-type]


def test_a_document_is_no_path() -> None:
    document = exactsched.maximum_flow(2, 0, 1, [(0, 1)], [1]).certificate()
    with pytest.raises(InvalidInput, match="path: 'dict': the name of a file; check and draw"):
        exactsched.read(document)  # type: ignore[arg-type]


def test_the_path_of_a_picture_comes_second(tmp_path: Path) -> None:
    platform = exactsched.Platform("ab", [("a", "b", 1)])
    for path in ("x.svg", tmp_path / "x.svg"):
        with pytest.raises(InvalidInput, match=r"type draw\(result, path\), such as draw"):
            exactsched.draw(path, platform)  # type: ignore[arg-type]


def test_kernels_take_integers_and_arrays_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    arcs, weights = numpy.array([[0, 1], [1, 2], [0, 2]]), numpy.array([1, 2, 5])
    flow = exactsched.maximum_flow(numpy.int64(3), numpy.int8(0), numpy.uint8(2), arcs, weights)
    assert (flow.value, flow.flow) == (6, (1, 1, 5))
    tree = exactsched.minimum_cost_arborescence(3, 0, arcs, weights)
    assert tree.value == 3
    assert {type(arc) for arc in tree.tree} == {int}
    cut = exactsched.minimum_root_cut(3, 0, arcs, ["1/2", 2, 5])
    assert cut.value == Fraction(1, 2)
    with pytest.raises(InvalidInput, match="ends of an arc are integers"):
        exactsched.maximum_flow(3, 0, 2, arcs.astype(float), weights)
    with pytest.raises(InvalidInput, match="positive integer"):
        exactsched.maximum_flow(numpy.bool_(True), 0, 2, arcs, weights)


def test_platforms_have_integers_of_numpy_for_names_and_costs() -> None:
    numpy = pytest.importorskip("numpy")
    arcs = numpy.array([[0, 1, 2], [1, 2, 1]])
    platform = exactsched.Platform(numpy.arange(3), arcs)
    assert platform == exactsched.Platform(range(3), [(0, 1, 2), (1, 2, 1)])
    one = exactsched.Platform(range(3), [tuple(row) for row in arcs])
    assert one == platform
    solution = exactsched.broadcast(platform, numpy.int64(0))
    assert exactsched.check(solution).throughput == Fraction(1, 2)
    assert [type(node) for node in platform.nodes] == [int] * 3
    with pytest.raises(InvalidInput, match="node name is an integer or a string"):
        exactsched.Platform(numpy.array([0.0, 1.0]), [])


def test_bipartite_edges_are_rows_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    coloring = exactsched.color_edges(numpy.array([[0, 0], [0, 1], [1, 1]]))
    assert exactsched.check(coloring).value == 2
