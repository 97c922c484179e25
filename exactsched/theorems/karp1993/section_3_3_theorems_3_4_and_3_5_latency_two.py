"""Latency 2, where the least delay may be out of reach: theorems 3.4 and 3.5, corollary 3.2."""

# ruff: noqa: N806  (L and P are the names in all of the literature)

from __future__ import annotations

from collections import Counter

from exactsched.certificate.logp import Cycle, LogPCycles, LogPSchedule, Role
from exactsched.certificate.logp_messages import listed, unrolled
from exactsched.instances.logp_items import (
    ITEMS_IN_FULL_TREES,
    ITEMS_OF_LATENCY_TWO,
    PROCESSORS,
    SERIES_OF_LATENCY_TWO,
    WALKS,
    Items,
    Processors,
    Series,
    Walk,
)
from exactsched.logp.broadcast import broadcast_tree
from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.items import broadcast_items
from exactsched.logp.latency_two.exclusion import (
    exclusion,
    longest_series_by_counting,
    rate_program,
)
from exactsched.model.machine import LogP
from exactsched.oracles.logp import ItemNumbers, least_depth, sequence
from exactsched.oracles.logp_schedules import cycles_fault
from exactsched.oracles.logp_words import roles_in_turn
from exactsched.simulation.logp import simulate_logp
from exactsched.theorems.claim import Say, claim

_EXCLUDED = 55  # processors for which the linear program takes hundredths of a second
# P - 1 up to 89 for which no endless series has the least delay.
NOT_REACHED = (21, *range(32, 35), *range(49, 56), *range(77, 90))
_PLAYED = 500  # messages of a schedule

# For L = 2 and P = 22 (proofs/logp-items.md): the roles (delay, children) of five cycles, and which
# of the last two items the eight last copies are.
_CYCLES_OF_21 = (
    ((5, 2), (7, 0)),
    ((5, 1), (4, 3), (8, 0), (7, 0)),
    ((2, 3), (5, 0), (8, 0), (8, 0), (4, 3), (8, 0), (7, 0)),
    ((3, 2), (6, 0), (6, 1)),
    ((0, 5), (7, 0), (6, 0), (6, 0), (6, 0)),
)
_COPIES_OF_21 = (0, 1, 1, 0, 0, 1, 0, 0)


@claim(
    "karp1993.thm3.4",
    number="theorem 3.4",
    status="sharpened",
    instances=WALKS,
    page="logp-two-steps",
    implements=(
        "exactsched/logp/latency_two/exclusion.py",
        "exactsched/logp/latency_two/continuous.py",
    ),
    judged="walks of one processor by definition; Farkas' multipliers, accepted by `check`, for at"
    " most 55 processors; the schedule with one step more",
)
def no_least_delay(asked: Walk, say: Say) -> None:
    """L = 2, m = P - 1, t = B(m), D = f_t - m. If (2t-2) D < f_(t-2) - t + 1, so if m = f_t and
    t >= 7, no continuous broadcast has the delay L + B(P-1): at most
    m (3t^2-3t-1) / (f_(t-2) - t + 1 - (2t-2) D) consecutive items have optimal trees. For in full
    trees a processor receives at most t - 1 a's, the last leaves, for each idle step: one while it
    sends X only if it was idle just before it received X.
    """
    m, depth = asked.processors, least_depth(2, asked.processors)
    full = sequence(2, depth)
    dropped = full[depth] - m
    excess = full[depth - 2] - depth + 1 - (2 * depth - 2) * dropped if depth > 1 else 0
    if excess <= 0:
        say.not_applicable("not near enough below a Fibonacci number f_t, t >= 7")
    longest = m * (3 * depth * depth - 3 * depth - 1) // excess
    say(depth=depth, dropped=dropped, series=longest)
    last = broadcast_tree(LogP(2, 0, 1, m)).labels.count(depth)
    say.require(last == full[depth - 2] - dropped, "not f_(t-2) leaves are received last")
    _refuse_few_idle_steps(asked, depth, say)
    same = longest_series_by_counting(m) == longest
    say.require(same, "the bound on a series is another one")
    stated = continuous_broadcast(2, m + 1)
    say.accepts(stated)
    right = stated.time == depth + 3 and not stated.optimal
    say.require(right, f"the delay {stated.time} is impossible, or not the next one")
    if asked.program and m <= _EXCLUDED:
        proof = exclusion(m)
        if proof is None or proof.program != rate_program(m):
            say.refute("the linear program has rates for the least delay")
        say.accepts(proof)
        say(multipliers=len(proof.multipliers))


