"""Campaigns find bugs: each of those planted here is found by at most 1,000 small instances."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from exactsched.campaign.library import seeded
from exactsched.campaign.outcomes import judged
from tests.campaign.planted import Bug, changed, plain, planted
from tests.theorems.test_theorems import RIGHT, listed

MOST = 1000
BUGS = [
    bug
    for path in sorted(Path(__file__).parent.glob("bugs/[a-z]*.py"))
    for bug in import_module(f"tests.campaign.bugs.{path.stem}").BUGS
]
# What judges solvers; a bug there would show nothing about the claims.
JUDGES = ("exact", "certificate", "check", "oracles", "instances", "campaign")


# Not a limit on speed: a bug that makes a search run for ever should not stop the whole suite.
PATIENCE = 400


class Hangs(BaseException):
    """No `Exception`: what judges an instance would take it for the bug."""


@contextmanager
def interrupted(seconds: int) -> Iterator[None]:
    """Raises `Hangs` if the block takes longer."""

    def stop(*_: object) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def named(bug):
    return f"{bug.claim}:{plain(bug.function).__qualname__}"


@pytest.mark.parametrize("bug", BUGS, ids=named)
def test_a_planted_bug_is_found(bug):
    claim = listed()[bug.claim]
    try:
        with interrupted(PATIENCE), planted(bug):
            for number in range(bug.first, MOST):
                instance = claim.instance(seeded(claim, "small", 0, number), claim.bounds.small)
                if judged(claim, instance).kind in ("refuted", "raised"):
                    return
    except Hangs:
        pytest.fail(f"a search runs for ever; plant another bug than {bug}")
    pytest.fail(f"not found by {MOST} small instances: {bug}")


def test_every_claim_has_a_planted_bug():
    """But for those that are wrong as printed: nothing is implemented that could be wrong."""
    with_bug = {bug.claim for bug in BUGS}
    assert [name for name in RIGHT if name not in with_bug] == []
    assert sorted(with_bug - set(RIGHT)) == []


def test_bugs_are_planted_in_what_claims_test_and_not_in_what_judges_it():
    for bug in BUGS:
        module = plain(bug.function).__module__
        package, layer, *_ = module.split(".")
        tested = f"{module.replace('.', '/')}.py" in listed()[bug.claim].implemented
        assert package == "exactsched"
        assert tested or layer not in JUDGES, named(bug)


def for_ever():
    while True:
        pass


def test_a_bug_that_runs_for_ever_is_interrupted():
    with pytest.raises(Hangs), interrupted(1):
        for_ever()


# Planting itself.


def double(x):
    return 2 * x


class Doubled:
    def __init__(self, x):
        self.x = x

    @property
    def value(self):
        return 2 * self.x

    @staticmethod
    @cache
    def cached(x):
        return 2 * x


def test_everybody_runs_the_wrong_code_for_a_while():
    """The function itself has other code, under every name that it was given."""
    kept = double
    with planted(Bug("", double, "2 * A", "3 * A")):
        assert (double(5), kept(5)) == (15, 15)
    assert (double(5), kept(5)) == (10, 10)


def test_properties_and_caches_are_seen_through():
    with planted(Bug("", Doubled.value, "2 * A", "3 * A")):
        assert Doubled(5).value == 15
    with planted(Bug("", Doubled.cached, "2 * A", "3 * A")):
        assert Doubled.cached(5) == 15
    Doubled.cached.cache_clear()
    assert (Doubled(5).value, Doubled.cached(5)) == (10, 10)


@pytest.mark.parametrize(
    ("right", "wrong", "becomes"),
    [
        ("A + B", "A - B", "z = x - y"),
        ("A = B + C", "A = C", "z = y"),
        ("A.append(A)", "A.append(B)", None),
        ("A.B(A.B)", "A.B", "x.keep"),
        ("A += 1\nA += 1", "A += 2", "x += 2"),
        ("A += 1", "pass", None),
        ("while A: ...", "if A: ...", "if x:\n        x -= 1\n        y -= 1"),
        ("2", "3", None),
        ("True", "False", "return (x, False)"),
    ],
)
def test_patterns(right, wrong, becomes):
    """What matches nowhere or twice is refused."""
    bug = Bug("", sample, right, wrong)
    if becomes is None:
        with pytest.raises(AssertionError, match=r"matches (0|2) times"):
            changed(bug)
    else:
        assert becomes in changed(bug)


def sample(x, y):
    z = x + y
    x.keep(x.keep)
    x += 1
    x += 1
    while x:
        x -= 1
        y -= 1
    x.append(z)
    return x, True
