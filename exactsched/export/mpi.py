"""A plan on the ranks of MPI: persistent requests, started as soon as what they wait for is done.

Needs mpi4py, numpy and an MPI: `pip install 'exactsched[mpi]'`, and the MPI of the machine or
`pip install mpich`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.export.plan import Plan


def libraries() -> tuple[Any, Any]:
    """MPI of mpi4py, which this initializes, and numpy; `InvalidInput` says what to install."""
    found = []
    for name in ("mpi4py.MPI", "numpy"):
        try:
            found.append(import_module(name))
        except (ImportError, RuntimeError) as error:
            rule = "type pip install 'exactsched[mpi]', and pip install mpich if there is no MPI"
            raise InvalidInput(name.split(".")[0], str(error), rule) from None
    return found[0], found[1]


class _Step(NamedTuple):
    """What this rank does for a transfer: send or receive `values`, then add them to `target`."""

    request: Any
    values: Any
    target: Any | None
    waits: int
    then: list[int]


class Exchange:
    """A plan that a rank carries out, again and again with the same buffers.

    All ranks of the communicator make it, and call its methods, together.

    - `send`: what the rank gives, the parts of which it is a source one after the other
    - `recv`: what it gets, the parts of which it is a target one after the other, and those that
      it has already: in an allgather its own shard, in a broadcast the message

    `lengths` has the elements of every part of the plan.  Raises `InvalidInput` if the ranks are
    not those of the plan, or if buffers are not one-dimensional contiguous arrays of the right
    length and of one type, different from each other.
    """

    def __init__(self, plan: Plan, comm: Any, send: Any, recv: Any, lengths: Sequence[int]) -> None:
        self._mpi, self._numpy = libraries()
        if comm.Get_size() != len(plan.ranks):
            raise InvalidInput("ranks", comm.Get_size(), f"the plan is of {len(plan.ranks)} ranks")
        if len(lengths) != len(plan.parts) or any(
            type(length) is not int or length < 0 for length in lengths
        ):
            rule = f"the whole number of elements of each of {len(plan.parts)} parts"
            raise InvalidInput("lengths", list(lengths[:8]), rule)
        self._rank = comm.Get_rank()
        given, wanted = buffer_lengths(plan, self._rank, lengths)
        for name, buffer, length in (("send", send, given), ("recv", recv, wanted)):
            if getattr(buffer, "shape", None) != (length,) or not buffer.flags.c_contiguous:
                rule = f"rank {self._rank} needs a contiguous array of {length} elements"
                raise InvalidInput(name, getattr(buffer, "shape", type(buffer).__name__), rule)
        if send.dtype != recv.dtype:
            raise InvalidInput("recv", str(recv.dtype), f"the type of send: {send.dtype}")
        if self._numpy.shares_memory(send, recv):
            raise InvalidInput("recv", "shared memory", "send and recv are different arrays")
        self._copies: list[tuple[Any, Any]] = []
        work = self._work(plan, send, recv, lengths)
        self._steps = self._prepared(plan, comm, work, plan.ranges(lengths))
        self._requests = [step.request for step in self._steps]
        self._under_way = False

    def _work(self, plan: Plan, send: Any, recv: Any, lengths: Sequence[int]) -> dict[int, Any]:
        """Where the rank keeps the values of each part that it has to do with."""
        handled = {
            plan.chunks[transfer.chunk].part
            for transfer in plan.transfers
            if self._rank in (transfer.sender, transfer.receiver)
        }
        work: dict[int, Any] = {}
        sent = received = 0
        for index, (part, length) in enumerate(zip(plan.parts, lengths, strict=True)):
            given = kept = None
            if self._rank in part.sources:
                given = send[sent : sent + length]
                sent += length
            if gets(plan, index, self._rank):
                kept = recv[received : received + length]
                received += length
            if given is not None and (kept is not None or plan.combines):
                if kept is None:
                    kept = self._numpy.empty(length, send.dtype)
                self._copies.append((kept, given))
            if kept is None and given is None and index in handled:  # only passed on
                kept = self._numpy.empty(length, send.dtype)
            found = kept if kept is not None else given
            if found is not None:
                work[index] = found
        return work

    def _prepared(
        self, plan: Plan, comm: Any, work: dict[int, Any], ranges: Sequence[tuple[int, int]]
    ) -> list[_Step]:
        """The transfers of this rank; between two ranks each has a tag of its own."""
        tags: Counter[tuple[int, int]] = Counter()
        place: dict[int, int] = {}
        steps: list[_Step] = []
        for index, transfer in enumerate(plan.transfers):
            low, high = ranges[transfer.chunk]
            pair = transfer.sender, transfer.receiver
            tag = tags[pair]
            tags[pair] += 1
            if self._rank not in pair:
                continue
            kept = work[plan.chunks[transfer.chunk].part][low:high]
            values, target = kept, None
            if self._rank == transfer.sender:
                request = comm.Send_init(kept, transfer.receiver, tag)
            else:
                if transfer.adds:
                    values, target = self._numpy.empty_like(kept), kept
                request = comm.Recv_init(values, transfer.sender, tag)
            before = [place[other] for other in transfer.after if other in place]
            place[index] = len(steps)
            for other in before:
                steps[other].then.append(len(steps))
            steps.append(_Step(request, values, target, len(before), []))
        return steps

    def again(self) -> None:
        """Carries the plan out once more, with what is in `send` now: `start`, then `wait`."""
        self.start()
        self.wait()

    def start(self) -> None:
        """Starts all that waits for nothing."""
        if self._under_way:
            raise InvalidInput("start", "under way", "the exchange before is ended by wait()")
        self._under_way = True
        for kept, given in self._copies:
            self._numpy.copyto(kept, given)
        self._waiting = [step.waits for step in self._steps]
        free = [step.request for step in self._steps if not step.waits]
        if free:
            self._mpi.Prequest.Startall(free)

    def wait(self) -> None:
        """Goes on until everything that the rank has to send and to receive is done."""
        left = len(self._steps)
        while left:
            done = self._mpi.Request.Waitsome(self._requests)
            for index in done:
                left -= 1
                step = self._steps[index]
                if step.target is not None:
                    self._numpy.add(step.target, step.values, out=step.target)
                for later in step.then:
                    self._waiting[later] -= 1
                    if not self._waiting[later]:
                        self._requests[later].Start()
        self._under_way = False

    def free(self) -> None:
        """Gives the requests back to MPI; the exchange cannot be started any more."""
        for request in self._requests:
            request.Free()
        self._requests, self._steps = [], []


def start(plan: Plan, comm: Any, send: Any, recv: Any, lengths: Sequence[int]) -> Exchange:
    """Starts the plan on the ranks of `comm`; `wait()` of what it returns ends it.

    The arguments are those of `Exchange`.
    """
    exchange = Exchange(plan, comm, send, recv, lengths)
    exchange.start()
    return exchange


def gets(plan: Plan, part: int, rank: int) -> bool:
    """Whether the part belongs to what the rank has in the end, as MPI's collectives see it."""
    found = plan.parts[part]
    if rank in found.targets:
        return True
    return plan.operation in ("broadcast", "allgather") and rank in found.sources


def buffer_lengths(plan: Plan, rank: int, lengths: Sequence[int]) -> tuple[int, int]:
    """How many elements the rank gives and gets."""
    given = sum(n for part, n in zip(plan.parts, lengths, strict=True) if rank in part.sources)
    wanted = sum(n for part, n in enumerate(lengths) if gets(plan, part, rank))
    return given, wanted
