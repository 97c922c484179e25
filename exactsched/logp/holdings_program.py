"""Broadcast of a few items by integer programming: how many processors hold which items when.

Processors that hold the same items are alike, so a schedule is a flow of processors from the empty
set to the set of all items, one item in a step at most.  Proofs: proofs/logp-items.md.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from exactsched.certificate.logp import Message

if TYPE_CHECKING:
    from pyscipopt import Variable

# A program with more variables is not tried, and branch and bound is cut off at this number of
# nodes: all machines of L <= 7, P <= 16, k <= 4 need at most 12, and 9 s for the slowest.
_MAX_COLUMNS = 5000
_MAX_NODES = 50
_MAX_MESSAGES = 10_000  # so that the numbers of processors are small enough for floats


def holdings_schedule(L: int, others: int, k: int, time: int) -> tuple[Message, ...] | None:
    """Messages that bring k items of processor 0 to `others` processors by `time`, if any is found.

    A schedule exists if and only if the integer program has a solution; its size depends on the
    number of processors only through `time`.  None if the program is too large or is cut off, so
    None proves nothing.  The processors 1..others receive every item once.

    L, others, k, time are positive integers, in the postal model.  SCIP proposes; certificates
    are checked.  Complexity: about 2^k (k + 1) (time - L) variables.

    >>> for message in holdings_schedule(2, 2, 1, 3):
    ...     print(*message)
    0 1 0 0
    0 2 0 1
    """
    steps = time - L + 1
    few = k < _MAX_COLUMNS.bit_length() and ((k + 1) << k) * steps <= _MAX_COLUMNS
    if steps < 1 or not few or k * others > _MAX_MESSAGES:
        return None
    return _HoldingsProgram(L, others, k, time).messages()


class _HoldingsProgram:
    """Variables, in steps: a set of items is an integer, of which bit i says that it has item i.

    `source[s]` are those of what the source sends in step s, `sends[s]` those of what processors
    with a set send, `moves[t]` those of what they receive at t; the keys are (set, item), the set
    being the one before the reception, and the items of the source.
    """

    def __init__(self, L: int, others: int, k: int, time: int) -> None:
        from pyscipopt import Model, quicksum

        self._latency, self._others, self._items = L, others, k
        self._model = model = Model()
        model.hideOutput()
        model.setParam("limits/nodes", _MAX_NODES)
        model.setParam("limits/solutions", 1)
        everything = (1 << k) - 1
        pairs = [(held, item) for held in range(everything + 1) for item in range(k)]
        self.source: list[dict[int, Variable]] = []
        self.sends: dict[int, dict[tuple[int, int], Variable]] = {}
        self.moves: dict[int, dict[tuple[int, int], Variable]] = {}
        for _ in range(time - L + 1):
            self.source.append({item: model.addVar(vtype="B") for item in range(k)})
            model.addCons(quicksum(self.source[-1].values()) <= 1)
        holding: list[Any] = [0] * (everything + 1)
        holding[0] = others
        for step in range(L, time + 1):
            self.moves[step] = moves = {
                (held, item): model.addVar(vtype="I", ub=others)
                for held, item in pairs
                if not held >> item & 1
            }
            for held in range(everything):
                leaving = [moves[held, item] for item in range(k) if not held >> item & 1]
                model.addCons(quicksum(leaving) <= holding[held])
            after = [model.addVar(vtype="I", ub=others) for _ in holding]
            for held, count in enumerate(after):
                change = [
                    moves[held ^ 1 << item, item] if held >> item & 1 else -moves[held, item]
                    for item in range(k)
                ]
                model.addCons(count == holding[held] + quicksum(change))
            holding = after
            self.sends[step] = sends = {
                (held, item): model.addVar(vtype="I", ub=others)
                for held, item in pairs
                if held >> item & 1 and step + L <= time
            }
            for held in range(1, everything + 1) if sends else ():
                sent = [sends[held, item] for item in range(k) if held >> item & 1]
                model.addCons(quicksum(sent) <= holding[held])
            for item in range(k):
                received = [count for (_, what), count in moves.items() if what == item]
                relayed = self.sends.get(step - L, {}).items()
                sent = [count for (_, what), count in relayed if what == item]
                model.addCons(quicksum(received) <= quicksum(sent) + self.source[step - L][item])
        model.addCons(holding[everything] == others)
        # Items are alike: they leave the source for the first time in their order.
        for item in range(1, k):
            for step, sent in enumerate(self.source):
                before = [earlier[item - 1] for earlier in self.source[:step]]
                model.addCons(sent[item] <= quicksum(before))

    def messages(self) -> tuple[Message, ...] | None:
        """Processors by name: of those that hold a set the first ones receive, and send."""
        self._model.optimize()
        if not self._model.getNSols():
            return None
        members: dict[int, list[int]] = defaultdict(list)
        members[0] = list(range(1, self._others + 1))
        found: list[Message] = []
        senders: dict[tuple[int, int], list[int]] = defaultdict(list)  # by step and item
        for step, sent in enumerate(self.source):
            for item, count in sent.items():
                senders[step, item] += [0] * self._count(count)
        for step, moves in self.moves.items():
            start = step - self._latency
            arrived: list[tuple[int, list[int]]] = []
            for (held, item), count in moves.items():
                number = self._count(count)
                receivers, members[held] = members[held][:number], members[held][number:]
                arrived.append((held | 1 << item, receivers))
                here, senders[start, item] = (
                    senders[start, item][:number],
                    senders[start, item][number:],
                )
                if min(len(receivers), len(here)) < number:
                    return None  # a number that SCIP has rounded
                found += [Message(*pair, item, start) for pair in zip(here, receivers, strict=True)]
            for held, receivers in arrived:
                members[held] += receivers
            free = {held: list(names) for held, names in members.items()}
            for (held, item), count in self.sends[step].items():
                number = self._count(count)
                senders[step, item] += free.get(held, [])[:number]
                free[held] = free.get(held, [])[number:]
        return tuple(found) if len(found) == self._items * self._others else None

    def _count(self, variable: Variable) -> int:
        return round(self._model.getVal(variable))
