"""Campaigns: the same results for any number of workers and of parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.campaign import merged
from exactsched.campaign.blocks import LENGTHS, Campaign, Part, run_block
from exactsched.campaign.library import Block
from exactsched.exact.errors import InvalidInput
from tests.campaign.toy_campaigns import (
    HARMLESS,
    LIBRARY,
    results,
    run,
    undisturbed,
)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_processes_find_what_one_process_finds(jobs):
    found = run(HARMLESS, instances=250, sizes=("medium", "small"), executor="process", jobs=jobs)
    assert results(found) == results(undisturbed())


def test_shards_add_up():
    parts = [
        run(HARMLESS, instances=250, sizes=("small", "medium"), shard=(number, 3))
        for number in (1, 2, 3)
    ]
    assert all(not part.complete for part in parts)
    assert merged(parts[1:]).shards.keys() == {(2, 3), (3, 3)}
    assert results(merged([parts[2], merged(parts[:2])])) == results(undisturbed())
    assert results(merged([undisturbed(), undisturbed()])) == results(undisturbed())


def test_more_instances_begin_with_the_fewer():
    """Instance i does not depend on how many there are."""
    few = run_block(Block("toy.sum", "small", 0, 0, 40), LIBRARY)
    more = few + run_block(Block("toy.sum", "small", 0, 40, 100), LIBRARY)
    assert more == run_block(Block("toy.sum", "small", 0, 0, 100), LIBRARY)
    assert few != run_block(Block("toy.sum", "small", 1, 0, 40), LIBRARY)


@given(st.integers(1, 7), st.integers(0, 450), st.lists(st.sampled_from(HARMLESS), min_size=1))
def test_every_instance_is_in_one_block_of_one_shard(shards, instances, claims):
    names = tuple(dict.fromkeys(claims))
    campaign = Campaign("", LIBRARY, ("small", "medium"), instances, 0, names)
    blocks = [
        block
        for number in range(shards)
        for _, block in Part(campaign, (number + 1, shards)).blocks()
    ]
    seen = [
        (block.claim, block.size, number)
        for block in blocks
        for number in range(block.first, block.last)
    ]
    random = {(name, size, k) for name in names for size in LENGTHS for k in range(instances)}
    assert len(seen) == len(set(seen))
    assert {one for one in seen if one[1] in LENGTHS} == {
        one for one in random if one[1] != "large"
    }


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"claims": ["toy.sun"]}, "toy.sun"),
        ({"claims": []}, "claims.*at least one"),
        ({"instances": -1}, "0 or more"),
        ({"instances": 1.5}, "whole number"),
        ({"instances": True}, "whole number"),
        ({"seed": -1}, "0 or more"),
        ({"seed": 2**53}, "below 2\\^53"),
        ({"sizes": ("tiny",)}, "small, medium, large"),
        ({"sizes": ()}, "size.*at least one"),
        ({"shard": (0, 2)}, "K from 1 to N"),
        ({"shard": (3, 2)}, "K from 1 to N"),
        ({"limit": 0}, "positive"),
        ({"jobs": 0}, "1 or more"),
        ({"executor": "threads"}, "process, serial, dask"),
        ({"library": "no_such_module"}, "cannot be imported"),
        ({"library": "json"}, "functions under @claim"),
        ({"report": "no/such/folder/a.json"}, "cannot be written"),
    ],
)
def test_bad_parameters_are_refused(changed, told):
    with pytest.raises(InvalidInput, match=told):
        run(**({"claims": ["toy.sum"], "instances": 1} | changed))
