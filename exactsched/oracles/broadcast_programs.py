"""What claims that are not yet functions take from here."""

from __future__ import annotations

from exactsched.check import ProvedSeries, check
from exactsched.oracles.broadcast import ends_of as ends_of
from exactsched.steady_state.broadcast import BroadcastSolution


def proved(solution: BroadcastSolution) -> ProvedSeries:
    """What the checker finds proved by the certificate of a solution."""
    claim = check(solution.certificate())
    assert isinstance(claim, ProvedSeries)
    return claim
