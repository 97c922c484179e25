"""Counterexamples of a campaign made smaller and written to files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from exactsched.campaign.counterexample import Counterexample, read_counterexample
from exactsched.campaign.isolation import Lost, call_isolated, close_children
from exactsched.campaign.library import claim_of, instance_of, is_random, seeded
from exactsched.campaign.outcomes import FAILURES, Failure, Outcome, outcome_of
from exactsched.campaign.report import Report
from exactsched.campaign.shrinking import shrink
from exactsched.exact.errors import Malformed
from exactsched.instances.choices import Replayed, Seeded
from exactsched.instances.documents import instance_document

# To make one smaller; an instance that hangs takes the whole limit each time.
SECONDS = 20
CHECKS = 5000


def save_counterexamples(report: Report, folder: Path, limit: float) -> list[Path]:
    """A file for each claim and size with unexpected results: its first failure, made smaller.

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


class _Source(NamedTuple):
    """Where an instance comes from: the number that was drawn, or choices in its place."""

    library: str
    claim: str
    size: str
    seed: int
    number: int
    listed: tuple[int, ...] | None = None

    def choices(self) -> Seeded | Replayed:
        if self.listed is not None:
            return Replayed(self.listed)
        return seeded(claim_of(self.library, self.claim), self.size, self.seed, self.number)


def _made(source: _Source) -> tuple[dict[str, Any], list[int]] | None:
    """The instance as a document, and the choices that were made; None if the generator fails."""
    claim = claim_of(source.library, source.claim)
    choices = source.choices()
    try:
        instance = instance_of(claim, source.size, source.number, choices)
        return instance_document(instance), choices.made
    except Exception:
        return None


def _tried(source: _Source) -> tuple[Outcome, list[int]]:
    claim = claim_of(source.library, source.claim)
    choices = source.choices()
    return outcome_of(claim, source.size, source.number, choices), choices.made


def minimized(
    report: Report, name: str, size: str, failure: Failure, limit: float
) -> Counterexample | None:
    """The failure with its instance as small as it gets; None if that cannot be made again."""
    library, seed = report.campaign.library, report.campaign.seed
    source = _Source(library, name, size, seed, failure.number)
    made = _made_again(source, limit)
    if made is None:
        return None
    instance, choices = made
    if is_random(size):
        instance = _smaller(source, choices, failure, limit) or instance
    claim = claim_of(library, name)
    found = Counterexample(
        claim=name,
        statement=claim.statement,
        reference=claim.reference,
        size=size,
        seed=seed,
        number=failure.number,
        failure=failure.kind,
        reason=failure.reason,
        facts={},
        instance=instance,
        library=library,
    )
    outcome = found.replay(limit)
    if outcome.kind == failure.kind:
        found = replace(found, reason=outcome.reason, facts=outcome.facts or {})
    return found


def _made_again(source: _Source, limit: float) -> tuple[dict[str, Any], list[int]] | None:
    try:
        return call_isolated(source.library, limit, _made, source)
    except Lost:
        return None


def _smaller(
    source: _Source, choices: Iterable[int], failure: Failure, limit: float
) -> dict[str, Any] | None:
    """The smallest instance found that fails in the same way, as a document."""

    def still_fails(listed: Sequence[int]) -> list[int] | None:
        tried = source._replace(listed=tuple(listed))
        try:
            outcome, made = call_isolated(source.library, limit, _tried, tried)
        except Lost as lost:
            # The child has not said which choices it made.
            again = _made_again(tried, limit) if lost.outcome.kind == failure.kind else None
            return None if again is None else again[1]
        return made if _alike(outcome, failure) else None

    best = shrink(list(choices), still_fails, checks=CHECKS, seconds=SECONDS)
    made = _made_again(source._replace(listed=tuple(best)), limit)
    return None if made is None else made[0]


def _alike(outcome: Outcome, failure: Failure) -> bool:
    """The same kind of failure; exceptions of the same type."""
    if outcome.kind != failure.kind:
        return False
    return outcome.kind != "raised" or _type(outcome.reason) == _type(failure.reason)


def _type(reason: str) -> str:
    return reason.split(":")[0]
