"""Cheap schemes for several goals: heuristics, because a cheapest one is NP-hard to find.

A scheme makes every goal of a reduction and may use a partial result several times, so it is a
Steiner arborescence among the states (v[k,m] at a node), with merges for arcs of two tails.  Goals
are bought one after the other, each in the cheapest way when all that is there already is free,
and then parts of the scheme are torn out and bought anew as long as that saves.
"""

from __future__ import annotations

from collections.abc import Iterable

from exactsched.model.tasks import Task
from exactsched.steady_state.cheapest_states import CheapestStates, Costs, Makers
from exactsched.steady_state.state_graph import StateGraph


class SchemeSearch:
    """Cheap schemes in a graph of states."""

    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph
        self.makeable = sorted(set(graph.makes) - graph.there - set(graph.goals))

    def scheme(self, costs: Costs, order: Iterable[int]) -> Makers | None:
        """Buys the states in this order, then all goals; None if one cannot be made."""
        makers: Makers = {}
        states = CheapestStates(self.graph, costs)
        for state in (*order, *self.graph.goals):
            if state not in makers:
                states.set_free(makers)
                bought = states.cheapest(state)
                if bought is None:
                    return None
                makers.update(bought)
        return self.needed(makers, self.graph.goals)

    def improved(self, costs: Costs, makers: Makers) -> Makers:
        """Tears out single states and buys them anew, as long as that saves."""
        least = cost_of(costs, makers)
        states = CheapestStates(self.graph, costs, free=makers)
        improving = True
        while improving:
            improving = False
            for state in list(makers):
                if state not in makers:
                    continue
                # The makings that only this state needs are torn out and bought anew.
                rest = self.needed(makers, self.graph.goals, state)
                # What is bought replaces makings of states above, which are not free.
                missing = (makers.keys() - rest.keys()) | self._above(rest, state)
                bought = states.cheapest(state, least - cost_of(costs, rest), missing)
                if bought is None:
                    continue
                trial = self.needed(rest | bought, self.graph.goals)
                if cost_of(costs, trial) < least * (1 - 1e-9):
                    makers, least, improving = trial, cost_of(costs, trial), True
                    states.set_free(makers)
        return makers

    def needed(self, makers: Makers, goals: Iterable[int], without: int = -1) -> Makers:
        """The makings that the goals need, where the state `without` is not to be made."""
        needed: Makers = {}
        waiting = list(goals)
        while waiting:
            state = waiting.pop()
            if state in needed or state == without or state in self.graph.there:
                continue
            needed[state] = makers[state]
            waiting.extend(self.graph.needs[makers[state]])
        return needed

    def ordered(self, makers: Makers) -> tuple[Task, ...]:
        """The tasks of a scheme, each after its inputs."""
        listed: list[Task] = []
        done = set(self.graph.there)
        waiting = list(reversed(self.graph.goals))
        while waiting:
            state = waiting[-1]
            missing = [
                other
                for other in (() if state in done else self.graph.needs[makers[state]])
                if other not in done
            ]
            waiting.extend(missing)
            if not missing:
                waiting.pop()
                if state not in done:
                    done.add(state)
                    listed.append(self.graph.tasks[makers[state]])
        return tuple(listed)

    def _above(self, makers: Makers, state: int) -> set[int]:
        """The states that are made of a state, directly or not."""
        users: dict[int, list[int]] = {}
        for made, task in makers.items():
            for other in self.graph.needs[task]:
                users.setdefault(other, []).append(made)
        above: set[int] = set()
        waiting = [state]
        while waiting:
            for made in users.get(waiting.pop(), ()):
                if made not in above:
                    above.add(made)
                    waiting.append(made)
        return above


def cost_of(costs: Costs, makers: Makers) -> float:
    """What the tasks of a scheme cost."""
    return sum(costs[task] for task in makers.values())
