"""The codec reads and writes by types: toy records for each type it knows, and what it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, NamedTuple

import pytest

from exactsched.certificate.codec import codec, read, write
from exactsched.certificate.rules import Count, Rows
from exactsched.certificate.shapes import member_names
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.exact.rational import Rational
from exactsched.model.machine import LogP, MultiPort
from exactsched.model.platform import Node, Platform


class Slot(NamedTuple):
    place: int
    start: int
    end: int


class Weighted(NamedTuple):
    weight: Rational
    arcs: tuple[int, ...]


class Sometimes(NamedTuple):
    node: Node
    number: int = 1
    factor: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class Cuts:
    """A leaf."""

    TAG: ClassVar = ("proof", "cuts")
    prices: Mapping[str, Rational]

    def validate(self) -> None:
        for name, price in self.prices.items():
            if price < 0:
                raise InvalidInput(f"prices.{name}", price, "a price is not negative")


@dataclass(frozen=True, slots=True)
class Split:
    """A node of a tree of proofs."""

    TAG: ClassVar = ("proof", "split")
    cases: tuple[Proof, ...]


Proof = Cuts | Split


@dataclass(frozen=True, slots=True)
class Everything:
    """One field for each type."""

    whole: int
    number: Rational
    fraction: Fraction
    words: str
    truth: bool
    model: Literal["one-port", "link"]
    node: Node
    indices: tuple[int, ...]
    pair: tuple[int, str]
    slots: tuple[Slot, ...]
    trees: tuple[Weighted, ...]
    tasks: tuple[tuple[int, ...], ...]
    rows: tuple[Sometimes, ...]
    machine: LogP
    platform: Platform
    names: Mapping[str, int]
    left_out: Weighted | None
    proof: Proof | None


PLATFORM = Platform(["a", 1], [("a", 1, "1/2"), (1, "a", 3, 2)])
DOCUMENT: dict[str, Any] = {
    "whole": "9007199254740992",
    "number": 3,
    "fraction": "1/3",
    "words": "text",
    "truth": True,
    "model": "link",
    "node": "a",
    "indices": [1, 2],
    "pair": [1, "x"],
    "slots": [[0, 0, 1], [1, 0, 2]],
    "trees": [["1/2", [0, 1]], [2, []]],
    "tasks": [[0, 1], [3, 0, 1, 2], []],
    "rows": [["a"], ["b", 2], [3, 1, "1/2"]],
    "machine": {"L": 1, "o": 0, "g": "1/2", "P": 2},
    "platform": {"nodes": ["a", 1], "arcs": [["a", 1, "1/2"], [1, "a", 3, 2]]},
    "names": {"x": 1},
    "left_out": None,
    "proof": {
        "proof": "split",
        "cases": [{"proof": "cuts", "prices": {"send:a": "1/2"}}, {"proof": "split", "cases": []}],
    },
}
RECORD = Everything(
    2**53,
    3,
    Fraction(1, 3),
    "text",
    True,
    "link",
    "a",
    (1, 2),
    (1, "x"),
    (Slot(0, 0, 1), Slot(1, 0, 2)),
    (Weighted(Fraction(1, 2), (0, 1)), Weighted(2, ())),
    ((0, 1), (3, 0, 1, 2), ()),
    (Sometimes("a"), Sometimes("b", 2), Sometimes(3, 1, Fraction(1, 2))),
    LogP(1, 0, "1/2", 2),
    PLATFORM,
    {"x": 1},
    None,
    Split((Cuts({"send:a": Fraction(1, 2)}), Split(()))),
)


def test_every_type_is_written_and_read() -> None:
    assert write(Everything, RECORD) == DOCUMENT
    assert read(Everything, DOCUMENT, "") == RECORD
    assert list(write(Proof, RECORD.proof)) == ["proof", "cases"]
    assert member_names(Split) == ("proof", "cases")
    back = read(Everything, DOCUMENT, "")
    assert {type(slot) for slot in back.slots} == {Slot}
    assert type(back.trees[0]) is Weighted
    assert type(back.fraction) is Fraction
    machine = MultiPort([2, 1, 1], [2, 1, 1], [1, 1, 1], [(0, 1)], "abc")
    assert read(MultiPort, write(MultiPort, machine), "") == machine


@pytest.mark.parametrize(
    ("path", "value", "place", "rule"),
    [
        ((), [], "document", "an object with whole, number"),
        (("whole",), 2**53, "whole", "integers from 2^53 are strings"),
        (("whole",), "1/2", "whole", "an integer is needed here"),
        (("number",), 0.5, "number", "in plain digits"),
        (("model",), "half", "model", "one of one-port, link is needed here"),
        (("node",), 1.5, "node", "a node is a string or an integer below 2^53"),
        (("indices", 1), "x", "indices[1]", "in plain digits"),
        (("indices",), 1, "indices", "a list is needed here"),
        (("pair",), [1], "pair", "a row is [integer, text]"),
        (("pair", 1), 1, "pair[1]", "text is needed here"),
        (("slots", 1), [1, 2], "slots[1]", "a row is [place, start, end]"),
        (("slots", 1, 2), None, "slots[1][2]", "in plain digits"),
        (("trees", 0, 1, 1), None, "trees[0][1][1]", "in plain digits"),
        (("tasks", 1, 3), None, "tasks[1][3]", "in plain digits"),
        (("rows", 0), [], "rows[0]", "[node, number, factor] or without number or without factor"),
        (("rows", 2, 2), None, "rows[2][2]", "in plain digits"),
        (("machine", "g"), 0, "machine.g", "the gap is positive"),
        (("platform", "arcs", 0, 2), 0, "platform: arc 0 (a->1), cost", "a cost is positive"),
        (("platform", "arcs", 0, 2), None, "platform.arcs[0][2]", "in plain digits"),
        (("platform", "nodes"), [], "platform: nodes", "at least one node"),
        (("names",), [], "names", "an object is needed here"),
        (("names", "x"), "a", "names.x", "in plain digits"),
        (("left_out",), 1, "left_out", "a row is [weight, arcs]"),
        (("proof",), {}, "proof", "the member 'proof' is missing"),
        (("proof",), 1, "proof", "an object with proof is needed"),
        (("proof", "proof"), "sky", "proof.proof", "one of cuts, split is needed here"),
        (("proof", "cases", 0, "prices", "send:a"), -1, "proof.cases[0].prices.send:a", "negative"),
        (("proof", "cases", 0, "costs"), {}, "proof.cases[0]", "unknown member"),
    ],
)
def test_errors_name_place_and_rule(
    path: tuple[Any, ...], value: object, place: str, rule: str
) -> None:
    document = _changed(DOCUMENT, path, value)
    with pytest.raises(Malformed) as caught:
        read(Everything, document, "")
    assert caught.value.place == place
    assert rule in caught.value.rule
    if path:
        with pytest.raises(Malformed) as caught:
            read(Everything, document, "problem")
        assert caught.value.place == f"problem.{place}"


def test_rows_of_integers_are_read_with_their_columns() -> None:
    rows = read(tuple[Slot, ...], [[0, 1, 2], [3, 4, 6]], "")
    assert type(rows) is Rows
    assert rows == (Slot(0, 1, 2), Slot(3, 4, 6))
    assert [*map(type, rows)] == [Slot, Slot]
    assert rows.columns == [[0, 3], [1, 4], [2, 6]]
    assert [column.extremes for column in rows.columns] == [(0, 3), (1, 4), (2, 6)]
    for row in ([0, 1, True], [0, 1, "x"], [0, 1, 2**53], [0, 1], [0, 1, 2, 3]):
        with pytest.raises(Malformed, match=r"slots\[1\]"):
            read(tuple[Slot, ...], [[0, 1, 2], row], "slots")
    long = read(tuple[Slot, ...], [[0, 1, str(2**53)], [1, 2, 3]], "")
    assert long.columns == [[0, 1], [1, 2], [2**53, 3]]
    short = read(tuple[Sometimes, ...], [[5], [6]], "")
    assert short == (Sometimes(5), Sometimes(6))
    assert short.columns == [[5, 6], [1, 1], [Fraction(1)] * 2]
    signed = tuple[tuple[int, Count], ...]
    assert type(read(signed, [[-1, 1], [0, 2]], "")) is Rows
    with pytest.raises(Malformed, match=r"\[1\]\[1\]"):
        read(signed, [[-1, 1], [1, 0]], "")


@pytest.mark.parametrize("kind", [int, Fraction, Rational])
def test_an_integer_among_texts_has_the_limit_of_integers(kind: Any) -> None:
    """Longer ones are costly to tell apart: whoever writes them can make their hashes equal."""
    long = "9" * 20
    assert read(tuple[kind, ...], [long, 2**53 - 1], "") == (int(long), 2**53 - 1)
    for integer in (2**53, -(2**53)):
        with pytest.raises(Malformed) as caught:
            read(tuple[kind, ...], [long, integer], "numbers")
        assert caught.value.place == "numbers[1]"
        assert caught.value.rule.startswith("integers from 2^53 are strings")


def _changed(document: Any, path: tuple[Any, ...], value: object) -> Any:
    if not path:
        return value
    if isinstance(document, list):
        return [
            _changed(part, path[1:], value) if index == path[0] else part
            for index, part in enumerate(document)
        ]
    return {**document, path[0]: _changed(document.get(path[0]), path[1:], value)}


def test_a_part_that_is_not_of_its_type_is_written_for_the_reader_to_refuse() -> None:
    for kind, value in (
        (tuple[int, ...], 7),
        (tuple[Slot, ...], ((1, 2),)),
        (Slot, (1, 2)),
        (Proof, 7),
        (Cuts, 7),
        (Platform, 7),
        (Mapping[str, int], 7),
        (Weighted | None, 7),
        (Rational, 0.5),
    ):
        written = write(kind, value)
        with pytest.raises(Malformed):
            read(kind, written, "")


def test_a_single_record_with_a_tag_refuses_another_tag() -> None:
    with pytest.raises(Malformed, match="one of cuts is needed here"):
        read(Cuts, {"proof": "split", "prices": {}}, "")


def test_nesting_has_an_end() -> None:
    proof: Proof = Split(())
    document: dict[str, Any] = {"proof": "split", "cases": []}
    for _ in range(100):
        proof, document = Split((proof,)), {"proof": "split", "cases": [document]}
    assert write(Proof, proof) == document
    assert read(Proof, document, "") == proof
    for _ in range(3000):
        proof, document = Split((proof,)), {"proof": "split", "cases": [document]}
    with pytest.raises(Malformed, match="nested too deeply"):
        write(Proof, proof)
    with pytest.raises(Malformed, match="nested too deeply"):
        read(Proof, document, "bound")


def test_types_that_no_document_has_are_refused_when_a_record_is_written() -> None:
    for kind in (float, Mapping[int, int], Cuts | LogP, set[int], bytes):
        with pytest.raises(TypeError):
            codec(kind)
