"""The backend "exactsched" of networkx: exact flows, cuts and arborescences by dispatch.

`networkx.maximum_flow_value(graph, s, t, backend="exactsched")` and four more functions.  Results
are those of networkx, its errors as well; numbers are exact, so floats are refused.  networkx finds
the backend where the package is installed, by its entry points.
"""

from __future__ import annotations

from typing import Any, Final

from exactsched.exact.errors import InvalidInput

FUNCTIONS: Final = (
    "maximum_flow",
    "maximum_flow_value",
    "minimum_cut",
    "minimum_cut_value",
    "minimum_spanning_arborescence",
)


def backend_info() -> dict[str, Any]:
    """What networkx tells its users of the backend."""
    about = "in exact rational arithmetic; floats are refused, infinite capacities are not"
    return {
        "backend_name": "exactsched",
        "project": "exactsched",
        "package": "exactsched",
        "short_summary": "Exact flows, cuts and arborescences, with proofs.",
        "functions": {name: {"additional_docs": about} for name in FUNCTIONS},
    }


class Given:
    """A graph that goes to the backend: itself, unchanged."""

    # networkx keeps what it has converted, and warns when it is used again.  Here nothing is
    # converted, so `taken` forgets it.

    __networkx_backend__ = "exactsched"

    def __init__(self, graph: Any) -> None:
        self.graph = graph

    def taken(self) -> Any:
        kept = getattr(self.graph, "__networkx_cache__", None) or {}
        kept.get("backends", {}).pop("exactsched", None)
        return self.graph

    def is_directed(self) -> bool:
        return bool(self.graph.is_directed())

    def is_multigraph(self) -> bool:
        return bool(self.graph.is_multigraph())


class Backend:
    """The functions, by their names in networkx; graphs are not converted."""

    @staticmethod
    def convert_from_nx(graph: Any, **_: object) -> Given:
        return Given(graph)

    @staticmethod
    def convert_to_nx(result: Any, **_: object) -> Any:
        return result.graph if isinstance(result, Given) else result

    @staticmethod
    def minimum_spanning_arborescence(
        G: Any,  # noqa: N803 (the names are networkx's)
        attr: str = "weight",
        default: object = 1,
        preserve_attrs: bool = False,
        partition: str | None = None,
    ) -> Any:
        import networkx

        from exactsched.nx.kernels import minimum_cost_arborescence

        if partition is not None:
            raise NotImplementedError("a partition of the edges")
        graph = G.taken()

        def cost_of(_u: object, _v: object, data: Any) -> object:
            return data.get(attr, default)  # also if no edge has it, which `nx` refuses

        try:
            best = minimum_cost_arborescence(graph, weight=cost_of)
        except InvalidInput as error:
            if error.place != "root":
                raise
            rule = "No minimum spanning arborescence in G."
            raise networkx.NetworkXException(rule) from None
        tree = graph.__class__()
        tree.add_nodes_from(graph.nodes(data=True))
        for edge in best.edges:
            data = dict(graph.edges[edge])
            cost = data.get(attr, default)
            tree.add_edge(*edge, **(data if preserve_attrs else {}) | {attr: cost})
        return tree


def _by_networkx(name: str) -> Any:
    """networkx's own function of this name, with our flow inside."""

    def function(
        flowG: Any,  # noqa: N803 (the names are networkx's)
        _s: Any,
        _t: Any,
        capacity: str = "capacity",
        flow_func: Any = None,
        **options: Any,
    ) -> Any:
        import networkx

        from exactsched.nx.flow_function import flow_func as ours

        if flow_func is not None:
            raise NotImplementedError("a flow_func of its own")
        original = getattr(networkx, name).orig_func
        return original(flowG.taken(), _s, _t, capacity, flow_func=ours, **options)

    return staticmethod(function)


for _name in FUNCTIONS[:-1]:
    setattr(Backend, _name, _by_networkx(_name))
