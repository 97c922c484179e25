"""Parts that a document repeats are the same record, if they are the same to the byte."""

from __future__ import annotations

from typing import Any

import pytest

from exactsched.certificate.bounds import Bound
from exactsched.certificate.codec import read
from exactsched.certificate.repeated import read_once, remembering


class Text(str):
    """Another type of the same words."""

    __slots__ = ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (["a", 1], ["a", 1], True),
        ([], (), False),
        ([1], [True], False),
        ([1], ["1"], False),
        (["a"], [Text("a")], False),
        ([object], [object], False),
        (["a" * 1000], ["a" * 1000], True),
        (["a" * 1100], ["a" * 1100], False),
    ],
)
def test_what_is_read_once(one: Any, other: Any, same: bool) -> None:
    reader = read_once(list)
    with remembering():
        assert (reader(one) is reader(other)) == same
        assert reader(other) == list(other)


def test_what_is_refused_is_refused_again() -> None:
    reader = read_once(int)
    with remembering():
        for _ in range(2):
            with pytest.raises(ValueError, match="invalid literal"):
                reader("a")


def test_cases_with_the_same_bound_are_the_same_record() -> None:
    """Within a document; another reading makes other records, which nobody can have changed."""
    leaf = {"by": "cuts", "prices": {}, "order": [], "cuts": [], "startup_cuts": [], "odd_sets": []}
    cases = [{"without": [0], "proof": leaf}, {"without": [1], "proof": dict(leaf)}]
    document = {"by": "split-on-cycle", "cycle": [0, 1], "cases": cases}
    one, other = read(Bound, document, "proof"), read(Bound, document, "proof")
    assert one == other
    assert one.cases[0].proof is one.cases[1].proof
    assert one.cases[0].proof is not other.cases[0].proof
