"""Kernels and collectives on networkx graphs, with edges and nodes in the answers.

Graphs are of any of the four classes.  An undirected edge goes both ways, parallel edges are told
apart by their keys, nodes are whatever networkx takes.  Numbers are exact: floats are refused, and
`exactly` says which number a float is.  An attribute that is None means 1 for every edge.

    >>> import networkx
    >>> from exactsched import nx
    >>> graph = networkx.DiGraph([("s", "a"), ("s", "b"), ("a", "b"), ("b", "a")])
    >>> nx.maximum_flow(graph, "s", "a", capacity=None).value
    Fraction(2, 1)
    >>> nx.broadcast(graph, "s").throughput
    Fraction(1, 1)
"""

from exactsched.exact.rational import exactly as exactly
from exactsched.nx.answers import Answer as Answer
from exactsched.nx.answers import Arborescence as Arborescence
from exactsched.nx.answers import Branching as Branching
from exactsched.nx.answers import Branchings as Branchings
from exactsched.nx.answers import Collective as Collective
from exactsched.nx.answers import Coloring as Coloring
from exactsched.nx.answers import Flow as Flow
from exactsched.nx.answers import Links as Links
from exactsched.nx.answers import Matchings as Matchings
from exactsched.nx.answers import RootCut as RootCut
from exactsched.nx.answers import Structure as Structure
from exactsched.nx.answers import Trees as Trees
from exactsched.nx.answers import Unmet as Unmet
from exactsched.nx.answers import Weighted as Weighted
from exactsched.nx.collectives import allgather as allgather
from exactsched.nx.collectives import allreduce as allreduce
from exactsched.nx.collectives import alltoall as alltoall
from exactsched.nx.collectives import broadcast as broadcast
from exactsched.nx.collectives import gather as gather
from exactsched.nx.collectives import reduce as reduce
from exactsched.nx.collectives import reduce_scatter as reduce_scatter
from exactsched.nx.collectives import scatter as scatter
from exactsched.nx.flow_function import flow_func as flow_func
from exactsched.nx.kernels import color_edges as color_edges
from exactsched.nx.kernels import color_fractionally as color_fractionally
from exactsched.nx.kernels import decompose_into_arborescences as decompose_into_arborescences
from exactsched.nx.kernels import decompose_into_matchings as decompose_into_matchings
from exactsched.nx.kernels import disjoint_arborescences as disjoint_arborescences
from exactsched.nx.kernels import maximum_flow as maximum_flow
from exactsched.nx.kernels import minimum_cost_arborescence as minimum_cost_arborescence
from exactsched.nx.kernels import minimum_root_cut as minimum_root_cut
from exactsched.nx.kernels import pack_branchings as pack_branchings
from exactsched.nx.kernels import pack_concurrently as pack_concurrently
from exactsched.nx.kernels import split_off as split_off
