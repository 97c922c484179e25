"""What `Exchange` refuses, said by the only rank of a communicator of its own."""

from exactsched import broadcast
from exactsched.exact.errors import InvalidInput
from exactsched.export import mpi
from exactsched.export.plan import plan
from exactsched.platforms.built_in import built_in


def main():
    library, numpy = mpi.libraries()
    comm = library.COMM_WORLD
    made = plan(broadcast(built_in("complete:2"), 0).certificate())
    rank = comm.Get_rank()
    send = numpy.zeros(8 if rank == 0 else 0)
    recv, lengths = numpy.zeros(8), [8]
    twice = numpy.zeros(16)
    for arguments in [
        (library.COMM_SELF, send, recv, lengths),
        (comm, send, recv, [8, 8]),
        (comm, send, recv, [-8]),
        (comm, send, numpy.zeros(7), lengths),
        (comm, send, twice[::2], lengths),
        (comm, send, list(recv), lengths),
        (comm, send, numpy.zeros(8, "int32"), lengths),
        (comm, recv[: len(send)], recv, lengths),
    ]:
        try:
            mpi.Exchange(made, *arguments)
        except InvalidInput as error:
            if rank == 0:
                print(error, flush=True)
    exchange = mpi.start(made, comm, send, recv, lengths)
    try:
        exchange.start()
    except InvalidInput as error:
        if rank == 0:
            print(error, flush=True)
    exchange.wait()


if __name__ == "__main__":
    main()
