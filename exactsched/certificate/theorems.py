"""Min-max theorems, LogP schedules, overlays and runs in steps: documents from field types.

A noun is an object with a member for each field; a tuple is a list; an `int` is an integer, a
`Rational` or `Fraction` a rational of the format, a `str` text and a `bool` a truth value.  So the
dataclass is the specification of its document, and nothing here knows any theorem.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import Any, Final, get_args, get_type_hints

from exactsched.certificate.elements import (
    integer_document,
    number_document,
    read_integer,
    read_list,
    read_members,
    read_number,
    read_row,
    read_text,
    read_truth,
)
from exactsched.certificate.limits import LARGEST_JSON_INTEGER
from exactsched.certificate.logp import (
    LogPBuffered,
    LogPCertificate,
    LogPCycles,
    LogPRounds,
    LogPSchedule,
)
from exactsched.certificate.minmax import (
    ArborescenceDecomposition,
    BranchingPacking,
    ConcurrentBranchingPacking,
    EdgeColoring,
    FractionalEdgeColoring,
    LinearInfeasibility,
    LinearOptimum,
    LinearUnboundedness,
    MatchingDecomposition,
    MaximumFlow,
    MinimumCostArborescence,
    MinimumRootCut,
    MinMax,
    UnmetDemand,
)
from exactsched.certificate.overlay import Overlay
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.exact.rational import Rational

THEOREMS: Final[
    dict[str, type[MinMax] | type[LogPCertificate] | type[Overlay] | type[SynchronousRun]]
] = {
    "maximum-flow": MaximumFlow,
    "minimum-root-cut": MinimumRootCut,
    "branching-packing": BranchingPacking,
    "unmet-demand": UnmetDemand,
    "concurrent-branching-packing": ConcurrentBranchingPacking,
    "arborescence-decomposition": ArborescenceDecomposition,
    "minimum-cost-arborescence": MinimumCostArborescence,
    "edge-coloring": EdgeColoring,
    "matching-decomposition": MatchingDecomposition,
    "fractional-edge-coloring": FractionalEdgeColoring,
    "linear-optimum": LinearOptimum,
    "linear-infeasibility": LinearInfeasibility,
    "linear-unboundedness": LinearUnboundedness,
    "logp-schedule": LogPSchedule,
    "logp-cycles": LogPCycles,
    "logp-rounds": LogPRounds,
    "logp-buffered": LogPBuffered,
    "overlay": Overlay,
    "rounds": SynchronousRun,
}
KIND_OF: Final[
    dict[type[MinMax] | type[LogPCertificate] | type[Overlay] | type[SynchronousRun], str]
] = {noun: kind for kind, noun in THEOREMS.items()}

# A reader takes a value and its place; a writer leaves whatever is not what the field's type says
# as it is, for the reader to refuse.
_Reader = Callable[[object, str], Any]
_Writer = Callable[[Any], Any]


def member_names(noun: type) -> tuple[str, ...]:
    """The members of the document of a noun.

    >>> member_names(EdgeColoring)
    ('edges', 'multiplicities', 'classes', 'colors')
    """
    return tuple(field.name for field in fields(noun))


def read_fields(noun: type, members: dict[str, Any], prefix: str) -> Any:
    """The noun whose fields are read from the members of that name; `prefix` ends with a dot.

    >>> document = {"edges": [[0, 0]], "multiplicities": [2], "classes": [[2, [0]]], "colors": "2"}
    >>> read_fields(EdgeColoring, document, "")
    EdgeColoring(edges=((0, 0),), multiplicities=(2,), classes=((2, (0,)),), colors=2)
    """
    values = {name: read(members[name], prefix + name) for name, read, _ in _members_of(noun)}
    try:
        return noun(**values)
    except InvalidInput as error:  # a noun that validates itself names the field
        raise Malformed(prefix + error.place, error.value, error.rule) from None


def write_fields(noun: Any) -> dict[str, Any]:
    """The members of the document of a noun; `read_fields` is its inverse.

    >>> write_fields(EdgeColoring(((0, 0),), (2**60,), ((2**60, (0,)),), 2**60))["colors"]
    '1152921504606846976'
    """
    return {name: write(getattr(noun, name)) for name, _, write in _members_of(noun.__class__)}


@cache
def _members_of(noun: type) -> tuple[tuple[str, _Reader, _Writer], ...]:
    types = get_type_hints(noun)
    return tuple((name, *codec(types[name])) for name in member_names(noun))


@cache
def codec(kind: Any) -> tuple[_Reader, _Writer]:
    """How a value of this type is read, given its place, and how it is written."""
    if kind is int:
        return read_integer, integer_document
    if kind == Rational or kind is Fraction:
        return read_number, number_document
    if kind is str:
        return read_text, _as_it_is
    if kind is bool:
        return read_truth, _as_it_is
    if is_dataclass(kind):
        return _of_noun(kind)
    parts = get_args(kind)
    if parts == (int, ...):
        return _read_integers, _write_integers
    if parts[1:] == (...,):
        read, write = codec(parts[0])
        columns = get_args(parts[0])
        if {*columns} == {int}:
            return _rows_reader(read, len(columns)), _rows_writer(write, len(columns))
        return _list_reader(read), _list_writer(write)
    return _row_of(parts)


def _as_it_is(value: Any) -> Any:
    return value


def _of_noun(noun: Any) -> tuple[_Reader, _Writer]:
    names = member_names(noun)

    def read(value: object, place: str) -> Any:
        return read_fields(noun, read_members(value, place, names), f"{place}.")

    def write(value: Any) -> Any:
        return write_fields(value) if type(value) is noun else value

    return read, write


def _row_of(parts: tuple[Any, ...]) -> tuple[_Reader, _Writer]:
    pairs = [codec(part) for part in parts]
    readers, writers = [read for read, _ in pairs], [write for _, write in pairs]
    words = {int: "integer", Rational: "rational", str: "text"}
    shape = f"[{', '.join(words.get(part, 'list') for part in parts)}]"
    length = len(parts)

    def read(value: object, place: str) -> tuple[Any, ...]:
        row = read_row(value, place, shape, length)
        return tuple([read(row[k], f"{place}[{k}]") for k, read in enumerate(readers)])

    def write(value: Any) -> Any:
        if not isinstance(value, (tuple, list)) or len(value) != length:
            return value
        return [write(part) for write, part in zip(writers, value, strict=True)]

    return read, write


def _list_reader(read: _Reader) -> _Reader:
    def read_all(value: object, place: str) -> tuple[Any, ...]:
        listed = read_list(value, place)
        return tuple([read(part, f"{place}[{index}]") for index, part in enumerate(listed)])

    return read_all


def _list_writer(write: _Writer) -> _Writer:
    def write_all(value: Any) -> Any:
        return [write(part) for part in value] if isinstance(value, (tuple, list)) else value

    return write_all


def _read_integers(value: object, place: str) -> tuple[int, ...]:
    # All at once: the matchings and trees of a large certificate hold millions of indices.
    listed = read_list(value, place)
    if _are_integers(listed):
        return tuple(listed)
    return tuple([read_integer(part, f"{place}[{index}]") for index, part in enumerate(listed)])


def _write_integers(value: Any) -> Any:
    if isinstance(value, tuple) and _are_integers(value):
        return list(value)
    return _list_writer(integer_document)(value)


def _rows_reader(read: _Reader, columns: int) -> _Reader:
    """Rows of integers, all at once: schedules have millions of messages."""
    read_slowly = _list_reader(read)

    def read_all(value: object, place: str) -> tuple[Any, ...]:
        listed = read_list(value, place)
        if _are_rows(listed, list, columns):
            return tuple(map(tuple, listed))
        return tuple(read_slowly(value, place))

    return read_all


def _rows_writer(write: _Writer, columns: int) -> _Writer:
    write_slowly = _list_writer(write)

    def write_all(value: Any) -> Any:
        if isinstance(value, tuple) and _are_rows(value, tuple, columns):
            return list(map(list, value))
        return write_slowly(value)

    return write_all


def _are_rows(listed: Sequence[Any], kind: type, columns: int) -> bool:
    return (
        {*map(type, listed)} == {kind}
        and {*map(len, listed)} == {columns}
        and _are_integers(list(chain.from_iterable(listed)))
    )


def _are_integers(listed: Sequence[Any]) -> bool:
    return {*map(type, listed)} == {int} and (
        min(listed) >= -LARGEST_JSON_INTEGER and max(listed) <= LARGEST_JSON_INTEGER
    )
