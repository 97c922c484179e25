"""What a claim is: a statement, instances for it, and a check that finds evidence or refutes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from exactsched.instances.choices import Choices

Status = Literal["as printed", "corrected", "wrong as printed", "sharpened", "new", "classical"]
SIZES = ("small", "medium", "large")

# Facts that come with a verdict: exact, and small enough to be read (numbers as `to_json` writes
# them, short lists).
Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a statement holds for an instance, and the facts that show it.

    A verdict without `applies` says that the instance does not meet the hypotheses.  `reason` says
    in one sentence what is violated, if it does not hold.
    """

    holds: bool
    facts: Facts = field(default_factory=dict)
    reason: str = ""
    applies: bool = True


def held(**facts: Any) -> Verdict:
    """The statement holds, as these facts show."""
    return Verdict(True, facts)


def refuted(reason: str, **facts: Any) -> Verdict:
    """The instance is a counterexample."""
    return Verdict(False, facts, reason)


def not_applicable(reason: str) -> Verdict:
    """The instance does not meet the hypotheses; it counts neither for nor against."""
    return Verdict(True, {}, reason, applies=False)


class Bounds(NamedTuple):
    """The number that the generator gets for each of the SIZES, mostly a number of nodes."""

    small: int
    medium: int
    large: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A theorem that can be run.

    `statement` is exact, hypotheses included, in plain text.  `instance(choices, bound)` makes a
    random instance: a frozen dataclass that is a problem noun (`Broadcast`, `Alltoall`,
    `Reduction`), or whose fields are such nouns, integers, rationals, texts, truth values and
    tuples of those.  All of its decisions are taken by `choices`, so that it can be made again and
    made smaller.  `corners` are instances that every campaign begins with.

    `check(instance)` returns a verdict; whatever else it raises counts as a refutation, since the
    package has failed on an instance that it should handle.

    A claim that is `"wrong as printed"` has a `counterexample`, which its check refutes; `corrects`
    of the right one names it.  `page` is the theorem's page in proofs/, `implemented` lists the
    modules that are put to the test, and `checked_by` says in a few words what judges them.
    """

    id: str
    statement: str
    reference: str
    status: Status
    page: str
    implemented: tuple[str, ...]
    checked_by: str
    instance_type: type
    instance: Callable[[Choices, int], Any]
    check: Callable[[Any], Verdict]
    bounds: Bounds
    corners: Callable[[], tuple[Any, ...]] = tuple
    counterexample: Callable[[], Any] | None = None
    corrects: str = ""
