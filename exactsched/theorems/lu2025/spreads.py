"""What claims on synchronous rounds share: the graph, the bound and the runs of a spread."""

from __future__ import annotations

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.oracles.synchronous import Spread, any_run
from exactsched.synchronous.baselines import greedy_broadcast
from exactsched.synchronous.bounds import rounds_bound
from exactsched.synchronous.graph import SynchronousGraph
from exactsched.synchronous.saturation import broadcast_in_rounds

# What is put to the test.
BOUND = ("exactsched/synchronous/bounds.py", "exactsched/check/synchronous/bounds.py")
SEARCH = (
    "exactsched/synchronous/saturation.py",
    "exactsched/synchronous/packet_sets.py",
    "exactsched/synchronous/round_matching.py",
)
BASELINES = ("exactsched/synchronous/baselines.py",)

# All runs are looked at if there are at most this many transfers in all: with arcs of a step each,
# 2 for each node; with more arcs; with slower ones.
_SEARCHED, _SEARCHED_DENSE, _SEARCHED_SLOW = 12, 9, 8


def graph_of(asked: Spread) -> SynchronousGraph:
    """As the package takes it."""
    return SynchronousGraph(asked.size, asked.arcs, asked.sources, ())


def bound_of(asked: Spread) -> int:
    """The steps that every run takes at least, as the package says."""
    return rounds_bound(graph_of(asked), asked.packets, asked.ports).steps


def runs_of(asked: Spread) -> dict[str, SynchronousRun]:
    """A run in any order, and those of the package."""
    graph = graph_of(asked)
    runs = {
        "any": any_run(asked, bound_of(asked)),
        "ours": broadcast_in_rounds(graph, asked.packets, asked.ports, effort=0),
    }
    plain = all(steps == 1 for _, _, steps in asked.arcs)
    if plain and asked.ports == "half-duplex" and len(asked.sources) == 1:
        runs["greedy"] = greedy_broadcast(graph, asked.packets)
    return runs


def fastest_and_slowest(asked: Spread) -> tuple[int, int]:
    """The least and the largest number of steps of an arc."""
    steps = [duration for _, _, duration in asked.arcs]
    return min(steps), max(steps)


def transfers(asked: Spread) -> int:
    """How many transfers a run without detours has."""
    return asked.packets * len(asked.sources) * (asked.size - 1)


def is_searched(asked: Spread) -> bool:
    """Whether all runs are looked at."""
    if any(steps > 1 for _, _, steps in asked.arcs):
        return transfers(asked) <= _SEARCHED_SLOW
    few_arcs = len(asked.arcs) <= 2 * asked.size
    return transfers(asked) <= (_SEARCHED if few_arcs else _SEARCHED_DENSE)
