"""The command `overlay`, and what `check` and `simulate` do with what it writes."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from exactsched.certificate import parse, read_certificate, write_certificate
from exactsched.certificate.overlay import Overlay
from exactsched.check import ProvedOverlay, check
from exactsched.check.linear_programs.vipr import check_vipr
from exactsched.cli.terminal import Progress
from exactsched.model.machine import MultiPort
from exactsched.overlay.augmented import augmented_overlay
from exactsched.platforms.machine_files import write_machine
from tests.cli.command_line import Run, files, refused

NO_PARTITION = "three-partition:6,6,6,6,7,9"


@pytest.mark.parametrize(
    ("instance", "method", "throughput", "bound"),
    [
        # Figure 1 of the paper: a tree, no cycles, cycles.
        ("ipdps-fig1", "tree", 1, 1),
        ("ipdps-fig1", "acyclic", "3/2", "3/2"),
        ("ipdps-fig1", "augmented", 2, 2),
        ("ipdps-fig1", "unconstrained", 2, 2),
        ("ipdps-fig1", "bound", 0, 2),
        (NO_PARTITION, "tree", 14, 14),
        (NO_PARTITION, "augmented", 20, 20),
        (NO_PARTITION, "unconstrained", 20, 20),
        (NO_PARTITION, "bound", 0, 20),
    ],
)
def test_known_throughputs(
    run: Run, instance: str, method: str, throughput: int | str, bound: int | str
) -> None:
    said = run(f"overlay {instance} --method {method} --json -o found.json").object
    assert (said["method"], said["throughput"], said["bound"]) == (method, throughput, bound)
    claim = check("found.json")
    assert isinstance(claim, ProvedOverlay)
    assert (str(claim.throughput), str(claim.bound)) == (str(throughput), str(bound))
    assert {"optimal": claim.optimal, "excess": claim.excess, "arcs": claim.arcs}.items() <= (
        said.items()
    )
    assert said["optimal"] == (throughput == bound and said["excess"] == 0)


def test_the_default_is_the_optimum(run: Run) -> None:
    assert run("overlay ipdps-fig1 --json").object["method"] == "exact"
    assert (
        run("overlay ipdps-fig1 --json").object
        == run("overlay ipdps-fig1 --method exact --json").object
    )
    said = run("overlay three-partition:6,7,7 --json").object
    assert (said["throughput"], said["bound"], said["optimal"]) == (20, 20, True)


def test_an_optimum_below_the_counting_bound(run: Run) -> None:
    """The source sends to one other only: 2 is it, and sends all to 1, at its rate.

    By counting everything could be sent at the rate of the source.
    """
    run("platforms")
    write_machine(MultiPort([5, 2, 3], [1, 1, 2]), "m.json")
    assert run("overlay m.json --method bound --json").object["bound"] == 5
    said = run("overlay m.json -o found.json --vipr found.vipr --json").object
    assert (said["throughput"], said["bound"], said["optimal"]) == (3, 3, True)
    assert check_vipr(Path("found.vipr")).upper == 3
    said = run("check found.vipr found.json")
    assert (said.code, said.out.count("accepted")) == (0, 2)
    why = run("overlay m.json").out.splitlines()[-1]
    assert re.fullmatch(
        r" *why +inequalities .* contradiction in (one case|each of \d+ cases)", why
    )


def test_a_limit_leaves_an_interval(run: Run) -> None:
    said = run(f"overlay {NO_PARTITION} --time-limit 0.2 --nodes 1 --json -o found.json").object
    assert Fraction(said["throughput"]) <= Fraction(79, 4) <= Fraction(said["bound"])
    assert check("found.json").optimal is said["optimal"]


def test_what_is_printed(run: Run) -> None:
    said = run("overlay ipdps-fig1 --method acyclic -o found.json --trees")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == "ipdps-fig1: acyclic overlay to 2 nodes at rate 3/2 proved optimal" + (
        " (3 arcs, degrees kept)"
    )
    assert lines[1].split(maxsplit=1) == ["message", "in 3 equal parts"]
    assert lines[2].split(maxsplit=1) == ["sent", "0->1 at 3/2, 0->2 at 1/2, 1->2 at 1"]
    trees = {line.split(maxsplit=2)[2] for line in lines[3:5]}
    assert trees == {"1: 0->1 1->2", "1/2: 0->1 0->2"}
    assert lines[5].split()[0] == "why"
    assert lines[5].endswith("2 T, is at most what is sent, 3: T is at most 3/2")
    assert lines[6].split() == ["certificate", "found.json"]
    assert run("check found.json").out.startswith("accepted: found.json: acyclic overlay")


def test_long_lists_are_cut(run: Run) -> None:
    out = run(f"overlay {NO_PARTITION} --method tree").out
    assert "..." not in out
    assert "equal part" not in out
    assert run(f"overlay {NO_PARTITION} --method acyclic").out.count(", ...\n") == 1


def test_limits_are_passed_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def optimal_overlay(machine: MultiPort, **limits: object) -> Overlay:
        asked.append((limits["time_limit"], limits["node_limit"]))
        return augmented_overlay(machine)

    monkeypatch.setattr("exactsched.overlay.exact.optimal_overlay", optimal_overlay)
    for options in ("", "--time-limit 1.5", "--time-limit 1e400 --nodes 7"):
        assert run(f"overlay ipdps-fig1 {options}").code == 0
    assert asked == [(60, None), (1.5, None), (1e9, 7)]


def test_progress_on_a_terminal_only(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run("platforms")
    with Progress() as progress:
        progress.between(1.5, 2)
    assert capsys.readouterr().err == ""
    with pytest.MonkeyPatch.context() as patch, Progress() as progress:
        patch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        progress.between(0, 3)  # not yet: only from the second second on
        patch.setattr(Progress, "quiet", 0.0)
        progress.between(1.5, 2)
    said = capsys.readouterr().err
    assert said.startswith("\r1.5 <= throughput <= 2 ")
    assert said.endswith("\r")


def test_nodes_are_called_by_their_names(run: Run) -> None:
    machine = MultiPort([2, 1, 1], [2, 1, 1], names=("well", "north", "south"))
    write_machine(machine, "named.json")
    out = run("overlay named.json --method tree").out
    assert "well->north at 1, well->south at 1" in out


def test_what_is_above_the_degrees_is_said(run: Run) -> None:
    said = run(f"overlay {NO_PARTITION} --method acyclic")
    assert "up to 1 above their bounds at 3 nodes" in said.out
    said = run(f"overlay {NO_PARTITION} --method acyclic --json").object
    assert (said["excess"], said["optimal"], said["arcs"]) == (1, False, 13)


def test_trees_share_the_rates(run: Run) -> None:
    said = run(f"overlay {NO_PARTITION} --method acyclic --trees --json -o found.json").object
    found = parse(read_certificate("found.json"))
    assert isinstance(found, Overlay)
    left = {
        (i, j): Fraction(found.throughput) * sum(b - a for a, b in pieces) / found.parts
        for i, j, pieces in found.arcs
    }
    assert sum(Fraction(tree["weight"]) for tree in said["trees"]) == said["throughput"] == 20
    for tree in said["trees"]:
        assert sorted(head for _, head in tree["arcs"]) == list(range(1, 9))
        for tail, head in tree["arcs"]:
            left[tail, head] -= Fraction(tree["weight"])
    assert all(rest >= 0 for rest in left.values())


def test_nothing_can_be_sent(run: Run) -> None:
    write_machine(MultiPort([1, 1], [0, 1]), "mute.json")
    for method in ("exact", "augmented", "tree", "bound"):
        said = run(f"overlay mute.json --method {method} --json").object
        assert (said["throughput"], said["bound"], said["optimal"]) == (0, 0, True)
    assert run("overlay mute.json --method tree --trees --json").object["trees"] == []
    assert "the source may send to nobody" in run("overlay mute.json").out


def test_bounds_have_proofs_for_others(run: Run) -> None:
    for method in ("augmented", "unconstrained", "bound", "exact"):
        said = run(f"overlay ipdps-fig1 --method {method} --vipr found.vipr")
        assert said.code == 0
        line = said.out.splitlines()[-1]
        assert line == f"found.vipr: {check_vipr(Path('found.vipr'))}"
        assert check_vipr(Path("found.vipr")).upper == 2
        Path("found.vipr").unlink()


def test_decentralized_broadcasts(run: Run) -> None:
    assert run("overlay ipdps-fig1 --method augmented -o found.json").code == 0
    first = run("simulate found.json --items 200 --json").object
    assert (first["packets"], first["rate"], first["throughput"]) == (200, 2, 2)
    assert 0 < Fraction(first["slowest"]) <= 3
    assert Fraction(first["makespan"]) >= 100
    assert run("simulate found.json --items 200 --json --seed 0").object == first
    assert run("simulate found.json --items 200 --json --seed 1").object != first
    slow = run("simulate found.json --items 200 --json --rate 3/2").object
    assert slow["rate"] == "3/2"
    assert slow["makespan"] != first["makespan"]
    assert run("simulate found.json").out.startswith("1000 packets at rate 2")


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("overlay nowhere", "instance: 'nowhere': no such file; built in are ipdps-fig1, three-"),
        ("overlay nowhere.json", "nowhere.json"),
        ("overlay ipdps-fig1:2", "instance: 'ipdps-fig1:2': type ipdps-fig1"),
        ("overlay random:3", "instance: 'random:3': type random:N,D,SEED"),
        ("overlay random:0,2,1", "count: 0: an integer, at least 1"),
        ("overlay random:9999999,2,1", "instance: 9999999: at most 1000000 nodes"),
        ("overlay three-partition:1,2", "numbers: 2: three numbers for each group"),
        ("overlay three-partition:1,2,x", "type three-partition:A,B,C,..."),
        ("overlay ipdps-fig1 --degree 2", "--degree: 2: built-in machines have their own"),
        ("overlay ipdps-fig1 --degree 1/2", "--degree: '1/2': a whole number"),
        ("overlay ipdps-fig1 --method best", "invalid choice: 'best'"),
        ("overlay ipdps-fig1 --time-limit 0", "--time-limit: '0': a positive number"),
        ("overlay ipdps-fig1 --nodes 1.5", "--nodes: '1.5': a whole number"),
        ("overlay ipdps-fig1 --method tree --time-limit 1", "goes with --method exact only"),
        ("overlay ipdps-fig1 --method tree --nodes 1", "goes with --method exact only"),
        ("overlay ipdps-fig1 --method bound --trees", "a bound has no overlay"),
        ("overlay ipdps-fig1 --method tree --vipr x.vipr", "--vipr: 'tree': a VIPR certificate"),
        ("overlay ipdps-fig1 --method acyclic --vipr x.vipr", "--vipr: 'acyclic': a VIPR"),
        ("overlay ipdps-fig1 --vipr x -o x", "--vipr: 'x': this is the file of the certificate"),
        ("overlay ipdps-fig1 --vipr ./x -o x", "--vipr: './x': this is the file of the cert"),
        ("overlay ipdps-fig1 --vipr nowhere/x.vipr", "'nowhere/x.vipr': there is no folder"),
        ("overlay ipdps-fig1 -o nowhere/x.json", "'nowhere/x.json': there is no folder"),
        ("overlay", "the following arguments are required: INSTANCE"),
        ("simulate nowhere.json --seed 1", "nowhere.json"),
    ],
)
def test_refusals(run: Run, command: str, complaint: str) -> None:
    assert complaint in refused(run(command))
    assert files() == {}


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("m.json", "{}", "m.json: nodes"),
        ("m.json", '{"nodes": []}', "there is no source"),
        ("m.json", '{"nodes": [{"bandwidth": 1, "degree": 1}]}', "at least one other node"),
        ("m.json", "[", "m.json"),
        ("m.csv", "bandwidth,degree\n1,1\n-1,1\n", "a bandwidth is not negative"),
        ("m.csv", "bandwidth,degree\n1,1\n1,1/2\n", "a degree is a whole number"),
        ("m.csv", "bandwidth,degree\n1,1\n1,two\n", "'two'"),
        ("m.csv", "bandwidth\n2\n1\n", "the degree is missing"),
        ("m.csv", "bandwidth,delay\n2,1\n", "'delay'"),
        ("m.csv", "", "there is no source"),
    ],
)
def test_bad_machines(run: Run, name: str, content: str, complaint: str) -> None:
    run("platforms")  # the folder of the run is the current one from here on
    Path(name).write_text(content)
    for method in ("exact", "tree"):
        line = refused(run(f"overlay {name} --method {method} -o found.json --vipr found.vipr"))
        assert complaint in line or method == "tree"
        assert list(files()) == [name]


def test_a_degree_for_all(run: Run) -> None:
    run("platforms")
    Path("rates.csv").write_text("bandwidth\n2\n1\n1\n")
    # With degree 1 a chain in which the last one has nobody to send to.
    for degree, rate in ((1, 1), (2, "3/2")):
        said = run(f"overlay rates.csv --degree {degree} --method acyclic --json").object
        assert said["bound"] == rate
    Path("rates.csv").write_text("bandwidth,degree\n2,1\n1,1\n")
    assert "files that have none" in refused(run("overlay rates.csv --degree 1"))


def test_files_are_not_replaced_by_their_results(run: Run) -> None:
    run("platforms")
    write_machine(MultiPort([2, 1, 1], [2, 1, 1]), "m.json")
    before = files()
    for option in ("-o", "--vipr"):
        line = refused(run(f"overlay m.json {option} m.json"))
        assert f"{option}: 'm.json': this is the file to be read" in line
    assert files() == before


@pytest.mark.parametrize(
    ("written", "code", "complaint"),
    [
        ("VER 1.0", 2, "malformed: bad.vipr: "),
        ("VER 1.0 VAR 1 x INT 0 OBJ max 1 0 1 CON 0 0 RTP range -inf 1 SOL 0 DER 0", 1, "rejected"),
    ],
)
def test_files_in_the_format_of_vipr(run: Run, written: str, code: int, complaint: str) -> None:
    run("platforms")
    Path("bad.vipr").write_text(written)
    said = run("check bad.vipr")
    assert said.code == code
    assert (said.out + said.err).startswith(complaint)
    assert (said.out + said.err).count("\n") == 1
    said = run("check nowhere.vipr")
    assert (said.code, said.out) == (2, "")
    assert said.err == (
        "unreadable: nowhere.vipr: 'no such file': a certificate is a file that can be read\n"
    )


def test_what_is_rejected_is_not_played(run: Run) -> None:
    """Without this bandwidth the rates are more than the source can send."""
    found = augmented_overlay(MultiPort([2, 1, 1], [2, 1, 1]))
    write_certificate(replace(found, machine=MultiPort([1, 1, 1], [2, 1, 1])), "found.json")
    said = run("simulate found.json --items 100")
    assert (said.code, said.out) == (1, "")
    assert "it sends at most at the rate 1" in said.err


def test_seeds_are_for_overlays(run: Run) -> None:
    assert run("logp broadcast --L 3 --P 4 -o found.json").code == 0
    assert "goes with overlays only" in refused(run("simulate found.json --seed 1"))
    assert "goes with overlays only" in refused(run("simulate found.json --rate 1"))
    assert run("overlay ipdps-fig1 --method tree -o found.json").code == 0
    for asked, complaint in (
        ("--seed 1/2", "--seed: '1/2': a whole number"),
        ("--rate 0", "--rate: '0': a positive number"),
        ("--items 2", "packets: 2: a whole number of packets, at least 10"),
    ):
        assert complaint in refused(run(f"simulate found.json {asked}"))
