"""Reports of campaigns: what they say, and how those of shards become one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactsched.campaign.blocks import CORNERS, COUNTEREXAMPLE, WRONG, Campaign, Tally
from exactsched.campaign.documents import (
    campaign_document,
    difference,
    read_campaign,
    read_tally,
    tally_document,
)
from exactsched.certificate.elements import (
    read_choice,
    read_integer,
    read_list,
    read_members,
    read_row,
    read_text,
)
from exactsched.certificate.files import read_certificate
from exactsched.certificate.limits import FORMAT, VERSION
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.instances.instance_type import SIZES

Shard = tuple[int, int]
# By id and size (or kind of fixed instances).
Tallies = Mapping[tuple[str, str], Tally]


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a campaign, or of some of its shards.

    `statuses` are those of the claims, by id.  Shards are pairs (k, n) of the same n; when all of
    them are there they become the one shard (1, 1), so that it does not matter how it was run.
    """

    campaign: Campaign
    statuses: Mapping[str, str]
    shards: Mapping[Shard, Tallies]

    @property
    def tallies(self) -> Tallies:
        """The results of all shards together."""
        return _sum(self.shards.values())

    @property
    def complete(self) -> bool:
        return set(self.shards) == {(1, 1)}

    def wrong(self) -> list[tuple[str, str, Tally]]:
        """The claims and sizes for which not all is as it should be."""
        return [
            (name, size, tally)
            for (name, size), tally in self.tallies.items()
            if not as_it_should_be(self.statuses[name], size, tally)
        ]

    def document(self) -> dict[str, Any]:
        """The report as a JSON object.

        Its members apart from ``microseconds`` are the same for the same campaign, however it was
        run.
        """
        shards = []
        times = []
        for shard, tallies in sorted(self.shards.items()):
            rows = []
            for (name, size), tally in tallies.items():
                row = tally_document(tally)
                times.append(row.pop("microseconds"))
                rows.append({"claim": name, "size": size, **row})
            shards.append({"shard": list(shard), "results": rows})
        return {
            "format": FORMAT,
            "kind": "campaign",
            "version": VERSION,
            "campaign": campaign_document(self.campaign),
            "statuses": dict(self.statuses),
            "shards": shards,
            "microseconds": times,
        }

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the document whole or not at all, a line for each result."""
        write_whole(path, _lines(self.document()))


def as_it_should_be(status: str, size: str, tally: Tally) -> bool:
    """Whether results confirm a claim of this status.

    One that is wrong as printed has to be refuted by its counterexample, and may be by others.

    >>> held, refuted = Tally({"held": 9}), Tally({"held": 8, "refuted": 1})
    >>> [as_it_should_be("new", "small", tally) for tally in (held, refuted)]
    [True, False]
    >>> as_it_should_be(WRONG, "small", refuted), as_it_should_be(WRONG, COUNTEREXAMPLE, held)
    (True, False)
    """
    refuted = tally.counts.get("refuted", 0)
    if status == WRONG:
        return tally.failed == refuted and (size != COUNTEREXAMPLE or refuted == tally.instances)
    return not tally.failed


def merged(reports: Sequence[Report]) -> Report:
    """The union of reports of the same campaign.

    Raises `InvalidInput` for different campaigns, for shards of different numbers of shards, and
    for a shard that is there twice with different results.
    """
    first = reports[0]
    shards: dict[Shard, Tallies] = {}
    for report in reports:
        differs = difference(first.campaign, report.campaign)
        if differs or report.statuses != first.statuses:
            rule = f"reports of different campaigns: {differs or 'the statuses of claims'}"
            raise InvalidInput("--merge", "campaign", rule)
        for shard, tallies in report.shards.items():
            name = f"{shard[0]}/{shard[1]}"
            if any(other[1] != shard[1] for other in shards):
                others = next(iter(shards))
                rule = f"cut into {others[1]} shards elsewhere; they overlap"
                raise InvalidInput("--merge", name, rule)
            if shard in shards and shards[shard] != tallies:
                rule = "this shard is there twice, with different results"
                raise InvalidInput("--merge", name, rule)
            shards[shard] = tallies
    return Report(first.campaign, first.statuses, collapsed(first.campaign, shards))


def collapsed(campaign: Campaign, shards: Mapping[Shard, Tallies]) -> dict[Shard, Tallies]:
    """The shards, or the one shard (1, 1) if all of them are there; results in their order."""
    total = next(iter(shards))[1]
    if len(shards) == total:
        return {(1, 1): ordered(campaign, _sum(shards.values()))}
    return {shard: ordered(campaign, shards[shard]) for shard in sorted(shards)}


def ordered(campaign: Campaign, tallies: Tallies) -> Tallies:
    """The tallies claim by claim, those of fixed instances first."""
    sizes = (COUNTEREXAMPLE, CORNERS, *campaign.sizes)
    places = [(name, size) for name in campaign.claims for size in sizes]
    return {place: tallies[place] for place in places if place in tallies}


def _sum(parts: Iterable[Tallies]) -> Tallies:
    total: dict[tuple[str, str], Tally] = {}
    for part in parts:
        for place, tally in part.items():
            total[place] = total[place] + tally if place in total else tally
    return total


def read_report(path: str | os.PathLike[str]) -> Report:
    """The report in a file; raises `Malformed` for what is none, `InvalidInput` if unreadable."""
    return _report(read_certificate(path))


def _report(document: dict[str, Any]) -> Report:
    names = ("format", "kind", "version", "campaign", "statuses", "shards", "microseconds")
    members = read_members(document, "report", names)
    for name, value in (("format", FORMAT), ("kind", "campaign"), ("version", VERSION)):
        if members[name] != value:
            raise Malformed(name, members[name], f"a report of a campaign has {value!r} here")
    campaign = read_campaign(members["campaign"], "campaign")
    stated = read_members(members["statuses"], "statuses", campaign.claims)
    statuses = {name: read_text(value, f"statuses.{name}") for name, value in stated.items()}
    times = iter(read_list(members["microseconds"], "microseconds"))
    shards: dict[Shard, Tallies] = {}
    for index, one in enumerate(read_list(members["shards"], "shards")):
        at = f"shards[{index}]"
        part = read_members(one, at, ("shard", "results"))
        shard = _shard(part["shard"], f"{at}.shard")
        if shard in shards or any(shard[1] != other[1] for other in shards):
            raise Malformed(f"{at}.shard", list(shard), "shards are different ones of the same cut")
        tallies = {}
        for number, row in enumerate(read_list(part["results"], f"{at}.results")):
            place = f"{at}.results[{number}]"
            result = read_members(row, place, ("claim", "size", "counts", "digest", "failures"))
            name = read_choice(result.pop("claim"), f"{place}.claim", campaign.claims)
            size = read_choice(
                result.pop("size"), f"{place}.size", (COUNTEREXAMPLE, CORNERS, *SIZES)
            )
            if (name, size) in tallies:
                raise Malformed(place, f"{name}, {size}", "this result is there twice")
            result["microseconds"] = next(times, None)
            tallies[name, size] = read_tally(result, place)
        shards[shard] = tallies
    if not shards:
        raise Malformed("shards", [], "a report has at least one shard")
    return Report(campaign, statuses, shards)


def _shard(value: object, place: str) -> Shard:
    row = read_row(value, place, "[number, shards]", 2)
    number, shards = (read_integer(part, place) for part in row)
    if not 1 <= number <= shards:
        raise Malformed(place, row, "a shard [k, n] has 1 <= k <= n")
    return number, shards


def _lines(document: dict[str, Any]) -> str:
    """JSON with a line for each result and each list of claims: it can be compared by lines."""
    parts = []
    for name, value in document.items():
        if name != "shards":
            parts.append(f" {json.dumps(name)}: {json.dumps(value)}")
            continue
        shards = []
        for part in value:
            rows = ",\n   ".join(json.dumps(row) for row in part["results"])
            shards.append(f'  {{"shard": {json.dumps(part["shard"])}, "results": [\n   {rows}]}}')
        parts.append(' "shards": [\n' + ",\n".join(shards) + "]")
    return "{\n" + ",\n".join(parts) + "\n}\n"
