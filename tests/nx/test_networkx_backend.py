"""networkx asks this package, where it is installed, with `backend="exactsched"`."""

from __future__ import annotations

from fractions import Fraction
from importlib.metadata import entry_points
from typing import Any

import networkx
import pytest

from exactsched import InvalidInput
from exactsched.networkx_backend import FUNCTIONS, Backend, backend_info

INSTALLED = "exactsched" in {point.name for point in entry_points(group="networkx.backends")}
needs_entry_points = pytest.mark.skipif(not INSTALLED, reason="the package is not installed")


def network() -> networkx.DiGraph:
    graph = networkx.DiGraph()
    graph.add_edge("s", "a", capacity=Fraction(1, 3), weight=2)
    graph.add_edge("s", "b", capacity=Fraction(1, 7), weight=Fraction(1, 3))
    graph.add_edge("b", "a", weight=-1, color="red")
    graph.add_edge("a", "t")
    return graph


def called(name: str, *arguments: Any, **options: Any) -> Any:
    """The function of the backend, as networkx calls it."""
    graph, *rest = arguments
    given = Backend.convert_from_nx(graph)
    return Backend.convert_to_nx(getattr(Backend, name)(given, *rest, **options))


def dispatched(name: str, *arguments: Any, **options: Any) -> Any:
    return getattr(networkx, name)(*arguments, backend="exactsched", **options)


WAYS = [called, pytest.param(dispatched, marks=needs_entry_points)]


@pytest.mark.parametrize("call", WAYS)
def test_flows_and_cuts(call: Any) -> None:
    graph = network()
    assert call("maximum_flow_value", graph, "s", "t") == Fraction(10, 21)
    value, flow = call("maximum_flow", graph, "s", "t")
    assert (value, flow["b"]["a"]) == (Fraction(10, 21), Fraction(1, 7))
    assert call("minimum_cut_value", graph, "s", "t") == Fraction(10, 21)
    assert call("minimum_cut", graph, "s", "t") == (Fraction(10, 21), ({"s"}, {"a", "b", "t"}))
    graph.edges["s", "a"]["capacity"] = "1/3"
    assert call("minimum_cut_value", graph, "s", "t") == Fraction(10, 21)
    with pytest.raises(networkx.NetworkXUnbounded):
        call("maximum_flow_value", graph, "b", "t")
    graph.edges["s", "a"]["capacity"] = 0.5
    with pytest.raises(InvalidInput, match=r"edge \('s', 'a'\), capacity: 0.5: a float"):
        call("maximum_flow_value", graph, "s", "t")


@pytest.mark.parametrize("call", WAYS)
@pytest.mark.parametrize("kept", [False, True])
def test_arborescences(call: Any, kept: bool) -> None:
    graph = network()
    ours = call("minimum_spanning_arborescence", graph, preserve_attrs=kept)
    theirs = networkx.minimum_spanning_arborescence(graph, preserve_attrs=kept)
    assert networkx.utils.graphs_equal(ours, theirs)
    assert ours.size("weight") == Fraction(1, 3)
    alike = call("minimum_spanning_arborescence", graph, attr="length", default=7)
    assert alike.size("length") == 21
    graph.add_node("alone")
    with pytest.raises(networkx.NetworkXException, match="No minimum spanning arborescence in G"):
        call("minimum_spanning_arborescence", graph)


def test_the_backend_has_what_it_says() -> None:
    assert set(backend_info()["functions"]) == set(FUNCTIONS)
    for name in FUNCTIONS:
        assert callable(getattr(Backend, name))
        assert hasattr(getattr(networkx, name), "orig_func")
    with pytest.raises(NotImplementedError, match="flow_func"):
        called("maximum_flow_value", network(), "s", "t", flow_func=len)
    with pytest.raises(NotImplementedError, match="partition"):
        called("minimum_spanning_arborescence", network(), partition="p")


@needs_entry_points
def test_networkx_lists_the_backend() -> None:
    assert "exactsched" in networkx.config.backends
