"""Every rank makes the plan of a certificate and runs it twice, with other values each time."""

import sys

from exactsched.export import mpi
from exactsched.export.plan import plan


def main(file, segments):
    library, numpy = mpi.libraries()
    comm = library.COMM_WORLD
    made = plan(file, segments=int(segments))
    lengths = made.lengths(1001)
    rank = comm.Get_rank()
    given, wanted = mpi.buffer_lengths(made, rank, lengths)
    send, recv = numpy.zeros(given, "int64"), numpy.zeros(wanted, "int64")
    parts = list(enumerate(zip(made.parts, lengths, strict=True)))
    exchange = None
    for turn in (1, 2):
        # Element number i of a part is, at each of its sources, i + 1000 times the rank + the turn.
        own = [numpy.arange(n) for _, (part, n) in parts if rank in part.sources]
        if own:
            send[:] = numpy.concatenate(own) + 1000 * rank + turn
        if exchange is None:
            exchange = mpi.start(made, comm, send, recv, lengths)
            exchange.wait()
        else:
            exchange.again()
        expected = [
            len(part.sources) * (numpy.arange(n) + turn) + 1000 * sum(part.sources)
            for index, (part, n) in parts
            if mpi.gets(made, index, rank)
        ]
        whole = numpy.concatenate([*expected, numpy.zeros(0, "int64")])
        assert (recv == whole).all(), (rank, turn)
    exchange.free()
    if comm.gather(rank) == list(range(comm.Get_size())):
        print("delivered", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
