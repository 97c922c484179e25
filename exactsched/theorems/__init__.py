"""Every theorem, lemma, proposition and corollary of the five papers as a claim that can be run.

    >>> from exactsched.theorems import claim
    >>> koenig = claim("konig.edge-coloring")
    >>> koenig.check(koenig.corners()[0]).holds
    True

`exactsched.campaign` runs claims on many instances; `exactsched.theorems.statements` lists the
statements of the papers and what stands for each here.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module

from exactsched.exact.errors import InvalidInput
from exactsched.theorems.claim import SIZES, Bounds, Claim, Facts, Verdict

__all__ = ["SIZES", "Bounds", "Claim", "Facts", "Verdict", "claim", "claims", "claims_named"]

# Each has a list CLAIMS; in the order of the index of proofs/.
_MODULES = (
    "classical.duality",
    "beaumont2003.section_3_steady_state",
    "beaumont2003.section_6_asymptotic",
    "beaumont2003.section_4_trees_and_dags",
    "legrand2003.section_3_scatter_alltoall",
    "legrand2003.section_4_reduce",
    "karp1993.section_2_broadcast",
    "karp1993.section_3_continuous",
    "karp1993.section_3_items",
    "karp1993.sections_4_and_5_sums",
    "beaumont2010.section_4_bounds",
    "beaumont2010.section_3_hardness",
    "lu2025.section_2_half_duplex",
    "lu2025.section_2_bounds",
)


@cache
def claims() -> dict[str, Claim]:
    """All claims by their ids, in the order of the index of proofs/."""
    listed: dict[str, Claim] = {}
    for module in _MODULES:
        for one in import_module(f"exactsched.theorems.{module}").CLAIMS:
            assert one.id not in listed, one.id
            listed[one.id] = one
    return listed


def claim(name: str, known: Mapping[str, Claim] | None = None) -> Claim:
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
        wanted |= group or {claim(name, known).id}
    return [one for one in known.values() if one.id in wanted]
