"""Bugs that the claims of `theorems.lu2025` on rounds (2.3 frames, 2.4 and 3) must find."""

from __future__ import annotations

from exactsched.synchronous.baselines import DelayTree, greedy_steps, grid_tree
from exactsched.synchronous.bounds import (
    _by_chains,
    _by_counting,
    _by_distances,
    _by_occupancy,
    _time_to_receive,
)
from exactsched.synchronous.cyclic_plan import _rows, balanced_plan, cyclic_plan
from exactsched.synchronous.packet_sets import PacketSets
from exactsched.synchronous.published import binary_tree_steps
from exactsched.synchronous.quarter_solutions import quarter_solutions
from exactsched.synchronous.saturation import Saturation
from tests.campaign.planted import Bug

BUGS = (
    # Chains of lengths of the other parity are forgotten.
    Bug("lu2025.bound16", _by_chains, "min(len(A), B + C)", "min(len(A), B)"),
    # The last packet waits for one round more.
    Bug("lu2025.bound16", _by_distances, "(A - 1) * B + C", "A * B + C"),
    # Senders of the greedy broadcast are not busy.
    Bug("lu2025.bound17", greedy_steps, "A[B] = A[C] = True", "A[C] = True"),
    # Half of the nodes, rounded up.
    Bug("lu2025.bound17", _time_to_receive, "A[B] // 2", "_up(A[B], 2)"),
    # A transfer that is under way ends in the same round.
    Bug("lu2025.counting", _time_to_receive, "min(A + _up(B, C), D)", "min(A, D)"),
    # Senders as far away as the receivers.
    Bug("lu2025.counting", _by_counting, "A.get(B - 1, C)", "A.get(B, C)"),
    # The own packets of a node enter the cuts around it.
    Bug("lu2025.counting", _by_occupancy, "sum(A) - sum(B)", "sum(A)"),
    # In one-port nodes make pairs as well.
    Bug("lu2025.counting", _by_counting, "A == 'one-port'", "A == 'link'"),
    # A packet arrives after one step, whatever the arc takes.
    Bug("lu2025.saturation", PacketSets.send, "A + steps", "A + 1"),
    # Receivers that are still busy.
    Bug(
        "lu2025.saturation", Saturation._usable, "{A for B in C for A in (D, E)}", "{D for B in C}"
    ),
    # The last node of the first row serves its column a round later.
    Bug(
        "lu2025.binary-tree",
        grid_tree,
        "2 if A == 1 and B < C else 1",
        "2 if A == 1 else 1",
    ),
    # The root has no parent to wait for, others have.
    Bug("lu2025.binary-tree", DelayTree.period, "[A if B else {0} for C in D]", "[{0} for C in D]"),
    # Different delays are enough.
    Bug("lu2025.binary-tree.delays", DelayTree.period, "{A % B for A in C}", "set(C)"),
    # The arcs of an edge are shared out one tree after the other.
    Bug("lu2025.pipelines", cyclic_plan, "A[B % len(A)]", "A[0]"),
    # Whatever packet comes first goes, its arborescence or not.
    Bug("lu2025.pipelines", _rows, "A & B or A", "A"),
    # Shares of what a node receives, not of the time.
    Bug("lu2025.pipelines.quarters", quarter_solutions, "2 * A", "A"),
    # Where there are no quarters another rate is taken.
    Bug("lu2025.pipelines.quarters", balanced_plan, "'1/2'", "'1/3'"),
    # The last node of the first row serves its column a round later.
    Bug(
        "lu2025.tables",
        grid_tree,
        "2 if A == 1 and B < C else 1",
        "2 if A == 1 else 1",
    ),
    # The closed form forgets the last packet.
    Bug("lu2025.tables", binary_tree_steps, "3 * (A - 1) + sum(B) - 2", "3 * A + sum(B) - 2"),
)
