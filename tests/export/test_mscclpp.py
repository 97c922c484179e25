"""MSCCL++ plans are played in random orders; wrong ones are refused."""

from __future__ import annotations

import ast
import copy
import json
import random
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import Platform, broadcast
from exactsched.exact.errors import InvalidInput, Malformed, Rejected
from exactsched.export.mscclpp.interpreter import play
from exactsched.export.mscclpp.writer import document_of
from exactsched.export.plan import plan
from exactsched.model.problem import Combination
from exactsched.steady_state.allgather_any_ports import allgather
from exactsched.steady_state.combination import solve_combination
from exactsched.strategies import platforms
from tests.cli.command_line import Run, refused
from tests.export.mscclpp_player import outputs, wanted
from tests.export.solved import certificates

PACKAGE = Path(__file__).parents[2] / "exactsched" / "export" / "mscclpp"
SOLVED = {name: solution.certificate() for name, solution in certificates().items()}
NAMES = ["broadcast", "allgather", "reduce-scatter", "allreduce", "allreduce-link"]
Document = dict[str, Any]


def written(name: str, segments: int = 1) -> Document:
    return document_of(plan(SOLVED[name], segments))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("segments", [1, 3])
def test_every_collective_is_written_and_played(name: str, segments: int) -> None:
    document = json.loads(json.dumps(written(name, segments)))
    for seed in range(5):
        play(document, seed)
        assert outputs(document, seed) == wanted(document)


@settings(max_examples=20)
@given(platforms(max_nodes=4), st.sampled_from(["one-port", "link"]), st.integers(0, 3))
def test_random_platforms(platform: Platform, ports: str, which: int) -> None:
    nodes = platform.nodes
    if len(nodes) < 2:
        return
    blocks: Any = [((1, nodes),), tuple((1, (node,)) for node in nodes)]
    asked: list[Callable[[], Any]] = [
        lambda: allgather(platform, dict.fromkeys(nodes, 1)),
        lambda: broadcast(platform, nodes[0], ports=ports),  # type: ignore[arg-type]
        lambda: solve_combination(Combination(platform, blocks[0], ports)),  # type: ignore[arg-type]
        lambda: solve_combination(Combination(platform, blocks[1], ports)),  # type: ignore[arg-type]
    ]
    solution = asked[which]()
    if not solution.throughput:
        return
    try:
        document = document_of(plan(solution.certificate()))
    except InvalidInput as error:
        if "take fewer segments" not in error.rule:
            raise
        return
    for seed in range(3):
        play(document, seed)
        assert outputs(document, seed) == wanted(document)


def first(document: Document, name: str, gpus: slice = slice(None)) -> tuple[list[Any], int]:
    """The first operation of this name, as a list and an index in it."""
    for gpu in document["gpus"][gpus]:
        for block in gpu["threadblocks"]:
            for index, op in enumerate(block["ops"]):
                if op["name"] == name:
                    return block["ops"], index
    raise AssertionError(name)


def without(document: Document, name: str, after: int = 0) -> None:
    """The first operation of a name, or one behind it, is left out."""
    ops, index = first(document, name)
    del ops[index + after]


def changed(name: str, member: str, value: object) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        ops, index = first(document, name)
        ops[index][member] = value

    return change


def of_gpu(member: str, value: object) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        document["gpus"][1][member] = value

    return change


def of_block(member: str, value: object) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        document["gpus"][1]["threadblocks"][0][member] = value

    return change


def of_plan(member: str, value: object) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        document[member] = value

    return change


def end(name: str, side: str, member: str, value: object) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        ops, index = first(document, name)
        ops[index][side][-1] = ops[index][side][-1] | {member: value}

    return change


def used_by_two_blocks(document: Document) -> None:
    blocks = document["gpus"][0]["threadblocks"]
    blocks[1]["channels"] = blocks[0]["channels"]


def no_late_wait(document: Document) -> None:
    for gpu in document["gpus"]:
        for block in gpu["threadblocks"]:
            if block["ops"][-1]["name"] == "wait":
                del block["ops"][-1]
                return


def no_barrier_before_handing_on(document: Document) -> None:
    for gpu in document["gpus"]:
        for block in gpu["threadblocks"]:
            names = [op["name"] for op in block["ops"]]
            for index in range(len(names) - 2):
                if names[index : index + 3] == ["wait", "nop", "put"]:
                    del block["ops"][index + 1]
                    return
    raise AssertionError("nobody hands on")


