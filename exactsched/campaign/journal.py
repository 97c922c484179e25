"""The journal of a campaign under way: what is done is not lost when the process is killed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any

from exactsched.campaign.blocks import Campaign, Tally
from exactsched.campaign.documents import (
    campaign_document,
    difference,
    read_campaign,
    read_tally,
    tally_document,
)
from exactsched.campaign.report import Shard
from exactsched.certificate.elements import read_integer, read_members, read_row
from exactsched.exact.errors import InvalidInput, Malformed

# Seconds between two times that the disk is waited for.  The system has every line at once: killing
# the process loses none, loss of power those of a second.
_SYNC = 1.0


class Journal:
    """A file beside the report: a line with the parameters, then one for each block that is done.

    It is continued if it is there; a last line that was not written to its end is dropped.  Raises
    `InvalidInput` if it is of another campaign, is written to by another process, or cannot be
    written, `Malformed` for what is no journal.
    """

    def __init__(
        self, report: str | os.PathLike[str], campaign: Campaign, shard: Shard, blocks: int
    ) -> None:
        self.path = Path(f"{os.fspath(report)}.journal")
        self.done: dict[int, Tally] = {}
        header = {"campaign": campaign_document(campaign), "shard": list(shard)}
        try:
            self._file = open(self.path, "a+b")  # noqa: SIM115
        except OSError as error:
            rule = f"cannot be written: {error.strerror}"
            raise InvalidInput("--report", str(self.path), rule) from error
        try:
            _lock(self._file, str(self.path))
            self._file.seek(0)
            whole = self._continue(self._file.read(), campaign, shard, blocks)
            self._file.truncate(whole)
            if not whole:
                self._write(header)
        except BaseException:
            self._file.close()
            raise
        self._synced = monotonic()

    def _continue(self, content: bytes, campaign: Campaign, shard: Shard, blocks: int) -> int:
        """Reads what is there; returns the length of the lines that are whole."""
        whole = content.rfind(b"\n") + 1
        lines = _lines(content[:whole], str(self.path))
        for place, line in lines:
            if not place.endswith("line 1"):
                members = read_members(line, place, ("block", "tally"))
                number = read_integer(members["block"], place)
                if number % shard[1] != shard[0] - 1 or not 0 <= number < blocks:
                    raise Malformed(place, number, "no block of this campaign and shard")
                self.done[number] = read_tally(members["tally"], place)
                continue
            members = read_members(line, place, ("campaign", "shard"))
            theirs = read_row(members["shard"], place, "[number, shards]", 2)
            differs = difference(read_campaign(members["campaign"], place), campaign)
            if not differs and theirs != list(shard):
                differs = f"shard {theirs[0]}/{theirs[1]} and {shard[0]}/{shard[1]}"
            if differs:
                refuse_other(str(self.path), differs)
        return whole

    def add(self, number: int, tally: Tally) -> None:
        self._write({"block": number, "tally": tally_document(tally)})
        if monotonic() - self._synced >= _SYNC:
            self._synced = monotonic()
            os.fsync(self._file.fileno())

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()

    def remove(self) -> None:
        """The report is written: the journal is not needed any more."""
        with suppress(FileNotFoundError):
            self.path.unlink()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def refuse_other(path: str, differs: str) -> None:
    """A file of another campaign is neither continued nor replaced."""
    rule = f"of another campaign ({differs}): remove it or name another report"
    raise InvalidInput("--report", path, rule)


def _lines(content: bytes, path: str) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(content.splitlines(), start=1):
        place = f"{path}, line {number}"
        try:
            yield place, json.loads(line)
        except ValueError as error:
            raise Malformed(place, line[:60].decode(errors="replace"), "a line of JSON") from error


def _lock(file: Any, path: str) -> None:
    """Two processes on one journal would do the same work and mix their lines."""
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        rule = "another process runs this campaign"
        raise InvalidInput("--report", path, rule) from None
