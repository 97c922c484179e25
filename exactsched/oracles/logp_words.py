"""Words of block-cyclic broadcasts, juggling patterns, and what one processor receives in turn."""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence


def lands(indices: Sequence[int]) -> bool:
    """Whether balls thrown at all times land at different times.

    >>> lands((7, 0, 1, 2, 0)), lands((7, 0, 0, 1, 2))
    (True, False)
    """
    size = len(indices)
    return len({(place + index) % size for place, index in enumerate(indices)}) == size


def received_twice(L: int, word: Sequence[int]) -> bool:
    """Whether the first processor of a block receives an item twice.

    What has the index w at time i is the item whose broadcast ends at i + w.

    >>> received_twice(3, (0, 2, 0, 1)), received_twice(3, (0, 2, 1, 0))
    (False, True)
    """
    size = len(word) + 1
    indices = (L - 1 + size, *word)
    ends = [time + indices[time % size] for time in range(3 * (L + size))]
    return len(set(ends)) < len(ends)


def balls_of_the_lemma(L: int) -> Callable[[Sequence[int]], set[int]]:
    """The means of indices that lemma 3.1 gives a word, for each of its forms that the word has.

    >>> balls = balls_of_the_lemma(3)
    >>> balls((0, 2, 0, 1)), balls((2, 2, 2, 2)), balls((0, 0, 0, 0))
    ({2}, {3}, set())
    """
    names = [chr(0x4E00 + letter) for letter in range(L)]  # any number of letters
    a, b, c = names[:3]
    families = [(2, re.compile(f"{a}{{{L - 2}}}({c}{a})*{b}*"))]
    for low in range(1, L - 1):
        again = f"{names[low]}{{{L - 2 - low}}}{names[low + 1]}*"
        families.append((low + 2, re.compile(again)))

    def balls(word: Sequence[int]) -> set[int]:
        written = "".join(names[letter] for letter in word)
        return {number for number, family in families if family.fullmatch(written)}

    return balls


def roles_in_turn(
    depth: int, received: int, picks: Sequence[int]
) -> Iterator[tuple[int, bool, int]]:
    """For the latency 2, what one processor receives step by step, in full trees of this depth.

    Bit x of `received` says that the item due in step x has been received before.  Of the roles
    that are possible in a step, in the order of their indices, the one with the number
    picks[step], modulo their number, is taken.  Who receives the index w in step i sends it in the
    steps i, ..., i + w - 2.  What is due in a step is received by then.

    Each row has the index, whether nothing is sent in the step, and the node that is sent, named
    by the step of its reception.

    >>> list(roles_in_turn(3, 0, (0, 1)))
    [(0, True, 0), (0, True, 1)]
    """
    known = {x for x in range(depth) if received >> x & 1}
    sent: dict[int, int] = {}  # step -> when the node that is sent was received
    for step, pick in enumerate(picks):
        possible = [
            index
            for index in (*range(depth - 1), depth)
            if step + index not in known
            and (index == 0 or step in known)
            and not any(x in sent for x in range(step, step + index - 1))
        ]
        if not possible:
            return
        index = possible[pick % len(possible)]
        known.add(step + index)
        sent.update(dict.fromkeys(range(step, step + index - 1), step))
        yield index, step not in sent, sent.get(step, step)
