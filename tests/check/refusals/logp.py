"""One bad certificate of a LogP schedule for each way of being refused, with its rule.

They stand in the folders `logp` of `tests/corpus/rejected` and `tests/corpus/malformed`, and were
made from accepted ones by a single change, or by as few as show a single fault.
"""

from __future__ import annotations

from collections.abc import Callable

from exactsched.certificate.logp import LogPSchedule
from exactsched.exact.errors import Malformed, Rejected
from exactsched.model.machine import LogP

LOGP_REJECTED = {
    "allgather-bound-overstated": "what is proved is 20",
    "allgather-never-received": "processor 0 never receives this item",
    "allgather-said-to-be-optimal": "the bound allows no less time",
    "broadcast-bound-overstated": "what is proved is 4",
    "broadcast-bound-understated": "what is proved is 24",
    "broadcast-never-received": "processor 7 never receives this item",
    "broadcast-not-said-to-be-optimal": "the bound allows no less time",
    "broadcast-time-understated": "the last message is received at 24",
    "broadcast-too-few-messages": "at least 7 are received",
    "buffered-bound-understated": "what is proved is 24",
    "buffered-delay-that-nobody-sends": "the delays of the roles are 0 and those",
    "buffered-header-during-sends": "sends are done when",
    "buffered-not-said-to-be-optimal": "the bound allows no less time",
    "buffered-time-overstated": "the last reception is at 24",
    "buffered-two-sends-at-once": "sends are done when",
    "buffered-with-an-item-twice": "number - delay - wait is different",
    "buffered-without-buffer": "at most 1 messages wait",
    "combined-twice": "has combined some of these values already",
    "combined-without-a-value": "in the end everybody has combined all values",
    "allreduce-time-overstated": "the last message is received at 4",
    "allreduce-too-few-messages": "at least 5 are received",
    "cycle-of-two-senders-at-once": "sends are done when",
    "cycle-sends-into-the-next-round": "sends are done when",
    "cycle-with-an-item-twice": "number - delay is different",
    "cycles-bound-understated": "what is proved is 10",
    "cycles-delay-that-nobody-sends": "the delays of the roles are 0 and those",
    "cycles-not-in-turn": "the delays of the roles are 0 and those",
    "cycles-not-said-to-be-optimal": "the bound allows no less time",
    "cycles-of-two-roots": "the delays of the roles are 0 and those",
    "cycles-time-overstated": "everybody has an item 10 steps after",
    "cycles-without-a-root": "the delays of the roles are 0 and those",
    "items-bound-of-single-sending": "what is proved is 15",
    "items-missing-at-the-end": "does not receive it in time",
    "items-received-later": "receives it later",
    "items-said-to-be-optimal": "the bound allows no less time",
    "items-sent-too-late": "what the source sends is received in time",
    "overheads-overlap-send-and-reception": "one overhead or addition at a time",
    "alltoall-never-received": "processor 2 never receives this item",
    "receptions-too-close": "two receptions start at least a gap apart",
    "rounds-before-the-halves-are-done": "the exchange of halves before is over at 36",
    "rounds-bound-overstated": "what is proved is 24",
    "rounds-allreduce-not-all": "in the end everybody has combined all values",
    "rounds-allreduce-twice": "some of these values have been combined already",
    "rounds-halves-collide": "a send and a reception start at least an overhead apart",
    "rounds-halves-too-close": "a gap, and an overhead, apart",
    "rounds-halves-too-early": "the exchange before is over at 20",
    "rounds-not-said-to-be-optimal": "the bound allows no less time",
    "rounds-overlap": "a processor does one overhead at a time",
    "rounds-shift-missing": "no round has this shift and item",
    "rounds-time-overstated": "the last message is received at 6",
    "rounds-too-close": "two sends start at least a gap apart",
    "rounds-too-few": "at least 8 are needed in groups of 5",
    "sends-too-close": "two sends start at least a gap apart",
    "sent-before-received": "does not have this item at 6",
    "sent-without-the-item": "does not have this item at 2",
    "summation-added-after-the-sum": "its sum is complete at 3",
    "summation-addition-during-a-reception": "one overhead or addition at a time",
    "summation-addition-during-the-addition-of-a-message": "one overhead or addition at a time",
    "summation-after-the-time": "its sum is complete at 12",
    "summation-bound-as-printed": "what is proved is 79",
    "summation-bound-of-intervals": "what is proved is 25",
    "summation-count-overstated": "79 operands are added",
    "summation-half-an-addition-late": "the bound allows no less time",
    "summation-message-after-the-sum": "its sum is complete at 3",
    "summation-message-kept": "sends his sum, or is processor 0",
    "summation-of-few-said-to-be-optimal": "the bound allows no less time",
    "summation-result-leaves": "processor 0 sends nothing",
    "summation-sum-kept": "sends his sum, or is processor 0",
    "summation-sum-sent-twice": "every other one its sum once",
}
LOGP_MALFORMED = {
    "addition-before-the-start": "not negative",
    "addition-nowhere": "an index of the 8 processors",
    "addition-of-nothing": "a positive number",
    "additions-in-a-broadcast": "only a summation adds",
    "buffered-of-a-negative-wait": "not negative",
    "buffered-of-nothing": "a positive number",
    "buffered-role-without-wait": "a row is [delay, children, wait]",
    "collective-a-number": "one of broadcast, allgather, alltoall",
    "collective-missing": "the member 'collective' is missing",
    "collective-unknown": "one of broadcast, allgather",
    "count-zero": "a positive number",
    "cycle-forgotten": "every processor but the source",
    "cycle-of-a-negative-delay": "not negative",
    "cycle-of-another-shift": "divides the number of roles",
    "cycle-of-negative-children": "not negative",
    "cycle-of-no-role": "divides the number of roles",
    "cycle-of-no-shift": "divides the number of roles",
    "cycles-of-a-latency-in-parts": "the postal model",
    "cycles-of-endless-latency": "the postal model",
    "cycles-of-the-source-alone": "at least one processor",
    "cycles-with-gaps": "the postal model",
    "cycles-with-overheads": "the postal model",
    "endgame-of-a-negative-item": "an index of the 8 items",
    "endgame-of-an-endless-series": "an index of the 0 items",
    "endgame-of-no-item": "an index of the 8 items",
    "endgame-with-a-hole": "the endgame sends the last items",
    "endgame-without-the-last": "the endgame sends the last items",
    "items-beyond-reason": "at most 1000000000000000000 items",
    "items-negative": "not negative",
    "machine-a-list": "an object with L, o, g, P",
    "machine-beyond-reason": "at most 1000000 processors",
    "machine-of-a-long-negative-latency": "the latency is positive",
    "machine-of-cycles-beyond-reason": "at most 1000000 processors",
    "machine-of-half-a-processor": "an integer is needed",
    "machine-of-less": "the member 'g' is missing",
    "machine-of-more": "unknown member",
    "machine-of-negative-overhead": "the overhead is not negative",
    "machine-with-a-decimal": "not an integer or a string",
    "machine-without-gap": "the gap is positive",
    "machine-without-latency": "the latency is positive",
    "machine-without-processors": "a positive whole number of processors",
    "message-at-a-fraction": "an integer is needed",
    "message-before-the-start": "not negative",
    "message-for-itself": "a processor has no item for itself",
    "message-from-nowhere": "an index of the 8 processors",
    "message-of-no-item": "an index of the 1 items",
    "message-of-no-item-of-its-kind": "an index of the 2 items",
    "message-of-three": "a row is [sender, receiver, item, start]",
    "message-to-itself": "a message joins two processors",
    "message-to-nowhere": "an index of the 8 processors",
    "messages-an-object": "a list is needed",
    "optimal-a-number": "true or false",
    "round-before-the-start": "not negative",
    "round-beyond-the-group": "a shift is at least 1",
    "round-of-no-item": "an index of the 2 items",
    "round-of-no-sum": "an index of the 2 items",
    "round-of-two": "a row is [start, shift, item]",
    "round-to-oneself": "a shift is at least 1",
    "rounds-halved-too-often": "groups of one processor",
    "rounds-halves-at-once": "a positive number",
    "rounds-halves-before-the-start": "not negative",
    "rounds-halves-sooner": "not negative",
    "rounds-machine-beyond-reason": "at most 1000000000000000000 processors",
    "rounds-of-a-broadcast": "one of allgather, alltoall, allreduce",
    "rounds-of-allreduce-in-halves": "halves exchange items",
    "rounds-of-no-item": "a positive number",
    "rounds-of-no-tick": "a positive number",
    "summation-before-the-start": "a summation takes time 0 or more",
    "tick-zero": "a positive number",
    "time-null": "not an integer or a string",
}


