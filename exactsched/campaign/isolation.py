"""Checks in child processes, so that an instance that kills or stops one is found by its number.

Every worker of a campaign has a child of its own for its checks: a fresh interpreter that gets
requests through a pipe.  So deaths and hangs are noticed in the same way in threads of this
process, workers of Dask and ranks of MPI, and the worker loses only its child.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock, local
from typing import Any, TypeVar

from exactsched.campaign.blocks import run_block
from exactsched.campaign.child import end_after
from exactsched.campaign.library import Block, claims_of
from exactsched.campaign.outcomes import Outcome, Tally, tally_of
from exactsched.exact.errors import InvalidInput

T = TypeVar("T")

# The libraries of a large installation may come from a slow network.
_START = 600.0
_TRIES = 3


class Lost(Exception):
    """A child died or took too long: the message is the kind and the reason of a failure."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(kind, reason)
        self.outcome = Outcome(kind, reason)


class Closed(Exception):
    """The campaign is over; nothing is started any more."""


class Child:
    """A process that calls functions, one after the other.

    Raises `InvalidInput` for a library that cannot be loaded, `Lost` if the process does not start.
    """

    def __init__(self, library: str) -> None:
        self.library = library
        # Modules are found as they are here, wherever the library is.
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", "from exactsched.campaign.child import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": path},
        )
        self._process, self._requests, self._answers = process, process.stdin, process.stdout
        try:
            self.call(_START, _load, library)
        except BaseException:
            self.stop()
            raise

    def call(self, limit: float, function: Callable[..., T], *arguments: Any) -> T:
        """The function's result or exception; raises `Lost` if the process ends instead.

        That happens at the latest after `limit` seconds, unless the function sets another limit.
        """
        assert self._requests is not None
        assert self._answers is not None
        try:
            pickle.dump((function, arguments, limit), self._requests)
            self._requests.flush()
            done, answer = pickle.load(self._answers)
        except (OSError, ValueError, EOFError, pickle.UnpicklingError):
            raise _ending(self._process.wait(), limit) from None
        if not done:
            raise answer
        result: T = answer
        return result

    def stop(self) -> None:
        """Ends the process, also at work."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._requests, self._answers):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()


def _load(library: str) -> None:
    claims_of(library)


def _ending(code: int, limit: float) -> Lost:
    if code >= 0:
        return Lost("died", f"ended with exit code {code}")
    with suppress(ValueError):
        name = signal.Signals(-code).name
        if name == "SIGALRM":
            return Lost("hung", f"no answer within {limit:g} seconds")
        return Lost("died", f"ended by {name}")
    return Lost("died", f"ended by signal {-code}")


class _Children:
    """The children of this process, one for each thread that asks."""

    def __init__(self) -> None:
        self._own = local()
        self._all: set[Child] = set()
        self._lock = Lock()
        self._closed = False

    def call(self, library: str, limit: float, function: Callable[..., T], *arguments: Any) -> T:
        """What the thread's child answers; raises `Lost` as `Child.call` does."""
        child: Child | None = getattr(self._own, "child", None)
        if child is None or child.library != library:
            child = self._own.child = self._started(library)
        try:
            return child.call(limit, function, *arguments)
        except Lost:
            child.stop()
            self._own.child = None
            with self._lock:
                self._all.discard(child)
            raise

    def _started(self, library: str) -> Child:
        """A new child; if one ends before it has a task, no instance is at fault."""
        reason = ""
        for _ in range(_TRIES):
            if self._closed:
                raise Closed
            try:
                child = Child(library)
            except Lost as lost:
                reason = lost.outcome.reason
                continue
            with self._lock:
                self._all.add(child)
            if self._closed:  # meanwhile, perhaps before the child was listed
                child.stop()
                raise Closed
            return child
        raise InvalidInput("library", library, f"a process for its checks {reason}")

    def close(self) -> None:
        """Ends all children, also those at work."""
        self._closed = True
        with self._lock:
            listed = list(self._all)
        for child in listed:
            child.stop()


_children = _Children()


def call_isolated(library: str, limit: float, function: Callable[..., T], *arguments: Any) -> T:
    """What the function returns or raises in a child of this process; raises `Lost`."""
    return _children.call(library, limit, function, *arguments)


def close_children() -> None:
    """Ends the children of this process; later requests start new ones."""
    global _children
    closing, _children = _children, _Children()
    closing.close()


def run_isolated(block: Block, library: str, limit: float) -> Tally:
    """The tally of a block, run in a child process.

    If the child dies, or an instance takes more than `limit` seconds, the block is run again
    instance by instance: the one that ends the child again has failed, and the others are not lost.
    """
    children = _children
    with suppress(Lost):
        return children.call(library, limit, _run_block, block, library, limit)
    total = Tally()
    for number in range(block.first, block.last):
        alone = block._replace(first=number, last=number + 1)
        try:
            total += children.call(library, limit, _run_block, alone, library, limit)
        except Lost as lost:
            total += tally_of(alone, [(number, lost.outcome)])
    return total


def _run_block(block: Block, library: str, limit: float) -> Tally:
    """In the child: the limit is for each instance."""
    return run_block(block, library, partial(end_after, limit))
