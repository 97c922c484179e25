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
        folder = import_module(f"exactsched.theorems.{paper}")
        missing = getattr(folder, "NOT_EXECUTED", ())
        rows += [Statement(paper, printed, (), why) for printed, why in missing]
    return tuple(rows)


def printed_number(number: str) -> str:
    """The number alone, without what a claim adds to it.

    >>> printed_number("theorem 6, for integer m c"), printed_number("equation (5), as corrected")
    ('Theorem 6', 'Equation (5)')
    """
    name = re.split(r", |; | \((?!\d)", number)[0]
    return name[0].upper() + name[1:]
