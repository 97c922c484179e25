"""The tables of members in the pages of the formats, made of the records and their docstrings.

    python -m exactsched.certificate.members proofs/*.md

rewrites the tables in these pages.  A table stands between `<!-- members: NAME -->`, NAME being a
kind or the class of a record within one, and `<!-- end of members -->`.  What a member means is
said in the docstring of the record, in lines such as

    - `source`, `sink`: two different nodes
"""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from inspect import getdoc
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from exactsched.certificate.kinds import KINDS, record_of
from exactsched.certificate.model_documents import DOCUMENTS
from exactsched.certificate.rules import Index
from exactsched.certificate.shapes import columns, optional_names
from exactsched.exact.rational import Rational, to_json
from exactsched.model.platform import Node

# Of one value, and of several.
_WORDS: Final[dict[Any, tuple[str, str]]] = {
    int: ("integer", "integers"),
    Rational: ("rational", "rationals"),
    Fraction: ("rational", "rationals"),
    Node: ("node", "nodes"),
    str: ("text", "texts"),
    bool: ("true or false", "truth values"),
}
_BULLET: Final = re.compile(r"^- (`\w+`(?:, `\w+`)*): ((?:.|\n(?!- |\n))*)", re.MULTILINE)
_TABLE: Final = re.compile(r"(<!-- members: (\S+) -->\n).*?(<!-- end of members -->)", re.DOTALL)


def with_tables(page: str) -> str:
    """The page with all its tables as the records say.

    >>> made = with_tables("<!-- members: unmet-demand -->\\n<!-- end of members -->")
    >>> made.splitlines()[3]
    '| `size` | integer > 0 | the number of nodes |'
    """

    def again(found: re.Match[str]) -> str:
        return f"{found[1]}{table(_named(found[2]), _heading(found[2]))}{found[3]}"

    return _TABLE.sub(again, page)


def _heading(name: str) -> str:
    return "member" if name in KINDS else f"member of `{name}`"


def table(record: Any, heading: str) -> str:
    """The table of the members of a record, and what the rows in it are."""
    hints = get_type_hints(record, include_extras=True)
    said = meanings(record)
    lines = [f"| {heading} | value | |", "|---|---|---|"]
    tag = getattr(record, "TAG", None)
    if tag is not None:
        lines.append(f'| `{tag[0]}` | `"{tag[1]}"` | |')
    listed: set[str] = set()
    for field in fields(record):
        if field.name not in listed:
            names, meaning = said[field.name]
            listed.update(names)
            called = ", ".join(f"`{name}`" for name in names)
            whole = meaning.replace("|", "\\|")
            may = ", or missing" if field.name in optional_names(record) else ""
            lines.append(f"| {called} | {_words(hints[field.name])}{may} | {whole} |")
    rows = dict.fromkeys(row for name in hints for row in _rows_in(hints[name]))
    if rows:
        lines += ["", "The rows:", ""]
    for row in rows:
        shape = columns(row)
        named = zip(shape.names, shape.types, strict=True)
        kinds = ", ".join(f"`{name}` {_words(kind)}" for name, kind in named)
        meaning = " ".join((getdoc(row) or "").split()) + _left_out(row)
        lines.append(f"- `[{', '.join(shape.names)}]` ({kinds}): {meaning}")
    return "\n".join(lines) + "\n"


def _default(value: Any) -> str:
    if value is None:
        return "null"
    return "an empty list" if value == () else str(to_json(value))


def _left_out(row: Any) -> str:
    """Which columns at the end a row may do without."""
    defaults = getattr(row, "_field_defaults", {})
    return "".join(
        f" Without `{name}` the row has {_default(value)} there."
        for name, value in defaults.items()
    )


def meanings(record: Any) -> dict[str, tuple[tuple[str, ...], str]]:
    """For every member all members that have their meaning in common, and this meaning."""
    found = {}
    for bullet in _BULLET.finditer(getdoc(record) or ""):
        names = tuple(re.findall(r"\w+", bullet[1]))
        found.update(dict.fromkeys(names, (names, " ".join(bullet[2].split()))))
    return found


def _named(name: str) -> Any:
    """The record of a kind, or the class of a record that is part of one."""
    if name in KINDS:
        return record_of(name)
    for described, document in DOCUMENTS.items():
        if described.__name__ == name:
            return document.record
    folder = __name__.rpartition(".")[0]
    for kind in KINDS:
        record_of(kind)  # loads the module of the kind, and those of its parts
    for module in [one for place, one in sys.modules.items() if place.startswith(folder)]:
        if isinstance(getattr(module, name, None), type):
            return getattr(module, name)
    raise ValueError(f"{name} is neither a kind nor a record")


def _words(kind: Any, several: bool = False) -> str:
    origin, parts = get_origin(kind), get_args(kind)
    if kind in _WORDS:
        return _WORDS[kind][several]
    if origin is Annotated:
        base, says = parts
        if isinstance(says, Index):
            return f"{says.noun}s" if several else says.noun
        return f"{_words(base, several)} {says.words}"
    if origin is Literal:
        *others, last = [f'`"{part}"`' for part in parts]
        return f"{', '.join(others)} or {last}" if others else last
    if origin in (Union, types.UnionType):
        return " or ".join("null" if part is types.NoneType else _words(part) for part in parts)
    if is_dataclass(kind):
        return f"`{kind.__name__}`"  # type: ignore[union-attr]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"object of {_words(parts[1], several=True)}"
    if parts[1:] == (...,):
        return f"{'lists' if several else 'list'} of {_words(parts[0], several=True)}"
    if origin is tuple:
        return f"`[{', '.join(_words(part) for part in parts)}]`"
    return f"`[{', '.join(columns(kind).names)}]`"


def _rows_in(kind: Any) -> Iterator[Any]:
    """The classes of rows in a type, and in these rows."""
    if isinstance(kind, type) and issubclass(kind, tuple) and get_origin(kind) is None:
        yield kind
        for part in columns(kind).types:
            yield from _rows_in(part)
    for part in get_args(kind):
        yield from _rows_in(part)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        before = path.read_text(encoding="utf-8")
        after = with_tables(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
