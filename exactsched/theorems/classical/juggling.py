"""Hall's theorem on juggling patterns."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from exactsched.exact.errors import InvalidInput
from exactsched.instances.logp import LETTERS, Letters
from exactsched.logp.word_automaton import arrange, is_juggling_pattern
from exactsched.oracles.logp_words import lands
from exactsched.theorems.claim import Say, claim

_ORDERED = 6  # integers of which all orders are tried


@claim(
    "hall.juggling",
    number="M. Hall, A combinatorial problem on abelian groups, Proc. AMS 3 (1952)",
    instances=LETTERS,
    page="logp-words",
    implements=("exactsched/logp/word_automaton.py",),
    judged="the definition; all orders of at most 6 integers",
)
def juggling(given: Letters, say: Say) -> None:
    """r integers can be put into an order w_0, ..., w_(r-1) in which i -> i + w_i is a bijection
    modulo r if and only if r divides their sum; any of them may be the first.
    """
    numbers, size = given.numbers, len(given.numbers)
    divisible = sum(numbers) % size == 0
    say(size=size, divisible=divisible)
    if size <= _ORDERED:
        exists = any(lands(order) for order in permutations(numbers))
        say.require(exists == divisible, "the sum does not decide whether there is an order")
    try:
        order = arrange(numbers, size)
    except InvalidInput as error:
        say.require(not divisible, f"no order is found: {error}")
        return
    say(order=[str(number) for number in order[:12]])
    say.require(divisible, "integers are arranged whose sum is not divisible")
    same = Counter(order) == Counter(numbers) and order[0] == numbers[0]
    say.require(same, "the order is one of other integers, or the first is not first")
    say.require(lands(order) and is_juggling_pattern(order), "two balls land at once")
