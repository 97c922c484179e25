"""What a result claims, in one line."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from exactsched.certificate.kinds import is_record, kind_of
from exactsched.exact.words import counted, shown
from exactsched.model.collective_names import collective_name
from exactsched.model.machine import LogP
from exactsched.model.unreachable import unreachable_in_words

# The member with the number that a claim is about, and the sign of "at least" or "at most" before
# a bound that differs from it.
_MEASURES = {
    "throughput": "<=",
    "makespan": ">=",
    "time": ">=",
    "steps": ">=",
    "value": "",
    "colors": "",
}
# Certificates of these kinds consist of two sides that agree.
_TWO_SIDES = ("value", "colors")


def claim(result: Any) -> str:
    """The number, whether it is optimal, and what it is about.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> from exactsched.certificate.bounds import CutBound
    >>> from exactsched.certificate.collectives import Series
    >>> asked = Broadcast(Platform("ab", [("a", "b", 2)]), "a")
    >>> proof = CutBound({"send:a": Fraction(1)}, ("b",), ((0, 1, Fraction(2)),))
    >>> claim(Series(asked, Fraction(0), Fraction(1, 2), False, None, proof))
    'throughput 0, <= 1/2 by the bound (broadcast from a, 2 nodes, 1 arc, one-port)'
    """
    about, measured = ", ".join(_about(result)), measure(result)
    return f"{measured} ({about}){_why(result)}" if measured else about


def measure(result: Any) -> str:
    """The number, and what is known of it; "" if the result has none.

    >>> from exactsched.certificate.graphs import EdgeColoring
    >>> measure(EdgeColoring(((0, 0),), (1,), ((1, (0,)),), 1))
    'colors 1, optimal'
    """
    noun = next((name for name in _MEASURES if getattr(result, name, None) is not None), None)
    if noun is None:
        return ""
    number = getattr(result, noun)
    bound = getattr(result, "bound", number)
    optimal = noun in _TWO_SIDES or getattr(result, "optimal", False)
    known = ", optimal" if optimal else ""
    if bound != number and not optimal:
        known = f", {_MEASURES[noun]} {shown(Fraction(bound))} by the bound"
    name = "maximum" if hasattr(result, "program") else noun
    return f"{name} {shown(Fraction(number))}{known}"


def _why(result: Any) -> str:
    """Why a throughput is 0, if it is because something cannot be reached."""
    if getattr(result, "throughput", None) != 0 or not hasattr(result, "problem"):
        return ""
    why = unreachable_in_words(result.problem)
    return f": {why}" if why else ""


def _about(result: Any) -> Iterator[str]:
    """What is asked, and of how large an instance."""
    if hasattr(result, "problem"):
        problem = result.problem
        yield collective_name(problem)
        yield from _sizes(len(problem.platform.nodes), arc=problem.platform.arcs)
        yield problem.ports
        if hasattr(result, "operations"):
            yield counted(result.operations, "operation")
        return
    kind = kind_of(type(result)).replace("-", " ") if is_record(result) else type(result).__name__
    machine = getattr(result, "machine", None)
    if isinstance(machine, LogP):
        yield getattr(result, "collective", "broadcast")
        yield ", ".join(f"{name}={shown(Fraction(getattr(machine, name)))}" for name in "LogP")
        return
    yield kind
    if machine is not None:
        yield counted(machine.size, "node")
    program = getattr(result, "program", None)
    if program is not None:
        yield from (counted(len(program.objective), "variable"), counted(len(program.rows), "row"))
    parts = {
        noun: getattr(result, f"{noun}s") for noun in ("arc", "edge") if hasattr(result, f"{noun}s")
    }
    yield from _sizes(getattr(result, "size", None), **parts)


def _sizes(nodes: int | None, **parts: Any) -> Iterator[str]:
    if nodes is not None:
        yield counted(nodes, "node")
    yield from (counted(len(members), noun) for noun, members in parts.items())
