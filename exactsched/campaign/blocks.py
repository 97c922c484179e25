"""Blocks of instances of a claim: which there are, how one is run, and how results add up."""

from __future__ import annotations

import hashlib
import json
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from heapq import nsmallest
from importlib import import_module
from itertools import islice
from pathlib import Path
from time import perf_counter_ns
from typing import Any, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, to_json
from exactsched.instances.choices import Choices, Seeded
from exactsched.theorems.claim import SIZES, Claim, claims_of_module

LIBRARY = "exactsched.theorems"
WRONG = "wrong as printed"

# Instances that are not random: those that every campaign begins with, and the one that refutes a
# claim that is wrong as printed.
CORNERS, COUNTEREXAMPLE = "corners", "counterexample"

# A block takes of the order of a second (3 ms for a small instance, 25 ms for a medium one), and
# its borders depend on nothing but its number.
LENGTHS: Mapping[str, int] = {"small": 200, "medium": 25, "large": 4}

# So many failures of a claim and a size are listed, those with the smallest numbers; all are
# counted.  Refutations of what is wrong as printed are counted only.
MOST_LISTED = 10
_LONGEST_REASON = 400
# In messages that show objects; the same instance has the same failure.
_ADDRESS = re.compile(r"at 0x[0-9a-f]+")


class Block(NamedTuple):
    """The instances `first`, ..., `last` - 1 of a claim and a size."""

    claim: str
    size: str
    seed: int
    first: int
    last: int


class Failure(NamedTuple):
    """An instance for which a claim fails.

    Kinds: ``refuted`` (the check says so), ``raised`` (the check raised an exception), ``unmade``
    (the generator did), ``died`` (the process came to its end), ``hung`` (silent for too long).
    """

    number: int
    kind: str
    reason: str


FAILURES = ("refuted", "raised", "unmade", "died", "hung")


class Outcome(NamedTuple):
    """What a check said: a kind of `Failure`, ``held``, or ``beside`` (hypotheses not met)."""

    kind: str
    reason: str = ""
    facts: Any = None


