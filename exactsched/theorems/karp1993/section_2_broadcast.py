"""One item on a LogP machine: the universal tree, and how many nodes it has."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import islice, takewhile
from math import lcm

from exactsched.certificate.logp import LogPSchedule, Message
from exactsched.check import check
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import to_json
from exactsched.instances.choices import Choices
from exactsched.instances.machines import logp
from exactsched.logp.broadcast import BroadcastTree, broadcast, broadcast_tree
from exactsched.logp.counts import broadcast_time, fibonacci, reached
from exactsched.model.machine import LogP
from exactsched.oracles.logp import labels_by_definition, least_of_all_trees, sequence
from exactsched.simulation.logp import simulate_logp
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, refuted

_PAPER = "Karp, Sahay, Santos and Schauser, SPAA 1993"
_ALL_TREES = 6  # processors: 120 trees of at most so many
_PLAYED = 2000  # processors of schedules that are played
_LISTED = 100_000  # processors of trees that are written out


@dataclass(frozen=True, slots=True)
class Steps:
    """So many steps of the postal model (o = 0, g = 1) of the latency L."""

    L: int
    steps: int


# Theorem 2.1 -------------------------------------------------------------------------------------


def _broadcast(machine: LogP) -> Verdict:
    gap = max(machine.g, machine.o)
    delay = machine.L + 2 * machine.o
    if machine.P > _LISTED:
        return _counted(machine, delay, gap)
    unit = lcm(delay.denominator, gap.denominator)
    ticks = int(delay * unit), int(gap * unit)
    labels = list(islice(labels_by_definition(*ticks), machine.P))
    least = Fraction(labels[-1], unit)
    within = sum(1 for _ in takewhile(lambda x: x <= labels[-1], labels_by_definition(*ticks)))

    stated = broadcast(machine)
    check(stated)
    facts = {"time": to_json(stated.time), "reached": within, "label": to_json(least)}
    if stated.time != least or broadcast_time(machine) != least:
        return refuted("B(P) is not the P-th smallest label", **facts)
    wrong = _wrong_tree(broadcast_tree(machine), labels, unit)
    if wrong:
        return refuted(wrong, **facts)
    if reached(machine, least) != within:
        return refuted("P(t) is not the number of labels of at most t", **facts)
    if machine.P > 1 and reached(machine, least - Fraction(1, unit)) >= machine.P:
        return refuted("so many processors are reached sooner", **facts)
    if machine.P <= _ALL_TREES and least_of_all_trees(*ticks, machine.P) != labels[-1]:
        return refuted("another tree is better", **facts)
    if machine.P <= _PLAYED:
        played = simulate_logp(stated)
        facts["under_way"] = played.under_way
        if played.time != least or len(played.results) != machine.P:
            return refuted("the schedule does not end with the last label", **facts)
    return held(**facts)


def _counted(machine: LogP, delay: Fraction, gap: Fraction) -> Verdict:
    """Without a tree: B(P) is the first time at which there are P nodes.

    Nodes are first children of all that are a delay older, or follow an elder sibling by a gap.
    """
    least = broadcast_time(machine)
    unit = lcm(delay.denominator, gap.denominator)
    times = (least, least - Fraction(1, unit), least - delay, least - gap)
    now, before, parents, elder = (reached(machine, x) if x >= 0 else 0 for x in times)
    facts = {"time": to_json(least), "reached": to_json(now), "sooner": to_json(before)}
    if not before < machine.P <= now:
        return refuted("B(P) is not the first time at which there are P nodes", **facts)
    if now != parents + max(elder, 1):
        return refuted("the nodes are not first children, younger siblings and the root", **facts)
    return held(**facts)


def _wrong_tree(tree: BroadcastTree, labels: list[int], unit: int) -> str:
    """What is wrong with a tree that should have these labels, in units of 1/unit."""
    delay = tree.machine.L + 2 * tree.machine.o
    gap = max(tree.machine.g, tree.machine.o)
    if [label * tree.tick * unit for label in tree.labels] != labels:
        return "the labels of the tree are not the smallest ones"
    children: Counter[int] = Counter()
    for node, parent in enumerate(tree.parents[1:], 1):
        number = children[parent]
        children[parent] += 1
        if (tree.labels[node] - tree.labels[parent]) * tree.tick != delay + number * gap:
            return f"node {node} is not child {number} of its parent"
    return ""


def _as_printed(machine: LogP) -> Verdict:
    """Definition 2.3 word for word: children have the labels t + i g + L + 2 o."""
    unit = lcm(*(x.denominator for x in (machine.L, machine.o, machine.g)))
    delay, gap = int((machine.L + 2 * machine.o) * unit), int(machine.g * unit)
    offers = [(delay, 0)]  # (label, parent) of the next child of each node
    labels = [0]
    messages: list[Message] = []
    while len(labels) < machine.P:
        label, parent = heappop(offers)
        messages.append(Message(parent, len(labels), 0, label - delay))
        heappush(offers, (label + gap, parent))
        heappush(offers, (label + delay, len(labels)))
        labels.append(label)
    time = Fraction(labels[-1], unit)
    tick = Fraction(1, unit)
    facts = {"printed": to_json(time), "time": to_json(broadcast_time(machine))}
    literal = LogPSchedule(
        machine, "broadcast", 1, tick, tuple(messages), (), time, time, optimal=True
    )
    try:
        simulate_logp(literal)
    except Rejected as error:
        return refuted(f"the printed tree cannot be run: {error}", **facts)
    if broadcast_time(machine) != time:
        return refuted("the printed tree is not optimal", **facts)
    return held(**facts)


def _machine(choices: Choices, bound: int) -> LogP:
    if choices.flip(20):  # parameters that nearly agree, and huge ones
        huge = 10**20
        latency, overhead, gap = (
            Fraction(huge + choices.below(3), choices.between(1, 3)) for _ in range(3)
        )
        return LogP(latency, overhead, gap, choices.between(1, bound))
    if choices.flip(10):
        few = logp(choices, max_processors=1)
        return LogP(few.L, few.o, few.g, 10 ** choices.between(6, 18) + choices.below(3))
    return logp(choices, max_processors=bound)


# Fact 2.1 and theorem 2.2 ------------------------------------------------------------------------


def _sum_of_the_sequence(asked: Steps) -> Verdict:
    listed = [fibonacci(asked.L, i) for i in range(asked.steps + 1)]
    later = fibonacci(asked.L, asked.steps + asked.L)
    facts = {"sum": to_json(sum(listed)), "later": to_json(later)}
    if listed != sequence(asked.L, asked.steps):
        return refuted("the sequence is not that of definition 2.5", **facts)
    if 1 + sum(listed) != later:
        return refuted("one more than the sum is not the number L places later", **facts)
    return held(**facts)


def _long_sequence(choices: Choices, bound: int) -> Steps:
    if choices.flip(10):
        return Steps(10**18 + choices.below(3), choices.between(0, bound))
    return Steps(choices.between(1, 8), choices.between(0, bound))


def _reached_in_steps(asked: Steps) -> Verdict:
    most = sequence(asked.L, asked.steps)[-1]
    machine = LogP(asked.L, 0, 1, 1)
    within = 0
    if most <= _PLAYED:
        counted = takewhile(lambda label: label <= asked.steps, labels_by_definition(asked.L, 1))
        within = sum(1 for _ in counted)
    facts = {"reached": to_json(most)}
    if reached(machine, asked.steps) != most or fibonacci(asked.L, asked.steps) != most:
        return refuted("P(t) is not f_t of definition 2.5", **facts)
    if most > _PLAYED:
        return held(**facts)
    if within != most:
        return refuted("the universal tree has another number of nodes", **facts)
    enough, many = (broadcast(LogP(asked.L, 0, 1, size)) for size in (most, most + 1))
    check(enough)
    check(many)
    if simulate_logp(enough).time > asked.steps or many.time <= asked.steps:
        return refuted("f_t processors are not the most that are reached", **facts)
    return held(**facts, one_more=to_json(many.time))


def _steps(choices: Choices, bound: int) -> Steps:
    latency = choices.between(1, 6)
    return Steps(latency, choices.between(0, bound if latency > 1 else bound // 2))


CLAIMS = (
    Claim(
        id="karp1993.thm2.1",
        statement=(
            "L > 0, o >= 0, g > 0 are rational, D = L + 2 o, G = max(g, o). In the universal tree"
            " the root has the label 0 and a node with the label t the children t + D + i G,"
            " i >= 0. The least time B(P) of a broadcast to P processors is the P-th smallest"
            " label, P(t) is the number of labels of at most t, and the P nodes with the smallest"
            " labels are a tree that can be run, capacity included."
        ),
        reference=f"{_PAPER}, definitions 2.1 to 2.4, theorem 2.1",
        status="corrected",
        page="logp-broadcast",
        implemented=("exactsched/logp/broadcast.py", "exactsched/logp/counts.py"),
        checked_by="`check`; `simulate_logp`; labels one by one; all trees of at most 6 processors",
        instance_type=LogP,
        instance=_machine,
        check=_broadcast,
        bounds=Bounds(9, 150, 5000),
        corners=lambda: (
            LogP(6, 2, 4, 8),  # figure 1
            LogP(1, 0, 1, 1),
            LogP(1, 2, 1, 3),  # the overhead is longer than the gap
            LogP(1, 0, 5, 6),  # the gap is longer than the delay
            LogP(Fraction(1, 10**20), 0, 1, 6),
            LogP(10**30, 10**30, 10**30 + 1, 6),
            LogP(3, 0, 1, 10**18),
        ),
        corrects="karp1993.thm2.1.printed",
    ),
    Claim(
        id="karp1993.thm2.1.printed",
        statement=(
            "In the tree of definition 2.3 as printed a node with the label t has the children"
            " t + i g + L + 2 o, i >= 0; P nodes with the smallest labels are an optimal broadcast."
        ),
        reference=f"{_PAPER}, definition 2.3, theorem 2.1",
        status="wrong as printed",
        page="logp-broadcast",
        implemented=(),
        checked_by="`simulate_logp` plays the printed tree",
        instance_type=LogP,
        instance=lambda choices, bound: logp(choices, max_processors=bound),
        check=_as_printed,
        bounds=Bounds(9, 60, 500),
        counterexample=lambda: LogP(1, 2, 1, 3),
    ),
    Claim(
        id="karp1993.fact2.1",
        statement=(
            "L is a positive integer, f_i = 1 for 0 <= i < L, f_i = f_(i-1) + f_(i-L) for i >= L."
            " Then 1 + f_0 + ... + f_t = f_(t+L) for t >= 0."
        ),
        reference=f"{_PAPER}, definition 2.5, fact 2.1",
        status="as printed",
        page="logp-broadcast",
        implemented=("exactsched/logp/counts.py",),
        checked_by="the recurrence and the sum by definition",
        instance_type=Steps,
        instance=_long_sequence,
        check=_sum_of_the_sequence,
        bounds=Bounds(30, 200, 2000),
        corners=lambda: (Steps(1, 0), Steps(1, 100), Steps(2, 20), Steps(7, 6), Steps(10**30, 3)),
    ),
    Claim(
        id="karp1993.thm2.2",
        statement=(
            "For integers L >= 1 and t >= 0, P(t; L, 0, 1) = f_t: a broadcast in the postal model"
            " reaches f_t processors within t, and no more."
        ),
        reference=f"{_PAPER}, theorem 2.2",
        status="as printed",
        page="logp-broadcast",
        implemented=("exactsched/logp/counts.py", "exactsched/logp/broadcast.py"),
        checked_by=(
            "the recurrence and the nodes of the tree by definition; `check` and `simulate_logp`"
            " for schedules of f_t and f_t + 1 processors"
        ),
        instance_type=Steps,
        instance=_steps,
        check=_reached_in_steps,
        bounds=Bounds(9, 22, 200),
        corners=lambda: (Steps(1, 0), Steps(1, 10), Steps(3, 7), Steps(5, 4), Steps(3, 3000)),
    ),
)
