"""Summation on a LogP machine: lemma 5.1."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, takewhile
from math import floor

from exactsched.certificate.logp import LogPSchedule
from exactsched.instances.logp import FRACTIONAL_SUMS, LONG_SUMS, WHOLE_SUMS, Sum
from exactsched.logp.summation import operand_numbers, summation_of, summation_within
from exactsched.model.machine import LogP
from exactsched.oracles.logp import labels_by_definition
from exactsched.oracles.logp_sums import most_operands_of_trees, tick_of
from exactsched.simulation.logp import simulate_logp
from exactsched.theorems.claim import Say, claim

_PLAYED = 6000  # operands of a schedule
_ALL_TREES = 5  # processors, of all trees of receptions
_LONG = 40  # ticks of such trees


def _most_of_labels(machine: LogP, end: Fraction) -> int:
    """1 + the sum of all S_i - o, where a processor of the universal tree sends at S_i > o."""
    delay, gap = machine.delay + 1, max(machine.g, machine.o + 1)
    last = end - machine.o
    labels = islice(labels_by_definition(delay, gap), 1, machine.P)
    return 1 + floor(end + sum(last - x for x in takewhile(lambda x: x < last, labels)))


def _refuse_unless_played(stated: LogPSchedule, say: Say) -> None:
    """The operands are those of the machine that runs the schedule, and in the order stated."""
    if stated.count > _PLAYED:
        return
    numbers = {
        (processor, place): number
        for processor, ranges in operand_numbers(stated).items()
        for place, number in enumerate(number for several in ranges for number in several)
    }
    played = simulate_logp(stated, values=lambda p, i: (numbers[p, i],))
    same = len(played.operands) == stated.count
    say.require(same, "played, it adds another number of operands")
    ordered = played.results[0] == tuple(range(stated.count))
    say.require(ordered, "the sum is not that of the operands in their order")


def _refuse_parts(machine: LogP, say: Say) -> None:
    if tick_of(machine) != 1:
        say.not_applicable("L, o and g are whole numbers")


@claim(
    "karp1993.lemma5.1",
    number="lemma 5.1",
    status="corrected",
    instances=WHOLE_SUMS,
    page="logp-summation",
    implements=("exactsched/logp/summation.py",),
    judged="`check`; `simulate_logp`, in order; labels one by one; all trees of 5 processors or"
    " fewer",
    corrects="karp1993.lemma5.1.printed",
)
def added(asked: Sum, say: Say) -> None:
    """L, o, g whole, D' = L + 2 o + 1, G' = max(g, o + 1). Of the universal tree with first
    children D' and siblings G' later, l_1 <= l_2 <= ... are the labels. The most operands that are
    added within t are S_1 + ... + S_p - o (p-1) + 1, where S_i = floor(t) - l_i, and the first p
    processors take part, those with S_i > o. They are added in their order.
    """
    machine = asked.machine
    _refuse_parts(machine, say)
    stated, steps = summation_within(machine, asked.time), floor(asked.time)
    say.accepts(stated)
    # A lazy algorithm: the sends S_i, and what is added at each processor.
    ends = [*(start * stated.tick for *_, start in stated.messages), stated.time]
    say(operands=stated.count, processors=len(ends), time=steps)
    right = stated.count == sum(ends) - machine.o * (len(ends) - 1) + 1
    say.require(right, "not sum S_i - o (p - 1) + 1 operands")
    right = steps - 1 < stated.time <= steps or stated.count == 1
    say.require(right, "the time is not the least for this number of operands")
    most = _most_of_labels(machine, Fraction(steps))
    right = stated.count == stated.bound == most
    say.require(right, f"not {most} operands, as the labels allow")
    if machine.P <= _ALL_TREES and steps <= _LONG:
        best = most_operands_of_trees(machine, steps)
        say.require(most == best, "a tree of receptions adds more, or none as many")
    again = summation_of(machine, stated.count)
    say.accepts(again)
    same = again.time == stated.time and again.count == stated.count
    say.require(same, "this number of operands takes another time at least")
    _refuse_unless_played(stated, say)


@claim(
    "karp1993.lemma5.1.printed",
    number="lemma 5.1",
    instances=LONG_SUMS,
    page="logp-summation",
    judged="`simulate_logp` counts the operands of a lazy algorithm",
    counterexample=lambda: Sum(LogP(1, 1, 2, 1), 1),
)
def added_as_printed(asked: Sum, say: Say) -> None:
    """A lazy summation algorithm whose P processors send at S_1 <= ... <= S_P = t adds
    S_1 + ... + S_P - o P + 1 operands.
    """
    machine, steps = asked.machine, floor(asked.time)
    _refuse_parts(machine, say)
    if machine.g < machine.o + 1:
        say.not_applicable("for g < o + 1 receptions overlap additions as printed")
    # Its receptions start at S - (o + 1) - (k - j) g.
    stated = summation_within(machine, steps)
    if len(stated.messages) + 1 < machine.P or stated.time != steps:
        say.not_applicable("not all processors take part")
    ends = [*(start for *_, start in stated.messages), steps]
    printed = sum(ends) - machine.o * machine.P + 1
    operands = len(simulate_logp(stated).operands)
    say(operands=operands, printed=printed, sends=sum(ends))
    say.require(operands == printed, f"it adds {operands} operands, and not {printed}")


@claim(
    "karp1993.lemma5.1.fractions",
    number="lemma 5.1, for rational parameters",
    reference="proofs/logp-summation.md, statements 1 and 5 to 8",
    status="new",
    instances=FRACTIONAL_SUMS,
    page="logp-summation",
    implements=("exactsched/logp/summation.py", "exactsched/logp/lagrangian_receptions.py"),
    judged="`check`; `simulate_logp`, in order; all trees of at most 5 processors",
)
def added_in_fractions(asked: Sum, say: Say) -> None:
    """For rational L, o, g and t no algorithm adds more operands within t than n*(t), the least
    over whole prices z of 1 + z (P-1) + V(z), V(z) the most additions in a tree of receptions less
    z for every message. If max(g, o + 1) - o is whole, as many are added, in the least time.
    """
    machine, time = asked.machine, Fraction(asked.time)
    stated = summation_within(machine, asked.time)
    say.accepts(stated)
    unit = tick_of(machine)
    say(operands=stated.count, bound=int(stated.bound), unit=unit.denominator)
    right = stated.time <= time and stated.count <= stated.bound
    say.require(right, "it takes more time, or adds more than any algorithm")
    # The integral bound of statement 1, which additions that are not interrupted may not reach.
    end = Fraction(stated.time)  # which may be less than the time given
    most = _most_of_labels(machine, end)
    say.require(stated.bound <= most, "a bound above that of processors that are never idle")
    exact = (max(machine.g, machine.o + 1) - machine.o).denominator == 1
    reached = stated.count == stated.bound and stated.optimal
    say.require(reached or not exact, "G' - o is whole, and the bound is not reached")
    again = summation_of(machine, stated.count)
    say.accepts(again)
    slow = stated.time != again.time and max(stated, again, key=lambda one: one.time).optimal
    say.require(not slow, "as many are added in less than an optimal time")
    if machine.P <= _ALL_TREES and time / unit <= _LONG:
        best, later = (most_operands_of_trees(machine, t) for t in (end, time))
        say(all=later)
        right = stated.count <= best <= stated.bound
        say.require(right, "more operands than any tree, or a bound that is too low")
        say.require(later == stated.count or not exact, "G' - o is whole, and a tree adds more")
    _refuse_unless_played(stated, say)
