"""Latency 2: why there is no continuous broadcast of the least delay for some processors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from exactsched.check import check
from exactsched.instances.choices import Choices
from exactsched.logp.broadcast import broadcast_tree
from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.latency_two.exclusion import (
    exclusion,
    longest_series_by_counting,
    rate_program,
)
from exactsched.model.machine import LogP
from exactsched.oracles.logp import least_depth, sequence, trouble
from exactsched.theorems.claim import Verdict, held, not_applicable, refuted

_EXCLUDED = 55  # processors for which the linear program takes hundredths of a second
_NOT_REACHED = (21, *range(32, 35), *range(49, 56), *range(77, 90))
_PROGRAMS = (1, 2, 3, 5, 8, 13, 7, 12, 20, 19, 21, 33, 34, 54, 55)  # of as many: they are fast
_PLAYED = 400  # messages


@dataclass(frozen=True, slots=True)
class Walk:
    """For the latency 2, what one of so many processors beside the source may receive in turn.

    Bit x of `received` says that the item due in step x has been received before.  Of the roles
    that are possible in a step, in the order of their indices, the one with the number
    `picks`[step], modulo their number, is taken.  `program`: the linear program is solved as well.
    """

    processors: int
    received: int
    picks: tuple[int, ...]
    program: bool


@dataclass(frozen=True, slots=True)
class Processors:
    """So many processors beside the source; `program`: the linear program is solved as well."""

    count: int
    program: bool


def _roles_in_turn(depth: int, given: Walk) -> Iterator[tuple[int, bool, int]]:
    """For every step the index received, whether nothing is sent in it, and the node that is sent.

    Trees are full: who receives the index w in step i sends it in the steps i, ..., i + w - 2.
    What is due in a step is received by then.  The node is the step of its reception.
    """
    received = {x for x in range(depth) if given.received >> x & 1}
    sent: dict[int, int] = {}  # step -> when the node that is sent was received
    for step, pick in enumerate(given.picks):
        possible = [
            index
            for index in (*range(depth - 1), depth)
            if step + index not in received
            and (index == 0 or step in received)
            and not any(x in sent for x in range(step, step + index - 1))
        ]
        if not possible:
            return
        index = possible[pick % len(possible)]
        received.add(step + index)
        sent.update(dict.fromkeys(range(step, step + index - 1), step))
        yield index, step not in sent, sent.get(step, step)


def no_least_delay(asked: Walk) -> Verdict:
    """Whether the argument of theorem 3.4 holds for what one processor receives, and its bound.

    >>> no_least_delay(Walk(21, 0, (0, 0), program=False)).facts["series"]
    1312
    """
    m = asked.processors
    depth = least_depth(2, m)
    full = sequence(2, depth)
    dropped = full[depth] - m
    excess = full[depth - 2] - depth + 1 - (2 * depth - 2) * dropped if depth > 1 else 0
    if excess <= 0:
        return not_applicable("not so near below a Fibonacci number f_t, t >= 7")
    series = m * (3 * depth * depth - 3 * depth - 1) // excess
    facts = {"depth": depth, "dropped": dropped, "series": series}
    if broadcast_tree(LogP(2, 0, 1, m)).labels.count(depth) != full[depth - 2] - dropped:
        return refuted("not f_(t-2) leaves are received last", **facts)
    steps = list(_roles_in_turn(depth, asked))
    idle = [step for step, (_, nothing, _) in enumerate(steps) if nothing]
    last = [step for step, (index, _, _) in enumerate(steps) if index == 0]
    for step in last:
        before = steps[step][2] - 1
        if step not in idle and before >= 0 and before not in idle:
            rule = "an a while a node is sent that came right after a busy step"
            return refuted(rule, step=step, **facts)
    if len(last) > (depth - 1) * (len(idle) + 1):
        return refuted("more than t - 1 a's for every idle step", last=len(last), **facts)
    if longest_series_by_counting(m) != series:
        return refuted("the bound on a series is another one", **facts)
    stated = continuous_broadcast(2, m + 1)
    check(stated)
    if stated.time != depth + 3 or stated.optimal:
        return refuted("a delay is reached that is impossible", delay=stated.time, **facts)
    if asked.program and m <= _EXCLUDED:
        proof = exclusion(m)
        if proof is None or proof.program != rate_program(m):
            return refuted("the linear program has rates for the least delay", **facts)
        check(proof)
        facts["multipliers"] = len(proof.multipliers)
    return held(**facts, a=len(last), idle=len(idle))


def walk(choices: Choices, bound: int) -> Walk:
    """Processors for which counting excludes the least delay, f_7 = 21 or more.

    >>> from exactsched.instances.choices import Replayed
    >>> walk(Replayed([]), 9).processors
    21
    """
    depth = choices.between(7, bound)
    full = sequence(2, depth)
    most = (full[depth - 2] - depth) // (2 * depth - 2)
    m = full[depth] - choices.between(0, most)
    received = choices.below(2**depth)
    return Walk(m, received, tuple(choices.below(6) for _ in range(10 * depth)), choices.flip(40))


def reached_or_excluded(asked: Processors) -> Verdict:
    """Whether the least delay is reached by a schedule, or excluded, as the table has it.

    >>> reached_or_excluded(Processors(21, program=True)).facts
    {'depth': 7, 'delay': 10, 'multipliers': 18}
    """
    m = asked.count
    if not 1 <= m <= _NOT_REACHED[-1]:
        return not_applicable("at most 89 processors beside the source")
    depth = least_depth(2, m)
    stated = continuous_broadcast(2, m + 1)
    check(stated)
    facts = {"depth": depth, "delay": stated.time}
    if (stated.time == depth + 2) != (m not in _NOT_REACHED):
        return refuted("the table says something else about the delay", **facts)
    wrong = trouble(stated, max(2, _PLAYED // m))
    if wrong:
        return refuted(wrong, **facts)
    if asked.program:
        proof = exclusion(m)
        if (proof is None) != (m not in _NOT_REACHED):
            return refuted("the table says something else about the linear program", **facts)
        if proof is not None:
            check(proof)
            facts["multipliers"] = len(proof.multipliers)
    return held(**facts)


def processors(choices: Choices, bound: int) -> Processors:
    """Any number, or in one case of 25 one whose linear program is solved.

    >>> from exactsched.instances.choices import Replayed
    >>> processors(Replayed([24, 10]), 89)
    Processors(count=21, program=True)
    """
    if choices.flip(25):
        return Processors(choices.one_of(_PROGRAMS), program=True)
    return Processors(choices.between(1, bound), program=False)
