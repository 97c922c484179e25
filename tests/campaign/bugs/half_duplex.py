"""Bugs that the claims of `exactsched.theorems.lu2025.section_2_half_duplex` have to find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # a message too many in the bound of a finite run
        "lu2025.thm1",
        "runs.finite_run",
        "return leaf, messages * weight / offered(leaf)",
        "return leaf, (messages + 1) * weight / offered(leaf)",
    ),
    Bug(  # odd sets are paid for as ports are: half of a node for each member
        "lu2025.thm1",
        "steady_state.odd_sets",
        "odd = (len(nodes) // 2 * price for",
        "odd = (Fraction(len(nodes), 2) * price for",
    ),
    Bug(  # (6) without rounding down
        "lu2025.thm2",
        "synchronous.balanced",
        "right: list[Rational] = [graph.size // 2]",
        "right: list[Rational] = [Fraction(graph.size, 2)]",
    ),
    Bug(  # only what a node receives keeps it busy
        "lu2025.thm2",
        "synchronous.balanced",
        "rows.append(dict.fromkeys(out_of[node] + into[node], 1))",
        "rows.append(dict.fromkeys(into[node] or out_of[node], 1))",
    ),
    Bug(  # sets with room are taken for overfull ones
        "lu2025.optimum",
        "steady_state.odd_sets",
        "if leaving < period",
        "if leaving > period",
    ),
    Bug(  # the idle times of one end only
        "lu2025.optimum",
        "steady_state.odd_sets",
        "        idle[one] -= time\n        idle[other] -= time\n    # Idle",
        "        idle[one] -= time\n    # Idle",
    ),
    Bug(  # a set offers the time of a node more than it has
        "lu2025.optimum",
        "steady_state.odd_sets",
        "self._unit * (len(nodes) // 2)) for nodes in further]",
        "self._unit * (len(nodes) // 2 + 1)) for nodes in further]",
    ),
    Bug(  # the way back is a node short
        "lu2025.hamiltonian",
        "steady_state.hamiltonian",
        "forwards[:ahead] + backwards[: size - 1 - ahead]",
        "forwards[:ahead] + backwards[: size - 2 - ahead]",
    ),
    Bug(  # a tree for every node instead of every other one
        "lu2025.hamiltonian",
        "steady_state.hamiltonian",
        "for ahead in range(0, size, 2):",
        "for ahead in range(0, size):",
    ),
    Bug(  # what comes before the source is read backwards
        "lu2025.hamiltonian",
        "steady_state.hamiltonian",
        "nodes = nodes[start:] + nodes[:start]",
        "nodes = nodes[start:] + nodes[:start][::-1]",
    ),
    Bug(  # a node of two blocks, or the start of a path, is a cut node too many
        "lu2025.hamiltonian.search",
        "steady_state.hamiltonian_search",
        "if max(within.values()) > 2:",
        "if max(within.values()) > 1:",
    ),
    Bug(  # a cycle of all nodes is refused as one that closes too early
        "lu2025.hamiltonian.search",
        "steady_state.hamiltonian_search",
        "return closing > (len(forced) == len(neighbors))",
        "return closing > 0",
    ),
)
