"""A record that is checked as it is says what its document says, whatever it holds."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.certificate import parse, to_document
from exactsched.certificate.collectives import Structure
from exactsched.certificate.overlay import Overlay, OverlayArc, Piece
from exactsched.certificate.restated import _many, _of_long_rows, restated
from exactsched.certificate.rules import Count, Lists, Natural, Positive, Rows, in_pieces
from exactsched.check import check
from exactsched.exact.errors import InvalidInput, Malformed, Rejected
from exactsched.exact.rational import Fractions, Rational
from exactsched.model.machine import MultiPort
from exactsched.overlay.augmented import augmented_overlay
from tests.check.refusals.broadcasts import accepted, files

FOLDERS = ("by-symmetry", "collectives", "logp", "min-max", "overlay", "rounds")
NAMES = [
    *files("accepted"),
    *(f"{folder}/{name}" for folder in FOLDERS for name in files(f"accepted/{folder}")),
]
# Numbers of more than a thousand bits, whose reading is counted.
LONG = {"long-numbers"}


def made_of(over: int, under: int) -> Fraction:
    """A fraction as no arithmetic makes it."""
    number = Fraction(1, 2)
    number._numerator, number._denominator = over, under  # type: ignore[attr-defined]
    return number


def half_of_numpy() -> Fraction:
    """A half of integers that overflow: `Fraction` keeps those that it is given."""
    return Fraction(numpy.int64(1), numpy.int64(2))


class Text(str):
    """Equal to a text, and not what a reader makes."""


UNUSUAL: tuple[Any, ...] = (
    *(True, 0, 1, -1, 2**53, 2**1100, 1.0, None, "any", Text("any"), "x", "1/2"),
    *(Fraction(2), Fraction(-1, 2), Fraction(1, 2**1100), made_of(2, 4), half_of_numpy()),
    *((), (1,), [1], {}, {1: 2}),
)


@cache
def record_of(name: str) -> Any:
    return parse(accepted(name))


@pytest.mark.parametrize("name", NAMES)
def test_accepted_records_are_restated(name: str) -> None:
    record = record_of(name)
    again = restated(record)
    assert (again is None) == (name in LONG)
    if again is not None:
        assert again == record
        assert types_of(again) == types_of(record)


def types_of(value: Any) -> Any:
    if is_dataclass(value):
        return type(value), [types_of(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, Rows):
        assert [*zip(*value.columns, strict=True)] == [*map(tuple, value)]
        return tuple, [*map(types_of, value)]
    if isinstance(value, Lists):
        assert [*value.rows] == [row for rows in value for row in rows]
        return tuple, [*map(types_of, value)]
    if isinstance(value, Fractions):
        assert [*map(Fraction, value.numerators, value.denominators)] == [*value]
        return tuple, [*map(types_of, value)]
    if isinstance(value, (tuple, list)):
        return type(value), [*map(types_of, value)]
    if isinstance(value, dict):
        return dict, [*map(types_of, value.values())]
    return type(value)


def places(value: Any, put: Callable[[Any], Any]) -> Iterator[Callable[[Any], Any]]:
    """For each part of a value: what makes the whole from another part in its place."""
    yield put
    if is_dataclass(value):
        for field in fields(value):

            def of_field(part: Any, name: str = field.name) -> Any:
                other = copy.copy(value)
                object.__setattr__(other, name, part)
                return put(other)

            yield from places(getattr(value, field.name), of_field)
    elif isinstance(value, tuple):
        for index in range(min(len(value), 3)):

            def of_row(part: Any, index: int = index) -> Any:
                return put(tuple.__new__(type(value), (*value[:index], part, *value[index + 1 :])))

            yield from places(value[index], of_row)
        yield lambda _: put(tuple.__new__(type(value), (*value, *value[:1])))
        yield lambda _: put(list(value))
    elif isinstance(value, dict):
        for name in value:

            def of_member(part: Any, name: Any = name) -> Any:
                return put(value | {name: part})

            yield from places(value[name], of_member)
        yield lambda _: put({Text(name): member for name, member in value.items()})
        yield lambda _: put(value | {7: 1})


@cache
def places_of(name: str) -> list[Callable[[Any], Any]]:
    return list(places(record_of(name), lambda whole: whole))[1:]


def outcome(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except (InvalidInput, Malformed, Rejected) as error:
        return type(error), error.place, error.value, error.rule
    except (TypeError, ValueError, AttributeError) as error:
        return type(error)


@settings(max_examples=1500)
@given(st.sampled_from(NAMES), st.randoms(use_true_random=False), st.sampled_from(UNUSUAL))
def test_unusual_records_are_what_their_documents_say(
    name: str, chance: random.Random, part: Any
) -> None:
    record = chance.choice(places_of(name))(part)
    again = outcome(lambda: restated(record))
    if again is not None:  # where it is, the document is asked
        said = outcome(lambda: parse(to_document(record)))
        assert again == said
        assert types_of(again) == types_of(said)


@pytest.mark.parametrize("kind", [Fraction, Rational])
@pytest.mark.parametrize(
    "number",
    [made_of(*pair) for pair in ((2, 4), (numpy.int64(1), 2), (1, numpy.int64(2)), (-1, -2))],
)
def test_fractions_that_no_reader_makes_are_for_the_document(kind: Any, number: Fraction) -> None:
    read = _many(tuple[kind, ...])
    assert read([(Fraction(1, 3), made_of(1, 2))]) is not None
    assert read([(Fraction(1, 3), number)]) is None


def test_a_whole_fraction_is_read_as_an_integer() -> None:
    assert _many(tuple[Rational, ...])([(1, Fraction(2))]) is None
    assert _many(tuple[Fraction, ...])([(Fraction(1), Fraction(2))]) is not None


def test_checked_as_the_document() -> None:
    """The same refusal, with its place, where the numbers of a record are no numbers."""
    overlay = augmented_overlay(MultiPort([Fraction(1, 2), Fraction(1, 3)] * 5000, [1] * 10_000))
    assert check(overlay) == check(overlay.certificate())
    for position in (0, 4096, 9999):
        arcs = list(overlay.arcs)
        arcs[position] = arcs[position]._replace(receiver=True)  # type: ignore[arg-type]
        wrong = copy.copy(overlay)
        object.__setattr__(wrong, "arcs", tuple(arcs))
        with pytest.raises(Malformed, match=rf"arcs\[{position}\]\[1\]") as caught:
            check(wrong)
        assert caught.value.value is True


@pytest.mark.parametrize("rate", [Fraction(2**1100), Fraction(1, 2**1100)])
def test_long_numbers_are_counted_where_they_are_read(rate: Fraction) -> None:
    assert restated(augmented_overlay(MultiPort([rate, 1], [1, 0]))) is None


def test_a_machine_that_was_checked_is_restated() -> None:
    """With what its fractions consist of, whatever stands there."""
    overlay = augmented_overlay(MultiPort([Fraction(3, 2), 1], [1, 0]))
    machine = check(overlay).machine
    machine.bandwidths.numerators[0] = 7
    assert restated(replace(overlay, machine=machine)) == overlay
    assert check(replace(overlay, machine=machine)) == check(overlay)


def test_names_of_members_are_texts() -> None:
    """One that only equals the name of a resource is for the document."""
    series = record_of("odd-set")
    spoiled = copy.copy(series)
    prices = {Text(name): price for name, price in series.proof.prices.items()}
    object.__setattr__(spoiled, "proof", replace(series.proof, prices=prices))
    assert restated(series) == series
    assert restated(spoiled) is None


def test_fractions_of_other_integers_are_for_the_document() -> None:
    """Sums of them wrap around."""
    overlay = augmented_overlay(MultiPort([1, 1], [1, 1]))
    assert restated(overlay) == overlay
    wrong = replace(overlay, bound=Fraction(numpy.int64(1), numpy.int64(1)))
    assert wrong == overlay
    assert restated(wrong) is None
    for number in (wrong.bound, half_of_numpy()):
        with pytest.raises(Malformed, match=r"bound: .*not an integer"):
            check(replace(overlay, bound=number))


def test_another_class_of_the_name_of_a_record() -> None:
    """It says itself what it demands; its document is read as that of the record."""
    overlay = augmented_overlay(MultiPort([1, 1], [1, 1]))
    said = {"__module__": Overlay.__module__, "__slots__": (), "validate": lambda _: None}
    other = type("Overlay", (Overlay,), said)
    members = {field.name: getattr(overlay, field.name) for field in fields(overlay)}
    nothing = (OverlayArc(0, 1, (Piece(0, 0), Piece(0, 1))),)
    for arcs in (overlay.arcs, nothing):
        assert restated(other(**members | {"arcs": arcs})) is None
    with pytest.raises(Malformed, match=r"arcs\[0\]\[2\]\[0\]"):
        check(other(**members | {"arcs": nothing}))


def kept_in(value: Any) -> Iterator[Any]:
    """The lists in a value with which something is kept."""
    if isinstance(value, (Rows, Lists, Fractions)):
        yield value
    if is_dataclass(value):
        value = tuple([getattr(value, field.name) for field in fields(value)])
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from kept_in(part)
    elif isinstance(value, dict):
        yield from kept_in([*value.values()])


@pytest.mark.parametrize("name", sorted({*NAMES} - {*LONG}))
def test_what_is_kept_with_a_list_is_not_believed(name: str) -> None:
    as_read = parse(accepted(name))
    for record in (as_read, restated(as_read)):
        wrong = [*kept_in(record)]
        for one in wrong:
            one.rows = one.columns = one.numerators = one.denominators = ()
        again = restated(record)
        assert again == record
        assert types_of(again) == types_of(restated(record_of(name)))
        assert not {*map(id, wrong)} & {*map(id, kept_in(again))}


@pytest.mark.parametrize(
    ("kind", "kept", "element"),
    [(tuple[tuple[int, int], ...], Rows, (1, 2)), (tuple[Fraction, ...], Fractions, Fraction(1))],
)
def test_nor_where_there_are_several(kind: Any, kept: Any, element: Any) -> None:
    wrong = [kept([element]), kept([element, element])]
    again = _many(kind)(wrong)
    assert [*again] == wrong
    assert [*map(type, again)] == [tuple, tuple]


def test_fractions_that_are_one_object() -> None:
    """One of them is taken apart."""
    third = Fraction(1, 3)
    (made,) = _many(tuple[Fraction, ...])([(third,) * 3])
    assert (made, made.numerators, made.denominators) == ((third,) * 3, [1] * 3, [3] * 3)
    for wrong in (made_of(2, 4), made_of(1, -2), half_of_numpy(), Fraction(1, 2**1100)):
        assert _many(tuple[Fraction, ...])([(wrong,) * 3]) is None
    assert _many(tuple[Fraction, ...])([(third, third, made_of(2, 6))]) is None


@pytest.mark.parametrize("kind", [int, Natural, Count, Fraction, Rational, Positive])
def test_one_number_is_looked_at_as_two_are(kind: Any) -> None:
    """The companion makes no difference: it fits, and another object."""
    fits = Fraction(1, 3) if kind is Fraction else 1
    longest, numbers = 2**1024, _many(kind)
    integers = [-longest, 1 - longest, -1, 0, 1, longest, longest + 1, True, numpy.int64(1)]
    unlike = [made_of(1, 3), made_of(2, 6), made_of(numpy.int64(1), 3), made_of(1, numpy.int64(3))]
    for over in (1, longest, longest + 1, -longest, -longest - 1):
        unlike += [Fraction(over), Fraction(over, 3), Fraction(3, over)]
    for number in [*integers, *unlike, "1", None]:
        one, two = numbers([number]), numbers([number, fits])
        assert (one is None) == (two is None), number
        assert one in (None, [number])
    assert numbers([fits]) == [fits]
    assert numbers([]) == []


def test_rows_are_made_again_where_a_part_is() -> None:
    rows = _of_long_rows(tuple, [lambda column: [one + 1 for one in column]], [], ((1,), (2,)))
    assert rows == ((2,), (3,))
    assert rows.columns == [[2, 3]]


def test_records_in_rows_are_made_again_and_integers_are_not() -> None:
    trees = Structure(1, 0, ((0,),)), Structure(2, 0, ((1,),))
    listed = tuple(enumerate(trees, 2**60))
    (rows,) = _many(tuple[tuple[int, Structure], ...])([listed])
    assert rows == listed
    assert all(made is not one for (_, made), one in zip(rows, trees, strict=True))
    assert all(made is one for (made, _), (one, _) in zip(rows, listed, strict=True))
    assert rows.columns[0]._extremes == (2**60, 2**60 + 1)  # found with the rest


def test_rows_in_pieces() -> None:
    rows = tuple(range(10_000))
    assert [*map(len, in_pieces(rows))] == [4096, 4096, 1808]
    assert sum(in_pieces(rows), ()) == rows
    assert not [*in_pieces(())]
