"""Cheap schemes for several goals: heuristics, because the cheapest one is NP-hard to find.

A scheme makes every goal of a reduction and may use a partial result several times, so it is a
Steiner arborescence among the states (v[k,m] at a node), with merges for arcs of two tails.  Goals
are bought one after the other, each in the cheapest way when all that is there already is free
(Knuth 1977), and then parts of the scheme are torn out and bought anew as long as that saves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import count

from exactsched.certificate.nouns import Task
from exactsched.problem import Reduction
from exactsched.reduction_program import possible_tasks
from exactsched.tasks import State, given, makes, needs

# How every state that is made is made: state -> task, both as indices.
Makers = dict[int, int]


class SchemeSearch:
    """The states and tasks of a reduction as indices, and the search for cheap schemes.

    Costs are given by task, in the order of `tasks`, which holds all that are possible inside the
    goals; infinite costs forbid tasks.
    """

    def __init__(self, problem: Reduction) -> None:
        self.problem = problem
        within = [interval for interval, _ in problem.goals]
        self.tasks: list[Task] = list(
            dict.fromkeys(task for interval in within for task in possible_tasks(problem, interval))
        )
        self._index: dict[State, int] = {}
        self._there = {self._state(state) for state in given(problem)}
        self.goals = [self._state(goal) for goal in problem.goals]
        self._makes = [self._state(makes(problem, task)) for task in self.tasks]
        self._needs = [
            tuple(self._state(state) for state in needs(problem, task)) for task in self.tasks
        ]
        self._users: list[list[int]] = [[] for _ in self._index]
        for task, inputs in enumerate(self._needs):
            for state in inputs:
                self._users[state].append(task)
        self._items = [item for item, _ in self._index]
        self.makeable = sorted(set(self._makes) - self._there - set(self.goals))

    def _state(self, state: State) -> int:
        return self._index.setdefault(state, len(self._index))

    def scheme(self, costs: Sequence[float], order: Iterable[int]) -> Makers | None:
        """Buys the states in this order, then all goals; None if a goal cannot be made."""
        makers: Makers = {}
        for state in (*order, *self.goals):
            if not self._buy(costs, makers, state, makers.keys()):
                return None
        return self._needed(makers, -1)

    def cost(self, costs: Sequence[float], makers: Makers) -> float:
        return sum(costs[task] for task in makers.values())

    def improved(self, costs: Sequence[float], makers: Makers) -> Makers:
        """Tears out and buys anew the makings of single states, as long as that saves."""
        least = self.cost(costs, makers)
        waiting = list(makers)
        while waiting:
            state = waiting.pop()
            if state not in makers:
                continue
            trial = self._needed(makers, state)
            above = self._above(trial, state)
            free = {other for other in trial if other not in above}
            if not self._buy(costs, trial, state, free):
                continue
            trial = self._needed(trial, -1)
            value = self.cost(costs, trial)
            if value < least * (1 - 1e-9):
                makers, least = trial, value
                waiting = list(makers)
        return makers

    def ordered(self, makers: Makers) -> tuple[Task, ...]:
        """The tasks of a scheme, each after its inputs."""
        listed: list[Task] = []
        done = set(self._there)
        waiting = list(reversed(self.goals))
        while waiting:
            state = waiting[-1]
            if state in done:
                waiting.pop()
                continue
            task = makers[state]
            missing = [other for other in self._needs[task] if other not in done]
            if missing:
                waiting.extend(missing)
            else:
                done.add(state)
                listed.append(self.tasks[task])
        return tuple(listed)

    def _buy(self, costs: Sequence[float], makers: Makers, goal: int, free: Iterable[int]) -> bool:
        """Adds the cheapest makings of a state (Knuth 1977); False if it cannot be made.

        Given and free states cost nothing.  What is made on the way replaces other makings.
        """
        if goal in self._there:
            return True
        first, last = self._items[goal]
        items, users, inputs_of, makes_ = self._items, self._users, self._needs, self._makes
        known: dict[int, float] = {}
        best: dict[int, float] = {}
        chosen: Makers = {}
        serial = count()
        heap: list[tuple[float, int, int]] = []
        for state in (*self._there, *free):
            if first <= items[state][0] and items[state][1] <= last:
                best[state] = 0.0
                heap.append((0.0, next(serial), state))
        while heap:
            value, _, state = heappop(heap)
            if state in known:
                continue
            known[state] = value
            if state == goal:
                break
            for task in users[state]:
                made = makes_[task]
                if made in known or not (first <= items[made][0] and items[made][1] <= last):
                    continue
                total = costs[task]
                for other in inputs_of[task]:
                    if other not in known:
                        break
                    total += known[other]
                else:
                    if total < best.get(made, float("inf")):
                        best[made] = total
                        chosen[made] = task
                        heappush(heap, (total, next(serial), made))
        if goal not in known:
            return False
        waiting = [goal]
        while waiting:
            state = waiting.pop()
            if state in chosen:
                makers[state] = chosen[state]
                waiting.extend(inputs_of[chosen[state]])
        return True

    def _needed(self, makers: Makers, without: int) -> Makers:
        """The makings that the goals need, where the state `without` is not to be made."""
        needed: Makers = {}
        waiting = list(self.goals)
        while waiting:
            state = waiting.pop()
            if state in needed or state == without or state in self._there:
                continue
            needed[state] = makers[state]
            waiting.extend(self._needs[makers[state]])
        return needed

    def _above(self, makers: Makers, state: int) -> set[int]:
        """The states that are made of a state, directly or not."""
        users: dict[int, list[int]] = {}
        for made, task in makers.items():
            for other in self._needs[task]:
                users.setdefault(other, []).append(made)
        above: set[int] = set()
        waiting = [state]
        while waiting:
            for made in users.get(waiting.pop(), ()):
                if made not in above:
                    above.add(made)
                    waiting.append(made)
        return above
