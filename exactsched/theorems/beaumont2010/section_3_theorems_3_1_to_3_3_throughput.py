"""Throughput on given arcs: short rates, few trees, and a mixed integer program (section III)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

from exactsched.exact.rational import Rational
from exactsched.graphs.arborescence_decomposition import decompose_into_arborescences
from exactsched.instances.instance_type import Bounds
from exactsched.instances.overlays import (
    FLOWS,
    NARROW_MACHINES,
    WHOLE_ATTEMPTS,
    Attempt,
    Flows,
)
from exactsched.model.machine import MultiPort
from exactsched.oracles.branchings import spans
from exactsched.oracles.linear_programs import THROUGHPUT, ThroughputProgram
from exactsched.oracles.overlay import (
    Arc,
    best_on,
    best_throughput,
    count_of_supports,
    least_cut,
    overlay_fault,
    rates_of,
    receivers,
    supports,
    within,
)
from exactsched.oracles.simplex import simplex_optimum
from exactsched.overlay.bounds import throughput_bound
from exactsched.overlay.rate import BestRates, best_rates
from exactsched.overlay.shares import overlay_of_rates, overlay_trees
from exactsched.steady_state.arborescence_packing import ArborescencePacking, pack_arborescences
from exactsched.theorems.claim import Say, claim

_FOLLOWED = 60  # ranges of parts
_SUPPORTS = 60  # sets of arcs that are tried
_ARCS = 6  # of a program that is solved


@claim(
    "beaumont2010.thm3.1",
    number="theorem 3.1",
    status="sharpened",
    instances=WHOLE_ATTEMPTS,
    page="overlay-model",
    implements=(
        "exactsched/overlay/rate.py",
        "exactsched/steady_state/arborescence_packing.py",
    ),
    judged="`check`; bandwidths, cuts and prices by definition",
)
def short_rates(asked: Attempt, say: Say) -> None:
    """On given arcs, with integer bandwidths, the best throughput T is reached by rates which, like
    T, are integers divided by one number of at most (n + 1)^(n + 2). That all cuts are T at least
    is a short witness for BCASTFLOWS. Nobody can do more: prices of the bandwidths, all of them
    worth T, pay for cuts of total weight 1.
    """
    machine, size = asked.machine, asked.machine.size
    _refuse_fractions(machine, say)
    if not within(machine, asked.arcs):
        say.not_applicable("the arcs are not within the degrees")
    best = best_rates(machine, asked.arcs)
    value = Fraction(best.throughput)
    divisor = lcm(*(Fraction(x).denominator for x in (value, *best.rates.values())))
    say(nodes=size - 1, value=value, divisor=divisor)
    _refuse_unless_sent(machine, asked.arcs, best, say)
    say.require(divisor <= size ** (size + 1), "the numbers are longer than (n + 1)^(n + 2)")
    _refuse_unless_priced(machine, asked.arcs, best, say)
    bound = throughput_bound(machine)
    say.require(value <= bound, "more than the bound by counting")
    proved = say.accepts(overlay_of_rates(machine, "any", best.rates, value, bound))
    say.require(proved.throughput == value, "the overlay of these rates has another throughput")
    say(cuts=len(best.cuts))


def _refuse_fractions(machine: MultiPort, say: Say) -> None:
    if any(x.denominator > 1 for x in (*machine.bandwidths, *machine.incoming)):
        say.not_applicable("bandwidths are integers")


def _refuse_unless_sent(machine: MultiPort, arcs: Sequence[Arc], best: BestRates, say: Say) -> None:
    out = [Fraction(0)] * machine.size
    for arc, rate in best.rates.items():
        say.require(arc in arcs and rate >= 0, "rates on other arcs, or negative ones")
        out[arc[0]] += rate
    for sent, bandwidth in zip(out, machine.bandwidths, strict=True):
        say.require(sent <= bandwidth, "a node sends too much")
    for limit in machine.incoming[1:]:
        say.require(best.throughput <= limit, "a node receives too much")
    say.require(least_cut(machine.size, best.rates) >= best.throughput, "a cut is too small")


def _refuse_unless_priced(
    machine: MultiPort, arcs: Sequence[Arc], best: BestRates, say: Say
) -> None:
    """The prices of all bandwidths are T, and cuts of total weight 1 cost no more."""
    limits = {"send": machine.bandwidths, "incoming": machine.incoming}
    worth = sum(price * limits[kind][node] for (kind, node), price in best.prices.items())
    say.require(worth == best.throughput, f"all bandwidths are worth {worth}")
    weights = [*best.prices.values(), *(weight for _, weight in best.cuts)]
    say.require(min(weights) >= 0, "a price or a weight is negative")
    say.require(sum(weight for _, weight in best.cuts) == 1, "the cuts do not weigh 1 together")
    good = all(inside and 0 not in inside for inside, _ in best.cuts)
    say.require(good, "a cut is empty or has the source in it")
    for i, j in arcs:
        entered = sum(weight for inside, weight in best.cuts if j in inside and i not in inside)
        price = best.prices.get(("send", i), 0) + best.prices.get(("incoming", j), 0)
        say.require(entered <= price, f"the cuts that ({i}, {j}) enters weigh more than its prices")


@claim(
    "beaumont2010.thm3.2",
    number="theorem 3.2 (|V|^3 + |E| trees)",
    status="sharpened",
    instances=FLOWS,
    page="overlay-model",
    implements=(
        "exactsched/overlay/shares.py",
        "exactsched/graphs/arborescence_decomposition.py",
        "exactsched/graphs/branching_packing.py",
    ),
    judged="`check`; the least cut of all sets; trees, loads and parts by definition",
)
def flows_are_trees(flows: Flows, say: Say) -> None:
    """Rates on m arcs of which T at least enter every nonempty set of the n nodes besides the
    source hold weighted spanning arborescences of total weight T, at most m - n + 1 of them, with
    integer weights if all rates are integers and T is the least cut. So they yield an overlay of
    throughput T on the same arcs, in which everybody receives exactly T; and its rates are such
    rates again.
    """
    size, rates = flows.size, dict(zip(flows.arcs, flows.rates, strict=True))
    if not 0 <= flows.part <= 1 or len(rates) < len(flows.arcs):
        say.not_applicable("an arc is there twice, or more is wanted than there is")
    most = least_cut(size, rates)
    used = sum(rate > 0 for rate in flows.rates)
    say({"nodes": size - 1, "arcs": used, "least cut": most})
    found = decompose_into_arborescences(size, 0, flows.arcs, flows.rates)
    say(trees=len(found.trees))
    say.accepts(found)
    say.require(found.value == most, "the trees do not weigh as much as the least cut")
    loads: Counter[int] = Counter()
    for weight, tree in found.trees:
        say.require(spans(size, [0], [flows.arcs[k] for k in tree]), "one is no arborescence")
        loads.update(dict.fromkeys(tree, weight))
    for k, load in loads.items():
        say.require(load <= flows.rates[k], "the trees need more than the rates")
    few = not most or len(found.trees) <= min(used - size + 2, size**3 + used)
    say.require(few, "more than m - n + 1 trees")
    if all(type(rate) is int for rate in flows.rates):
        whole = all(type(weight) is int for weight, _ in found.trees)
        say.require(whole, "integer rates, but weights that are no integers")
    _refuse_unless_carried(size, rates, most * flows.part, say)


def _refuse_unless_carried(
    size: int, rates: dict[Arc, Rational], wanted: Rational, say: Say
) -> None:
    """An overlay of these rates, and its trees."""
    out = [sum(rate for (i, _), rate in rates.items() if i == node) for node in range(size)]
    machine = MultiPort(out, [size] * size)
    overlay = overlay_of_rates(machine, "any", rates, wanted, throughput_bound(machine))
    say.require(say.accepts(overlay).throughput == wanted, "the overlay has another throughput")
    fault = overlay_fault(overlay, _FOLLOWED)
    say.require(not fault, fault)
    sent = rates_of(overlay)
    say.require(all(rate <= rates[arc] for arc, rate in sent.items()), "it sends more than rates")
    into = {sum(rate for (_, j), rate in sent.items() if j == node) for node in range(1, size)}
    say.require(into == {wanted}, "somebody receives more or less than T")
    if wanted:
        again = overlay_trees(overlay)
        say.accepts(again)
        few = again.value == wanted and len(again.trees) <= len(sent) - size + 2
        say.require(few, "the overlay is not a sum of m - n + 1 trees")
    say(parts=overlay.parts)


@claim(
    "beaumont2010.thm3.3",
    number="theorem 3.3 (n^3 + n^2 trees)",
    status="sharpened",
    instances=WHOLE_ATTEMPTS,
    page="overlay-model",
    implements=(
        "exactsched/steady_state/arborescence_packing.py",
        "exactsched/overlay/rate.py",
    ),
    judged="trees, weights and loads by definition",
)
def few_trees(asked: Attempt, say: Say) -> None:
    """On given arcs, with integer bandwidths, the best throughput is the weight of at most n + 2
    spanning arborescences (n + 1 without incoming bandwidths), within the bandwidths, whose weights
    are integers divided by one number of at most (n + 1)^(n + 2): a short witness for BCASTTREES.
    """
    machine, size = asked.machine, asked.machine.size
    _refuse_fractions(machine, say)
    value = Fraction(best_rates(machine, asked.arcs).throughput)
    say(nodes=size - 1, value=value)
    useful = [(i, j) for i, j in asked.arcs if machine.bandwidths[i]]
    if not _comes_to_all(machine, useful):
        say.require(value == 0, "something comes to nobody")
        return
    packing = _packing(machine, useful)
    trees = [([useful[k] for k in tree], weight) for tree, weight in packing.trees]
    divisor = lcm(*(weight.denominator for _, weight in trees))
    say(trees=len(trees), divisor=divisor)
    total = sum(weight for _, weight in trees)
    say.require(packing.value == total == value, "the trees do not weigh as much as the best rates")
    loads = [Fraction(0)] * size
    for tree, weight in trees:
        say.require(weight > 0 and spans(size, [0], tree), "one of them is no arborescence")
        for i, _ in tree:
            loads[i] += weight
    for load, most in zip(loads, machine.bandwidths, strict=True):
        say.require(load <= most, "a node sends too much")
    for limit in machine.incoming[1:]:
        say.require(value <= limit, "a node receives too much")
    say.require(len(trees) <= size + bool(machine.incoming), "more than n + 2 trees")
    say.require(divisor <= size ** (size + 1), "the numbers are longer than (n + 1)^(n + 2)")


def _comes_to_all(machine: MultiPort, arcs: Sequence[Arc]) -> bool:
    reached = {0}
    for _ in machine.bandwidths:
        reached |= {j for i, j in arcs if i in reached}
    return len(reached) == machine.size and 0 not in machine.incoming[1:]


def _packing(machine: MultiPort, arcs: Sequence[Arc]) -> ArborescencePacking:
    """A packing with a resource for each sender, and one for the least incoming bandwidth."""
    senders = sorted({i for i, _ in arcs})
    capacities = [int(machine.bandwidths[i]) for i in senders]
    uses: list[tuple[int, ...]] = [(senders.index(i),) for i, _ in arcs]
    if machine.incoming:
        slow = min(range(1, machine.size), key=lambda node: machine.incoming[node])
        capacities.append(int(machine.incoming[slow]))
        for k, (_, j) in enumerate(arcs):
            uses[k] += (len(senders),) * (j == slow)
    return pack_arborescences(machine.size, 0, arcs, [1] * len(arcs), uses, capacities)


@claim(
    "beaumont2010.milp",
    number="section III-A",
    status="corrected",
    instances=NARROW_MACHINES,
    page="overlay-model",
    implements=(
        "exactsched/overlay/exact.py",
        "exactsched/overlay/scip_model.py",
        "exactsched/overlay/cases.py",
        "exactsched/overlay/rate.py",
    ),
    judged="`check`; the program, row by row; the best rates on all sets of few arcs",
    corrects="beaumont2010.milp.printed",
)
def program(machine: MultiPort, say: Say) -> None:
    """The mixed integer program with sum_i c(j, i) <= b_j, f_k <= c and c(j, i) <= b_j delta(j, i)
    has the best throughput within the degrees as its optimum. On the arcs with delta = 1 that is
    the best packing of arborescences. The search finds it, with a proof by counting or by cases.
    """
    from exactsched.overlay.exact import optimal_overlay

    if machine.incoming:
        say.not_applicable("the program has no incoming bandwidths")
    overlay = optimal_overlay(machine)
    value = overlay.throughput
    say(throughput=value, proof="by cases" if overlay.proof else "by counting")
    proved = say.accepts(overlay)
    say.require(proved.optimal and proved.bound == value, "it is not proved that it is the optimum")
    fault = overlay_fault(overlay, _FOLLOWED)
    say.require(not fault, fault)
    few = all(used <= most for used, most in zip(receivers(overlay), machine.degrees, strict=True))
    say.require(few, "somebody has too many receivers")
    arcs = tuple(rates_of(overlay))
    say.require(best_rates(machine, arcs).throughput == value, "on its arcs more is possible")
    if len(arcs) <= _ARCS:
        same = program_optimum(machine, arcs) == best_on(machine, arcs)[0] == value
        say.require(same, "on its arcs the program has another optimum")
    if count_of_supports(machine) <= _SUPPORTS:
        say(best=best_throughput(machine))
        same = best_throughput(machine) == value
        say.require(same, "the best of all sets of arcs is another one")


@claim(
    "beaumont2010.milp.printed",
    number="section III-A",
    instances=NARROW_MACHINES,
    bounds=Bounds(2, 2, 3),
    page="overlay-model",
    judged="the program as printed, and the best rates, on all sets of arcs",
    # The source has to send everything twice: 1/2, as printed 1.
    counterexample=lambda: MultiPort([1, 0, 0], [2, 0, 0]),
)
def program_as_printed(machine: MultiPort, say: Say) -> None:
    """The mixed integer program with f_k(j, i) <= c(j, i), sum_i f_k(j, i) <= b_j for every k,
    f_k(j, i) <= delta(j, i) in {0, 1} and sum_i delta(j, i) <= d_j has the best throughput within
    the degrees as its optimum (arcs back to the source are not bounded).
    """
    if machine.incoming or machine.arcs or count_of_supports(machine) > _SUPPORTS:
        say.not_applicable("there are too many choices of delta")
    printed = max(program_optimum(machine, arcs, printed=True) for arcs in supports(machine))
    best = best_throughput(machine)
    say(printed=printed, best=best)
    say.require(printed == best, "the best overlay has another throughput")


def program_optimum(machine: MultiPort, arcs: Iterable[Arc], *, printed: bool = False) -> Fraction:
    """The optimum of the program where delta is 1 on these arcs and 0 on all others.

    Variables are T, the flows f_k(a) and the capacities c(a).  What arrives at k goes back to the
    source on an arc that nothing bounds.

    >>> machine = MultiPort([1, 0, 0], [2, 0, 0])
    >>> [str(program_optimum(machine, [(0, 1), (0, 2)], printed=flag)) for flag in (True, False)]
    ['1', '1/2']
    """
    listed, program = list(arcs), ThroughputProgram()
    capacity = {arc: program.variable() for arc in listed}

    def keep_bandwidths(amounts: dict[Arc, int]) -> None:
        for node, bandwidth in enumerate(machine.bandwidths):
            program.at_most({amounts[arc]: 1 for arc in listed if arc[0] == node}, bandwidth)

    for k in range(1, machine.size):
        flow = {arc: program.variable() for arc in listed}
        for node in range(1, machine.size):
            row = {flow[arc]: 1 for arc in listed if arc[1] == node}
            row |= {flow[arc]: -1 for arc in listed if arc[0] == node}
            program.equation(row | ({THROUGHPUT: -1} if node == k else {}))
        for arc in listed:
            program.at_most({flow[arc]: 1, capacity[arc]: -1}, 0)
            if printed:
                program.at_most({flow[arc]: 1}, 1)
        if printed:
            keep_bandwidths(flow)
    if not printed:
        keep_bandwidths(capacity)
    return simplex_optimum(program.stated())
