"""Every theorem, lemma, proposition and corollary of the five papers as a claim that can be run.

    >>> from exactsched.theorems import claim_named
    >>> koenig = claim_named("konig.edge-coloring")
    >>> koenig.check(koenig.corners()[0]).holds
    True

A claim is a decorated function (`exactsched.theorems.claim`) in the folder of its paper, in the
file of its section.  `exactsched.campaign` runs claims on many instances;
`exactsched.theorems.statements` lists the statements of the papers and what stands for each here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from exactsched.exact.errors import InvalidInput
from exactsched.theorems.claim import SIZES, Bounds, Claim, Facts, Say, Verdict, claims_of_module

__all__ = [
    "SIZES",
    "Bounds",
    "Claim",
    "Facts",
    "Say",
    "Verdict",
    "claim_named",
    "claims",
    "claims_named",
    "modules",
]

PAPERS = ("beaumont2003", "legrand2003", "karp1993", "beaumont2010", "lu2025")
"""The folders of papers.  The ids of their claims begin with these names."""


def modules() -> Iterator[ModuleType]:
    """The modules of all claims: classical ones, those on the checker, then paper by paper."""
    for name in ("classical", "check", *PAPERS):
        folder = import_module(f"exactsched.theorems.{name}")
        for found in sorted(iter_modules(folder.__path__), key=lambda one: one.name):
            yield import_module(f"{folder.__name__}.{found.name}")


@cache
def claims() -> dict[str, Claim]:
    """All claims by their ids, in the order of `modules`, which is that of proofs/README.md."""
    listed: dict[str, Claim] = {}
    for module in modules():
        for one in claims_of_module(module):
            assert listed.setdefault(one.id, one) is one, one.id
    return listed


def claim_named(name: str, known: Mapping[str, Claim] | None = None) -> Claim:
    """The claim with this id; raises `InvalidInput` with the nearest ids for an unknown one.

    `known` are claims by their ids, those of `claims` if nothing else is said.
    """
    known = claims() if known is None else known
    if name not in known:
        near = get_close_matches(name, known, n=3, cutoff=0.4) or list(known)[:3]
        raise InvalidInput("claim", name, f"no such claim; there are {', '.join(near)} ...")
    return known[name]


def claims_named(names: list[str], known: Mapping[str, Claim] | None = None) -> list[Claim]:
    """The claims of these ids; a prefix such as `karp1993` stands for all that begin with it.

    All claims if there are no names.  Each claim once, in the order of `known`, by default
    `claims`.
    """
    known = claims() if known is None else known
    if not names:
        return list(known.values())
    wanted: set[str] = set()
    for name in names:
        group = {one for one in known if one == name or one.startswith(name + ".")}
        wanted |= group or {claim_named(name, known).id}
    return [one for one in known.values() if one.id in wanted]
