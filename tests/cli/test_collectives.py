"""The commands `scatter`, `alltoall`, `allgather`, `reduce` and `prefix`."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from exactsched import Platform, check
from exactsched.check import ProvedRun, ProvedSeries
from exactsched.platforms.files import write_platform
from tests.cli.command_line import Run, files, platform_file, refused


@pytest.mark.parametrize(
    ("command", "throughput"),
    [
        ("scatter scatter-toy --source Ps --targets P0,P1", "1/2"),
        ("scatter scatter-toy --source Ps --targets P0,P1 --sizes 2,1", "1/3"),
        ("scatter ring:4 --source 0", "1/3"),
        ("scatter ring:4 --source 0 --ports link", "2/3"),
        ("alltoall ring:4", "1/4"),
        ("alltoall ring:4 --sources 0,1 --targets 2,3 --size 1/2", "4/5"),
        ("allgather dgx-a100:1", "300/7"),
        ("allgather dgx-a100:1 --prefer few", "300/7"),
        ("allgather dgx-a100:1 --group gpu0,gpu1,gpu2 --shards 1,2,0", "100"),
        ("allgather ring:4", "2/3"),
        ("reduce reduce-toy --participants P0,P1,P2 --target P0", "1"),
        ("reduce tiers-2003 --target 6", "2/9"),
        ("reduce tiers-2003 --target 6 --size 2", "1/9"),
    ],
)
def test_known_optima(run: Run, command: str, throughput: str) -> None:
    said = run(f"{command} --json -o found.json").object
    assert said["optimal"] is True
    assert said["throughput"] == said["bound"]
    assert str(said["throughput"]) == throughput
    claim = check("found.json")
    assert isinstance(claim, ProvedSeries)
    assert claim.optimal
    assert claim.throughput == Fraction(throughput)


def test_what_is_printed(run: Run) -> None:
    said = run("reduce tiers-2003 --target 6 -o tiers.json")
    assert said.code == 0
    assert said.err == ""
    lines = said.out.splitlines()
    assert lines[0].startswith("tiers-2003: throughput 2/9 proved optimal")
    assert [line.split()[0] for line in lines[1:]] == [
        *("schedule", "finite", "combining", "why", "certificate")
    ]
    for output, opening in (("tiers.svg", "<svg"), ("tiers.html", "<!doctype html>")):
        assert run(f"draw tiers.json -o {output}").code == 0
        assert Path(output).read_text().lower().startswith(opening)
    assert run("draw tiers.json -o trace.json").code == 0
    assert json.loads(Path("trace.json").read_text())["traceEvents"]
    assert run("check tiers.json").out.startswith("accepted: tiers.json: throughput 2/9")
    assert run("simulate tiers.json --items 20").code == 0
    said = run("simulate tiers.json --operations 20 --json").object
    assert said["operations"] == 20
    assert "messages" not in said


def test_structures_are_shown_on_demand(run: Run) -> None:
    said = run("scatter scatter-toy --source Ps --targets P1 --show")
    assert said.out.splitlines()[-1] == "3/4 per time unit: Ps -> Pb -> P1"
    said = run("reduce reduce-toy --participants P1,P2 --target P1 --show")
    assert said.out.splitlines()[-4:] == [
        "1 per time unit:",
        "  result [0,1] on P1",
        "    cons[0,0,1] on P1",
        "      transfer [1,1] P2 -> P1",
    ]


def test_a_prefix_is_bounded_on_both_sides(run: Run) -> None:
    said = run("prefix reduce-toy --participants P0,P1,P2 --json").object
    assert 0 < Fraction(said["throughput"]) <= Fraction(said["bound"])
    assert said["optimal"] is (said["throughput"] == said["bound"])


def test_operations_are_a_finite_run(run: Run) -> None:
    said = run("reduce tiers-2003 --target 6 --operations 12 -o run.json --json").object
    claim = check("run.json")
    assert isinstance(claim, ProvedRun)
    assert Fraction(said["makespan"]) == claim.makespan >= claim.bound == 12 * Fraction(9, 2)
    assert claim.makespan <= Fraction(said["guarantee"])
    assert said["operations"] == 12
    assert run("simulate run.json").code == 0


def test_within_is_as_many_as_fit(run: Run) -> None:
    said = run("scatter scatter-toy --source Ps --targets P0,P1 --within 100 --json").object
    assert said["at_most"] == 50
    assert 40 <= said["delivered"] <= 50
    assert Fraction(said["makespan"]) <= 100


def test_a_horizon_before_the_first_end_is_refused(run: Run) -> None:
    """No schedule carries out an operation in time, or only this one does not."""
    for horizon in ("1/1000", "2"):
        said = run(f"scatter scatter-toy --source Ps --targets P0,P1 --within {horizon}")
        assert "this schedule of a single one takes" in refused(said)


def test_a_horizon_is_answered_at_any_distance(run: Run) -> None:
    said = run("scatter ring:4 --source 0 --within 3e30 --json").object
    assert said["at_most"] == str(10**30)
    assert int(said["at_most"]) - int(said["delivered"]) < 100


def test_a_period_of_ones_own(run: Run) -> None:
    said = run("scatter scatter-toy --source Ps --targets P0,P1 --period 5 --json -o p.json").object
    assert said["period"] == 5
    assert said["operations"] <= said["at_most"] == 2
    assert Fraction(said["throughput"]) == Fraction(said["operations"], 5)
    assert said["bound"] == "1/2"
    claim = check("p.json")
    assert isinstance(claim, ProvedSeries)
    assert claim.throughput == Fraction(said["throughput"])


def test_the_best_period_up_to_a_limit(run: Run) -> None:
    words = "scatter scatter-toy --source Ps --targets P0,P1 --max-period"
    short = run(f"{words} 7 --json").object
    assert Fraction(short["period"]) <= 7
    assert Fraction(short["throughput"]) <= Fraction(1, 2)
    longer = run(f"{words} 1000 --json").object
    assert longer["throughput"] == "1/2"
    assert longer["optimal"] is True


def test_whole_never_interrupts(run: Run) -> None:
    words = "scatter scatter-toy --source Ps --targets P0,P1 --whole -o whole.json"
    assert "no task is interrupted" in run(words).out
    assert json.loads(Path("whole.json").read_text())["schedule"]["whole"] is True


def test_what_cannot_be_reached_has_throughput_zero(run: Run) -> None:
    name = platform_file("line.json", [["a", "b", 1]], ["a", "b", "c"])
    for command, missing, words in (
        ("scatter {} --source a --targets b,c", [["a", "c"]], "no path leads from a to c"),
        (
            "alltoall {} --sources a,b --targets c,b",
            [["a", "c"], ["b", "c"]],
            "no path leads from a to c, from b to c",
        ),
        (
            "reduce {} --participants a,b --target b --compute a=1",
            [[[0, 1], "b"]],
            "no tasks make v[0,1] at b",
        ),
        (
            "allreduce {} --participants a,b --compute b=1",
            [[[0, 1], "a"]],
            "no tasks make v[0,1] at a",
        ),
        (
            "prefix {} --participants b,c,a --compute 1",
            [[[0, 1], "c"], [[0, 2], "a"]],
            "no tasks make v[0,1] at c, v[0,2] at a",
        ),
    ):
        asked = command.format(name)
        said = run(f"{asked} --json -o zero.json").object
        assert said == {"throughput": 0, "optimal": True, "bound": 0, "unreachable": missing}
        assert str(check("zero.json")).startswith("throughput 0 proved optimal")
        assert words in run(asked).out
        assert words in refused(run(f"{asked} --operations 3"))
        assert words in refused(run(f"{asked} --within 3"))
        assert words in refused(run(f"{asked} --period 3"))
        assert words in refused(run("simulate zero.json --operations 3"))


def test_combining_takes_a_time_that_somebody_says(run: Run) -> None:
    """Without, it was the throughput 0, proved optimal."""
    for command in (
        "reduce complete:4 --target 0 --ordered",
        "prefix complete:4",
        "allreduce complete:4 --ordered",
    ):
        line = refused(run(f"{command} --participants 0,1,2,3"))
        for way in ("attribute `compute`", "--compute 1", "--compute a=1,b=1/2"):
            assert way in line
        one = run(f"{command} --participants 0,1,2,3 --compute 1/2 --json").object
        listed = "0=1/2,1=1/2,2=0.5,3=1/2"
        each = run(f"{command} --participants 0,1,2,3 --compute {listed} --json").object
        assert each == one
        assert one["throughput"] != 0
    line = platform_file("odd.json", [["a,=", "b", 1]])
    said = run(
        *("reduce", line, "--participants", '["a,=", "b"]', "--target", "b"),
        *("--compute", '{"b": 2.50}', "--json"),
    )
    assert said.object["throughput"] == "2/5"
    assert (
        run(
            *("reduce", line, "--participants", '["a,=", "b"]', "--target", "b"),
            *("--compute", "a,==1,b=1"),
        ).code
        == 2
    )


def test_names_with_commas_are_written_in_json(run: Run) -> None:
    name = platform_file("commas.json", [["a", "b,c", 1], ["a", "d", 1]])
    said = run("scatter", name, "--source", "a", "--targets", '["b,c", "d"]', "--json").object
    assert said["throughput"] == "1/2"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("scatter ring:4 --source 9", "--source: '9': not a node"),
        ("scatter ring:4 --source 0 --targets 1,9", "--targets: '9': not a node"),
        ("scatter ring:4 --source 0 --targets 1,0", "there already"),
        ("scatter ring:4 --source 0 --targets 1,1", "given twice"),
        ("scatter ring:4 --source 0 --targets [1", "--targets: '[1': a list of names"),
        ("scatter ring:4 --source 0 --targets 1,2 --sizes 1", "one size for each of the 2"),
        ("scatter ring:4 --source 0 --targets 1,2 --sizes 1,0", "--sizes: '0': a positive"),
        ("scatter ring:4 --source 0 --period 0", "--period: '0': a positive"),
        ("scatter ring:4 --source 0 --max-period x", "--max-period: 'x': not a number"),
        ("scatter ring:4 --source 0 --operations 1/2", "--operations: '1/2': a whole number"),
        ("scatter ring:4 --source 0 --operations 2 --whole", "not allowed with"),
        ("scatter ring:5 --source 0 --ports half-duplex", "odd cycle"),
        ("alltoall ring:4 --sources 1 --targets 1", "at least one message"),
        ("alltoall ring:4 --size -1", "--size: '-1': a positive"),
        ("reduce ring:4 --target 0 --ordered", "list the owners in order"),
        ("reduce ring:4 --target 0 --participants 0", "from the start"),
        ("reduce reduce-toy --participants P0,P9 --target P0", "--participants: 'P9'"),
        ("reduce ring:4 --target 2 --participants 0,1", "at a single node of the group"),
        ("reduce ring:4 --target 0 --participants 0,1,1", "at least two nodes take part, each"),
        ("allreduce ring:4 --participants 0,1,2,2", "at least two nodes take part, each"),
        ("allreduce ring:4 --order-free --compute 1", "combining takes no time"),
        ("allreduce ring:4 --order-free --ordered", "not allowed with"),
        ("allreduce reduce-toy --order-free --participants P0", "at least two nodes take part"),
        ("reduce-scatter ring:4 --shards 1,2", "one for each of the 4"),
        ("reduce ring:4 --target 9", "--target: '9': not a node"),
        ("prefix reduce-toy --participants P0", "at least two"),
        ("prefix ring:4 --participants 0,1 --compute 0", "--compute: '0': a positive"),
        ("prefix ring:4 --participants 0,1 --compute 9=1", "--compute: '9': not a node"),
        ("prefix ring:4 --participants 0,1 --compute 0=1,1", "a time for each: a=1,b=1/2"),
        ("prefix ring:4 --participants 0,1 --compute 0=1,0=2", "this node is given twice"),
        ("prefix ring:4 --participants 0,1 --compute 0=x", "--compute, 0: 'x': not a number"),
        ("prefix ring:4 --participants 0,1 --compute {0:1}", "times by node"),
        (f"reduce ring:4 --target 0 --participants {'[' * 100_000}", "a list of names"),
    ],
)
def test_bad_input_is_one_line(run: Run, command: str, reason: str) -> None:
    said = run(f"{command} -o out.json")
    assert reason in refused(said)
    assert files() == {}


def test_owners_in_no_order_are_refused(run: Run) -> None:
    """An operator need not commute: nodes of the same index are in no order."""
    nodes = [{"id": node, "compute": 1, "index": index} for node, index in ("a2", "b1", "c1")]
    edges = [{"source": node, "target": "a", "cost": 1} for node in "bc"]
    document = {"directed": True, "nodes": nodes, "edges": edges}
    Path("three.json").write_text(json.dumps(document), encoding="utf-8")
    said = run("reduce three.json --target a")
    assert "nodes b and c have the same `index`" in refused(said)


def test_what_never_ends_is_refused_in_the_words_of_the_question(run: Run) -> None:
    platform_file("pair.json", [("a", "b", 1)])
    for asked, place in (("--within 3", "horizon: '3'"), ("--operations 3", "operations: 3")):
        said = run(f"scatter pair.json --source b {asked}")
        assert f"{place}: no" in refused(said)
        assert "is ever complete, the throughput is 0: no path leads from b to a" in refused(said)


def test_one_operation_is_not_operations(run: Run) -> None:
    pair = platform_file("pair.json", [("a", "b", 2)])
    for asked, words in (
        ("--within 2", "1 operation by time 2"),
        ("--within 4", "2 operations by time 4"),
        ("--period 2", "1 operation in a period"),
        ("--period 4", "2 operations in a period"),
    ):
        assert words in run(f"scatter {pair} --source a {asked}").out


# Allgathers.


def _fabric(folder: Path, **changes: object) -> str:
    """Two nodes and a switch, in a file."""
    nodes = [{"id": "a", "shard": 2}, {"id": "b"}, {"id": "s", "role": "switch"} | changes]
    edges = [
        {"source": "a", "target": "s", "bandwidth": 4},
        {"source": "b", "target": "s", "bandwidth": "3/2"},
    ]
    path = folder / "fabric.json"
    graph = {"directed": False, "multigraph": False, "graph": {}, "nodes": nodes, "edges": edges}
    path.write_text(json.dumps(graph), encoding="utf-8")
    return str(path)


def test_an_allgather_says_what_enters_where(run: Run, tmp_path: Path) -> None:
    """The shard of size 2 has to enter b, at 3/2."""
    said = run(f"allgather {_fabric(tmp_path)} --show -o found.json")
    assert "throughput 3/4 proved optimal" in said.out
    assert "(allgather among 2 nodes, 3 nodes, 4 arcs, link)" in said.out
    assert "shards of size 2 have to enter {b}, over bandwidth 3/2" in said.out
    assert "3/4 per time unit, the shard of a:\n  a -> s -> b\n" in said.out
    assert "busbw" not in said.out  # The shards differ.
    assert run("simulate found.json --operations 3").code == 0
    assert run("draw found.json -o found.svg").code == 0


def test_equal_shards_have_the_bandwidths_of_the_field(run: Run) -> None:
    """Eight shards 300/7 times; what enters a GPU is all that its link takes."""
    said = run("allgather dgx-a100:1 --json").object
    assert (said["algbw"], said["busbw"]) == ("2400/7", 300)
    assert "algbw 2400/7, busbw 300" in run("allgather dgx-a100:1").out


def test_an_allgather_of_a_size(run: Run) -> None:
    """Seven shards of 125000 and their start-ups come in after one latency, which is the bound."""
    command = "allgather dgx-a100:1 --size 1000000 --latency 1000"
    said = run(f"{command} --json -o run.json").object
    assert (said["makespan"], said["bound"]) == ("34000/3", "32750/3")
    assert (said["segments"], said["ratio"], said["algbw"]) == (1, "136/131", "1500/17")
    claim = check("run.json")
    assert isinstance(claim, ProvedRun)
    assert claim.makespan == Fraction(34000, 3)
    shown = run(command).out
    assert "7 shards have to enter {gpu0}, over 1 arc" in shown
    assert "136/131" in shown
    assert run("simulate run.json").code == 0
    assert run("draw run.json -o run.html").code == 0
    assert "its part of a start-up included" in Path("run.html").read_text()


def test_the_ratios_of_an_allgather(run: Run) -> None:
    command = "ratio ring:4 --allgather --latency 1000"
    points = run(f"{command} --sizes 1000,1000000 --json").object["points"]
    assert [point["size"] for point in points] == [1000, 1000000]
    assert all(Fraction(p["bound"]) <= Fraction(p["makespan"]) for p in points)
    said = run(f"{command} --sizes 1000,1000000 -o curve.svg")
    assert said.out.split()[:3] == ["size", "segments", "makespan"]
    assert Path("curve.svg").read_text().startswith("<svg")


def test_runs_and_periods_of_an_allgather(run: Run) -> None:
    said = run("allgather dgx-a100:1 --operations 3 --json -o run.json").object
    claim = check("run.json")
    assert isinstance(claim, ProvedRun)
    assert (said["operations"], claim.bound) == (3, Fraction(7, 100))
    assert (
        "42 operations in a period, no schedule has more than 42"
        in run("allgather dgx-a100:1 --period 1").out
    )
    assert "proved optimal" in run("allgather dgx-a100:1 --whole").out
    assert "delivered" in run("allgather dgx-a100:1 --within 1").out


def test_few_chunks_and_what_they_cost(run: Run) -> None:
    said = run("allgather dgx-a100:2 --chunks 8 --json -o found.json").object
    claim = check("found.json")
    assert isinstance(claim, ProvedSeries)
    assert (said["throughput"], said["bound"], said["optimal"]) == ("2100/97", "65/3", False)
    assert (said["chunks"], said["loss"]) == (7, "1/1261")
    assert Fraction(1, 1261) == 1 - claim.throughput / claim.bound
    said_so = run("allgather dgx-a100:2 --chunks 8").out
    assert "at most 7 chunks per shard, which costs at most 0.0794 % of the" in said_so
    lossless = run("allgather dgx-h100:2 --chunks 2")
    assert "2 chunks per shard, which costs nothing" in lossless.out
    assert "proved optimal" in lossless.out
    assert run("allgather dgx-a100:1 --chunks 1 --operations 2").code == 0
    assert "chunks" not in run("allgather scatter-toy --group Ps,P0 --chunks 2 --json").object


def test_shallow_trees_and_what_they_cost(run: Run) -> None:
    said = run("allgather dgx-h100:2 --depth 4 --json -o found.json").object
    assert (said["throughput"], said["depth"], said["optimal"]) == ("100/3", 4, True)
    assert said["loss"] == 0
    assert check("found.json")
    assert (
        "at most 4 arcs in a row, which costs nothing" in run("allgather dgx-h100:2 --depth 4").out
    )
    lossy = run("allgather mi250:1 --depth 5")
    assert (
        "at most 5 arcs in a row, which costs at most 12.5000 % of the throughput: 1/8" in lossy.out
    )
    assert "not proved optimal" in lossy.out


def test_a_curve_of_depths(run: Run) -> None:
    said = run("allgather mi250:1 --depth-curve --json").object
    assert [point["depth"] for point in said["curve"]] == [5, 6]
    assert [point["throughput"] for point in said["curve"]] == ["75/4", "150/7"]
    assert (said["throughput"], said["optimal"], said["depth"]) == ("150/7", True, 6)
    shown = run("allgather dgx-h100:2 --depth-curve").out
    assert "depth 4      throughput 100/3, 32 trees, which costs nothing" in shown
    nothing = run("allgather scatter-toy --group Ps,P0 --depth-curve --json").object
    assert (nothing["throughput"], "curve" in nothing) == (0, False)


def test_an_allgather_through_a_switch_under_other_ports(run: Run) -> None:
    """Into and out of the switch each shard goes seven times, at 300 a time unit."""
    text = run("allgather dgx-a100:1 --ports one-port").out
    assert "throughput 75/14 proved optimal" in text
    assert "throughput 75/28 proved optimal" in run("allgather dgx-a100:1 --ports half-duplex").out


def test_limits_of_a_reduce_scatter(run: Run) -> None:
    text = run("reduce-scatter dgx-a100:1 --ports link --chunks 2").out
    assert "chunks       at most 1 chunk per shard, which costs nothing" in text
    found = run("reduce-scatter dgx-a100:1 --ports link --depth-curve --json").object
    assert found["curve"][-1]["throughput"] == found["throughput"] == "300/7"


def test_what_cannot_be_gathered_is_named(run: Run) -> None:
    said = run("allgather scatter-toy --group Ps,P0 --json").object
    assert (said["throughput"], said["unreachable"]) == (0, [["P0", "Ps"]])
    assert "no arc enters {Ps}" in run("allgather scatter-toy --group Ps,P0").out


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("allgather dgx-a100:1 --shards 1,2", "one for each of the 8"),
        ("allgather dgx-a100:1 --chunks 0", "--chunks: '0'"),
        ("allgather dgx-a100:1 --depth 0", "--depth: '0'"),
        ("allgather dgx-a100:1 --depth 1", "2 arcs away"),
        ("allgather dgx-a100:1 --depth 2 --size 1", "the depth is not limited"),
        ("allgather dgx-a100:1 --depth 2 --chunks 2", "not cut into few chunks as well"),
        ("allgather dgx-a100:1 --depth-curve --depth 2", "use one of these options"),
        ("reduce-scatter dgx-a100:1 --chunks 2", "--ports link"),
        ("reduce-scatter dgx-a100:1 --depth-curve", "--ports link"),
        ("reduce-scatter dgx-a100:1 --depth 2 --size 1", "the depth is not limited"),
        ("allgather dgx-a100:1 --chunks 1/2", "--chunks: '1/2': a whole number"),
        ("allgather dgx-a100:1 --chunks 2 --period 1", "use one of the two options"),
        ("allgather dgx-a100:1 --latency 1", "goes with --size"),
        ("allgather dgx-a100:1 --size 1 --latency -1", "a latency is not negative"),
        ("allgather dgx-a100:1 --size 0", "a positive number"),
        ("allgather dgx-a100:1 --size 1 --ports one-port", "under link ports only"),
        ("ratio dgx-a100:1 --allgather --ports one-port", "under link ports only"),
        ("allgather dgx-a100:1 --group gpu0,gpu1 --shards 1,-1", "a size is not negative"),
        ("allgather dgx-a100:1 --group gpu0,gpu1 --shards 1,x", "--shards"),
        ("allgather dgx-a100:1 --group gpu0,nvswitch0", "a switch only forwards"),
        ("allgather dgx-a100:1 --group gpu0", "at least two nodes"),
        ("broadcast dgx-a100:1 --source gpu0 --targets nvswitch0", "a switch only forwards"),
        ("broadcast dgx-a100:1 --source gpu0 --targets gpu0", "other than the source"),
        ("broadcast ring:4 --source 0 --targets 1 --size 2", "not together with --size"),
        ("broadcast ring:4 --source 0 --targets 1 --restrict tree", "not together with --restr"),
    ],
)
def test_refused_allgathers(run: Run, command: str, words: str) -> None:
    said = run(command)
    assert said.code == 2
    assert words in said.err


def test_other_collectives_leave_switches_out(run: Run) -> None:
    """Seven messages leave gpu0 at 300; all 56 go over the NVSwitch, 7 for each GPU."""
    assert (
        run("scatter dgx-a100:1 --source gpu0 --ports link --json").object["throughput"] == "300/7"
    )
    assert run("alltoall dgx-a100:1 --ports link --json").object["throughput"] == "300/7"


def test_allreduce_in_any_order_and_its_gain(run: Run) -> None:
    asked = "allreduce grid:2x3 --ports link"
    said = run(f"{asked} -o sum.json --json").object
    assert (said["throughput"], said["two_phases"], said["gain"]) == ("7/5", "6/5", "7/6")
    assert run("simulate sum.json").out.count("complete, every sum at its targets") == 1
    assert run("draw sum.json -o sum.html").code == 0
    text = run(f"{asked} --show --participants 0,1,2,5,4,3").out
    for words in ("order-free all-reduce", "tree pairs", "in any order", "gathers", "spreads"):
        assert words in text
    assert run(f"{asked} --size 7 --json").object["throughput"] == "1/5"
    assert run(f"{asked} --size 7 --json").object["gain"] == "7/6"
    assert run(f"{asked} --operations 3 --json").object["optimal"] is False


def test_reduces_and_reduce_scatters_in_any_order(run: Run) -> None:
    assert run("reduce grid:2x3 --target 0 --json").object["throughput"] == 1
    assert run("reduce-scatter grid:2x3 --json").object["throughput"] == "1/5"
    said = run("reduce-scatter grid:2x3 --shards 1,1,1,1/2,1,1 --show")
    assert "the block of 3" in said.out
    platform_file("way.json", [("a", "b", 1)])
    said = run("reduce way.json --target a --json").object
    assert (said["throughput"], said["unreachable"]) == (0, ["a"])
    assert "not from all nodes a path leads to a" in run("reduce way.json --target a").out


def test_times_to_combine_mean_that_the_order_counts(run: Run) -> None:
    """Commands from before there was a choice mean what they meant, and say it."""
    before = run("allreduce reduce-toy --participants P0,P1,P2")
    assert "all-reduce of 3 values" in before.out
    assert "in order, in the given times" in before.out
    asked = run("allreduce reduce-toy --participants P0,P1,P2 --ordered --json").object
    assert asked == run("allreduce reduce-toy --participants P0,P1,P2 --json").object
    free = run("allreduce reduce-toy --order-free").out
    assert "order-free all-reduce" in free
    assert "in any order" not in free  # that was asked for
    timed = run("reduce complete:3 --target 0 --participants 1,2 --compute 1")
    assert "reduction of 2 values" in timed.out


def test_all_reduces_through_switches_and_helpers(run: Run) -> None:
    command = "allreduce dgx-a100:1 --ports link --json"
    whole = json.loads(run(command).out)
    assert (whole["throughput"], whole["optimal"], whole["gain"]) == ("1200/7", True, 1)
    assert "if_others_forward" not in whole
    part = json.loads(run(f"{command} --participants gpu0,gpu1,gpu2").out)
    assert (part["throughput"], part["bound"], part["optimal"]) == (225, 300, False)
    assert part["if_others_forward"] == 225
    forward = json.loads(run(f"{command} --participants gpu0,gpu1,gpu2 --others forward").out)
    assert (forward["throughput"], forward["bound"], forward["optimal"]) == (225, 225, True)
    assert (
        "225 is the optimum if other nodes only forward"
        in run("allreduce dgx-a100:1 --ports link --participants gpu0,gpu1,gpu2").out
    )


def test_broadcasts_to_some_and_through_switches(run: Run) -> None:
    said = run("broadcast ring:4 --source 0 --targets 1,2 --ports link --json -o found.json").object
    assert (said["throughput"], said["optimal"]) == (2, True)
    assert run("check found.json").code == 0
    text = run("broadcast dgx-a100:1 --source gpu0 --targets gpu1,gpu2 --ports one-port").out
    assert "broadcast from gpu0 to 2 targets" in text
    assert "and the least costs of all sets of 2 targets" in text
    most = ",".join(map(str, range(1, 13)))
    text = run(f"broadcast grid:5x5 --source 0 --targets {most} --ports half-duplex").out
    assert "throughput 7/12 proved optimal" in text
    assert "and cuts around 12 targets" in text
    assert "every message at its targets" in run("simulate found.json").out
    everybody = run("broadcast dgx-a100:2 --source gpu0 --ports link --json").object
    assert everybody["optimal"]


def test_reductions_through_switches(run: Run) -> None:
    said = run("reduce dgx-a100:1 --target gpu0 --ports link --json -o found.json").object
    assert (said["throughput"], said["optimal"]) == (300, True)
    assert run("check found.json").code == 0
    scattered = run("reduce-scatter dgx-a100:2 --ports link --json").object
    assert (scattered["throughput"], scattered["optimal"]) == ("65/3", True)
    command = "reduce ring:4 --target 0 --group 0,2 --ports link"
    assert "proved optimal" in run(command).out
    some = run(f"{command} --others forward")
    assert "this is about schedules where other nodes only forward" in some.out


def test_sums_among_a_part_of_the_nodes(run: Run) -> None:
    """The helper could add two values up, which forwarding pays twice: an interval."""
    platform_file("y.json", [("a", "h", 1), ("b", "h", 1), ("h", "t", 1)])
    for ports in ("link", "one-port", "half-duplex"):
        command = f"reduce y.json --target t --group a,b,t --ports {ports}"
        some = run(f"{command} --json -o some.json").object
        assert not some["optimal"]
        assert some["if_others_forward"] == some["throughput"]
        assert run("check some.json").code == 0
        assert "is the optimum if other nodes only forward" in run(command).out
        only = run(f"{command} --others forward --json").object
        assert only["optimal"]
        assert only["throughput"] == some["throughput"]
    blocks = run("reduce-scatter y.json --shards 0,0,1 --group a,b,t --json").object
    assert (blocks["throughput"], blocks["bound"]) == ("1/2", 1)
    some = run("reduce-scatter ring:4 --group 0,2 --shards 1,0 --ports link --others forward")
    assert "this is about schedules where other nodes only forward" in some.out


@pytest.mark.parametrize(
    ("command", "algbw", "busbw"),
    [
        ("allgather dgx-a100:1", Fraction(8 * 300, 7), 300),
        ("reduce-scatter dgx-a100:1 --ports link", Fraction(8 * 300, 7), 300),
        ("alltoall dgx-a100:1 --ports link", Fraction(8 * 300, 7), 300),
        ("allreduce dgx-a100:1 --ports link", Fraction(8 * 300, 14), 300),
    ],
)
def test_bandwidths_are_those_of_nccl(run: Run, command: str, algbw: Fraction, busbw: int) -> None:
    """Every GPU sends and receives 300 at most: the bus bandwidth of all four."""
    answer = run(f"{command} --json").object
    assert (Fraction(answer["algbw"]), answer["busbw"]) == (algbw, busbw)
    assert f"busbw {busbw}, in the unit of the bandwidths of arcs" in run(command).out


def test_no_bandwidths_of_unequal_parts(run: Run) -> None:
    for command in (
        "allgather ring:3 --shards 1,2,0",
        "reduce-scatter ring:3 --shards 1,2,1",
        "alltoall ring:4 --sources 0,1",
        "reduce ring:3 --target 0",
        'mix ring:3 [{"collective":"alltoall"}]',
    ):
        assert "algbw" not in run(f"{command} --json").object, command


def test_a_gather_is_an_alltoall_to_one_node(run: Run) -> None:
    for more in ("", " --sources gpu1,gpu9"):
        gathered = run(f"gather dgx-a100:2 --target gpu0 --ports link{more} --json").object
        same = f"alltoall dgx-a100:2 --targets gpu0 --ports link{more} --json"
        assert gathered == run(same).object
    assert run("gather ring:3 --target 0 --sizes 2,1 --json").object["throughput"] == "1/3"
    assert "one size for each of the 2" in refused(run("gather ring:3 --target 0 --sizes 2"))


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("broadcast dgx-a100:1 --source nvswitch0", "source: 'nvswitch0'"),
        ("broadcast dgx-a100:1 --source gpu0 --targets nvswitch0", "leave it out of the targets"),
        ("scatter dgx-a100:1 --source nvswitch0", "'nvswitch0'"),
        ("alltoall dgx-a100:1 --targets gpu0,nvswitch0", "name other nodes"),
        ("reduce dgx-a100:1 --target nvswitch0", "name other nodes"),
        ("allreduce dgx-a100:1 --participants gpu0,nvswitch0", "leave it out of the group"),
        ("allgather dgx-a100:1 --group gpu0,nvswitch0", "leave it out of the group"),
    ],
)
def test_switches_send_and_want_nothing(run: Run, command: str, named: str) -> None:
    line = refused(run(f"{command} --ports link"))
    assert "a switch only forwards what others send and want" in line
    assert "nvswitch0" in line
    assert named in line


def test_routes_that_do_not_count_are_told(run: Run) -> None:
    wire = [("wire", 1)]
    shared = Platform("ab", [("a", "b", 1, 0, wire), ("b", "a", 1, 0, wire)])
    write_platform(shared, "wire.json")
    for command in ("alltoall wire.json", "broadcast wire.json --source a"):
        assert "its 1 link of routes count with --ports routes" in run(command).out
        assert "--ports routes" not in run(f"{command} --ports routes").out