def _scattered(size: int = 1500) -> LogPSchedule:
    """Processor 0 collects the values of the even ones, of which no two are neighbors."""
    collected = [(sender, 0, 0, sender) for sender in range(2, size, 2)]
    others = [(sender, 0, 0, size + sender) for sender in range(1, size + 1, 2)]
    late = [(0, 1, 0, 3 * size + start) for start in range(size)]
    messages = (*collected, *others[:-1], *late)
    return LogPSchedule(LogP(1, 0, 1, size), "allreduce", 1, 1, messages, (), 1, 1, True)


def _receptions_at_many_times() -> LogPSchedule:
    """The root receives most; after each reception the rest of the gap is lost, or it is longer."""
    machine = LogP(10**9, "5003/10007", "24001/10007", 1000)
    return LogPSchedule(machine, "summation", 2, 1, (), ((0, 0, 1),), 10**10, 1, True)


# Too long as files.
LOGP_GENERATED: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "LogP values in separate ranges": (_scattered, Rejected, "may hold"),
    "LogP receptions at many times": (
        _receptions_at_many_times,
        Rejected,
        "may hold",
    ),
    "LogP schedule of a machine that is none": (
        lambda: LogPSchedule(None, "broadcast", 1, 1, (), (), 0, 0, True),  # type: ignore[arg-type]
        Malformed,
        "an object with L, o, g, P",
    ),
    "LogP schedule with a float": (
        lambda: LogPSchedule(
            LogP(1, 0, 1, 2),
            "broadcast",
            1,
            1,
            ((0, 1, 0, 0.0),),  # type: ignore[arg-type]
            (),
            1,
            1,
            True,
        ),
        Malformed,
        "not an integer or a string",
    ),
}
