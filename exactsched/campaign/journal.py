"""The journal of a campaign under way: what is done is not lost when the process is killed."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, TypeVar

from exactsched.campaign.blocks import Part
from exactsched.campaign.outcomes import Tally
from exactsched.certificate.codec import read, write
from exactsched.exact.errors import InvalidInput, Malformed

T = TypeVar("T")

# Seconds between two times that the disk is waited for.  The system has every line at once: killing
# the process loses none, loss of power those of a second.
_SYNC = 1.0


@dataclass(frozen=True, slots=True)
class _Done:
    """A line: a block, by its number, and its tally."""

    block: int
    tally: Tally


class Journal:
    """A file beside the report: a line with the parameters, then one for each block that is done.

    The parameters are those of the `Part`; `blocks` is the number of blocks of the campaign.

    A journal that is there is continued; if its last line is not whole, that line is dropped.
    Raises `InvalidInput` if it belongs to another campaign, another process writes to it, or it
    cannot be written; `Malformed` for a file that is not a journal.
    """

    def __init__(self, report: str | os.PathLike[str], part: Part, blocks: int) -> None:
        self.path = Path(f"{os.fspath(report)}.journal")
        self.done: dict[int, Tally] = {}
        try:
            self._file = open(self.path, "a+b")  # noqa: SIM115
        except OSError as error:
            rule = f"cannot be written: {error.strerror}"
            raise InvalidInput("--report", str(self.path), rule) from error
        try:
            _lock(self._file, str(self.path))
            self._file.seek(0)
            *whole, torn = self._file.read().split(b"\n")
            self._continue(whole, part, blocks)
            self._file.truncate(self._file.tell() - len(torn))
            if not whole:
                self._write(part)
        except BaseException:
            self._file.close()
            raise
        self._synced = monotonic()

    def _continue(self, lines: list[bytes], ours: Part, blocks: int) -> None:
        places = [f"{self.path}, line {number}" for number in range(1, len(lines) + 1)]
        if lines:
            refuse_other(str(self.path), _read_line(Part, lines[0], places[0]), ours)
        for place, line in zip(places[1:], lines[1:], strict=True):
            done = _read_line(_Done, line, place)
            if done.block % ours.shard[1] != ours.shard[0] - 1 or not 0 <= done.block < blocks:
                raise Malformed(place, done.block, "no block of this campaign and shard")
            self.done[done.block] = done.tally

    def add(self, number: int, tally: Tally) -> None:
        self._write(_Done(number, tally))
        if monotonic() - self._synced >= _SYNC:
            self._synced = monotonic()
            os.fsync(self._file.fileno())

    def _write(self, line: Part | _Done) -> None:
        self._file.write(json.dumps(write(type(line), line)).encode() + b"\n")
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


def refuse_other(path: str, there: Part, asked: Part) -> None:
    """Refuses a file of another campaign or shard: it is neither continued nor replaced."""
    differs = there.difference(asked)
    if differs:
        rule = f"belongs to another campaign ({differs}): remove it or name another report"
        raise InvalidInput("--report", path, rule)


def _read_line(kind: type[T], line: bytes, place: str) -> T:
    try:
        document = json.loads(line)
    except ValueError as error:
        raise Malformed(place, line[:60].decode(errors="replace"), "a line of JSON") from error
    made: T = read(kind, document, place)
    return made


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
