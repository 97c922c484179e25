"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from exactsched.exact.errors import InvalidInput


def write_whole(path: str | os.PathLike[str], content: str | Iterable[bytes]) -> None:
    """Writes a file so that a reader finds the old one or the new one, never a part.

    Text is written in UTF-8, bytes piece by piece.  All of it goes to a new file in the same
    folder, which then takes the name; a link keeps its name and its target is written.  Raises
    `InvalidInput` where `path` is something that is not a file, such as a folder or a device, and
    `OSError` that names `path`; nothing is left behind.
    """
    target = Path(os.path.realpath(path))
    # Not tempfile: its files are private, and ours are meant to be shown around.
    temporary = target.with_name(f".{os.urandom(8).hex()}.part")
    try:
        # To replace a device or a pipe by a file would destroy it.
        if target.exists() and not target.is_file():
            raise InvalidInput("output", os.fspath(path), "not an ordinary file; name another one")
        with open(temporary, "xb") as file:
            for piece in [content.encode()] if isinstance(content, str) else content:
                file.write(piece)
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o7777)
        os.replace(temporary, target)
    except BaseException as error:
        with contextlib.suppress(OSError, ValueError):
            temporary.unlink()
        if isinstance(error, OSError) and error.errno is not None:
            error.filename, error.filename2 = os.fspath(path), None
        raise
