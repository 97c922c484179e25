"""Commands that are told to end: by --time-limit, and by Ctrl-C."""

from __future__ import annotations

import json
import signal
from fractions import Fraction
from inspect import signature
from pathlib import Path

import pytest

import exactsched
from exactsched import check
from exactsched.cli import _parser
from exactsched.cli.terminal import Progress
from exactsched.logp.items import _searched
from tests.cli.command_line import Run, platform_file

SOON = "--time-limit 1/1000000"


def web() -> str:
    """A platform on which an alltoall takes more than one round."""
    pairs = [(u, v) for u in range(8) for v in range(u + 1, 8) if (u + v) % 2 or v - u == 2]
    links = [(u, v, f"{80 + 7 * index % 41}/100") for index, (u, v) in enumerate(pairs)]
    return platform_file("web.json", [(*ends, c) for u, v, c in links for ends in ((u, v), (v, u))])


@pytest.mark.parametrize(
    "command",
    [
        "alltoall {}",
        "scatter {} --source 0",
        "broadcast {} --source 0",
        "reduce {} --target 0",
        "reduce {} --target 0 --participants 0,1,2,3 --compute 1",
        "allreduce {}",
        "reduce-scatter {}",
        "reduce-scatter dgx-a100:2 --ports link",
        "allgather dgx-a100:2",
        "allgather dgx-a100:2 --chunks 2",
        "allgather dgx-a100:2 --depth 9",
        "allgather dgx-a100:2 --depth-curve",
        "allreduce dgx-a100:2 --ports link",
        "broadcast dgx-a100:2 --source gpu0 --ports link",
        "prefix {} --participants 0,1,2 --compute 1",
    ],
)
def test_a_limit_leaves_an_interval(run: Run, command: str) -> None:
    asked = command.format(web())
    said = run(f"{asked} {SOON} --json -o soon.json")
    assert said.code == 0
    claim = check("soon.json")
    assert claim.throughput <= claim.bound
    full = run(f"{asked} --json").object
    assert claim.throughput <= Fraction(full["bound"])
    assert Fraction(full["throughput"]) <= claim.bound
    if "alltoall" in command:
        assert not said.object["optimal"]
        assert full["optimal"]


def test_the_gain_of_an_allreduce_is_not_said_of_an_interval(run: Run) -> None:
    assert "gain" not in run(f"allreduce {web()} {SOON} --json").object
    assert "gain" in run(f"allreduce {web()} --json").object


def test_a_limit_for_an_allgather_of_a_size(run: Run) -> None:
    command = "allgather dgx-h100:2 --size 1000000 --latency 1000"
    soon = run(f"{command} {SOON} --json -o soon.json").object
    assert check("soon.json").makespan == Fraction(soon["makespan"])
    assert Fraction(soon["ratio"]) > 1


def test_a_limit_for_a_broadcast_of_a_size(run: Run) -> None:
    platform = web()
    command = f"broadcast {platform} --source 0 --size 1000"
    soon = run(f"{command} {SOON} --json -o soon.json").object
    full = run(f"{command} --json").object
    assert check("soon.json").makespan == Fraction(soon["makespan"])
    assert Fraction(full["makespan"]) <= Fraction(soon["makespan"])
    assert Fraction(soon["bound"]) <= Fraction(full["makespan"])


def test_a_limit_for_advice(run: Run) -> None:
    """Rows that are done, or, where the optimum is not known yet, the interval."""
    platform = web()
    said = run(f"advise {platform} --collective alltoall {SOON} --json").object
    assert (said["rows"], said["optimal"]) == ([], False)
    assert Fraction(said["throughput"]) < Fraction(said["bound"])
    text = run(f"advise {platform} --collective alltoall {SOON} -o x.svg").out
    assert "none: the search was ended before" in text
    assert run("allgather ring:4 -o ring.json").code == 0
    soon = run(f"advise ring.json {SOON} --json").object
    full = run("advise ring.json --json").object
    assert (soon["optimal"], soon["rows"], full["left_out"]) == (True, [], 0)
    assert soon["left_out"] == len(full["rows"])
    assert "other items: ended before" in run(f"advise ring.json {SOON}").out


def test_a_limit_for_a_curve(run: Run) -> None:
    command = f"ratio ring:4 --allgather --latency 1000 --sizes 1000,2000,3000 {SOON} --json"
    assert len(run(command).object["points"]) == 1


def test_a_limit_for_items(run: Run) -> None:
    """The bound of all schedules, and one that repeats nothing; what was kept serves the others."""
    _searched.cache_clear()
    command = "logp items --L 3 --P 10 --items 8"
    soon = run(f"{command} {SOON} --json -o soon.json").object
    assert (soon["time"], soon["bound"], soon["optimal"]) == (17, 15, False)
    assert check("soon.json").time == 17
    assert run(f"{command} --json").object["time"] == 15
    assert run(f"{command} --time-limit 100 --json").object["optimal"]


