"""Checks in child processes, so that an instance that kills or stops one is found by its number.

Every worker of a campaign, whatever started it, has its checks done by a child of its own: a fresh
interpreter that gets requests through a pipe.  So it is the same everywhere (threads of this
process, workers of Dask, ranks of MPI) how a death or a hang is noticed, and it costs a worker
nothing but the child.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import deque
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any

from exactsched.campaign.blocks import Block, Failure, Outcome, Tally, outcome_hash
from exactsched.campaign.documents import read_tally
from exactsched.exact.errors import InvalidInput

# The libraries of a large installation may come from a slow network.
_START = 600.0
_TRIES = 3
# A child gives a sign of life before an instance, but not more often than every second.
_BETWEEN_BEATS = 1.0


class Lost(Exception):
    """A child died, or was silent for too long and was killed: `kind` and `reason` of a failure."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(kind, reason)
        self.kind, self.reason = kind, reason


class Closed(Exception):
    """The campaign is over; nothing is started any more."""


class Child:
    """A process that answers requests about the claims of a library, one after the other.

    Requests: ``block`` (its tally), ``make`` (an instance as a document), ``try`` (choices) and
    ``replay`` (a document): an outcome.

    Raises `InvalidInput` for a library that cannot be loaded, `Lost` if the process does not start.
    """

    def __init__(self, library: str) -> None:
        # Modules are found as they are here, wherever the library is.
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", "from exactsched.campaign.child import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": path},
            text=True,
            encoding="utf-8",
        )
        self._answers: SimpleQueue[str] = SimpleQueue()
        Thread(target=self._listen, daemon=True).start()
        ready = self.ask({"library": library}, _START)
        if "refused" in ready:
            self.stop()
            raise InvalidInput("library", library, ready["refused"])

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError):  # closed by `stop`
            for line in self._process.stdout:
                self._answers.put(line)
        self._answers.put("")

    def ask(self, request: dict[str, Any], limit: float) -> dict[str, Any]:
        """The answer; raises `Lost` if none comes, and no sign of life for `limit` seconds."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # it has ended, and the answers with it
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        while True:
            try:
                line = self._answers.get(timeout=limit)
            except Empty:
                self.stop()
                raise Lost("hung", f"silent for more than {limit:g} seconds") from None
            if not line.endswith("\n"):
                code = self._process.wait()
                self.stop()
                raise Lost("died", _ending(code))
            answer: dict[str, Any] = json.loads(line)
            if "beat" not in answer:
                return answer

    def stop(self) -> None:
        """Ends the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()


def _ending(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    with suppress(ValueError):
        return f"ended by {signal.Signals(-code).name}"
    return f"ended by signal {-code}"


class Children:
    """The children of this process: as many as there are threads that ask at the same time."""

    def __init__(self) -> None:
        self._idle: dict[str, deque[Child]] = {}
        self._all: set[Child] = set()
        self._lock = Lock()
        self._closed = False

    def ask(self, library: str, request: dict[str, Any], limit: float) -> dict[str, Any]:
        """The answer of an idle child, or of a new one; raises `Lost` as `Child.ask` does."""
        child = self._taken(library)
        try:
            answer = child.ask(request, limit)
        except BaseException:
            child.stop()
            with self._lock:
                self._all.discard(child)
            raise
        with self._lock:
            self._idle.setdefault(library, deque()).append(child)
        return answer

    def _taken(self, library: str) -> Child:
        with self._lock:
            if self._closed:
                raise Closed
            idle = self._idle.get(library)
            if idle:
                return idle.pop()
        child = _started(library)
        with self._lock:
            self._all.add(child)
            closed = self._closed
        if closed:
            child.stop()
            raise Closed
        return child

    def close(self) -> None:
        """Ends all children, also those at work."""
        with self._lock:
            self._closed = True
            listed = list(self._all)
        for child in listed:
            child.stop()


def _started(library: str) -> Child:
    """A child; whatever ends one before it has a task is no failure of an instance."""
    lost: Lost | None = None
    for _ in range(_TRIES):
        try:
            return Child(library)
        except Lost as error:
            lost = error
    raise InvalidInput("library", library, f"a process for its checks {lost and lost.reason}")


_children = Children()


def run_isolated(block: Block, library: str, limit: float) -> Tally:
    """The tally of a block, run in a child process.

    If the child dies or is silent for more than `limit` seconds, the block is run again instance by
    instance: the one that ends it so again has failed, and the others are not lost with it.
    """
    children = _children
    request = {"do": "block", "block": list(block)}
    try:
        return read_tally(children.ask(library, request, limit + _BETWEEN_BEATS), "tally")
    except Lost:
        pass
    total = Tally()
    for number in range(block.first, block.last):
        alone = block._replace(first=number, last=number + 1)
        try:
            answer = children.ask(library, {"do": "block", "block": list(alone)}, limit)
            total += read_tally(answer, "tally")
        except Lost as lost:
            outcome = Outcome(lost.kind, lost.reason)
            failure = Failure(number, lost.kind, lost.reason)
            total += Tally({lost.kind: 1}, outcome_hash(block, number, outcome), (failure,))
    return total


def ask(library: str, request: dict[str, Any], limit: float) -> dict[str, Any]:
    """One request to a child of this process; raises `Lost`."""
    return _children.ask(library, request, limit)


def close_children() -> None:
    """Ends the children of this process; later requests start new ones."""
    global _children
    closing, _children = _children, Children()
    closing.close()
