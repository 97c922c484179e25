"""Schedules on a LogP machine, and what they are claimed to do, as plain frozen data.

Processors, items and roles are numbered from 0.  Times in units of `tick` are integers; all other
times are in the unit of the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import eq, floordiv, mod
from typing import Literal, NamedTuple

from exactsched.certificate import rules
from exactsched.certificate.limits import MAX_ITEMS, MAX_NODES
from exactsched.certificate.result import Result
from exactsched.certificate.rules import Count, Item, Natural, Positive, Processor
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import to_json
from exactsched.model.machine import LogP

RoundsCollective = Literal["allgather", "alltoall", "allreduce"]
LogPCollective = Literal["broadcast", "allgather", "alltoall", "allreduce", "summation"]


class Message(NamedTuple):
    """A message of a schedule; the sender's overhead begins at `start`, in ticks."""

    sender: Processor
    receiver: Processor
    item: Item
    start: Natural


class Addition(NamedTuple):
    """Additions of own operands, one time unit each, back to back from `start`, in ticks."""

    processor: Processor
    start: Natural
    number: Count


@dataclass(frozen=True, slots=True)
class LogPSchedule(Result):
    """Every message of a finite schedule; `collective` says what it is for, `count` how much.

    - ``broadcast``: `count` items of processor 0 reach everybody; item numbers are 0..count-1.
    - ``allgather``: every processor has `count` items, p the items p*count .. p*count+count-1,
      and all reach everybody, each sent by its owner only or passed on.
    - ``alltoall``: processor p has `count` items for every other q, which reach q; the item
      numbers are (p*P + q)*count .. + count-1.
    - ``allreduce``: everybody learns the sum of all P values; a message carries the sum of what its
      sender has combined so far (item 0), or of that without the sender's own value (item 1), and
      what it brings is added at no cost (section 4.2).
    - ``summation``: `count` operands, `additions` says which processor adds how many of its own
      when; a message (item 0) carries the partial sum, and is added in one time unit after
      its reception; the result is at processor 0 at time `time` (section 5).

    Members:

    - `machine`: at most 1,000,000 processors
    - `collective`: what the schedule is for
    - `count`: how many items, or operands
    - `tick`: the unit of the starts
    - `messages`: between two different processors, with items of the collective
    - `additions`: of a summation; otherwise empty
    - `time`: when all is done; in a summation, which is given its time, not negative
    - `bound`: what no schedule beats: a lower bound on the time; in a summation an upper bound on
      `count`
    - `optimal`: whether no schedule takes less time: `time` is `bound`; in a summation, the upper
      bound for any less time is below `count`
    """

    machine: LogP
    collective: LogPCollective
    count: Count
    tick: Positive
    messages: tuple[Message, ...]
    additions: tuple[Addition, ...]
    time: Fraction
    bound: Fraction
    optimal: bool

    def validate(self) -> None:
        rules.at_most(MAX_NODES, self.machine.P, "machine.P", "processors")
        size = self.machine.P
        items = {
            "broadcast": self.count,
            "allgather": size * self.count,
            "alltoall": size * size * self.count,
            "allreduce": 2,
            "summation": 1,
        }[self.collective]
        senders, receivers, carried = [rules.column(self.messages, k) for k in range(3)]
        rules.indices(senders, size, "messages", "processor", "[0]")
        rules.indices(receivers, size, "messages", "processor", "[1]")
        rules.indices(carried, items, "messages", "item", "[2]")
        if any(map(eq, senders, receivers)):
            position = list(map(eq, senders, receivers)).index(True)
            rule = "a message joins two processors"
            raise Malformed(f"messages[{position}]", senders[position], rule)
        if self.collective == "alltoall":
            for position, item in enumerate(carried):
                source, target = divmod(item // self.count, size)
                if source == target:
                    rule = "a processor has no item for itself"
                    raise Malformed(f"messages[{position}][2]", item, rule)
        adding = rules.column(self.additions, 0)
        rules.indices(adding, size, "additions", "processor", "[0]")
        if self.additions and self.collective != "summation":
            raise Malformed("additions", len(self.additions), "only a summation adds operands")
        if self.collective == "summation" and self.time < 0:
            raise Malformed("time", to_json(self.time), "a summation takes time 0 or more")


class Halving(NamedTuple):
    """An exchange of halves: its start, the spacing of its sends, and how much later its replies.

    All in ticks.
    """

    start: Natural
    spacing: Count
    later: Natural


class Round(NamedTuple):
    """Every processor p starts at this number of ticks to send to p + shift modulo P."""

    start: Natural
    shift: int
    item: Item


@dataclass(frozen=True, slots=True)
class LogPRounds(Result):
    """A schedule of rounds, in which every processor does the same at the same time.

    `collective`, `count`, `tick`, `time`, `bound` and `optimal` are as in `LogPSchedule`.  The item
    of a round is one of the sender's own, 0..count-1 (allgather), one of those that it has for the
    receiver, 0..count-1 (alltoall), or 0 or 1 as in `LogPSchedule` (allreduce).

    Halvings come before the rounds.  Each cuts every group of processors, at first the one group
    of all, into two, of which the first has n // 2 of the n, and lets them exchange all their
    items.  Let b = n - n // 2 be the size of the second half.  In its step r, 0 <= r < b * count,
    processor i of the first half sends item r // b to the processor i + r modulo b of the second
    half at start + r * spacing, and that one sends item r // b to i `later` ticks after that.  The
    rounds take place in every group that is left: there p + shift is taken modulo its size, and
    groups that have no more processors than the shift are idle.

    Members:

    - `machine`: at most 10^18 processors
    - `collective`: what the schedule is for
    - `count`: how many items
    - `tick`: the unit of the starts
    - `halvings`: at most ceil(log2 P); none in an allreduce
    - `rounds`: with shifts from 1, below the size of the largest group
    - `time`: when all is done
    - `bound`: a lower bound on the time of every schedule
    - `optimal`: whether `time` is `bound`
    """

    machine: LogP
    collective: RoundsCollective
    count: Count
    tick: Positive
    halvings: tuple[Halving, ...]
    rounds: tuple[Round, ...]
    time: Fraction
    bound: Fraction
    optimal: bool

    def validate(self) -> None:
        size = self.machine.P
        rules.at_most(MAX_ITEMS, size, "machine.P", "processors")
        if self.halvings and self.collective == "allreduce":
            rule = "halves exchange items, not sums"
            raise Malformed("halvings", len(self.halvings), rule)
        if len(self.halvings) > (size - 1).bit_length():
            rule = f"groups of one processor are left by {(size - 1).bit_length()}"
            raise Malformed("halvings", len(self.halvings), rule)
        largest = -(-size >> len(self.halvings))  # group, rounded up
        shifts = rules.column(self.rounds, 1)
        if shifts and not (min(shifts) >= 1 and max(shifts) < largest):
            position = next(p for p, shift in enumerate(shifts) if not 1 <= shift < largest)
            rule = f"a shift is at least 1 and below {largest}, the size of a group"
            raise Malformed(f"rounds[{position}][1]", to_json(shifts[position]), rule)
        carried = 2 if self.collective == "allreduce" else self.count
        rules.indices(rules.column(self.rounds, 2), carried, "rounds", "item", "[2]")


class Role(NamedTuple):
    """A node of the broadcast tree: its delay behind the root's send, its number of children."""

    delay: Natural
    children: Natural


class Cycle(NamedTuple):
    """Roles that len(roles) / shift processors take in turn; the shift is a divisor, at least 1."""

    shift: int
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class LogPCycles(Result):
    """A schedule of the postal model (o = 0, g = 1) in which processors take roles in turn.

    The source, processor P-1, sends one item per time step; `cycles` provide for the others, which
    are numbered through, cycle after cycle.  A cycle (shift, roles) with l roles, a multiple of the
    shift, belongs to l / shift processors; in step tau the j-th of them has the role number
    (tau - j * shift) mod l.  Who has the role (delay, children) receives what the source sent
    L + delay steps ago, and sends it in this step and the following ones, `children` times in all,
    to those whose roles have the delays delay + L, delay + L + 1, ... for this item.

    Members:

    - `machine`: postal, L an integer up to 10^18, from 2 to 1,000,000 processors
    - `cycles`: for P - 1 processors in total
    - `items`: 0 for the endless series, where the source sends item i in step i (section 3.1);
      otherwise this many are sent, at most 10^18: those below items - k in this way, where k is
      the number of different items in `endgame`, and then those of `endgame`, one per step
      (section 3, theorem 3.2); nothing that would arrive after `time` is sent
    - `endgame`: the last items, each at least once
    - `time`: when everybody has all items; in the endless series, how long after its send
    - `bound`: what no schedule beats: for the endless series L + B(P-1), for `items` the corrected
      theorem 3.1, also if the endgame sends every item once
    - `optimal`: whether `time` is `bound`
    """

    machine: LogP
    cycles: tuple[Cycle, ...]
    items: Natural
    endgame: tuple[Item, ...]
    time: int
    bound: int
    optimal: bool

    def validate(self) -> None:
        _role_cycles(self.machine, self.cycles)
        rules.at_most(MAX_ITEMS, self.items, "items", "items")
        rules.indices(self.endgame, self.items, "endgame", "item")
        # The last item is there, and as many different ones as from the first to the last.
        if self.endgame and self.items - min(self.endgame) != len(set(self.endgame)):
            rule = "the endgame sends the last items, each of them"
            raise Malformed("endgame", to_json(min(self.endgame)), rule)


class BufferedRole(NamedTuple):
    """A role whose message waits for this number of steps at its receiver."""

    delay: Natural
    children: Natural
    wait: Natural


class BufferedCycle(NamedTuple):
    """Roles that len(roles) / shift processors take in turn; the shift is a divisor, at least 1."""

    shift: int
    roles: tuple[BufferedRole, ...]


@dataclass(frozen=True, slots=True)
class LogPBuffered(Result):
    """A broadcast of `items` items in role cycles, in which messages may wait at their receivers.

    The model is that of section 3.5: postal (o = 0, g = 1), any number of messages arrive at a
    processor in a step, and it receives one of those that have arrived.  The source, processor
    P-1, sends item v in step v.  Cycles are as in `LogPCycles`: in step tau the j-th processor of a
    cycle (shift, roles) with l roles has the role number (tau - j * shift) mod l.  Who has the role
    (delay, children, wait) receives the item that the source sent L + delay + wait steps ago, and
    that arrived `wait` steps ago, and sends it in this step and the following ones, `children`
    times in all, to those whose roles have the delays delay + wait + L, delay + wait + L + 1, ...
    for this item.

    Members:

    - `machine`: postal, L an integer up to 10^18, from 2 to 1,000,000 processors
    - `cycles`: for P - 1 processors in total
    - `items`: at most 10^18
    - `time`: when the last item is received for the last time
    - `bound`: L + B(P-1) + items - 1, which no schedule beats in which the source sends every item
      once
    - `buffer`: how many messages wait at most at a processor from a step to the next, if the series
      is long enough; what is received in the step itself is not counted
    - `optimal`: whether `time` is `bound`
    """

    machine: LogP
    cycles: tuple[BufferedCycle, ...]
    items: Count
    time: int
    bound: int
    buffer: int
    optimal: bool

    def validate(self) -> None:
        _role_cycles(self.machine, self.cycles)
        rules.at_most(MAX_ITEMS, self.items, "items", "items")


LogPCertificate = LogPSchedule | LogPCycles | LogPRounds | LogPBuffered


def _role_cycles(machine: LogP, cycles: Sequence[Cycle] | Sequence[BufferedCycle]) -> None:
    """The machine is postal, and every processor but the source is in a cycle."""
    rules.at_most(MAX_NODES, machine.P, "machine.P", "processors")
    if machine.o or machine.g != 1 or machine.L.denominator != 1 or machine.L > MAX_ITEMS:
        rule = f"cycles are of the postal model: o = 0, g = 1, L an integer up to {MAX_ITEMS}"
        numbers = [to_json(number) for number in (machine.L, machine.o, machine.g)]
        raise Malformed("machine", numbers, rule)
    if machine.P == 1:
        raise Malformed("machine.P", 1, "the source sends to at least one processor")
    shifts, lengths = [cycle[0] for cycle in cycles], [len(cycle[1]) for cycle in cycles]
    if cycles and (min(shifts) < 1 or min(lengths) < 1 or any(map(mod, lengths, shifts))):
        for position, (shift, length) in enumerate(zip(shifts, lengths, strict=True)):
            if shift < 1 or length < 1 or length % shift:
                rule = f"the shift, at least 1, divides the number of roles, {length}, at least 1"
                raise Malformed(f"cycles[{position}]", to_json(shift), rule)
    filled = sum(map(floordiv, lengths, shifts))
    if filled != machine.P - 1:
        rule = f"every processor but the source is in a cycle: {machine.P - 1}"
        raise Malformed("cycles", filled, rule)
