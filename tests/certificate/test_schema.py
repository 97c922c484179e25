"""Every kind, by the types of its record: round trips, the schema, the tables of the pages."""

from __future__ import annotations

import json
import traceback
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate import parse, read_certificate, to_document
from exactsched.certificate.codec import read, write
from exactsched.certificate.kinds import KINDS, kind_of, record_of
from exactsched.certificate.members import meanings, with_tables
from exactsched.certificate.model_documents import DOCUMENTS
from exactsched.certificate.rules import Sign
from exactsched.certificate.schema import FILE, schema, text
from exactsched.certificate.shapes import columns, member_names
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import Rational
from exactsched.model.alltoall_among import AlltoallAmong
from exactsched.model.machine import LogP, MultiPort
from exactsched.model.parts import Block
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Allgather, Alltoall, Broadcast, Combination, Reduction
from exactsched.strategies import allgathers, alltoalls, broadcasts, platforms, reductions

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "corpus"
VALIDATOR = jsonschema.Draft202012Validator(schema())

integers = st.integers(-(2**60), 2**60) | st.sampled_from([2**53 - 1, 2**53, -(2**53), 10**4200])
rationals = integers | st.builds(
    lambda over, under: Fraction(over, 2 * under + 1) + Fraction(1, 2), integers, st.integers(1, 99)
)
positive = rationals.filter(bool).map(abs)
ELEMENTS: dict[Any, st.SearchStrategy[Any]] = {
    int: integers,
    Rational: rationals,
    Fraction: rationals.map(Fraction),
    str: st.text(max_size=3),
    bool: st.booleans(),
    Node: st.text(max_size=3) | st.integers(-(2**53) + 1, 2**53 - 1),
    type(None): st.none(),
    Platform: platforms(),
    Broadcast: broadcasts(),
    Alltoall: alltoalls(),
    Allgather: allgathers(),
    AlltoallAmong: platforms().map(lambda made: AlltoallAmong(made, made.nodes, Fraction(2, 3))),
    Combination: platforms().map(
        lambda made: Combination(
            made,
            (Block(Fraction(1), made.nodes), Block(Fraction(2), made.nodes[-1:], made.nodes[0])),
            "link",
        )
    ),
    Reduction: reductions(),
    LogP: st.builds(LogP, positive, rationals.map(abs), positive, st.integers(1, 10**20)),
    MultiPort: st.just(MultiPort([2, "1/3", 1], [2, 1, 0], [1, 2, 3], [(0, 1), (1, 2)], "abc")),
}


