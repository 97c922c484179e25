"""One item: the universal tree, and how many nodes it has (theorems 2.1 and 2.2, fact 2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import islice, takewhile
from math import lcm

from exactsched.certificate.logp import LogPSchedule
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational
from exactsched.instances.logp import (
    ANY_MACHINES,
    BROADCAST_MACHINES,
    FEW_STEPS,
    LONG_SEQUENCES,
    Steps,
)
from exactsched.logp.broadcast import BroadcastTree, broadcast, broadcast_tree
from exactsched.logp.counts import broadcast_time, fibonacci, reached
from exactsched.model.machine import LogP
from exactsched.oracles.logp import labels_by_definition, least_of_all_trees, printed_tree, sequence
from exactsched.oracles.logp_sums import tick_of
from exactsched.simulation.logp import simulate_logp
from exactsched.theorems.claim import Say, claim

_ALL_TREES = 6  # processors: 120 trees
_PLAYED = 2000  # processors of schedules that are played
_LISTED = 100_000  # processors of trees that are written out


@claim(
    "karp1993.thm2.1",
    number="theorem 2.1, definitions 2.1 to 2.4",
    status="corrected",
    instances=BROADCAST_MACHINES,
    page="logp-broadcast",
    implements=("exactsched/logp/broadcast.py", "exactsched/logp/counts.py"),
    judged="`check`; `simulate_logp`; labels one by one; all trees of at most 6 processors",
    corrects="karp1993.thm2.1.printed",
)
def optimal_broadcast(machine: LogP, say: Say) -> None:
    """L > 0, o >= 0, g > 0 are rational, D = L + 2 o, G = max(g, o). In the universal tree the root
    has the label 0 and a node with the label t the children t + D + i G, i >= 0. The least time
    B(P) of a broadcast to P processors is the P-th smallest label, P(t) is the number of labels of
    at most t, and the P nodes with the smallest labels are a tree that can be run, capacity
    included.
    """
    if machine.P > _LISTED:
        _count(machine, say)
        return
    unit = tick_of(machine)
    ticks = int(machine.delay / unit), int(machine.period / unit)
    labels = list(islice(labels_by_definition(*ticks), machine.P))
    least = labels[-1] * unit
    within = sum(1 for _ in takewhile(lambda x: x <= labels[-1], labels_by_definition(*ticks)))

    stated = broadcast(machine)
    say.accepts(stated)
    say(time=stated.time, reached=within, label=least)
    right = stated.time == broadcast_time(machine) == least
    say.require(right, "B(P) is not the P-th smallest label")
    _refuse_other_trees(broadcast_tree(machine), [label * unit for label in labels], say)
    counted = reached(machine, least) == within
    say.require(counted, "P(t) is not the number of labels of at most t")
    sooner = machine.P > 1 and reached(machine, least - unit) >= machine.P
    say.require(not sooner, "P processors are reached sooner")
    if machine.P <= _ALL_TREES:
        best = least_of_all_trees(*ticks, machine.P) == labels[-1]
        say.require(best, "another tree is better")
    if machine.P <= _PLAYED:
        played = simulate_logp(stated)
        say(under_way=played.under_way)
        ended = played.time == least and len(played.results) == machine.P
        say.require(ended, "the schedule does not end with the last label")


def _count(machine: LogP, say: Say) -> None:
    """Without a tree: B(P) is the first time at which there are P nodes.

    Nodes are first children of all that are a delay older, or follow an elder sibling by a gap.
    """
    least = broadcast_time(machine)
    unit = lcm(machine.delay.denominator, machine.period.denominator)
    times = (least, least - Fraction(1, unit), least - machine.delay, least - machine.period)
    now, before, parents, elder = (reached(machine, x) if x >= 0 else 0 for x in times)
    say(time=least, reached=now, sooner=before)
    first = before < machine.P <= now
    say.require(first, "B(P) is not the first time at which there are P nodes")
    families = now == parents + max(elder, 1)
    say.require(families, "the nodes are not first children, younger siblings and the root")


def _refuse_other_trees(tree: BroadcastTree, labels: Sequence[Rational], say: Say) -> None:
    """The tree has these labels, and each child that of its number."""
    ours = [label * tree.tick for label in tree.labels]
    say.require(ours == labels, "the labels of the tree are not the smallest ones")
    children: Counter[int] = Counter()
    for node, parent in enumerate(tree.parents[1:], 1):
        later = tree.machine.delay + children[parent] * tree.machine.period
        right = ours[node] - ours[parent] == later
        say.require(right, f"node {node} is not child {children[parent]} of its parent")
        children[parent] += 1


@claim(
    "karp1993.thm2.1.printed",
    number="theorem 2.1, definition 2.3",
    instances=ANY_MACHINES,
    page="logp-broadcast",
    judged="`simulate_logp` plays the printed tree",
    counterexample=lambda: LogP(1, 2, 1, 3),
)
def optimal_broadcast_as_printed(machine: LogP, say: Say) -> None:
    """In the tree of definition 2.3 as printed a node with the label t has the children
    t + i g + L + 2 o, i >= 0; P nodes with the smallest labels are an optimal broadcast.
    """
    unit = tick_of(machine)
    messages = printed_tree(int(machine.delay / unit), int(machine.g / unit), machine.P)
    time = max([start * unit + machine.delay for *_, start in messages], default=Fraction(0))
    literal = LogPSchedule(machine, "broadcast", 1, unit, messages, (), time, time, optimal=True)
    say(printed=time, time=broadcast_time(machine))
    try:
        simulate_logp(literal)
    except Rejected as error:
        say.refute(f"the printed tree cannot be run: {error}")
    say.require(broadcast_time(machine) == time, "the printed tree is not optimal")


@claim(
    "karp1993.fact2.1",
    number="fact 2.1, definition 2.5",
    instances=LONG_SEQUENCES,
    page="logp-broadcast",
    implements=("exactsched/logp/counts.py",),
    judged="the recurrence and the sum by definition",
)
def sum_of_the_sequence(asked: Steps, say: Say) -> None:
    """L is a positive integer, f_i = 1 for 0 <= i < L, f_i = f_(i-1) + f_(i-L) for i >= L. Then
    1 + f_0 + ... + f_t = f_(t+L) for t >= 0.
    """
    listed = [fibonacci(asked.L, i) for i in range(asked.steps + 1)]
    later = fibonacci(asked.L, asked.steps + asked.L)
    say(sum=sum(listed), later=later)
    right = listed == sequence(asked.L, asked.steps)
    say.require(right, "the sequence is not that of definition 2.5")
    say.require(1 + sum(listed) == later, "one more than the sum is not the number L places later")


@claim(
    "karp1993.thm2.2",
    number="theorem 2.2",
    instances=FEW_STEPS,
    page="logp-broadcast",
    implements=("exactsched/logp/counts.py", "exactsched/logp/broadcast.py"),
    judged="the recurrence and the nodes of the tree by definition; `check` and `simulate_logp` for"
    " schedules of f_t and f_t + 1 processors",
)
def reached_in_the_postal_model(asked: Steps, say: Say) -> None:
    """For integers L >= 1 and t >= 0, P(t; L, 0, 1) = f_t: a broadcast in the postal model reaches
    f_t processors within t, and no more.
    """
    most = sequence(asked.L, asked.steps)[-1]
    say(reached=most)
    counted = reached(LogP(asked.L, 0, 1, 1), asked.steps) == fibonacci(asked.L, asked.steps)
    say.require(counted, "two counts differ")
    say.require(fibonacci(asked.L, asked.steps) == most, "P(t) is not f_t of definition 2.5")
    if most > _PLAYED:
        return
    labels = takewhile(lambda label: label <= asked.steps, labels_by_definition(asked.L, 1))
    nodes = sum(1 for _ in labels)
    say.require(nodes == most, "the universal tree has another number of nodes")
    enough, many = (broadcast(LogP(asked.L, 0, 1, size)) for size in (most, most + 1))
    say.accepts(enough)
    say.accepts(many)
    exact = simulate_logp(enough).time <= asked.steps < many.time
    say.require(exact, "f_t processors are not the most that are reached")
    say(one_more=many.time)