def _refuse_few_idle_steps(asked: Walk, depth: int, say: Say) -> None:
    """The argument of the theorem, for what one processor receives."""
    steps = list(roles_in_turn(depth, asked.received, asked.picks))
    idle = {step for step, (_, nothing, _) in enumerate(steps) if nothing}
    last = [step for step, (index, _, _) in enumerate(steps) if index == 0]
    for step in last:
        before = steps[step][2] - 1
        right = step in idle or before < 0 or before in idle
        say.require(right, "an a while a node is sent that came right after a busy step")
    few = len(last) <= (depth - 1) * (len(idle) + 1)
    say.require(few, "more than t - 1 a's for every idle step")
    say(a=len(last), idle=len(idle))


@claim(
    "karp1993.thm3.4.table",
    number="theorem 3.4, for each number of processors",
    reference="proofs/logp-two-steps.md, statements 4 and 5",
    status="new",
    instances=PROCESSORS,
    page="logp-two-steps",
    implements=(
        "exactsched/logp/latency_two/exclusion.py",
        "exactsched/logp/latency_two/automaton.py",
        "exactsched/logp/latency_two/continuous.py",
    ),
    judged="`check` for schedules and for Farkas' multipliers; messages one by one, by definition",
)
def reached_or_excluded(asked: Processors, say: Say) -> None:
    """For L = 2 and m = P - 1 <= 89 the delay L + B(P-1) is reached if and only if m is none of 21,
    32 to 34, 49 to 55 and 77 to 89. The linear program of the rates of roles in states is
    infeasible for these, and feasible for the others.
    """
    m = asked.count
    if not 1 <= m <= NOT_REACHED[-1]:
        say.not_applicable("at most 89 processors beside the source")
    depth = least_depth(2, m)
    stated = continuous_broadcast(2, m + 1)
    say.accepts(stated)
    say(depth=depth, delay=stated.time)
    right = (stated.time == depth + 2) == (m not in NOT_REACHED)
    say.require(right, "the table says something else about the delay")
    _refuse_unless_played(stated, max(2, 400 // m), say)
    if asked.program:
        proof = exclusion(m)
        right = (proof is None) == (m not in NOT_REACHED)
        say.require(right, "the table says something else about the linear program")
        if proof is not None:
            say.accepts(proof)
            say(multipliers=len(proof.multipliers))


def _refuse_unless_played(stated: LogPCycles, items: int, say: Say) -> None:
    fault = cycles_fault(stated, unrolled(stated, items), items)
    say.require(not fault, fault)


@claim(
    "karp1993.thm3.5",
    number="theorem 3.5",
    status="sharpened",
    instances=SERIES_OF_LATENCY_TWO,
    page="logp-two-steps",
    implements=("exactsched/logp/latency_two/continuous.py", "exactsched/logp/continuous.py"),
    judged="`check`; messages one by one, by definition",
)
def one_step_more(asked: Series, say: Say) -> None:
    """For L = 2 and every P >= 2 there is a continuous broadcast with a delay of at most
    L + B(P-1) + 1. (Printed: P - 1 = P(t).)
    """
    if asked.L != 2:
        say.not_applicable("the latency is 2")
    depth = least_depth(2, asked.P - 1)
    stated = continuous_broadcast(2, asked.P)
    say.accepts(stated)
    say(delay=stated.time, depth=depth)
    near = depth + 2 <= stated.time <= depth + 3
    say.require(near, "the delay is more than L + B(P-1) + 1")
    if 2 * asked.P <= _PLAYED:
        few = min(3 * depth + 3, _PLAYED // (asked.P - 1))
        _refuse_unless_played(stated, max(2, few), say)


@claim(
    "karp1993.cor3.2",
    number="corollary 3.2",
    reference="proofs/logp-items.md, corollary 3.2: the sketch is refuted, the statement is open",
    status="new",
    instances=ITEMS_OF_LATENCY_TWO,
    page="logp-items",
    implements=("exactsched/logp/items.py", "exactsched/logp/item_program.py"),
    judged="`check`; `simulate_logp`; receptions counted from the messages",
    corrects="karp1993.cor3.2.sketch",
)
def bound_of_items_is_reached(asked: Items, say: Say) -> None:
    """For L = 2, 2 <= P <= 314 and every k the bound of theorem 3.1 is reached. For k > k*, of the
    receptions that are possible until a step at most R = f_0 + ... + f_n - k* m have not taken
    place.
    """
    L, P, k = asked.L, asked.P, asked.k
    if L != 2:
        say.not_applicable("the latency is 2")
    numbers, stated = ItemNumbers(L, P), broadcast_items(L, P, k)
    say.accepts(stated)
    time = int(stated.time)
    say(time=time, most=numbers.most)
    reached = numbers.receptions(time - L - 1) < k * (P - 1)
    say.require(reached, "the bound is not reached")
    if k * P > _PLAYED:
        return
    say.require(simulate_logp(stated).time == time, "played, it ends at another time")
    if k > numbers.most:
        overdue = _most_overdue(stated, numbers, time - L)
        say(overdue=overdue)
        say.require(overdue <= numbers.over, "more receptions are overdue than R")


def _most_overdue(stated: LogPCycles | LogPSchedule, numbers: ItemNumbers, last: int) -> int:
    """How many receptions there are at most fewer, until any step, than there might be."""
    arrived = Counter(start for *_, start in listed(stated).messages)
    until = [sum(arrived[step] for step in range(end + 1)) for end in range(last + 1)]
    return max(numbers.receptions(step) - count for step, count in enumerate(until))


@claim(
    "karp1993.cor3.2.sketch",
    number="corollary 3.2, the inference of its proof",
    status="sketch refuted, statement open",
    instances=ITEMS_IN_FULL_TREES,
    page="logp-items",
    judged="a schedule that `check` accepts and `simulate_logp` plays",
    # More items than the 1312 in a row that could have optimal trees (theorem 3.4).
    counterexample=lambda: Items(2, 22, 1400),
)
def bound_of_items_as_sketched(asked: Items, say: Say) -> None:
    """What the sketch of corollary 3.2 infers from theorems 3.2 and 3.4: if L = 2, P - 1 = f_t with
    t >= 7 and k > k*, then k items take longer than the bound of theorem 3.1. (The corollary says
    only that some P and k take longer. For P <= 314 and all k none do; for larger P it is open.)
    """
    L, P, k = asked.L, asked.P, asked.k
    numbers = ItemNumbers(L, P)
    depth = numbers.depth
    if L != 2 or depth < 7 or numbers.sequence[depth] != P - 1 or k <= numbers.most:
        say.not_applicable("L = 2, P - 1 = f_t, t >= 7, and k > k*")
    bound = depth + L + (k - 1) - numbers.most
    stated = _schedule_of_21(k, bound) if P == 22 and k > 1 else broadcast_items(L, P, k)
    say.accepts(stated)
    say(bound=bound, time=int(stated.time))
    if k * P <= 4 * _PLAYED:
        simulate_logp(stated)
        # Of the items that are sent once: how many are not broadcast in L + B(P-1).
        last: Counter[int] = Counter()
        for *_, item, start in listed(stated).messages:
            last[item] = max(last[item], start + L)
        once = range(k - numbers.most)
        say(late=sum(last[item] - item > L + depth for item in once))
    say.require(stated.time != bound, "the bound of theorem 3.1 is reached")


def _schedule_of_21(k: int, bound: int) -> LogPCycles:
    """k items for 21 processors and the source, the last two in an endgame."""
    endgame = tuple([k - 2 + copy for copy in _COPIES_OF_21])
    cycles = tuple([Cycle(1, tuple(map(Role._make, roles))) for roles in _CYCLES_OF_21])
    time = 2 + 8 + k - 1 - 2
    machine = LogP(2, 0, 1, 22)
    return LogPCycles(machine, cycles, k, endgame, time, bound, optimal=time == bound)
