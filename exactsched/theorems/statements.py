"""Every numbered statement of the five papers, and the claims that stand for it here."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import NamedTuple

from exactsched.theorems import PAPERS, claims


class Statement(NamedTuple):
    """`printed` as the paper numbers it, the ids of its `claims`, or `why` there is none."""

    paper: str
    printed: str
    claims: tuple[str, ...]
    why: str = ""


@cache
def papers() -> dict[str, str]:
    """The papers with all that is needed to find them, by the names of their folders."""
    return {name: import_module(f"exactsched.theorems.{name}").PAPER for name in PAPERS}


@cache
def statements() -> tuple[Statement, ...]:
    """Paper by paper: what its claims stand for, then what no claim stands for."""
    rows: list[Statement] = []
    for paper in PAPERS:
        found: dict[str, tuple[str, ...]] = {}
        for one in claims().values():
            if one.number and one.id.startswith(f"{paper}."):
                printed = printed_number(one.number)
                found[printed] = (*found.get(printed, ()), one.id)
        rows += [Statement(paper, printed, ids) for printed, ids in found.items()]
        rows += [row for row in _LISTED if row.paper == paper]
        folder = import_module(f"exactsched.theorems.{paper}")
        missing = getattr(folder, "NOT_EXECUTED", ())
        rows += [Statement(paper, printed, (), why) for printed, why in missing]
    return tuple(rows)


def printed_number(number: str) -> str:
    """The number alone, without what a claim adds to it.

    >>> printed_number("theorem 6, for integer m c"), printed_number("SSB(G), as corrected")
    ('Theorem 6', 'SSB(G)')
    """
    name = re.split(r", |; | \(", number)[0]
    return name[0].upper() + name[1:]


def _of(paper: str, *rows: tuple[str, str]) -> tuple[Statement, ...]:
    """Rows (number as printed, ids without the name of the paper)."""
    return tuple(
        Statement(paper, printed, tuple(f"{paper}.{one}" for one in ids.split()))
        for printed, ids in rows
    )


# Claims that are not yet functions.
_LISTED = (
    *_of(
        "beaumont2003",
        ("Theorem 1", "thm1"),
        ("Lemma 1", "lemma1"),
        ("Theorem 2", "thm2 thm2.printed"),
        ("SSB(G)", "ssb ssb.printed ssb.gross.printed"),
        ("Theorem 3", "thm3"),
        ("Lemma 2", "lemma2"),
        ("Lemma 3", "lemma3"),
        ("Theorem 4", "thm4"),
        ("Theorem 5", "thm5"),
        ("Lemma 4", "lemma4"),
        ("Lemma 5", "lemma5"),
        ("Theorem 6", "thm6 thm6.printed"),
        ("Lemma 6", "lemma6"),
        ("Figure 2", "fig2 fig2.printed"),
        ("Lemma 7", "lemma7"),
        ("Theorem 7", "thm7"),
        ("Theorem 8", "thm8"),
    ),
    *_of(
        "legrand2003",
        ("SSSP(G)", "sssp sssp.printed"),
        ("Lemma 1", "lemma1.scatter lemma1.alltoall lemma1.reduce"),
        ("Proposition 1", "prop1"),
        ("SSPA2A(G)", "sspa2a sspa2a.printed"),
        ("Proposition 2", "prop2"),
        ("SSR(G)", "ssr ssr.printed"),
        ("Lemma 2", "lemma2"),
        ("Theorem 1", "thm1 thm1.printed"),
        ("Proposition 3", "prop3"),
        ("Proposition 4", "prop4"),
        ("Section 6, parallel prefix", "prefix.bound prefix.reached"),
    ),
    *_of(
        "karp1993",
        ("Theorem 2.1", "thm2.1 thm2.1.printed"),
        ("Fact 2.1", "fact2.1"),
        ("Theorem 2.2", "thm2.2"),
        ("Theorem 3.1", "thm3.1 thm3.1.printed"),
        ("Theorem 3.2", "thm3.2"),
        ("Lemma 3.1", "lemma3.1"),
        ("Section 3.2, the recipe for words", "automaton"),
        ("Theorem 3.3", "thm3.3"),
        ("Corollary 3.1", "cor3.1"),
        ("Theorem 3.4", "thm3.4 thm3.4.table"),
        ("Corollary 3.2", "cor3.2 cor3.2.printed"),
        ("Theorem 3.5", "thm3.5"),
        ("Theorem 3.6", "thm3.6"),
        ("Theorem 3.7", "thm3.7"),
        ("Theorem 3.8", "thm3.8"),
        ("Section 4.1, all-to-all", "alltoall alltoall.printed"),
        ("Theorem 4.1", "thm4.1"),
        ("Lemma 5.1", "lemma5.1 lemma5.1.printed lemma5.1.fractions"),
    ),
    *_of(
        "beaumont2010",
        ("Theorem 3.1", "thm3.1"),
        ("Theorem 3.2", "thm3.2"),
        ("Section III-A, integer program", "milp milp.printed"),
        ("Theorem 3.3", "thm3.3"),
        ("Lemma 3.4", "lemma3.4"),
        ("Lemma 3.5", "lemma3.5"),
        ("Theorem 3.6", "thm3.6"),
        ("Equation (5)", "eq5 eq5.printed"),
        ("Section IV-B", "augmented augmented.printed augmented.diversions"),
        ("Section V-A", "acyclic tree tree.printed"),
    ),
    *_of(
        "lu2025",
        ("Theorem 1", "thm1 thm1.printed thm1.rates.printed"),
        ("Theorem 2", "thm2 thm2.printed"),
        (
            "Section 2.2, sufficiency of the constraints",
            "sufficiency.printed optimum hamiltonian hamiltonian.search",
        ),
        ("Equation (16)", "bound16 bound16.printed"),
        ("Equation (17)", "bound17 bound17.printed"),
        ("Section 3, binary trees", "binary-tree binary-tree.delays"),
        ("Section 2.3, frames and packets", "pipelines pipelines.quarters"),
        ("Tables 2 to 6", "counting saturation"),
    ),
)
