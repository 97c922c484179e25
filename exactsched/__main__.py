"""`python -m exactsched` is the command `exactsched`."""

import sys

from exactsched.cli import main

# The ranks of mpi4py.futures import this module by another name.
if __name__ == "__main__":
    sys.exit(main())