def test_an_interruption_of_items(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The third question comes from inside the first integer program: SCIP ends as well."""
    shown, times = Progress.searching, []

    def interrupting(self: Progress) -> bool:
        times.append(shown(self))
        if len(times) == 30:
            signal.raise_signal(signal.SIGINT)
        return self.asked()

    monkeypatch.setattr(Progress, "searching", interrupting)
    _searched.cache_clear()
    said = run("logp items --L 3 --P 1000 --items 51 -o found.json --json")
    printed = json.loads(said.out)
    assert (said.code, len(times), printed["optimal"]) == (130, 30, False)
    assert check("found.json").time == printed["time"] > printed["bound"]


def test_an_interruption_leaves_an_interval(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first Ctrl-C lets the round end; a certificate is written as a whole."""
    platform = web()
    before = signal.getsignal(signal.SIGINT)  # ignored by what a shell has put in the background
    shown = Progress.__call__

    def interrupting(self: Progress, rounds: int, lower: float, upper: float) -> bool:
        shown(self, rounds, lower, upper)
        signal.raise_signal(signal.SIGINT)
        return self.asked()

    monkeypatch.setattr(Progress, "__call__", interrupting)
    said = run(f"alltoall {platform} -o found.json --json")
    assert said.code == 130
    printed = json.loads(said.out)
    assert not printed["optimal"]
    assert check("found.json").bound == Fraction(printed["bound"])
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    "command",
    ["allgather mi250:2", "reduce-scatter mi250:2 --ports link", "allreduce mi250:2 --ports link"],
)
@pytest.mark.parametrize("when", [2, 300])
def test_an_interruption_in_the_middle_of_trees(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str, when: int
) -> None:
    """Before the bound is known, and while trees are packed."""
    shown, times = Progress.__call__, []

    def interrupting(self: Progress, rounds: int, lower: float, upper: float) -> bool:
        times.append(shown(self, rounds, lower, upper))
        if len(times) == when:
            signal.raise_signal(signal.SIGINT)
        return self.asked()

    monkeypatch.setattr(Progress, "__call__", interrupting)
    said = run(f"{command} -o found.json --json")
    printed = json.loads(said.out)
    assert (said.code, len(times), printed["optimal"]) == (130, when, False)
    claim = check("found.json")
    assert 0 < claim.throughput == Fraction(printed["throughput"]) < claim.bound


def test_a_second_interruption_ends_at_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    platform = web()

    def interrupting(self: Progress, *_: object) -> bool:
        self.asked()
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("the second one raises")

    monkeypatch.setattr(Progress, "__call__", interrupting)
    said = run(f"alltoall {platform} -o found.json")
    assert said.code == 130
    assert said.err.endswith("interrupted\n")
    assert not Path("found.json").exists()


def test_before_a_search_has_asked_an_interruption_ends_at_once() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), Progress():
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    "what", ["--within 2", "--max-period 1", "--period 1", "--operations 20", "--depth 6"]
)
def test_a_limit_ends_what_is_made_of_trees(run: Run, what: str) -> None:
    soon = run(f"allgather mi250:2 {what} --time-limit 1 --json -o soon.json").object
    claim = check("soon.json")
    assert soon["optimal"] is False
    if "makespan" in soon:
        assert Fraction(soon["bound"]) < claim.makespan <= Fraction(soon.get("guarantee", 2))
        assert soon["operations"] >= 1
    else:
        assert 3 < claim.throughput < claim.bound


# In Python ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("run")
def test_python_has_the_limit_too() -> None:
    platform = exactsched.load_platform(web())
    solve = [exactsched.alltoall, exactsched.reduce_scatter, exactsched.order_free_allreduce]
    for collective in solve:
        found = collective(platform, time_limit=0)
        claim = check(found)
        assert claim.throughput <= claim.bound
    assert not exactsched.alltoall(platform, time_limit=0).optimal
    best = exactsched.alltoall(platform, time_limit=60)
    assert best.optimal
    shortest = exactsched.run_operations(best, 3, time_limit=0)
    assert check(shortest).makespan >= exactsched.run_operations(best, 3).makespan
    for limit in (-1, float("nan"), "1"):
        with pytest.raises(exactsched.InvalidInput, match="time_limit"):
            exactsched.broadcast(platform, 0, time_limit=limit)


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("limit", [None, 60])
def test_progress_is_told_with_a_limit_and_without(limit: float | None) -> None:
    platform = exactsched.load_platform(web())
    told: list[int] = []

    def progress(rounds: int, _lower: float, _upper: float) -> bool:
        told.append(rounds)
        return len(told) == 2

    assert not exactsched.alltoall(platform, time_limit=limit, progress=progress).optimal
    assert len(told) == 2


# Options of the command line -> parameters of the function with the same name.
SAME = {
    "broadcast": ("source", "targets", "ports", "time_limit"),
    "scatter": ("source", "targets", "sizes", "ports", "time_limit"),
    "gather": ("target", "sources", "sizes", "ports", "time_limit"),
    "alltoall": ("sources", "targets", "size", "ports", "time_limit"),
    "allgather": ("shards", "chunks", "depth", "prefer", "ports", "time_limit"),
    "reduce-scatter": ("group", "shards", "ports", "time_limit"),
    "reduce": ("participants", "target", "size", "compute", "ports", "time_limit"),
    "prefix": ("participants", "size", "compute", "ports", "time_limit"),
    "allreduce": ("participants", "size", "compute", "ports", "time_limit"),
    "mix": ("ports", "time_limit"),
    "advise": ("every", "time_limit"),
    "ratio": ("source", "sizes", "ports", "time_limit"),
}


@pytest.mark.parametrize("command", SAME)
def test_options_and_parameters_have_the_same_names(command: str) -> None:
    everything = next(x for x in _parser(command)._actions if x.choices and x.dest != "help")
    options = {one.dest for one in everything.choices[command]._actions}  # type: ignore[call-overload, index]
    name = {"ratio": "ratio_curve"}.get(command, command.replace("-", "_"))
    parameters = signature(getattr(exactsched, name)).parameters
    assert set(SAME[command]) <= options & set(parameters)
