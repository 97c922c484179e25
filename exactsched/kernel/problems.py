"""The problem of a document as the proved checkers take it.  Trusted: nothing checks this page.

Whatever else a document says is a witness: if it is translated wrongly, it proves nothing.  Nodes
and demands are numbered as the document lists them, from 0; arcs keep their order.
"""

from __future__ import annotations

from typing import Any

from exactsched.exact.rational import exact
from exactsched.kernel.proved import NotCovered
from exactsched.kernel.runtime import listed

Written = int | str
PORTS = {"one-port": "OnePort", "half-duplex": "HalfDuplex", "link": "Links"}

MEMBERS = {
    "broadcast": {"source", "restrict"},
    "alltoall": {"demands"},
    "reduction": {"owners", "goals", "size", "sizes", "compute", "compute_tasks"},
    "allgather": {"shards"},
    "combination": {"blocks"},
}


# Collectives in which all nodes outside the group, switches among them, only forward.
SENT_ON = {"allgather", "combination"}


def rational(written: Written) -> tuple[int, int]:
    """A number as `Q` of Rocq's library.

    >>> rational("6/4")
    (3, 2)
    """
    return exact(written, "problem").as_integer_ratio()


def collective(problem: dict[str, Any]) -> tuple[Any, ...]:
    """`problem` of Checker.v: a `Multicast` to all nodes, an `Alltoall`, or a `Reduction`.

    >>> platform = {"nodes": ["s", "a"], "arcs": [["s", "a", "1/2"]]}
    >>> stated = {"collective": "broadcast", "platform": platform, "source": "s", "ports": "link"}
    >>> collective(stated | {"restrict": "none"})
    ('Multicast', 'Links', ((0, 1, (1, 2)), ()), 0, (0, (1, ())))
    """
    _refuse_others(problem)
    nodes = problem["platform"]["nodes"]
    number = {name: index for index, name in enumerate(nodes)}
    arcs = listed(arc(number, *row) for row in problem["platform"]["arcs"])
    ports = PORTS[problem["ports"]]
    if problem["collective"] == "broadcast":
        return "Multicast", ports, arcs, number[problem["source"]], listed(range(len(nodes)))
    if problem["collective"] == "alltoall":
        rows = [[*row, 1][:3] for row in problem["demands"]]
        demands = listed((number[s], number[t], rational(size)) for s, t, size in rows)
        return "Alltoall", ports, arcs, demands
    usual = rational(1 if problem["size"] is None else problem["size"])
    sizes = listed(((int(k), int(m)), rational(size)) for k, m, size in problem["sizes"])
    owners = listed(number[name] for name in problem["owners"])
    goals = listed(((int(k), int(m)), number[name]) for k, m, name in problem["goals"])
    return "Reduction", ports, arcs, usual, sizes, listed(steps(problem, number)), owners, goals


def with_demands(problem: dict[str, Any]) -> dict[str, Any]:
    """An alltoall among a group as one with a demand for each pair of its nodes.

    >>> with_demands({"collective": "alltoall", "among": ["a", "b"], "size": 3})
    {'collective': 'alltoall', 'demands': [['a', 'b', 3], ['b', 'a', 3]]}
    """
    group, size = problem["among"], problem["size"]
    demands = [[one, other, size] for one in group for other in group if one != other]
    rest = {name: part for name, part in problem.items() if name not in ("among", "size")}
    return rest | {"demands": demands}


def _refuse_others(problem: dict[str, Any]) -> None:
    """Raises `NotCovered` for a problem with members that are not read below."""
    name, platform = problem["collective"], problem["platform"]
    known = MEMBERS.get(name, set()) | {"collective", "platform", "ports"}
    may = {"among"} if name == "combination" else set()
    for member in sorted(set(problem) - known - may) if name in MEMBERS else ():
        rule = f"the kernel reads problems of this collective without {member}"
        raise NotCovered(f"problem.{member}", problem[member], rule)
    if name not in MEMBERS or set(problem) - may != known:
        raise NotCovered("problem.collective", name, f"the kernel reads {', '.join(MEMBERS)}")
    if problem["ports"] not in PORTS:
        raise NotCovered("problem.ports", problem["ports"], f"the kernel reads {', '.join(PORTS)}")
    forward = {"switches"} if name in SENT_ON else set()
    if set(platform) - forward != {"nodes", "arcs"}:
        raise NotCovered("problem.platform", list(platform), "a platform of nodes and arcs")
    if problem.get("restrict", "none") != "none":
        raise NotCovered("problem.restrict", problem["restrict"], "a broadcast over any arcs")


def allgather(problem: dict[str, Any]) -> tuple[Any, ...]:
    """Ports, arcs, members and shards of `allgather` in Allgather.v; all other nodes are switches.

    >>> platform = {"nodes": ["a", "w", "b"], "arcs": [["a", "w", 1], ["w", "b", 2]]}
    >>> asked = {"collective": "allgather", "platform": platform, "ports": "link"}
    >>> allgather(asked | {"shards": [["a", "1/2"], ["b", 0]]})
    ('Links', ((0, 1, (1, 1)), ((1, 2, (2, 1)), ())), (0, (2, ())), ((0, (1, 2)), ()))
    """
    _refuse_others(problem)
    nodes = problem["platform"]["nodes"]
    number = {name: index for index, name in enumerate(nodes)}
    arcs = listed(arc(number, *row) for row in problem["platform"]["arcs"])
    sizes = [(number[row[0]], rational([*row, 1][1])) for row in problem["shards"]]
    shards = listed((node, size) for node, size in sizes if size != (0, 1))
    return PORTS[problem["ports"]], arcs, listed(node for node, _ in sizes), shards


