"""Rules that the checker drops, which the claims of `theorems.check` must notice."""

from __future__ import annotations

from exactsched.check.collectives import cuts, potentials, run, schedule
from exactsched.check.collectives.overlaps import refuse_overlaps
from exactsched.check.graphs import branching, flow, matching, splitting_off
from exactsched.check.linear_programs import linear_program
from exactsched.check.logp import cycles, role_cycles, rounds
from exactsched.check.logp import schedule as logp_schedule
from exactsched.check.overlay import arrivals, case_proof, overlay
from exactsched.check.synchronous import bounds
from exactsched.check.synchronous import rounds as synchronous_rounds
from tests.campaign.planted import Bug

BUGS = (
    # More flows than the capacity.
    Bug("check.flow-mutants", flow.refuse_impossible_amounts, "0 <= A <= B", "0 <= A"),
    # What leaves the cut is more than the flow.
    Bug("check.flow-mutants", flow.maximum_flow, "capacity != A", "False"),
    # A flow starts anywhere.
    Bug("check.root-cut-mutants", flow.minimum_root_cut, "A and B.get(C, -1) > D", "False"),
    # The flow into a node is too small.
    Bug("check.root-cut-mutants", flow.minimum_root_cut, "brought < A", "False"),
    # The trees are heavier than the capacities.
    Bug(
        "check.decomposition-mutants",
        branching._refuse_unless_packed,
        "A * B.denominator > B.numerator * C",
        "A * B.denominator > (B.numerator + 1) * C",
    ),
    # As much enters the nodes as they need.
    Bug("check.branching-mutants", branching.unmet_demand, "capacity >= A", "capacity > A"),
    # A link uses arcs that do not meet.
    Bug("check.links-mutants", splitting_off._refuse_unless_links, "A != B[-1]", "False"),
    # Links are larger than the capacities.
    Bug(
        "check.links-mutants",
        splitting_off._refuse_unless_they_fit,
        "A * B.denominator > B.numerator * C",
        "A * B.denominator > (B.numerator + 1) * C",
    ),
    # Less than the demand arrives at a node.
    Bug("check.links-mutants", splitting_off.splitting_off, "brought < A", "False"),
    # Demands count whose roots are among the nodes.
    Bug(
        "check.concurrent-mutants",
        branching._entering_and_needed,
        "A.isdisjoint(B)",
        "len(A) > 0",
    ),
    # The cuts are heavier than the cost of an arc.
    Bug(
        "check.arborescence-mutants",
        branching.minimum_cost_arborescence,
        "A * B.denominator > B.numerator * C",
        "A * B.denominator > (B.numerator + 1) * C",
    ),
    # An edge has a color more than it has copies.
    Bug(
        "check.coloring-mutants",
        matching._refuse_unless_decomposed,
        "A * B.denominator != B.numerator * C",
        "A * B.denominator < B.numerator * C",
    ),
    # Two edges of a matching share a node.
    Bug(
        "check.matching-mutants",
        matching._refuse_unless_decomposed,
        "len(set(A)) < len(A)",
        "len(set(A)) < len(A) - 1",
    ),
    # A set of two or four nodes is a witness.
    Bug(
        "check.fractional-coloring-mutants",
        matching.fractional_edge_coloring,
        "A % 2 == 0",
        "A == 0",
    ),
    # The multiplier of an inequality is negative.
    Bug(
        "check.linear-program-mutants",
        linear_program._refuse_unless_dual,
        "A < 0 and B not in C",
        "False",
    ),
    # A nonnegative variable is negative.
    Bug(
        "check.linear-program-mutants",
        linear_program._refuse_unless_feasible,
        "A < 0 and variable in B",
        "False",
    ),
    # A resource begins something a tick too early.
    Bug("check.broadcast-mutants", refuse_overlaps, "start < A", "start < A - 1", first=500),
    # Of the arcs into a node only those of the first case are kept.
    Bug(
        "check.tree-mutants",
        cuts._refuse_incomplete_entering,
        "A.intersection_update(B.without)",
        "A.clear()",
    ),
    # The arcs of the trees have a directed cycle.
    Bug(
        "check.broadcast-mutants",
        schedule._refuse_broken_restriction,
        "A.restrict == 'dag'",
        "False",
        first=230,
    ),
    # No case drops some arc of the cycle.
    Bug(
        "check.dag-mutants",
        cuts._refuse_incomplete_cycle,
        "if undropped: ...",
        "if False: ...",
        first=310,
    ),
    # A source is far from itself.
    Bug(
        "check.alltoall-mutants",
        potentials._alltoall,
        "A[B * C + D[E]] > 0",
        "False",
        first=110,
    ),
    # Potentials grow twice as fast as the priced time.
    Bug(
        "check.reduction-mutants",
        potentials._Prices.refuse_steep_arc,
        "A * B.denominator * C > D",
        "A * B.denominator * C > 2 * D",
    ),
    # A task starts a tick before its inputs are there.
    Bug(
        "check.run-mutants",
        run._refuse_early_starts,
        "start < A[B + C]",
        "start + 1 < A[B + C]",
        first=710,
    ),
    # The pieces of a task last as long as those of another operation.
    Bug("check.alltoall-run-mutants", run._refuse_wrong_durations, "A.get(B) != C", "not A"),
    # The goals of the first operation are enough.
    Bug(
        "check.reduction-run-mutants",
        run._Made.first_missing,
        "range(A, A + B._count)",
        "range(A, A + 1)",
    ),
    # An item is sent on before its receiver has spent the overhead.
    Bug(
        "check.logp-broadcast-mutants",
        logp_schedule._refuse_undelivered,
        "delay = A.delay",
        "delay = A.latency",
    ),
    # A send and a reception may overlap.
    Bug(
        "check.logp-exchange-mutants",
        rounds._refuse_haste,
        "_refuse_closer(A, B, A.overhead, C)",
        "_refuse_closer(A, B, 0, C)",
    ),
    # Some values are missing in the end.
    Bug(
        "check.logp-allreduce-mutants",
        rounds._refuse_uncombined,
        "A != ((0, B),)",
        "A[-1][1] != B",
    ),
    # A sum is sent before it is complete.
    Bug(
        "check.logp-summation-mutants",
        logp_schedule._summation,
        "[A + B for A in C]",
        "[A for A in C]",
    ),
    # The delays of the roles are those of their sends, but for one that is missing.
    Bug(
        "check.logp-continuous-mutants",
        role_cycles.refuse_unless_trees,
        "A != B",
        "not set(A) <= set(B)",
    ),
    # The last items come too late.
    Bug(
        "check.logp-items-mutants",
        cycles._refuse_incomplete,
        "A >= 0 and A + B + C > D.time",
        "False",
    ),
    # A processor receives the same item in two roles.
    Bug(
        "check.logp-buffered-mutants",
        role_cycles.refuse_two_at_once,
        "len({*A}) < B",
        "False",
    ),
    # A node sends twice as much as it can.
    Bug(
        "check.overlay-mutants",
        overlay._refuse_haste,
        "A * B[C] > D[C] * E",
        "A * B[C] > 2 * D[C] * E",
    ),
    # Parts go round in a circle.
    Bug("check.overlay-mutants", arrivals._refuse_circles, "one == other", "False"),
    # The right sides add up to too much.
    Bug(
        "check.case-proof-mutants",
        case_proof._refuse_unless_contradiction,
        "A > B or (not C and A == 0)",
        "False",
    ),
    # A packet is sent on while it is being received.
    Bug(
        "check.rounds-mutants",
        synchronous_rounds._last_step,
        "A[B * C + D] > E",
        "A[B * C + D] > E + 1",
    ),
    # The cuts that an arc enters are heavier than what its ports pay.
    Bug(
        "check.occupancy-mutants",
        bounds._refuse_unpaid,
        "A < B[C]",
        "2 * A < B[C]",
    ),
)
