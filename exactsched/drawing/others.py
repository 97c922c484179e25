"""What is drawn without a certificate: advice and curves; and what to type for the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from exactsched.certificate.kinds import is_record
from exactsched.certificate.result import Result
from exactsched.drawing.advice import advice_scene
from exactsched.drawing.ratios import ratio_scene
from exactsched.drawing.scene import Scene
from exactsched.drawing.words.series import headline
from exactsched.exact.errors import InvalidInput


@runtime_checkable
class _Advised(Protocol):
    """As `exactsched.steady_state.advice.Advice`, which no picture needs."""

    solution: Any
    rows: Any
    left_out: int


def scene_of_other(given: object) -> Scene | None:
    """The scene of advice, or of a curve of ratios; nothing for what may be a certificate.

    Raises `InvalidInput`, which says what to type, for graphs of other libraries and for what
    `check` returns.
    """
    if isinstance(given, _Advised):
        solution = given.solution
        bars = [(row.item.name, row.without, row.one_more) for row in given.rows]
        asked = headline(solution.record())[0].rpartition(": ")[0]
        return advice_scene(asked, solution.throughput, bars)
    if isinstance(given, (str, bytes, Mapping, Result)) or is_record(given):
        return None
    if isinstance(given, Sequence) and given and all(hasattr(one, "ratio") for one in given):
        return ratio_scene([(one.size, one.ratio) for one in given])
    if hasattr(given, "nodes") and hasattr(given, "edges"):
        rule = "draw(exactsched.from_networkx(graph)) draws a graph of networkx as a platform"
        raise InvalidInput("picture", type(given).__name__, rule)
    if hasattr(given, "bound") or hasattr(given, "optimal"):
        rule = "a claim has no schedule: draw what was checked, draw(solution)"
        raise InvalidInput("picture", type(given).__name__, rule)
    return None
