"""Bugs that the claims of sections 3.2 and 3.3 of karp1993, and Hall's theorem, have to find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(
        "hall.juggling",
        "logp.word_automaton",
        "thrown[first:] + thrown[:first]",
        "thrown[first:] + thrown[: first - 1]",
    ),
    Bug(  # words shorter than their prefix, as the lemma might be read
        "karp1993.lemma3.1",
        "logp.word_automaton",
        "range(max(1, L - 2 - length), L - 1)",
        "range(1, L - 1)",
    ),
    Bug(
        "karp1993.automaton",
        "logp.word_automaton",
        "for x in range(L) if x not in state}",
        "for x in range(L)}",
    ),
    Bug(  # the letter that a branch leaves to the root
        "karp1993.thm3.3",
        "logp.partition_series",
        "letter = trunk.blocks[-1].balls - 1",
        "letter = trunk.blocks[-1].balls",
    ),
    Bug(  # the letter that the merged cycle leaves out
        "karp1993.thm3.3",
        "logp.continuous",
        "*range(half - 1, L - 1))",
        "*range(half - 2, L - 2))",
    ),
    Bug(
        "karp1993.cor3.1",
        "logp.items",
        "endless.time + k - 1)",
        "endless.time + k)",
    ),
    Bug(
        "karp1993.thm3.4",
        "logp.latency_two.exclusion",
        "(2 * depth - 2) * dropped",
        "(2 * depth - 3) * dropped",
    ),
    Bug(  # two sends in a step
        "karp1993.thm3.4",
        "logp.latency_two.automaton",
        "or sending & offsets or (index",
        "or (index",
    ),
    Bug(  # nothing is received in the step in which it is due
        "karp1993.thm3.4.table",
        "logp.latency_two.automaton",
        "(index and not received & 1)",
        "not received & 1",
    ),
    Bug(  # the source is no processor of the broadcast
        "karp1993.thm3.5",
        "logp.continuous",
        "stored = stored_cycles(P - 1)",
        "stored = stored_cycles(P)",
    ),
)
