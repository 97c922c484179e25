"""The journal of a campaign under way: what is done is not lost when the process is killed."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
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


class Journal(JournalFile):
    """A file beside the report: a line with the parameters, then one for each block that is done.

    The parameters are those of the `Part`; `blocks` is the number of blocks of the campaign.

    A journal that is there is continued; if its last line is not whole, that line is dropped.
    Raises `InvalidInput` if it belongs to another campaign, another process writes to it, or it
    cannot be written; `Malformed` for a file that is not a journal.
    """

    def __init__(self, report: str | os.PathLike[str], part: Part, blocks: int) -> None:
        super().__init__(report, "--report", "campaign")
        self.done: dict[int, Tally] = {}
        try:
            self._continue(part, blocks)
        except BaseException:
            self.close()
            raise

    def _continue(self, ours: Part, blocks: int) -> None:
        for number, line in enumerate(self.lines):
            place = self.place(number)
            if number == 0:
                refuse_other(str(self.path), _read_line(Part, line, place), ours)
                continue
            done = _read_line(_Done, line, place)
            if done.block % ours.shard[1] != ours.shard[0] - 1 or not 0 <= done.block < blocks:
                raise Malformed(place, done.block, "no block of this campaign and shard")
            self.done[done.block] = done.tally
        if not self.lines:
            self.add(_line(ours))

    def finished(self, number: int, tally: Tally) -> None:
        """Notes that the block with this number is done."""
        self.add(_line(_Done(number, tally)))


def _line(noted: Part | _Done) -> bytes:
    return json.dumps(write(type(noted), noted)).encode()


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
