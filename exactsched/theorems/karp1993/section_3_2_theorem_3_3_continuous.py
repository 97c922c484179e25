"""An item in every step of the postal model, L >= 3: lemma 3.1, theorem 3.3, corollary 3.1."""

# ruff: noqa: N803, N806  (L and P are the names in all of the literature)

from __future__ import annotations

from itertools import product

from exactsched.certificate.logp import LogPCycles
from exactsched.certificate.logp_messages import unrolled
from exactsched.instances.logp import WORDS_OF_THE_AUTOMATA, WORDS_OF_THE_LEMMA, Words
from exactsched.instances.logp_items import ITEMS_FROM_LATENCY_THREE, SERIES, Items, Series
from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.items import single_sending
from exactsched.logp.word_automaton import (
    is_legal,
    juggling_automaton,
    lemma_words,
    word_automaton,
)
from exactsched.oracles.logp import least_depth
from exactsched.oracles.logp_schedules import cycles_fault
from exactsched.oracles.logp_words import balls_of_the_lemma, received_twice
from exactsched.theorems.claim import Say, claim

_ALL_WORDS = 1500  # words over the alphabet that are tried
_PLAYED = 500  # messages of a series


@claim(
    "karp1993.lemma3.1",
    number="lemma 3.1",
    instances=WORDS_OF_THE_LEMMA,
    page="logp-words",
    implements=("exactsched/logp/word_automaton.py",),
    judged="receptions by definition; the families as regular expressions",
)
def words_of_the_lemma(asked: Words, say: Say) -> None:
    """L >= 3, letters 0 = a, 1 = b, ..., L - 1. The words a^(L-2) (ca)^i b^j and, for
    1 <= m <= L - 2, (letter m)^(L-2-m) (letter m+1)^j are legal for all i, j >= 0: no processor of
    a block receives an item twice. The means of their indices, header included, are 2 and m + 2.
    """
    L, length = asked.L, asked.length
    if L < 3:
        say.not_applicable("the lemma speaks of at least three letters")
    listed, balls = list(lemma_words(L, length)), balls_of_the_lemma(L)
    say(words=len(listed))
    pairs = max(0, (length - L + 2) // 2 + 1)
    others = sum(1 for low in range(1, L - 1) if length >= L - 2 - low)
    right = len(set(listed)) == len(listed) == pairs + others
    say.require(right, "not one word for each way to repeat ca, b, c, ...")
    for word in listed:
        legal = is_legal(word, L) and not received_twice(L, word)
        say.require(legal, f"an item is received twice in {word}")
        mean, rest = divmod(L + length + sum(word), length + 1)
        right = rest == 0 and balls(word) == {mean}
        say.require(right, f"{word} is not a word of the lemma, or has another mean")
    if L**length <= _ALL_WORDS:
        meant = {word for word in product(range(L), repeat=length) if balls(word)}
        say.require(meant == set(listed), "words of the lemma are missing")


@claim(
    "karp1993.automaton",
    number="section 3.2, the recipe for words, and figure 2",
    instances=WORDS_OF_THE_AUTOMATA,
    page="logp-words",
    implements=("exactsched/logp/word_automaton.py",),
    judged="all words over the alphabet, by definition",
)
def words_of_the_automata(asked: Words, say: Say) -> None:
    """The walks of r arcs of the automaton of section 3.2 that return to a start state give,
    without the first letter and the last L - 1, exactly the legal words of length r - 1; so do
    those of the 2^(L-1) juggling states.
    """
    L, length = asked.L, asked.length
    every = product(range(L), repeat=length)
    legal = sorted(word for word in every if not received_twice(L, word))
    say(legal=len(legal))
    windows = sorted(word_automaton(L).words(length))
    say.require(windows == legal, "the automaton of windows has other words")
    states = sorted(juggling_automaton(L).words(length))
    say.require(states == legal, "the automaton of juggling states has other words")
    whole = all((L + length + sum(word)) % (length + 1) == 0 for word in legal)
    say.require(whole, "the sum is not divisible by the size of the block")


@claim(
    "karp1993.thm3.3",
    number="theorem 3.3, and the conjecture after it",
    status="sharpened",
    instances=SERIES,
    page="logp-continuous",
    implements=(
        "exactsched/logp/continuous.py",
        "exactsched/logp/partition_series.py",
        "exactsched/logp/letter_exchange.py",
        "exactsched/logp/block_partition.py",
    ),
    judged="`check`; messages one by one, by definition",
)
def least_delay(asked: Series, say: Say) -> None:
    """For all L >= 3 and P >= 2 an item can be sent in every step with the delay L + B(P-1), by a
    block-cyclic schedule, but for even L and P = L + 4, where there is none and one merged cycle
    has this delay. (Printed: 3 <= L <= 10, P - 1 = P(t), t large.)
    """
    L, P = asked.L, asked.P
    if L < 3:
        say.not_applicable("the latency is at least 3")
    depth = least_depth(L, P - 1)
    stated = continuous_broadcast(L, P)
    say.accepts(stated)
    say(delay=stated.time, cycles=len(stated.cycles), depth=depth)
    least = stated.time == L + depth and stated.optimal
    say.require(least, "the delay is not L + B(P-1)")
    exception = L % 2 == 0 and P == L + 4
    say.require(_is_block_cyclic(stated) != exception, "not block-cyclic, or the exception is")
    without = not exception or _without_blocks(L)
    say.require(without, "the exception has blocks")
    if 2 * P <= _PLAYED:
        # Some periods are played, if they have not too many messages.
        items = max(2, min(3 * depth + 3, _PLAYED // (P - 1)))
        fault = cycles_fault(stated, unrolled(stated, items), items)
        say.require(not fault, fault)


def _is_block_cyclic(stated: LogPCycles) -> bool:
    """Whether every cycle is a block: its one node with children has one for every processor."""
    blocks = leaves = 0
    for shift, roles in stated.cycles:
        children = [number for _, number in roles if number]
        leaves += len(roles) == shift == 1 and not children
        blocks += shift == 1 and children == [len(roles)]
    return leaves == 1 and blocks == len(stated.cycles) - 1


def _without_blocks(L: int) -> bool:
    """Whether there are no blocks for L + 3 processors: whatever letter is spare for the root.

    Two nodes have children: the root, L + 1 of them, and one with a single child, whose block takes
    no letter.
    """
    letters = [0, *range(L)]
    return all((2 * L + sum(letters) - spare) % (L + 1) for spare in letters)


@claim(
    "karp1993.cor3.1",
    number="corollary 3.1",
    status="sharpened",
    instances=ITEMS_FROM_LATENCY_THREE,
    page="logp-items",
    implements=("exactsched/logp/items.py", "exactsched/logp/continuous.py"),
    judged="`check`; messages one by one, by definition",
)
def finite_series(asked: Items, say: Say) -> None:
    """For all L >= 3, P >= 2 and k >= 1 a source that sends every item once can broadcast k items
    in L + B(P-1) + k - 1 steps. (Printed: 3 <= L <= 10, P - 1 = P(t), t large.)
    """
    L, P, k = asked.L, asked.P, asked.k
    if L < 3:
        say.not_applicable("the latency is at least 3")
    stated = single_sending(L, P, k)
    say.accepts(stated)
    say(time=stated.time, cycles=len(stated.cycles))
    least = L + least_depth(L, P - 1) + k - 1
    say.require(stated.time == least, "the time is not L + B(P-1) + k - 1")
    once = not stated.endgame and stated.items == k
    say.require(once, "the source does not send every item once")
    if k * P <= _PLAYED:
        fault = cycles_fault(stated, unrolled(stated), k)
        say.require(not fault, fault)
