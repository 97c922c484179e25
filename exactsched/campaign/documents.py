"""Tallies, campaigns and blocks as JSON, for pipes, journals and reports."""

from __future__ import annotations

from typing import Any

from exactsched.campaign.blocks import FAILURES, LENGTHS, Campaign, Failure, Tally
from exactsched.certificate.elements import (
    read_choice,
    read_integer,
    read_list,
    read_members,
    read_row,
    read_text,
)
from exactsched.exact.errors import Malformed

_KINDS = ("held", "beside", *FAILURES)


def tally_document(tally: Tally) -> dict[str, Any]:
    """The JSON object of a tally; `read_tally` is its inverse.

    >>> one = Tally({"held": 2}, 255, (), 9)
    >>> tally_document(one)["digest"][-4:], read_tally(tally_document(one), "tally") == one
    ('00ff', True)
    """
    return {
        "counts": {kind: tally.counts[kind] for kind in _KINDS if tally.counts.get(kind)},
        "digest": f"{tally.digest:064x}",
        "failures": [list(failure) for failure in tally.failures],
        "microseconds": tally.microseconds,
    }


def read_tally(document: object, place: str) -> Tally:
    members = read_members(document, place, ("counts", "digest", "failures", "microseconds"))
    counts = read_members(members["counts"], f"{place}.counts", (), _KINDS)
    digest = read_text(members["digest"], f"{place}.digest")
    if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        raise Malformed(f"{place}.digest", digest, "64 hexadecimal digits are needed")
    failures = []
    for index, row in enumerate(read_list(members["failures"], f"{place}.failures")):
        at = f"{place}.failures[{index}]"
        number, kind, reason = read_row(row, at, "[number, kind, reason]", 3)
        failures.append(
            Failure(
                read_integer(number, at), read_choice(kind, at, FAILURES), read_text(reason, at)
            )
        )
    return Tally(
        {kind: _count(value, f"{place}.counts.{kind}") for kind, value in counts.items()},
        int(digest, 16),
        tuple(failures),
        _count(members["microseconds"], f"{place}.microseconds"),
    )


def campaign_document(campaign: Campaign) -> dict[str, Any]:
    """The JSON object of a campaign; `read_campaign` is its inverse."""
    return {
        "package": campaign.package,
        "library": campaign.library,
        "sizes": list(campaign.sizes),
        "instances": campaign.instances,
        "seed": campaign.seed,
        "claims": list(campaign.claims),
    }


def read_campaign(document: object, place: str) -> Campaign:
    names = ("package", "library", "sizes", "instances", "seed", "claims")
    members = read_members(document, place, names)
    sizes = read_list(members["sizes"], f"{place}.sizes")
    claims = read_list(members["claims"], f"{place}.claims")
    return Campaign(
        tuple([read_text(one, f"{place}.claims[{k}]") for k, one in enumerate(claims)]),
        tuple([read_choice(one, f"{place}.sizes", tuple(LENGTHS)) for one in sizes]),
        _count(members["instances"], f"{place}.instances"),
        read_integer(members["seed"], f"{place}.seed"),
        read_text(members["library"], f"{place}.library"),
        read_text(members["package"], f"{place}.package"),
    )


def difference(one: Campaign, other: Campaign) -> str:
    """The first parameter in which two campaigns differ, in words; empty if there is none.

    >>> small = Campaign(("a",), ("small",), 10, 0, "lib", "1")
    >>> difference(small, Campaign(("a",), ("small",), 20, 0, "lib", "1"))
    'instances 10 and 20'
    """
    ours, theirs = campaign_document(one), campaign_document(other)
    for name, value in ours.items():
        if value == theirs[name]:
            continue
        if name != "claims":
            return f"{name} {_words(value)} and {_words(theirs[name])}"
        only = [claim for claim in value if claim not in theirs[name]]
        more = [claim for claim in theirs[name] if claim not in value]
        return f"claims, such as {(only + more + ['their order'])[0]}"
    return ""


def _words(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _count(value: object, place: str) -> int:
    number = read_integer(value, place)
    if number < 0:
        raise Malformed(place, number, "0 or more is needed")
    return number
