"""What checks say of instances, and how that adds up."""

from __future__ import annotations

import hashlib
import json
import re
import traceback
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import nsmallest
from pathlib import Path
from time import perf_counter_ns
from typing import Any, NamedTuple

from exactsched.campaign.library import Block, instance_of
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, to_json
from exactsched.instances.choices import Choices
from exactsched.theorems.claim import Claim

# Kinds of outcomes; reports of version 1 write "beside" where the hypotheses are not met.
NOT_APPLICABLE = "beside"
FAILURES = ("refuted", "raised", "unmade", "died", "hung")
_KINDS = ("held", NOT_APPLICABLE, *FAILURES)

# At most this many failures of a claim and a size are listed, those with the smallest numbers; all
# of them are counted.
MOST_LISTED = 10
_LONGEST_REASON = 400
# In messages that show objects; the same instance has the same failure.
_ADDRESS = re.compile(r"at 0x[0-9a-f]+")


class Outcome(NamedTuple):
    """What became of an instance: a kind, and in one sentence why it is a failure.

    ``held``, or NOT_APPLICABLE (the instance does not meet the hypotheses), or one of the FAILURES:
    ``refuted`` (the check says so), ``raised`` (the check raised an exception), ``unmade`` (the
    generator did), ``died`` (the process ended), ``hung`` (it took too long).
    """

    kind: str
    reason: str = ""
    facts: Any = None


class Failure(NamedTuple):
    """The instance of this number is a failure of this kind."""

    number: int
    kind: str
    reason: str


def outcome_of(claim: Claim, size: str, number: int, choices: Choices) -> Outcome:
    """The outcome for the instance that the choices make, or for the fixed one of the number."""
    try:
        instance = instance_of(claim, size, number, choices)
    except Exception as error:
        return Outcome("unmade", _in_one_line(error))
    return judged(claim, instance)


def judged(claim: Claim, instance: Any) -> Outcome:
    """The verdict of the check, or the exception that it raised instead."""
    try:
        verdict = claim.check(instance)
        facts = plain(verdict.facts)
    except Exception as error:
        return Outcome("raised", _in_one_line(error))
    if verdict.applies and verdict.holds:
        return Outcome("held", "", facts)
    return Outcome("refuted" if verdict.applies else NOT_APPLICABLE, verdict.reason, facts)


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


def _in_one_line(error: Exception) -> str:
    """Type, message and place of an exception."""
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


@dataclass(frozen=True, slots=True)
class Tally:
    """How many instances had which outcome; tallies of different instances add up, in any order.

    `digest` is the sum modulo 2^256 of the SHA-256 hashes of all outcomes with their facts, each
    with the name of its instance, as 64 hexadecimal digits.  Time does not count: two tallies may
    be equal that took different times.

    >>> one = Tally(counts={"held": 2, "died": 1}, failures=(Failure(7, "died", "exit code 3"),))
    >>> (one + one).counts["died"], one.instances, one == one + Tally(microseconds=5)
    (2, 3, True)
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    digest: str = "0" * 64
    failures: tuple[Failure, ...] = ()
    microseconds: int = field(default=0, compare=False)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            _in_order(Counter(self.counts) + Counter(other.counts)),
            _hexadecimal(int(self.digest, 16) + int(other.digest, 16)),
            tuple(nsmallest(MOST_LISTED, (*self.failures, *other.failures))),
            self.microseconds + other.microseconds,
        )

    @property
    def instances(self) -> int:
        return sum(self.counts.values())

    @property
    def failed(self) -> int:
        return sum(self.counts.get(kind, 0) for kind in FAILURES)

    def validate(self) -> None:
        """Refuses, with its place, what no run of a campaign makes."""
        for kind, count in self.counts.items():
            if kind not in _KINDS or count < 0:
                rule = f"numbers from 0 on of {', '.join(_KINDS)}"
                raise InvalidInput(f"counts.{kind}", count, rule)
        if len(self.digest) != 64 or not set(self.digest) <= set("0123456789abcdef"):
            raise InvalidInput("digest", self.digest, "64 hexadecimal digits are needed")
        for index, failure in enumerate(self.failures):
            if failure.kind not in FAILURES:
                rule = f"one of {', '.join(FAILURES)}"
                raise InvalidInput(f"failures[{index}]", failure.kind, rule)
        if self.microseconds < 0:
            raise InvalidInput("microseconds", self.microseconds, "0 or more is needed")


def tally_of(block: Block, outcomes: Iterable[tuple[int, Outcome]], expected: str = "") -> Tally:
    """The tally of instances of a block; failures of the `expected` kind are not listed."""
    counts: dict[str, int] = {}
    failures: list[Failure] = []
    digest = 0
    start = perf_counter_ns()
    for number, outcome in outcomes:
        kind = outcome.kind
        counts[kind] = counts.get(kind, 0) + 1
        digest += outcome_hash(block, number, outcome)
        if kind in FAILURES and kind != expected and len(failures) < MOST_LISTED:
            failures.append(Failure(number, kind, outcome.reason))
    took = (perf_counter_ns() - start) // 1000
    return Tally(_in_order(counts), _hexadecimal(digest), tuple(failures), took)


def outcome_hash(block: Block, number: int, outcome: Outcome) -> int:
    reason = outcome.reason
    if outcome.kind in FAILURES[1:]:  # the words of exceptions and of ended processes may vary
        reason = reason.split(":")[0] if outcome.kind in ("raised", "unmade") else ""
    row = [block.claim, block.size, block.seed, number, outcome.kind, reason, outcome.facts]
    written = json.dumps(row, sort_keys=True, separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(written.encode()).digest(), "big")


def _in_order(counts: Mapping[str, int]) -> dict[str, int]:
    return {kind: counts[kind] for kind in _KINDS if kind in counts}


def _hexadecimal(digest: int) -> str:
    return f"{digest % 2**256:064x}"
