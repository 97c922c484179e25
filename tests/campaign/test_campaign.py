"""Campaigns: the same results whoever does the work, however often it is interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.campaign import merged, read_report, verify
from exactsched.campaign.blocks import (
    LENGTHS,
    Block,
    Campaign,
    Outcome,
    Tally,
    claims_of,
    outcome_hash,
    plain,
    run_block,
)
from exactsched.campaign.counterexample import read_counterexample, save_counterexamples
from exactsched.campaign.documents import tally_document
from exactsched.campaign.shrinking import shrink
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.instances.choices import Replayed, Seeded
from tests.campaign import toy_claims

LIBRARY = "tests.campaign.toy_claims"
HARMLESS = ["toy.holds", "toy.sum", "toy.raises", "toy.printed", "toy.corner"]


def run(claims, **asked):
    asked = {"executor": "serial", "library": LIBRARY} | asked
    return verify(claims, **asked)


def results(report):
    """All of a report but the time that it took."""
    document = report.document()
    del document["microseconds"]
    return document


def counts(report, claim, size="small"):
    return dict(report.tallies[claim, size].counts)


# What is counted.


def test_counts_by_definition():
    """Held, beside the point and refuted are counted as a loop over the instances counts them."""
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


# Whoever does the work.


@pytest.fixture(scope="module")
def undisturbed():
    return run(HARMLESS, instances=250, sizes=("small", "medium"))


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_processes_find_what_one_process_finds(undisturbed, jobs):
    found = run(HARMLESS, instances=250, sizes=("medium", "small"), executor="process", jobs=jobs)
    assert results(found) == results(undisturbed)


def test_shards_add_up(undisturbed):
    parts = [
        run(HARMLESS, instances=250, sizes=("small", "medium"), shard=(number, 3))
        for number in (1, 2, 3)
    ]
    assert all(not part.complete for part in parts)
    assert merged(parts[1:]).shards.keys() == {(2, 3), (3, 3)}
    assert results(merged([parts[2], merged(parts[:2])])) == results(undisturbed)
    assert results(merged([undisturbed, undisturbed])) == results(undisturbed)


def test_more_instances_begin_with_the_fewer():
    """Instance i does not depend on how many there are."""
    few = run_block(Block("toy.sum", "small", 0, 0, 40), LIBRARY)
    more = few + run_block(Block("toy.sum", "small", 0, 40, 100), LIBRARY)
    assert more == run_block(Block("toy.sum", "small", 0, 0, 100), LIBRARY)
    assert few != run_block(Block("toy.sum", "small", 1, 0, 40), LIBRARY)


@given(st.integers(1, 7), st.integers(0, 450), st.lists(st.sampled_from(HARMLESS), min_size=1))
def test_every_instance_is_in_one_block_of_one_shard(shards, instances, claims):
    names = tuple(dict.fromkeys(claims))
    campaign = Campaign(names, ("small", "medium"), instances, 0, LIBRARY, "")
    blocks = [
        block for number in range(shards) for _, block in campaign.of_shard(number + 1, shards)
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


# Reports and journals.


def test_a_report_is_read_as_it_was_written(tmp_path, undisturbed):
    undisturbed.write(tmp_path / "a.json")
    again = read_report(tmp_path / "a.json")
    assert again.document() == undisturbed.document()
    assert again == undisturbed


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


def test_a_campaign_goes_on_after_every_block(tmp_path, undisturbed):
    path = tmp_path / "a.json"
    asked = {"instances": 250, "sizes": ("small", "medium"), "report": path, "claims": HARMLESS}
    blocks = sum(1 for _ in undisturbed.campaign.blocks())
    for done in range(blocks - 1):
        stop_after(1, asked)
        assert not path.exists()
        lines = (tmp_path / "a.json.journal").read_text().splitlines()
        assert len(lines) == 2 + done
    seen = []
    assert results(run(**asked, progress=seen.append)) == results(undisturbed)
    assert seen[0].resumed == seen[0].done > 0
    assert seen[-1].done == seen[-1].total
    assert list(tmp_path.iterdir()) == [path]


@given(cut=st.integers(1, 400))
@settings(max_examples=15)
def test_a_torn_line_is_dropped(tmp_path_factory, undisturbed, cut):
    folder = tmp_path_factory.mktemp("torn")
    path = folder / "a.json"
    asked = {"instances": 250, "sizes": ("small", "medium"), "report": path, "claims": HARMLESS}
    stop_after(4, asked)
    journal = folder / "a.json.journal"
    written = journal.read_bytes()
    journal.write_bytes(written[: max(0, len(written) - cut)])
    stop_after(2, asked)  # what is written after the torn line can be read, too
    assert results(run(**asked)) == results(undisturbed)


@pytest.mark.parametrize(
    "line",
    [
        *["{", "[]", '{"block": 1}', '{"block": 1, "tally": 0}', '{"block": 1, "tally": {}}'],
        # A block that there is not.
        json.dumps({"block": 999, "tally": tally_document(Tally())}),
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
    children = _children_of(master.pid)
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


def _children_of(pid):
    listed = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        if int(fields[1]) == pid:
            listed.append(int(status.parent.name))
    return listed


def test_a_child_that_hangs_ends_with_its_master():
    """Its input ends: nobody is left to kill it."""
    claim = claims_of(LIBRARY)["toy.hangs"]
    hanging = next(
        number
        for number in range(1000)
        if 77 in claim.instance(Seeded(f"toy.hangs/small/0/{number}"), 8).listed
    )
    child = subprocess.Popen(
        [sys.executable, "-c", "from exactsched.campaign.child import main; main()"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    block = ["toy.hangs", "small", 0, hanging, hanging + 1]
    assert child.stdin
    assert child.stdout
    child.stdin.write(json.dumps({"library": LIBRARY}) + "\n")
    child.stdin.write(json.dumps({"do": "block", "block": block}) + "\n")
    child.stdin.flush()
    assert json.loads(child.stdout.readline()) == {"ready": True}
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
            [child, *_] = _children_of(os.getpid())
            os.kill(child, signal.SIGKILL)
            killed.append(child)

    found = run(SLOW, instances=300, executor="process", jobs=2, progress=progress)
    assert len(killed) == 2
    assert results(found) == results(run(SLOW, instances=300))


# Refusals.


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"claims": ["toy.sun"]}, "toy.sun"),
        ({"claims": []}, "at least one claim"),
        ({"instances": -1}, "0 or more"),
        ({"instances": 1.5}, "whole number"),
        ({"instances": True}, "whole number"),
        ({"seed": -1}, "0 or more"),
        ({"seed": 2**53}, "below 2\\^53"),
        ({"sizes": ("tiny",)}, "small, medium, large"),
        ({"sizes": ()}, "at least one size"),
        ({"shard": (0, 2)}, "k/n"),
        ({"shard": (3, 2)}, "k/n"),
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


def test_reports_that_do_not_belong_together_are_not_merged():
    parts = [run(["toy.sum"], instances=250, shard=(number, 2)) for number in (1, 2)]
    with pytest.raises(InvalidInput, match="instances 250 and 240"):
        merged([parts[0], run(["toy.sum"], instances=240, shard=(2, 2))])
    with pytest.raises(InvalidInput, match="overlap"):
        merged([parts[0], run(["toy.sum"], instances=250, shard=(2, 3))])
    [(place, tally)] = [
        one for one in parts[0].shards[1, 2].items() if one[0] == ("toy.sum", "small")
    ]
    other = {(1, 2): parts[0].shards[1, 2] | {place: tally + Tally(digest=1)}}
    changed = type(parts[0])(parts[0].campaign, parts[0].statuses, other)
    with pytest.raises(InvalidInput, match="twice, with different results"):
        merged([parts[0], changed])


def mutilated(document, *path):
    """The document without a member, or with another value there."""
    *before, name, value = path
    changed = json.loads(json.dumps(document))
    inner = changed
    for step in before:
        inner = inner[step]
    inner[name] = value
    return changed


@pytest.mark.parametrize(
    "change",
    [
        ("kind", "broadcast"),
        ("version", 2),
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


# Counterexamples.


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
    monkeypatch.setattr("exactsched.campaign.counterexample.CHECKS", 10)
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
@settings(max_examples=40)
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
