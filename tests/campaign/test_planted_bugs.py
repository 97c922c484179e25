"""Campaigns find bugs: each of those planted here is found by at most 1,000 small instances."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from exactsched.campaign.blocks import judged, seeded
from tests.campaign.planted import planted
from tests.theorems.test_theorems import RIGHT, listed

MOST = 1000
BUGS = [
    bug
    for path in sorted(Path(__file__).parent.glob("bugs/[a-z]*.py"))
    for bug in import_module(f"tests.campaign.bugs.{path.stem}").BUGS
]


def named(bug):
    return f"{bug.claim}:{bug.module}"


@pytest.mark.parametrize("bug", BUGS, ids=named)
def test_a_planted_bug_is_found(bug):
    claim = listed()[bug.claim]
    with planted(bug):
        for number in range(MOST):
            instance = claim.instance(seeded(claim, "small", 0, number), claim.bounds.small)
            if judged(claim, instance).kind in ("refuted", "raised"):
                return
    pytest.fail(f"not found by {MOST} small instances: {bug}")


def test_every_claim_has_a_planted_bug():
    """But for those that are wrong as printed: nothing is implemented that could be wrong."""
    with_bug = {bug.claim for bug in BUGS}
    assert [name for name in RIGHT if name not in with_bug] == []
    assert sorted(with_bug - set(RIGHT)) == []