def combination(problem: dict[str, Any]) -> tuple[Any, ...]:
    """Ports, members, arcs and blocks of `reduces` in OrderFree.v, or `collects` in Carried.v.

    The members have values: the nodes `among`, or else the targets of a block that several want, or
    else all nodes.

    >>> platform = {"nodes": ["a", "b"], "arcs": [["a", "b", 1], ["b", "a", 2]]}
    >>> asked = {"collective": "combination", "platform": platform, "ports": "one-port"}
    >>> combination(asked | {"blocks": [["1/2", ["b"]]]})
    ('OnePort', (0, (1, ())), ((0, 1, (1, 1)), ((1, 0, (2, 1)), ())), (((1, 2), (1, ())), ()))
    """
    _refuse_others(problem)
    nodes = problem["platform"]["nodes"]
    number = {name: index for index, name in enumerate(nodes)}
    arcs = listed(arc(number, *row) for row in problem["platform"]["arcs"])
    for _, _, *source in problem["blocks"]:
        if source and source[0] is not None:
            raise NotCovered("problem.blocks", source[0], "the kernel reads sums, not messages")
    several = [targets for _, targets, *_ in problem["blocks"] if len(targets) > 1]
    group = problem.get("among") or (several[0] if several else nodes)
    members = listed(sorted(number[name] for name in group))
    blocks = listed(
        (rational(size), listed(map(number.get, to))) for size, to, *_ in problem["blocks"]
    )
    return PORTS[problem["ports"]], members, arcs, blocks


def arc(
    number: dict[Any, int], tail: Any, head: Any, cost: Written, latency: Written = 0, _: Any = ()
) -> Any:
    """`Arc` of Collectives.v, which has no latency; a route means nothing under its port models."""
    if rational(latency) != (0, 1):
        raise NotCovered("problem.platform.arcs", [tail, head], "an arc without a latency")
    return number[tail], number[head], rational(cost)


def late_arc(
    number: dict[Any, int], tail: Any, head: Any, cost: Written, latency: Written = 0, _: Any = ()
) -> Any:
    """An arc and its latency."""
    return arc(number, tail, head, cost), rational(latency)


def packets(document: dict[str, Any]) -> tuple[Any, ...]:
    """Ports, arcs with latencies, source, targets and sizes of `packets` in Collectives.v."""
    problem, sizes = document["problem"], document["sizes"] or [1] * int(document["operations"])
    _refuse_others(problem)
    nodes = problem["platform"]["nodes"]
    number = {name: index for index, name in enumerate(nodes)}
    arcs = listed(late_arc(number, *row) for row in problem["platform"]["arcs"])
    source, targets = number[problem["source"]], listed(range(len(nodes)))
    return PORTS[problem["ports"]], arcs, source, targets, listed(map(rational, sizes))


def restricted(problem: dict[str, Any]) -> tuple[Any, ...]:
    """The restriction of `is_allowed` in RestrictedSound.v, and the broadcast without it."""
    _, *broadcast = collective({**problem, "restrict": "none"})
    return {"tree": "OneTree", "dag": "Acyclic"}[problem["restrict"]], *broadcast


def steps(problem: dict[str, Any], number: dict[Any, int]) -> list[tuple[Any, ...]]:
    """What nodes can compute: the rows `compute` stand for all steps of a node.

    >>> asked = {"owners": ["a", "b"], "compute": [["b", 2]], "compute_tasks": []}
    >>> steps(asked, {"a": 0, "b": 1})
    [(1, 0, 0, 1, (2, 1))]
    """
    count = len(problem["owners"])
    every = [(k, cut, m) for k in range(count) for m in range(k, count) for cut in range(k, m)]
    named = [(name, *step, time) for name, time in problem["compute"] for step in every]
    named += [(name, int(k), int(c), int(m), t) for name, k, c, m, t in problem["compute_tasks"]]
    return [(number[name], k, cut, m, rational(time)) for name, k, cut, m, time in named]


def network(document: dict[str, Any], numbers: str) -> tuple[Any, ...]:
    """`network` of minmax/Definitions.v, whose arcs have the capacities or costs of a member.

    >>> network({"size": 2, "arcs": [[0, 1]], "costs": ["1/2"]}, "costs")
    (2, ((0, 1, (1, 2)), ()))
    """
    rows = zip(document["arcs"], document[numbers], strict=True)
    arcs = listed((int(tail), int(head), rational(number)) for (tail, head), number in rows)
    return int(document["size"]), arcs


def root_sets(document: dict[str, Any]) -> tuple[Any, ...]:
    """Sets of nodes with their demands."""
    return listed((listed(map(int, nodes)), rational(size)) for nodes, size in document["roots"])


def edges(document: dict[str, Any], weights: str) -> tuple[Any, ...]:
    """Edges of minmax/Definitions.v: without `size` the ends are numbered on two sides."""
    one, other = ("Vertex", "Vertex") if "size" in document else ("Left0", "Right0")
    rows = zip(document["edges"], document[weights], strict=True)
    return listed(((one, int(u)), (other, int(v)), rational(weight)) for (u, v), weight in rows)


def linear_program(document: dict[str, Any]) -> tuple[Any, ...]:
    """`program` of minmax/Definitions.v."""
    stated = document["program"]
    rows = zip(stated["rows"], stated["right_sides"], strict=True)
    return (
        listed(map(rational, stated["objective"])),
        listed((listed((int(j), rational(x)) for j, x in row), rational(b)) for row, b in rows),
        listed(map(int, stated["equalities"])),
        listed(map(int, stated["nonnegative"])),
    )
