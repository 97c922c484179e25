"""A run whose plan leaves one transfer out: the comparison with MPI's own collective tells."""

import sys
from dataclasses import replace

from exactsched.cli import main
from exactsched.export import mpi_run
from exactsched.export.plan import cut


def shorter(*arguments):
    whole = cut(*arguments)
    return replace(whole, transfers=whole.transfers[:-1])


if __name__ == "__main__":
    mpi_run.cut = shorter
    sys.exit(main(["run", sys.argv[1], "--bytes", "100"]))
