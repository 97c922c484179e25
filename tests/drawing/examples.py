"""Series and runs to be drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from exactsched.certificate import parse
from exactsched.certificate.bounds import Cut, CutBound
from exactsched.certificate.collectives import Row, Run, Series
from exactsched.model.platform import Platform
from exactsched.model.problem import Alltoall, Broadcast
from exactsched.model.resources import place_resources
from exactsched.model.tasks import WeightedStructure
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.broadcast import broadcast
from tests.steady_state.planted_collectives import series_of

CORPUS = Path(__file__).parents[1] / "corpus"
ACCEPTED = sorted((CORPUS / "accepted").glob("*.json"))
COLLECTIVES = sorted((CORPUS / "accepted" / "collectives").glob("*.json"))
BY_NAME = {path.stem: path for path in (*ACCEPTED, *COLLECTIVES)}

HOSTILE = [
    '<script>alert("x")</script>',
    "]]>&amp;&#0;'\"",
    "\u202eevil\u0000\ud800\ufffe\n",
    "\u05e9\u05dc\u05d5\u05dd",
    "long" * 5000,
    "",
    " ",
]


def series_on(name: str, source: int | str = 0, ports: str = "one-port") -> Series:
    """A solved broadcast on a built-in platform."""
    solved = broadcast(built_in(name), source, ports=ports)  # type: ignore[arg-type]
    certificate = parse(solved.certificate())
    assert isinstance(certificate, Series)
    return certificate


def chain_run(packets: int, hops: int = 3) -> Run:
    """Packets down a chain of unit costs, one after the other."""
    platform = Platform(range(hops + 1), [(node, node + 1, 1) for node in range(hops)])
    rows = tuple(
        Row(arc, packet, arc + packet, arc + packet + 1)
        for packet in range(packets)
        for arc in range(hops)
    )
    one = Fraction(1)
    proof = CutBound({"send:0": one}, tuple(range(1, hops + 1)), (Cut(0, hops, one),))
    tasks = tuple((arc,) for arc in range(hops))
    end, bound = Fraction(packets + hops - 1), Fraction(packets)
    problem = Broadcast(platform, 0)
    return Run(problem, packets, (), end, bound, hops == 1, one, tasks, rows, proof)


def torus_alltoall() -> Series:
    """Every node to every other of a 4x4 torus, by breadth-first search: 240 demands."""
    platform = built_in("torus:4x4")
    demands = [(u, v) for u in platform.nodes for v in platform.nodes if u != v]
    problem = Alltoall(platform, tuple(demands))  # type: ignore[arg-type]
    structures = []
    load: Counter[str] = Counter()
    for part, (source, target) in enumerate(demands):
        came = {source: -1}
        queue = [source]
        for node in queue:  # grows while it is read
            for arc, ends in enumerate(platform.arcs):
                if ends.tail == node and ends.head not in came:
                    came[ends.head] = arc
                    queue.append(ends.head)
        route: list[tuple[int, int]] = []
        while target != source:
            route.append((came[target], part))
            target = platform.arcs[came[target]].tail
        structures.append(WeightedStructure(part, tuple(reversed(route)), Fraction(1)))
        load.update(name for arc, _ in route for name in place_resources(problem)[arc])
    rate = Fraction(1, max(load.values()))
    return series_of(problem, [replace(one, weight=rate) for one in structures])
