"""Schedules that run: plans of transfers between ranks, and the formats of other programs.

`exactsched.export.plan` makes a plan of an accepted certificate: who sends which part of which
vector to whom, after what.  The other modules run it or write it; `exactsched.export(x, path)`
writes it to a file.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput

if TYPE_CHECKING:
    from exactsched.export.plan import Plan
    from exactsched.model.platform import Node

Format = Literal["msccl", "mscclpp", "simgrid"]

# In which orders a plan for MSCCL++ is played before it is written.
_ORDERS: Final = 3
SUFFIXES: Final[dict[str, Format]] = {".xml": "msccl", ".json": "mscclpp", ".py": "simgrid"}


class Exported(NamedTuple):
    """What was written: where, in which format, what there is to say, and the node of each rank."""

    path: str
    format: str
    told: str
    ranks: tuple[Node, ...] = ()


def export(
    certificate: object,
    path: str | os.PathLike[str],
    format: Format | None = None,
    *,
    segments: int | None = None,
    operations: int | None = None,
) -> Exported:
    """Writes an accepted schedule in the format of another program, which is judged again.

    `certificate` is any result with a schedule, a document, or a path.  The format is ``msccl``
    (XML for MSCCL's executor), ``mscclpp`` (JSON for MSCCL++ 0.9) or ``simgrid`` (a Python program
    that replays the dates on SimGrid); without one the suffix of the path says it: .xml, .json,
    .py.  `segments` (1) says into how many pieces a plan cuts every chunk, `operations` (100) how
    many operations of a series the program replays.

    Raises `InvalidInput` for other formats and suffixes, for what `exactsched.export.plan` refuses,
    and where the file cannot be written; `Rejected` for a certificate that is not accepted.

    >>> import tempfile
    >>> from exactsched import Platform, allgather
    >>> best = allgather(Platform("ab", [("a", "b", 1), ("b", "a", 1)]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export(best, f"{folder}/plan.xml").ranks
    ('a', 'b')
    """
    chosen = format if format is not None else SUFFIXES.get(Path(path).suffix.lower())
    written = os.fspath(path)
    if chosen is None or chosen not in SUFFIXES.values():
        known = ", ".join(f"{name} ({suffix})" for suffix, name in SUFFIXES.items())
        given = Path(path).suffix if format is None else format
        raise InvalidInput("format", given, f"one of {known}")
    other = ("operations", operations) if chosen in _PLANS else ("segments", segments)
    if other[1] is not None:
        raise InvalidInput(*other, f"does not go with the format {chosen}")
    if chosen not in _PLANS:
        from exactsched.export.simgrid import program

        write_whole(path, program(certificate, operations))
        told = f"type python3 {written}, where SimGrid is installed"
        return Exported(written, chosen, told)
    from exactsched.export.plan import plan

    made = plan(certificate, 1 if segments is None else segments)
    text, judged = _PLANS[chosen](made)
    write_whole(path, text)
    return Exported(written, chosen, str(judged), made.ranks)


def _msccl(made: Plan) -> tuple[str, object]:
    from exactsched.export.msccl.verifier import verify_text
    from exactsched.export.msccl.writer import algorithm_of, text_of

    text = text_of(algorithm_of(made))
    return text, verify_text(text)


def _mscclpp(made: Plan) -> tuple[str, object]:
    from exactsched.export.mscclpp.interpreter import play
    from exactsched.export.mscclpp.writer import document_of

    document = document_of(made)
    for seed in range(_ORDERS):
        played = play(document, seed)
    return json.dumps(document, indent=1) + "\n", played


# Each returns the text of a plan, which it has judged, and what there is to say of it.
_PLANS: Final[dict[str, Callable[[Plan], tuple[str, object]]]] = {
    "msccl": _msccl,
    "mscclpp": _mscclpp,
}


class _CallableModule(ModuleType):
    def __call__(
        self,
        certificate: object,
        path: str | os.PathLike[str],
        format: Format | None = None,
        *,
        segments: int | None = None,
        operations: int | None = None,
    ) -> Exported:
        return export(certificate, path, format, segments=segments, operations=operations)


# `import exactsched.export` binds this module to the name of the public function, as in `check`.
sys.modules[__name__].__class__ = _CallableModule
