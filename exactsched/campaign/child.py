"""What runs in a child process: requests come in as lines of JSON, answers go out as such.

`exactsched.campaign.isolation` is the other end, and says what can be requested.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from exactsched.campaign.blocks import (
    Block,
    Outcome,
    claim_of,
    claims_of,
    fixed_instance,
    instance_from,
    is_random,
    judged,
    run_block,
    seeded,
)
from exactsched.campaign.documents import tally_document
from exactsched.exact.errors import InvalidInput
from exactsched.instances.choices import Replayed
from exactsched.instances.documents import instance_document, read_instance
from exactsched.theorems.claim import Claim

_BEAT = 1.0
"""Seconds between two signs of life."""


def main() -> None:
    """Answers requests until standard input ends; then the process ends at once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks decides when to stop
    # Whatever a check prints goes nowhere: the pipe is for answers.
    pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)

    def answer(document: dict[str, Any]) -> None:
        pipe.write(json.dumps(document) + "\n")
        pipe.flush()

    requests: SimpleQueue[str] = SimpleQueue()
    Thread(target=_listen, args=(requests,), daemon=True).start()
    library = json.loads(requests.get())["library"]
    try:
        claims_of(library)
    except InvalidInput as error:
        answer({"refused": error.rule})
        return
    answer({"ready": True})
    while True:
        request = json.loads(requests.get())
        try:
            answer(_ANSWERS[request["do"]](library, request, _Beat(answer)))
        except BrokenPipeError:
            return


def _listen(requests: SimpleQueue[str]) -> None:
    """Nobody is left to ask when the input ends, not even for what is under way."""
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)


class _Beat:
    """Says from time to time that the work goes on."""

    def __init__(self, answer: Callable[[dict[str, Any]], None]) -> None:
        self._answer, self._last = answer, monotonic()

    def __call__(self) -> None:
        now = monotonic()
        if now - self._last >= _BEAT:
            self._last = now
            self._answer({"beat": True})


def _block(library: str, request: dict[str, Any], beat: _Beat) -> dict[str, Any]:
    return tally_document(run_block(Block(*request["block"]), library, beat))


def _make(library: str, request: dict[str, Any], _: _Beat) -> dict[str, Any]:
    """The instance of a number, or of choices, as a document, with the choices that made it."""
    claim = claim_of(library, request["claim"])
    try:
        instance, made = _made(claim, request)
        return {"instance": instance_document(instance), "choices": made}
    except Exception as error:
        return {"unmade": f"{type(error).__name__}: {error}"}


def _try(library: str, request: dict[str, Any], _: _Beat) -> dict[str, Any]:
    """The outcome for the instance of some choices."""
    claim = claim_of(library, request["claim"])
    try:
        instance, made = _made(claim, request)
    except Exception as error:
        return {"outcome": Outcome("unmade", str(error))}
    return {"outcome": judged(claim, instance), "choices": made}


def _replay(library: str, request: dict[str, Any], _: _Beat) -> dict[str, Any]:
    """The outcome for the instance of a document."""
    claim = claim_of(library, request["claim"])
    try:
        instance = read_instance(claim.instance_type, request["instance"])
    except InvalidInput as error:
        return {"malformed": [error.place, str(error.value), error.rule]}
    return {"outcome": judged(claim, instance)}


def _made(claim: Claim, request: dict[str, Any]) -> tuple[Any, list[int]]:
    size = request["size"]
    if not is_random(size):
        return fixed_instance(claim, size, request["number"]), []
    if "choices" in request:
        choices: Replayed | Any = Replayed(request["choices"])
    else:
        choices = seeded(claim, size, request["seed"], request["number"])
    return instance_from(claim, size, choices), choices.made


_ANSWERS: dict[str, Callable[[str, dict[str, Any], _Beat], dict[str, Any]]] = {
    "block": _block,
    "make": _make,
    "try": _try,
    "replay": _replay,
}
