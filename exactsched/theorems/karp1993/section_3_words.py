"""Legal words of block-cyclic broadcast: Hall's theorem, lemma 3.1 and the automata, checked."""

# ruff: noqa: N803, N806  (L is the name of the latency in all of the literature)

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

from exactsched.exact.errors import InvalidInput
from exactsched.instances.choices import Choices
from exactsched.logp.word_automaton import (
    arrange,
    is_juggling_pattern,
    is_legal,
    juggling_automaton,
    lemma_words,
    word_automaton,
)
from exactsched.theorems.claim import Verdict, held, not_applicable, refuted

_ORDERED = 6  # integers of which all orders are tried
_ALL_WORDS = 1500  # words over the alphabet that are tried


@dataclass(frozen=True, slots=True)
class Letters:
    """Integers to be put into the order of a juggling pattern."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a length over the letters 0, ..., L - 1."""

    L: int
    length: int


def _lands(indices: tuple[int, ...]) -> bool:
    """Whether balls thrown at all times land at different times, by definition."""
    size = len(indices)
    return len({(place + index) % size for place, index in enumerate(indices)}) == size


def ordered(given: Letters) -> Verdict:
    """Whether M. Hall's theorem holds for these integers.

    >>> ordered(Letters((7, 0, 0, 1, 2))).facts["order"]
    ['7', '0', '1', '2', '0']
    >>> ordered(Letters((1, 0))).facts["divisible"]
    False
    """
    numbers = given.numbers
    size = len(numbers)
    divisible = sum(numbers) % size == 0
    facts: dict[str, Any] = {"size": size, "divisible": divisible}
    if size <= _ORDERED and divisible != any(_lands(order) for order in permutations(numbers)):
        return refuted("the sum does not decide whether there is an order", **facts)
    try:
        order = arrange(numbers, size)
    except InvalidInput as error:
        if divisible:
            return refuted(f"no order is found: {error}", **facts)
        return held(**facts)
    facts["order"] = [str(number) for number in order[:12]]
    if not divisible:
        return refuted("integers are arranged whose sum is not divisible", **facts)
    if Counter(order) != Counter(numbers) or order[0] != numbers[0]:
        return refuted("the order is one of other integers, or the first is not first", **facts)
    if not _lands(order) or not is_juggling_pattern(order):
        return refuted("two balls land at once", **facts)
    return held(**facts)


def letters(choices: Choices, bound: int) -> Letters:
    """Integers up to 2, or long ones; in four cases of five their number divides their sum.

    >>> from exactsched.instances.choices import Replayed
    >>> letters(Replayed([2, 0, 1, 1, 2]), 5)
    Letters(numbers=(1, 1, 4))
    """
    size = choices.between(1, bound)
    most = choices.one_of((2, size, 3 * size, 10**20))
    numbers = [choices.below(most + 1) for _ in range(size)]
    if not choices.flip(5):
        numbers[-1] += -sum(numbers) % size
    return Letters(tuple(choices.shuffled(numbers)))


def _received_twice(L: int, word: tuple[int, ...]) -> bool:
    """Whether the first processor of a block receives an item twice, by definition.

    What has the index w at time i is the item whose broadcast ends at i + w.
    """
    size = len(word) + 1
    indices = (L - 1 + size, *word)
    ends = [time + indices[time % size] for time in range(3 * (L + size))]
    return len(set(ends)) < len(ends)


def words_of_the_lemma(asked: Words) -> Verdict:
    """Whether the words of lemma 3.1 of a length are all there, and legal: abbb, acab, cccc.

    >>> words_of_the_lemma(Words(3, 4)).facts
    {'words': 3}
    """
    L, length = asked.L, asked.length
    if L < 3:
        return not_applicable("the lemma speaks of at least three letters")
    listed = list(lemma_words(L, length))
    facts = {"words": len(listed)}
    pairs = max(0, (length - L + 2) // 2 + 1)
    others = sum(1 for low in range(1, L - 1) if length >= L - 2 - low)
    if len(set(listed)) != len(listed) or len(listed) != pairs + others:
        return refuted("not one word for each way to repeat ca, b, c, ...", **facts)
    names = [chr(0x4E00 + letter) for letter in range(L)]  # of as many letters as one likes
    a, b, c = names[:3]
    families = [(2, re.compile(f"{a}{{{L - 2}}}({c}{a})*{b}*"))]
    for low in range(1, L - 1):
        again = f"{names[low]}{{{L - 2 - low}}}{names[low + 1]}*"
        families.append((low + 2, re.compile(again)))

    def balls(word: tuple[int, ...]) -> set[int]:
        written = "".join(names[letter] for letter in word)
        return {number for number, family in families if family.fullmatch(written)}

    for word in listed:
        if _received_twice(L, word) or not is_legal(word, L):
            return refuted("an item is received twice", word=list(word), **facts)
        total = L + length + sum(word)
        if {total % (length + 1), total // (length + 1)} != {0, *balls(word)}:
            return refuted("not a word of the lemma, or not so many balls", word=list(word))
    if L**length <= _ALL_WORDS:
        meant = {word for word in product(range(L), repeat=length) if balls(word)}
        if meant != set(listed):
            return refuted("words of the lemma are missing", **facts)
    return held(**facts)


def words_of_the_automata(asked: Words) -> Verdict:
    """Whether both automata have the legal words of a length: abbb, abca, acab, cccc.

    >>> words_of_the_automata(Words(3, 4)).facts
    {'legal': 4}
    """
    L, length = asked.L, asked.length
    every = product(range(L), repeat=length)
    legal = sorted(word for word in every if not _received_twice(L, word))
    facts = {"legal": len(legal)}
    if sorted(word_automaton(L).words(length)) != legal:
        return refuted("the automaton of windows has other words", **facts)
    if sorted(juggling_automaton(L).words(length)) != legal:
        return refuted("the automaton of juggling states has other words", **facts)
    for word in legal:
        if (L + length + sum(word)) % (length + 1):
            return refuted("the sum is not divisible by the size of the block", **facts)
    return held(**facts)
