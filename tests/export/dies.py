"""A rank dies in the middle of an exchange: MPI ends the others."""

import os
import sys

from exactsched.export import mpi
from exactsched.export.plan import plan


def main(file):
    library, numpy = mpi.libraries()
    comm = library.COMM_WORLD
    made = plan(file)
    lengths = made.lengths(1000)
    given, wanted = mpi.buffer_lengths(made, comm.Get_rank(), lengths)
    exchange = mpi.Exchange(made, comm, numpy.zeros(given), numpy.zeros(wanted), lengths)
    if comm.Get_rank() == 1:
        os._exit(3)
    exchange.again()
    print("delivered", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
