"""One bad plan for each refusal of the verifier, and plans that are right."""

from __future__ import annotations

import ast
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from exactsched.exact.errors import Malformed, Rejected
from exactsched.export.msccl.verifier import verify, verify_text
from tests.cli.command_line import Run
from tests.export.plans import algo, block, gpu, ring_allgather

CORPUS = Path(__file__).parents[1] / "corpus" / "msccl"
PACKAGE = Path(__file__).parents[2] / "exactsched" / "export" / "msccl"
JUDGES = ("document.py", "events.py", "races.py", "contents.py", "verifier.py", "../values.py")

# What the connections have to hold, as `buffers_needed` has it.
ACCEPTED = {
    "allreduce-of-two": "chunks",
    "alltoall": "chunks",
    "broadcast": "none",
    "buffers-just-enough": "chunks",
    "buffers-of-ll": "chunks",
    "comments": "none",
    "handed-on-needs-buffers": "chunks",
    "message-fills-the-slots": "chunks",
    "message-in-one-slot": "messages",
    "old-attributes": "none",
    "ordered-by-messages": "none",
    "pair": "none",
    "received-in-another-order": "chunks",
    "reduce-scatter": "none",
    "ring-allreduce": "chunks",
    "ring-in-place": "none",
}
REJECTED = {
    "added-twice": "what gpu 0 has was added twice': at the end it is the sum",
    "chunks-of-different-numbers-added": "chunk 1 was added to chunk 0",
    "counts-differ": "message 0 is sent with one count and received with another",
    "deadlock-both-receive-first": "by way of gpu 1, tb 1, step 1; gpu 1, tb 1, step 0",
    "deadlock-buffers-full": "under Simple a connection holds 2 messages",
    "deadlock-message-from-nowhere": "it waits for itself, by way of gpu 1, tb 0, step 0",
    "deadlock-wait-in-a-circle": "it waits for itself, by way of gpu 0, tb 1, step 0",
    "deadlock-waits-for-itself": "'1 step': deadlock: it waits for itself",
    "in-place-wrong": "chunk 1 of the buffer': race: gpu 0, tb 0, step 0 writes it too",
    "output-never-written": "nothing was written there': at the end it is chunk 0 of gpu 0",
    "output-of-another-gpu": "'chunk 0 of gpu 1': at the end it is chunk 0 of gpu 0",
    "overlap-within-a-step": "the source and the target of a step are apart or the same",
    "race-handed-on-before-written": "race: gpu 1, tb 0, step 0 writes it too",
    "race-overtaken-by-its-own-message": "race: gpu 0, tb 0, step 0 reads it too",
    "race-overwritten-while-read": "race: gpu 0, tb 1, step 0 reads it too",
    "race-read-before-written": "race: gpu 0, tb 0, step 1 reads it too",
    "race-read-of-a-sender-in-time-only": "race: gpu 1, tb 1, step 0 reads it too",
    "race-written-twice": "race: gpu 0, tb 3, step 0 writes it too",
    "scratch-never-written": "nothing was written there",
    "send-on-another-channel": "0 sends, 1 receptions': every send has one reception",
    "send-without-reception": "2 sends, 1 receptions': every send has one reception",
    "two-senders-on-a-connection": "[1, 3]: only one thread block sends on a connection",
    "value-missing-in-the-sum": "'chunk 0 of gpu 0': at the end it is the sum of chunk 0",
}
MALFORMED = {
    "attribute-missing": 'the attribute "hasdep" is missing',
    "before-the-buffer": "dstoff: -1: 1 chunks from here are not in a buffer o of 2",
    "beyond-the-buffer": "srcoff: 0: 2 chunks from here are not in a buffer i of 1",
    "block-missing": "ids count from 0 without a gap",
    "block-twice": "this thread block is given twice",
    "buffer-too-long": "this buffer of an allgather of 2 chunks has 1",
    "buffer-unknown": "srcbuf: 'x': one of i, o, s",
    "channel-not-declared": "the file declares 0 channels",
    "chunks-do-not-divide": "so 2 divides it",
    "collective-unknown": "verified are allgather, reducescatter, allreduce, broadcast, alltoall",
    "count-0": "a step moves at least one chunk",
    "count-72": "a whole number from 0 to 71",
    "declaration": "the executor reads elements, comments and attributes in double quotes",
    "entity-bomb": "the executor reads elements, comments and attributes",
    "for-no-call": "one of them is 1",
    "fused-counts-differ": "as one, so with one count",
    "gpu-missing": "there are 3 gpus, and this one is missing",
    "gpu-twice": "this gpu is given twice",
    "gpus-without-end": "a whole number from 1 to 1024",
    "graphml": "line 1, graphml: 'graphml': a plan is an algo element",
    "hasdep-2": "one of 0, 1",
    "min-bytes-not-a-number": "a whole number from 0 to 9223372036854775807",
    "name-too-long": "a name or value has at most 254 characters",
    "nested-too-deeply": "this element is not understood inside step",
    "nop-without-a-wait": "a nop and the step behind it wait",
    "not-whole": "a whole number from 1 to 32768",
    "protocol-unknown": "one of Simple, LL, LL128",
    "receive-without-a-peer": "it receives, but its thread block has no gpu",
    "send-without-a-peer": "it sends, but its thread block has no gpu",
    "sends-to-itself": "a gpu neither sends to itself nor receives from itself",
    "single-quotes": "attributes in double quotes",
    "step-behind-a-nop-does-not-wait": "step 1: 're': a nop and the step behind it wait",
    "step-in-a-gpu": "this element is not understood inside gpu",
    "steps-with-a-gap": "steps count from 0 without a gap",
    "tab": "the executor reads elements",
    "text": "there is no text between elements",
    "too-many-on-a-channel": "at most 32 thread blocks send on one channel",
    "truncated": "not XML, or only a part of it",
    "type-missing": 'the attribute "type" is missing',
    "type-unknown": "one of cpy, nop, r, rcs, re, rrc, rrcs, rrs, s",
    "wait-for-a-nop": "the wait is endless",
    "wait-for-block-128": "depid is at most 127",
    "wait-for-nothing": "depid and deps name no step of this gpu",
    "wait-without-hasdep": "the wait is endless",
}


