"""Broadcast of a few items by integer programming: how many processors hold which items when.

Processors that hold the same items are alike, so a schedule is a flow of processors from the empty
set to the set of all items, one item in a step at most.  Proofs: proofs/logp-items.md.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from exactsched.certificate.logp import Message
from exactsched.exact.patience import PATIENT, Patience
from exactsched.linear_programs.integer_programs import solve_patiently

if TYPE_CHECKING:
    from pyscipopt import Variable

# A program with more variables is not tried, and branch and bound is cut off at this number of
# nodes: all machines of L <= 7, P <= 16, k <= 4 need at most 12, and 9 s for the slowest.
_MAX_COLUMNS = 5000
_MAX_NODES = 50
_MAX_MESSAGES = 10_000  # so that the numbers of processors are small enough for floats


def holdings_schedule(
    L: int, others: int, k: int, time: int, patience: Patience = PATIENT
) -> tuple[Message, ...] | None:
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
    return _HoldingsProgram(L, others, k, time).messages(patience)


class _HoldingsProgram:
    """Variables, in steps: a set of items is an integer, of which bit i says that it has item i.

    `source[s]` are those of what the source sends in step s, by item; `moves[t]` those of what is
    received at t, and `sends[t]` of what processors send then, by the set that they hold before,
    and the item.
    """

    def __init__(self, L: int, others: int, k: int, time: int) -> None:
        from pyscipopt import Model, quicksum

        self._latency, self._others, self._items, self._time = L, others, k, time
        self._model, self._sum = Model(), quicksum
        self._model.hideOutput()
        self._model.setParam("limits/nodes", _MAX_NODES)
        self._model.setParam("limits/solutions", 1)
        self.source: list[dict[int, Variable]] = []
        self.moves: dict[int, dict[tuple[int, int], Variable]] = {}
        self.sends: dict[int, dict[tuple[int, int], Variable]] = {}
        self._send_from_the_source()
        holding: list[Any] = [others, *[0] * ((1 << k) - 1)]  # how many hold each set
        for step in range(L, time + 1):
            holding = self._receive(step, holding)
            self._relay(step, holding)
        self._model.addCons(holding[-1] == others)

    def _numbers(self, of_held: bool) -> dict[tuple[int, int], Variable]:
        """A number of processors for each set and each item of it, or each other item."""
        return {
            (held, item): self._model.addVar(vtype="I", ub=self._others)
            for held in range(1 << self._items)
            for item in range(self._items)
            if bool(held >> item & 1) == of_held
        }

    def _send_from_the_source(self) -> None:
        """One item in a step; items are alike, and leave for the first time in their order."""
        for step in range(self._time - self._latency + 1):
            sent = {item: self._model.addVar(vtype="B") for item in range(self._items)}
            self.source.append(sent)
            self._model.addCons(self._sum(list(sent.values())) <= 1)
            for item in range(1, self._items):
                before = [earlier[item - 1] for earlier in self.source[:step]]
                self._model.addCons(sent[item] <= self._sum(before))

    def _receive(self, step: int, holding: list[Any]) -> list[Any]:
        """How many hold each set afterwards: everybody receives one message at most."""
        self.moves[step] = moves = self._numbers(of_held=False)
        gains: list[list[Any]] = [[] for _ in holding]
        losses: list[list[Any]] = [[] for _ in holding]
        for (held, item), count in moves.items():
            gains[held | 1 << item].append(count)
            losses[held].append(count)
        after = []
        for before, gain, loss in zip(holding, gains, losses, strict=True):
            self._model.addCons(self._sum(loss) <= before)
            after.append(self._model.addVar(vtype="I", ub=self._others))
            self._model.addCons(after[-1] == before + self._sum(gain) - self._sum(loss))
        start = step - self._latency
        for item, sent in self.source[start].items():
            relayed = _of(item, self.sends.get(start, {}))
            received = self._sum(_of(item, moves))
            self._model.addCons(received <= sent + self._sum(relayed))
        return after

    def _relay(self, step: int, holding: list[Any]) -> None:
        """Everybody sends one item that he holds at most, if it can still arrive."""
        self.sends[step] = sends = (
            self._numbers(of_held=True) if step + self._latency <= self._time else {}
        )
        for held, there in enumerate(holding if sends else ()):
            sent = [count for (of_set, _), count in sends.items() if of_set == held]
            self._model.addCons(self._sum(sent) <= there)

    def messages(self, patience: Patience) -> tuple[Message, ...] | None:
        """Processors by name: of those that hold a set the first ones receive, and send."""
        solve_patiently(self._model, patience)
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


def _of(item: int, counts: dict[tuple[int, int], Variable]) -> list[Variable]:
    return [count for (_, what), count in counts.items() if what == item]
