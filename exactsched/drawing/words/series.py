"""Series and runs in words: what was asked and claimed, what a task is, why nothing is better."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from exactsched.certificate.bounds import (
    CutBound,
    DistanceBound,
    PotentialBound,
)
from exactsched.certificate.collectives import Certificate, Run
from exactsched.drawing.lettering import counted, listed, printable, short
from exactsched.drawing.words import ARROW, DEMAND
from exactsched.model.collective_names import collective_name
from exactsched.model.parts import Demand
from exactsched.model.platform import Arc, Node
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)
from exactsched.model.reduction_steps import Step
from exactsched.model.tasks import SPREAD, Task, computes

_DIGITS = 40

PIPELINE = (
    "A task works in each period on what the tasks before it made in the period before; so after as"
    " many periods as the largest depth, the number of tasks in a row, all structures run at full"
    " speed."
)


def arc_name(arc: Arc) -> str:
    """An arc as text, with names of any kind."""
    return f"{printable(arc.tail, 40)} {ARROW} {printable(arc.head, 40)}"


def place_name(problem: Collective, place: int) -> str:
    """An arc, or the processor of a node, as text."""
    arcs = problem.platform.arcs
    if place < len(arcs):
        return arc_name(arcs[place])
    return f"{printable(problem.platform.nodes[place - len(arcs)], 40)} computes"


def demand_name(demand: Demand, names: Mapping[Node, str] | None = None) -> str:
    """From where to where, by short names if there are some."""
    ends = demand.source, demand.target
    source, target = (names[node] if names else printable(node, 24) for node in ends)
    return f"{source} {DEMAND} {target}"


def _shard_name(problem: Allgather, root: int, names: Mapping[Node, str] | None) -> str:
    node = problem.roots[root].node
    return f"shard of {names[node] if names else printable(node, 24)}"


def _block_name(problem: Combination, block: int, names: Mapping[Node, str] | None) -> str:
    _, targets, source, number = problem.blocks[block]
    group = "all" if number is None else f"group {number}"
    if source is not None:
        written = names or {}
        one, *others = (written.get(node) or printable(node, 24) for node in (source, *targets))
        several = group if problem.everywhere(block) else "its targets"
        return f"message of {one} to {others[0] if len(others) == 1 else several}"
    if problem.everywhere(block):
        return f"block of {group}"
    among = "" if number is None else f" in {group}"
    return f"block of {names[targets[0]] if names else printable(targets[0], 24)}{among}"


def part_names(problem: Collective, names: Mapping[Node, str] | None = None) -> list[str]:
    """The parts of an operation by name, none if there is a single one."""
    if isinstance(problem, Alltoall):
        return [demand_name(demand, names) for demand in problem.demands]
    if isinstance(problem, Allgather):
        return [_shard_name(problem, root, names) for root in range(len(problem.roots))]
    if isinstance(problem, Combination) and len(problem.blocks) > 1:
        return [_block_name(problem, block, names) for block in range(len(problem.blocks))]
    return []


def item_name(problem: Collective, task: Task, names: Mapping[Node, str] | None = None) -> str:
    """What is sent or made, "" for a broadcast: a demand, a shard, a sum, [k,m] or T[k,l,m]."""
    if isinstance(problem, Broadcast):
        return ""
    if isinstance(problem, Alltoall):
        return demand_name(problem.demands[task[1]], names)
    if isinstance(problem, Allgather):
        return _shard_name(problem, task[1], names)
    if isinstance(problem, Combination):
        what = "sum" if task[2] == SPREAD else "partial sum"
        if problem.blocks[task[1]].source is not None:
            return _block_name(problem, task[1], names)
        several = len(problem.blocks) > 1
        return f"{what}, {_block_name(problem, task[1], names)}" if several else what
    return ("T" if len(task) == 4 else "") + f"[{','.join(map(str, task[1:]))}]"


def task_name(problem: Collective, task: Task) -> str:
    """A task in full: what, and where."""
    place = place_name(problem, task[0])
    if isinstance(problem, Broadcast):
        return place
    if computes(problem, task):
        node = problem.platform.nodes[task[0] - len(problem.platform.arcs)]
        return f"{item_name(problem, task)} on {printable(node, 40)}"
    return f"{item_name(problem, task)} on {place}"


def step_name(step: Step) -> str:
    """A step of a reduction tree in full: a value, a transfer along its route, or a task."""
    item = ",".join(map(str, step.item))
    if step.kind == "value":
        return f"v[{step.item[0]}] at {printable(step.nodes[0], 40)}"
    if step.kind == "task":
        return f"cons[{item}] on node {printable(step.nodes[0], 40)}"
    route = f" {ARROW} ".join(printable(node, 40) for node in step.nodes[:200])
    return f"transfer [{item}] {route}"


def structure_noun(problem: Collective) -> str:
    """What the structures of a collective are called.

    A scheme of several goals may use a result more than once, so it is no tree.
    """
    if isinstance(problem, Alltoall):
        return "route"
    if isinstance(problem, Reduction) and len(problem.goals) > 1:
        return "scheme"
    return "tree"


def operation_noun(problem: Collective) -> str:
    """What a structure of a series does a number of times."""
    return "message" if isinstance(problem, (Broadcast, Alltoall)) else "operation"


def run_noun(problem: Collective) -> str:
    """What a run does a number of times."""
    return "packet" if isinstance(problem, Broadcast) else "operation"


def headline(certificate: Certificate) -> tuple[str, str]:
    """What was asked, and what is claimed, each on a line."""
    problem = certificate.problem
    platform = problem.platform
    size = f"{counted(len(platform.nodes), 'node')}, {counted(len(platform.arcs), 'arc')}"
    only = ""
    if isinstance(problem, Broadcast) and problem.restrict != "none":
        only = ", acyclic only" if problem.restrict == "dag" else ", a single tree only"
    asked = collective_name(problem, lambda node: printable(node, 30))
    on = f" on {printable(platform.name, 40)}" if platform.name else ""
    title = f"{asked[0].upper()}{asked[1:]}{on}: {size}, {problem.ports}{only}"
    if isinstance(certificate, Run):
        done = counted(certificate.operations, run_noun(problem))
        what = f"{done} in {short(certificate.makespan, 30)}"
        bound = short(certificate.bound, 30)
        agree = "optimal" if certificate.optimal else f"no schedule takes less than {bound}"
        return title, f"{what} time units \u2014 {agree}"
    missing = out_of_reach(certificate)
    if missing:
        return title, f"Throughput 0: {missing}"
    reached, bound = short(certificate.throughput, 30), short(certificate.bound, 30)
    if certificate.optimal:
        return title, f"Throughput {reached} per time unit \u2014 optimal: the bound is the same"
    return title, f"Throughput {reached} per time unit \u2014 no schedule reaches more than {bound}"


def isolated(certificate: Certificate) -> list[Node]:
    """The nodes that cannot get what they wait for, if the bound is that nothing leads there."""
    problem, bound = certificate.problem, certificate.proof
    if not isinstance(bound, (CutBound, DistanceBound, PotentialBound)) or any(
        bound.prices.values()
    ):
        return []
    if isinstance(bound, CutBound):
        if not bound.cuts or bound.odd_sets:
            return []
        start, stop, _ = bound.cuts[0]
        return list(bound.order[start:stop])
    assert isinstance(problem, (Alltoall, Reduction))
    return list(dict.fromkeys(node for _, node in _missing(problem, bound)))


def out_of_reach(certificate: Certificate) -> str:
    """Why the throughput is 0, empty if the bound is not 0."""
    cut = isolated(certificate)
    if not cut:
        return ""
    problem, bound = certificate.problem, certificate.proof
    if isinstance(problem, (Alltoall, Reduction)) and isinstance(
        bound, (DistanceBound, PotentialBound)
    ):
        names = [name for name, _ in _missing(problem, bound)]
        more = f" and {len(names) - 4} more" if len(names) > 4 else ""
        if isinstance(problem, Alltoall):
            return f"no way leads {', '.join(names[:4])}{more}"
        return f"{', '.join(names[:4])}{more} can never be known"
    return f"no arc enters {listed(cut, 6)}"


def _missing(
    problem: Alltoall | Reduction, bound: DistanceBound | PotentialBound
) -> list[tuple[str, Node]]:
    """The goals, and their nodes, that stay at a distance although everything is free."""
    charged = goal_charges(problem, bound)
    if isinstance(problem, Alltoall):
        return [
            (f"from {printable(one.source, 24)} to {printable(one.target, 24)}", one.target)
            for one, charge in zip(problem.demands, charged, strict=True)
            if charge > 0
        ]
    return [
        (f"[{k},{m}] at {printable(node, 24)}", node)
        for ((k, m), node), charge in zip(problem.goals, charged, strict=True)
        if charge > 0
    ]


def goal_charges(
    problem: Alltoall | Reduction, bound: DistanceBound | PotentialBound
) -> list[Fraction]:
    """What the prices charge one operation at least for each demand, or for each goal."""
    position = problem.platform.position
    if isinstance(problem, Alltoall):
        assert isinstance(bound, DistanceBound)
        row = {source: index for index, source in enumerate(problem.sources)}
        return [
            one.size * bound.distances[row[one.source]][position[one.target]]
            for one in problem.demands
        ]
    assert isinstance(bound, PotentialBound)
    number = {interval: index for index, interval in enumerate(problem.intervals)}
    return [
        Fraction(table[number[interval]][position[node]])
        for (interval, node), table in zip(problem.goals, bound.potentials, strict=True)
    ]
