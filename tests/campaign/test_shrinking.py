"""Lists of choices made small."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.campaign.shrinking import shrink
from exactsched.instances.choices import Replayed, Seeded
from tests.campaign import toy_claims


def as_made(generator, fails):
    """What `shrink` asks: choices as the generator made them, if the instance fails."""

    def still_fails(listed):
        choices = Replayed(listed)
        try:
            instance = generator(choices)
        except ValueError:
            return None
        return choices.made if fails(instance) else None

    return still_fails


@given(st.integers(0, 10**9))
@settings(max_examples=25)
def test_shrinking_ends_at_the_smallest(seed):
    """Sums, lengths, order and ties: the shortlex least list that fails is known for each."""

    def lists(choices):
        return toy_claims.numbers(choices, 12).listed

    cases = (
        (lambda made: sum(made) >= 200, [3, 2, 99, 99]),
        (lambda made: len(made) >= 4, [4, 0, 0, 0, 0]),
        (lambda made: list(made) != sorted(made), [2, 1, 0]),
        (lambda made: len(set(made)) < len(made), [2, 0, 0]),
        (lambda made: any(one > 41 for one in made), [1, 42]),
    )
    start = Seeded(str(seed))
    instance = lists(start)
    for fails, least in cases:
        if fails(instance):
            assert shrink(start.made, as_made(lists, fails)) == least


def test_shrinking_keeps_to_its_budget():
    asked = []

    def still_fails(listed):
        asked.append(listed)

    shrink([5] * 2000, still_fails, checks=7)
    assert len(asked) == 7
    assert shrink([5, 6], still_fails, seconds=0) == [5, 6]


def test_shrinking_survives_generators_that_refuse():
    def generator(choices):
        made = toy_claims.numbers(choices, 8).listed
        if 0 in made or len(made) == 2:
            raise ValueError
        return made

    start = Replayed([5, 50, 60, 70, 80, 90])
    generator(start)
    assert shrink(start.made, as_made(generator, lambda made: sum(made) > 99)) == [3, 1, 1, 98]
