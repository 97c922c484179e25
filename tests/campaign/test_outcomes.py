"""Outcomes: what checks say of instances, how it is counted, and its digest."""

from __future__ import annotations

import pytest

from exactsched.campaign.library import Block, claims_of
from exactsched.campaign.outcomes import Outcome, outcome_hash, plain
from exactsched.instances.choices import Seeded
from tests.campaign.toy_campaigns import (
    LIBRARY,
    counts,
    run,
)


def test_counts_by_definition():
    """Held, not applicable and refuted are counted as a loop over the instances counts them."""
    report = run(["toy.holds", "toy.sum"], instances=230, seed=5)
    fared = {"toy.holds": [], "toy.sum": []}
    for name, verdicts in fared.items():
        claim = claims_of(LIBRARY)[name]
        for number in range(230):
            instance = claim.instance(Seeded(f"{name}/small/5/{number}"), claim.bounds.small)
            verdicts.append(claim.check(instance))
    holds = [verdict.applies for verdict in fared["toy.holds"]]
    assert counts(report, "toy.holds") == {"held": sum(holds), "beside": 230 - sum(holds)}
    wrong = [number for number, verdict in enumerate(fared["toy.sum"]) if not verdict.holds]
    assert counts(report, "toy.sum") == {"held": 230 - len(wrong), "refuted": len(wrong)}
    listed = [failure.number for failure in report.tallies["toy.sum", "small"].failures]
    assert listed == wrong[:10]


def test_corners_and_the_counterexample_come_first():
    report = run(["toy.corner", "toy.printed"], instances=0)
    assert counts(report, "toy.corner", "corners") == {"held": 1, "refuted": 1}
    assert report.tallies["toy.corner", "corners"].failures[0].number == 1
    assert counts(report, "toy.printed", "counterexample") == {"refuted": 1}


def test_what_is_wrong_as_printed_is_refuted_or_else_wrong():
    report = run(["toy.printed", "toy.misprinted", "toy.holds"], instances=50)
    assert counts(report, "toy.printed")["refuted"] > 5
    assert not report.tallies["toy.printed", "small"].failures
    assert [place[:2] for place in report.wrong()] == [("toy.misprinted", "counterexample")]


def test_an_exception_is_a_failure_with_its_type_message_and_place():
    report = run(["toy.raises", "toy.picky"], instances=60)
    failure = report.tallies["toy.raises", "small"].failures[0]
    assert failure.kind == "raised"
    assert failure.reason.startswith(
        "ZeroDivisionError: at <object object at 0x...> (toy_claims.py"
    )
    kinds = {failure.kind for failure in report.tallies["toy.picky", "small"].failures}
    assert kinds == {"refuted", "unmade"}


def test_facts_are_numbers_texts_lists_and_objects():
    with pytest.raises(TypeError):
        plain({"set": {1, 2}})
    with pytest.raises(TypeError):
        plain(0.5)


def test_the_digest_depends_on_everything_that_was_found():
    """Also on facts of instances that hold, and on which instance it was."""
    block = Block("toy.sum", "small", 0, 0, 1)
    found = Outcome("held", "", {"sum": 3})
    others = [
        outcome_hash(block, 0, Outcome("held", "", {"sum": 4})),
        outcome_hash(block, 0, Outcome("refuted", "", {"sum": 3})),
        outcome_hash(block, 1, found),
        outcome_hash(block._replace(seed=1), 0, found),
        outcome_hash(block._replace(size="medium"), 0, found),
        outcome_hash(block._replace(claim="toy.pair"), 0, found),
    ]
    assert len({outcome_hash(block, 0, found), *others}) == 7


def test_the_digest_does_not_depend_on_what_exceptions_say():
    """There may be an address in it, or how long somebody waited; the type is a result."""
    block = Block("toy.sum", "small", 0, 0, 1)

    def digest(kind, reason):
        return outcome_hash(block, 0, Outcome(kind, reason))

    assert digest("raised", "KeyError: 1") == digest("raised", "KeyError: 2")
    assert digest("raised", "KeyError: 1") != digest("raised", "ValueError: 1")
    assert digest("hung", "silent for 1 second") == digest("hung", "silent for 2 seconds")
    assert digest("refuted", "too large: 1") != digest("refuted", "too large: 2")
