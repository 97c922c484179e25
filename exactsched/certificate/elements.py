"""The elements of every document: numbers, names, lists, rows and objects, each read at its place.

Every `read_` function takes a value and the place where it stands in the document, returns what
the value says, and raises `Malformed` where it is something else.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from exactsched.certificate.budget import SHORT, products, spend
from exactsched.certificate.limits import LARGEST_JSON_INTEGER
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import Rational, from_canonical, is_fraction, to_json
from exactsched.model.platform import Node


def sketch(value: object) -> object:
    """A value for an error message: short, whatever its depth and the size of its numbers."""
    if type(value) is dict:
        return dict.fromkeys(list(value)[:8], "...")
    if type(value) is list:
        return ["..." if isinstance(item, (dict, list)) else sketch(item) for item in value[:8]]
    return to_json(value) if type(value) is int else value


def read_member(value: object, name: str) -> object:
    if type(value) is not dict:
        raise Malformed("document", sketch(value), "a certificate is a JSON object")
    if name not in value:
        raise Malformed(name, sketch(value), "this member is missing")
    return value[name]


def read_members(
    value: object, place: str, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> dict[str, Any]:
    if type(value) is not dict:
        raise Malformed(place, sketch(value), f"an object with {', '.join(required)} is needed")
    for name in required:
        if name not in value:
            raise Malformed(place, sketch(value), f"the member {name!r} is missing")
    for name in value:
        if name not in required and name not in optional:
            raise Malformed(place, name, "unknown member: what is not checked may not be there")
    return value


def read_object(value: object, place: str) -> dict[str, Any]:
    if type(value) is not dict:
        raise Malformed(place, sketch(value), "an object is needed here")
    return value


def read_list(value: object, place: str) -> list[Any]:
    if type(value) is not list:
        raise Malformed(place, sketch(value), "a list is needed here")
    return value


def read_row(value: object, place: str, shape: str, *lengths: int) -> list[Any]:
    if type(value) is not list or len(value) not in lengths:
        raise Malformed(place, sketch(value), f"a row is {shape}")
    return value


def read_choice(value: object, place: str, allowed: tuple[str, ...]) -> str:
    if type(value) is not str or value not in allowed:
        raise Malformed(place, sketch(value), f"one of {', '.join(allowed)} is needed here")
    return value


def read_truth(value: object, place: str) -> bool:
    if type(value) is not bool:
        raise Malformed(place, sketch(value), "true or false is needed here")
    return value


def read_text(value: object, place: str) -> str:
    if type(value) is not str:
        raise Malformed(place, sketch(value), "text is needed here")
    return value


def read_rational(value: object, place: str) -> Fraction:
    if type(value) is str and len(value) > SHORT:
        bits = 5 * len(value) // 3  # of the numerator and the denominator, if they are as long
        spend(products(bits, bits), place or "document")
    number = from_canonical(value)
    if number is None:
        raise Malformed(place, sketch(value), 'not an integer or a string "p/q" in plain digits')
    if type(value) is int and abs(value) > LARGEST_JSON_INTEGER:
        raise Malformed(place, value, "integers from 2^53 are strings, lest a reader rounds them")
    return number


def read_integer(value: object, place: str) -> int:
    if type(value) is int and abs(value) <= LARGEST_JSON_INTEGER:
        return value
    number = read_rational(value, place)
    if type(value) is str and "/" in value:
        raise Malformed(place, value, "an integer is needed here")
    return number.numerator


def read_number(value: object, place: str) -> Rational:
    """As `read_rational`, an `int` where it is whole."""
    # Most numbers are small integers: the way through `Fraction` takes ten times as long.
    if type(value) is int and abs(value) <= LARGEST_JSON_INTEGER:
        return value
    number = read_rational(value, place)
    return number.numerator if number.denominator == 1 else number


def read_name(value: object, place: str) -> Node:
    if type(value) is str or (type(value) is int and abs(value) <= LARGEST_JSON_INTEGER):
        return value
    raise Malformed(place, sketch(value), "a node is a string or an integer below 2^53")


def integer_document(value: Any) -> Any:
    """An integer as a document states it; the reader refuses anything else."""
    # Most are small: the way through `Fraction` would cost a second for each million.
    if type(value) is int and abs(value) > LARGEST_JSON_INTEGER:
        return to_json(value)
    return value


def number_document(value: Any) -> Any:
    """A rational as a document states it; the reader refuses anything else."""
    return to_json(value) if is_fraction(value) else integer_document(value)
