"""Bugs that the claims of `theorems.legrand2003`, sections 4 and 6, must find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # v[k,m] is made of v[k,k] and the rest only
        "legrand2003.ssr",
        "steady_state.reduction_tree",
        "sums = [map(add, here[k, cut], here[cut + 1, m]) for cut in range(k, m)]",
        "sums = [map(add, here[k, cut], here[cut + 1, m]) for cut in (k,)]",
    ),
    Bug(  # v[i,i] is conserved at its owner
        "legrand2003.ssr",
        "steady_state.reduction_program",
        "if state not in there:\n                    balance",
        "if True:\n                    balance",
    ),
    Bug(  # prices for the units of time in which trees are priced
        "legrand2003.lemma1.reduce",
        "steady_state.reduction_pricing",
        "charged = {row: price * self.unit for",
        "charged = {row: price for",
    ),
    Bug(  # a cycle loses the rate of its first arc, not the least one
        "legrand2003.lemma2",
        "steady_state.extract_trees",
        "least = min(left[task] for task in cycle)",
        "least = left[cycle[0]]",
    ),
    Bug(  # trees go on beyond what arrives, into the waste
        "legrand2003.thm1",
        "steady_state.extract_trees",
        "weight = min(arriving, *(left[task] for task in tree))",
        "weight = min(left[task] for task in tree)",
    ),
    Bug(  # a result that leaves the target has not arrived
        "legrand2003.thm1",
        "steady_state.reduction_program",
        "found[state] = found.get(state, Fraction(0)) - rate",
        "found[state] = found.get(state, Fraction(0)) - rate * (state != problem.goals[0])",
    ),
    Bug(  # a task waits for v[k,l] only
        "legrand2003.prop3",
        "model.tasks",
        "found.append(1 + max(level[state] for state in needs(problem, task)))",
        "found.append(1 + level[needs(problem, task)[0]])",
    ),
    Bug(  # rounded up
        "legrand2003.prop4",
        "steady_state.structure_counts",
        "return self._trimmed([int(weight * period) for weight in self.weights])",
        "return self._trimmed([-int(-weight * period // 1) for weight in self.weights])",
    ),
    Bug(  # what several goals share is not looked at
        "legrand2003.prefix.bound",
        "steady_state.prefix",
        "if sum(structure.weight for structure in structures) < known.value:",
        "if sum(structure.weight for structure in structures) > known.value:",
    ),
    Bug(  # potentials where the goals can be made, not where they cannot
        "legrand2003.prefix.bound",
        "steady_state.shared_flow_bound",
        "in graph.within(goal) if labels[state]})",
        "in graph.within(goal) if not labels[state]})",
    ),
)
