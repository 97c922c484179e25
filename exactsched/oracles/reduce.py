"""Series of reductions by definition: SSR(G), reduction trees, and schemes for several goals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product
from math import prod

from exactsched.exact.rational import Rational
from exactsched.model.platform import Node
from exactsched.model.problem import Interval, Reduction
from exactsched.model.resources import place_resources
from exactsched.model.tasks import State, Task, duration, given, makes, needs
from exactsched.oracles.linear_programs import THROUGHPUT
from exactsched.oracles.series import SeriesProgram, paths, possible_tasks


def reduction_program(problem: Reduction, gross: bool = False) -> SeriesProgram:
    """SSR(G): all states but given ones and the goal are conserved; TP is what the goal gains.

    It gains net of what leaves it, or, as printed, all that enters or is made (`gross`).  With
    several goals each has rates of its own, and tasks are done as often as the largest says.

    Nobody can compute here, but v[0,1] may leave t and come back:

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ta", [("t", "a", 1), ("a", "t", 1)])
    >>> asked = Reduction(pair, ("t", "a"), (((0, 1), "t"),), Fraction(1), ())
    >>> reduction_program(asked).value(), reduction_program(asked, gross=True).value()
    (Fraction(0, 1), Fraction(1, 1))
    """
    program = SeriesProgram(problem)
    there, tasks = given(problem), possible_tasks(problem)
    done = {task: program.rate(task[0], duration(problem, task)) for task in tasks}
    for goal in problem.goals:
        balance: dict[State, dict[int, Rational]] = {goal: {THROUGHPUT: -1}}
        for task, rate in done.items():
            if len(problem.goals) > 1:
                most, rate = rate, program.variable()
                program.at_most({rate: 1, most: -1}, 0)
            balance.setdefault(makes(problem, task), {})[rate] = 1
            for state in needs(problem, task):
                if state != goal or not gross:
                    balance.setdefault(state, {})[rate] = -1
        for state, row in balance.items():
            if state not in there:
                program.equation(row)
    return program


def flow_of_results(problem: Reduction) -> Fraction:
    """The optimum of the corrected SSR(G); for several goals it is a bound (FLOW).

    >>> from exactsched.model.platform import Platform
    >>> line = Platform("abc", [("a", "b", 2), ("b", "c", 3)])
    >>> flow_of_results(Reduction(line, ("a",), (((0, 0), "c"),), Fraction(1), ()))
    Fraction(1, 3)
    """
    return reduction_program(problem).value()


def trees(problem: Reduction, interval: Interval, node: Node) -> Iterator[tuple[Task, ...]]:
    """All ways to have v[k,m] at the node: made or given somewhere, then sent along a path.

    These are the reduction trees of RR-4872, definition 1; tasks follow those that they need.
    a sends v[0,0] to b, or else v[1,1] goes to a, and the result to b:

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> asked = Reduction(
    ...     pair, ("a", "b"), (((0, 1), "b"),), Fraction(1), (("a", 1), ("b", 1))
    ... )
    >>> list(trees(asked, (0, 1), "b"))
    [((1, 1, 1), (2, 0, 0, 1), (0, 0, 1)), ((0, 0, 0), (3, 0, 0, 1))]
    """
    (k, m), arcs = interval, len(problem.platform.arcs)
    for place, start in enumerate(problem.platform.nodes):
        for path in paths(problem.platform, start, node):
            sent = tuple((arc, k, m) for arc in path)
            if k == m and problem.owners[k] == start:
                yield sent
            for cut in range(k, m):
                if problem.time(start, (k, cut, m)) is not None:
                    for left in trees(problem, (k, cut), start):
                        for right in trees(problem, (cut + 1, m), start):
                            yield (*left, *right, (arcs + place, k, cut, m), *sent)


def trees_at_most(problem: Reduction, most: int) -> list[tuple[Task, ...]] | None:
    """All reduction trees for the single goal; None if there are more than `most`."""
    (goal,) = problem.goals
    listed = list(islice(trees(problem, *goal), most + 1))
    return listed if len(listed) <= most else None


def schemes(problem: Reduction, most: int) -> list[frozenset[Task]] | None:
    """The unions of a tree for every goal, without those that contain others; None if many.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1)])
    >>> goals = ((0, 1), "b"), ((0, 0), "b")
    >>> asked = Reduction(pair, ("a", "b"), goals, Fraction(1), (("b", 1),))
    >>> [sorted(tasks) for tasks in schemes(asked, 9)]
    [[(0, 0, 0), (2, 0, 0, 1)]]
    """
    ways = [list(islice(trees(problem, *goal), most + 1)) for goal in problem.goals]
    if prod(len(listed) for listed in ways) > most:
        return None
    unions = {frozenset[Task]().union(*chosen) for chosen in product(*ways)}
    kept: list[frozenset[Task]] = []
    for union in sorted(unions, key=lambda tasks: (len(tasks), sorted(tasks))):
        if not any(less <= union for less in kept):
            kept.append(union)
    return kept


def no_tree(problem: Reduction, tasks: Sequence[Task]) -> str:
    """Why tasks are no reduction tree; empty if they are one.

    That is definition 1, and lemma 0: N tasks T[k,l,m], 2 N + 1 intervals, each on a simple path.

    >>> from exactsched.model.platform import Platform
    >>> line = Platform("abc", [("a", "b", 2), ("b", "c", 3)])
    >>> asked = Reduction(line, ("a",), (((0, 0), "c"),), Fraction(1), ())
    >>> no_tree(asked, [(0, 0, 0), (1, 0, 0)]), no_tree(asked, [(1, 0, 0)])
    ('', 'a task of a tree has not what it needs')
    """
    there, goal = given(problem), problem.goals[0]
    made: set[State] = set()
    used: Counter[State] = Counter()
    for task in tasks:
        for state in needs(problem, task):
            if state not in there and state not in made:
                return "a task of a tree has not what it needs"
            used[state] += 1
        if makes(problem, task) in there | made:
            return "a task of a tree makes what is there"
        made.add(makes(problem, task))
    if goal not in made or any(used[state] != (state != goal) for state in made):
        return "a result of a tree is not used once"
    merges = sum(len(task) == 4 for task in tasks)
    (k, m), _ = goal
    intervals = {interval for interval, _ in made | set(used)}
    if merges != m - k or len(intervals) != 2 * merges + 1:
        return "a tree has N tasks and 2 N + 1 intervals"
    return ""


def balances(problem: Reduction, rates: Mapping[Task, Rational]) -> dict[State, Rational]:
    """What each state gains minus what it loses if tasks are done at these rates.

    >>> from exactsched.model.platform import Platform
    >>> line = Platform("ab", [("a", "b", 2)])
    >>> balances(Reduction(line, ("a",), (((0, 0), "b"),), Fraction(1), ()), {(0, 0, 0): 5})
    {((0, 0), 'b'): 5, ((0, 0), 'a'): -5}
    """
    found: dict[State, Rational] = {}
    for task, rate in rates.items():
        made = makes(problem, task)
        found[made] = found.get(made, 0) + rate
        for state in needs(problem, task):
            found[state] = found.get(state, 0) - rate
    return found


def goes_round(problem: Reduction, rates: Mapping[Task, Rational]) -> bool:
    """Whether some v[k,m] may be sent along a directed cycle.

    Transfers after which there is no other of the same result are struck out, again and again.
    """
    left = {task for task, rate in rates.items() if rate and len(task) == 3}
    while True:
        sent = {needs(problem, task)[0] for task in left}
        last = {task for task in left if makes(problem, task) not in sent}
        if not last:
            return bool(left)
        left -= last


def least_cost_in_any_order(problem: Reduction, prices: Mapping[str, Rational]) -> Rational | None:
    """The least cost of a reduction that may join any sets of values; None if there is none.

    Partial results are sets of values, all of the size of v[0,0], and a node joins two disjoint
    ones in the time of its T[0,0,1].  Sets by their number of values, and each spread over the arcs
    (Dreyfus and Wagner): 3^N n steps and more, for few values N >= 2.

    >>> from exactsched.model.platform import Platform
    >>> line = Platform("abt", [("a", "b", 2), ("b", "t", 3)])
    >>> asked = Reduction(line, "ab", (((0, 1), "t"),), Fraction(1), (("b", 5),))
    >>> least_cost_in_any_order(asked, {"send:a": 1, "recv:t": 10, "compute:b": 100})
    Fraction(532, 1)
    """
    platform, size = problem.platform, problem.sizes[0, 0]
    lengths = {
        (arc.tail, arc.head): size * arc.cost * sum(prices.get(name, 0) for name in used)
        for arc, used in zip(platform.arcs, place_resources(problem), strict=False)
    }
    joins = {
        node: time * prices.get(f"compute:{node}", 0)
        for node in platform.nodes
        if (time := problem.time(node, (0, 0, 1))) is not None
    }
    everything = 2 ** len(problem.owners) - 1
    least: dict[tuple[int, Node], Rational] = {
        (1 << index, owner): 0 for index, owner in enumerate(problem.owners)
    }
    for some in sorted(range(1, everything + 1), key=int.bit_count):
        for node, time in joins.items():
            part = (some - 1) & some
            while part:
                one, other = least.get((part, node)), least.get((some ^ part, node))
                if one is not None and other is not None:
                    cost = one + other + time
                    least[some, node] = min(cost, least.get((some, node), cost))
                part = (part - 1) & some
        for _ in platform.nodes:
            for (tail, head), length in lengths.items():
                if (there := least.get((some, tail))) is not None:
                    least[some, head] = min(there + length, least.get((some, head), there + length))
    return least.get((everything, problem.goals[0][1]))
