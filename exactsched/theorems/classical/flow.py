"""Ford and Fulkerson: the largest flow is the least cut."""

from __future__ import annotations

from functools import reduce
from operator import and_

from exactsched.graphs.flow import maximum_flow
from exactsched.instances.graphs import NETWORKS, Digraph
from exactsched.oracles.flows_and_cuts import ALL_SETS, bits, minimum_cuts
from exactsched.theorems.claim import Say, claim


@claim(
    "ford-fulkerson.max-flow-min-cut",
    number="Ford and Fulkerson, Canad. J. Math. 8 (1956)",
    instances=NETWORKS,
    page="max-flow-min-cut",
    implements=("exactsched/graphs/flow.py",),
    judged=f"`check`; all cuts, up to {ALL_SETS} nodes",
)
def max_flow_min_cut(graph: Digraph, say: Say) -> None:
    """The largest value of a flow from s to t within rational capacities >= 0 is the least
    capacity of a cut. Integer capacities have a largest flow of integers. The nodes that still can
    be reached from s are the intersection of all minimum cuts.
    """
    sink = graph.size - 1
    stated = maximum_flow(graph.size, 0, sink, graph.arcs, graph.numbers)
    say(nodes=graph.size, arcs=len(graph.arcs), value=stated.value)
    say.accepts(stated)
    if all(type(capacity) is int for capacity in graph.numbers):
        whole = all(type(amount) is int for amount in stated.flow)
        say.require(whole, "integer capacities, but no flow of integers")
    if graph.size > ALL_SETS:
        return
    say(cut=list(stated.cut))
    least, cuts = minimum_cuts(graph.size, graph.arcs, graph.numbers, 0, sink)
    say.require(least == stated.value, "some cut has another capacity than the flow")
    smallest = reduce(and_, cuts)
    say.require(smallest == bits(stated.cut), "the cut is not the intersection of all minimum cuts")
