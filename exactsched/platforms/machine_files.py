"""Multi-port machines in files: JSON and CSV, with every number as it is written.

JSON is an object with a list `nodes`, the source first, of objects with a `bandwidth` and a
`degree`, and if need be an `incoming` bandwidth and a `name`.  A list `arcs` has the
allowed pairs (sender, receiver), as numbers from 0 or names; without it all pairs are allowed.

CSV has a header, any of these four columns in any order, and a line for each node; or no header
and a single column, the bandwidths.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any, Final, NamedTuple

from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput
from exactsched.exact.exact_json import Decimal, file_text, parsed_json, shown_path
from exactsched.exact.rational import exact, text, to_json
from exactsched.model.machine import MultiPort

# Larger files are refused; a machine of a million nodes takes a fifth of this.
MAX_BYTES: Final = 1 << 28

_COLUMNS: Final = ("bandwidth", "degree", "incoming", "name")
_NO_ARCS: Final = "list the arcs, or leave this out: then everybody may send to everybody"


class _Node(NamedTuple):
    """What a file says of a node, and where."""

    place: str
    said: Mapping[str, object]


def read_machine(path: str | os.PathLike[str], degree: int | None = None) -> MultiPort:
    """The machine in a file; `degree` is that of every node if the file has none.

    The suffix decides (``.json``, ``.csv``), otherwise the first character: JSON starts with a
    brace.  All nodes but the source have an incoming bandwidth, or none has; all have a name, or
    none has.  Rates keep the unit of the file.

    Raises `InvalidInput`, with path, place, value and rule: for a file that cannot be read or is
    something else, for unknown or missing members and columns, negative bandwidths, degrees that
    are not whole, names given twice, arcs of nodes that are not there, and fewer than two nodes.
    Linear time in the size of the file, at most `MAX_BYTES`.

    Reference: proofs/overlay-model.md.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "machine.csv")
    ...     _ = path.write_text("degree,bandwidth\\n2,1.5\\n1,1/3\\n")
    ...     read_machine(path).bandwidths
    (Fraction(3, 2), Fraction(1, 3))
    """
    try:
        written = file_text(path, "machine", MAX_BYTES)
        suffix = Path(path).suffix.lower()
        is_json = suffix == ".json" or (suffix != ".csv" and written.lstrip().startswith("{"))
        nodes, arcs = _from_json(written) if is_json else (_from_csv(written), ())
        return _machine(nodes, arcs, degree)
    except InvalidInput as error:
        raise InvalidInput(f"{shown_path(path)}: {error.place}", error.value, error.rule) from error


def write_machine(machine: MultiPort, path: str | os.PathLike[str]) -> None:
    """Writes a machine as JSON, from which `read_machine` makes an equal one.

    Whoever reads sees the old file or all of the new one.  Raises `InvalidInput` where the file
    cannot be written, and for a suffix that is not ``.json``.

    Linear in the size of the file. Reference: proofs/overlay-model.md.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "machine.json")
    ...     write_machine(MultiPort([2, 1], [1, 1]), file)
    ...     read_machine(file) == MultiPort([2, 1], [1, 1])
    True
    """
    if Path(path).suffix.lower() != ".json":
        rule = "a machine is written to a file that ends in .json"
        raise InvalidInput(shown_path(path), Path(path).suffix, rule)
    nodes = []
    for index in range(machine.size):
        node: dict[str, object] = {"name": machine.names[index]} if machine.names else {}
        node |= {
            "bandwidth": to_json(machine.bandwidths[index]),
            "degree": to_json(machine.degrees[index]),
        }
        if machine.incoming:
            node["incoming"] = to_json(machine.incoming[index])
        nodes.append(json.dumps(node))
    lists = ['"nodes": [\n' + ",\n".join(nodes) + "\n]"]
    if machine.arcs:
        lists.append('"arcs": [\n' + ",\n".join(map(json.dumps, machine.arcs)) + "\n]")
    try:
        write_whole(path, "{" + ",\n".join(lists) + "}\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput(shown_path(path), reason, "the file cannot be written") from error


def _machine(nodes: Sequence[_Node], arcs: Iterable[Any], degree: int | None) -> MultiPort:
    """The one reading of nodes and arcs."""
    if not nodes:
        raise InvalidInput("nodes", 0, "there is no source: it is the first node")
    if len(nodes) == 1:
        raise InvalidInput("nodes", 1, "the source and at least one other node")
    names = _names(nodes)
    return MultiPort(
        [_rate(node, "bandwidth") for node in nodes],
        _degrees(nodes, degree),
        _incoming(nodes),
        _arcs(arcs, names),
        names,
    )


def _rate(node: _Node, column: str) -> Fraction:
    place = f"{node.place}, {column}"
    if column not in node.said:
        raise InvalidInput(node.place, sorted(node.said), f"the {column} is missing")
    rate = exact(node.said[column], place)
    if rate < 0:
        raise InvalidInput(place, text(rate), "a bandwidth is not negative")
    return rate


def _degrees(nodes: Sequence[_Node], degree: int | None) -> list[int]:
    if degree is None:
        return [_degree(node) for node in nodes]
    for node in nodes:
        if "degree" in node.said:
            rule = "a degree for all nodes is for files that have none"
            raise InvalidInput(node.place, degree, rule)
    if type(degree) is not int or degree < 0:
        raise InvalidInput("degree", degree, "a degree is a whole number, not negative")
    return [degree] * len(nodes)


def _degree(node: _Node) -> int:
    place = f"{node.place}, degree"
    if "degree" not in node.said:
        rule = "the degree is missing: write one for every node, or give one for all"
        raise InvalidInput(node.place, sorted(node.said), rule)
    number = exact(node.said["degree"], place)
    if number.denominator != 1 or number < 0:
        raise InvalidInput(place, text(number), "a degree is a whole number, not negative")
    return number.numerator


def _incoming(nodes: Sequence[_Node]) -> list[Fraction]:
    """None, or one for each; the source receives nothing and may go without."""
    if not any("incoming" in node.said for node in nodes):
        return []
    source, *others = nodes
    first = _rate(source, "incoming") if "incoming" in source.said else Fraction(0)
    return [first, *(_rate(node, "incoming") for node in others)]


def _names(nodes: Sequence[_Node]) -> list[str]:
    if not any("name" in node.said for node in nodes):
        return []
    names: dict[str, str] = {}
    for node in nodes:
        place, name = f"{node.place}, name", node.said.get("name")
        if name is None:
            raise InvalidInput(node.place, sorted(node.said), "all nodes have a name, or none has")
        if type(name) is not str or not name:
            raise InvalidInput(place, name, "a name is a string, and not empty")
        if name in names:
            raise InvalidInput(place, name, f"this is the name of {names[name]} already")
        names[name] = node.place
    return list(names)


def _arcs(listed: Iterable[Any], names: Sequence[str]) -> list[Any]:
    """Names become numbers; the rest is for the machine to refuse."""
    numbers = {name: index for index, name in enumerate(names)}
    arcs = []
    for index, arc in enumerate(listed):
        if not isinstance(arc, list):
            raise InvalidInput(f"arcs[{index}]", arc, "an arc is a pair [sender, receiver]")
        for node in arc:
            if isinstance(node, Decimal):
                raise InvalidInput(f"arcs[{index}]", str(node), "a node is an integer or a name")
            if isinstance(node, str) and node not in numbers:
                raise InvalidInput(f"arcs[{index}]", node, "there is no node of this name")
        arcs.append(tuple([numbers[node] if isinstance(node, str) else node for node in arc]))
    return arcs


def _from_json(written: str) -> tuple[list[_Node], list[Any]]:
    document = parsed_json(written, "machine")
    if not isinstance(document, dict):
        raise InvalidInput("document", type(document).__name__, 'an object with a list "nodes"')
    for name in document:
        if name not in ("nodes", "arcs"):
            raise InvalidInput("document", name, 'unknown member: there are "nodes" and "arcs"')
    listed = document.get("nodes")
    if not isinstance(listed, list):
        raise InvalidInput("nodes", listed, "a list of objects, the source first")
    nodes = []
    for index, said in enumerate(listed):
        if not isinstance(said, dict):
            raise InvalidInput(f"nodes[{index}]", said, f"an object with {_listed(_COLUMNS[:2])}")
        _refuse_unknown(said, f"nodes[{index}]")
        nodes.append(_Node(f"nodes[{index}]", said))
    if "arcs" not in document:
        return nodes, []
    arcs = document["arcs"]
    if not isinstance(arcs, list) or not arcs:
        raise InvalidInput("arcs", arcs, _NO_ARCS)
    return nodes, arcs


def _from_csv(written: str) -> list[_Node]:
    reader = csv.reader(StringIO(written, newline=""), strict=True)
    header: list[str] = []
    nodes = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            place = f"line {reader.line_num}"
            if not any(cells):
                continue
            if not header:
                header = _header(cells, place)
                if header != cells:
                    nodes.append(_Node(place, {"bandwidth": cells[0]}))
                continue
            if len(cells) != len(header):
                raise InvalidInput(place, cells, f"a line has a value for {_listed(header)}")
            said = {name: cell for name, cell in zip(header, cells, strict=True) if cell}
            nodes.append(_Node(place, said))
    except csv.Error as error:
        raise InvalidInput(f"line {reader.line_num}", str(error), "this is not CSV") from error
    return nodes


def _header(cells: Sequence[str], place: str) -> list[str]:
    """The columns that the first line names, or bandwidths if it is a number."""
    if len(cells) == 1 and cells[0][0] in "+-.0123456789":
        return ["bandwidth"]
    _refuse_unknown(cells, place)
    if len(set(cells)) < len(cells):
        twice = next(cell for cell in cells if cells.count(cell) > 1)
        raise InvalidInput(place, twice, "this column is there twice")
    return list(cells)


def _refuse_unknown(names: Iterable[str], place: str) -> None:
    for name in names:
        if name not in _COLUMNS:
            raise InvalidInput(place, name, f"only {_listed(_COLUMNS)} are known")


def _listed(names: Sequence[str]) -> str:
    """Names for a message.

    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
