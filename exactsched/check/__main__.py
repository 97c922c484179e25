"""`python -m exactsched.check FILE...`: one line for each file.

Files named .vipr are read in the public format for proofs about mixed-integer programs.
Exit code 0 if all are accepted, 1 if some are rejected, 2 if some cannot be read or are not
certificates at all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from exactsched.check import check
from exactsched.check.linear_programs.vipr import check_vipr
from exactsched.exact.errors import InvalidInput, Malformed, Rejected
from exactsched.exact.exact_json import unreadable

ACCEPTED, REJECTED, MALFORMED = 0, 1, 2


def main(paths: Sequence[str]) -> int:
    """Checks the files and returns the exit code: the worst of their verdicts.

    Accepted and rejected files have their line on standard output, the others on standard error.
    """
    if not paths:
        _say("usage: python -m exactsched.check FILE...", sys.stderr)
        return MALFORMED
    return max(verdict(path) for path in paths)


def proved_by(path: str) -> object:
    """What the file proves, as its name says."""
    return check_vipr(Path(path)) if path.lower().endswith(".vipr") else check(path)


class Judgment(NamedTuple):
    """The verdict on a file in a word, what is said of it, and what it has proved, if anything."""

    word: str
    said: str
    claim: object = None

    @property
    def code(self) -> int:
        return {"accepted": ACCEPTED, "rejected": REJECTED}.get(self.word, MALFORMED)


def judged(path: str, judge: Callable[[str], object] = proved_by) -> Judgment:
    """What `judge` says of a file."""
    try:
        claim = judge(path)
    except Rejected as error:
        return Judgment("rejected", f"{path}: {error}")
    except InvalidInput as error:
        # Errors of reading name the file as their place, errors of structure do not.
        where = "" if error.place.startswith(path) else f"{path}: "
        return Judgment(
            "malformed" if isinstance(error, Malformed) else "unreadable", where + str(error)
        )
    except OSError as error:
        return Judgment("unreadable", str(unreadable(error, path, "certificate")))
    except MemoryError:
        return Judgment("unreadable", f"{path}: too large for the memory of this machine")
    return Judgment("accepted", f"{path}: {claim}", claim)


def verdict(path: str, judge: Callable[[str], object] = proved_by) -> int:
    """Prints what `judge` says of a file, and returns the exit code."""
    found = judged(path, judge)
    stream = sys.stderr if found.code == MALFORMED else sys.stdout
    _say(f"{found.word}: {found.said}", stream)
    return found.code


def _say(line: str, stream: TextIO) -> None:
    """One line whatever names the document contains: no line breaks, escapes or lone surrogates."""
    visible = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
    encoding = stream.encoding or "ascii"
    print(visible.encode(encoding, "backslashreplace").decode(encoding), file=stream)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
