"""What the generated modules take from Python is what Rocq's library defines."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from exactsched.kernel.runtime import (
    Map,
    add,
    compare,
    empty,
    find,
    iterate,
    listed,
    mem,
    quotient,
    remainder,
    remove,
    repeated,
)

KEYS = st.integers(1, 6)
STEPS = st.lists(
    st.tuples(st.sampled_from(["add", "remove", "find"]), st.integers(0, 30), KEYS, st.integers()),
    max_size=40,
)


@given(STEPS)
def test_every_version_of_a_map_stays_as_it_is(steps: list[tuple[str, int, int, int]]) -> None:
    """Operations on versions old and new, and the same on copies of dictionaries."""
    versions: list[tuple[Map, dict[int, Any]]] = [(empty, {})]
    for what, which, key, value in steps:
        version, same = versions[which % len(versions)]
        if what == "add":
            versions.append((add(key, value, version), {**same, key: value}))
        elif what == "remove":
            rest = {other: kept for other, kept in same.items() if other != key}
            versions.append((remove(key, version), rest))
        else:
            assert find(key, version) == ((same[key],) if key in same else None)
            assert mem(key, version) == (key in same)
    for version, same in versions:
        for key in range(1, 7):
            assert find(key, version) == ((same[key],) if key in same else None)


@given(st.integers(), st.integers())
def test_quotients_and_remainders(a: int, b: int) -> None:
    """As Rocq's `Z.div` and `Z.modulo`: a = b q + r, and r lies between 0 and b."""
    q, r = quotient(a, b), remainder(a, b)
    assert a == b * q + r
    assert 0 <= r < b or b < r <= 0 or b == 0
    assert (q, r) == (0, a) or b != 0
    assert compare(a, b) == {True: "Lt", False: "Gt"}.get(a < b if a != b else None, "Eq")


def test_iteration() -> None:
    def double(n: int) -> int:
        return 2 * n

    assert [iterate(n, double, 1) for n in (-1, 0, 5)] == [1, 1, 32]
    assert repeated(double, 1, 5) == 32


def test_a_long_map_that_is_branched_stays_fast() -> None:
    """Old versions are read again and again, as the checker does for every structure."""
    known = empty
    for key in range(1, 300):
        known = add(key, 0, known)
    for _ in range(300):
        grown = known
        for key in range(300, 600):
            grown = add(key, 1, grown)
        assert find(599, grown) == (1,)
        assert find(599, known) is None


def test_lists_are_pairs() -> None:
    assert listed(range(3)) == (0, (1, (2, ())))
    assert listed(range(100_000))[0] == 0  # and no recursion