def wait_first(document: Document) -> None:
    for gpu in document["gpus"]:
        for block in gpu["threadblocks"]:
            block["ops"].sort(key=lambda op: op["name"] != "rlxwait")


# What is changed in which plan, and a piece of what is said.
REFUSED: dict[str, tuple[str, Callable[[Document], None], str]] = {
    "not-an-object": ("broadcast", of_plan("gpus", [3]), "gpus[0]: 'int': an object"),
    "not-a-list": ("broadcast", of_gpu("threadblocks", {}), "threadblocks: 'dict': a list"),
    "no-gpus": ("broadcast", of_plan("gpus", []), "from 1 to 1024 gpus"),
    "in-place": ("broadcast", of_plan("inplace", True), "only plans out of place are played"),
    "collective": ("broadcast", of_plan("collective", "scan"), "one of allgather"),
    "not-divided": ("allgather", lambda d: d["gpus"][0].update(output_chunks=9), "8 divides it"),
    "gpu-id": ("broadcast", of_gpu("id", 2), "gpus are listed in order, from 0"),
    "chunks": ("broadcast", of_gpu("output_chunks", 2), "3, as the collective and the first gpu"),
    "scratch": ("broadcast", of_gpu("scratch_chunks", -1), "a whole number from 0 to 65536"),
    "port-channels": (
        "broadcast",
        of_gpu("channels", [{"channel_type": "port", "connected_to": []}]),
        "only memory channels are played",
    ),
    "channel-to-itself": (
        "broadcast",
        of_gpu("channels", [{"channel_type": "memory", "connected_to": [1]}]),
        "a channel leads to another gpu",
    ),
    "channel-with-one-end": (
        "broadcast",
        lambda d: d["gpus"][3]["channels"][0]["connected_to"].append(1),
        "each has two ends",
    ),
    "remote-buffer": (
        "broadcast",
        of_gpu("remote_buffers", [{"rank": 0, "type": "x"}]),
        "a buffer is i, o or s",
    ),
    "block-id": ("broadcast", of_block("id", 7), "ids count from 0 without a gap"),
    "channels-of-a-block": (
        "broadcast",
        of_block("channels", [{"channel_type": "memory", "channel_ids": [0] * 17}]),
        "at most 16 for a thread block",
    ),
    "channel-of-a-block": (
        "broadcast",
        of_block("channels", [{"channel_type": "memory", "channel_ids": [99]}]),
        "an index below",
    ),
    "ids-of-a-block": (
        "broadcast",
        of_block("channels", [{"channel_type": "memory"}]),
        "channel_ids: 'NoneType': a list",
    ),
    "operations": ("broadcast", of_block("ops", [{"name": "nop"}] * 65), "at most 64 operations"),
    "operation": ("broadcast", changed("put", "name", "get"), "played are nop, copy, put"),
    "buffer": ("broadcast", end("copy", "src_buff", "type", "x"), "a buffer is i, o or s"),
    "beyond": ("broadcast", end("put", "src_buff", "index", 3), "are not in a buffer i of 3"),
    "shape": ("allreduce", changed("rre", "dst_buff", []), "rre: a local source, remote ones"),
    "sizes": ("broadcast-link", end("put", "src_buff", "size", 1), "all of one size"),
    "deadlock": ("broadcast", lambda d: without(d, "signal"), "deadlock: its channels get no"),
    "deadlock-at-the-start": ("broadcast", wait_first, "deadlock"),
    "two-users": ("broadcast", used_by_two_blocks, "a channel is used by one thread block only"),
    "too-early": ("broadcast", lambda d: without(d, "rlxwait"), "it may not have begun"),
    "no-barrier-before-the-signal": (
        "broadcast",
        lambda d: without(d, "put", 1),
        "race: thread block 0 of gpu 0 writes it too",
    ),
    "no-barrier-behind-the-wait": (
        "broadcast",
        no_barrier_before_handing_on,
        "chunk 1 of buffer o of gpu 1': race: thread block 1 of gpu 0 writes it too",
    ),
    "relaxed": ("allreduce", changed("signal", "name", "rlxsignal"), "race"),
    "too-late": ("reduce-scatter", no_late_wait, "which may have ended"),
    "not-copied": ("allgather", lambda d: without(d, "copy"), "nothing was written there"),
    "wrong-chunk": ("broadcast", end("copy", "src_buff", "index", 1), "at the end it is chunk"),
    "added-twice": (
        "allreduce",
        lambda d: (lambda ops, at: ops.insert(at, ops[at]))(*first(d, "rre")),
        "race",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_plans_are_refused(name: str) -> None:
    base, change, rule = REFUSED[name]
    document = written(base)
    change(document)
    with pytest.raises((Malformed, Rejected)) as refusal:
        play(document)
    assert rule in str(refusal.value)


def test_every_refusal_has_a_plan() -> None:
    reached = set()
    for base, change, _ in REFUSED.values():
        document = written(base)
        change(document)
        try:
            play(document)
        except (Malformed, Rejected) as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            reached.add((Path(last.filename).name, last.lineno))
    every = {
        (name, node.lineno)
        for name in ("document.py", "interpreter.py")
        for node in ast.walk(ast.parse((PACKAGE / name).read_text(encoding="utf-8")))
        if isinstance(node, ast.Raise)
    }
    assert every - reached == set()


def mutated(document: Document, drawn: random.Random) -> Document:
    """One operation is gone, twice there, or has a member of another one."""
    mutant = copy.deepcopy(document)
    blocks = [block["ops"] for gpu in mutant["gpus"] for block in gpu["threadblocks"]]
    ops = drawn.choice([ops for ops in blocks if ops])
    index = drawn.randrange(len(ops))
    match drawn.randrange(4):
        case 0:
            del ops[index]
        case 1:
            ops.insert(drawn.randrange(len(ops) + 1), copy.deepcopy(ops[index]))
        case 2:
            other = drawn.randrange(len(ops))
            ops[index], ops[other] = ops[other], ops[index]
        case 3:
            one, other = ops[index], drawn.choice(drawn.choice([o for o in blocks if o]))
            member = drawn.choice(sorted(other))
            one[member] = copy.deepcopy(other[member])
    return mutant


@pytest.mark.parametrize("name", NAMES)
def test_mutants_are_refused_or_still_right(name: str) -> None:
    document = written(name)
    refusals = 0
    for seed in range(24):
        mutant = mutated(document, random.Random(f"{name} {seed}"))
        try:
            play(mutant, seed)
        except (Malformed, Rejected):
            refusals += 1
            continue
        for order in range(4):
            assert outputs(mutant, order) == wanted(mutant)
    assert refusals > 7  # about half of them: a third at least


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"plans for MSCCL\+\+ are written for"):
        written("scatter")
    star = Platform(range(40), [(0, leaf, 1) for leaf in range(1, 40)])
    with pytest.raises(InvalidInput, match=r"channels: 39: .* has at most 16 for one"):
        document_of(plan(broadcast(star, 0).certificate()))


def test_a_certificate_is_exported(run: Run) -> None:
    assert run("allgather dgx-a100:1 -o plan.json").code == 0
    said = run("export plan.json --format mscclpp -o execution.json")
    assert said.code == 0
    assert said.out.startswith("execution.json: allgather, 8 gpus, 8 chunks, 64 thread blocks")
    play(json.loads(Path("execution.json").read_text(encoding="utf-8")))
    assert "name another one" in refused(run("export plan.json --format mscclpp -o plan.json"))


def test_a_leaf_does_not_change_what_its_parent_may_still_read() -> None:
    """In whatever order the two come: the one that comes second is refused."""
    document = written("allreduce")
    chunks = document["gpus"][0]["input_chunks"]
    blocks = [block["ops"] for gpu in document["gpus"] for block in gpu["threadblocks"]]
    start = ["rlxsignal", "rlxwait", "nop", "signal"]
    leaf = next(ops for ops in blocks if [op["name"] for op in ops[:4]] == start)
    own = [{"type": "i", "index": k, "size": 1} for k in range(chunks)]
    leaf[4:4] = [{"name": "copy", "src_buff": [end], "dst_buff": [end]} for end in own]
    said = set()
    for seed in range(20):
        with pytest.raises(Rejected) as refusal:
            play(document, seed)
        said.add(refusal.value.rule.split()[7])
    assert said == {"reads", "writes"}
