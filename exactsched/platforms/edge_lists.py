"""Lists of edges: CSV tables, and sparse matrices in the Matrix Market exchange format."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO

from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.platforms.attributes import Link
from exactsched.platforms.numbered_lines import Lined, platform_of_lines

_ENDS = {"tail": "tail", "head": "head", "source": "tail", "target": "head"}
# A column of this name is an attribute of another name.
_MEANT = {"capacity": "bandwidth"}
_DELIMITERS = (",", ";", "\t")
_KNOWN = ("cost", "bandwidth", "latency", "route")


def from_csv(written: str) -> Platform:
    """A table with a header: columns tail, head, and cost, bandwidth or capacity.

    Every row is one arc, from tail to head; source and target are other names of these columns.  A
    column latency is read as well, others are not.  Commas, semicolons or tabs part the columns,
    the header shows which.  Names of nodes are text.

    Raises `InvalidInput`, with the line.

    >>> print(from_csv("tail,head,cost\\na,b,1/2\\nb,a,0.1\\n").arcs[1].cost)
    1/10
    """
    rows = _rows(written)
    first, header = next(rows, (1, []))
    names = [_ENDS.get(name, _MEANT.get(name, name)) for name in map(str.lower, header)]
    _check_header(first, header, names)
    lined = []
    for line, row in rows:
        if len(row) != len(names):
            rule = f"a row has {len(names)} columns, as the header has"
            raise InvalidInput(f"line {line}", ", ".join(row), rule)
        cells = dict(zip(names, row, strict=True))
        for end in ("tail", "head"):
            if not cells[end]:
                raise InvalidInput(f"line {line}, {end}", "", "a node has a name")
        attributes = {name: cells[name] for name in _KNOWN if cells.get(name)}
        lined.append(Lined(line, Link(cells["tail"], cells["head"], True, attributes)))
    return platform_of_lines({}, lined)


def _rows(written: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, with the lines they end in, without spaces around cells."""
    header = written.lstrip().partition("\n")[0]
    delimiter = max(_DELIMITERS, key=header.count)
    reader = csv.reader(StringIO(written, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, [cell.strip() for cell in row]
    except csv.Error as error:
        raise InvalidInput(f"line {reader.line_num}", str(error), "this is not CSV") from None


def _check_header(line: int, header: list[str], names: list[str]) -> None:
    place, shown = f"line {line}, header", ", ".join(header)
    costs = {"cost", "bandwidth"}.intersection(names)
    if not {"tail", "head"} <= set(names) or not costs:
        rule = "the first line names the columns: tail, head, and cost, bandwidth or capacity"
        raise InvalidInput(place, shown, rule)
    again = [name for name in names if names.count(name) > 1]
    if again:
        raise InvalidInput(place, shown, f"two columns mean the same: {again[0]}")


_BANNER = re.compile(r"%%MatrixMarket\s+matrix\s+(\S+)\s+(\S+)\s+(\S+)\s*", re.I)
_SYMMETRIES = {"general": True, "symmetric": False}
_FIELDS = ("integer", "real", "pattern")


def from_matrix_market(written: str) -> Platform:
    """A square matrix of coordinates: the entry of row i and column j is the cost of i->j.

    Nodes are the numbers 1, 2, ... of rows and columns.  In a symmetric matrix an entry stands for
    two arcs; in one of the field pattern all costs are 1.  Entries on the diagonal are refused.

    Raises `InvalidInput`, with the line.  Reference: Boisvert, Pozo and Remington, NISTIR 5935.

    >>> banner = "%%MatrixMarket matrix coordinate real symmetric\\n"
    >>> print(from_matrix_market(banner + "2 2 1\\n2 1 0.1\\n"))
    Platform(2 nodes, 2 arcs)
    """
    lines = [(number, line) for number, line in enumerate(written.splitlines(), 1) if line.strip()]
    directed, pattern = _banner(*(lines[0] if lines else (1, "")))
    entries = [(number, line.split()) for number, line in lines if not line.startswith("%")]
    if not entries:
        raise InvalidInput("line 1", "no entries", "a line with rows, columns and entries follows")
    at, sizes = entries[0]
    if len(sizes) != 3 or not all(_is_count(size) for size in sizes) or sizes[0] != sizes[1]:
        rule = "rows, columns and entries; a platform has as many rows as columns"
        raise InvalidInput(f"line {at}", " ".join(sizes), rule)
    size, count = int(sizes[0]), int(sizes[2])
    if len(entries) - 1 != count:
        rule = f"line {at} says that there are {count} entries"
        raise InvalidInput(f"line {entries[-1][0]}", len(entries) - 1, rule)
    lined = []
    for number, cells in entries[1:]:
        if len(cells) != (2 if pattern else 3):
            rule = "an entry is a row, a column" + ("" if pattern else ", and a value")
            raise InvalidInput(f"line {number}", " ".join(cells), rule)
        for cell in cells[:2]:
            if not _is_count(cell) or not 1 <= int(cell) <= size:
                raise InvalidInput(f"line {number}", cell, f"a number from 1 to {size}")
        cost = "1" if pattern else cells[2]
        lined.append(Lined(number, Link(int(cells[0]), int(cells[1]), directed, {"cost": cost})))
    return platform_of_lines({node: {} for node in range(1, size + 1)}, lined)


def _banner(line: int, written: str) -> tuple[bool, bool]:
    """Whether an entry is one arc, and whether all costs are 1."""
    banner = _BANNER.fullmatch(written)
    kind, field, symmetry = (part.lower() for part in banner.groups()) if banner else ("", "", "")
    if kind != "coordinate" or field not in _FIELDS or symmetry not in _SYMMETRIES:
        rule = (
            "a file begins with %%MatrixMarket matrix coordinate, then integer, real or pattern,"
            " then general or symmetric"
        )
        raise InvalidInput(f"line {line}", written[:80], rule)
    return _SYMMETRIES[symmetry], field == "pattern"


def _is_count(written: str) -> bool:
    return written.isascii() and written.isdigit() and len(written) < 10
