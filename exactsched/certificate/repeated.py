"""Parts of a document that it says again and again, word for word, read once.

A proof by cases has the same prices and cuts in hundreds of its cases: they are the same record
then, and who checks the cases can see that they are.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from exactsched.certificate.budget import SHORT

# Of marshal: the first version writes the same bytes for the same parts, whatever shares them.
_PLAIN: Final = 0

_known: ContextVar[dict[bytes, Any] | None] = ContextVar("known", default=None)


@contextmanager
def remembering() -> Iterator[None]:
    """What is read within is remembered until the end, and nothing of what was read before."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def read_once(reader: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same reader, for which a part that is the same as one before is the same record.

    >>> read = read_once(tuple)
    >>> with remembering():
    ...     read([1, 2]) is read([1, 2]), read([1]) is read([True]), read([1]) is read([1.0])
    (True, False, False)
    >>> read([1, 2]) is read([1, 2])
    False
    """

    def read(value: Any) -> Any:
        known = _known.get()
        if known is None:
            return reader(value)
        try:
            # Of exactly the types of a document, and no two of them with the same bytes.
            written = marshal.dumps(value, _PLAIN)
        except ValueError:
            return reader(value)
        if len(written) > SHORT:
            return reader(value)
        made = known.get(written)
        if made is None:
            made = known[written] = reader(value)
        return made

    return read
