"""Overlays are in NP: short rates and few trees on given arcs, theorems 3.1 and 3.3."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from exactsched.check import check
from exactsched.exact.rational import to_json
from exactsched.instances.choices import Choices
from exactsched.model.machine import MultiPort
from exactsched.oracles.branchings import spans
from exactsched.oracles.overlay import PAPER, Arc, Attempt, attempt, least_cut, within
from exactsched.overlay.bounds import throughput_bound
from exactsched.overlay.rate import BestRates, best_rates
from exactsched.overlay.shares import overlay_of_rates
from exactsched.steady_state.arborescence_packing import pack_arborescences
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted


def _witness(asked: Attempt) -> Verdict:
    """Theorem 3.1: rates that are short, and prices that show that none are better."""
    machine, size = asked.machine, asked.machine.size
    if any(x.denominator > 1 for x in (*machine.bandwidths, *machine.incoming)):
        return not_applicable("bandwidths are integers")
    if not within(machine, asked.arcs):
        return not_applicable("the arcs are not within the degrees")
    best = best_rates(machine, asked.arcs)
    value = Fraction(best.throughput)
    divisor = lcm(*(Fraction(x).denominator for x in (value, *best.rates.values())))
    facts: dict[str, Any] = {"nodes": size - 1, "value": to_json(value), "divisor": divisor}
    if reason := _not_sent(machine, asked.arcs, best):
        return refuted(reason, **facts)
    if divisor > size ** (size + 1):
        return refuted("the numbers are longer than (n + 1)^(n + 2)", **facts)
    if reason := _not_priced(machine, asked.arcs, best):
        return refuted(reason, **facts)
    bound = throughput_bound(machine)
    if value > bound:
        return refuted("more than the bound by counting", **facts)
    overlay = overlay_of_rates(machine, "any", best.rates, value, bound)
    if check(overlay).throughput != value:
        return refuted("the overlay of these rates has another throughput", **facts)
    return held(**facts, cuts=len(best.cuts))


def _not_sent(machine: MultiPort, arcs: Sequence[Arc], best: BestRates) -> str:
    out = [Fraction(0)] * machine.size
    for (i, _), rate in best.rates.items():
        out[i] += rate
    if not {*best.rates} <= {*arcs} or any(rate < 0 for rate in best.rates.values()):
        return "rates on other arcs, or negative ones"
    if any(out[i] > bandwidth for i, bandwidth in enumerate(machine.bandwidths)):
        return "a node sends too much"
    if any(best.throughput > limit for limit in machine.incoming[1:]):
        return "a node receives too much"
    return "" if least_cut(machine.size, best.rates) >= best.throughput else "a cut is too small"


def _not_priced(machine: MultiPort, arcs: Sequence[Arc], best: BestRates) -> str:
    """Statement 3: the prices of all bandwidths are T, and cuts of total weight 1 cost no more."""
    limits = {"send": machine.bandwidths, "incoming": machine.incoming}
    worth = sum(price * limits[kind][node] for (kind, node), price in best.prices.items())
    if worth != best.throughput or any(price < 0 for price in best.prices.values()):
        return f"all bandwidths are worth {worth}"
    if sum(weight for _, weight in best.cuts) != 1 or any(w < 0 for _, w in best.cuts):
        return "the weights of the cuts are not 1 in all"
    if any(not inside or 0 in inside for inside, _ in best.cuts):
        return "a cut is none"
    for i, j in arcs:
        entered = sum(weight for inside, weight in best.cuts if j in inside and i not in inside)
        if entered > best.prices.get(("send", i), 0) + best.prices.get(("incoming", j), 0):
            return f"the cuts that ({i}, {j}) enters weigh more than its prices"
    return ""


def _few_trees(asked: Attempt) -> Verdict:
    """Theorem 3.3: a packing of arborescences into bandwidths, the least incoming one included."""
    machine, size = asked.machine, asked.machine.size
    if any(x.denominator > 1 for x in (*machine.bandwidths, *machine.incoming)):
        return not_applicable("bandwidths are integers")
    value = Fraction(best_rates(machine, asked.arcs).throughput)
    facts: dict[str, Any] = {"nodes": size - 1, "value": to_json(value)}
    useful = [(i, j) for i, j in asked.arcs if machine.bandwidths[i]]
    reached = {0}
    for _ in machine.bandwidths:
        reached |= {j for i, j in useful if i in reached}
    if len(reached) < size or 0 in machine.incoming[1:]:
        return held(**facts) if value == 0 else refuted("something comes to nobody", **facts)
    # A row for each sender, and one for the least incoming bandwidth.
    row = {sender: place for place, sender in enumerate(sorted({i for i, _ in useful}))}
    capacities = [int(machine.bandwidths[i]) for i in row]
    uses: list[tuple[int, ...]] = [(row[i],) for i, _ in useful]
    if machine.incoming:
        slow = min(range(1, size), key=lambda node: machine.incoming[node])
        capacities.append(int(machine.incoming[slow]))
        uses = [(row[i], len(row)) if j == slow else (row[i],) for i, j in useful]
    packing = pack_arborescences(size, 0, useful, [1] * len(useful), uses, capacities)
    trees = [([useful[k] for k in tree], weight) for tree, weight in packing.trees]
    divisor = lcm(*(weight.denominator for _, weight in trees))
    facts |= {"trees": len(trees), "divisor": divisor}
    if packing.value != value or sum(weight for _, weight in trees) != value:
        return refuted("the trees do not weigh as much as the best rates", **facts)
    if not all(weight > 0 and spans(size, [0], tree) for tree, weight in trees):
        return refuted("one of them is no arborescence", **facts)
    loads = [Fraction(0)] * size
    for tree, weight in trees:
        for i, _ in tree:
            loads[i] += weight
    if any(load > most for load, most in zip(loads, machine.bandwidths, strict=True)):
        return refuted("a node sends too much", **facts)
    if any(value > limit for limit in machine.incoming[1:]):
        return refuted("a node receives too much", **facts)
    if len(trees) > size + bool(machine.incoming) or divisor > size ** (size + 1):
        return refuted("more than n + 2 trees, or longer numbers", **facts)
    return held(**facts)


def _whole(choices: Choices, bound: int) -> Attempt:
    return attempt(choices, bound, whole=True)


def _attempts() -> tuple[Attempt, ...]:
    return (
        Attempt(MultiPort([3, 1], [1, 1]), ()),
        Attempt(MultiPort([1, 0, 0], [2, 0, 0]), ((0, 1), (0, 2))),
        Attempt(MultiPort([5, 0], [1, 0]), ((0, 1),)),
        Attempt(MultiPort([2, 1, 1], [2, 1, 1]), ((0, 1), (0, 2), (1, 2), (2, 1))),
        Attempt(MultiPort([9, 9, 9], [2, 2, 2], [0, 4, 3]), ((0, 1), (1, 2), (2, 1))),
        Attempt(MultiPort([9, 9, 9], [2, 2, 2], [1, 0, 3]), ((0, 1), (1, 2))),
        Attempt(MultiPort([10**40, 10**40 - 1, 7], [2, 1, 1]), ((0, 1), (0, 2), (1, 2), (2, 1))),
    )


CLAIMS = (
    Claim(
        id="beaumont2010.thm3.1",
        statement=(
            "On given arcs, with integer bandwidths, the best throughput T is reached by rates"
            " which, like T, are integers divided by one number of at most (n + 1)^(n + 2). That"
            " all cuts are T at least is a short witness for BCASTFLOWS. Nobody can do more: prices"
            " of the bandwidths, all of them worth T, pay for cuts of total weight 1."
        ),
        reference=f"{PAPER}, theorem 3.1",
        status="sharpened",
        page="overlay-model",
        implemented=(
            "exactsched/overlay/rate.py",
            "exactsched/steady_state/arborescence_packing.py",
        ),
        checked_by="`check`; bandwidths, cuts and prices by definition",
        instance_type=Attempt,
        instance=_whole,
        check=_witness,
        bounds=Bounds(5, 10, 30),
        corners=_attempts,
    ),
    Claim(
        id="beaumont2010.thm3.3",
        statement=(
            "On given arcs, with integer bandwidths, the best throughput is the weight of at most"
            " n + 2 spanning arborescences (n + 1 without incoming bandwidths), within the"
            " bandwidths, whose weights are integers divided by one number of at most"
            " (n + 1)^(n + 2): a short witness for BCASTTREES."
        ),
        reference=f"{PAPER}, theorem 3.3 (n^3 + n^2 trees)",
        status="sharpened",
        page="overlay-model",
        implemented=(
            "exactsched/steady_state/arborescence_packing.py",
            "exactsched/overlay/rate.py",
        ),
        checked_by="trees, weights and loads by definition",
        instance_type=Attempt,
        instance=_whole,
        check=_few_trees,
        bounds=Bounds(5, 10, 30),
        corners=_attempts,
    ),
)