@dataclass(frozen=True, slots=True)
class Tally:
    """How instances fared; tallies of different instances add up, in any order.

    `digest` is the sum modulo 2^256 of the SHA-256 hashes of all outcomes with their facts, each
    with the name of its instance.  Time is no result: two tallies are equal whatever they took.

    >>> one = Tally(counts={"held": 2, "died": 1}, failures=(Failure(7, "died", "exit code 3"),))
    >>> (one + one).counts["died"], one.instances, one == one + Tally(microseconds=5)
    (2, 3, True)
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    digest: int = 0
    failures: tuple[Failure, ...] = ()
    microseconds: int = field(default=0, compare=False)

    def __add__(self, other: Tally) -> Tally:
        counts = dict(self.counts)
        for kind, count in other.counts.items():
            counts[kind] = counts.get(kind, 0) + count
        return Tally(
            counts,
            (self.digest + other.digest) % 2**256,
            tuple(nsmallest(MOST_LISTED, (*self.failures, *other.failures))),
            self.microseconds + other.microseconds,
        )

    @property
    def instances(self) -> int:
        return sum(self.counts.values())

    @property
    def failed(self) -> int:
        return self.instances - self.counts.get("held", 0) - self.counts.get("beside", 0)


@dataclass(frozen=True, slots=True)
class Campaign:
    """What is run: so many instances of each claim and each size, from this seed.

    `library` is the module whose claims they are, `package` the version of exactsched.
    """

    claims: tuple[str, ...]
    sizes: tuple[str, ...]
    instances: int
    seed: int
    library: str
    package: str

    def blocks(self) -> Iterator[tuple[int, Block]]:
        """All blocks with their numbers, what is not random first."""
        return enumerate(self._blocks())

    def _blocks(self) -> Iterator[Block]:
        known = claims_of(self.library)
        for name in self.claims:
            if known[name].counterexample is not None:
                yield Block(name, COUNTEREXAMPLE, self.seed, 0, 1)
            corners = len(known[name].corners())
            if corners:
                yield Block(name, CORNERS, self.seed, 0, corners)
        for size in self.sizes:
            length = LENGTHS[size]
            for name in self.claims:
                for first in range(0, self.instances, length):
                    yield Block(name, size, self.seed, first, min(first + length, self.instances))

    def of_shard(self, shard: int, shards: int) -> Iterator[tuple[int, Block]]:
        """Every block whose number is `shard` - 1 modulo `shards`."""
        return islice(self.blocks(), shard - 1, None, shards)


@cache
def claims_of(library: str) -> dict[str, Claim]:
    """The claims of a module, by id: of its functions under `claim`, or from its `claims()`.

    >>> "konig.edge-coloring" in claims_of("exactsched.theorems.classical.matchings")
    True
    """
    try:
        module = import_module(library)
    except (ImportError, ValueError) as error:
        raise InvalidInput("library", library, f"cannot be imported: {error}") from error
    listed = list(claims_of_module(module))
    offered = getattr(module, "claims", None)
    if not listed and callable(offered):
        listed = list(offered().values())
    if not listed:
        raise InvalidInput("library", library, "a module with functions under @claim is needed")
    return {one.id: one for one in listed}


def claim_of(library: str, name: str) -> Claim:
    known = claims_of(library)
    if name not in known:
        raise InvalidInput("claim", name, f"the library {library} has no such claim")
    return known[name]


def seeded(claim: Claim, size: str, seed: int, number: int) -> Seeded:
    """The choices of instance `number`, the same on every machine."""
    return Seeded(f"{claim.id}/{size}/{seed}/{number}")


def instance_from(claim: Claim, size: str, choices: Choices) -> Any:
    return claim.instance(choices, claim.bounds[SIZES.index(size)])


def fixed_instance(claim: Claim, size: str, number: int) -> Any:
    """A corner, or the counterexample."""
    if size == CORNERS:
        return claim.corners()[number]
    assert claim.counterexample is not None
    return claim.counterexample()


def is_random(size: str) -> bool:
    return size in SIZES


def judged(claim: Claim, instance: Any) -> Outcome:
    """The verdict of the check, or the exception that it raised instead."""
    try:
        verdict = claim.check(instance)
        facts = plain(verdict.facts)
    except Exception as error:
        return Outcome("raised", _told(error))
    if verdict.applies and verdict.holds:
        return Outcome("held", "", facts)
    return Outcome("refuted" if verdict.applies else "beside", verdict.reason, facts)


def run_block(block: Block, library: str, beat: Callable[[], object] | None = None) -> Tally:
    """Checks the instances of a block one after the other; `beat` is called before each."""
    claim = claim_of(library, block.claim)
    random = is_random(block.size)
    counts: dict[str, int] = {}
    failures: list[Failure] = []
    digest = 0
    start = perf_counter_ns()
    for number in range(block.first, block.last):
        if beat is not None:
            beat()
        try:
            if random:
                choices = seeded(claim, block.size, block.seed, number)
                instance = instance_from(claim, block.size, choices)
            else:
                instance = fixed_instance(claim, block.size, number)
        except Exception as error:
            outcome = Outcome("unmade", _told(error))
        else:
            outcome = judged(claim, instance)
        counts[outcome.kind] = counts.get(outcome.kind, 0) + 1
        digest += outcome_hash(block, number, outcome)
        expected = claim.status == WRONG and outcome.kind == "refuted"
        if outcome.kind in FAILURES and not expected and len(failures) < MOST_LISTED:
            failures.append(Failure(number, outcome.kind, outcome.reason))
    took = (perf_counter_ns() - start) // 1000
    return Tally(counts, digest % 2**256, tuple(failures), took)


def outcome_hash(block: Block, number: int, outcome: Outcome) -> int:
    reason = outcome.reason
    if outcome.kind in FAILURES[1:]:  # what is said of exceptions and ends is no result
        reason = reason.split(":")[0] if outcome.kind in ("raised", "unmade") else ""
    row = [*block[:3], number, outcome.kind, reason, outcome.facts]
    written = json.dumps(row, sort_keys=True, separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(written.encode()).digest(), "big")


def plain(facts: object) -> Any:
    """Facts as JSON values: numbers exact, lists, texts, objects.

    >>> from fractions import Fraction
    >>> plain({"rate": Fraction(1, 3), "long": 2**60, "who": (1, "a", None)})
    {'rate': '1/3', 'long': '1152921504606846976', 'who': [1, 'a', None]}
    """
    if facts is None or isinstance(facts, (bool, str)):
        return facts
    if isinstance(facts, Rational):
        return to_json(facts)
    if isinstance(facts, (list, tuple)):
        return [plain(part) for part in facts]
    if isinstance(facts, Mapping):
        return {str(name): plain(part) for name, part in facts.items()}
    raise TypeError(f"a fact is a number, a text, a list or an object, not {type(facts).__name__}")


def _told(error: Exception) -> str:
    """Type, message and place of an exception, on one line."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    try:
        message = " ".join(str(error).split())
    except Exception:
        message = "its message cannot be written"
    message = _ADDRESS.sub("at 0x...", message)
    if len(message) > _LONGEST_REASON:
        message = message[: _LONGEST_REASON - 3] + "..."
    return f"{type(error).__name__}: {message}{place}"
