"""Children that die, hang or are killed: nothing else is lost with them."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from exactsched.campaign import isolation
from exactsched.campaign.isolation import Lost, call_isolated, close_children
from exactsched.campaign.library import Block, claims_of
from exactsched.certificate.elements import read_list
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.instances.choices import Seeded
from tests.campaign.toy_campaigns import (
    LIBRARY,
    children_of,
    leave_behind,
    results,
    run,
)

SLOW = ["toy.slow", "toy.holds"]


@pytest.mark.parametrize("executor", ["process"])
def test_what_dies_or_hangs_is_found_and_the_others_are_not_lost(executor):
    report = run(["toy.dies", "toy.hangs"], instances=60, executor=executor, jobs=2, limit=0.4)
    died = report.tallies["toy.dies", "small"]
    for name, deadly in (("toy.dies", (55, 66)), ("toy.hangs", (77,))):
        claim = claims_of(LIBRARY)[name]
        expected = []
        for number in range(60):
            made = claim.instance(Seeded(f"{name}/small/0/{number}"), 8).listed
            if any(one in made for one in deadly):
                expected.append(number)
        assert [failure.number for failure in report.tallies[name, "small"].failures] == expected
        assert report.tallies[name, "small"].counts["held"] == 60 - len(expected)
        assert expected
    assert {failure.reason for failure in died.failures} == {
        "ended with exit code 3",
        "ended by SIGKILL",
    }
    [hung] = {failure.kind for failure in report.tallies["toy.hangs", "small"].failures}
    assert hung == "hung"


def test_a_child_that_hangs_ends_with_its_master():
    """Its input ends: nobody is left to kill it."""
    child = subprocess.Popen(
        [sys.executable, "-c", "from exactsched.campaign.child import main; main()"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdin
    assert child.stdout
    for function, argument in ((abs, -7), (time.sleep, 1000)):
        pickle.dump((function, (argument,), 1000.0), child.stdin)
    child.stdin.flush()
    assert pickle.load(child.stdout) == (True, 7)
    time.sleep(0.2)
    assert child.poll() is None
    child.stdin.close()
    assert child.wait(timeout=30) == 0
    child.stdout.close()


def test_a_killed_child_costs_nothing_but_time():
    """The block that it had is run again; no instance is at fault, so none is reported."""
    killed = []

    def progress(standing):
        if standing.done and len(killed) < 2:
            [child, *_] = children_of(os.getpid())
            os.kill(child, signal.SIGKILL)
            killed.append(child)

    found = run(SLOW, instances=300, executor="process", jobs=2, progress=progress)
    assert len(killed) == 2
    assert results(found) == results(run(SLOW, instances=300))


@pytest.mark.parametrize(
    ("function", "arguments", "kind"),
    [
        (pow, (3, 10**9), "hung"),  # no line of Python is run meanwhile
        (os._exit, (5,), "died"),
    ],
)
def test_a_child_that_is_lost_is_replaced(function, arguments, kind):
    try:
        with pytest.raises(Lost) as lost:
            call_isolated(LIBRARY, 0.3, function, *arguments)
        assert lost.value.outcome.kind == kind
        assert call_isolated(LIBRARY, 1e300, abs, -7) == 7
    finally:
        close_children()


def test_a_process_left_behind_by_a_dead_child_hides_nothing():
    """It has inherited the pipe, whose end says that the child is dead."""
    start = time.monotonic()
    try:
        with pytest.raises(Lost, match="exit code 3"):
            call_isolated(LIBRARY, 60, leave_behind, 60)
        assert time.monotonic() - start < 30
    finally:
        close_children()


def test_the_limit_is_for_an_instance_not_for_its_block():
    """All of them together take twice as long."""
    block = Block("toy.slow", "small", 0, 0, 200)
    try:
        tally = call_isolated(LIBRARY, 0.5, isolation._run_block, block, LIBRARY, 0.5)
    finally:
        close_children()
    assert (tally.instances, tally.failed) == (200, 0)
    assert tally.microseconds > 500_000


def test_exceptions_come_back_as_they_were():
    try:
        with pytest.raises(InvalidInput, match="cannot be imported: No module"):
            call_isolated("no_such_module", 60, abs, -7)
        with pytest.raises(Malformed) as error:
            call_isolated(LIBRARY, 60, read_list, {"a": 1}, "here")
        assert (error.value.place, error.value.value) == ("here", {"a": "..."})
    finally:
        close_children()
