"""`python -m exactsched` and the console script: Ctrl-C ends them during imports, too."""

import gc
import sys


def main() -> int:
    """Runs one command and returns its exit code."""
    # A command makes many records and few cycles.  With Python's thresholds an alltoall on a torus
    # of 512 nodes spent half of its time looking for cycles.
    gc.set_threshold(100_000, 50, 100)
    try:
        # Not at the top: importing the command line is most of the time that a short command takes.
        from exactsched.cli import main as command

        return command()
    except KeyboardInterrupt:
        if sys.stderr:
            print("exactsched: interrupted", file=sys.stderr)
        return 130


# The ranks of mpi4py.futures import this module by another name.
if __name__ == "__main__":
    sys.exit(main())
