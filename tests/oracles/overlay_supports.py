"""What overlays can do, by definition: every support within the degrees, every cut, exactly."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product

from exactsched.certificate.linear_programs import LinearOptimum
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.model.machine import MultiPort

Arc = tuple[int, int]


def supports(machine: MultiPort) -> Iterator[tuple[Arc, ...]]:
    """Sets of arcs that use all degrees; smaller ones can do no more."""
    size = machine.size
    everybody = [(i, j) for i in range(size) for j in range(1, size) if i != j]
    choices = []
    for node, degree in enumerate(machine.degrees):
        arcs = [arc for arc in machine.arcs or everybody if arc[0] == node]
        choices.append(list(combinations(arcs, min(degree, len(arcs)))))
    for chosen in product(*choices):
        yield tuple(arc for arcs in chosen for arc in arcs)


def best_on(machine: MultiPort, arcs: Iterable[Arc]) -> tuple[Fraction, dict[Arc, Fraction]]:
    """The largest least root cut of rates within the bandwidths, everybody receiving just that."""
    column = {arc: 1 + index for index, arc in enumerate(sorted(arcs))}
    nodes = range(1, machine.size)
    rows: list[Mapping[int, object]] = []
    rights: list[object] = []
    for node, bandwidth in enumerate(machine.bandwidths):
        rows.append({column[arc]: 1 for arc in column if arc[0] == node})
        rights.append(bandwidth)
    for count in nodes:
        for inside in combinations(nodes, count):
            entering = [arc for arc in column if arc[1] in inside and arc[0] not in inside]
            rows.append({0: 1} | {column[arc]: -1 for arc in entering})
            rights.append(0)
    for node in nodes:
        rows.append({0: -1} | {column[arc]: 1 for arc in column if arc[1] == node})
        rights.append(0)
        if machine.incoming:
            rows.append({0: 1})
            rights.append(machine.incoming[node])
    gains = [1] + [0] * len(column)
    best = maximize(linear_program(gains, rows, rights, (), range(len(gains))))
    assert isinstance(best, LinearOptimum)
    values = dict(best.primal)
    return Fraction(best.value), {arc: Fraction(values.get(at, 0)) for arc, at in column.items()}


def optimum(machine: MultiPort) -> Fraction:
    return max(best_on(machine, arcs)[0] for arcs in supports(machine))
