"""The bound of a certificate explained in words."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from exactsched.certificate.collectives import (
    Bound,
    Certificate,
    CutBound,
    DistanceBound,
    PotentialBound,
    Run,
    Series,
    SplitOnCycle,
    SplitOnNode,
)
from exactsched.drawing.lettering import counted, listed, printable, short
from exactsched.drawing.wording import arc_name, demand_name, goal_charges, out_of_reach
from exactsched.exact.rational import Rational
from exactsched.model.problem import Alltoall, Broadcast, Collective, Reduction

_DIGITS = 40


def bound_in_words(certificate: Certificate) -> list[str]:
    """Why no schedule does better, a paragraph for each step."""
    value = short(certificate.bound, _DIGITS)
    if isinstance(certificate.proof, (DistanceBound, PotentialBound)):
        return _charged(certificate, certificate.proof, value)
    if isinstance(certificate.proof, CutBound):
        return _leaf(certificate, certificate.proof, value)
    if isinstance(certificate.proof, SplitOnNode):
        node = printable(certificate.proof.node)
        cases = f"A tree enters {node} by exactly one arc, so one of {_cases(certificate.proof)}"
    else:
        arcs = certificate.problem.platform.arcs
        cycle = ", ".join(arc_name(arcs[arc]) for arc in certificate.proof.cycle[:8])
        cases = (
            f"An acyclic set of arcs misses at least one arc of the cycle {cycle}, so one of"
            f" {_cases(certificate.proof)}"
        )
    return [
        f"{cases} must hold. In each case some arcs are excluded and ports have prices, which bound"
        f" the throughput; the largest of these bounds is {value} per time unit."
    ]


def _cases(bound: Bound) -> str:
    waiting: list[Bound] = [bound]
    leaves = 0
    while waiting:
        one = waiting.pop()
        if isinstance(one, CutBound):
            leaves += 1
        elif isinstance(one, (SplitOnNode, SplitOnCycle)):
            waiting.extend(case.proof for case in one.cases)
    return counted(leaves, "case")


def _leaf(certificate: Series | Run, leaf: CutBound, value: str) -> list[str]:
    problem = certificate.problem
    prices = {name: price for name, price in leaf.prices.items() if price}
    sets = [leaf.order[start:stop] for start, stop, _ in leaf.cuts]
    if not prices and not leaf.odd_sets:
        who = listed(sets[0]) if sets else "them"
        return [
            f"No arc enters {who} from outside, so no message ever arrives there: throughput 0."
        ]
    total = sum(prices.values(), Fraction(0))
    total += sum((len(nodes) // 2 * price for nodes, price in leaf.odd_sets), Fraction(0))
    weight = sum((weight for _, _, weight in leaf.cuts), Fraction(0))
    if len(sets) == 1:
        entered = f"every message must enter the set {listed(sets[0])} at least once"
    else:
        some = "; ".join(listed(nodes, 8) for nodes in sets[:4])
        entered = (
            f"every message must enter each of {counted(len(sets), 'set')} of nodes at least once:"
            f" {some}" + ("; \u2026" if len(sets) > 4 else "")
        )
    charged = (
        f"{_prices(problem, prices)}{_odd_sets(leaf)} Charge each transfer its time at these"
        f" prices. Whatever the"
        f" schedule, {entered}; the entering transfers of one message"
        f" of size 1 are charged at least W = {short(weight, 30)} in total."
    )
    at_most = f"The ports together can be charged at most Y = {short(total, 30)} per time unit"
    if isinstance(certificate, Run):
        size = certificate.volume
        startup = sum((weight for _, _, weight in leaf.startup_cuts), Fraction(0))
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


def _odd_sets(leaf: CutBound) -> str:
    if not leaf.odd_sets:
        return ""
    dearest = sorted(leaf.odd_sets, key=lambda item: -item[1])
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
    if side == "link":
        return f"the link {arc_name(problem.platform.arcs[int(which)])}"
    return f"{side}:{printable(which, 40)}"


def _charged(
    certificate: Series | Run, bound: DistanceBound | PotentialBound, value: str
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
