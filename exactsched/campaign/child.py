"""A child process: it is sent functions with their arguments, and returns their results.

`exactsched.campaign.isolation` is the other end of its pipes.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any

# Seconds; the clocks of some systems go no further.
_LONGEST = 1e8


def main() -> None:
    """Answers requests until standard input ends; then the process ends at once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks decides when to stop
    # What a check prints is lost: the pipe is for answers.
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    # The end of the pipe says that the process has died; its own children may live longer.
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=pipe.raw.close)
    requests: SimpleQueue[tuple[Any, tuple[Any, ...], float]] = SimpleQueue()
    Thread(target=_listen, args=(requests,), daemon=True).start()
    while True:
        function, arguments, limit = requests.get()
        end_after(limit)
        try:
            answer = True, function(*arguments)
        except Exception as error:
            answer = False, error
        end_after(0)
        try:
            pickle.dump(answer, pipe)
            pipe.flush()
        except BrokenPipeError:
            return


def _listen(requests: SimpleQueue[Any]) -> None:
    """Nobody is left to ask when the input ends, not even for what is under way."""
    with suppress(EOFError, pickle.UnpicklingError):
        while True:
            requests.put(pickle.load(sys.stdin.buffer))
    os._exit(0)


def end_after(seconds: float) -> None:
    """Ends this process by SIGALRM unless this is called again within the time; 0 is no limit.

    The system does that, even if no line of Python runs meanwhile.  Setting the clock takes 0.7
    microseconds.  On Windows there is no such clock, and no limit.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, min(seconds, _LONGEST))