@cache
def values(kind: Any) -> st.SearchStrategy[Any]:
    """Anything of a type; records are not validated as they are made."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in ELEMENTS:
        return ELEMENTS[kind]
    if origin is Annotated:
        base, says = parts
        if isinstance(says, Sign):
            return values(base).map(abs).filter(lambda n: n or not says.positive)
        return st.integers(0, 2**60)
    if origin is Literal:
        return st.sampled_from(parts)
    if origin in (Union, types.UnionType):
        return st.one_of(*map(values, parts))
    if is_dataclass(kind):
        return st.deferred(lambda: _records(kind))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return st.dictionaries(st.text(max_size=3), values(parts[1]), max_size=3)
    if parts[1:] == (...,):
        return st.lists(values(parts[0]), max_size=3).map(tuple)
    columned = st.tuples(*map(values, columns(kind).types))
    return columned if origin is tuple else columned.map(kind._make)


def _records(record: Any) -> st.SearchStrategy[Any]:
    hints = get_type_hints(record, include_extras=True)
    return st.builds(record, **{field.name: values(hints[field.name]) for field in fields(record)})


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
def test_what_is_written_is_read_again_and_fits_the_schema(kind: str, data: st.DataObject) -> None:
    record = record_of(kind)
    stated = data.draw(values(record))
    document = to_document(stated)
    assert document["kind"] == kind == kind_of(type(stated))
    VALIDATOR.validate(document)
    document = json.loads(json.dumps(document))
    hints = get_type_hints(record, include_extras=True)
    for field in fields(record):
        value = getattr(stated, field.name)
        assert write(hints[field.name], value) == document[field.name]
        if not _validates_within(hints[field.name]):
            assert read(hints[field.name], document[field.name], field.name) == value
            shape = get_args(hints[field.name])
            if shape[1:] == (...,) and hasattr(shape[0], "_fields"):
                back = read(hints[field.name], document[field.name], field.name)
                assert {*map(type, back)} <= {shape[0]}


def _validates_within(kind: Any) -> bool:
    parts = get_args(kind)
    return hasattr(kind, "validate") or any(map(_validates_within, parts))


# The schema.


def test_the_schema_is_current() -> None:
    """If not: `python -m exactsched.certificate.schema --write`."""
    assert FILE.read_text(encoding="utf-8") == text()
    jsonschema.Draft202012Validator.check_schema(schema())


def test_members_of_the_schema_are_the_fields() -> None:
    for kind in KINDS:
        defined = schema()["$defs"][kind]
        assert defined["required"] == list(member_names(record_of(kind))), kind
        assert list(defined["properties"]) == ["format", "version", "kind", *defined["required"]]


BAD = [path for path in sorted((CORPUS / "malformed").rglob("*.json")) if path.stem != "a-list"]


@pytest.mark.parametrize("path", BAD, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_schema_refuses_what_the_types_refuse(path: Path) -> None:
    """Only what a record refuses by its own rules may fit the schema."""
    try:
        document = read_certificate(path)
    except Malformed:
        return  # no JSON in UTF-8, or numbers that no document has
    if document.get("kind") not in KINDS:
        return
    with pytest.raises(Malformed) as caught:
        parse(document)
    refusing = Path(traceback.extract_tb(caught.value.__traceback__)[-1].filename)
    if refusing.name in ("codec.py", "elements.py"):
        assert not VALIDATOR.is_valid(document)


# The pages.


@pytest.mark.parametrize("page", sorted((ROOT / "proofs").glob("*.md")), ids=lambda path: path.stem)
def test_the_tables_of_members_are_current(page: Path) -> None:
    """If not: `python -m exactsched.certificate.members proofs/*.md`."""
    written = page.read_text(encoding="utf-8")
    assert with_tables(written) == written


def _records_in(kind: Any) -> Iterator[tuple[str, Any]]:
    """The records in a type, by the names of their tables."""
    record = DOCUMENTS[kind].record if isinstance(kind, type) and kind in DOCUMENTS else kind
    if is_dataclass(record) and isinstance(kind, type):
        yield kind.__name__, record
    elif hasattr(kind, "_fields"):
        for part in columns(kind).types:
            yield from _records_in(part)
    else:
        for part in get_args(kind):
            yield from _records_in(part)


def _all_records() -> dict[str, Any]:
    """Every record of a document by the name of its table."""
    found = {kind: record_of(kind) for kind in KINDS}
    pending = list(found.values())
    while pending:
        hints = get_type_hints(pending.pop(), include_extras=True)
        for hint in hints.values():
            for name, record in _records_in(hint):
                if name not in found:
                    found[name] = record
                    pending.append(record)
    return found


RECORDS = _all_records()


def test_the_records_are_found_inside_of_each_other() -> None:
    assert RECORDS.keys() > {"Platform", "Reduction", "PeriodicSchedule", "Structure", "Case"}
    assert RECORDS.keys() > {"SplitOnCycle", "MultiPort", "LogP", "OccupancyProof", "CaseProof"}


@pytest.mark.parametrize("name", RECORDS)
def test_every_record_has_one_table_and_every_member_its_meaning(name: str) -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "proofs").glob("*.md"))
    assert pages.count(f"<!-- members: {name} -->") == 1
    record = RECORDS[name]
    assert set(meanings(record)) == {field.name for field in fields(record)}
