"""Work on many plain records, without Python's search for cycles among them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Python looks for cycles among millions of rows, which have none: a third of the time.

    Nor does it among what is called meanwhile, a `progress` say; it does so later.

    >>> with without_collection():
    ...     gc.isenabled()
    False
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
