"""For the latency 2: numbers of processors that no continuous broadcast of the least delay serves.

The rates at which processors take each role in each state are a feasible point of a linear program.
If the program is infeasible, no schedule exists, periodic or not.  The same multipliers bound the
number of consecutive items that can have optimal trees.
Proofs: proofs/logp-two-steps.md.
"""

from __future__ import annotations

from exactsched.certificate.minmax import LinearInfeasibility, LinearProgram
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.logp.counts import fibonacci
from exactsched.logp.latency_two.automaton import (
    Role,
    State,
    children,
    following,
    least_depth,
    recurrent_arcs,
    roles_of_trees,
)

# 89 processors and 12 fewer: half a minute for 77, and much more beyond.
_MAX_DROPPED = 12


def rate_program(processors: int) -> LinearProgram:
    """The rates x >= 0 of the arcs of `recurrent_arcs`, in a schedule of the least delay 2 + t.

    All rows are equations: for every state, in order, what leaves it equals what enters it; for
    every index v = 0, ..., t, as many nodes as children of that index, and one more for v = t, the
    root; all processors have a role.  The objective is 0.

    `processors` >= 1 are those beside the source.  Raises `InvalidInput` for others, and where
    f_t - processors > 12.

    >>> program = rate_program(3)
    >>> len(program.objective), len(program.rows), program.right_sides
    (7, 11, (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3))
    """
    depth = _checked_depth(processors)
    arcs = recurrent_arcs(depth, roles_of_trees(processors))
    states = {state: row for row, state in enumerate(sorted({tail for tail, *_ in arcs}))}
    rows: list[dict[int, int]] = [{} for _ in range(len(states) + depth + 1)]

    def add(row: int, column: int, value: int) -> None:
        rows[row][column] = rows[row].get(column, 0) + value

    for column, (tail, role, head) in enumerate(arcs):
        add(states[tail], column, 1)
        add(states[head], column, -1)
        add(len(states) + role[0], column, 1)
        for child in children(role):
            add(len(states) + child, column, -1)
    rows.append(dict.fromkeys(range(len(arcs)), 1))
    right_sides = [0] * (len(rows) - 2) + [1, processors]
    everything = range(len(arcs))
    return linear_program([0] * len(arcs), rows, right_sides, range(len(rows)), everything)


def exclusion(processors: int) -> LinearInfeasibility | None:
    """The proof that no continuous broadcast among `processors` has the least delay, or None.

    None says that the linear program has a solution, not that there is a schedule; for all
    numbers up to 89 there is one, though (`two_letters`).  Otherwise Farkas' multipliers for
    `rate_program` are returned, which `check` accepts.

    Raises `InvalidInput` as `rate_program`.  Time: that of an exact linear program, hundredths of a
    second up to 34 processors, half a minute for 77.
    Reference: Karp, Sahay, Santos and Schauser 1993, theorem 3.4 (for f_t processors, t >= 7);
    proofs/logp-two-steps.md.

    >>> from exactsched.check import check
    >>> proof = exclusion(21)
    >>> len(proof.program.rows), check(proof).kind
    (23, 'linear-infeasibility')
    >>> exclusion(20) is None
    True
    """
    outcome = maximize(rate_program(processors))
    return outcome if isinstance(outcome, LinearInfeasibility) else None


def longest_series_by_counting(processors: int) -> int | None:
    """How many consecutive items may have optimal trees at most, or None: theorem 3.4 by counting.

    It is m (3 t^2 - 3 t - 1) / (f_(t-2) - t + 1 - (2t - 2) D), where t is the least with f_t >= m
    and D = f_t - m, if the divisor is positive; otherwise counting proves nothing.

    `processors` m >= 1 are those beside the source.  Raises `InvalidInput` for others.

    >>> [m for m in range(1, 150) if longest_series_by_counting(m) is not None]
    [21, 34, 55, 88, 89, 142, 143, 144]
    >>> longest_series_by_counting(21)
    1312
    """
    if type(processors) is not int or processors < 1:
        raise InvalidInput("processors", processors, "a positive integer")
    depth = least_depth(processors)
    if depth < 2:
        return None
    dropped = fibonacci(2, depth) - processors
    excess = fibonacci(2, depth - 2) - depth + 1 - (2 * depth - 2) * dropped
    return processors * (3 * depth * (depth - 1) - 1) // excess if excess > 0 else None


def longest_series(proof: LinearInfeasibility, processors: int) -> int:
    """How many consecutive items may have optimal trees at most, by the multipliers of `exclusion`.

    It is the integer part of m ((t + 1) R + 2 t G) / d.  Multipliers price a role; the roles of one
    item cost -d in all, none less than -G, and those that one processor takes in a row, one in each
    step, never less than -R.

    Raises `InvalidInput` if the proof is not that of `exclusion(processors)`.  Time: about that of
    finding it.

    >>> longest_series(exclusion(21), 21) < 10_000
    True
    """
    depth = _checked_depth(processors)
    if proof.program != rate_program(processors):
        raise InvalidInput("proof", processors, "the program is that of this number of processors")
    multipliers = dict(proof.multipliers)
    count = len(proof.program.rows) - 1
    first = count - depth - 1
    price = [multipliers.get(first + index, 0) for index in range(depth + 1)]
    share = multipliers.get(count, 0)
    costs: dict[Role, Rational] = {
        role: price[role[0]] - sum(price[child] for child in children(role)) + share
        for role in roles_of_trees(processors)
    }
    gain = -(price[depth] + processors * share)
    worst = -min(0, *costs.values())
    loss = (depth + 1) * _most_gained(depth, costs) + 2 * depth * worst
    return int(processors * loss // gain)


def _most_gained(depth: int, costs: dict[Role, Rational]) -> Rational:
    """The largest sum of -costs on a walk through any states; no cycle has a negative cost.

    States need not be those of a schedule: more of them make the bound weaker, not wrong.
    """
    sending = [0]
    for bits in sending:  # which grows
        for after in {(bits | offsets) >> 1 for _, offsets in costs if not bits & offsets}:
            if after not in sending:
                sending.append(after)
    gained: dict[State, Rational] = {}
    changed: list[State] = [(received, bits) for received in range(1 << depth) for bits in sending]
    while changed:
        later: dict[State, None] = {}  # in order, and once
        for state in changed:
            for role, cost in costs.items():
                head = following(state, role)
                if head is not None:
                    value = gained.get(state, 0) - cost
                    if value > gained.get(head, 0):
                        gained[head] = value
                        later[head] = None
        changed = list(later)
    return max(gained.values(), default=0)


def _checked_depth(processors: object) -> int:
    if type(processors) is not int or processors < 1:
        raise InvalidInput("processors", processors, "a positive integer")
    depth = least_depth(processors)
    if fibonacci(2, depth) - processors > _MAX_DROPPED:
        rule = f"at most {_MAX_DROPPED} fewer than {fibonacci(2, depth)}, a Fibonacci number"
        raise InvalidInput("processors", processors, rule)
    return depth
