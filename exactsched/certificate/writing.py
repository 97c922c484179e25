"""From the nouns of a certificate to its document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactsched.certificate.codec import write
from exactsched.certificate.elements import integer_document, number_document
from exactsched.certificate.kinds import kind_of
from exactsched.certificate.limits import FORMAT, VERSION
from exactsched.certificate.logp import LogPCertificate
from exactsched.certificate.minmax import MinMax
from exactsched.certificate.nouns import (
    Bound,
    BroadcastCertificate,
    Certificate,
    CollectiveCertificate,
    CollectiveRun,
    CollectiveSchedule,
    CollectiveSeries,
    CutBound,
    DistanceBound,
    PeriodicSchedule,
    RunCertificate,
    SeriesCertificate,
    SplitOnNode,
    WeightedRoute,
    WeightedScheme,
)
from exactsched.certificate.overlay import Overlay
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.exact.rational import Rational, to_json
from exactsched.model.platform import Platform
from exactsched.model.problem import Alltoall, Broadcast, Collective


def to_document(
    certificate: Certificate | MinMax | LogPCertificate | Overlay | SynchronousRun,
) -> dict[str, Any]:
    """The document that states a certificate; `parse` is its inverse."""
    if isinstance(certificate, (SeriesCertificate, RunCertificate)):
        return _schedule_certificate_document(certificate)
    if isinstance(certificate, (CollectiveSeries, CollectiveRun)):
        return _collective_document(certificate)
    record = type(certificate)
    members = write(record, certificate)
    return {"format": FORMAT, "version": VERSION, "kind": kind_of(record), **members}


def _schedule_certificate_document(certificate: BroadcastCertificate) -> dict[str, Any]:
    asked = problem_document(certificate.problem)
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION, "kind": "series"}
    shared = {"bound": to_json(certificate.bound_value), "optimal": certificate.optimal}
    document["problem"] = asked
    if isinstance(certificate, SeriesCertificate):
        document["claim"] = {"throughput": to_json(certificate.throughput), **shared}
        document["schedule"] = _schedule_document(certificate.schedule)
    else:
        document["kind"] = "run"
        asked["packets"] = (
            {"count": len(certificate.packets)}
            if all(size == 1 for size in certificate.packets)
            else [to_json(size) for size in certificate.packets]
        )
        document["claim"] = {"makespan": to_json(certificate.makespan), **shared}
        document["run"] = {
            "tick": to_json(certificate.tick),
            "transfers": [
                [arc, packet, integer_document(start), integer_document(end)]
                for arc, packet, start, end in certificate.transfers
            ],
        }
    document["bound"] = _bound_document(certificate.bound)
    return document


def _platform_document(platform: Platform) -> dict[str, Any]:
    return {
        "nodes": list(platform.nodes),
        "arcs": [
            [arc.tail, arc.head, to_json(arc.cost)]
            + ([to_json(arc.latency)] if arc.latency else [])
            for arc in platform.arcs
        ],
    }


def _schedule_document(schedule: PeriodicSchedule | None) -> dict[str, Any] | None:
    if schedule is None:
        return None
    return {
        "period": to_json(schedule.period),
        "tick": to_json(schedule.tick),
        "whole": schedule.whole,
        "trees": [
            {"messages": integer_document(tree.messages), "arcs": list(tree.arcs)}
            for tree in schedule.trees
        ],
        "slots": [
            [arc, integer_document(start), integer_document(end)]
            for arc, start, end in schedule.slots
        ],
    }


def _bound_document(bound: Bound) -> dict[str, Any]:
    """Filled from the root without recursion, as it is read."""
    document: dict[str, Any] = {}
    pending: list[tuple[Bound, dict[str, Any]]] = [(bound, document)]
    while pending:
        stated, target = pending.pop()
        if isinstance(stated, CutBound):
            target["prices"] = {name: to_json(price) for name, price in stated.prices.items()}
            target["order"] = list(stated.order)
            target["cuts"] = [[a, b, to_json(weight)] for a, b, weight in stated.cuts]
            if stated.startup_cuts:
                target["startup_cuts"] = [[a, b, to_json(w)] for a, b, w in stated.startup_cuts]
            if stated.odd_sets:
                target["odd_sets"] = [[list(nodes), to_json(p)] for nodes, p in stated.odd_sets]
            continue
        if isinstance(stated, SplitOnNode):
            target["enter"] = stated.node
        else:
            target["cycle"] = list(stated.cycle)
        target["cases"] = []
        for case in stated.cases:
            inner: dict[str, Any] = {}
            target["cases"].append({"without": list(case.without), "bound": inner})
            pending.append((case.bound, inner))
    return document


def _collective_document(certificate: CollectiveCertificate) -> dict[str, Any]:
    asked = problem_document(certificate.problem)
    shared = {"bound": to_json(certificate.bound_value), "optimal": certificate.optimal}
    document = {"format": FORMAT, "version": VERSION, "kind": "series", "problem": asked}
    if isinstance(certificate, CollectiveSeries):
        document["claim"] = {"throughput": to_json(certificate.throughput), **shared}
        document["schedule"] = _collective_schedule_document(certificate.schedule)
    else:
        document["kind"] = "run"
        asked["operations"] = integer_document(certificate.operations)
        document["claim"] = {"makespan": to_json(certificate.makespan), **shared}
        document["run"] = {
            "tick": to_json(certificate.tick),
            "tasks": [list(task) for task in certificate.tasks],
            "rows": [
                [task, operation, integer_document(start), integer_document(end)]
                for task, operation, start, end in certificate.rows
            ],
        }
    bound = certificate.bound
    prices = {name: to_json(price) for name, price in bound.prices.items()}
    if isinstance(bound, DistanceBound):
        document["bound"] = {"prices": prices, "distances": _table_document(bound.distances)}
    else:
        potentials = [_table_document(table) for table in bound.potentials]
        document["bound"] = {"prices": prices, "potentials": potentials}
    return document


def problem_document(problem: Collective) -> dict[str, Any]:
    """The member `problem` of a document; `read_problem` is its inverse."""
    platform = _platform_document(problem.platform)
    if isinstance(problem, Broadcast):
        return {
            "collective": "broadcast",
            "platform": platform,
            "source": problem.source,
            "ports": problem.ports,
            "restrict": problem.restrict,
        }
    if isinstance(problem, Alltoall):
        return {
            "collective": "alltoall",
            "platform": platform,
            "demands": [
                [demand.source, demand.target, to_json(demand.size)] for demand in problem.demands
            ],
            "ports": problem.ports,
        }
    size = problem.size
    return {
        "collective": "reduction",
        "platform": platform,
        "owners": list(problem.owners),
        "goals": [[k, m, node] for (k, m), node in problem.goals],
        "size": [[k, m, to_json(number)] for k, m, number in size]
        if isinstance(size, tuple)
        else to_json(size),
        "compute": [[*task, to_json(time)] for *task, time in problem.compute],
        "ports": problem.ports,
    }


def _collective_schedule_document(schedule: CollectiveSchedule | None) -> dict[str, Any] | None:
    if schedule is None:
        return None
    routes = [entry for entry in schedule.structures if isinstance(entry, WeightedRoute)]
    schemes = [entry for entry in schedule.structures if isinstance(entry, WeightedScheme)]
    document: dict[str, Any] = {
        "period": to_json(schedule.period),
        "tick": to_json(schedule.tick),
        "whole": schedule.whole,
    }
    if routes:
        document["routes"] = [
            {
                "messages": integer_document(route.messages),
                "demand": route.demand,
                "arcs": list(route.arcs),
            }
            for route in routes
        ]
    if schemes:
        document["schemes"] = [
            {
                "operations": integer_document(scheme.operations),
                "tasks": [list(task) for task in scheme.tasks],
            }
            for scheme in schemes
        ]
    document["slots"] = [
        [place, integer_document(start), integer_document(end)]
        for place, start, end in schedule.slots
    ]
    return document


def _table_document(table: Sequence[Sequence[Rational]]) -> list[list[int | str]]:
    return [[number_document(number) for number in row] for row in table]
