"""How long somebody waits for a search: whoever asked may say that it is enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

# Asked now and then whether it is enough.
Asked = Callable[[], bool]


class EnoughError(Exception):
    """Whoever asked has enough: the search ends, and what it was about to find is not known."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Ends a search when `asked` answers True.

    All are equal: what a search finds does not depend on who waits for it, so that results which
    are kept serve everybody.

    >>> Patience().ask()
    >>> Patience(lambda: True) == Patience()
    True
    """

    asked: Asked | None = field(default=None, compare=False)

    def ask(self) -> None:
        """Raises `EnoughError` if it is enough."""
        if self.ended():
            raise EnoughError

    def ended(self) -> bool:
        """Whether it is enough."""
        return self.asked is not None and self.asked()


PATIENT = Patience()
