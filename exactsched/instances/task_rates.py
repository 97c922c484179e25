"""Rates of the tasks of a reduction: planted trees, waste, and partial results that go round."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from exactsched.exact.rational import Rational
from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.instances.reduce import possible_reduction
from exactsched.instances.series import any_scheme
from exactsched.model.platform import Node, Platform, both_ways
from exactsched.model.problem import Reduction
from exactsched.model.tasks import State, Task, given
from exactsched.oracles.series import least_costs, load, possible_tasks

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True)
class TaskRates:
    """How often each of the `tasks` is done, per time unit or in a period."""

    problem: Reduction
    tasks: tuple[tuple[int, ...], ...]
    rates: tuple[Rational, ...]

    def by_task(self) -> dict[Task, Rational]:
        """The rates by their tasks."""
        return dict(zip(self.tasks, self.rates, strict=True))


def _planted(choices: Choices, bound: int, wasteful: bool, whole: bool) -> TaskRates:
    """Some trees, partial results that nobody uses, and some that go round."""
    problem = possible_reduction(choices, bound)
    tasks, goal = possible_tasks(problem), problem.goals[0]
    wants: list[State] = [goal] * choices.below(5)
    if wasteful:
        states = sorted(set(least_costs(problem, {})) - given(problem) - {goal}, key=str)
        wants += [choices.one_of(states) for _ in range(choices.below(4)) if states]
    rates: dict[Task, Rational] = {}
    for state in wants:
        weight = _weight(choices, whole)
        _add(rates, any_scheme(problem, [state], choices, tasks) or (), weight)
    for _ in range(choices.below(4)):
        weight, item = _weight(choices, whole), choices.one_of(problem.intervals)
        around: list[Task] = [(arc, *item) for arc in _cycle(problem.platform, choices)]
        _add(rates, around, weight)
    return TaskRates(problem, tuple(rates), tuple(rates.values()))


def _add(total: dict[_Key, Rational], keys: Iterable[_Key], amount: Rational) -> None:
    for key in keys:
        total[key] = total.get(key, 0) + amount


def _weight(choices: Choices, whole: bool) -> Rational:
    if choices.flip(20):
        return 10**30 + choices.below(3)
    return choices.between(1, 9) if whole else choices.fraction(9, (1, 2, 5, 7, 11))


def _cycle(platform: Platform, choices: Choices) -> list[int]:
    """The arcs of a directed cycle that a random walk runs into, or none."""
    node = choices.one_of(platform.nodes)
    route: list[int] = []
    passed: list[Node] = []
    while node not in passed:
        leaving = [place for place, arc in enumerate(platform.arcs) if arc.tail == node]
        if not leaving:
            return []
        passed.append(node)
        route.append(choices.one_of(leaving))
        node = platform.arcs[route[-1]].head
    return route[passed.index(node) :]


def _solution(choices: Choices, bound: int) -> TaskRates:
    """Conserved rates that keep no resource busy for more than all the time."""
    made = _planted(choices, bound, wasteful=False, whole=False)
    busy = load(made.problem, [([task], rate) for task, rate in made.by_task().items()])
    most = max(busy.values(), default=Fraction(1))
    return replace(made, rates=tuple(rate / most for rate in made.rates))


# v[0,1] is made at a, and wanted at b.
_MADE_AT_A = Reduction(
    Platform("ab", both_ways([("a", "b", 1)])),
    ("a", "a"),
    (((0, 1), "b"),),
    Fraction(1),
    (("a", 1), ("b", 1)),
)
# The same at the end of an arc; v[0,1] may go on to c.
_MADE_AT_B = Reduction(
    Platform("abc", [("a", "b", 1), ("b", "c", 1)]),
    ("a", "b"),
    (((0, 1), "b"),),
    Fraction(1),
    (("b", 1),),
)


def around(weight: Rational, *cycles: tuple[tuple[int, int], Rational]) -> TaskRates:
    """v[0,1] is made at a and sent to b; the items of cycles go round a -> b -> a."""
    rates: dict[Task, Rational] = {(2, 0, 0, 1): weight, (0, 0, 1): weight}
    for item, rate in cycles:
        both: list[Task] = [(0, *item), (1, *item)]
        _add(rates, both, rate)
    return TaskRates(_MADE_AT_A, tuple(rates), tuple(rates.values()))


CONSERVED_WHOLE_RATES = Instances(
    TaskRates,
    lambda choices, bound: _planted(choices, bound, wasteful=False, whole=True),
    Bounds(4, 6, 8),
    lambda: (
        TaskRates(_MADE_AT_A, (), ()),
        around(0, ((0, 1), 2)),
        around(3, ((0, 1), 1), ((0, 0), 2)),
        around(10**30, ((1, 1), 1)),
    ),
)
SUPPLIED_RATES = Instances(
    TaskRates,
    lambda choices, bound: _planted(choices, bound, wasteful=True, whole=False),
    Bounds(4, 6, 8),
    lambda: (
        around(Fraction(1), ((0, 1), Fraction(1, 3))),
        # Of what arrives a part leaves the target for good.
        TaskRates(_MADE_AT_B, ((0, 0, 0), (3, 0, 0, 1), (1, 0, 1)), (5, 5, 2)),
        TaskRates(_MADE_AT_A, ((2, 0, 0, 1), (0, 0, 0), (0, 1, 1)), (1, 2, 1)),
    ),
)
SOLUTIONS_OF_SSR = Instances(
    TaskRates, _solution, Bounds(4, 6, 8), lambda: (around(Fraction(1, 2)),)
)
