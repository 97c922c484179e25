"""MSCCL plans are run in random orders: what the verifier accepts is right in all of them."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from math import lcm
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import Platform, alltoall, broadcast
from exactsched.exact.errors import InvalidInput, Malformed, Rejected
from exactsched.export.msccl.events import SLOTS
from exactsched.export.msccl.loads import compare
from exactsched.export.msccl.verifier import Verified, verify_text
from exactsched.export.msccl.writer import algorithm_of, text_of
from exactsched.export.plan import Plan, plan
from exactsched.model.problem import Combination
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.allgather_any_ports import allgather
from exactsched.steady_state.combination import order_free_allreduce, solve_combination
from exactsched.strategies import platforms
from tests.cli.command_line import Run, refused
from tests.export.msccl_interpreter import Stopped, Wrong, run
from tests.export.plans import ring_allgather
from tests.export.solved import UNEQUAL, certificates

CORPUS = Path(__file__).parents[1] / "corpus" / "msccl"
SOLVED = {name: solution.certificate() for name, solution in certificates().items()}
WRITTEN = ["broadcast", "allgather", "reduce-scatter", "allreduce", "allreduce-link"]


def written(certificate: object, segments: int = 1) -> str:
    return text_of(algorithm_of(plan(certificate, segments)))  # type: ignore[arg-type]


def run_all(text: str, verified: Verified, seeds: range) -> None:
    """Every run ends right, with no more room than the verifier says is needed."""
    plan = verified.algorithm
    holds = 0 if verified.buffers == "none" else SLOTS[plan.protocol]
    for in_place, asked in ((True, plan.in_place), (False, plan.out_of_place)):
        for seed in seeds if asked else ():
            run(text, in_place=in_place, holds=holds, seed=seed, root=verified.root)


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("segments", [1, 3])
def test_every_collective_is_written_and_runs(name: str, segments: int) -> None:
    text = written(SOLVED[name], segments)
    verified = verify_text(text)
    assert verified.buffers == "none"
    assert not verified.algorithm.missing
    run_all(text, verified, range(5))


def too_fine(made: Plan) -> bool:
    """Whether the weights need more equal chunks than can be numbered."""
    cuts = lcm(*(at.denominator for chunk in made.chunks for at in chunk[1:]))
    one = made.operation in ("allreduce", "broadcast")
    return cuts * (1 if one else len(made.ranks)) > 1 << 15


@settings(max_examples=25)
@given(platforms(max_nodes=4), st.sampled_from(["one-port", "link"]), st.data())
def test_random_platforms(platform: Platform, ports: str, data: st.DataObject) -> None:
    nodes = platform.nodes
    if len(nodes) < 2:
        return
    everyone = Combination(platform, ((1, nodes),), ports)  # type: ignore[arg-type]
    single = Combination(platform, tuple((1, (node,)) for node in nodes), ports)  # type: ignore[arg-type]
    pairs = [(one, other) for one in nodes for other in nodes if one != other]
    solve = data.draw(
        st.sampled_from(
            [
                lambda: allgather(platform, dict.fromkeys(nodes, 1)),
                lambda: solve_combination(everyone),
                lambda: solve_combination(single),
                lambda: broadcast(platform, nodes[0], ports=ports),
                lambda: alltoall(platform, pairs, ports=ports),
            ]
        )
    )
    solution = solve()
    if not solution.throughput:
        return
    made = plan(solution.certificate())
    if too_fine(made):
        with pytest.raises(InvalidInput, match="take fewer segments"):
            algorithm_of(made)
        return
    text = text_of(algorithm_of(made))
    verified = verify_text(text)
    assert verified.buffers == "none"
    run_all(text, verified, range(2))
    found = compare(verified, platform, ports="link")
    assert found.gap >= 0
    if ports == "link":  # the plan does just what the certificate does
        assert found.time == 1 / solution.throughput == found.least


def mutated(text: str, drawn: random.Random) -> str:
    """One attribute of one element has the value of another element, or one step is gone."""
    if drawn.random() < 0.2:
        steps = list(re.finditer(r"<step[^>]*?(/>|></step>|>\s*</step>)", text))
        one, other = sorted(drawn.sample(steps, 2), key=lambda step: step.start())
        if drawn.random() < 0.5:  # they change places
            middle = text[one.end() : other.start()]
            swapped = other.group() + middle + one.group()
            return text[: one.start()] + swapped + text[other.end() :]
        return text[: one.start()] + text[one.end() :]
    names = ["srcbuf", "srcoff", "dstbuf", "dstoff", "cnt", "depid", "deps", "hasdep", "type"]
    name = drawn.choice([*names, "send", "recv", "chan", "depid", "deps"])
    found = list(re.finditer(rf'(?<= ){name}="([^"]*)"', text))
    one, other = drawn.sample(found, 2)
    return text[: one.start(1)] + other.group(1) + text[one.end(1) :]


BASES = {
    **{
        name: (CORPUS / "accepted" / f"{name}.xml").read_text()
        for name in (
            "allreduce-of-two",
            "alltoall",
            "broadcast",
            "buffers-just-enough",
            "message-in-one-slot",
            "ordered-by-messages",
            "pair",
            "reduce-scatter",
            "ring-allreduce",
        )
    },
    "ring": ring_allgather(4),
    **{name: written(SOLVED[name]) for name in WRITTEN if name != "allgather"},
}


@pytest.mark.parametrize("name", BASES)
def test_mutants_are_refused_or_still_right(name: str) -> None:
    refusals = accepted = 0
    for seed in range(40):
        drawn = random.Random(f"{name} {seed}")
        mutant = mutated(BASES[name], drawn)
        if mutant == BASES[name]:
            continue
        try:
            verified = verify_text(mutant)
        except (Malformed, Rejected):
            refusals += 1
        else:
            accepted += 1
            run_all(mutant, verified, range(8))
    assert refusals > accepted


@pytest.mark.parametrize("name", ["deadlock-both-receive-first", "deadlock-buffers-full"])
def test_a_deadlock_stops_every_run(name: str) -> None:
    text = (CORPUS / "rejected" / f"{name}.xml").read_text()
    for seed in range(5):
        with pytest.raises(Stopped):
            run(text, in_place=False, holds=2, seed=seed)


@pytest.mark.parametrize(
    ("name", "in_place"),
    [
        ("race-read-before-written", True),
        ("race-written-twice", False),
        ("race-read-of-a-sender-in-time-only", True),
        ("added-twice", False),
        ("in-place-wrong", True),
    ],
)
def test_what_is_rejected_ends_wrong_in_some_run(name: str, in_place: bool) -> None:
    text = (CORPUS / "rejected" / f"{name}.xml").read_text()
    ends = set()
    for seed in range(40):
        try:
            run(text, in_place=in_place, holds=2, seed=seed)
        except Wrong:
            ends.add("wrong")
        else:
            ends.add("right")
    assert "wrong" in ends


@pytest.mark.parametrize(
    "name",
    [
        "alltoall",
        "ring-allreduce",
        "allreduce-of-two",
        "handed-on-needs-buffers",
        "received-in-another-order",
    ],
)
def test_a_plan_that_needs_buffers_stops_without_them(name: str) -> None:
    text = (CORPUS / "accepted" / f"{name}.xml").read_text()
    with pytest.raises(Stopped):
        run(text, in_place=name in ("ring-allreduce", "allreduce-of-two"), holds=0, seed=1)


def test_many_chunks_go_in_pieces_over_several_channels() -> None:
    chain = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    made = algorithm_of(plan(broadcast(chain, "a").certificate(), 600))
    assert made.channels == 3
    text = text_of(made)
    run_all(text, verify_text(text), range(1))
    # One tree for 1/3 of the message, the other for 2/3; in 300 chunks a step moves at most 71.
    made = algorithm_of(plan(SOLVED["broadcast"], 100))
    assert made.chunks == 300
    assert max(step.size for gpu in made.gpus for tb in gpu.blocks for step in tb.steps) <= 71


def test_the_loads_of_a_ring_are_compared_with_the_optimum() -> None:
    """A ring of 4 passes 3 shards over every link; the other direction is not used."""
    ring = built_in("ring:4")
    found = compare(verify_text(ring_allgather(4)), ring)
    assert (found.time, found.least, found.gap) == (3, Fraction(3, 2), 1)
    assert "link 0->1 works 3 time units an operation" in str(found)
    assert "no schedule needs less than 3/2: 100 % more" in str(found)
    with pytest.raises(InvalidInput, match="under the other port models"):
        compare(verify_text(ring_allgather(4)), ring, ports="routes")
    turned = compare(verify_text(ring_allgather(4)), ring, (3, 2, 1, 0))
    assert turned.loads.keys() & found.loads.keys() == set()


def test_through_switches_a_message_takes_the_one_shortest_way() -> None:
    box = built_in("dgx-a100:1")
    found = compare(verify_text(ring_allgather(8)), box)
    assert found.time == found.least == Fraction(7, 300)
    assert found.gap == 0
    added = verify_text(written(order_free_allreduce(box, ports="link").certificate()))
    found = compare(added, box)
    assert found.time == found.least == Fraction(7, 1200)
    with pytest.raises(InvalidInput, match="no bound is known for reducescatter"):
        compare(verify_text(written(SOLVED["reduce-scatter"])), box, box.nodes[:4])


def test_only_shortest_ways_count() -> None:
    """A link beside a way through a switch; then two switches, each of which takes a half."""
    around = [("a", "s", 1), ("s", "b", 1), ("b", "s", 1), ("s", "a", 1)]
    direct = Platform("abs", [*around, ("a", "b", 2), ("b", "a", 2)], switches="s")
    found = compare(verify_text(ring_allgather(2)), direct)
    assert found.loads == {"link:4": 2, "link:5": 2}
    assert (found.time, found.least, found.gap) == (2, Fraction(2, 3), 2)
    second = [("a", "t", 1), ("t", "b", 1), ("b", "t", 1), ("t", "a", 1)]
    twice = Platform("abst", [*around, *second], switches="st")
    found = compare(verify_text(ring_allgather(2)), twice)
    assert (set(found.loads.values()), len(found.loads)) == ({Fraction(1, 2)}, 8)
    assert (found.time, found.least, found.shared) == (Fraction(1, 2), Fraction(1, 2), 2)
    assert "what 2 pairs of gpus send is shared evenly among several shortest ways" in str(found)


def test_every_shortest_way_takes_an_equal_part() -> None:
    """Two ways from a to b begin with the first switch, and one with the second."""
    ways = [("a", "s"), ("a", "t"), ("s", "u"), ("s", "v"), ("t", "v"), ("u", "b"), ("v", "b")]
    back = [("b", "w"), ("w", "x"), ("x", "a"), ("a", "z")]  # z leads nowhere
    arcs = [(*ends, 1) for ends in ways + back]
    fabric = Platform("abstuvwxz", arcs, switches="stuvwxz")
    found = compare(verify_text(ring_allgather(2)), fabric)
    third, whole = Fraction(1, 3), Fraction(1)
    parts = [2 * third, third, third, third, third, third, 2 * third, whole, whole, whole]
    assert found.loads == {f"link:{arc}": part for arc, part in enumerate(parts)}
    assert found.shared == 1


def test_a_plan_is_compared_on_the_command_line(run: Run) -> None:
    plan = str(CORPUS / "accepted" / "ring-in-place.xml")
    said = run("check", plan, "--platform", "ring:4", "--ranks", "0,1,2,3")
    assert said.code == 0
    accepted, compared = said.out.splitlines()
    assert accepted.startswith("accepted: ")
    assert compared.startswith("on ring:4: link 0->1 works 3 time units")
    for options, rule in (
        (["--ranks", "0,1,2,3"], "goes with --platform only"),
        (["--ports", "link"], "goes with --platform only"),
        (["--platform", "ring:5"], "the plan has 4 gpus: name a node for each"),
        (["--platform", "ring:4", "--ranks", "0,1,2,2"], "every gpu is a node of its own"),
        (["--platform", "ring:4", "--ranks", "0,2,1,3"], "no way through nodes that are no gpus"),
        (["--platform", "ring:4", "--ranks", "0,1,2,9"], "not a node of the platform"),
        (["--platform", "ring:4", "--ports", "one-port"], "solved under link ports only"),
    ):
        said = run("check", plan, *options)
        assert said.code == 2
        assert rule in said.err
        assert said.err.count("\n") == 1
    certificate = str(CORPUS.parent / "accepted" / "two-links.json")
    line = refused(run("check", plan, certificate, "--platform", "ring:4"))
    assert "goes with plans in MSCCL's XML only" in line


def test_a_certificate_is_exported_and_checked(run: Run) -> None:
    assert run("allreduce ring:4 --ports link -o plan.json").code == 0
    said = run("export plan.json --format msccl -o plan.xml")
    assert said.code == 0
    assert said.out.startswith("plan.xml: allreduce, 4 gpus, ")
    said = run("check plan.xml --platform ring:4")
    assert said.code == 0
    assert "no plan has less to do" in said.out


def test_what_cannot_be_written_is_refused(run: Run) -> None:
    scattered = {"a": 2, "b": 1, "c": 1, "d": 1}
    for certificate, rule in (
        (SOLVED["scatter"], "plans for MSCCL are written for allgather"),
        (SOLVED["alltoall"], "MSCCL moves one message of the same size for each"),
        (allgather(UNEQUAL, scattered).certificate(), "one shard of the same size for each"),
        (SOLVED["reduce-scatter-unequal"], "one block of the same size for each"),
    ):
        with pytest.raises(InvalidInput, match=rule):
            written(certificate)
    with pytest.raises(InvalidInput, match="MSCCL has 32768"):
        written(SOLVED["broadcast"], 20_000)
    pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    with pytest.raises(InvalidInput, match="more than 256 steps for each of 32 channels"):
        written(broadcast(pair, "a").certificate(), 9_000)
    assert run("broadcast ring:3 --source 0 -o plan.json").code == 0
    line = refused(run("export plan.json --format msccl --segments 0 -o plan.xml"))
    assert "a whole number" in line or "a positive number" in line
    assert not Path("plan.xml").exists()
