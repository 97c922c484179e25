"""Integer programs of SCIP that end when whoever waits for them has enough.

Method: SCIP's events ask now and then.
Limits: SCIP asks at linear programs and rounds of presolving only; a long one is waited for.
"""

from __future__ import annotations

from typing import Any

from exactsched.exact.patience import EnoughError, Patience


def solve_patiently(model: Any, patience: Patience) -> None:
    """SCIP's `optimize`, which asks at every linear program and every round of presolving."""
    if patience.asked is None:
        model.optimize()
        return
    from pyscipopt import SCIP_EVENTTYPE, Eventhdlr  # type: ignore[attr-defined]

    asked, kinds = patience.asked, SCIP_EVENTTYPE

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
