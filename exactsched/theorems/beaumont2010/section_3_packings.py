"""Rates that send enough into every set of nodes are sums of trees: theorem 3.2."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactsched.check import check
from exactsched.exact.rational import Rational, to_json
from exactsched.graphs.arborescence_decomposition import decompose_into_arborescences
from exactsched.instances.choices import Choices
from exactsched.model.machine import MultiPort
from exactsched.oracles.branchings import spans
from exactsched.oracles.overlay import PAPER, Arc, least_cut, misses, rates_of
from exactsched.overlay.bounds import throughput_bound
from exactsched.overlay.shares import overlay_of_rates, overlay_trees
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted


@dataclass(frozen=True, slots=True)
class Flows:
    """Rates on arcs that leave node 0 and enter it never, and a part of what they can send."""

    size: int
    arcs: tuple[tuple[int, int], ...]
    rates: tuple[Rational, ...]
    part: Fraction


def _cut_into_trees(flows: Flows) -> Verdict:
    size, part = flows.size, flows.part
    rates = dict(zip(flows.arcs, flows.rates, strict=True))
    if not 0 <= part <= 1 or len(rates) < len(flows.arcs):
        return not_applicable("an arc is there twice, or more is wanted than there is")
    most = least_cut(size, rates)
    used = sum(rate > 0 for rate in flows.rates)
    facts: dict[str, Any] = {"nodes": size - 1, "arcs": used, "least cut": to_json(most)}
    found = decompose_into_arborescences(size, 0, flows.arcs, flows.rates)
    facts["trees"] = len(found.trees)
    if check(found).value != most:
        return refuted("the trees do not weigh as much as the least cut", **facts)
    loads: Counter[int] = Counter()
    for weight, tree in found.trees:
        if not spans(size, [0], [flows.arcs[k] for k in tree]):
            return refuted("one of the trees is none", **facts)
        loads.update(dict.fromkeys(tree, weight))
    if any(load > flows.rates[k] for k, load in loads.items()):
        return refuted("the trees need more than the rates", **facts)
    if most and len(found.trees) > min(used - size + 2, size**3 + used):
        return refuted("more than m - n + 1 trees", **facts)
    if all(type(rate) is int for rate in flows.rates) and any(
        type(weight) is not int for weight, _ in found.trees
    ):
        return refuted("integer rates, but weights that are none", **facts)
    return _carried(flows, rates, most * part, facts)


def _carried(
    flows: Flows, rates: dict[Arc, Rational], wanted: Rational, facts: dict[str, Any]
) -> Verdict:
    """An overlay of these rates, and its trees."""
    size = flows.size
    out = [sum(rate for (i, _), rate in rates.items() if i == node) for node in range(size)]
    machine = MultiPort(out, [size] * size)
    overlay = overlay_of_rates(machine, "any", rates, wanted, throughput_bound(machine))
    if check(overlay).throughput != wanted:
        return refuted("the overlay has another throughput", **facts)
    if reason := misses(overlay):
        return refuted(reason, **facts)
    sent = rates_of(overlay)
    if any(rate > rates[arc] for arc, rate in sent.items()):
        return refuted("the overlay sends more than the rates", **facts)
    into = [sum(rate for (_, j), rate in sent.items() if j == node) for node in range(1, size)]
    if {*into} != {wanted}:
        return refuted("somebody receives more or less than T", **facts)
    if wanted:
        again = overlay_trees(overlay)
        if check(again).value != wanted or len(again.trees) > len(sent) - size + 2:
            return refuted("the overlay is not a sum of m - n + 1 trees", **facts)
    return held(**facts, parts=overlay.parts)


def _flows(choices: Choices, bound: int) -> Flows:
    """Mostly weighted trees and something to spare; or anything."""
    size = choices.between(2, max(2, bound))
    whole = choices.flip()
    rates: dict[Arc, Rational] = {}

    def weight() -> Rational:
        if choices.flip(12):
            return 10**30 + choices.below(3)
        return choices.below(7) if whole else choices.fraction(9, (1, 2, 3))

    for _ in range(choices.between(1, 4)):
        amount, reached = weight(), [0]
        for node in choices.shuffled(range(1, size)):
            arc = (choices.one_of(reached), node)
            rates[arc] = rates.get(arc, 0) + amount
            reached.append(node)
    for _ in range(choices.below(size)):
        head = choices.between(1, size - 1)
        tail = choices.one_of([node for node in range(size) if node != head])
        rates[tail, head] = rates.get((tail, head), 0) + weight()
    if choices.flip(4):
        del rates[choices.one_of(sorted(rates))]
    part = Fraction(choices.below(6), 5) if choices.flip() else Fraction(1)
    numbers = [n if type(n) is int or n.denominator > 1 else int(n) for n in rates.values()]
    return Flows(size, tuple(rates), tuple(numbers), part)


CLAIMS = (
    Claim(
        id="beaumont2010.thm3.2",
        statement=(
            "Rates on m arcs of which T at least enter every nonempty set of the n nodes besides"
            " the source hold weighted spanning arborescences of total weight T, at most m - n + 1"
            " of them, with integer weights if all rates are integers and T is the least cut. So"
            " they yield an overlay of throughput T on the same arcs, in which everybody receives"
            " exactly T; and its rates are such rates again."
        ),
        reference=f"{PAPER}, theorem 3.2 (|V|^3 + |E| trees)",
        status="sharpened",
        page="overlay-model",
        implemented=(
            "exactsched/overlay/shares.py",
            "exactsched/graphs/arborescence_decomposition.py",
            "exactsched/graphs/branching_packing.py",
        ),
        checked_by="`check`; the least cut of all sets; trees, loads and parts by definition",
        instance_type=Flows,
        instance=_flows,
        check=_cut_into_trees,
        bounds=Bounds(5, 9, 25),
        corners=lambda: (
            Flows(2, ((0, 1),), (0,), Fraction(1)),
            Flows(2, ((0, 1),), (Fraction(1, 3),), Fraction(1, 2)),
            Flows(3, ((0, 1), (0, 2), (1, 2), (2, 1)), (1, 1, 1, 1), Fraction(1)),
            Flows(3, ((1, 2), (2, 1)), (5, 5), Fraction(1)),
            Flows(4, ((0, 1), (1, 2), (2, 3), (3, 2)), (10**40, 10**40, 1, 0), Fraction(0)),
        ),
    ),
)
