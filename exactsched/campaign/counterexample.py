"""Counterexamples as files that can be run again and drawn."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from exactsched import __version__
from exactsched.campaign.blocks import FAILURES, Failure, Outcome, claim_of, is_random
from exactsched.campaign.isolation import Lost, ask, close_children
from exactsched.campaign.report import Report
from exactsched.campaign.shrinking import shrink
from exactsched.certificate.elements import read_choice, read_integer, read_members, read_text
from exactsched.certificate.files import read_certificate
from exactsched.certificate.limits import FORMAT, VERSION
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import Malformed

KIND = "counterexample"
_TEXTS = ("claim", "statement", "reference", "size", "reason", "library", "package")
_MEMBERS = ("format", "kind", "version", *_TEXTS, "seed", "number", "failure", "facts", "instance")

# To make one smaller; what hangs takes its whole limit each time.
SECONDS = 20
CHECKS = 5000


@dataclass(frozen=True, slots=True)
class Counterexample:
    """An instance, as a document, for which a claim fails, and how.

    It was found as instance `number` of `size` and `seed`, and made smaller since.
    """

    claim: str
    statement: str
    reference: str
    size: str
    seed: int
    number: int
    failure: str
    reason: str
    facts: Any
    instance: dict[str, Any]
    library: str
    package: str = __version__

    def document(self) -> dict[str, Any]:
        """The JSON object; `read_counterexample` is its inverse."""
        head = {"format": FORMAT, "kind": KIND, "version": VERSION}
        return head | {name: getattr(self, name) for name in _MEMBERS[3:]}

    def write(self, path: str | os.PathLike[str]) -> None:
        write_whole(path, json.dumps(self.document(), indent=1) + "\n")

    def replay(self, limit: float) -> Outcome:
        """The claim checked again on the instance as it is stated, in a process of its own.

        The claim is looked up in `library`.  The process is kept for the next time, until
        `isolation.close_children`.  Raises `Malformed` if the instance is none of this claim.
        """
        claim_of(self.library, self.claim)
        try:
            answer = ask(
                self.library,
                {"do": "replay", "claim": self.claim, "instance": self.instance},
                limit,
            )
        except Lost as lost:
            return Outcome(lost.kind, lost.reason)
        if "malformed" in answer:
            raise Malformed(*answer["malformed"])
        return Outcome(*answer["outcome"])


def read_counterexample(source: str | os.PathLike[str] | dict[str, Any]) -> Counterexample:
    """The counterexample in a file or a document; raises `Malformed` for what is none."""
    document = source if isinstance(source, dict) else read_certificate(source)
    members = read_members(document, "counterexample", _MEMBERS)
    for name, value in (("format", FORMAT), ("kind", KIND), ("version", VERSION)):
        if members[name] != value:
            raise Malformed(name, members[name], f"a counterexample has {value!r} here")
    texts = {name: read_text(members[name], name) for name in _TEXTS}
    if type(members["instance"]) is not dict:
        raise Malformed("instance", members["instance"], "an instance is a JSON object")
    return Counterexample(
        **texts,
        seed=read_integer(members["seed"], "seed"),
        number=read_integer(members["number"], "number"),
        failure=read_choice(members["failure"], "failure", FAILURES),
        facts=members["facts"],
        instance=members["instance"],
    )


def save_counterexamples(report: Report, folder: Path, limit: float) -> list[Path]:
    """A file for each claim and size that is not as it should be: its first failure, made smaller.

    Files that are there already are kept if they still fail.  Failures of which no instance can be
    made again (the generator itself fails) are left out.
    """
    seed = report.campaign.seed
    saved = []
    try:
        for name, size, tally in report.wrong():
            for failure in tally.failures:
                path = folder / f"{name}-{size}-{seed}-{failure.number}.json"
                if not _fails(path, name, report.campaign.library, limit):
                    found = minimized(report, name, size, failure, limit)
                    if found is None:
                        continue
                    found.write(path)
                saved.append(path)
                break
    finally:
        close_children()
    return saved


def _fails(path: Path, claim: str, library: str, limit: float) -> bool:
    """Whether there is a counterexample to the claim in the file."""
    if not path.exists():
        return False
    try:
        there = read_counterexample(path)
        same = (there.claim, there.library) == (claim, library)
        return same and there.replay(limit).kind in FAILURES
    except Malformed:  # something else of that name; it is replaced
        return False


def minimized(
    report: Report, name: str, size: str, failure: Failure, limit: float
) -> Counterexample | None:
    """The failure with its instance as small as it gets; None if that cannot be made again."""
    campaign = report.campaign
    library = campaign.library
    where: dict[str, Any] = {"claim": name, "size": size}
    start = where | {"seed": campaign.seed, "number": failure.number}
    made = _answer(library, {"do": "make", **start}, limit)
    if made is None or "unmade" in made:
        return None
    claim = claim_of(library, name)
    found = Counterexample(
        claim=name,
        statement=claim.statement,
        reference=claim.reference,
        size=size,
        seed=campaign.seed,
        number=failure.number,
        failure=failure.kind,
        reason=failure.reason,
        facts={},
        instance=made["instance"],
        library=library,
    )
    if is_random(size):

        def still_fails(choices: Sequence[int]) -> list[int] | None:
            request = {"do": "try", **where, "choices": list(choices)}
            try:
                answer = ask(library, request, limit)
            except Lost as lost:
                if lost.kind != failure.kind:
                    return None
                # It did not come to say which choices were made.
                again = _answer(library, request | {"do": "make"}, limit) or {}
                made_again: list[int] | None = again.get("choices")
                return made_again
            outcome = Outcome(*answer["outcome"])
            return answer["choices"] if _alike(outcome, failure) else None

        best = shrink(made["choices"], still_fails, checks=CHECKS, seconds=SECONDS)
        smaller = _answer(library, {"do": "make", **where, "choices": best}, limit)
        if smaller is not None and "instance" in smaller:
            found = replace(found, instance=smaller["instance"])
    outcome = found.replay(limit)
    if outcome.kind == failure.kind:
        found = replace(found, reason=outcome.reason, facts=outcome.facts or {})
    return found


def _answer(library: str, request: dict[str, Any], limit: float) -> dict[str, Any] | None:
    try:
        return ask(library, request, limit)
    except Lost:
        return None


def _alike(outcome: Outcome, failure: Failure) -> bool:
    """The same kind of failure; exceptions of the same type."""
    if outcome.kind != failure.kind:
        return False
    return outcome.kind != "raised" or _type(outcome.reason) == _type(failure.reason)


def _type(reason: str) -> str:
    return reason.split(":")[0]
