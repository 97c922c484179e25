"""Bugs that the claims of `theorems.karp1993.section_3_continuous` must find."""

from __future__ import annotations

from exactsched.logp.continuous import _merged, continuous_broadcast
from exactsched.logp.items import single_sending
from exactsched.logp.latency_two.automaton import following
from exactsched.logp.latency_two.exclusion import longest_series_by_counting
from exactsched.logp.partition_series import _grown
from exactsched.logp.word_automaton import _lemma_words, arrange, juggling_automaton
from tests.campaign.planted import Bug

BUGS = (
    # A throw is lost where the cycle begins.
    Bug("hall.juggling", arrange, "A[B:] + A[:B]", "A[B:] + A[:B - 1]"),
    # Words shorter than their prefix, as the lemma might be read.
    Bug("karp1993.lemma3.1", _lemma_words, "max(1, A - 2 - B)", "1"),
    # A letter that is caught already.
    Bug(
        "karp1993.automaton",
        juggling_automaton,
        "{A: B for A in range(C) if A not in D}",
        "{A: B for A in range(C)}",
    ),
    # The letter that a branch leaves to the root.
    Bug("karp1993.thm3.3", _grown, "A.blocks[-1].balls - 1", "A.blocks[-1].balls"),
    # The letter that the merged cycle leaves out.
    Bug("karp1993.thm3.3", _merged, "range(A - 1, B - 1)", "range(A - 2, B - 2)"),
    # The last item counts from the end of the period.
    Bug("karp1993.cor3.1", single_sending, "A.time + B - 1", "A.time + B"),
    # A reception more is dropped.
    Bug("karp1993.thm3.4", longest_series_by_counting, "2 * A - 2", "2 * A - 3"),
    # Two sends in a round.
    Bug("karp1993.thm3.4", following, "A >> B & 1 or C & D or E", "A >> B & 1 or E"),
    # Nothing is received in the round in which it is due.
    Bug("karp1993.thm3.4.table", following, "A and not B & 1", "not B & 1"),
    # The source is no processor of the broadcast.
    Bug("karp1993.thm3.5", continuous_broadcast, "stored_cycles(A - 1)", "stored_cycles(A)"),
)
