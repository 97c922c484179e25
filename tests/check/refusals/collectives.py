"""One bad certificate of an alltoall or a reduction for each way of being refused, with its rule.

They stand in the folders `collectives` of `tests/corpus/rejected` and `tests/corpus/malformed`, and
were made from accepted ones by a single change, or by as few as show a single fault.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from exactsched.certificate import to_document
from exactsched.certificate.bounds import PotentialBound
from exactsched.certificate.collectives import Series
from exactsched.exact.errors import Malformed
from exactsched.model.platform import Platform
from exactsched.model.problem import Reduction

COLLECTIVES_REJECTED = {
    "route-through-a-node-twice": "a task makes what is not there already",
    "demand-forgotten": "the structures of every part have as many operations as",
    "demand-of-fewer-messages": "the structures of every part have as many operations as",
    "one-demand-carried-out-less-often": "the structures of every part have as many operations as",
    "distance-for-nothing": "along an arc they grow",
    "distance-of-the-source": "a source has no positive distance",
    "distance-too-far": "along an arc they grow",
    "distances-of-a-second-source-too-far": "along an arc they grow",
    "distances-of-nothing": "or nothing is bounded",
    "goal-missing": "every goal of its part is there in the end",
    "goal-of-a-prefix-missing": "every goal of its part is there in the end",
    "input-after-its-task": "a task has its inputs",
    "input-missing": "a task has its inputs",
    "operations-overstated": "the schedule reaches 1",
    "pieces-too-long": "the pieces of a task last",
    "potential-of-a-single-task": "at most its priced time to the potentials",
    "potential-of-a-small-value": "along an arc they grow",
    "potential-of-a-task": "at most its priced time to the potentials",
    "potential-of-a-value": "what is there at the start",
    "potential-of-the-second-cut": "at most its priced time to the potentials",
    "potential-too-far": "along an arc they grow",
    "potentials-of-nothing": "or nothing is bounded",
    "potentials-of-two-goals-together": "along an arc they grow",
    "potentials-prove-less": "the proof shows 2",
    "potentials-that-offset-each-other": "along an arc they grow",
    "price-of-a-processor-too-low": "at most its priced time to the potentials",
    "processor-twice-at-once": "one thing at a time",
    "processor-without-slots": "as long as the tasks of its structures",
    "receiver-twice-at-once": "one thing at a time",
    "route-broken": "a task has its inputs from the start, or from a task before it",
    "route-from-elsewhere": "a task has its inputs from the start, or from a task before it",
    "route-in-a-circle": "a task makes what is not there already",
    "route-slot-after-the-period": "a slot ends in its period",
    "route-slots-too-short": "as long as the tasks of its structures",
    "route-too-short": "every goal of its part is there in the end",
    "routes-optimal-understated": "optimal means",
    "row-before-the-first-of-two": "only after its inputs",
    "row-before-the-last-piece": "only after its inputs",
    "row-before-the-start": "starts at 0 or later",
    "row-beyond-a-processor": "this node cannot do this task",
    "row-of-another-operation": "only after its inputs",
    "row-of-no-length": "starts at 0 or later",
    "row-too-early": "only after its inputs",
    "row-too-short": "the pieces of a task last",
    "row-without-an-input": "only after its inputs",
    "rows-of-a-processor-overlap": "one thing at a time",
    "run-goal-missing": "every operation makes its goals",
    "run-goal-missing-elsewhere": "every operation makes its goals",
    "run-makespan-overstated": "the run ends at 11/2",
    "run-of-one-operation-less": "the proof shows 3",
    "slots-of-a-processor-too-long": "as long as the tasks of its structures",
    "slots-without-a-task": "as long as the tasks of its structures",
    "task-beyond-a-processor": "this node cannot do this task",
    "task-beyond-a-router": "this node cannot do this task",
    "task-interrupted": "no slot ends inside one",
    "task-twice": "makes what is not there already",
    "transfer-interrupted": "no slot ends inside one",
    "unlike-tasks-interrupted": "no slot ends inside one",
    "value-sent-home": "makes what is not there already",
    "whole-transfers-interrupted": "no slot ends inside one",
}
COLLECTIVES_MALFORMED = {
    "collective-missing": "the member 'collective' is missing",
    "collective-of-another-problem": "the member 'source' is missing",
    "demand-from-true": "a node is a string or an integer",
    "demand-of-size-0": "a positive number",
    "demand-to-itself": "there already",
    "demand-to-nowhere": "not a node of the platform",
    "demand-twice": "this demand is given twice",
    "demands-empty": "at least one message is to be sent",
    "demands-with-a-latency": "no start-up times",
    "demands-with-a-source": "unknown member",
    "distance-decimal": "not an integer or a string",
    "distances-for-potentials": "distances bound alltoalls only",
    "distances-missing": "one for each source is needed: 1",
    "distances-of-four-nodes": "one for each node is needed: 5",
    "goal-backwards": "0 <= k <= m",
    "goal-beyond-the-values": "logical indices are integers 0 <= k <= m <= 2",
    "goal-nowhere": "not a node of the platform",
    "goal-of-two": "a row is [first, last, node]",
    "goal-there-already": "there from the start",
    "goal-twice": "this goal is given twice",
    "goals-empty": "some result is wanted somewhere",
    "operations-endless": "from 1 to 1000000 operations",
    "operations-in-a-series": "unknown member",
    "operations-missing": "the member 'operations' is missing",
    "operations-none": "from 1 to 1000000 operations",
    "owner-unknown": "not a node of the platform",
    "owners-beyond-reason": "at most 400 values",
    "owners-empty": "a reduction has at least one value",
    "ports-unknown": "one of one-port",
    "potentials-of-five-intervals": "one for each interval is needed: 6",
    "potentials-of-no-goal": "one for each goal is needed: 1",
    "potentials-of-two-nodes": "one for each node is needed: 3",
    "price-below-0": "a number that is not negative is needed",
    "price-of-a-processor": "not a resource of this problem",
    "price-of-a-router": "not a resource of this problem",
    "problem-a-list": "an object with",
    "route-of-no-arc": "an index of the 5 places, from 0, is needed",
    "route-of-no-demand": "an index of the 2 parts, from 0, is needed",
    "route-without-messages": "a positive number is needed",
    "routes-empty": "may not be empty",
    "route-nowhere": "this list may not be empty",
    "routes-missing": "this list may not be empty",
    "row-at-a-fraction": "an integer is needed",
    "row-of-no-operation": "an index of the 3 operations",
    "row-of-no-task": "an index of the 4 tasks",
    "row-of-three": "a row is [task, operation, start, end]",
    "rows-empty": "may not be empty",
    "scheme-without-operations": "a positive number is needed",
    "scheme-without-tasks": "may not be empty",
    "schemes-empty": "may not be empty",
    "schemes-for-routes": "this list may not be empty",
    "size-0": "a positive number",
    "size-backwards": "0 <= k <= m",
    "size-missing": "every interval has a size",
    "size-of-an-interval-0": "a positive number",
    "size-of-two": "a row is [first, last, size]",
    "size-twice": "this size is given twice",
    "slot-of-a-processor-without-tasks": "an index of the 5 places",
    "slot-of-no-processor": "an index of the 9 places",
    "slot-of-two": "a row is [place, start, end]",
    "task-backwards": "an arc carries v[k,m]",
    "task-beyond-the-values": "an arc carries v[k,m] with k <= m, a processor does",
    "task-listed-twice": "a task is listed once",
    "task-of-a-processor-on-an-arc": "an arc carries v[k,m]",
    "task-of-an-arc-at-a-processor": "an arc carries v[k,m]",
    "task-of-no-place": "an index of the 9 places",
    "task-of-nothing": "an arc carries v[k,m]",
    "task-of-two": "an arc carries v[k,m] with k <= m, a processor does",
    "time-0": "a positive number",
    "time-nowhere": "not a node of the platform",
    "time-of-a-task-twice": "this time is given twice",
    "time-of-all-tasks-and-of-one": "this time is given twice",
    "time-of-no-task": "0 <= k <= l < m",
    "time-of-one-task-and-of-all": "this time is given twice",
    "time-of-three": "a row is [node, time]",
    "time-twice": "this time is given twice",
    "transfer-of-no-arc": "an index of the 5 places, from 0, is needed",
    "transfer-of-no-demand": "an arc carries the message of one of the 2 demands, from 0",
    "transfer-of-three": "an arc carries the message of one of the 2 demands, from 0",
}


def _many_states() -> object:
    """300 values on 112 nodes: a short text that stands for five million states."""
    problem = Reduction(Platform(range(2), [(0, 1, 1)]), (0,), (((0, 0), 1),), Fraction(1), ())
    bound = PotentialBound({}, (((0, 0),),))
    document = to_document(Series(problem, Fraction(0), Fraction(0), True, None, bound))
    document["problem"]["platform"]["nodes"] = list(range(112))
    document["problem"]["owners"] = [0] * 300
    return document


# Too long as files.
COLLECTIVES_GENERATED: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "many states": (_many_states, Malformed, "at most 5000000 intervals times nodes"),
}
