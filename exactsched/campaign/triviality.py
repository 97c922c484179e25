"""How many random instances of every claim are trivial, and how many are different.

    python -m exactsched.campaign.triviality [CLAIM ...]
    python -m exactsched.campaign.triviality --write proofs/instances.md

prints the table for the claims named, or for all, or writes that of all into a page.  Instances are
made and counted, not tried: `exactsched verify` tries them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from exactsched.campaign.library import seeded
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput
from exactsched.instances.documents import instance_document
from exactsched.theorems import claims, claims_named
from exactsched.theorems.claim import SIZES, Claim

BEGIN = "<!-- shares: written by `python -m exactsched.campaign.triviality --write` -->"
END = "<!-- end of shares -->"

INSTANCES = 1000
SEED = 1


class Share(NamedTuple):
    """Of this many random instances of a claim, how many are trivial, and how many different."""

    claim: str
    size: str
    instances: int
    trivial: int
    different: int


def share(claim: Claim, size: str = "small", instances: int = INSTANCES) -> Share:
    """The first instances of the claim that a campaign with the seed 1 tries.

    >>> share(claims()["karp1993.thm2.1"], instances=0)
    Share(claim='karp1993.thm2.1', size='small', instances=0, trivial=0, different=0)
    """
    bound = claim.bounds[SIZES.index(size)]
    trivial, different = 0, set()
    for number in range(instances):
        instance = claim.instance(seeded(claim, size, SEED, number), bound)
        trivial += claim.trivial(instance)
        different.add(json.dumps(instance_document(instance), sort_keys=True))
    return Share(claim.id, size, instances, trivial, len(different))


def row(one: Share) -> str:
    """A row of the table, in Markdown.

    >>> row(Share("x.y", "small", 8, 1, 7))
    '| x.y | 12 % | 7 |'
    """
    return f"| {one.claim} | {100 * one.trivial // one.instances} % | {one.different:,} |"


def table(shares: Iterable[Share]) -> str:
    """The table, in Markdown."""
    head = (f"| claim | trivial | different of {INSTANCES:,} |", "|---|---|---|")
    return "\n".join([*head, *map(row, shares)])


def with_shares(page: str, shares: Iterable[Share]) -> str:
    """The page with the table between its two marks written anew."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InvalidInput("shares", BEGIN, f"the page has this mark, and {END} behind it")
    return f"{before}{BEGIN}\n\n{table(shares)}\n\n{END}{after}"


def main(arguments: Sequence[str]) -> int:
    """Prints the table, or writes it into a page."""
    if arguments[:1] == ["--write"]:
        page = Path(arguments[1] if len(arguments) > 1 else "proofs/instances.md")
        shares = [share(one) for one in claims().values()]
        write_whole(page, with_shares(page.read_text(encoding="utf-8"), shares))
        return 0
    for one in claims_named(list(arguments), claims()):
        print(row(share(one)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
