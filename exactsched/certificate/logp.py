"""Schedules on a LogP machine, and what they are claimed to do, as plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass

from exactsched.exact.rational import Rational
from exactsched.model.machine import LogP

# (sender, receiver, item, start): the sender's overhead starts at this number of ticks.
Message = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class LogPSchedule:
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

    Times are in units of `tick`.  `additions` holds (processor, start, number): this many additions
    of own operands, one time unit each, back to back.  `time` is when all is done, `bound` what no
    schedule beats: a lower bound on the time, or, for ``summation`` (where the time is given), an
    upper bound on `count`; `optimal` says whether no schedule takes less time: whether `time` is
    `bound`, or, for ``summation``, whether the upper bound for any less time is below `count`.
    """

    machine: LogP
    collective: str
    count: int
    tick: Rational
    messages: tuple[Message, ...]
    additions: tuple[tuple[int, int, int], ...]
    time: Rational
    bound: Rational
    optimal: bool


# (start, spacing, later) of an exchange of halves.
Halving = tuple[int, int, int]
# (start, shift, item)
Round = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class LogPRounds:
    """A schedule of rounds, in which every processor does the same at the same time.

    `collective` is ``allgather``, ``alltoall`` or ``allreduce``, and `count`, `tick`, `time`,
    `bound` and `optimal` are as in `LogPSchedule`.  In a round (start, shift, item) every processor
    p of 0..P-1 starts at this number of ticks to send to p + shift modulo P.  The item is one of
    the sender's own, 0..count-1 (all-to-all), one of those that it has for the receiver,
    0..count-1 (alltoall), or 0 or 1 as in `LogPSchedule` (allreduce).

    `halvings` come before the rounds, and not in combining.  Each cuts every group of
    processors, at first the one group of all, into two, of which the first has n // 2 of the n, and
    lets them exchange all their items.  Let b = n - n // 2 be the size of the second half.  In its
    step r, 0 <= r < b * count, processor i of the first half sends item r // b to the processor
    i + r modulo b of the second half at start + r * spacing, and that one sends item r // b to
    i `later` ticks after that.  The rounds take place in every group that is left: there p + shift
    is taken modulo its size, and groups that have no more processors than the shift are idle.
    """

    machine: LogP
    collective: str
    count: int
    tick: Rational
    halvings: tuple[Halving, ...]
    rounds: tuple[Round, ...]
    time: Rational
    bound: Rational
    optimal: bool


# (delay, children) of a node of the broadcast tree.
Role = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LogPCycles:
    """A schedule of the postal model (o = 0, g = 1) in which processors take roles in turn.

    The source, processor P-1, sends one item per time step; `cycles` provide for the others, which
    are numbered through, cycle after cycle.  A cycle (shift, roles) with l roles, a multiple of the
    shift, belongs to l / shift processors; in step tau the j-th of them has the role number
    (tau - j * shift) mod l.  Who has the role (delay, children) receives what the source sent
    L + delay steps ago, and sends it in this step and the following ones, `children` times in all,
    to those whose roles have the delays delay + L, delay + L + 1, ... for this item.

    `items` is 0 for the endless series, where the source sends item i in step i, and everybody has
    it `time` steps later (section 3.1).  Otherwise this many items are sent: those below
    items - k in this way, where k is the number of different items in `endgame`, and then those of
    `endgame`, one per step (section 3, theorem 3.2); everybody has all of them at `time`,
    and nothing that would arrive later is sent.

    `bound` is what no schedule beats: for the endless series L + B(P-1), for `items` the corrected
    theorem 3.1, or, if the endgame sends every item once, for single-sending schedules
    L + B(P-1) + items - 1.  `optimal` says whether `time` equals `bound`.
    """

    machine: LogP
    cycles: tuple[tuple[int, tuple[Role, ...]], ...]
    items: int
    endgame: tuple[int, ...]
    time: int
    bound: int
    optimal: bool


# (delay, children, wait) of a node of the broadcast tree.
BufferedRole = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class LogPBuffered:
    """A broadcast of `items` items in role cycles, in which messages may wait at their receivers.

    The model is that of section 3.5: postal (o = 0, g = 1), any number of messages arrive at a
    processor in a step, and it receives one of those that have arrived.  The source, processor
    P-1, sends item v in step v.  Cycles are as in `LogPCycles`: in step tau the j-th processor of a
    cycle (shift, roles) with l roles has the role number (tau - j * shift) mod l.  Who has the role
    (delay, children, wait) receives the item that the source sent L + delay + wait steps ago, and
    that arrived `wait` steps ago, and sends it in this step and the following ones, `children`
    times in all, to those whose roles have the delays delay + wait + L, delay + wait + L + 1, ...
    for this item.

    `time` is when the last item is received for the last time.  `buffer` is how many messages wait
    at most at a processor from a step to the next, if the series is long enough: what is received
    in the step itself is not counted.  `bound` is L + B(P-1) + items - 1, which no schedule beats
    in which the source sends every item once; `optimal` says whether `time` equals `bound`.
    """

    machine: LogP
    cycles: tuple[tuple[int, tuple[BufferedRole, ...]], ...]
    items: int
    time: int
    bound: int
    buffer: int
    optimal: bool


LogPCertificate = LogPSchedule | LogPCycles | LogPRounds | LogPBuffered
