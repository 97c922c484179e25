"""Legal words: automata, arrangement and lemma 3.1 against the definition."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.exact.errors import InvalidInput
from exactsched.logp.word_automaton import (
    arrange,
    is_juggling_pattern,
    is_legal,
    juggling_automaton,
    lemma_words,
    letters_of,
    word_automaton,
)
from exactsched.oracles.logp_words import received_twice


@pytest.mark.parametrize("L", range(1, 6))
def test_both_automata_have_the_words_of_the_definition(L: int) -> None:  # noqa: N803
    for length in range(7 if L < 4 else 5):
        legal = [x for x in product(range(L), repeat=length) if not received_twice(L, x)]
        assert [x for x in product(range(L), repeat=length) if is_legal(x, L)] == legal
        assert sorted(word_automaton(L).words(length)) == legal
        assert sorted(juggling_automaton(L).words(length)) == legal


def test_figure_2() -> None:
    automaton = word_automaton(3)
    names = {state: "".join("abc"[x] for x in state) for state in automaton.states}
    arcs = {
        names[s]: "".join("abc"[x] for x in sorted(t)) for s, t in automaton.transitions.items()
    }
    # Forbidden are ba, cb (neighbors) and c.a.
    assert arcs == {
        "aa": "abc", "ab": "bc", "ac": "ac", "bb": "bc", "bc": "ac", "ca": "bc", "cc": "c",
    }  # fmt: skip
    assert sorted(names[state] for state in automaton.starts) == ["ca", "cc"]
    words = {"".join("abc"[x] for x in word) for word in automaton.words(4)}
    assert words == {"cccc", "acab", "abca", "abbb"}
    # {a, a, a, b, b, c} has neither four c nor three b.
    assert {word for word in words if word.count("c") < 2 and word.count("b") < 3} == {
        "acab",
        "abca",
    }


@given(st.integers(3, 9), st.integers(0, 25))
def test_lemma_3_1(L: int, length: int) -> None:  # noqa: N803
    words = list(lemma_words(L, length))
    assert len(set(words)) == len(words)
    for word in words:
        assert len(word) == length
        assert not received_twice(L, word)


def test_a_prefix_of_lemma_3_1_that_is_too_short_is_illegal() -> None:
    # c^(L-4) d^* needs L - 4 letters: for L = 6 that is cc.
    assert not is_legal("c", 6)
    assert is_legal("cc", 6)
    assert (2,) not in lemma_words(6, 1)


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=40), st.integers(-3, 3))
def test_hall_arranges_whatever_has_sum_zero(numbers: list[int], shift: int) -> None:
    size = len(numbers)
    numbers[-1] += shift * size - sum(numbers)
    pattern = arrange(numbers, size)
    assert sorted(pattern) == sorted(numbers)
    assert pattern[0] == numbers[0]
    assert len({(i + w) % size for i, w in enumerate(pattern)}) == size
    assert is_juggling_pattern(pattern)


@given(st.permutations(range(9)))
def test_what_can_be_arranged_has_sum_zero(landing: list[int]) -> None:
    heights = [y - x for x, y in enumerate(landing)]
    assert is_juggling_pattern(heights)
    assert sum(heights) % 9 == 0
    heights[0] += 1
    assert not is_juggling_pattern(heights)
    with pytest.raises(InvalidInput, match="divisible by the number of integers, 9"):
        arrange(heights, 9)


def test_refusals() -> None:
    for call in (
        lambda: word_automaton(0),
        lambda: juggling_automaton(True),
        lambda: is_legal("abd", 3),
        lambda: is_legal((0.0,), 3),  # type: ignore[arg-type]
        lambda: arrange([], 0),
        lambda: arrange([1, 2], 3),
        lambda: arrange([0.0], 1),  # type: ignore[list-item]
        lambda: lemma_words(2, 3),
        lambda: lemma_words(3, -1),
        lambda: lemma_words(3, 2.0),  # type: ignore[arg-type]
        lambda: word_automaton(3).words(-1),
        lambda: word_automaton(9),
        lambda: juggling_automaton(17),
        lambda: is_juggling_pattern([1, 1.0]),  # type: ignore[list-item]
    ):
        with pytest.raises(InvalidInput):
            call()
    assert letters_of("cab", 3) == (2, 0, 1)
