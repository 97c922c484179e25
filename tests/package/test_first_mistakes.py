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


def test_machines_have_integers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    arcs = numpy.array([[0, 1], [0, 2]])
    machine = exactsched.MultiPort(numpy.array([6, 5, 4]), numpy.array([2, 1, 1]), arcs=arcs)
    assert machine == exactsched.MultiPort([6, 5, 4], [2, 1, 1], arcs=[(0, 1), (0, 2)])
    assert [type(degree) for degree in machine.degrees] == [int] * 3
    processors = exactsched.LogP(numpy.int64(6), 2, 4, P=numpy.int32(8)).P
    assert (processors, type(processors)) == (8, int)
    for wrong in (numpy.bool_(True), 1.0, True):
        with pytest.raises(InvalidInput, match="a degree is a whole number"):
            exactsched.MultiPort([1, 1], [wrong, 1])
    solution = exactsched.broadcast(exactsched.built_in("ring:3"), 0)
    run = exactsched.run_operations(solution, numpy.int8(3))
    assert exactsched.check(run).makespan == run.makespan


def test_floats_are_made_exact_by_the_element() -> None:
    numpy = pytest.importorskip("numpy")
    tenth, third = Fraction(1, 10), Fraction(1, 3)
    exactly = exactsched.exactly
    given = [0.5, 2, "1/3", third, numpy.float32(0.25), numpy.int8(3)]
    assert exactly(given) == [Fraction(1, 2), 2, third, third, Fraction(1, 4), 3]
    assert exactly(numpy.float32(0.1), decimal=True) == tenth
    matrix = numpy.array([[0.1, 1], [2, 0.5]], order="F")
    made = exactly(matrix, decimal=True)
    assert (made.dtype, made.tolist()) == (object, [[tenth, 1], [2, Fraction(1, 2)]])
    assert exactly(matrix)[0, 0] == Fraction(0.1) != tenth
    assert exactsched.maximize([1, 1], made, [1, 1], bounds=(0, None)).value == Fraction(16, 13)
    for wrong in (numpy.array([1, numpy.inf]), [True], numpy.array([True]), None, "x"):
        with pytest.raises(InvalidInput, match="number: "):
            exactly(wrong)


def test_sparse_matrices_and_frames_are_made_exact() -> None:
    sparse, pandas = pytest.importorskip("scipy.sparse"), pytest.importorskip("pandas")
    given = sparse.coo_array([[0.1, 0], [0, 2]])
    made = exactsched.exactly(given, decimal=True)
    assert made.data.tolist() == [Fraction(1, 10), 2]
    assert given.data.tolist() == [0.1, 2.0]
    made.data[0] = Fraction(1, 3)
    assert exactsched.maximize([1, 1], made, [1, 1]).value == Fraction(7, 2)
    frame = exactsched.exactly(pandas.DataFrame({"a": [0.1]}), decimal=True)
    assert frame["a"].tolist() == [Fraction(1, 10)]


def test_what_to_write_for_a_float() -> None:
    numpy = pytest.importorskip("numpy")
    for tenth in (0.1, numpy.float64(0.1), numpy.float32(0.1)):
        with pytest.raises(InvalidInput, match=r'such as "0.1" or "p/q", or exactly\(0.1\)'):
            exactsched.Platform("ab", [("a", "b", tenth)])
    with pytest.raises(InvalidInput, match="this one is no number at all"):
        exactsched.Platform("ab", [("a", "b", float("nan"))])


def test_bipartite_edges_are_rows_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    coloring = exactsched.color_edges(numpy.array([[0, 0], [0, 1], [1, 1]]))
    assert exactsched.check(coloring).value == 2
