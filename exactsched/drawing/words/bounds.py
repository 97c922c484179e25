"""Why no schedule of a series or a run does better, in plain sentences."""

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
from exactsched.drawing.words.series import arc_name, demand_name, goal_charges, out_of_reach
from exactsched.exact.rational import Rational
from exactsched.model.platform import Node
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)

_DIGITS = 40


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
        reason = f"A tree enters {node} by exactly one arc."
    else:
        arcs = certificate.problem.platform.arcs
        cycle = ", ".join(arc_name(arcs[arc]) for arc in proof.cycle[:8])
        reason = f"An acyclic set of arcs misses at least one arc of the cycle {cycle}."
    return [
        f"{reason} So one of {_cases(proof)} must hold.",
        "In each case some arcs are excluded, and prices of ports bound the throughput. The largest"
        f" of these bounds is {value} per time unit.",
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
    pays = (
        f"In any schedule, {contained}. Cuts for {counted(len(bound.roots), 'root')} show that such"
        f" an operation pays at least W = {short(paid, 30)} in total."
    )
    return [_priced(problem, prices, bound), pays, _at_most(certificate, total, value)]


def _at_most(certificate: Certificate, total: Fraction, value: str) -> str:
    """What follows if all that works is paid Y per time unit at most, and an operation pays W."""
    paid = _paid(certificate.problem, total)
    if isinstance(certificate, Run):
        done = counted(certificate.operations, "operation")
        takes = "takes" if certificate.operations == 1 else "take"
        count = short(certificate.operations, 30)
        return f"{paid} So {done} {takes} at least {count} * W / Y = {value} time units."
    return f"{paid} So the throughput is at most Y / W = {value} per time unit."


def _paid(problem: Collective, total: Fraction) -> str:
    return (
        f"All {_workers(problem)} together are paid at most Y = {short(total, 30)} per time unit,"
        " because none of them works more than full time."
    )


def _workers(problem: Collective) -> str:
    """What has prices."""
    ports = "links" if problem.ports in ("link", "routes") else "ports"
    return f"{ports} and processors" if isinstance(problem, Reduction) else ports


def _priced(problem: Collective, prices: Mapping[str, Rational], bound: Bound | None = None) -> str:
    """The prices, and who pays them."""
    who = _workers(problem)
    if not prices:
        said = f"No {who.replace('s and ', ' and no ').rstrip('s')} has a price."
    else:
        dearest = sorted(prices.items(), key=lambda item: -item[1])
        shown = ", ".join(
            f"{short(price, 20)} on {_resource(problem, name)}" for name, price in dearest[:8]
        )
        more = f" and so on, {counted(len(prices), 'price')}" if len(prices) > 8 else ""
        said = f"Prices of {who} per time unit of work: {shown}{more}."
    odd = _odd_sets(bound) if isinstance(bound, (CutBound, TreeBound, TargetBound)) else ""
    tasks = " and every task pay for their" if isinstance(problem, Reduction) else " pays for its"
    return f"{said}{odd} Every transfer{tasks} time at these prices."


def _by_forwarding(certificate: Certificate, bound: ForwardingBound, value: str) -> list[str]:
    prices = {name: price for name, price in bound.prices.items() if price}
    nodes = listed([node for node, _ in bound.potentials], 8)
    return [
        _priced(certificate.problem, prices),
        "Nodes that only forward send no more than they receive. So what a message is worth there"
        f" ({nodes}) adds nothing to what all transfers pay together.",
        f"The transfers pay for {counted(len(bound.sets), 'set')} that shards have to enter. This"
        f" bounds the throughput: {value} per time unit.",
        "If nodes copied what they forward, or sent sums of it, more might be possible.",
    ]


def _by_targets(certificate: Certificate, bound: TargetBound, value: str) -> list[str]:
    problem = certificate.problem
    assert isinstance(problem, Combination)
    prices = {name: price for name, price in bound.prices.items() if price}
    if not prices and not bound.odd_sets:
        return ["Some target is not reached, so nothing is complete: throughput 0."]
    total = sum(prices.values(), Fraction(0))
    total += sum((len(nodes) // 2 * price for nodes, price in bound.odd_sets), Fraction(0))
    size, _, source, _ = problem.blocks[0]
    place = problem.members.index(source)
    paid = sum((Fraction(share.costs[-1][place]) for share in bound.shares), Fraction(0)) * size
    targets = sum(len(share.targets) for share in bound.shares)
    pays = (
        "In any schedule, the transfers of a message contain a tree to its targets. A table of the"
        f" least costs of all sets of {counted(targets, 'target')} shows that such a tree pays at"
        f" least W = {short(paid, 30)}."
    )
    return [_priced(problem, prices, bound), pays, _at_most(certificate, total, value)]


def combination_price(problem: Combination, bound: TreeBound) -> Fraction:
    """What an operation pays: the least over all roots where a sum is wanted everywhere."""

    def weight(cuts: Iterable[tuple[int, int, Fraction]]) -> Fraction:
        return sum((one for _, _, one in cuts), Fraction(0))

    rows = {(row.group, row.root): row for row in bound.roots}
    both: dict[int | None, list[Fraction]] = {number: [] for number in problem.parts_of}
    for row in bound.roots:
        both.setdefault(row.group, []).append(weight(row.left) + weight(row.entered))
    anywhere = {
        number: min(found) if len(found) == len(problem.numbered(number)) else Fraction(0)
        for number, found in both.items()
    }

    def worth(targets: Sequence[Node], source: Node | None, number: int | None) -> Fraction:
        row = rows.get((number, targets[0] if source is None else source))
        if source is None and len(targets) > 1:
            return anywhere[number]
        if row is None:
            return Fraction(0)
        if source is None or len(targets) > 1:
            return weight(row.left if source is None else row.entered)
        around = [cut for cut in row.passed if targets[0] in row.beyond[cut.start : cut.stop]]
        return weight(around)

    return sum(
        (one.size * worth(one.targets, one.source, one.group) for one in problem.blocks),
        Fraction(0),
    )


def _by_cuts(certificate: Certificate, bound: CutBound, value: str) -> list[str]:
    problem = certificate.problem
    prices = {name: price for name, price in bound.prices.items() if price}
    sets = [bound.order[start:stop] for start, stop, _ in bound.cuts]
    if not prices and not bound.odd_sets:
        who = listed(sets[0]) if sets else "them"
        return [
            f"No arc enters {who} from outside. So no message ever arrives there: throughput 0."
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
    pays = (
        f"In any schedule, {entered}. The entering transfers of one {operation} pay at least"
        f" W = {short(weight, 30)} in total."
    )
    steps = [_priced(problem, prices, bound), pays]
    if isinstance(certificate, Run):
        size = certificate.volume
        startup = sum((weight for _, _, weight in bound.startup_cuts), Fraction(0))
        extra = f" + {short(startup, 20)} for start-ups" if startup else ""
        return [
            *steps,
            f"{_paid(problem, total)} The packets have the size {short(size, 30)} in total. So they"
            f" take at least ({short(size, 30)} * W{extra}) / Y = {value} time units.",
        ]
    rounded = (
        " For a single tree, whose load is a multiple of a unit of time, this is rounded down"
        " accordingly."
        if isinstance(problem, Broadcast) and problem.restrict == "tree"
        else ""
    )
    return [*steps, _at_most(certificate, total, value) + rounded]


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
    sizes = (size for size, targets, *_ in problem.blocks if not inside.isdisjoint(targets))
    return sum(sizes, start=Fraction(0))


def _by_latencies(certificate: Certificate, bound: LatencyBound, value: str) -> list[str]:
    problem = certificate.problem
    assert isinstance(problem, (Allgather, Combination))
    assert isinstance(certificate, Run)
    position, inside = problem.platform.position, frozenset(bound.nodes)
    crossing = [a for a in problem.platform.arcs if a.head in inside and a.tail not in inside]
    first = min(bound.early[position[arc.tail]] for arc in crossing)
    last = min(bound.late[position[arc.head]] for arc in crossing)
    counted_parts = problem.roots if isinstance(problem, Allgather) else problem.blocks
    roots = [counted_parts[root] for root in bound.roots]
    what = "shards" if isinstance(problem, Allgather) else "partial sums"
    enter = certificate.volume * sum((root.size for root in roots), Fraction(0))
    total = sum(bound.prices.values(), Fraction(0))
    startups = certificate.operations * len(roots) * bound.startup
    extra = f" + {short(startups, 20)} for start-ups" if startups else ""
    return [
        _priced(problem, bound.prices),
        f"In any schedule, {what} of size {short(enter, 30)} in total must enter the set"
        f" {listed(bound.nodes)}. There a unit of size pays at least W ="
        f" {short(bound.weight, 20)}, its part of a start-up included.",
        f"None of them is at an arc into the set before {short(first, 20)}, and inside the set it"
        f" takes {short(last, 20)} more.",
        f"{_paid(problem, total)} So the run takes at least {short(first + last, 20)} +"
        f" ({short(enter, 30)} * W{extra}) / Y = {value} time units.",
    ]


def _odd_sets(bound: CutBound | TreeBound | TargetBound) -> str:
    if not bound.odd_sets:
        return ""
    dearest = sorted(bound.odd_sets, key=lambda item: -item[1])
    shown = "; ".join(f"{short(price, 20)} on {listed(nodes, 8)}" for nodes, price in dearest[:4])
    more = "; \u2026" if len(dearest) > 4 else ""
    return (
        " Half-duplex, at most k pairs of 2k + 1 nodes can talk at a time. So such a set has a"
        f" price for the transfers inside it, and is paid at most k times: {shown}{more}."
    )


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
            "The distance of a node from a source is what a message of size 1 pays at least on its"
            " way there."
        )
        names = [demand_name(demand) for demand in problem.demands]
        least = "the size of each message times the distance of its target"
    else:
        how = (
            "The potential of v[k,m] at a node is what must be paid at least to know it there. It"
            " is 0 where the value is given, and grows at most by what a transfer or a task pays."
        )
        names = [f"[{k},{m}] at {printable(node, 24)}" for (k, m), node in problem.goals]
        least = "the potential of the result" + ("s" if len(names) > 1 else "")
    dearest = sorted(zip(names, charges, strict=True), key=lambda pair: -pair[1])
    shown = ", ".join(f"{short(charge, 20)} for {name}" for name, charge in dearest[:6])
    more = f" and so on, {len(dearest)} in all" if len(dearest) > 6 else ""
    weight, total = sum(charges, Fraction(0)), sum(map(Fraction, prices.values()), Fraction(0))
    pays = (
        f"{how} So in any schedule, one operation pays at least {least}: {shown}{more}. In total it"
        f" pays at least W = {short(weight, 30)}."
    )
    return [_priced(problem, prices), pays, _at_most(certificate, total, value)]
