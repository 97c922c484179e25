"""Series and runs in words: what was asked and claimed, what a task is, why nothing is better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from exactsched.certificate.bounds import (
    Bound,
    CutBound,
    DistanceBound,
    ForwardingBound,
    LatencyBound,
    PotentialBound,
    SplitOnCycle,
    SplitOnNode,
    TargetBound,
    TreeBound,
)
from exactsched.certificate.collectives import Certificate, Run
from exactsched.drawing.lettering import counted, listed, printable, short
from exactsched.drawing.words import ARROW, DEMAND
from exactsched.exact.rational import Rational
from exactsched.model.collective_names import collective_name
from exactsched.model.platform import Arc, Node
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Demand,
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
    source = problem.blocks[block].source
    if source is not None:
        written = names or {}
        ends = [source, *problem.blocks[block].targets]
        one, *others = (written.get(node) or printable(node, 24) for node in ends)
        several = "all" if problem.everywhere(block) else "its targets"
        return f"message of {one} to {others[0] if len(others) == 1 else several}"
    if problem.everywhere(block):
        return "block of all"
    (node,) = problem.blocks[block].targets
    return f"block of {names[node] if names else printable(node, 24)}"


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
    title = f"{asked[0].upper()}{asked[1:]}: {size}, {problem.ports}{only}"
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


def bound_in_words(certificate: Certificate) -> list[str]:
    """Why no schedule does better, a paragraph for each step."""
    value = short(certificate.bound, _DIGITS)
    proof = certificate.proof
    if isinstance(proof, (DistanceBound, PotentialBound)):
        return _charged(certificate, proof, value)
    if isinstance(proof, CutBound):
        return _by_cuts(certificate, proof, value)
    if isinstance(proof, TreeBound):
        return _by_trees(certificate, proof, value)
    if isinstance(proof, TargetBound):
        return _by_targets(certificate, proof, value)
    if isinstance(proof, ForwardingBound):
        return _by_forwarding(certificate, proof, value)
    if isinstance(proof, LatencyBound):
        return _by_latencies(certificate, proof, value)
    if isinstance(proof, SplitOnNode):
        node = printable(proof.node)
        cases = f"A tree enters {node} by exactly one arc, so one of {_cases(proof)}"
    else:
        arcs = certificate.problem.platform.arcs
        cycle = ", ".join(arc_name(arcs[arc]) for arc in proof.cycle[:8])
        cases = (
            f"An acyclic set of arcs misses at least one arc of the cycle {cycle}, so one of"
            f" {_cases(proof)}"
        )
    return [
        f"{cases} must hold. In each case some arcs are excluded and ports have prices, which bound"
        f" the throughput; the largest of these bounds is {value} per time unit."
    ]


def _cases(bound: Bound) -> str:
    waiting: list[Bound] = [bound]
    cases = 0
    while waiting:
        one = waiting.pop()
        if isinstance(one, (SplitOnNode, SplitOnCycle)):
            waiting.extend(case.proof for case in one.cases)
        else:
            cases += 1
    return counted(cases, "case")


def _by_trees(certificate: Certificate, bound: TreeBound, value: str) -> list[str]:
    problem = certificate.problem
    assert isinstance(problem, (Allgather, Combination))
    prices = {name: price for name, price in bound.prices.items() if price}
    if not prices and not bound.odd_sets:
        return ["Some node is not reached from all others, so nothing is complete: throughput 0."]
    total = sum(prices.values(), Fraction(0))
    total += sum((len(nodes) // 2 * price for nodes, price in bound.odd_sets), Fraction(0))
    if isinstance(problem, Allgather):
        entered = {row.root: sum(one for _, _, one in row.entered) for row in bound.roots}
        paid = sum((size * entered.get(node, 0) for node, size in problem.roots), Fraction(0))
        contained = "the transfers of a shard contain a tree from its node"
    else:
        paid = combination_price(problem, bound)
        shared = any(map(problem.everywhere, range(len(problem.blocks))))
        trees = (
            "an in-tree to some node and an out-tree from it" if shared else "a tree to its target"
        )
        if problem.mixed:
            trees = "the trees or the path that the block needs"
        contained = f"the calls about a block contain {trees}"
    charged = (
        f"{_prices(problem, prices)}{_odd_sets(bound)} Charge each transfer its time at these"
        f" prices. Whatever the schedule, {contained}; cuts for each of"
        f" {counted(len(bound.roots), 'root')} show that one operation is charged at least"
        f" W = {short(paid, 30)} in total."
    )
    return [charged, _at_most(certificate, total, value)]


def _at_most(certificate: Certificate, total: Fraction, value: str) -> str:
    """What follows if all ports are charged Y per time unit and an operation W."""
    at_most = f"The ports together can be charged at most Y = {short(total, 30)} per time unit"
    if isinstance(certificate, Run):
        count = short(certificate.operations, 30)
        return f"{at_most}: {count} operations take at least {count} W / Y = {value}."
    return f"{at_most}, so the throughput is at most Y / W = {value}."


def _by_forwarding(certificate: Certificate, bound: ForwardingBound, value: str) -> list[str]:
    prices = {name: price for name, price in bound.prices.items() if price}
    nodes = listed([node for node, _ in bound.potentials], 8)
    return [
        f"{_prices(certificate.problem, prices)} Nodes that only forward send no more than they"
        f" receive, so what is worth something there ({nodes}) adds nothing to what all transfers"
        f" pay. They pay for {counted(len(bound.sets), 'set')} that shards have to enter, which"
        f" bounds the throughput: {value} per time unit. Where nodes copied what they forward, or"
        " sent sums of it, more might be possible."
    ]


def _by_targets(certificate: Certificate, bound: TargetBound, value: str) -> list[str]:
    problem = certificate.problem
    assert isinstance(problem, Combination)
    prices = {name: price for name, price in bound.prices.items() if price}
    if not prices and not bound.odd_sets:
        return ["Some target is not reached, so nothing is complete: throughput 0."]
    total = sum(prices.values(), Fraction(0))
    total += sum((len(nodes) // 2 * price for nodes, price in bound.odd_sets), Fraction(0))
    size, _, source = problem.blocks[0]
    place = problem.members.index(source)
    paid = sum((Fraction(share.costs[-1][place]) for share in bound.shares), Fraction(0)) * size
    targets = sum(len(share.targets) for share in bound.shares)
    charged = (
        f"{_prices(problem, prices)}{_odd_sets(bound)} Charge each transfer its time at these"
        f" prices. Whatever the schedule, the transfers of a message contain a tree to its targets;"
        f" a table of the least costs of sets of them, for {counted(targets, 'target')}, shows that"
        f" one operation is charged at least W = {short(paid, 30)}."
    )
    return [charged, _at_most(certificate, total, value)]


def combination_price(problem: Combination, bound: TreeBound) -> Fraction:
    """What an operation pays: the least over all roots where a sum is wanted everywhere."""

    def weight(cuts: Iterable[tuple[int, int, Fraction]]) -> Fraction:
        return sum((one for _, _, one in cuts), Fraction(0))

    rows = {row.root: row for row in bound.roots}
    both = [weight(row.left) + weight(row.entered) for row in bound.roots]
    anywhere = min(both) if len(both) == len(problem.members) else Fraction(0)

    def worth(targets: Sequence[Node], source: Node | None) -> Fraction:
        row = rows.get(targets[0] if source is None else source)
        if source is None and len(targets) > 1:
            return anywhere
        if row is None:
            return Fraction(0)
        if source is None or len(targets) > 1:
            return weight(row.left if source is None else row.entered)
        around = [cut for cut in row.passed if targets[0] in row.beyond[cut.start : cut.stop]]
        return weight(around)

    return sum(
        (size * worth(targets, source) for size, targets, source in problem.blocks),
        Fraction(0),
    )


def _by_cuts(certificate: Certificate, bound: CutBound, value: str) -> list[str]:
    problem = certificate.problem
    prices = {name: price for name, price in bound.prices.items() if price}
    sets = [bound.order[start:stop] for start, stop, _ in bound.cuts]
    if not prices and not bound.odd_sets:
        who = listed(sets[0]) if sets else "them"
        return [
            f"No arc enters {who} from outside, so no message ever arrives there: throughput 0."
        ]
    total = sum(prices.values(), Fraction(0))
    total += sum((len(nodes) // 2 * price for nodes, price in bound.odd_sets), Fraction(0))
    operation = "operation" if isinstance(problem, Allgather) else "message of size 1"
    weight = _cut_weight(problem, bound)
    if isinstance(problem, Allgather) and len(sets) == 1:
        entered = f"the shards of all other nodes must enter the set {listed(sets[0])}"
    elif isinstance(problem, Combination):
        entered = (
            f"what a sum owes to the nodes outside must enter {listed(sets[0])}, whatever nodes"
            " without values do"
        )
        operation = "operation"
    elif len(sets) == 1:
        entered = f"every message must enter the set {listed(sets[0])} at least once"
    else:
        some = "; ".join(listed(nodes, 8) for nodes in sets[:4])
        entered = (
            f"every message must enter each of {counted(len(sets), 'set')} of nodes at least once:"
            f" {some}" + ("; \u2026" if len(sets) > 4 else "")
        )
    charged = (
        f"{_prices(problem, prices)}{_odd_sets(bound)} Charge each transfer its time at these"
        f" prices. Whatever the"
        f" schedule, {entered}; the entering transfers of one {operation}"
        f" are charged at least W = {short(weight, 30)} in total."
    )
    at_most = f"The ports together can be charged at most Y = {short(total, 30)} per time unit"
    if isinstance(certificate, Run):
        size = certificate.volume
        startup = sum((weight for _, _, weight in bound.startup_cuts), Fraction(0))
        extra = f" + {short(startup, 20)} for start-ups" if startup else ""
        return [
            charged,
            f"{at_most}, and the packets have the size {short(size, 30)} in total: they take at"
            f" least ({short(size, 30)} * W{extra}) / Y = {value} time units.",
        ]
    rounded = (
        " For a single tree, whose load is a multiple of a unit of time, this is rounded down"
        " accordingly."
        if isinstance(problem, Broadcast) and problem.restrict == "tree"
        else ""
    )
    return [charged, f"{at_most}, so the throughput is at most Y / W = {value}.{rounded}"]


def _cut_weight(problem: Collective, bound: CutBound) -> Fraction:
    """What an operation pays for all cuts: in an allgather for the shards of the nodes outside."""
    weight = Fraction(0)
    for start, stop, one in bound.cuts:
        outside = Fraction(1)
        if isinstance(problem, Allgather):
            inside = frozenset(bound.order[start:stop])
            shards = [size for node, size in problem.shards if node not in inside]
            outside = sum(shards, start=Fraction(0))
        elif isinstance(problem, Combination):
            outside = _wanted_inside(problem, frozenset(bound.order[start:stop]))
        weight += one * outside
    return weight


def _wanted_inside(problem: Combination, inside: frozenset[Node]) -> Fraction:
    """The blocks that nodes inside want, if a node with values is outside."""
    if inside >= problem.group:
        return Fraction(0)
    sizes = (size for size, targets, _ in problem.blocks if not inside.isdisjoint(targets))
    return sum(sizes, start=Fraction(0))


def _by_latencies(certificate: Certificate, bound: LatencyBound, value: str) -> list[str]:
    problem = certificate.problem
    assert isinstance(problem, Allgather)
    assert isinstance(certificate, Run)
    position, inside = problem.platform.position, frozenset(bound.nodes)
    crossing = [a for a in problem.platform.arcs if a.head in inside and a.tail not in inside]
    first = min(bound.early[position[arc.tail]] for arc in crossing)
    last = min(bound.late[position[arc.head]] for arc in crossing)
    roots = [problem.roots[root] for root in bound.roots]
    enter = certificate.volume * sum((root.size for root in roots), Fraction(0))
    total = sum(bound.prices.values(), Fraction(0))
    startups = certificate.operations * len(roots) * bound.startup
    extra = f" + {short(startups, 20)} for start-ups" if startups else ""
    return [
        f"{_prices(problem, bound.prices)} Whatever the schedule, shards of size"
        f" {short(enter, 30)} in total must enter the set {listed(bound.nodes)}; a unit of size"
        f" is charged at least W = {short(bound.weight, 20)} there.",
        f"None of them is at an arc into the set before {short(first, 20)}, and"
        f" {short(last, 20)} is left to go inside. In the time between, the ports together can be"
        f" charged at most Y = {short(total, 30)} per time unit: the run takes at least"
        f" {short(first + last, 20)} + ({short(enter, 30)} * W{extra}) / Y = {value} time units.",
    ]


def _odd_sets(bound: CutBound | TreeBound | TargetBound) -> str:
    if not bound.odd_sets:
        return ""
    dearest = sorted(bound.odd_sets, key=lambda item: -item[1])
    shown = "; ".join(f"{short(price, 20)} on {listed(nodes, 8)}" for nodes, price in dearest[:4])
    more = "; \u2026" if len(dearest) > 4 else ""
    return (
        f" Half-duplex, of 2k + 1 nodes at most k pairs can talk at a time, so such a set has a"
        f" price for the transfers inside it, and can be charged k times: {shown}{more}."
    )


def _prices(problem: Collective, prices: Mapping[str, Rational]) -> str:
    if not prices:
        return "No port has a price."
    dearest = sorted(prices.items(), key=lambda item: -item[1])
    shown = ", ".join(
        f"{short(price, 20)} on {_resource(problem, name)}" for name, price in dearest[:8]
    )
    more = f" and so on, {counted(len(prices), 'price')}" if len(prices) > 8 else ""
    return f"Prices: {shown}{more}."


def _resource(problem: Collective, name: str) -> str:
    side, _, which = name.partition(":")
    if side == "link" and problem.ports == "routes":
        return f"the link {printable(which, 40)}"
    if side == "link":
        return f"the link {arc_name(problem.platform.arcs[int(which)])}"
    return f"{side}:{printable(which, 40)}"


def _charged(
    certificate: Certificate, bound: DistanceBound | PotentialBound, value: str
) -> list[str]:
    problem = certificate.problem
    assert isinstance(problem, (Alltoall, Reduction))
    missing = out_of_reach(certificate)
    if missing:
        return [f"Even if all work were free, {missing}: throughput 0."]
    prices = {name: price for name, price in bound.prices.items() if price}
    charges = goal_charges(problem, bound)
    if isinstance(problem, Alltoall):
        how = (
            "The distance of a node from a source is at most what the cheapest way costs there,"
            " for a message of size 1"
        )
        names = [demand_name(demand) for demand in problem.demands]
        least = "the size of each message times the distance of its target"
    else:
        how = (
            "The potential of v[k,m] at a node is at most what it costs to know it there: it is 0"
            " where it is given, and grows at most by the charge of a transfer or of a task"
        )
        names = [f"[{k},{m}] at {printable(node, 24)}" for (k, m), node in problem.goals]
        least = "the potential of the result" + ("s" if len(names) > 1 else "")
    dearest = sorted(zip(names, charges, strict=True), key=lambda pair: -pair[1])
    shown = ", ".join(f"{short(charge, 20)} for {name}" for name, charge in dearest[:6])
    more = f" and so on, {len(dearest)} in all" if len(dearest) > 6 else ""
    weight, total = sum(charges, Fraction(0)), sum(map(Fraction, prices.values()), Fraction(0))
    what = "each transfer" if isinstance(problem, Alltoall) else "each transfer and each task"
    charged = (
        f"{_prices(problem, prices)} Charge {what} its time at these prices. {how}. So whatever the"
        f" schedule, an operation is charged at least {least}: {shown}{more}; in total"
        f" W = {short(weight, 30)}."
    )
    at_most = f"The resources can be charged at most Y = {short(total, 30)} per time unit"
    if isinstance(certificate, Run):
        done = counted(certificate.operations, "operation")
        takes = "takes" if certificate.operations == 1 else "take"
        count = certificate.operations
        return [
            charged,
            f"{at_most}: {done} {takes} at least {count} * W / Y = {value} time units.",
        ]
    return [charged, f"{at_most}, so the throughput is at most Y / W = {value}."]
