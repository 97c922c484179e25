"""The block-cyclic word automaton: legal words, juggling patterns, M. Hall's theorem.

A processor of a block of size r receives in turn the header, of index L - 1 + r, and the letters of
a word of length r - 1; what has index w at time i is the item whose broadcast ends at time i + w.
Letters are the indices 0, 1, ..., L - 1, or their names a, b, c, ... in a string.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from exactsched.exact.errors import InvalidInput

Word = tuple[int, ...]
State = TypeVar("State")

# Automata of more letters have millions of states or of arcs.
MOST_WINDOW_LETTERS = 8
MOST_JUGGLED_LETTERS = 16


@dataclass(frozen=True, slots=True)
class WordAutomaton(Generic[State]):
    """A deterministic automaton: `transitions[state][letter]` is the next state.

    `starts` holds the start states, each with the letters that were read to arrive in it.
    """

    L: int
    states: tuple[State, ...]
    starts: dict[State, Word]
    transitions: dict[State, dict[int, State]]

    def words(self, length: int) -> Iterator[Word]:
        """The words of a length r - 1 for blocks of size r, by the paper's recipe (section 3.2).

        From a start state follow r arcs that end in the same state, so that letters x_1 x_2 ... are
        read, those of the start state included; if x_1 is the top letter L - 1, then x_2 ... x_r is
        a word.  The time is proportional to the number of walks.

        Raises `InvalidInput` if the length is not an integer >= 0.

        >>> sorted("".join("abc"[x] for x in word) for word in word_automaton(3).words(4))
        ['abbb', 'abca', 'acab', 'cccc']
        """
        return self._words(_checked_length(length))

    def _words(self, length: int) -> Iterator[Word]:
        for start, read in self.starts.items():
            walks: list[tuple[State, Word]] = [(start, ())]
            while walks:
                state, letters = walks.pop()
                if len(letters) <= length:
                    arcs = self.transitions[state].items()
                    walks.extend([(head, (*letters, letter)) for letter, head in arcs])
                elif state == start and (read + letters)[0] == self.L - 1:
                    yield (read + letters)[1 : length + 1]


def word_automaton(L: int) -> WordAutomaton[Word]:
    """The automaton of Karp, Sahay, Santos and Schauser: its states are windows of L - 1 letters.

    Letters x_i, x_j at the places i < j of a window are *in conflict*, the same item twice, if
    x_i - x_j = j - i.  States are the windows without conflict; a letter may follow if the L last
    letters are without conflict; start states begin with the top letter L - 1.

    There are 1, 2, 7, 36, 246, 2104, 21652, 260720 states for L = 1, ..., 8.  Raises `InvalidInput`
    if L is not an integer from 1 to 8.  Complexity: O(L^2) for each state and letter.

    Reference: section 3.2 and figure 2; proofs/logp-words.md.

    >>> automaton = word_automaton(3)
    >>> len(automaton.states), sorted(automaton.starts)
    (7, [(2, 0), (2, 2)])
    >>> automaton.transitions[2, 0]  # ca is followed by b or c
    {1: (0, 1), 2: (0, 2)}
    """
    letters = range(_checked_latency(L, MOST_WINDOW_LETTERS))
    windows: list[Word] = [()]
    for _ in range(L - 1):
        windows = [
            (*x, letter) for x in windows for letter in letters if not _conflict((*x, letter))
        ]
    states = tuple(windows)
    transitions = {
        state: {x: (*state, x)[1:] for x in letters if not _conflict((*state, x))}
        for state in states
    }
    starts = {state: state for state in states if state[:1] in ((), (L - 1,))}
    return WordAutomaton(L, states, starts, transitions)


def juggling_automaton(L: int) -> WordAutomaton[frozenset[int]]:
    """The automaton of juggling states: 2^(L-1) sets of landing times that are taken.

    A letter x is a ball that lands after x beats; two balls must not land together.  A state is the
    set of the beats, counted from now, in which balls already in the air land: a subset of
    {0, ..., L - 2}.  It has the same words as `word_automaton`.

    Raises `InvalidInput` if L is not an integer from 1 to 16.  Complexity: O(L^2 2^L).

    Reference: Buhler, Eisenbud, Graham, Wright, Juggling drops and descents, 1994;
    proofs/logp-words.md.

    >>> automaton = juggling_automaton(3)
    >>> automaton.transitions[frozenset({0})] == {1: frozenset({0}), 2: frozenset({1})}
    True
    """
    _checked_latency(L, MOST_JUGGLED_LETTERS)
    states = tuple(
        [frozenset(b for b in range(L - 1) if bits >> b & 1) for bits in range(1 << (L - 1))]
    )
    transitions = {
        state: {x: frozenset(b - 1 for b in state | {x} if b) for x in range(L) if x not in state}
        for state in states
    }
    return WordAutomaton(L, states, dict.fromkeys(states, ()), transitions)


def is_legal(word: str | Sequence[int], L: int) -> bool:
    """Whether no processor of a block with this word ever receives an item twice: by definition.

    The block has size r = len(word) + 1.  Its first processor has index L - 1 + r at the times
    0, r, 2r, ... and the letters between; the others do the same later.  All times are compared at
    which one item could be received.  Time and space O(L + r).

    Raises `InvalidInput` for letters outside 0..L-1.

    Reference: sections 3.1 and 3.2; proofs/logp-words.md.

    >>> [word for word in ("acab", "abca", "baca", "caab") if is_legal(word, 3)]
    ['acab', 'abca']
    """
    _checked_latency(L)
    letters = letters_of(word, L)
    size = len(letters) + 1
    received = set()
    # An item is received at most L - 1 + r steps apart, so these periods show every conflict.
    for period in range((L - 1) // size + 3):
        for place, index in enumerate((L - 1 + size, *letters)):
            item = period * size + place + index
            if item in received:
                return False
            received.add(item)
    return True


def is_juggling_pattern(indices: Sequence[int]) -> bool:
    """Whether i -> i + w_i is a bijection modulo r, for the r given integers w_i.

    That is the rule for legal cycles of any indices (a word with its header among them).  Raises
    `InvalidInput` unless they are integers.  Time O(r).

    >>> is_juggling_pattern([7, 0, 2, 0, 1]), is_juggling_pattern([7, 1, 0, 2, 0])
    (True, False)
    """
    size = len(_checked_integers(indices))
    return len({(place + index) % size for place, index in enumerate(indices)}) == size


def arrange(letters: Sequence[int], modulus: int) -> Word:
    """The integers in an order w_0, w_1, ... in which i -> i + w_i is a bijection modulo r.

    There is one if and only if the sum of the r integers is divisible by r (M. Hall 1952); the
    first integer given stays first.  Time O(r^2).

    Raises `InvalidInput` if r = `modulus` is not their number or does not divide their sum.

    Reference: M. Hall, A combinatorial problem on abelian groups, 1952; proofs/logp-words.md.

    >>> arrange([7, 0, 0, 1, 2], 5)
    (7, 0, 1, 2, 0)
    """
    size = len(letters)
    if size == 0 or type(modulus) is not int or modulus != size:
        raise InvalidInput("modulus", modulus, f"the number of integers, {size}, at least 1")
    _checked_integers(letters)
    if sum(letters) % size:
        rule = f"divisible by the number of integers, {size} (M. Hall)"
        raise InvalidInput("sum of the letters", sum(letters), rule)
    residues = [letter % size for letter in letters]
    # thrown[x] is the letter at beat x, caught[y] the beat from which a ball lands at beat y.
    thrown, caught = [0] * size, list(range(size))
    rest = 0
    for residue in filter(None, residues[:-1]):
        # Thrown are the letters before this one, `rest` and zeros; rest and a zero become this
        # letter and a new rest.
        pending, rest, old = residue, (rest - residue) % size, rest
        beat = thrown.index(old)
        other = thrown.index(0, beat + 1) if old == 0 else thrown.index(0)
        free = {(beat + old) % size, other}
        while True:
            landing = (beat + pending) % size
            thrown[beat], displaced = pending, caught[landing]
            caught[landing] = beat
            if landing in free:
                break
            beat, other, pending = other, displaced, thrown[displaced]
        thrown[other] = rest
        caught[(other + rest) % size] = other
    first = thrown.index(residues[0])
    places = _by_residue(letters, residues)
    return tuple(places[residue].pop() for residue in thrown[first:] + thrown[:first])


def _by_residue(letters: Sequence[int], residues: Sequence[int]) -> dict[int, list[int]]:
    """The letters of each residue class in reverse order, to be popped."""
    classes: dict[int, list[int]] = {}
    for letter, residue in zip(reversed(letters), reversed(residues), strict=True):
        classes.setdefault(residue, []).append(letter)
    return classes


def lemma_words(L: int, length: int) -> Iterator[Word]:
    """The words of a length that lemma 3.1 of the paper says are legal.

    They are a^(L-2) (ca)^* b^* and b^(L-3) c^*, c^(L-4) d^*, ..., each with its whole prefix; the
    minimal lengths are L - 2, and L - 2 - i for the family whose last letter is i + 1.  Raises
    `InvalidInput` unless L >= 3 and length >= 0 are integers.

    Reference: lemma 3.1; proofs/logp-words.md.

    >>> sorted("".join("abc"[x] for x in word) for word in lemma_words(3, 4))
    ['abbb', 'acab', 'cccc']
    """
    if _checked_latency(L) < 3:
        raise InvalidInput("L", L, "lemma 3.1 speaks of at least three letters")
    return _lemma_words(L, _checked_length(length))


def _lemma_words(L: int, length: int) -> Iterator[Word]:
    for pairs in range((length - L + 2) // 2 + 1):
        yield (0,) * (L - 2) + (2, 0) * pairs + (1,) * (length - L + 2 - 2 * pairs)
    for low in range(max(1, L - 2 - length), L - 1):
        prefix = L - 2 - low
        yield (low,) * prefix + (low + 1,) * (length - prefix)


def letters_of(word: str | Sequence[int], L: int) -> Word:
    """A word as numbers: a string of letters a, b, c, ... or integers from 0 to L - 1.

    >>> letters_of("acab", 3)
    (0, 2, 0, 1)
    """
    letters = tuple([ord(name) - ord("a") for name in word] if isinstance(word, str) else word)
    for place, letter in enumerate(letters):
        if type(letter) is not int or not 0 <= letter < L:
            rule = f"a letter is one of the first {L}, or an integer from 0 to {L - 1}"
            raise InvalidInput(f"letter {place} of the word", word[place], rule)
    return letters


def _checked_latency(L: object, limit: int | None = None) -> int:
    if type(L) is not int or L < 1:
        raise InvalidInput("L", L, "the latency of the postal model is a positive integer")
    if limit is not None and limit < L:
        raise InvalidInput("L", L, f"this automaton is built for at most {limit} letters")
    return L


def _checked_length(length: object) -> int:
    if type(length) is not int or length < 0:
        raise InvalidInput("length", length, "the length of a word is an integer >= 0")
    return length


def _checked_integers(numbers: Sequence[int]) -> Sequence[int]:
    for place, number in enumerate(numbers):
        if type(number) is not int:
            raise InvalidInput(f"letter {place}", number, "an integer")
    return numbers


def _conflict(window: Sequence[int]) -> bool:
    """Whether two letters of the window are the same item."""
    return len({place + letter for place, letter in enumerate(window)}) < len(window)
