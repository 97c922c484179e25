"""The claims of a campaign, found in a module, and their instances, each found by its number."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.instances.choices import Choices, Seeded
from exactsched.theorems.claim import SIZES, Claim, claims_of_module

LIBRARY = "exactsched.theorems"

# The sizes of instances that are not random: those that every campaign begins with, and the one
# that refutes a claim whose status is one of `REFUTED`.
CORNERS, COUNTEREXAMPLE = "corners", "counterexample"


class Block(NamedTuple):
    """The instances `first`, ..., `last` - 1 of a claim and a size."""

    claim: str
    size: str
    seed: int
    first: int
    last: int


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


def is_random(size: str) -> bool:
    return size in SIZES


def seeded(claim: Claim, size: str, seed: int, number: int) -> Seeded:
    """The choices of instance `number`, the same on every machine."""
    return Seeded(f"{claim.id}/{size}/{seed}/{number}")


def instance_of(claim: Claim, size: str, number: int, choices: Choices) -> Any:
    """The instance that the choices make; where instances are not random, the one of the number."""
    if size == CORNERS:
        return claim.corners()[number]
    if size == COUNTEREXAMPLE and claim.counterexample is not None:
        return claim.counterexample()
    return claim.instance(choices, claim.bounds[SIZES.index(size)])
