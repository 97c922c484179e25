"""Schedules of other programs: right ones with known gaps, and the hop of wrong ones."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import Platform, built_in, check, simulate
from exactsched.cli import main
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.export.audit import Hop, audit, read_table, read_teccl
from exactsched.strategies import platforms
from tests.mpiexec import ROOT

RING = Platform("abc", [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)])
ROUND = [Hop(root, 0, (root + k) % 3, (root + k + 1) % 3, k) for root in range(3) for k in range(2)]
# Two processors on each of two switches: 0, 1 on 4 and 2, 3 on 5.
SWITCHED = Platform(
    [0, 1, 2, 3, "s", "t"],
    [
        arc
        for node, switch in [(0, "s"), (1, "s"), (2, "t"), (3, "t")]
        for arc in [(node, switch, 1), (switch, node, 1)]
    ]
    + [("s", "t", 2), ("t", "s", 2)],
    None,
    frozenset({"s", "t"}),
)


def direct():
    """Everybody sends to everybody, in turn; numbers 4 and 5 are the switches."""
    for turn in (1, 2, 3):
        for sender in range(4):
            receiver = (sender + turn) % 4
            sides = 4 + sender // 2, 4 + receiver // 2
            through = sides[:1] if sides[0] == sides[1] else sides
            yield Hop(sender, 0, sender, receiver, turn, through)


def test_gaps_of_schedules_made_by_hand():
    once = audit(RING, ROUND)
    assert (once.run.makespan, once.whole, once.gap, once.wasted) == (2, 2, 0, 0)
    # A chain in which both ends send all the way, one after the other.
    ends = [("a", "b", 1), ("b", "a", 1), ("b", "c", 1), ("c", "b", 1)]
    late = [Hop(0, 0, 0, 1, 0), Hop(0, 0, 1, 2, 1), Hop(2, 0, 2, 1, 0), Hop(2, 0, 1, 0, 1)]
    late += [Hop(1, 0, 1, 0, 2), Hop(1, 0, 1, 2, 2)]
    found = audit(Platform("abc", ends), late)
    assert (found.run.makespan, found.whole, found.gap) == (3, 2, Fraction(1, 2))
    assert (
        str(found)
        == "valid: 6 hops in 3 steps; ends at 3, 50 % more than the bound 2 for whole chunks"
    )


def test_whole_chunks_take_longer_than_chunks_of_any_size():
    """Three chunks into d over two arcs: one of them takes two; in halves, 3/2 would do."""
    full = Platform(
        "abcd", [(a, b, 1) for a, b in ("ab", "ba", "bc", "cb", "cd", "dc", "bd", "db")]
    )
    found = audit(full, flooded(full, {n: {(n, 0)} for n in range(4)}, random.Random(1)))
    assert found.run.bound == 3
    ring = built_in("ring:4")
    found = audit(ring, flooded(ring, {n: {(n, 0)} for n in range(4)}, random.Random(1)))
    assert (found.run.bound, found.whole) == (Fraction(3, 2), 2)


def test_chunks_through_switches():
    found = audit(SWITCHED, direct(), nodes=[0, 1, 2, 3, "s", "t"])
    assert found.hops == 12
    assert found.run.bound == found.whole == 4  # two chunks over an arc of cost 2
    assert found.run.makespan >= 8
    proved = check(found.run.certificate())
    assert (proved.makespan, proved.bound) == (found.run.makespan, found.run.bound)


def test_what_is_there_already_is_of_no_use():
    again = [Hop(0, 0, 0, 1, 5), Hop(1, 0, 2, 0, 5)]
    found = audit(RING, [*ROUND, *again])
    assert (found.wasted, found.hops, found.steps) == (2, 8, 3)
    assert ", 2 of them of no use; ends at 2, " in str(found)


def test_a_broadcast_has_one_source():
    first = [Hop(0, 7, 0, 1, 0), Hop(0, 7, 1, 2, 1)]
    both = [*first, Hop(0, 9, 0, 1, 1), Hop(0, 9, 1, 2, 2)]
    with pytest.raises(Rejected, match="chunks of node b: 0: of other nodes the schedule moves 2"):
        audit(RING, both)
    with pytest.raises(Rejected, match="'a': this node has no chunks"):
        audit(RING, both, source="b")
    found = audit(RING, both, source="a")
    assert found.run.operations == 2
    assert (found.run.makespan, found.whole) == (3, 2)


def test_latencies_and_sizes_count():
    slow = Platform("ab", [("a", "b", 2, "1/2"), ("b", "a", 2, "1/2")])
    found = audit(slow, [Hop(0, 0, 0, 1, 0), Hop(1, 0, 1, 0, 0)], "3/2")
    assert found.run.makespan == found.run.bound == Fraction(7, 2)


@pytest.mark.parametrize(
    ("hops", "told"),
    [
        ([*ROUND, Hop(0, 1, 0, 1, 0)], "chunks of node b: 1: of other nodes the schedule moves 2"),
        (ROUND[:-1], "chunk 0 of node c: 'b': every node receives every chunk"),
        (
            [*ROUND, Hop(0, 0, 0, 2, 1)],
            "step 1, chunk 0 of 0, 0 to 2: 'a to c': the platform has an",
        ),
        ([ROUND[1]._replace(step=0), *ROUND], "node b has received it in an earlier step"),
        ([ROUND[1]._replace(sender=2, receiver=0, step=0), *ROUND], "node c has received it in an"),
        ([*ROUND, Hop(0, 0, 0, 2, 9, (1,))], "it goes through switches; others keep chunks"),
    ],
)
def test_the_wrong_hop_is_named(hops, told):
    with pytest.raises(Rejected) as refused:
        audit(RING, hops)
    assert told in str(refused.value)


def test_a_switch_keeps_nothing():
    with pytest.raises(Rejected, match="a switch keeps nothing"):
        audit(SWITCHED, [Hop(0, 0, 0, 4, 0)], nodes=[0, 1, 2, 3, "s", "t"], source=0)


@pytest.mark.parametrize(
    ("hops", "asked", "told"),
    [
        ([], {}, "hops: 0: a schedule has at least one hop"),
        (ROUND, {"size": 0}, "size: '0': a chunk has a positive size"),
        (ROUND, {"nodes": "ab"}, "numbers nodes from 0 to 1; name them in order"),
        (ROUND, {"nodes": "aab"}, "they are different nodes of the platform"),
        (ROUND, {"nodes": "abz"}, "they are different nodes of the platform"),
    ],
)
def test_what_cannot_be_asked(hops, asked, told):
    with pytest.raises(InvalidInput) as refused:
        audit(RING, hops, **asked)
    assert told in str(refused.value)


def flooded(platform, has, drawn):
    """Every arc brings something new in every step, until all have all."""
    everything = set().union(*has.values())
    hops = []
    for step in range(100):
        news = []
        for arc in platform.arcs:
            tail, head = platform.position[arc.tail], platform.position[arc.head]
            coming = {chunk for node, chunk in news if node == head}
            useful = sorted(has[tail] - has[head] - coming)
            if useful:
                source, number = chunk = drawn.choice(useful)
                hops.append(Hop(source, number, tail, head, step))
                news.append((head, chunk))
        if not news:
            break
        for node, chunk in news:
            has[node].add(chunk)
    return hops if all(one == everything for one in has.values()) else None


def least_time(arcs, needed):
    """The first T at which the sum of floor(T / cost) is enough, by trying all multiples."""
    times = sorted({k * arc.cost for arc in arcs for k in range(1, needed + 1)})
    return next(t for t in times if sum(t // arc.cost for arc in arcs) >= needed)


@settings(deadline=None, max_examples=35)
@given(platforms(max_nodes=5), st.integers(1, 3), st.integers(0, 1 << 20))
def test_floods_of_random_platforms(platform, chunks, seed):
    count = len(platform.nodes)
    has = {node: {(node, chunk) for chunk in range(chunks)} for node in range(count)}
    if count < 2 or (hops := flooded(platform, has, random.Random(seed))) is None:
        return
    found = audit(platform, hops)
    proved = check(found.run.certificate())
    assert proved.makespan == found.run.makespan == simulate(found.run.certificate()).makespan
    assert found.run.bound <= found.whole <= found.run.makespan
    for node in platform.nodes:
        entering = [arc for arc in platform.arcs if arc.head == node]
        assert found.whole >= least_time(entering, chunks * (count - 1))
    # One hop less, the last that brings something: a node lacks a chunk.
    useful = [hop for hop in hops if hop.step == hops[-1].step]
    with pytest.raises((Rejected, InvalidInput)):
        audit(platform, [hop for hop in hops if hop != useful[-1]])


@settings(deadline=None, max_examples=200)
@given(st.data(), st.integers(0, 1 << 20))
def test_mutants_are_refused_or_right(data, seed):
    """A hop left out, given twice, changed or moved: refused, or a player delivers everything."""
    ring = built_in("ring:4")
    hops = flooded(ring, {node: {(node, 0), (node, 1)} for node in range(4)}, random.Random(seed))
    for _ in range(data.draw(st.integers(1, 3))):
        index = data.draw(st.integers(0, len(hops) - 1))
        field = data.draw(st.sampled_from([*Hop._fields[:5], "remove", "twice"]))
        if field == "remove":
            del hops[index]
        elif field == "twice":
            hops.append(hops[index])
        else:
            hops[index] = hops[index]._replace(**{field: data.draw(st.integers(0, 4))})
    try:
        found = audit(ring, hops)
    except (Rejected, InvalidInput):
        return
    document = found.run.certificate()
    assert check(document).makespan == simulate(document).makespan == found.run.makespan
    has = {node: {(node, 0), (node, 1)} for node in range(4)}
    for hop in sorted(hops, key=lambda hop: hop.step):
        assert (hop.source, hop.chunk) in has[hop.sender]
        has[hop.receiver].add((hop.source, hop.chunk))
    assert all(len(chunks) == 8 for chunks in has.values())


def written(tmp_path, flows, name="7-Flows"):
    path = tmp_path / "schedule.json"
    path.write_text(json.dumps({"1-Epoch_Duration": 1.0, name: flows}))
    return str(path)


def test_schedules_of_teccl_are_read(tmp_path):
    flows = [
        "Chunk 2 from 13 traveled over 13->9 in epoch 0",
        "Chunk 0 from 3 traveled over 3->4 with volume 1.0 in epoch 5 via switches 0",
        "Chunk 0 from 3 traveled over 3->4 in epoch 5 via switches 0, 17",
    ]
    assert read_teccl(written(tmp_path, flows)) == [
        Hop(13, 2, 13, 9, 0),
        Hop(3, 0, 3, 4, 5, (0,)),
        Hop(3, 0, 3, 4, 5, (0, 17)),
    ]


@pytest.mark.parametrize(
    ("flow", "told"),
    [
        ("Chunk 0 from 3 traveled over 3->4 with volume 0.5 in epoch 0", "volume 1"),
        ("Chunk 0 from 3 traveled over 3->4", "flow 0: "),
        ("Chunk -1 from 3 traveled over 3->4 in epoch 0", "a flow is"),
        ("Chunk 0 from 3 traveled over 3->4 in epoch 12345678901", "a flow is"),
        (7, "flow 0: 7: a flow is"),
    ],
)
def test_flows_that_are_none(tmp_path, flow, told):
    with pytest.raises(InvalidInput) as refused:
        read_teccl(written(tmp_path, [flow]))
    assert told in str(refused.value)


@pytest.mark.parametrize(
    "text", ['{"7-Flows": 3}', "{}", "[]", '{"6-Flows": [], "7-Flows": []}', "{"]
)
def test_files_that_are_no_schedule_of_teccl(tmp_path, text):
    path = tmp_path / "schedule.json"
    path.write_text(text)
    with pytest.raises(InvalidInput):
        read_teccl(str(path))


def test_tables_are_read(tmp_path):
    path = tmp_path / "hops.csv"
    path.write_text("step,source,chunk,sender,receiver,through\n4,0,1,2,3,\n5,0,1,3,2,7 8\n")
    assert read_table(str(path)) == [Hop(0, 1, 2, 3, 4), Hop(0, 1, 3, 2, 5, (7, 8))]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has the columns source,chunk,sender,receiver,step"),
        ("source,chunk,sender,receiver\n", "has the columns"),
        ("source,chunk,sender,receiver,step,size\n", "has the columns"),
        ("source,chunk,sender,receiver,step,step\n", "has the columns"),
        ("source,chunk,sender,receiver,step\n1,2,3,4\n", "line 2: 5: every line has a number"),
        ("source,chunk,sender,receiver,step\n1,2,3,4,5,6\n", "line 2: 5: every line has a number"),
        ("source,chunk,sender,receiver,step\n1,2,3,4,x\n", "line 2, step: 'x': a whole number"),
        ("source,chunk,sender,receiver,step\n1,2,-3,4,5\n", "line 2, sender: '-3': a whole number"),
    ],
)
def test_tables_that_are_none(tmp_path, text, told):
    path = tmp_path / "hops.csv"
    path.write_text(text)
    with pytest.raises(InvalidInput) as refused:
        read_table(str(path))
    assert told in str(refused.value)


def test_the_command(tmp_path, capsys):
    """Around a ring of four, one way only."""
    flows = [
        f"Chunk 0 from {s} traveled over {(s + k) % 4}->{(s + k + 1) % 4} in epoch {k}"
        for s in range(4)
        for k in range(3)
    ]
    path, output = written(tmp_path, flows), str(tmp_path / "run.json")
    words = ["audit", path, "--platform", "ring:4", "--format", "teccl", "--size", "2"]
    assert main([*words, "-o", output]) == 0
    told = "valid: 12 hops in 3 steps; ends at 6, 50 % more than the bound 4 for whole chunks"
    assert told in capsys.readouterr().out
    assert check(output).makespan == 6
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "valid": True,
        "steps": 3,
        "hops": 12,
        "wasted": 0,
        "makespan": 6,
        "whole": 4,
        "bound": 3,
        "gap": "1/2",
    }
    assert main([*words, "--ranks", "0,2,1,3"]) == 1
    assert "the platform has an arc between them" in capsys.readouterr().err


def test_a_platform_that_cannot_deliver():
    apart = Platform("abc", [("a", "b", 1), ("b", "a", 1), ("c", "a", 1)])
    with pytest.raises(Rejected, match="every node receives every chunk"):
        audit(apart, [Hop(0, 0, 0, 1, 0)], source="a")
    switches = Platform("abc", [("a", "b", 1)], None, frozenset("bc"))
    with pytest.raises(InvalidInput, match="platform: 1: at least two nodes"):
        audit(switches, [Hop(0, 0, 0, 1, 0)])
    with pytest.raises(InvalidInput, match="source: 's': a node of the platform that is no switch"):
        audit(SWITCHED, [Hop(0, 0, 0, 1, 0)], source="s")


def test_the_table_of_the_page(tmp_path, capsys):
    page = (Path(ROOT) / "proofs" / "judge-your-scheduler.md").read_text()
    table = page.split("```csv\n")[1].split("```")[0]
    path = tmp_path / "hops.csv"
    path.write_text(table)
    words = page.split("`exactsched audit hops.csv ")[1].split("`")[0].split()
    assert main(["audit", str(path), *words]) == 0
    told = page.split("answers `")[1].split("`")[0]
    assert capsys.readouterr().out == f"{path}: {told}\n"
