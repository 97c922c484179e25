"""From the nouns of a certificate to its document."""

from __future__ import annotations

from typing import Any

from exactsched.certificate.limits import FORMAT, LARGEST_JSON_INTEGER, VERSION
from exactsched.certificate.minmax import MinMax
from exactsched.certificate.nouns import (
    Bound,
    BroadcastCertificate,
    Certificate,
    EnterBranching,
    Leaf,
    PeriodicSchedule,
    RunCertificate,
    SeriesCertificate,
)
from exactsched.certificate.theorems import KIND_OF, write_fields
from exactsched.rational import to_json


def to_document(certificate: Certificate | MinMax) -> dict[str, Any]:
    """The document that states a certificate; `parse` is its inverse."""
    if isinstance(certificate, (SeriesCertificate, RunCertificate)):
        return _schedule_certificate_document(certificate)
    kind = KIND_OF[type(certificate)]
    return {"format": FORMAT, "version": VERSION, "kind": kind, **write_fields(certificate)}


def _schedule_certificate_document(certificate: BroadcastCertificate) -> dict[str, Any]:
    problem = certificate.problem
    asked: dict[str, Any] = {
        "collective": "broadcast",
        "platform": {
            "nodes": list(problem.platform.nodes),
            "arcs": [
                [arc.tail, arc.head, to_json(arc.cost)]
                + ([to_json(arc.latency)] if arc.latency else [])
                for arc in problem.platform.arcs
            ],
        },
        "source": problem.source,
        "ports": problem.ports,
        "restrict": problem.restrict,
    }
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
                [arc, packet, _integer_document(start), _integer_document(end)]
                for arc, packet, start, end in certificate.transfers
            ],
        }
    document["bound"] = _bound_document(certificate.bound)
    return document


def _integer_document(value: int) -> int | str:
    # Most slots are small: the way through `Fraction` would cost a second for each million.
    return value if abs(value) <= LARGEST_JSON_INTEGER else to_json(value)


def _schedule_document(schedule: PeriodicSchedule | None) -> dict[str, Any] | None:
    if schedule is None:
        return None
    return {
        "period": to_json(schedule.period),
        "tick": to_json(schedule.tick),
        "whole": schedule.whole,
        "trees": [
            {"messages": _integer_document(tree.messages), "arcs": list(tree.arcs)}
            for tree in schedule.trees
        ],
        "slots": [
            [arc, _integer_document(start), _integer_document(end)]
            for arc, start, end in schedule.slots
        ],
    }


def _bound_document(bound: Bound) -> dict[str, Any]:
    """Filled from the root without recursion, as it is read."""
    document: dict[str, Any] = {}
    pending: list[tuple[Bound, dict[str, Any]]] = [(bound, document)]
    while pending:
        stated, target = pending.pop()
        if isinstance(stated, Leaf):
            target["prices"] = {name: to_json(price) for name, price in stated.prices.items()}
            target["order"] = list(stated.order)
            target["cuts"] = [[a, b, to_json(weight)] for a, b, weight in stated.cuts]
            if stated.startup_cuts:
                target["startup_cuts"] = [[a, b, to_json(w)] for a, b, w in stated.startup_cuts]
            continue
        if isinstance(stated, EnterBranching):
            target["enter"] = stated.node
        else:
            target["cycle"] = list(stated.cycle)
        target["cases"] = []
        for case in stated.cases:
            inner: dict[str, Any] = {}
            target["cases"].append({"without": list(case.without), "bound": inner})
            pending.append((case.bound, inner))
    return document
