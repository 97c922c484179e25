"""A file of lines that long work adds to, and goes on from after it was killed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, Any, Self

from exactsched.exact.errors import InvalidInput

# Seconds between two times that the disk is waited for.  The system has every line at once: killing
# the process loses none, loss of power those of a second.
_SYNC = 1.0


class JournalFile:
    """The lines of a file beside the output of some work, of which one process is the only writer.

    The first line says which work the journal belongs to; whoever opens it compares.  Nothing in
    the file is changed before the first `add`, which drops what a kill has left of the last line.

    - `output`: the file that the work writes in the end; the journal is `output`.journal
    - `option`: where the name of the output was given, for messages
    - `work`: what is done, for messages

    Raises `InvalidInput` where the file cannot be written, another process has it open, or it has
    bytes but no whole line that could say what it is.
    """

    def __init__(self, output: str | os.PathLike[str], option: str, work: str) -> None:
        self.path = Path(f"{os.fspath(output)}.journal")
        try:
            self._file = open(self.path, "a+b")  # noqa: SIM115
        except OSError as error:
            rule = f"cannot be written: {error.strerror}"
            raise InvalidInput(option, str(self.path), rule) from error
        try:
            if not _locked(self._file):
                raise InvalidInput(option, str(self.path), f"another process runs this {work}")
            self._file.seek(0)
            *self.lines, torn = self._file.read().split(b"\n")
            if torn and not self.lines:
                rule = f"belongs to no {work}: remove it or name another output"
                raise InvalidInput(option, str(self.path), rule)
        except BaseException:
            self.close()
            raise
        self._whole = self._file.tell() - len(torn)
        self._synced = monotonic()

    def place(self, number: int) -> str:
        """Where the line with this index stands, for messages."""
        return f"{self.path}, line {number + 1}"

    def add(self, line: bytes) -> None:
        """Adds a line, which has no line break, and hands it to the system."""
        self._file.truncate(self._whole)
        self._file.write(line + b"\n")
        self._file.flush()
        self._whole += len(line) + 1
        if monotonic() - self._synced >= _SYNC:
            self._synced = monotonic()
            os.fsync(self._file.fileno())

    def remove(self) -> None:
        """The output is written: the journal is not needed any more."""
        with suppress(FileNotFoundError):
            self.path.unlink()

    def close(self) -> None:
        """Lets another process have it."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _locked(file: IO[Any]) -> bool:
    """Two processes on one journal would do the same work and mix their lines."""
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
