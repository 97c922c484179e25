"""Reports: written, read, merged and refused."""

from __future__ import annotations

import json

import pytest

from exactsched.campaign import merged, read_report
from exactsched.campaign.outcomes import Tally
from exactsched.exact.errors import InvalidInput, Malformed
from tests.campaign.toy_campaigns import (
    mutilated,
    run,
    undisturbed,
)


def test_a_report_is_read_as_it_was_written(tmp_path):
    undisturbed().write(tmp_path / "a.json")
    again = read_report(tmp_path / "a.json")
    assert again.document() == undisturbed().document()
    assert again == undisturbed()


def test_a_finished_report_is_not_made_again(tmp_path):
    path = tmp_path / "a.json"
    first = run(["toy.sum"], instances=20, report=path)
    written = path.read_bytes()
    assert list(tmp_path.iterdir()) == [path]
    seen = []
    again = run(["toy.sum"], instances=20, report=path, progress=seen.append)
    assert again == first
    assert not seen
    assert path.read_bytes() == written


def test_reports_that_do_not_belong_together_are_not_merged():
    parts = [run(["toy.sum"], instances=250, shard=(number, 2)) for number in (1, 2)]
    with pytest.raises(InvalidInput, match="instances 250 and 240"):
        merged([parts[0], run(["toy.sum"], instances=240, shard=(2, 2))])
    with pytest.raises(InvalidInput, match="overlap"):
        merged([parts[0], run(["toy.sum"], instances=250, shard=(2, 3))])
    [(place, tally)] = [
        one for one in parts[0].shards[1, 2].items() if one[0] == ("toy.sum", "small")
    ]
    other = {(1, 2): parts[0].shards[1, 2] | {place: tally + Tally(digest="1".zfill(64))}}
    changed = type(parts[0])(parts[0].campaign, parts[0].statuses, other)
    with pytest.raises(InvalidInput, match="twice, with different results"):
        merged([parts[0], changed])


@pytest.mark.parametrize(
    "change",
    [
        ("kind", "broadcast"),
        ("version", 0),
        ("more", 1),
        ("campaign", "instances", "many"),
        ("campaign", "sizes", ["tiny"]),
        ("campaign", "claims", [1]),
        ("statuses", []),
        ("shards", []),
        ("shards", 0, "shard", [2, 1]),
        ("shards", 0, "results", 0, "claim", "toy.other"),
        ("shards", 0, "results", 0, "size", "huge"),
        ("shards", 0, "results", 0, "counts", {"held": -1}),
        ("shards", 0, "results", 0, "counts", {"gone": 1}),
        ("shards", 0, "results", 0, "digest", "xyz"),
        ("shards", 0, "results", 0, "failures", [[1, "refuted"]]),
        ("shards", 0, "results", 1, "size", "corners"),
        ("microseconds", []),
    ],
)
def test_malformed_reports_are_refused(tmp_path, change):
    document = run(["toy.sum"], instances=5).document()
    path = tmp_path / "a.json"
    path.write_text(json.dumps(mutilated(document, *change)))
    with pytest.raises(Malformed):
        read_report(path)