def long_blocks(*lengths: int) -> str:
    """A single gpu that copies a chunk onto itself again and again."""
    blocks = [block(k, -1, -1, ["cpy i0 i0"] * length) for k, length in enumerate(lengths)]
    return algo([gpu(0, (1, 1, 0), blocks)])


GENERATED = {
    "at most 256 steps": partial(long_blocks, 257),
    "at most 4095 elements for one gpu": partial(long_blocks, *[256] * 16),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_right_plans_are_accepted(name: str) -> None:
    assert verify(CORPUS / "accepted" / f"{name}.xml").buffers == ACCEPTED[name]


@pytest.mark.parametrize("name", REJECTED)
def test_wrong_plans_are_rejected(name: str) -> None:
    with pytest.raises(Rejected) as refusal:
        verify(CORPUS / "rejected" / f"{name}.xml")
    assert REJECTED[name] in str(refusal.value)


@pytest.mark.parametrize("name", MALFORMED)
def test_what_the_executor_does_not_read_is_malformed(name: str) -> None:
    with pytest.raises(Malformed) as refusal:
        verify(CORPUS / "malformed" / f"{name}.xml")
    assert MALFORMED[name] in str(refusal.value)


@pytest.mark.parametrize("rule", GENERATED)
def test_limits_of_length(rule: str) -> None:
    with pytest.raises(Malformed) as refusal:
        verify_text(GENERATED[rule]())
    assert rule in str(refusal.value)


def test_a_plan_up_to_the_limits_is_read() -> None:
    with pytest.raises(Rejected, match="nothing was written there"):
        verify_text(long_blocks(*[255] * 15))


@pytest.mark.parametrize(
    ("folder", "listed"),
    [("accepted", ACCEPTED), ("rejected", REJECTED), ("malformed", MALFORMED)],
)
def test_every_plan_of_the_corpus_is_listed(folder: str, listed: dict[str, str]) -> None:
    assert {path.stem for path in (CORPUS / folder).iterdir()} == set(listed)


def raises_of(path: Path) -> set[tuple[str, int]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        (path.name, node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and node.exc is not None
    }


def test_every_refusal_has_a_plan() -> None:
    """Each `raise` of the verifier is the one that refuses some plan."""
    reached = set()
    tried: list[Callable[[], object]] = [
        *(partial(verify, path) for path in sorted(CORPUS.glob("*/*.xml"))),
        *(lambda made=made: verify_text(made()) for made in GENERATED.values()),
    ]
    for judge in tried:
        try:
            judge()
        except (Malformed, Rejected) as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            reached.add((Path(last.filename).name, last.lineno))
    every = set().union(*(raises_of(PACKAGE / name) for name in JUDGES))
    assert every - reached == set()


def test_the_command_line_says_so(run: Run) -> None:
    accepted, rejected, malformed = (
        str(CORPUS / f"{name}.xml")
        for name in ("accepted/pair", "rejected/added-twice", "malformed/truncated")
    )
    assert run("check", accepted).code == 0
    said = run("check", accepted, rejected)
    assert said.code == 1
    assert [line.partition(":")[0] for line in said.out.splitlines()] == ["accepted", "rejected"]
    said = run("check", malformed, accepted)
    assert said.code == 2
    assert said.err.startswith("malformed: ")
    assert said.err.count("\n") == 1


def test_a_certificate_and_a_plan_are_told_apart_by_their_content(run: Run) -> None:
    Path("plan.json").write_text((CORPUS / "accepted/pair.xml").read_text(), encoding="utf-8")
    certificate = CORPUS.parent / "accepted" / "two-links.json"
    said = run("check", "plan.json", str(certificate))
    assert said.code == 0
    assert "no deadlock" in said.out.splitlines()[0]
    assert "proved" in said.out.splitlines()[1]


def test_a_long_plan_is_verified() -> None:
    """Linear: a tenth of what `benchmarks` takes."""
    plan = verify_text(ring_allgather(48, 2))
    assert (plan.steps, plan.messages, plan.buffers) == (2 * 48 * 47 * 2, 48 * 47 * 2, "none")
