"""How long somebody waits for a search: whoever asked may say that it is enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

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
        if self.asked is not None and self.asked():
            raise EnoughError

    def run(self, model: Any) -> None:
        """SCIP's `optimize`, which asks at every linear program and every round of presolving."""
        if self.asked is None:
            model.optimize()
            return
        from pyscipopt import SCIP_EVENTTYPE, Eventhdlr  # type: ignore[attr-defined]

        asked, kinds = self.asked, SCIP_EVENTTYPE

        class Asks(Eventhdlr):
            def eventinit(self) -> None:
                for kind in (kinds.PRESOLVEROUND, kinds.LPSOLVED, kinds.NODESOLVED):
                    self.model.catchEvent(kind, self)

            def eventexec(self, event: object) -> None:  # noqa: ARG002
                if asked():
                    self.model.interruptSolve()

        # Ctrl-C is for whoever asks: SCIP would take it, and nobody else would know.
        model.setParam("misc/catchctrlc", False)
        model.includeEventhdlr(Asks(), "asks", "whether it is enough")
        model.optimize()
        if model.getStatus() == "userinterrupt":
            raise EnoughError


PATIENT = Patience()
