"""An item in every step of the postal model: legal words, the least delay, the latency 2."""

# ruff: noqa: N803, N806  (L is the name of the latency in all of the literature)

from __future__ import annotations

from dataclasses import dataclass

from exactsched.check import check
from exactsched.instances.choices import Choices
from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.items import single_sending
from exactsched.oracles.logp import least_depth, sequence, trouble
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted
from exactsched.theorems.karp1993.section_3_latency_two import (
    Processors,
    Walk,
    no_least_delay,
    processors,
    reached_or_excluded,
    walk,
)
from exactsched.theorems.karp1993.section_3_words import (
    Letters,
    Words,
    letters,
    ordered,
    words_of_the_automata,
    words_of_the_lemma,
)

_PAPER = "Karp, Sahay, Santos and Schauser, SPAA 1993"
_PLAYED = 500  # messages of an endless series, or of so many items


@dataclass(frozen=True, slots=True)
class Series:
    """An endless series of items, one a step, for P processors with the source."""

    L: int
    P: int


@dataclass(frozen=True, slots=True)
class Items:
    """k items for P processors with the source."""

    L: int
    P: int
    k: int


# The least delay ---------------------------------------------------------------------------------


def _few(processors: int, depth: int) -> int:
    """How many items of a series are played: those of some periods, if they are not too many."""
    return max(2, min(3 * depth + 3, _PLAYED // processors))


def _without_blocks(L: int) -> bool:
    """Whether there are no blocks for L + 3 processors: whatever letter is spare for the root.

    Two nodes have children: the root, L + 1 of them, and one with a single child, whose block takes
    no letter.
    """
    letters = [0, *range(L)]
    return all((2 * L + sum(letters) - spare) % (L + 1) for spare in letters)


def _least_delay(asked: Series) -> Verdict:
    L, P = asked.L, asked.P
    if L < 3:
        return not_applicable("the latency is at least 3")
    depth = least_depth(L, P - 1)
    stated = continuous_broadcast(L, P)
    check(stated)
    facts = {"delay": stated.time, "cycles": len(stated.cycles), "depth": depth}
    if stated.time != L + depth or not stated.optimal:
        return refuted("the delay is not L + B(P-1)", **facts)
    blocks = True
    spare = 0
    for shift, roles in stated.cycles:
        children = [number for _, number in roles if number]
        spare += not children
        blocks &= shift == 1 and (children == [len(roles)] or (not children and len(roles) == 1))
    exception = L % 2 == 0 and P == L + 4
    if spare != 1 or blocks == exception:
        return refuted("the schedule is not block-cyclic, or the exception is", **facts)
    if exception and not _without_blocks(L):
        return refuted("the exception has blocks", **facts)
    if 2 * P <= _PLAYED:
        wrong = trouble(stated, _few(P - 1, depth))
        if wrong:
            return refuted(wrong, **facts)
    return held(**facts)


def _finite_series(asked: Items) -> Verdict:
    L, P, k = asked.L, asked.P, asked.k
    if L < 3:
        return not_applicable("the latency is at least 3")
    stated = single_sending(L, P, k)
    check(stated)
    facts = {"time": stated.time, "cycles": len(stated.cycles)}
    if stated.time != L + least_depth(L, P - 1) + k - 1 or not stated.optimal:
        return refuted("the time is not L + B(P-1) + k - 1", **facts)
    if stated.endgame or stated.items != k:
        return refuted("the source does not send every item once", **facts)
    if k * P <= _PLAYED:
        wrong = trouble(stated, k)
        if wrong:
            return refuted(wrong, **facts)
    return held(**facts)


def processors_of(choices: Choices, L: int, most: int) -> int:
    """P: any, one or two more than a full tree, or the exception L + 4.

    >>> from exactsched.instances.choices import Replayed
    >>> processors_of(Replayed([1]), 4, 20), processors_of(Replayed([2, 4]), 3, 20)
    (8, 7)
    """
    kind = choices.below(5)
    if kind == 0:
        return choices.between(2, most + 1)
    if kind == 1:
        return min(L + 4, most + 1)
    full = [number for number in sequence(L, 64 * L) if number <= most]
    return min(most, choices.one_of(full[L - 1 :]) + choices.below(2)) + 1


def _series(choices: Choices, bound: int) -> Series:
    L = choices.between(3, bound)
    # With many processors the tree is put together from smaller ones.
    return Series(L, processors_of(choices, L, (30 if choices.flip(6) else 5) * bound))


def items_of(choices: Choices, least: int, bound: int, most: int) -> Items:
    """Latencies from `least` to the bound, `most` processors, some items or very many.

    >>> from exactsched.instances.choices import Replayed
    >>> items_of(Replayed([]), 3, 6, 18)
    Items(L=3, P=2, k=1)
    """
    L = choices.between(least, bound)
    k = 10**18 - choices.below(3) if choices.flip(10) else choices.between(1, 3 * bound)
    return Items(L, processors_of(choices, L, most), k)


# Latency 2 ---------------------------------------------------------------------------------------


def _one_step_more(asked: Series) -> Verdict:
    if asked.L != 2:
        return not_applicable("the latency is 2")
    depth = least_depth(2, asked.P - 1)
    stated = continuous_broadcast(2, asked.P)
    check(stated)
    facts = {"delay": stated.time, "depth": depth}
    if not depth + 2 <= stated.time <= depth + 3:
        return refuted("the delay is more than L + B(P-1) + 1", **facts)
    if 2 * asked.P <= _PLAYED:
        wrong = trouble(stated, _few(asked.P - 1, depth))
        if wrong:
            return refuted(wrong, **facts)
    return held(**facts)


CLAIMS = (
    Claim(
        id="hall.juggling",
        statement=(
            "r integers can be put into an order w_0, ..., w_(r-1) in which i -> i + w_i is a"
            " bijection modulo r if and only if r divides their sum; any of them may be the first."
        ),
        reference="M. Hall, A combinatorial problem on abelian groups, Proc. AMS 3 (1952)",
        status="classical",
        page="logp-words",
        implemented=("exactsched/logp/word_automaton.py",),
        checked_by="the definition; all orders of at most 6 integers",
        instance_type=Letters,
        instance=letters,
        check=ordered,
        bounds=Bounds(7, 100, 600),
        corners=lambda: (
            Letters((0,)),
            Letters((7, 0, 0, 1, 2)),  # the root's block of figure 2
            Letters((1, 0)),
            Letters((-3, 1, 1, 10**30 + 1, 10**30)),
            Letters((1,) * 30),
        ),
    ),
    Claim(
        id="karp1993.lemma3.1",
        statement=(
            "L >= 3, letters 0 = a, 1 = b, ..., L - 1. The words a^(L-2) (ca)^i b^j and, for"
            " 1 <= m <= L - 2, (letter m)^(L-2-m) (letter m+1)^j are legal for all i, j >= 0: no"
            " processor of a block receives an item twice. The means of their indices, header"
            " included, are 2 and m + 2."
        ),
        reference=f"{_PAPER}, lemma 3.1",
        status="as printed",
        page="logp-words",
        implemented=("exactsched/logp/word_automaton.py",),
        checked_by="receptions by definition; the families as regular expressions",
        instance_type=Words,
        instance=lambda choices, bound: Words(choices.between(3, bound), choices.below(2 * bound)),
        check=words_of_the_lemma,
        bounds=Bounds(6, 16, 40),
        corners=lambda: (Words(3, 0), Words(3, 4), Words(6, 1), Words(5, 3), Words(26, 60)),
    ),
    Claim(
        id="karp1993.automaton",
        statement=(
            "The walks of r arcs of the automaton of section 3.2 that return to a start state give,"
            " without the first letter and the last L - 1, exactly the legal words of length r - 1;"
            " so do those of the 2^(L-1) juggling states."
        ),
        reference=f"{_PAPER}, section 3.2 and figure 2",
        status="as printed",
        page="logp-words",
        implemented=("exactsched/logp/word_automaton.py",),
        checked_by="all words over the alphabet, by definition",
        instance_type=Words,
        instance=lambda choices, bound: Words(choices.between(1, bound), choices.below(5)),
        check=words_of_the_automata,
        bounds=Bounds(3, 4, 5),
        corners=lambda: (Words(3, 4), Words(1, 6), Words(2, 0), Words(4, 1)),
    ),
    Claim(
        id="karp1993.thm3.3",
        statement=(
            "For all L >= 3 and P >= 2 an item can be sent in every step with the delay L + B(P-1),"
            " by a block-cyclic schedule, but for even L and P = L + 4, where there is none and"
            " one merged cycle has this delay. (Printed: 3 <= L <= 10, P - 1 = P(t), t large.)"
        ),
        reference=f"{_PAPER}, theorem 3.3 and the conjecture after it",
        status="sharpened",
        page="logp-continuous",
        implemented=(
            "exactsched/logp/continuous.py",
            "exactsched/logp/partition_series.py",
            "exactsched/logp/letter_exchange.py",
            "exactsched/logp/block_partition.py",
        ),
        checked_by="`check`; messages one by one, by definition",
        instance_type=Series,
        instance=_series,
        check=_least_delay,
        bounds=Bounds(6, 20, 60),
        corners=lambda: (
            Series(3, 10),  # figure 2
            Series(3, 2),
            Series(4, 8),  # the exception
            Series(12, 16),
            Series(4, 2000),
            Series(40, 900),
        ),
    ),
    Claim(
        id="karp1993.cor3.1",
        statement=(
            "For all L >= 3, P >= 2 and k >= 1 a source that sends every item once can broadcast k"
            " items in L + B(P-1) + k - 1 steps. (Printed: 3 <= L <= 10, P - 1 = P(t), t large.)"
        ),
        reference=f"{_PAPER}, corollary 3.1",
        status="sharpened",
        page="logp-items",
        implemented=("exactsched/logp/items.py", "exactsched/logp/continuous.py"),
        checked_by="`check`; messages one by one, by definition",
        instance_type=Items,
        instance=lambda choices, bound: items_of(choices, 3, bound, 3 * bound),
        check=_finite_series,
        bounds=Bounds(6, 14, 60),
        corners=lambda: (
            Items(3, 10, 8),
            Items(3, 2, 1),
            Items(4, 8, 20),
            Items(7, 100, 10**18),
        ),
    ),
    Claim(
        id="karp1993.thm3.4",
        statement=(
            "L = 2, m = P - 1, t = B(m), D = f_t - m. If (2t-2) D < f_(t-2) - t + 1, so if m = f_t"
            " and t >= 7, no continuous broadcast has the delay L + B(P-1): at most"
            " m (3t^2-3t-1) / (f_(t-2) - t + 1 - (2t-2) D) consecutive items have optimal trees."
            " For in full trees a processor receives at most t - 1 a's, the last leaves, for each"
            " idle step: one while it sends X only if it was idle just before it received X."
        ),
        reference=f"{_PAPER}, theorem 3.4",
        status="sharpened",
        page="logp-two-steps",
        implemented=(
            "exactsched/logp/latency_two/exclusion.py",
            "exactsched/logp/latency_two/continuous.py",
        ),
        checked_by=(
            "walks of one processor by definition; Farkas' multipliers, accepted by `check`, for at"
            " most 55 processors; the schedule with one step more"
        ),
        instance_type=Walk,
        instance=walk,
        check=no_least_delay,
        bounds=Bounds(10, 12, 15),
        corners=lambda: (
            Walk(21, 0b1111111, (5, 4, 3, 2, 1, 0) * 10, program=True),
            Walk(34, 0, (), program=True),
            Walk(55, 0, (), program=True),
            Walk(88, 0b1010101010, (1, 2, 3) * 20, program=False),
        ),
    ),
    Claim(
        id="karp1993.thm3.4.table",
        statement=(
            "For L = 2 and m = P - 1 <= 89 the delay L + B(P-1) is reached if and only if m is none"
            " of 21, 32 to 34, 49 to 55 and 77 to 89. The linear program of the rates of roles in"
            " states is infeasible for these, and feasible for the others."
        ),
        reference="proofs/logp-two-steps.md, statements 4 and 5",
        status="new",
        page="logp-two-steps",
        implemented=(
            "exactsched/logp/latency_two/exclusion.py",
            "exactsched/logp/latency_two/automaton.py",
            "exactsched/logp/latency_two/continuous.py",
        ),
        checked_by=(
            "`check` for schedules and for Farkas' multipliers; messages one by one, by definition"
        ),
        instance_type=Processors,
        instance=processors,
        check=reached_or_excluded,
        bounds=Bounds(89, 89, 89),
        corners=lambda: (
            Processors(1, program=True),
            Processors(20, program=True),
            Processors(33, program=True),
            Processors(76, program=False),
            Processors(77, program=False),
        ),
    ),
    Claim(
        id="karp1993.thm3.5",
        statement=(
            "For L = 2 and every P >= 2 there is a continuous broadcast with a delay of at most"
            " L + B(P-1) + 1. (Printed: P - 1 = P(t).)"
        ),
        reference=f"{_PAPER}, theorem 3.5",
        status="sharpened",
        page="logp-two-steps",
        implemented=("exactsched/logp/latency_two/continuous.py", "exactsched/logp/continuous.py"),
        checked_by="`check`; messages one by one, by definition",
        instance_type=Series,
        instance=lambda choices, bound: Series(2, processors_of(choices, 2, bound)),
        check=_one_step_more,
        bounds=Bounds(60, 250, 10_000),
        corners=lambda: (Series(2, 2), Series(2, 22), Series(2, 35), Series(2, 56), Series(2, 988)),
    ),
)
