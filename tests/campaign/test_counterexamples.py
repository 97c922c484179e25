"""Counterexamples: made small, kept in files, and checked again."""

from __future__ import annotations

import json

import pytest

from exactsched.campaign.counterexample import read_counterexample
from exactsched.campaign.saving import save_counterexamples
from exactsched.exact.errors import Malformed
from exactsched.instances.choices import Seeded
from tests.campaign import toy_claims
from tests.campaign.toy_campaigns import (
    counts,
    mutilated,
    run,
)


def saved(report, folder, limit=0.5):
    return {
        read_counterexample(path).claim: read_counterexample(path)
        for path in save_counterexamples(report, folder, limit)
    }


def test_counterexamples_are_the_smallest(tmp_path):
    report = run(["toy.sum", "toy.pair", "toy.raises", "toy.picky", "toy.holds"], instances=60)
    found = saved(report, tmp_path)
    instances = {name: one.instance["listed"] for name, one in found.items()}
    assert instances == {
        "toy.sum": [51, 99],
        "toy.pair": [10, 10],
        "toy.raises": [1, 0, 0],
        "toy.picky": [51, 99],
    }
    assert found["toy.sum"].facts == {"sum": 150}
    assert found["toy.raises"].failure == "raised"


def test_what_dies_or_hangs_is_made_smaller_too(tmp_path, monkeypatch):
    """Each try that fails costs a process, or the limit; so there are few of them here."""
    monkeypatch.setattr("exactsched.campaign.saving.CHECKS", 10)
    report = run(["toy.dies", "toy.hangs"], instances=40, executor="process", limit=0.3)
    found = saved(report, tmp_path, limit=0.3)
    for name, deadly in (("toy.dies", {55, 66}), ("toy.hangs", {77})):
        number = report.tallies[name, "small"].failures[0].number
        before = toy_claims.numbers(Seeded(f"{name}/small/0/{number}"), 8).listed
        listed = found[name].instance["listed"]
        assert deadly & set(listed)
        assert (len(listed), listed) < (len(before), list(before))
    assert found["toy.hangs"].replay(0.3).kind == "hung"
    assert found["toy.dies"].replay(1).kind == "died"


def test_another_kind_of_failure_is_another_counterexample(tmp_path):
    """On the way to the smallest list that refutes there are some that kill the process."""
    report = run(["toy.brittle"], instances=1, seed=8, executor="process")
    assert counts(report, "toy.brittle") == {"refuted": 1}
    found = saved(report, tmp_path)["toy.brittle"]
    assert (found.failure, found.instance["listed"]) == ("refuted", [51, 99])


def test_a_failing_corner_is_kept_as_it_is(tmp_path):
    found = saved(run(["toy.corner"], instances=0), tmp_path)
    assert found["toy.corner"].instance["listed"] == [100, 99]


def test_counterexamples_are_run_again_from_their_files(tmp_path):
    report = run(["toy.sum"], instances=20)
    [path] = save_counterexamples(report, tmp_path, 1)
    written = path.read_bytes()
    assert read_counterexample(path).replay(1)[:2] == ("refuted", "the sum is 150 or more")
    assert save_counterexamples(report, tmp_path, 1) == [path]
    assert path.read_bytes() == written
    document = json.loads(written)
    document["instance"]["listed"] = [1]
    path.write_text(json.dumps(document))
    assert read_counterexample(path).replay(1).kind == "held"
    # A file that holds no counterexample is not kept for one.
    save_counterexamples(report, tmp_path, 1)
    assert path.read_bytes() == written


@pytest.mark.parametrize(
    "change",
    [
        ("kind", "campaign"),
        ("version", 0),
        ("claim", 5),
        ("failure", "held"),
        ("instance", []),
        ("number", "1/2"),
        ("more", 1),
    ],
)
def test_malformed_counterexamples_are_refused(tmp_path, change):
    [path] = save_counterexamples(run(["toy.sum"], instances=5), tmp_path, 1)
    document = mutilated(json.loads(path.read_text()), *change)
    with pytest.raises(Malformed):
        read_counterexample(document)


@pytest.mark.parametrize(
    "instance", [{}, {"listed": 1}, {"listed": [1.5]}, {"listed": [], "more": 1}]
)
def test_instances_of_another_kind_are_refused(tmp_path, instance):
    [path] = save_counterexamples(run(["toy.sum"], instances=5), tmp_path, 1)
    found = read_counterexample(json.loads(path.read_text()) | {"instance": instance})
    with pytest.raises(Malformed):
        found.replay(1)
