"""Bugs that the claims of sections 4 and 5 of karp1993 have to find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # the surplus is never written out to the end
        "karp1993.thm4.1",
        "logp.allreduce",
        "item = 1 if cost <= surplus else 0",
        "item = 1 if cost < surplus else 0",
    ),
    Bug(  # a processor sends and receives in a period
        "karp1993.thm4.1",
        "logp.allreduce",
        "shortest = max(machine.g, 2 * machine.o)",
        "shortest = max(machine.g, machine.o)",
    ),
    Bug(  # the second pace is forgotten where the first one is possible
        "karp1993.thm4.1",
        "logp.allreduce",
        "if fitting >= 1:",
        "if fitting >= 1 and fitting == periods:",
    ),
    Bug(  # as printed: one message too many
        "karp1993.lemma5.1",
        "logp.summation",
        "overhead * (len(labels) - 1)",
        "overhead * len(labels)",
    ),
    Bug(  # as printed: a reception overlaps an addition
        "karp1993.lemma5.1",
        "logp.summation",
        "gap = max(machine.g, machine.o + 1)",
        "gap = machine.g",
    ),
    Bug(  # all processors that have the time take part
        "karp1993.lemma5.1",
        "logp.summation",
        "latest = ticks - overhead - 1",
        "latest = ticks",
    ),
    Bug(  # rounded in the wrong direction
        "karp1993.lemma5.1.fractions",
        "logp.lagrangian_receptions",
        "value = -(-worth[2 * time] // _MANY)",
        "value = worth[2 * time] // _MANY",
    ),
    Bug(  # what a sender adds until it sends
        "karp1993.lemma5.1.fractions",
        "logp.lagrangian_receptions",
        "(free - earlier) // unit + (free - sent) // unit - free // unit",
        "(free - earlier + free - sent) // unit - free // unit",
    ),
    Bug(  # sends that are done before the first reception
        "karp1993.alltoall",
        "logp.allgather_and_alltoall",
        "sends = latency // gap + 1",
        "sends = latency // gap",
    ),
    Bug(  # only the distance from the multiple below
        "karp1993.alltoall",
        "logp.allgather_and_alltoall",
        "for apart in (arrival // gap, arrival // gap + 1):",
        "for apart in (arrival // gap,):",
    ),
)
