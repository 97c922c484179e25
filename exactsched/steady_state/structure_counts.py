"""Whole numbers of structures: the most operations within a time, the least time for operations.

Both are integer programs over given structures.  Rounding and filling up come first; then SCIP,
in floats, proposes other numbers near the fractional optimum; exact integers decide what is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from exactsched.exact.apportionment import shares
from exactsched.exact.patience import PATIENT, Patience
from exactsched.linear_programs.integer_programs import solve_patiently
from exactsched.model.problem import Collective
from exactsched.model.resources import place_shares
from exactsched.model.tasks import WeightedStructure, duration

Counts = tuple[int, ...]

# Subproblems of one integer program.  A proposal needs few; a proof is not asked for.
PROPOSAL_NODES = 100
# How far from the fractional optimum a count may be proposed.
SPAN = 8


class StructureLoads:
    """How long each structure keeps each resource busy, in integers: 1/`unit` of a time unit.

    `weights` are those of the structures, `parts` lists the structures of every part.  Sets of
    2k + 1 nodes, by number, are resources as well: what works inside works for 1/k of its time.
    When the patience is over, integer programs propose nothing more.
    """

    def __init__(
        self,
        problem: Collective,
        structures: Sequence[WeightedStructure],
        odd_sets: Sequence[Sequence[int]] = (),
        patience: Patience = PATIENT,
    ) -> None:
        self.patience = patience
        self.structures = tuple(structures)
        self.weights = [structure.weight for structure in structures]
        shares = [list(names) for names in place_shares(problem)]
        for nodes in odd_sets:
            inside = {problem.platform.nodes[node] for node in nodes}
            for place, arc in enumerate(problem.platform.arcs):
                if arc.tail in inside and arc.head in inside:
                    shares[place].append((f"odd set {nodes}", Fraction(2, len(nodes) - 1)))
        tasks = {task for structure in structures for task in structure.tasks}
        times = {
            task: [(name, share * duration(problem, task)) for name, share in shares[task[0]]]
            for task in tasks
        }
        self.unit = lcm(*(time.denominator for used in times.values() for _, time in used))
        row: dict[str, int] = {}
        self.loads: list[dict[int, int]] = []
        for structure in structures:
            load: dict[int, int] = {}
            for task in structure.tasks:
                for name, time in times[task]:
                    index = row.setdefault(name, len(row))
                    load[index] = load.get(index, 0) + int(time * self.unit)
            self.loads.append(load)
        self.resource_count = len(row)
        parts: dict[int, list[int]] = {}
        for number, structure in enumerate(structures):
            parts.setdefault(structure.part, []).append(number)
        self.parts = [parts[part] for part in sorted(parts)]
        self.throughput = sum((self.weights[number] for number in self.parts[0]), start=Fraction(0))

    def busy(self, counts: Sequence[int]) -> list[int]:
        """How long every resource works if the structures are used so often."""
        busy = [0] * self.resource_count
        for load, count in zip(self.loads, counts, strict=True):
            if count:
                for row, time in load.items():
                    busy[row] += count * time
        return busy

    def operations(self, counts: Sequence[int]) -> int:
        """Each operation takes a structure of every part, so the scarcest part says how many."""
        return min(sum(counts[number] for number in part) for part in self.parts)

    def rounded_down(self, period: Fraction) -> Counts:
        """The whole parts of weight * period, without what the scarcest part leaves over.

        At least throughput * period - k operations, where k is the largest number of structures in
        a part: RR-4872, proposition 4.
        """
        return self._trimmed([int(weight * period) for weight in self.weights])

    def most_operations(self, capacity: int, ceiling: int) -> Counts:
        """Numbers that keep no resource busy for more than `capacity`; `ceiling` bounds operations.

        At least as many operations as `rounded_down` with this time.
        """
        # Weights that leave something idle are stretched first.
        rates = zip(self.weights, self.loads, strict=True)
        busy = [Fraction(0)] * self.resource_count
        for weight, load in rates:
            for row, time in load.items():
                busy[row] += weight * time
        found = self._filled(self.rounded_down(capacity / max(busy)), capacity, ceiling)
        if self.operations(found) < ceiling:
            proposed = _proposed(self, self.operations(found), capacity)
            if proposed is not None and max(self.busy(proposed)) <= capacity:
                better = self._trimmed(proposed)
                found = max(found, better, key=self.operations)
        return found

    def apportioned(self, operations: int) -> Counts:
        """This many operations in proportion to the weights, the largest remainders rounded up."""
        counts = [0] * len(self.weights)
        for part in self.parts:
            weights = [self.weights[number] for number in part]
            for number, count in zip(part, shares(weights, operations), strict=True):
                counts[number] = count
        return tuple(counts)

    def least_time(self, operations: int) -> Counts:
        """Numbers for this many operations that keep the busiest resource busy for a short time."""
        found = self.apportioned(operations)
        proposed = _proposed(self, operations, None)
        if proposed is None or self.operations(proposed) < operations:
            return found
        return min(found, self._trimmed(proposed), key=lambda counts: max(self.busy(counts)))

    def _trimmed(self, counts: Sequence[int]) -> Counts:
        """The same number of operations, without what parts have too much."""
        kept = list(counts)
        operations = self.operations(kept)
        for part in self.parts:
            surplus = sum(kept[number] for number in part) - operations
            for number in part:
                less = min(surplus, kept[number])
                kept[number] -= less
                surplus -= less
        return tuple(kept)

    def _filled(self, counts: Counts, capacity: int, ceiling: int) -> Counts:
        """One operation more, and again, each by the structures that leave the most room."""
        filled = list(counts)
        busy = self.busy(filled)
        # Rounding down lost less than one operation for each structure of a part.
        for _ in range(min(len(filled), ceiling - self.operations(filled))):
            one_more = list(filled)
            for part in self.parts:
                best = min(part, key=lambda number: self._fullest(busy, number))
                one_more[best] += 1
                for row, time in self.loads[best].items():
                    busy[row] += time
            if max(busy) > capacity:
                break
            filled = one_more
        return tuple(filled)

    def _fullest(self, busy: Sequence[int], number: int) -> int:
        return max(busy[row] + time for row, time in self.loads[number].items())


def _proposed(loads: StructureLoads, operations: int, capacity: int | None) -> list[int] | None:
    """Counts near the fractional optimum, from SCIP; None if it finds nothing.

    With a capacity as many operations as fit, and more than given; without, the given number in as
    short a time as possible.  Only the difference to a base below the optimum is sought, and
    rows that cannot bind are left out, so the numbers stay small whatever the period.
    """
    from pyscipopt import Model, quicksum

    rate = operations / loads.throughput if loads.throughput else Fraction(0)
    base = [max(0, int(weight * rate) - SPAN // 2) for weight in loads.weights]
    spent = loads.busy(base)
    largest = max(time for load in loads.loads for time in load.values())
    program: Any = Model()
    program.hideOutput()
    program.setParam("limits/nodes", PROPOSAL_NODES)
    program.setParam("parallel/maxnthreads", 1)
    more = [program.addVar(vtype="I", lb=0, ub=SPAN) for _ in base]
    extra: Any = 0
    late: Any = 0
    if capacity is not None:
        extra = program.addVar(vtype="I", lb=1, ub=SPAN * len(base))
        program.setObjective(extra, "maximize")
    else:
        late = program.addVar(lb=0)
        program.setObjective(late, "minimize")
    for part in loads.parts:
        left = operations - sum(base[number] for number in part)
        program.addCons(quicksum(more[number] for number in part) - extra == left)
    fullest = max(spent)
    for row in range(loads.resource_count):
        users = [number for number, load in enumerate(loads.loads) if row in load]
        most = SPAN * sum(loads.loads[number][row] for number in users)
        added = quicksum(loads.loads[number][row] / largest * more[number] for number in users)
        room = (fullest if capacity is None else capacity) - spent[row]
        if room < most:
            program.addCons(added - late <= room / largest)
    try:
        loads.patience.ask()
        solve_patiently(program, loads.patience)
        if program.getNSols() == 0:
            return None
        return [
            count + round(program.getVal(variable))
            for count, variable in zip(base, more, strict=True)
        ]
    except Exception:  # SCIP reports numerical trouble as a bare Exception; or it is enough
        return None
