"""The kernel and the checker about one document: what may differ, and why."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from exactsched import check
from exactsched.exact.errors import InvalidInput, Malformed, Rejected
from exactsched.kernel import RULES, NotCovered, ProvedByKernel
from exactsched.kernel import check as prove

CORPUS = Path(__file__).parents[1] / "corpus"

# Rules of the checker that the statements of the kernel do not need: what it proves is true all
# the same.
MORE_LIBERAL = {
    "the slots of a place last as long as the tasks of its structures, exactly": "idle time is no"
    " fault: a schedule exists that does without it",
    "the slots of an arc last as long as the mean of its orbit in an operation": "the same",
    "the pieces of a task last as long as the task, exactly": "idle time, in a run",
    "in a schedule of whole tasks no slot ends inside one": "`whole` is not proved, and the answer"
    " says so",
    "each is listed once, with its weight": "a tree that is listed twice is a packing, too",
    "restricted to one tree": "two structures on the same arcs are one tree",
    "a case drops exactly one arc of the cycle": "a case that drops more arcs is translated into"
    " one that drops the first",
    "an arc is named once, and not when it is gone already": "sets of arcs",
}
# The same for allgathers and combinations only.
MORE_LIBERAL_ON_FABRICS = {
    "the sets that an arc crosses weigh no more than its priced time": "each shard pays for the"
    " sets without its owner, and nothing for a set without a member",
}
# The same for one kind only.
_AFTER_THE_END = "a finite series may end before they meet"
_IDLE = "the rules are about all processors; message by message nothing collides"
_AT_LEAST = "of what ends earlier it is true that it has ended"
_ANYWAY = "the kernel reads all distances, slots and routes, written out: they fit all the same"
MORE_LIBERAL_ON = {
    "series-by-symmetry": {
        "automorphisms keep costs": _ANYWAY,
        "automorphisms keep prices": _ANYWAY,
    },
    "rounds": {
        "the prices of its ports and odd sets pay": "prices that no bound rests on are not read",
        "all is done after": _AT_LEAST,
        "every packet is received once by all others": "a packet may come again",
        "receives a packet once, and never one of its own": "a packet may come again",
    },
    "logp-schedule": {"the last message is received at": _AT_LEAST},
    "logp-rounds": {
        "the last message is received at": _AT_LEAST,
        "exchange of halves before is over at": _IDLE,
        "the exchange before is over at": _IDLE,
        "two sends start at least a gap": _IDLE,
        "a processor does one overhead at a time": _IDLE,
        "a send and a reception start at least an overhead apart": _IDLE,
    },
    "logp-cycles": {
        "what the source sends is received in time": "copies that come too late are not needed",
        "number - delay is different for all roles": _AFTER_THE_END,
        "the delays of the roles are 0 and those of the messages": _AFTER_THE_END,
        "sends are done when the next role with children begins": _AFTER_THE_END,
    },
}
# Kinds of which some problems, or some bounds, have no proved checker.
IN_PART = ("rounds", "overlay", "logp-schedule", "logp-rounds", "logp-cycles")
# Words of an answer "not covered" about a kind that is covered.
OPEN = ("too large", "latency", "the kernel reads", "no proved checker", "is proved")


def verdict(judge: Any, document: object) -> tuple[str, Any]:
    """A word, and the answer or the error."""
    try:
        return "accepted", judge(document)
    except NotCovered as error:
        return "not covered", error
    except Malformed as error:
        return "malformed", error
    except Rejected as error:
        return "rejected", error
    except InvalidInput as error:
        return "malformed", error


def disagreement(document: Any) -> tuple[str, str]:
    """The verdict of the kernel, and how it contradicts the checker; empty if it does not."""
    mine, proved = verdict(prove, document)
    theirs, answer = verdict(check, document)
    if mine == "not covered":
        kind = document.get("kind")
        if kind in RULES and not any(word in str(proved) for word in OPEN):
            return mine, f"not covered: {proved}"
        return mine, ""
    if mine == "accepted" == theirs:
        for name, value in proved.values.items():
            other = getattr(answer, name, None)
            if name == "value":
                other = answer.value
            if other is not None and other != value:
                return mine, f"{name} is {value} here and {other} there"
        return mine, "" if proved.optimal is answer.optimal else "optimal"
    if mine == "accepted" and theirs == "rejected":
        rules = {*MORE_LIBERAL, *MORE_LIBERAL_ON.get(document["kind"], ())}
        if document.get("problem", {}).get("collective") in ("allgather", "combination"):
            rules |= set(MORE_LIBERAL_ON_FABRICS)
        excused = any(rule in str(answer) for rule in rules) or _less_sharp(proved, answer)
        return mine, "" if excused else f"proved: {proved}; but: {answer}"
    if mine != theirs:
        return mine, f"{mine} ({proved}), and {theirs} ({answer})"
    return mine, ""


def _less_sharp(proved: ProvedByKernel, refused: Rejected) -> bool:
    """Whether the document states a bound that is true, and the checker a sharper one."""
    found = re.fullmatch(r"what is proved is (-?\d+(/\d+)?)", refused.rule)
    if refused.place != "bound" or proved.kind not in IN_PART or not found:
        return False
    stated, sharper = Fraction(proved.values["bound"]), Fraction(found[1])
    upper = proved.kind == "overlay" or "count" in proved.values
    return sharper < stated if upper else stated < sharper


def documents(folder: str, longest: int = 20_000) -> Iterator[tuple[Path, Any]]:
    """The documents of a part of the corpus that the kernel covers."""
    for path in sorted((CORPUS / folder).rglob("*.json")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if len(text) <= longest:
            try:
                document = json.loads(text)
            except ValueError:
                continue
            if isinstance(document, dict) and document.get("kind") in RULES:
                yield path, document
