"""`mpiexec -n N exactsched run FILE`: a plan on real ranks, compared with MPI's own collective."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.export.mpi import Exchange, buffer_lengths, gets, libraries
from exactsched.export.plan import Plan, cut, plan

# The most bytes of a segment, unless the number of segments is given.
SEGMENT = 1 << 20

# Type of the values: bytes are moved, integers are added up.
_MOVED, _ADDED = "uint8", "int64"


@dataclass(frozen=True, slots=True)
class RunReport:
    """What happened when a plan ran: every byte was that of MPI's own collective.

    - `ranks`, `transfers`, `segments`: of the plan
    - `bytes`: of a part of size 1
    - `seconds`, `mpi_seconds`: the shortest of `repeat` runs, of the slowest rank, and the same of
      MPI's own collective
    """

    operation: str
    ranks: int
    transfers: int
    segments: int
    bytes: int
    repeat: int
    seconds: float
    mpi_seconds: float

    def __str__(self) -> str:
        ratio = self.seconds / self.mpi_seconds
        return (
            f"{self.operation}: {self.ranks} ranks, {self.bytes} bytes, every byte as MPI's own;"
            f" {self.seconds:.3g} s, MPI's own {self.mpi_seconds:.3g} s ({ratio:.2f} times)"
        )


def run_plan(
    file: str, unit: int = 1 << 20, repeat: int = 1, segments: int | None = None
) -> RunReport | None:
    """Runs one operation of a certificate on all ranks of MPI; the report is given to rank 0.

    `unit`: the bytes of a part of size 1.  Without `segments` none has more than SEGMENT bytes.
    Rank 0 reads and checks the file; what is wrong is raised on all ranks alike, as `InvalidInput`
    or `Rejected`, also when a byte is not that of MPI's own collective.
    """
    mpi, numpy = libraries()
    comm = mpi.COMM_WORLD
    made, cuts = _agreed(comm, lambda: _planned(file, comm.Get_size(), unit, segments))
    dtype = _ADDED if made.combines else _MOVED
    lengths = made.lengths(unit // numpy.dtype(dtype).itemsize)
    given, wanted = buffer_lengths(made, comm.Get_rank(), lengths)
    send = _values(numpy, comm.Get_rank(), given, dtype)
    recv, expected = numpy.zeros(wanted, dtype), numpy.zeros(wanted, dtype)
    own = _own_collective(made, numpy, comm, send, expected, lengths)
    exchange = Exchange(made, comm, send, recv, lengths)
    seconds = _timed(mpi, comm, exchange.again, repeat)
    mpi_seconds = _timed(mpi, comm, own, repeat)
    exchange.free()
    for rank, count in enumerate(comm.allgather(int(numpy.count_nonzero(recv != expected)))):
        if count:
            rule = "not those of MPI's own collective"
            raise Rejected(f"rank {rank}", f"{count} elements", rule)
    if comm.Get_rank():
        return None
    transfers = len(made.transfers)
    return RunReport(
        made.operation, comm.Get_size(), transfers, cuts, unit, repeat, seconds, mpi_seconds
    )


def _planned(file: str, ranks: int, unit: int, segments: int | None) -> tuple[Plan, int]:
    made = plan(file)
    if len(made.ranks) != ranks:
        rule = f"the plan is of {len(made.ranks)}; type mpiexec -n {len(made.ranks)} exactsched run"
        raise InvalidInput("ranks", ranks, rule)
    if segments is None:
        lengths = [
            int((chunk.end - chunk.start) * made.parts[chunk.part].size * unit)
            for chunk in made.chunks
        ]
        segments = max(1, -(-max(lengths) // SEGMENT))
    return cut(made, segments), segments


def _agreed(comm: Any, work: Any) -> Any:
    """What rank 0 finds, on all ranks; what it refuses is refused by all, so that none waits."""
    found: Any = None
    if comm.Get_rank() == 0:
        try:
            found = work()
        except (InvalidInput, Rejected) as error:
            found = error
        except OSError as error:
            found = InvalidInput(str(error.filename), error.strerror, "cannot be read")
    found = comm.bcast(found)
    if isinstance(found, Exception):
        raise found
    return found


def _values(numpy: Any, rank: int, count: int, dtype: str) -> Any:
    """Values that are different on every rank, and that do not repeat in step with chunks."""
    drawn = numpy.random.default_rng(rank)
    return drawn.integers(0, 256 if dtype == _MOVED else 1 << 40, count, dtype=dtype)


def _timed(mpi: Any, comm: Any, work: Any, repeat: int) -> float:
    """The shortest of the times; each is that of the slowest rank."""
    best = float("inf")
    for _ in range(repeat):
        comm.Barrier()
        begun = time.perf_counter()
        work()
        best = min(best, comm.allreduce(time.perf_counter() - begun, mpi.MAX))
    return best


def _own_collective(
    plan: Plan, numpy: Any, comm: Any, send: Any, recv: Any, lengths: list[int]
) -> Any:
    """MPI's own collective as a function: what it leaves in `recv` has to be what the plan does."""
    rank, ranks = comm.Get_rank(), range(len(plan.ranks))
    if plan.operation == "broadcast":
        (root,) = plan.parts[0].sources

        def broadcast() -> None:
            if rank == root:
                numpy.copyto(recv, send)
            comm.Bcast(recv, root)

        return broadcast
    if plan.operation == "allreduce":
        return lambda: comm.Allreduce(send, recv)
    if plan.operation == "reduce":
        (root,) = plan.parts[0].targets
        return lambda: comm.Reduce(send, recv if rank == root else None, root=root)
    offered, wanted = _places(plan, rank, lengths)
    if plan.operation == "reduce_scatter":
        owners = [part.targets[0] for part in plan.parts]
        counts = [sum(n for at, n in zip(owners, lengths, strict=True) if at == r) for r in ranks]
        in_order = sorted(offered, key=lambda place: owners[place[0]])
        ordered = numpy.concatenate([send[start : start + n] for _, start, n in in_order])
        return lambda: comm.Reduce_scatter(ordered, recv, counts)
    into: dict[int, tuple[int, int]] = {
        plan.parts[part].sources[0]: (n, start) for part, start, n in wanted
    }
    received = [recv, _columns(into, ranks)]
    if plan.operation == "allgather":
        return lambda: comm.Allgatherv(send, received)
    out = {plan.parts[part].targets[0]: (n, start) for part, start, n in offered}
    sent = [send, _columns(out, ranks)]
    return lambda: comm.Alltoallv(sent, received)


# A part, where it starts in a buffer, and its elements.
_Place = tuple[int, int, int]


def _places(plan: Plan, rank: int, lengths: list[int]) -> tuple[list[_Place], list[_Place]]:
    """Where the parts are in what the rank sends, and in what it receives."""
    offered: list[_Place] = []
    wanted: list[_Place] = []
    for index, (part, length) in enumerate(zip(plan.parts, lengths, strict=True)):
        for listed, has in ((offered, rank in part.sources), (wanted, gets(plan, index, rank))):
            if has:
                listed.append((index, listed[-1][1] + listed[-1][2] if listed else 0, length))
    return offered, wanted


def _columns(of: dict[int, tuple[int, int]], ranks: range) -> tuple[list[int], list[int]]:
    """Elements and first element for every rank, as MPI has them."""
    counts = [of.get(rank, (0, 0))[0] for rank in ranks]
    return counts, [of.get(rank, (0, 0))[1] for rank in ranks]
