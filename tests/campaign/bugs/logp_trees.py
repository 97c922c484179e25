"""Bugs that the claims of section 2 of karp1993 have to find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # definition 2.3 as printed
        "karp1993.thm2.1",
        "logp.broadcast",
        "machine.delay, machine.period]",
        "machine.delay, machine.g]",
    ),
    Bug(  # who sends again and who sends for the first time at the same moment
        "karp1993.thm2.1",
        "logp.broadcast",
        "ready = [*ready, *range(received",
        "ready = [*range(received",
    ),
    Bug(
        "karp1993.thm2.1",
        "logp.counts",
        "range(time // wait + 1)",
        "range(time // wait)",
    ),
    Bug(
        "karp1993.fact2.1",
        "logp.counts",
        "if t < wait else first[t - wait]",
        "if t < wait else first[t - wait] + 1",
    ),
    Bug(  # compositions with and without an empty part
        "karp1993.thm2.2",
        "logp.counts",
        "comb((time - a * hop) // wait + a, a)",
        "comb((time - a * hop) // wait + a - 1, a)",
    ),
)
