"""Journals: campaigns that are interrupted in any way continue where they were."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.campaign.outcomes import Tally
from exactsched.certificate.codec import write
from exactsched.exact.errors import InvalidInput, Malformed
from tests.campaign.toy_campaigns import (
    HARMLESS,
    LIBRARY,
    children_of,
    results,
    run,
    undisturbed,
)


class Stopped(Exception):
    pass


def stop_after(blocks, asked):
    """A campaign that is interrupted after some blocks."""
    told = []

    def progress(standing):
        told.append(standing)
        if len(told) > blocks:
            raise Stopped

    with pytest.raises(Stopped):
        run(**asked, progress=progress)


def test_a_campaign_continues_after_every_block(tmp_path):
    path = tmp_path / "a.json"
    asked = {"instances": 250, "sizes": ("small", "medium"), "report": path, "claims": HARMLESS}
    blocks = sum(1 for _ in undisturbed().campaign.blocks())
    for done in range(blocks - 1):
        stop_after(1, asked)
        assert not path.exists()
        lines = (tmp_path / "a.json.journal").read_text().splitlines()
        assert len(lines) == 2 + done
    seen = []
    assert results(run(**asked, progress=seen.append)) == results(undisturbed())
    assert seen[0].resumed == seen[0].done > 0
    assert seen[-1].done == seen[-1].total
    assert list(tmp_path.iterdir()) == [path]


@given(cut=st.integers(1, 400))
@settings(max_examples=12)
def test_a_torn_line_is_dropped(tmp_path_factory, cut):
    folder = tmp_path_factory.mktemp("torn")
    path = folder / "a.json"
    asked = {"instances": 250, "sizes": ("small", "medium"), "report": path, "claims": HARMLESS}
    stop_after(4, asked)
    journal = folder / "a.json.journal"
    written = journal.read_bytes()
    journal.write_bytes(written[: max(0, len(written) - cut)])
    stop_after(2, asked)  # what is written after the torn line can be read, too
    assert results(run(**asked)) == results(undisturbed())


@pytest.mark.parametrize(
    "line",
    [
        *["{", "[]", '{"block": 1}', '{"block": 1, "tally": 0}', '{"block": 1, "tally": {}}'],
        # A block that there is not.
        json.dumps({"block": 999, "tally": write(Tally, Tally())}),
    ],
)
def test_a_journal_with_another_line_is_refused(tmp_path, line):
    path = tmp_path / "a.json"
    asked = {"instances": 250, "report": path, "claims": ["toy.sum"]}
    stop_after(1, asked)
    journal = tmp_path / "a.json.journal"
    kept = journal.read_text() + line + "\n"
    journal.write_text(kept)
    with pytest.raises(Malformed, match=r"a\.json\.journal, line 3"):
        run(**asked)
    assert journal.read_text() == kept


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"instances": 21}, "instances 20 and 21"),
        ({"seed": 1}, "seed 0 and 1"),
        ({"sizes": ("medium",)}, "sizes small and medium"),
        ({"claims": ["toy.pair"]}, "claims, such as toy.sum"),
        ({"shard": (1, 2)}, "shard 1/1 and 1/2"),
    ],
)
def test_other_parameters_are_refused(tmp_path, changed, told):
    """Both by a finished report and by a journal."""
    path = tmp_path / "a.json"
    asked = {"claims": ["toy.sum"], "instances": 20, "report": path}
    run(**asked)
    with pytest.raises(InvalidInput, match=told):
        run(**(asked | changed))
    path.unlink()
    stop_after(1, asked | {"claims": ["toy.sum", "toy.pair"]})
    asked["claims"] = ["toy.sum", "toy.pair"]
    with pytest.raises(InvalidInput, match=told):
        run(**(asked | changed))


def test_two_processes_do_not_share_a_journal(tmp_path):
    asked = {"instances": 250, "report": tmp_path / "a.json", "claims": ["toy.sum"]}

    def progress(_):
        with pytest.raises(InvalidInput, match="another process runs this campaign"):
            run(**asked)
        raise Stopped

    with pytest.raises(Stopped):
        run(**asked, progress=progress)


SLOW = ["toy.slow", "toy.holds"]


def test_a_killed_master_loses_only_what_was_under_way(tmp_path):
    """`kill -9`; its children end by themselves, and the same call makes the same report."""
    path = tmp_path / "a.json"
    asked = ["--instances", "400", "--jobs", "2", "--library", LIBRARY]
    master = subprocess.Popen(
        [sys.executable, "-m", "exactsched", "verify", *SLOW, *asked, "--report", str(path)],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.DEVNULL,
    )
    journal = tmp_path / "a.json.journal"
    deadline = time.monotonic() + 60
    while not journal.exists() or journal.read_bytes().count(b"\n") < 4:
        assert time.monotonic() < deadline
        assert master.poll() is None
        time.sleep(0.02)
    children = children_of(master.pid)
    assert len(children) == 2
    master.kill()
    master.wait()
    assert not path.exists()
    done = journal.read_bytes().count(b"\n") - 1
    seen = []
    report = run(SLOW, instances=400, report=path, progress=seen.append)
    assert seen[0].resumed >= 200 * (done - 2)
    assert results(report) == results(run(SLOW, instances=400))
    while any(Path(f"/proc/{child}/cmdline").exists() for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.02)
