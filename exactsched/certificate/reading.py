"""From the document of a certificate to its nouns: every part is there and of the right kind."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from exactsched.certificate.codec import member_names, read_record
from exactsched.certificate.collectives import read_collective_run, read_collective_series
from exactsched.certificate.elements import (
    read_choice,
    read_filled,
    read_index,
    read_indices,
    read_integer,
    read_list,
    read_member,
    read_members,
    read_positive,
    read_rational,
    read_row,
    read_slots,
    read_truth,
    sketch,
)
from exactsched.certificate.kinds import KINDS, record_of
from exactsched.certificate.limits import FORMAT, MAX_BOUNDS, MAX_DEPTH, MAX_PACKETS, VERSION
from exactsched.certificate.logp import LogPCertificate
from exactsched.certificate.minmax import MinMax
from exactsched.certificate.nouns import (
    Bound,
    Case,
    Certificate,
    CollectiveRun,
    CollectiveSeries,
    CutBound,
    PeriodicSchedule,
    RunCertificate,
    SeriesCertificate,
    SplitOnCycle,
    SplitOnNode,
    WeightedTree,
)
from exactsched.certificate.overlay import Overlay
from exactsched.certificate.problems import read_node, read_prices, read_problem
from exactsched.certificate.structure import refuse_misfits
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.exact.errors import Malformed
from exactsched.model.platform import Node
from exactsched.model.problem import Broadcast

# Every function takes a value and the place where it stands in the document.

_SCHEDULES: Final = {
    "series": ("problem", "claim", "schedule", "bound"),
    "run": ("problem", "claim", "run", "bound"),
}


def parse(document: object) -> Certificate | MinMax | LogPCertificate | Overlay | SynchronousRun:
    """The certificate that a document states, if every part of it has the right structure.

    The document consists of `dict`, `list`, `str`, `int`, `bool` and None, as `read_certificate`
    returns it.  Raises `Malformed`, with a place such as ``schedule.trees[3].messages``.
    Linear time in the size of the document.
    """
    kind = read_choice(read_member(document, "kind"), "kind", (*_SCHEDULES, *KINDS))
    if kind in _SCHEDULES:
        return parse_schedule(document)
    record = record_of(kind)
    members = _members_of_kind(document, member_names(record))
    noun: MinMax | LogPCertificate | Overlay | SynchronousRun = read_record(record, members)
    refuse_misfits(noun)
    return noun


def parse_schedule(document: object) -> Certificate:
    """The series or run that a document states; `Malformed` for every other kind as well."""
    kind = read_choice(read_member(document, "kind"), "kind", (*_SCHEDULES, *KINDS))
    if kind not in _SCHEDULES:
        raise Malformed("kind", kind, "there is a schedule in a series or a run only")
    members = _members_of_kind(document, _SCHEDULES[kind])
    return _series(members) if kind == "series" else _run(members)


def _members_of_kind(document: object, names: tuple[str, ...]) -> dict[str, Any]:
    members = read_members(document, "document", ("format", "version", "kind", *names))
    read_choice(members["format"], "format", (FORMAT,))
    if read_integer(members["version"], "version") != VERSION:
        raise Malformed("version", sketch(members["version"]), f"only version {VERSION} is known")
    return members


def _series(members: dict[str, Any]) -> SeriesCertificate | CollectiveSeries:
    problem, _ = read_problem(members["problem"], counted=False)
    if not isinstance(problem, Broadcast):
        return read_collective_series(members, problem)
    for index, arc in enumerate(problem.platform.arcs):
        if arc.latency:
            place = f"problem.platform.arcs[{index}]"
            raise Malformed(place, str(arc), "in a series a latency belongs to the cost")
    claim = read_members(members["claim"], "claim", ("throughput", "bound", "optimal"))
    schedule = members["schedule"]
    return SeriesCertificate(
        problem=problem,
        throughput=read_rational(claim["throughput"], "claim.throughput"),
        bound_value=read_rational(claim["bound"], "claim.bound"),
        optimal=read_truth(claim["optimal"], "claim.optimal"),
        schedule=None if schedule is None else _schedule(schedule, len(problem.platform.arcs)),
        bound=_bound(members["bound"], problem),
    )


def _run(members: dict[str, Any]) -> RunCertificate | CollectiveRun:
    problem, counted = read_problem(members["problem"], counted=True)
    if not isinstance(problem, Broadcast):
        return read_collective_run(members, problem, counted)
    if problem.restrict != "none":
        raise Malformed("problem.restrict", problem.restrict, "a run is not restricted")
    packets = _packets(counted, "problem.packets")
    claim = read_members(members["claim"], "claim", ("makespan", "bound", "optimal"))
    run = read_members(members["run"], "run", ("tick", "transfers"))
    transfers = []
    for index, row in enumerate(read_filled(run["transfers"], "run.transfers")):
        place = f"run.transfers[{index}]"
        arc, packet, start, end = read_row(row, place, "[arc, packet, start, end]", 4)
        transfers.append(
            (
                read_index(arc, f"{place}[0]", len(problem.platform.arcs), "arc"),
                read_index(packet, f"{place}[1]", len(packets), "packet"),
                read_integer(start, f"{place}[2]"),
                read_integer(end, f"{place}[3]"),
            )
        )
    return RunCertificate(
        problem=problem,
        packets=packets,
        makespan=read_rational(claim["makespan"], "claim.makespan"),
        bound_value=read_rational(claim["bound"], "claim.bound"),
        optimal=read_truth(claim["optimal"], "claim.optimal"),
        tick=read_positive(run["tick"], "run.tick"),
        transfers=tuple(transfers),
        bound=_leaf(members["bound"], "bound", problem, ("startup_cuts",)),
    )


def _packets(value: object, place: str) -> tuple[Fraction, ...]:
    if type(value) is dict:
        at = f"{place}.count"
        count = read_integer(read_members(value, place, ("count",))["count"], at)
        if not 1 <= count <= MAX_PACKETS:
            raise Malformed(at, count, f"a run has from 1 to {MAX_PACKETS} packets")
        return (Fraction(1),) * count
    sizes = read_filled(value, place)
    return tuple(read_positive(size, f"{place}[{index}]") for index, size in enumerate(sizes))


def _schedule(value: object, arc_count: int) -> PeriodicSchedule:
    given = read_members(value, "schedule", ("period", "tick", "trees", "slots", "whole"))
    trees = []
    for index, listed in enumerate(read_filled(given["trees"], "schedule.trees")):
        place = f"schedule.trees[{index}]"
        tree = read_members(listed, place, ("messages", "arcs"))
        messages = read_integer(tree["messages"], f"{place}.messages")
        if messages < 1:
            raise Malformed(f"{place}.messages", messages, "a tree carries at least one message")
        trees.append(
            WeightedTree(messages, read_indices(tree["arcs"], f"{place}.arcs", arc_count, "arc"))
        )
    return PeriodicSchedule(
        period=read_positive(given["period"], "schedule.period"),
        tick=read_positive(given["tick"], "schedule.tick"),
        trees=tuple(trees),
        slots=read_slots(given["slots"], "schedule.slots", arc_count, "arc"),
        whole=read_truth(given["whole"], "schedule.whole"),
    )


def _bound(value: object, problem: Broadcast) -> Bound:
    """Breadth first on a list, then built from its end: a child stands behind its parent.

    Without recursion, because the depth of the document is the choice of whoever wrote it.
    """
    listed: list[tuple[object, str, int]] = [(value, "bound", 0)]
    first_child: list[int] = []
    splits: list[dict[str, Any] | None] = []
    for bound, place, depth in listed:  # grows while it is read
        first_child.append(len(listed))
        split = _branching(bound, place, problem)
        splits.append(split)
        if split is None:
            continue
        if depth == MAX_DEPTH:
            raise Malformed(place, depth, f"branchings are nested at most {MAX_DEPTH} deep")
        for index, case in enumerate(read_filled(split["cases"], f"{place}.cases")):
            at = f"{place}.cases[{index}]"
            listed.append(
                (read_members(case, at, ("without", "bound"))["bound"], f"{at}.bound", depth + 1)
            )
        if len(listed) > MAX_BOUNDS:
            raise Malformed(place, len(listed), f"a bound has at most {MAX_BOUNDS} cases in all")
    arc_count = len(problem.platform.arcs)
    built: dict[int, Bound] = {}
    for position in reversed(range(len(listed))):
        bound, place, _ = listed[position]
        split = splits[position]
        if split is None:
            built[position] = _leaf(bound, place, problem, ())
            continue
        cases = []
        for index, case in enumerate(split["cases"]):
            at = f"{place}.cases[{index}].without"
            read_filled(case["without"], at)
            arcs = read_indices(case["without"], at, arc_count, "arc")
            cases.append(Case(arcs, built.pop(first_child[position] + index)))
        if "enter" in split:
            built[position] = SplitOnNode(split["enter"], tuple(cases))
        else:
            read_filled(split["cycle"], f"{place}.cycle")
            cycle = read_indices(split["cycle"], f"{place}.cycle", arc_count, "arc")
            built[position] = SplitOnCycle(cycle, tuple(cases))
    return built[0]


def _branching(value: object, place: str, problem: Broadcast) -> dict[str, Any] | None:
    """The members of a branching that the restriction allows; None if this is a leaf."""
    if type(value) is not dict or "cases" not in value:
        return None
    if problem.restrict == "tree":
        split = read_members(value, place, ("enter", "cases"))
        node = read_node(split["enter"], f"{place}.enter", set(problem.platform.nodes))
        if node == problem.source:
            raise Malformed(f"{place}.enter", node, "no tree enters the source")
        return split
    if problem.restrict == "dag":
        return read_members(value, place, ("cycle", "cases"))
    raise Malformed(place, "cases", "only the restrictions tree and dag can be branched on")


def _leaf(value: object, place: str, problem: Broadcast, optional: tuple[str, ...]) -> CutBound:
    given = read_members(value, place, ("prices", "order", "cuts"), (*optional, "odd_sets"))
    prices = read_prices(given["prices"], f"{place}.prices", problem)
    known_nodes = set(problem.platform.nodes)
    order = tuple(
        read_node(node, f"{place}.order[{index}]", known_nodes)
        for index, node in enumerate(read_list(given["order"], f"{place}.order"))
    )
    if len(set(order)) < len(order) or problem.source in order:
        raise Malformed(f"{place}.order", sketch(given["order"]), "distinct nodes, not the source")
    return CutBound(
        prices=prices,
        order=order,
        cuts=_cuts(given["cuts"], f"{place}.cuts", len(order)),
        startup_cuts=_cuts(given.get("startup_cuts", []), f"{place}.startup_cuts", len(order)),
        odd_sets=_odd_sets(given["odd_sets"], f"{place}.odd_sets", problem)
        if "odd_sets" in given
        else (),
    )


def _odd_sets(
    value: object, place: str, problem: Broadcast
) -> tuple[tuple[tuple[Node, ...], Fraction], ...]:
    if problem.ports != "half-duplex" or problem.restrict != "none":
        rule = "odd sets have prices under half-duplex ports and without a restriction only"
        raise Malformed(place, problem.ports, rule)
    known_nodes = set(problem.platform.nodes)
    priced = []
    for index, row in enumerate(read_list(value, place)):
        at = f"{place}[{index}]"
        listed, price = read_row(row, at, "[nodes, price]", 2)
        nodes = tuple(
            read_node(node, f"{at}[0][{position}]", known_nodes)
            for position, node in enumerate(read_list(listed, f"{at}[0]"))
        )
        if len(set(nodes)) < len(nodes) or len(nodes) < 3 or len(nodes) % 2 == 0:
            raise Malformed(f"{at}[0]", sketch(listed), "distinct nodes, an odd number from 3 on")
        priced.append((nodes, read_positive(price, f"{at}[1]")))
    return tuple(priced)


def _cuts(value: object, place: str, size: int) -> tuple[tuple[int, int, Fraction], ...]:
    cuts = []
    for index, row in enumerate(read_list(value, place)):
        at = f"{place}[{index}]"
        start, stop, weight = read_row(row, at, "[start, stop, weight]", 3)
        start, stop = read_integer(start, f"{at}[0]"), read_integer(stop, f"{at}[1]")
        if not 0 <= start < stop <= size:
            raise Malformed(at, [start, stop], "a cut is a part of the order that is not empty")
        cuts.append((start, stop, read_positive(weight, f"{at}[2]")))
    return tuple(cuts)
