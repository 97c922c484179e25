"""The journal of a campaign under way: what is done is not lost when the process is killed."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from types import TracebackType
from typing import TypeVar

from exactsched.campaign.blocks import Part
from exactsched.campaign.outcomes import Tally
from exactsched.certificate.codec import read, write
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.exact.journal_file import JournalFile

T = TypeVar("T")


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
        self.done: dict[int, Tally] = {}
        self._file = JournalFile(report, "--report", "campaign")
        try:
            self._continue(part, blocks)
        except BaseException:
            self._file.__exit__(None, None, None)
            raise

    def _continue(self, ours: Part, blocks: int) -> None:
        file = self._file
        for number, line in enumerate(file.lines):
            if number == 0:
                refuse_other(str(file.path), _read_line(Part, line, file.place(0)), ours)
                continue
            done = _read_line(_Done, line, file.place(number))
            if done.block % ours.shard[1] != ours.shard[0] - 1 or not 0 <= done.block < blocks:
                raise Malformed(
                    file.place(number), done.block, "no block of this campaign and shard"
                )
            self.done[done.block] = done.tally
        if not file.lines:
            self._write(ours)

    def add(self, number: int, tally: Tally) -> None:
        self._write(_Done(number, tally))

    def _write(self, line: Part | _Done) -> None:
        self._file.add(json.dumps(write(type(line), line)).encode())

    def remove(self) -> None:
        """The report is written: the journal is not needed any more."""
        self._file.remove()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.__exit__(kind, error, trace)


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
