"""A campaign: claims are checked on many instances, wherever there are workers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import ExitStack
from itertools import islice
from typing import NamedTuple

from exactsched import __version__
from exactsched.campaign.blocks import LENGTHS, LIBRARY, Block, Campaign, Tally, claim_of, claims_of
from exactsched.campaign.documents import difference
from exactsched.campaign.executors import Crew, workers
from exactsched.campaign.isolation import run_isolated
from exactsched.campaign.journal import Journal, refuse_other
from exactsched.campaign.report import (
    Report,
    Shard,
    as_it_should_be,
    collapsed,
    ordered,
    read_report,
)
from exactsched.exact.errors import InvalidInput

LIMIT = 60
# Seeds and numbers of instances stay below what every reader of JSON understands.
_MOST = 2**53


class Standing(NamedTuple):
    """How far a campaign has come, in instances.

    `resumed` of those `done` were done before; `failed` are not as they should be.  `lost` counts
    workers that came to their end; their blocks were run again.
    """

    done: int
    total: int
    resumed: int
    failed: int
    lost: int


def verify(
    claims: Sequence[str],
    *,
    instances: int = 100,
    sizes: Sequence[str] = ("small",),
    seed: int = 0,
    shard: Shard = (1, 1),
    executor: str | Executor = "process",
    jobs: int | None = None,
    report: str | os.PathLike[str] | None = None,
    limit: float = LIMIT,
    library: str = LIBRARY,
    progress: Callable[[Standing], object] | None = None,
) -> Report:
    """Checks claims on their corners and on so many random instances of each size.

    Instance i of a claim is made from the text "id/size/seed/i", so results do not depend on who
    does what, nor on how often it was interrupted.  Shard (k, n) does every n-th block of
    instances; `exactsched.campaign.report.merged` puts shards together.

    `executor` and `jobs` are those of `exactsched.campaign.executors.workers`.  An instance that
    kills its process, or takes more than `limit` seconds, is a failure among others (not under
    ``serial``, where nothing is isolated).

    With `report` the result is written there.  Meanwhile a journal beside it keeps what is done:
    the same call goes on where it was interrupted, and a finished report is read, not made again.

    `library` is the module where workers find the claims: functions under
    `theorems.claim.claim`, or a function `claims()` that returns them by id.

    Raises `InvalidInput` for parameters that make no sense, and for a report or a journal of
    another campaign.

    >>> done = verify(["konig.edge-coloring"], instances=5, executor="serial")
    >>> done.tallies["konig.edge-coloring", "small"].instances, done.wrong()
    (5, [])
    """
    campaign = _campaign(claims, instances, sizes, seed, library)
    _checked(shard, limit, jobs)
    statuses = {name: claim_of(library, name).status for name in campaign.claims}
    if report is not None and os.path.exists(report):
        return _finished(report, campaign, shard)
    blocks = sum(1 for _ in campaign.blocks())
    with ExitStack() as stack:
        journal = None
        if report is not None:
            journal = stack.enter_context(Journal(report, campaign, shard, blocks))
        run = _Run(campaign, statuses, shard, journal, limit, progress)
        run.work(executor, jobs)
        tallies = {(1, 1): ordered(campaign, run.tallies)}
        if shard != (1, 1):
            tallies = collapsed(campaign, {shard: run.tallies})
        result = Report(campaign, statuses, tallies)
        if report is not None and journal is not None:
            result.write(report)
            journal.remove()
    return result


class _Run:
    """The work of one process on a campaign: blocks go out, tallies come back in any order."""

    def __init__(
        self,
        campaign: Campaign,
        statuses: Mapping[str, str],
        shard: Shard,
        journal: Journal | None,
        limit: float,
        progress: Callable[[Standing], object] | None,
    ) -> None:
        self.tallies: dict[tuple[str, str], Tally] = {}
        self._campaign, self._statuses, self._shard = campaign, statuses, shard
        self._journal, self._limit, self._progress = journal, limit, progress
        self._done = self._failed = self._lost = 0
        self._total = sum(block.last - block.first for _, block in campaign.of_shard(*shard))
        earlier = {} if journal is None else journal.done
        if earlier:
            for number, block in campaign.of_shard(*shard):
                if number in earlier:
                    self._add(block, earlier[number])
        self._earlier = set(earlier)
        self._resumed = self._done

    def work(self, executor: str | Executor, jobs: int | None) -> None:
        pending = (
            (number, block)
            for number, block in self._campaign.of_shard(*self._shard)
            if number not in self._earlier
        )
        library = self._campaign.library
        self._tell()
        if self._done == self._total:
            return
        with ExitStack() as crews:
            crew = crews.enter_context(workers(executor, jobs))
            under_way: dict[Future[Tally], tuple[int, Block]] = {}
            while True:
                for number, block in islice(pending, crew.in_flight - len(under_way)):
                    under_way[self._submitted(crew, block)] = number, block
                if not under_way:
                    return
                ready, _ = wait(under_way, return_when=FIRST_COMPLETED)
                again: list[tuple[int, Block]] = []
                broken = False
                for future in ready:
                    number, block = under_way.pop(future)
                    try:
                        tally = future.result()
                    except crew.lost as error:
                        self._lost += 1
                        broken = broken or isinstance(error, BrokenExecutor)
                        again.append((number, block))
                    else:
                        self._finish(number, block, tally)
                if broken:  # it takes nothing any more
                    again += under_way.values()
                    under_way.clear()
                    crew = crews.enter_context(workers("process", jobs))
                for number, block in again:
                    # Here, so that the campaign goes on even if all workers end at once.
                    self._finish(number, block, run_isolated(block, library, self._limit))

    def _submitted(self, crew: Crew, block: Block) -> Future[Tally]:
        try:
            return crew.submit(block, self._campaign.library, self._limit)
        except BrokenExecutor as error:
            refused: Future[Tally] = Future()
            refused.set_exception(error)
            return refused

    def _finish(self, number: int, block: Block, tally: Tally) -> None:
        self._add(block, tally)
        if self._journal is not None:
            self._journal.add(number, tally)
        self._tell()

    def _add(self, block: Block, tally: Tally) -> None:
        place = block.claim, block.size
        self.tallies[place] = self.tallies[place] + tally if place in self.tallies else tally
        self._done += tally.instances
        if not as_it_should_be(self._statuses[block.claim], block.size, tally):
            self._failed += tally.failed or tally.instances

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(
                Standing(self._done, self._total, self._resumed, self._failed, self._lost)
            )


def _campaign(
    claims: Sequence[str], instances: int, sizes: Sequence[str], seed: int, library: str
) -> Campaign:
    for place, value in (("instances", instances), ("seed", seed)):
        if type(value) is not int or not 0 <= value < _MOST:
            raise InvalidInput(place, value, "a whole number, 0 or more, below 2^53")
    for one in sizes:
        if one not in LENGTHS:
            raise InvalidInput("size", one, f"one of {', '.join(LENGTHS)}")
    if not sizes:
        raise InvalidInput("size", "", "at least one size is needed")
    if not claims:
        raise InvalidInput("claims", [], "at least one claim is needed")
    for name in claims:
        claim_of(library, name)
    # In the order of the library: the same claims are the same campaign.
    listed = tuple(name for name in claims_of(library) if name in claims)
    wanted = tuple(size for size in LENGTHS if size in sizes)
    return Campaign(listed, wanted, instances, seed, library, __version__)


def _checked(shard: Shard, limit: float, jobs: int | None) -> None:
    if not 1 <= shard[0] <= shard[1]:
        raise InvalidInput("shard", f"{shard[0]}/{shard[1]}", "k/n with 1 <= k <= n")
    if not limit > 0:
        raise InvalidInput("limit", limit, "a positive number of seconds")
    if jobs is not None and (type(jobs) is not int or jobs < 1):
        raise InvalidInput("jobs", jobs, "a whole number, 1 or more")


def _finished(report: str | os.PathLike[str], campaign: Campaign, shard: Shard) -> Report:
    found = read_report(report)
    differs = difference(found.campaign, campaign)
    if not differs and set(found.shards) != {shard}:
        there = ", ".join(f"{k}/{n}" for k, n in found.shards)
        differs = f"shard {there} and {shard[0]}/{shard[1]}"
    if differs:
        refuse_other(os.fspath(report), differs)
    return found
