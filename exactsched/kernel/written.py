"""Arguments of the proved checkers as text: terms of Rocq, and tokens for the OCaml program."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from exactsched.exact.rational import digits_of_integer
from exactsched.kernel.limits import refuse_long
from exactsched.kernel.proved import NotCovered, ProvedByKernel

Type = tuple[Any, ...]


def elements(pairs: Any) -> Iterator[Any]:
    """The elements of a list of the generated modules.

    >>> list(elements((1, (2, ()))))
    [1, 2]
    """
    while pairs:
        first, pairs = pairs
        yield first


def parts_of(
    value: Any, kind: Type, types: dict[str, Any]
) -> tuple[int, str, list[Any], list[Type]]:
    """Which constructor of its type a value has, from 0, its name, its parts and their types."""
    constructors = types[kind[0]]
    if len(constructors) == 1:
        (name, fields), parts = constructors[0], list(value)
        return 0, name, parts, fields
    name, *parts = (value,) if isinstance(value, str) else value
    index = [known for known, _ in constructors].index(name)
    return index, name, parts, constructors[index][1]


def term(value: Any, kind: Type, types: dict[str, Any]) -> str:
    """A value as a term of Rocq, in brackets where it has several parts.

    >>> term(((0, (1, 2)), ()), ("list", ("prod", ("z",), ("q",))), {})
    '[(0, (1 # 2)%Q)]'
    """
    match kind:
        case ("z" | "nat",):
            digits = digits_of_integer(value)
            return f"({digits})" if value < 0 else digits
        case ("positive",):
            return f"{digits_of_integer(value)}%positive"
        case ("bool",):
            return str(value).lower()
        case ("q",):
            over, under = map(digits_of_integer, value)
            return f"({over} # {under})%Q"
        case ("list", inside):
            return f"[{'; '.join(term(part, inside, types) for part in elements(value))}]"
        case ("prod", left, right):
            return f"({term(value[0], left, types)}, {term(value[1], right, types)})"
        case ("option", inside):
            return "None" if value is None else f"(Some {term(value[0], inside, types)})"
    _, name, parts, fields = parts_of(value, kind, types)
    written = [term(part, field, types) for part, field in zip(parts, fields, strict=True)]
    return f"({' '.join([name, *written])})" if written else name


def tokens(value: Any, kind: Type, types: dict[str, Any]) -> Iterator[str]:
    """A value as integers: lists after their lengths, constructors of several by their numbers.

    >>> " ".join(tokens(((0, (1, 2)), ()), ("list", ("prod", ("z",), ("q",))), {}))
    '1 0 1 2'
    """
    match kind:
        case ("z" | "nat" | "positive",):
            yield digits_of_integer(value)
        case ("bool",):
            yield str(int(value))
        case ("q",):
            yield from map(digits_of_integer, value)
        case ("list", inside):
            parts = list(elements(value))
            yield str(len(parts))
            for part in parts:
                yield from tokens(part, inside, types)
        case ("prod", left, right):
            yield from tokens(value[0], left, types)
            yield from tokens(value[1], right, types)
        case ("option", inside):
            yield str(int(value is not None))
            if value is not None:
                yield from tokens(value[0], inside, types)
        case _:
            index, _, parts, fields = parts_of(value, kind, types)
            if len(types[kind[0]]) > 1:
                yield str(index)
            for part, field in zip(parts, fields, strict=True):
                yield from tokens(part, field, types)


def fraction(number: Fraction) -> str:
    """A rational as a term of Rocq.

    >>> fraction(Fraction(-1, 2))
    '(-1 # 2)'
    """
    return f"({digits_of_integer(number.numerator)} # {digits_of_integer(number.denominator)})"


def of_type(kind: Type) -> str:
    """A type as Rocq writes it.

    >>> of_type(("list", ("prod", ("arc",), ("q",))))
    'list (arc * Q)'
    """
    match kind:
        case ("z",) | ("q",):
            return str(kind[0]).upper()
        case ("prod", left, right):
            return f"({of_type(left)} * {of_type(right)})"
        case ("list", inside):
            written = of_type(inside)
            return f"list ({written})" if inside[0] == "list" else f"list {written}"
    return str(kind[0])


def definitions(name: str, value: Any, kind: Type, types: dict[str, Any]) -> list[str]:
    """The definition of a value in Rocq, in lines that are not too long."""
    whole = f"Definition {name} : {of_type(kind)} := {term(value, kind, types)}."
    return re.sub(r"(.{90,}?;) ", r"\1\n  ", whole).split("\n")


_HEAD = """\
(** Generated: {asked}.

    {says}

    The theorem says so, about every schedule that the definitions allow (Model.v); Rocq checks it
    by running the checker that is proved correct. To compare with the platform: the nodes 0, 1,
    2, ... are {names}. *)
From Coq Require Import QArith List ZArith.
{imports}
Import ListNotations.
Open Scope Z_scope.
"""


# Conversion takes Rocq long for a large number in unary.
MOST_OPERATIONS = 1000


class Facts(NamedTuple):
    """What a file for Rocq is made of, besides what is claimed.

    - `imports`: commands
    - `terms`: names, types and values: the problem and the witnesses
    - `types`: of the generated module
    - `lemmas`: of each theorem the form in which numbers are in lowest terms, with its terms
    - `system`: the definition of the system S, if the claims are about one
    """

    imports: str
    terms: list[tuple[str, Type, Any]]
    types: dict[str, Any]
    lemmas: dict[str, str]
    system: str = ""


def coq_file(proved: ProvedByKernel, document: dict[str, Any], facts: Facts) -> str:
    """A file for Rocq: what is claimed in plain words, then definitions and theorems.

    Raises `NotCovered` for what takes Rocq too long.
    """
    if int(document.get("operations", 1)) > MOST_OPERATIONS:
        rule = f"Rocq reads runs of at most {MOST_OPERATIONS} operations"
        raise NotCovered("operations", document["operations"], rule)
    refuse_long(tuple(value for _, _, value in facts.terms))
    lines = [
        line
        for name, kind, value in facts.terms
        for line in definitions(name, value, kind, facts.types)
    ]
    lines += [f"Definition S : system := {facts.system}."] if facts.system else []
    for name, claim in zip(("first", "second"), proved.claims, strict=False):
        lines += [
            "",
            f"Theorem {name} : {claim.formal}.",
            f"Proof. apply ({facts.lemmas[claim.theorem]}). vm_cast_no_check (eq_refl true). Qed.",
            f"Print Assumptions {name}.",
        ]
    says = "; ".join(claim.says for claim in proved.claims)
    nodes = document["problem"]["platform"]["nodes"]
    names = textwrap.fill(", ".join(map(plain, nodes)), 100, subsequent_indent="    ")
    head = _HEAD.format(asked=plain(proved.asked), says=says, names=names, imports=facts.imports)
    return head + "\n" + "\n".join(lines) + "\n"


def plain(name: object) -> str:
    """A name inside a comment of Rocq, which ends at certain signs: others are shown as ?.

    >>> plain("P0"), plain('a*)"b')
    ('P0', 'a???b')
    """
    return re.sub(r"[^A-Za-z0-9_.,:;>= +-]", "?", str(name))
