"""Reports of campaigns: what they say, and how those of shards become one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactsched.campaign.blocks import Campaign, Shard
from exactsched.campaign.documents import head, read_headed
from exactsched.campaign.library import CORNERS, COUNTEREXAMPLE
from exactsched.campaign.outcomes import Tally
from exactsched.certificate.codec import read, write
from exactsched.certificate.elements import read_choice, read_list, read_members
from exactsched.certificate.files import read_certificate
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.instances.instance_type import SIZES
from exactsched.theorems.claim import REFUTED

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
        """The claims and sizes whose results do not confirm the status of the claim."""
        return [
            (name, size, tally)
            for (name, size), tally in self.tallies.items()
            if not confirms(self.statuses[name], size, tally)
        ]

    def document(self) -> dict[str, Any]:
        """The report as a JSON object.

        Its members apart from ``microseconds`` are the same for the same campaign, however it was
        run.
        """
        shards, times = [], []
        for shard, tallies in sorted(self.shards.items()):
            rows = []
            for (name, size), tally in tallies.items():
                row = {"claim": name, "size": size, **write(Tally, tally)}
                times.append(row.pop("microseconds"))
                rows.append(row)
            shards.append({"shard": list(shard), "results": rows})
        return {
            **head("campaign"),
            "campaign": write(Campaign, self.campaign),
            "statuses": dict(self.statuses),
            "shards": shards,
            "microseconds": times,
        }

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the document whole or not at all, a line for each result."""
        write_whole(path, _lines(self.document()))


def confirms(status: str, size: str, tally: Tally) -> bool:
    """Whether results confirm a claim of this status.

    One of `REFUTED` has to be refuted by its counterexample, and may be by others.

    >>> held, refuted = Tally({"held": 9}), Tally({"held": 8, "refuted": 1})
    >>> [confirms("new", "small", tally) for tally in (held, refuted)]
    [True, False]
    >>> wrong = "wrong as printed"
    >>> confirms(wrong, "small", refuted), confirms(wrong, COUNTEREXAMPLE, held)
    (True, False)
    """
    refuted = tally.counts.get("refuted", 0)
    if status in REFUTED:
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
        differs = first.campaign.difference(report.campaign)
        if differs or report.statuses != first.statuses:
            rule = f"reports of different campaigns: {differs or 'the statuses of claims'}"
            raise InvalidInput("--merge", "campaign", rule)
        for shard, tallies in report.shards.items():
            name, cut = f"{shard[0]}/{shard[1]}", next(iter(shards), shard)[1]
            if shard[1] != cut:
                rule = f"another report has one of {cut} shards; they overlap"
                raise InvalidInput("--merge", name, rule)
            if shards.setdefault(shard, tallies) != tallies:
                rule = "this shard is there twice, with different results"
                raise InvalidInput("--merge", name, rule)
    return Report(first.campaign, first.statuses, collapsed(first.campaign, shards))


def collapsed(campaign: Campaign, shards: Mapping[Shard, Tallies]) -> dict[Shard, Tallies]:
    """The shards, or the one shard (1, 1) if all of them are there; results in their order."""
    total = next(iter(shards))[1]
    if len(shards) == total:
        return {(1, 1): _ordered(campaign, _sum(shards.values()))}
    return {shard: _ordered(campaign, shards[shard]) for shard in sorted(shards)}


def _ordered(campaign: Campaign, tallies: Tallies) -> Tallies:
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
    """The report in a file; raises `Malformed` for other files, `InvalidInput` if unreadable."""
    names = ("campaign", "statuses", "shards", "microseconds")
    members = read_headed(read_certificate(path), "campaign", names)
    campaign: Campaign = read(Campaign, members["campaign"], "campaign")
    stated = read_members(members["statuses"], "statuses", campaign.claims)
    statuses: dict[str, str] = read(Mapping[str, str], stated, "statuses")
    times = iter(read_list(members["microseconds"], "microseconds"))
    shards: dict[Shard, Tallies] = {}
    for index, listed in enumerate(read_list(members["shards"], "shards")):
        place = f"shards[{index}]"
        part = read_members(listed, place, ("shard", "results"))
        shard: Shard = read(Shard, part["shard"], f"{place}.shard")
        if shard in shards or not 1 <= shard[0] <= shard[1] == next(iter(shards), shard)[1]:
            rule = "different shards [k, n], with 1 <= k <= n and the same n"
            raise Malformed(f"{place}.shard", list(shard), rule)
        rows = read_list(part["results"], f"{place}.results")
        shards[shard] = _tallies(campaign, rows, f"{place}.results", times)
    if not shards:
        raise Malformed("shards", [], "a report has at least one shard")
    return Report(campaign, statuses, shards)


def _tallies(
    campaign: Campaign, rows: list[Any], place: str, times: Iterator[Any]
) -> dict[tuple[str, str], Tally]:
    """The results of a shard; their times stand elsewhere."""
    tallies: dict[tuple[str, str], Tally] = {}
    sizes = (COUNTEREXAMPLE, CORNERS, *SIZES)
    for index, row in enumerate(rows):
        at = f"{place}[{index}]"
        result = dict(read_members(row, at, ("claim", "size", "counts", "digest", "failures")))
        name = read_choice(result.pop("claim"), f"{at}.claim", campaign.claims)
        size = read_choice(result.pop("size"), f"{at}.size", sizes)
        if (name, size) in tallies:
            raise Malformed(at, f"{name}, {size}", "this result is there twice")
        result["microseconds"] = next(times, None)
        tallies[name, size] = read(Tally, result, at)
    return tallies


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
