"""Where blocks are run: processes of this machine, Dask, MPI, or any `Executor`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from exactsched.campaign.blocks import run_block
from exactsched.campaign.isolation import call_isolated, close_children, run_isolated
from exactsched.campaign.library import LIBRARY, Block
from exactsched.campaign.outcomes import Tally
from exactsched.exact.errors import InvalidInput

T = TypeVar("T")

NAMES = "process, serial, dask, dask://HOST:PORT, mpi"

# Under way or waiting, for each worker: enough that none is idle, few enough that little is lost.
_PER_WORKER = 3
_CONNECT = 10


@dataclass(frozen=True, slots=True)
class Crew:
    """An executor and how many blocks to hand to it at a time.

    `lost` are the exceptions that say that a worker died, not that a block failed.
    """

    executor: Executor
    in_flight: int
    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)
    isolated: bool = True

    def submit(self, block: Block, library: str, limit: float) -> Future[Tally]:
        if self.isolated:
            return self.executor.submit(run_isolated, block, library, limit)
        return self.executor.submit(run_block, block, library)

    def call(self, limit: float, function: Callable[..., T], *arguments: Any) -> Future[T]:
        """Calls a function of the package; if isolated, `Lost` is raised after `limit` seconds."""
        if self.isolated:
            return self.executor.submit(call_isolated, LIBRARY, limit, function, *arguments)
        return self.executor.submit(function, *arguments)


@contextmanager
def workers(named: str | Executor, jobs: int | None = None) -> Iterator[Crew]:
    """The crew of that name; its workers end with the context, unless it was handed in.

    - ``process``: `jobs` processes of this machine (default: as many as it has processors);
    - ``serial``: this process, one block after the other; nothing is isolated, for debugging;
    - ``dask://host:port``: the workers of a Dask cluster; ``dask``: a local one of `jobs` workers;
    - ``mpi``: the ranks of ``mpiexec -n N python -m mpi4py.futures -m exactsched ...``; if one of
      them dies, so do all, and the same command continues with what is in the journal;
    - any `concurrent.futures.Executor` with `jobs` workers, which stays open.

    Raises `InvalidInput` for other names, for what is not installed, and for a cluster that does
    not answer.

    >>> with workers("serial") as crew:
    ...     crew.in_flight
    1
    """
    jobs = jobs or os.cpu_count() or 1
    if isinstance(named, Executor):
        # The workers may be threads of this process: then their children are ours.
        try:
            yield Crew(named, _PER_WORKER * jobs, _lost_of(named))
        finally:
            close_children()
    elif named == "process":
        with _threads(jobs) as executor:
            yield Crew(executor, _PER_WORKER * jobs)
    elif named == "serial":
        yield Crew(_Here(), 1, isolated=False)
    elif named == "dask" or named.startswith("dask://"):
        with _dask(named.removeprefix("dask").removeprefix("://"), jobs) as crew:
            yield crew
    elif named == "mpi":
        with _mpi() as crew:
            yield crew
    else:
        raise InvalidInput("executor", named, f"one of {NAMES}")


@contextmanager
def _threads(jobs: int) -> Iterator[Executor]:
    """Threads that only wait, each for its child process."""
    executor = ThreadPoolExecutor(jobs)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        close_children()
        executor.shutdown()


class _Here(Executor):
    """Runs what is submitted at once, in this thread."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(function(*arguments, **named))
        except Exception as error:
            done.set_exception(error)
        return done


def _lost_of(executor: Executor) -> tuple[type[BaseException], ...]:
    if type(executor).__module__.startswith("distributed."):
        return _dask_losses()
    return (BrokenExecutor,)


def _dask_losses() -> tuple[type[BaseException], ...]:
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    return (BrokenExecutor, KilledWorker, CancelledError)


@contextmanager
def _dask(address: str, jobs: int) -> Iterator[Crew]:
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise InvalidInput("executor", "dask", "pip install exactsched[dask]") from None
    with ExitStack() as stack:
        place: Any = address if "://" in address else f"tcp://{address}"
        if not address:
            cluster = LocalCluster(
                jobs, threads_per_worker=1, dashboard_address=":0", silence_logs="CRITICAL"
            )
            place = stack.enter_context(cluster)
        try:
            client = stack.enter_context(Client(place, timeout=_CONNECT))
        except (OSError, ValueError) as error:
            rule = f"no Dask scheduler answers there: {' '.join(str(error).split())}"
            raise InvalidInput("executor", f"dask://{address}", rule) from error
        count = sum(client.nthreads().values())
        if not count:
            raise InvalidInput("executor", f"dask://{address}", "there are no workers")
        yield Crew(client.get_executor(pure=False), _PER_WORKER * count, _dask_losses())


_START_MPI = "start it as mpiexec -n N python -m mpi4py.futures -m exactsched verify ..."


@contextmanager
def _mpi() -> Iterator[Crew]:
    try:
        from mpi4py import MPI
        from mpi4py.futures import MPIPoolExecutor
    except (ImportError, RuntimeError) as error:  # the latter: no MPI library is found
        rule = f"pip install exactsched[mpi] ({' '.join(str(error).split())})"
        raise InvalidInput("executor", "mpi", rule) from None
    # Without its runner every rank would run the campaign.
    if "mpi4py.futures" not in sys.orig_argv or MPI.COMM_WORLD.Get_size() < 2:
        raise InvalidInput("executor", "mpi", _START_MPI)
    with MPIPoolExecutor() as executor:
        yield Crew(executor, _PER_WORKER * executor.num_workers)
