"""A campaign: claims are checked on many instances, wherever there are workers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import ExitStack
from itertools import islice
from typing import NamedTuple

from exactsched import __version__
from exactsched.campaign.blocks import LENGTHS, Campaign, Part, Shard
from exactsched.campaign.executors import Crew, workers
from exactsched.campaign.isolation import run_isolated
from exactsched.campaign.journal import Journal, refuse_other
from exactsched.campaign.library import LIBRARY, Block, claim_of, claims_of
from exactsched.campaign.outcomes import Tally
from exactsched.campaign.report import Report, collapsed, confirms, read_report
from exactsched.exact.errors import InvalidInput

LIMIT = 60


class Standing(NamedTuple):
    """How far a campaign has come, in instances.

    `resumed` of those `done` were done before; `failed` are not as expected.  `lost` counts
    workers that died; their blocks were run again.
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
    """Checks claims on their corners and on this number of random instances of each size.

    Instance i of a claim is made from the text "id/size/seed/i", so results depend
    neither on the workers nor on interruptions.  Shard (k, n) does every n-th block of
    instances; `exactsched.campaign.report.merged` puts shards together.

    `executor` and `jobs` are those of `exactsched.campaign.executors.workers`.  An instance that
    kills its process, or takes more than `limit` seconds, is a failure among others (not under
    ``serial``, where nothing is isolated).

    With `report` the result is written there.  Meanwhile a journal beside it keeps what is done:
    the same call continues where it was interrupted, and a finished report is read, not made again.

    `library` is the module where workers find the claims: functions under
    `theorems.claim.claim`, or a function `claims()` that returns them by id.

    Raises `InvalidInput` for parameters that make no sense, and for a report or a journal of
    another campaign.

    Takes as long as its claims take on the instances: seconds for most of them. Reference:
    proofs/README.md.

    >>> done = verify(["konig.edge-coloring"], instances=5, executor="serial")
    >>> done.tallies["konig.edge-coloring", "small"].instances, done.wrong()
    (5, [])
    """
    part = _part(claims, instances, sizes, seed, library, shard)
    if not limit > 0:
        raise InvalidInput("limit", limit, "a positive number of seconds")
    if jobs is not None and (type(jobs) is not int or jobs < 1):
        raise InvalidInput("jobs", jobs, "a whole number, 1 or more")
    campaign = part.campaign
    statuses = {name: claim_of(library, name).status for name in campaign.claims}
    if report is not None and os.path.exists(report):
        return _finished(report, part)
    with ExitStack() as stack:
        journal = None
        if report is not None:
            blocks = sum(1 for _ in campaign.blocks())
            journal = stack.enter_context(Journal(report, part, blocks))
        run = _Run(part, statuses, journal, limit, progress)
        run.work(executor, jobs)
        result = Report(campaign, statuses, collapsed(campaign, {shard: run.tallies}))
        if report is not None and journal is not None:
            result.write(report)
            journal.remove()
    return result


class _Run:
    """The work of one process on a campaign: blocks go out, tallies come back in any order."""

    def __init__(
        self,
        part: Part,
        statuses: Mapping[str, str],
        journal: Journal | None,
        limit: float,
        progress: Callable[[Standing], object] | None,
    ) -> None:
        self.tallies: dict[tuple[str, str], Tally] = {}
        self._library, self._statuses, self._limit = part.campaign.library, statuses, limit
        self._journal, self._progress = journal, progress
        self._done = self._total = self._failed = self._lost = 0
        earlier = {} if journal is None else journal.done
        for number, block in part.blocks():
            self._total += block.last - block.first
            if number in earlier:
                self._add(block, earlier[number])
        self._resumed = self._done
        self._pending: Iterator[tuple[int, Block]] = (
            (number, block) for number, block in part.blocks() if number not in earlier
        )
        self._under_way: dict[Future[Tally], tuple[int, Block]] = {}

    def work(self, executor: str | Executor, jobs: int | None) -> None:
        """Runs what is left; if the executor breaks, on processes of this machine."""
        self._tell()
        if self._done == self._total:
            return
        with ExitStack() as crews:
            crew = crews.enter_context(workers(executor, jobs))
            while self._hand_out(crew):
                again, broken = self._collect(crew)
                if broken:  # it takes nothing any more
                    again += self._under_way.values()
                    self._under_way.clear()
                    crew = crews.enter_context(workers("process", jobs))
                for number, block in again:
                    # Here, so that the campaign continues even if all workers end at once.
                    tally = run_isolated(block, self._library, self._limit)
                    self._finish(number, block, tally)

    def _hand_out(self, crew: Crew) -> bool:
        """Gives the crew as many blocks as it takes; False if none is under way."""
        for number, block in islice(self._pending, crew.in_flight - len(self._under_way)):
            try:
                future = crew.submit(block, self._library, self._limit)
            except BrokenExecutor as error:
                future = Future()
                future.set_exception(error)
            self._under_way[future] = number, block
        return bool(self._under_way)

    def _collect(self, crew: Crew) -> tuple[list[tuple[int, Block]], bool]:
        """Waits for results; returns blocks lost with their worker, and whether the crew broke."""
        lost, broken = [], False
        ready, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
        for future in ready:
            number, block = self._under_way.pop(future)
            try:
                tally = future.result()
            except crew.lost as error:
                self._lost += 1
                broken = broken or isinstance(error, BrokenExecutor)
                lost.append((number, block))
            else:
                self._finish(number, block, tally)
        return lost, broken

    def _finish(self, number: int, block: Block, tally: Tally) -> None:
        self._add(block, tally)
        if self._journal is not None:
            self._journal.finished(number, tally)
        self._tell()

    def _add(self, block: Block, tally: Tally) -> None:
        place = block.claim, block.size
        self.tallies[place] = self.tallies[place] + tally if place in self.tallies else tally
        self._done += tally.instances
        if not confirms(self._statuses[block.claim], block.size, tally):
            self._failed += tally.failed or tally.instances

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(
                Standing(self._done, self._total, self._resumed, self._failed, self._lost)
            )


def _part(
    claims: Sequence[str],
    instances: int,
    sizes: Sequence[str],
    seed: int,
    library: str,
    shard: Shard,
) -> Part:
    """The part of the campaign, with claims in the order of the library and sizes in theirs.

    So the order in which they are named makes no difference.
    """
    listed = [claim_of(library, name).id for name in claims]
    ordered = tuple(name for name in claims_of(library) if name in listed)
    known = tuple(size for size in LENGTHS if size in sizes)
    unknown = tuple(size for size in sizes if size not in LENGTHS)
    campaign = Campaign(__version__, library, known + unknown, instances, seed, ordered)
    part = Part(campaign, shard)
    campaign.validate()
    part.validate()
    return part


def _finished(report: str | os.PathLike[str], asked: Part) -> Report:
    found = read_report(report)
    others = [shard for shard in found.shards if shard != asked.shard]
    there = Part(found.campaign, others[0] if others else asked.shard)
    refuse_other(os.fspath(report), there, asked)
    return found
