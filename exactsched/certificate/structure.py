"""What the parts of a min-max theorem, a LogP schedule, an overlay or a run in steps must be.

Nodes and indices refer to something, lists belong together, numbers have the sign that their
meaning demands.  Whether they prove what they claim is decided by `exactsched.check`, which
relies on these rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from exactsched.certificate.limits import MAX_ITEMS, MAX_NODES
from exactsched.certificate.logp import (
    LogPBuffered,
    LogPCertificate,
    LogPCycles,
    LogPRounds,
    LogPSchedule,
)
from exactsched.certificate.minmax import (
    ArborescenceDecomposition,
    BranchingPacking,
    ConcurrentBranchingPacking,
    EdgeColoring,
    Entries,
    FractionalEdgeColoring,
    LinearInfeasibility,
    LinearOptimum,
    LinearProgram,
    LinearUnboundedness,
    MatchingDecomposition,
    MaximumFlow,
    MinimumCostArborescence,
    MinimumRootCut,
    MinMax,
    Pairs,
    UnmetDemand,
)
from exactsched.certificate.overlay import Overlay
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import Rational, to_json
from exactsched.model.machine import LogP

LOGP_COLLECTIVES: Final = ("broadcast", "allgather", "alltoall", "allreduce", "summation")
ROUNDS_OF: Final = ("allgather", "alltoall", "allreduce")
OVERLAY_STRUCTURES: Final = ("any", "acyclic", "tree")
STEP_PORTS: Final = ("half-duplex", "one-port")


def refuse_misfits(noun: MinMax | LogPCertificate | Overlay | SynchronousRun) -> None:
    """Raises `Malformed` unless the parts of a noun fit together; linear time."""
    match noun:
        case MaximumFlow():
            _network(noun.size, noun.arcs, noun.capacities, "capacities")
            _index(noun.source, noun.size, "source", "node")
            _index(noun.sink, noun.size, "sink", "node")
            if noun.source == noun.sink:
                raise Malformed("sink", noun.sink, "source and sink are two nodes")
            _one_each(noun.flow, noun.arcs, "flow", "arc")
            _distinct(noun.cut, noun.size, "cut", "node")
        case MinimumRootCut():
            _network(noun.size, noun.arcs, noun.capacities, "capacities")
            _index(noun.root, noun.size, "root", "node")
            _distinct(noun.cut, noun.size, "cut", "node")
            _order(noun.order, noun.size, noun.root)
            _one_each(noun.flows, noun.order, "flows", "node of the order")
            for index, flow in enumerate(noun.flows):
                _entries(flow, len(noun.arcs), f"flows[{index}]", "arc")
        case BranchingPacking():
            _demands(noun)
            _branchings(noun)
        case UnmetDemand():
            _demands(noun)
            _distinct(noun.nodes, noun.size, "nodes", "node")
        case ConcurrentBranchingPacking():
            _demands(noun)
            _branchings(noun)
            _distinct(noun.nodes, noun.size, "nodes", "node")
        case ArborescenceDecomposition():
            _network(noun.size, noun.arcs, noun.capacities, "capacities")
            _index(noun.root, noun.size, "root", "node")
            _weighted(noun.trees, len(noun.arcs), "trees", "arc")
            _distinct(noun.cut, noun.size, "cut", "node")
        case MinimumCostArborescence():
            _network(noun.size, noun.arcs, noun.costs, "costs")
            _index(noun.root, noun.size, "root", "node")
            _indices(noun.tree, len(noun.arcs), "tree", "arc")
            _order(noun.order, noun.size, noun.root)
            _intervals(noun.cuts, len(noun.order))
        case EdgeColoring():
            _bipartite(noun.edges)
            _one_each(noun.multiplicities, noun.edges, "multiplicities", "edge")
            _positive(noun.multiplicities, "multiplicities")
            _weighted(noun.classes, len(noun.edges), "classes", "edge")
        case MatchingDecomposition():
            _bipartite(noun.edges)
            _one_each(noun.weights, noun.edges, "weights", "edge")
            _positive(noun.weights, "weights")
            _weighted(noun.matchings, len(noun.edges), "matchings", "edge")
        case FractionalEdgeColoring():
            _nodes(noun.size)
            _ends(noun.edges, noun.size, "edges")
            for index, (one, other) in enumerate(noun.edges):
                if one == other:
                    raise Malformed(f"edges[{index}]", one, "an edge joins two nodes")
            _one_each(noun.weights, noun.edges, "weights", "edge")
            _positive(noun.weights, "weights")
            _weighted(noun.matchings, len(noun.edges), "matchings", "edge")
            _distinct(noun.witness, noun.size, "witness", "node")
        case LinearOptimum():
            _program(noun.program)
            _entries(noun.primal, len(noun.program.objective), "primal", "variable")
            _entries(noun.dual, len(noun.program.rows), "dual", "row")
        case LinearInfeasibility():
            _program(noun.program)
            _entries(noun.multipliers, len(noun.program.rows), "multipliers", "row")
        case LinearUnboundedness():
            _program(noun.program)
            _entries(noun.point, len(noun.program.objective), "point", "variable")
            _entries(noun.ray, len(noun.program.objective), "ray", "variable")
        case LogPSchedule():
            _messages(noun)
            _additions(noun)
        case LogPCycles():
            _cycles(noun)
        case LogPBuffered():
            _role_cycles(noun.machine, noun.cycles)
            _positive((noun.items,), "items")
            _at_most_items(noun.items)
        case LogPRounds():
            _rounds(noun)
        case Overlay():
            _overlay(noun)
        case SynchronousRun():
            _steps(noun)
            _occupancy(noun)


def _network(size: int, arcs: Pairs, numbers: Sequence[Rational], place: str) -> None:
    _nodes(size)
    _ends(arcs, size, "arcs")
    _one_each(numbers, arcs, place, "arc")
    _not_negative(numbers, place)


def _demands(noun: BranchingPacking | UnmetDemand | ConcurrentBranchingPacking) -> None:
    _network(noun.size, noun.arcs, noun.capacities, "capacities")
    for index, (nodes, demand) in enumerate(noun.roots):
        place = f"roots[{index}]"
        if not nodes:
            raise Malformed(f"{place}[0]", [], "a root set is not empty")
        _distinct(nodes, noun.size, f"{place}[0]", "node")
        if demand.numerator < 0:
            raise Malformed(f"{place}[1]", to_json(demand), "a demand is not negative")


def _branchings(noun: BranchingPacking | ConcurrentBranchingPacking) -> None:
    _positive([weight for _, weight, _ in noun.branchings], "branchings", "[1]")
    for index, (root_set, _, arcs) in enumerate(noun.branchings):
        _index(root_set, len(noun.roots), f"branchings[{index}][0]", "root set")
        _indices(arcs, len(noun.arcs), f"branchings[{index}][2]", "arc")


def _program(program: LinearProgram) -> None:
    variables, rows = len(program.objective), len(program.rows)
    for index, row in enumerate(program.rows):
        _entries(row, variables, f"program.rows[{index}]", "variable")
    _one_each(program.right_sides, program.rows, "program.right_sides", "row")
    _distinct(program.equalities, rows, "program.equalities", "row")
    _distinct(program.nonnegative, variables, "program.nonnegative", "variable")


def _messages(noun: LogPSchedule) -> None:
    _processors(noun.machine)
    if noun.collective not in LOGP_COLLECTIVES:
        rule = f"one of {', '.join(LOGP_COLLECTIVES)} is needed here"
        raise Malformed("collective", noun.collective, rule)
    _positive((noun.count,), "count")
    _positive((noun.tick,), "tick")
    size = noun.machine.P
    items = {
        "broadcast": noun.count,
        "allgather": size * noun.count,
        "alltoall": size * size * noun.count,
        "allreduce": 2,
        "summation": 1,
    }[noun.collective]
    senders, receivers, carried, starts = _columns(noun.messages, 4)
    _indices(senders, size, "messages", "processor", "[0]")
    _indices(receivers, size, "messages", "processor", "[1]")
    _indices(carried, items, "messages", "item", "[2]")
    _not_negative(starts, "messages", "[3]")
    for index, (sender, receiver) in enumerate(zip(senders, receivers, strict=True)):
        if sender == receiver:
            raise Malformed(f"messages[{index}]", sender, "a message joins two processors")
    if noun.collective == "alltoall":
        for index, item in enumerate(carried):
            source, target = divmod(item // noun.count, size)
            if source == target:
                place = f"messages[{index}][2]"
                raise Malformed(place, item, "a processor has no item for itself")


def _additions(noun: LogPSchedule) -> None:
    if noun.additions and noun.collective != "summation":
        raise Malformed("additions", len(noun.additions), "only a summation adds operands")
    if noun.collective == "summation" and noun.time < 0:
        raise Malformed("time", to_json(noun.time), "a summation takes time 0 or more")
    processors, starts, numbers = _columns(noun.additions, 3)
    _indices(processors, noun.machine.P, "additions", "processor", "[0]")
    _not_negative(starts, "additions", "[1]")
    _positive(numbers, "additions", "[2]")


def _cycles(noun: LogPCycles) -> None:
    _role_cycles(noun.machine, noun.cycles)
    _not_negative((noun.items,), "items")
    _at_most_items(noun.items)
    _indices(noun.endgame, noun.items, "endgame", "item")
    # The last item is there, and as many different ones as there are from the first to the last.
    if noun.endgame and noun.items - min(noun.endgame) != len(set(noun.endgame)):
        rule = "the endgame sends the last items, each of them"
        raise Malformed("endgame", to_json(min(noun.endgame)), rule)


def _at_most_items(items: int) -> None:
    if items > MAX_ITEMS:
        raise Malformed("items", to_json(items), f"at most {MAX_ITEMS} items")


def _role_cycles(machine: LogP, cycles: Sequence[tuple[int, Sequence[tuple[int, ...]]]]) -> None:
    """Cycles (shift, roles) for all processors but one; a role is of numbers, none negative."""
    _processors(machine)
    if machine.o or machine.g != 1 or machine.L.denominator != 1 or machine.L > MAX_ITEMS:
        rule = f"cycles are of the postal model: o = 0, g = 1, L an integer up to {MAX_ITEMS}"
        numbers = [to_json(number) for number in (machine.L, machine.o, machine.g)]
        raise Malformed("machine", numbers, rule)
    if machine.P == 1:
        raise Malformed("machine.P", 1, "the source sends to at least one processor")
    filled = 0
    for index, (shift, roles) in enumerate(cycles):
        place = f"cycles[{index}]"
        if shift < 1 or not roles or len(roles) % shift:
            rule = f"the shift, at least 1, divides the number of roles, {len(roles)}, at least 1"
            raise Malformed(place, to_json(shift), rule)
        filled += len(roles) // shift
        for column, values in enumerate(zip(*roles, strict=True)):
            _not_negative(values, f"{place}[1]", f"[{column}]")
    if filled != machine.P - 1:
        rule = f"every processor but the source is in a cycle: {machine.P - 1}"
        raise Malformed("cycles", filled, rule)


def _rounds(noun: LogPRounds) -> None:
    size = noun.machine.P
    if size > MAX_ITEMS:
        raise Malformed("machine.P", to_json(size), f"at most {MAX_ITEMS} processors")
    if noun.collective not in ROUNDS_OF:
        rule = f"one of {', '.join(ROUNDS_OF)} is needed here"
        raise Malformed("collective", noun.collective, rule)
    _positive((noun.count,), "count")
    _positive((noun.tick,), "tick")
    if noun.halvings and noun.collective == "allreduce":
        raise Malformed("halvings", len(noun.halvings), "halves exchange items, not sums")
    if len(noun.halvings) > (size - 1).bit_length():
        rule = f"groups of one processor are left by {(size - 1).bit_length()}"
        raise Malformed("halvings", len(noun.halvings), rule)
    starts, spacings, delays = _columns(noun.halvings, 3)
    _not_negative(starts, "halvings", "[0]")
    _positive(spacings, "halvings", "[1]")
    _not_negative(delays, "halvings", "[2]")
    largest = -(-size >> len(noun.halvings))  # group, rounded up
    starts, shifts, items = _columns(noun.rounds, 3)
    _not_negative(starts, "rounds", "[0]")
    for index, shift in enumerate(shifts):
        if not 1 <= shift < largest:
            rule = f"a shift is at least 1 and below {largest}, the size of a group"
            raise Malformed(f"rounds[{index}][1]", to_json(shift), rule)
    carried = 2 if noun.collective == "allreduce" else noun.count
    _indices(items, carried, "rounds", "item", "[2]")


def _overlay(noun: Overlay) -> None:
    size, parts = noun.machine.size, noun.parts
    if noun.structure not in OVERLAY_STRUCTURES:
        rule = f"one of {', '.join(OVERLAY_STRUCTURES)} is needed here"
        raise Malformed("structure", noun.structure, rule)
    _positive((parts,), "parts")
    _not_negative((noun.throughput,), "throughput")
    _indices([sender for sender, _, _ in noun.arcs], size, "arcs", "node", "[0]")
    _indices([receiver for _, receiver, _ in noun.arcs], size, "arcs", "node", "[1]")
    for index, (sender, receiver, pieces) in enumerate(noun.arcs):
        if receiver in (0, sender):
            rule = "a node sends to others than the source"
            raise Malformed(f"arcs[{index}]", [sender, receiver], rule)
        if not pieces:
            raise Malformed(f"arcs[{index}][2]", [], "something is sent on an arc")
        last = 0
        for position, (start, stop) in enumerate(pieces):
            if not last <= start < stop <= parts:
                place = f"arcs[{index}][2][{position}]"
                rule = f"pieces follow each other, are not empty, and end by {to_json(parts)}"
                raise Malformed(place, [to_json(start), to_json(stop)], rule)
            last = stop
    if len(noun.proof) > 1:
        raise Malformed("proof", len(noun.proof), "one proof is enough")
    if noun.proof and noun.structure != "any":
        raise Malformed("proof", noun.structure, "a proof by cases is about any overlays")


def _steps(noun: SynchronousRun) -> None:
    size = noun.size
    _nodes(size)
    if noun.ports not in STEP_PORTS:
        rule = f"one of {', '.join(STEP_PORTS)} is needed here"
        raise Malformed("ports", noun.ports, rule)
    _ends(tuple([(tail, head) for tail, head, _ in noun.arcs]), size, "arcs")
    for index, (tail, head, duration) in enumerate(noun.arcs):
        if tail == head:
            raise Malformed(f"arcs[{index}]", tail, "an arc joins two nodes")
        if not 1 <= duration <= MAX_ITEMS:
            rule = f"a packet takes from 1 to {MAX_ITEMS} steps"
            raise Malformed(f"arcs[{index}][2]", to_json(duration), rule)
    if not noun.origins:
        raise Malformed("origins", [], "there is at least one packet")
    nodes, numbers = _columns(noun.origins, 2)
    _indices(nodes, size, "origins", "node", "[0]")
    _positive(numbers, "origins", "[1]")
    packets = sum(numbers)
    if packets > MAX_ITEMS:
        raise Malformed("origins", to_json(packets), f"at most {MAX_ITEMS} packets")
    if len(noun.sends) > noun.steps:
        rule = "there is at most one row for each of the steps"
        raise Malformed("sends", len(noun.sends), rule)
    for step, row in enumerate(noun.sends):
        if len(row) % 2:
            raise Malformed(f"sends[{step}]", len(row), "a packet follows every arc")
        _indices(row[::2], len(noun.arcs), f"sends[{step}][::2]", "arc")
        _indices(row[1::2], packets, f"sends[{step}][1::2]", "packet")
    if noun.names:
        _one_each(noun.names, range(size), "names", "node")
        if len(set(noun.names)) < size:
            raise Malformed("names", size, "two nodes may not have the same name")


def _occupancy(noun: SynchronousRun) -> None:
    if len(noun.occupancy) > 1:
        raise Malformed("occupancy", len(noun.occupancy), "one proof is enough")
    for proof in noun.occupancy:
        place = "occupancy[0]"
        ports = range(noun.size if noun.ports == "half-duplex" else 2 * noun.size)
        _one_each(proof.prices, ports, f"{place}.prices", "port")
        _not_negative(proof.prices, f"{place}.prices")
        if proof.odd_sets and noun.ports == "one-port":
            rule = "odd sets are resources in half-duplex only"
            raise Malformed(f"{place}.odd_sets", len(proof.odd_sets), rule)
        _not_negative([price for _, price in proof.odd_sets], f"{place}.odd_sets", "[1]")
        for index, (nodes, _) in enumerate(proof.odd_sets):
            _distinct(nodes, noun.size, f"{place}.odd_sets[{index}][0]", "node")
            if len(nodes) % 2 == 0:
                at = f"{place}.odd_sets[{index}][0]"
                raise Malformed(at, len(nodes), "an odd set has an odd number of nodes")
        _not_negative([weight for _, weight in proof.cuts], f"{place}.cuts", "[1]")
        for index, (nodes, _) in enumerate(proof.cuts):
            _distinct(nodes, noun.size, f"{place}.cuts[{index}][0]", "node")
            if not nodes:
                at = f"{place}.cuts[{index}][0]"
                raise Malformed(at, [], "nothing needs to be sent into no node")


def _columns(rows: Sequence[tuple[int, ...]], count: int) -> tuple[tuple[int, ...], ...]:
    return tuple(zip(*rows, strict=True)) or ((),) * count


def _processors(machine: LogP) -> None:
    if machine.P > MAX_NODES:
        raise Malformed("machine.P", to_json(machine.P), f"at most {MAX_NODES} processors")


def _not_negative(numbers: Sequence[Rational], place: str, column: str = "") -> None:
    if numbers and min(numbers) < 0:
        for index, number in enumerate(numbers):
            if number.numerator < 0:
                at = f"{place}[{index}]{column}"
                raise Malformed(at, to_json(number), "a number that is not negative is needed here")


def _nodes(size: int) -> None:
    if not 1 <= size <= MAX_NODES:
        raise Malformed("size", to_json(size), f"a graph has from 1 to {MAX_NODES} nodes")


def _ends(pairs: Pairs, size: int, place: str) -> None:
    for index, (one, other) in enumerate(pairs):
        if not (0 <= one < size and 0 <= other < size):
            at = f"{place}[{index}]"
            rule = f"the ends are nodes, from 0 to {size - 1}"
            raise Malformed(at, [to_json(one), to_json(other)], rule)


def _bipartite(edges: Pairs) -> None:
    for index, (left, right) in enumerate(edges):
        if left < 0 or right < 0:
            ends = [to_json(left), to_json(right)]
            raise Malformed(f"edges[{index}]", ends, "the nodes of a side are numbered from 0")


def _one_each(values: Sequence[object], things: Sequence[object], place: str, noun: str) -> None:
    if len(values) != len(things):
        rule = f"one for each {noun} is needed: {len(things)}"
        raise Malformed(place, len(values), rule)


def _positive(numbers: Sequence[Rational], place: str, column: str = "") -> None:
    for index, number in enumerate(numbers):
        if number.numerator <= 0:
            at = f"{place}[{index}]{column}"
            raise Malformed(at, to_json(number), "a positive number is needed here")


def _index(value: int, count: int, place: str, noun: str) -> None:
    if not 0 <= value < count:
        rule = f"an index of the {count} {noun}s, from 0, is needed"
        raise Malformed(place, to_json(value), rule)


def _indices(values: Sequence[int], count: int, place: str, noun: str, column: str = "") -> None:
    # All at once: the matchings and trees of a large certificate hold millions of indices.
    if values and not (min(values) >= 0 and max(values) < count):
        for position, value in enumerate(values):
            _index(value, count, f"{place}[{position}]{column}", noun)


def _distinct(values: Sequence[int], count: int, place: str, noun: str, column: str = "") -> None:
    _indices(values, count, place, noun, column)
    if len(set(values)) < len(values):
        seen: set[int] = set()
        for position, value in enumerate(values):
            if value in seen:
                at = f"{place}[{position}]{column}"
                raise Malformed(at, value, f"this {noun} is named twice")
            seen.add(value)


def _entries(entries: Entries, count: int, place: str, noun: str) -> None:
    _distinct([index for index, _ in entries], count, place, noun, "[0]")


def _order(order: Sequence[int], size: int, root: int) -> None:
    _distinct(order, size, "order", "node")
    if root in order:
        raise Malformed("order", root, "the order is one of nodes without the root")


def _weighted(
    parts: Sequence[tuple[Rational, tuple[int, ...]]], count: int, place: str, noun: str
) -> None:
    """Rows [positive weight, indices]."""
    _positive([weight for weight, _ in parts], place, "[0]")
    for index, (_, members) in enumerate(parts):
        _indices(members, count, f"{place}[{index}][1]", noun)


def _intervals(cuts: Sequence[tuple[int, int, Rational]], length: int) -> None:
    _positive([weight for _, _, weight in cuts], "cuts", "[2]")
    for index, (start, stop, _) in enumerate(cuts):
        if not 0 <= start < stop <= length:
            ends = [to_json(start), to_json(stop)]
            rule = "a cut is a part of the order that is not empty"
            raise Malformed(f"cuts[{index}]", ends, rule)
