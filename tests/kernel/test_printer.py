"""The printer from JSON to Python: what it prints works, what it does not know is refused."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

EXTRACTION = Path(__file__).parents[2] / "proofs" / "rocq" / "extraction"
sys.path.insert(0, str(EXTRACTION))

from python_of_json import Printer  # noqa: E402
from rocq_terms import Refused, read_module  # noqa: E402

Z = {"what": "type:glob", "name": "z", "args": []}
LIST = {"what": "type:glob", "name": "list", "args": [Z]}


def arrow(*kinds: Any) -> Any:
    *left, right = kinds
    for kind in reversed(left):
        right = {"what": "type:arrow", "left": kind, "right": right}
    return right


def rel(name: str) -> Any:
    return {"what": "expr:rel", "name": name}


def con(name: str, *arguments: Any) -> Any:
    return {"what": "expr:constructor", "name": name, "args": list(arguments)}


def call(function: Any, *arguments: Any) -> Any:
    named = {"what": "expr:global", "name": function} if isinstance(function, str) else function
    return {"what": "expr:apply", "func": named, "args": list(arguments)}


def function(parameters: list[str], body: Any) -> Any:
    return {"what": "expr:lambda", "argnames": parameters, "body": body}


def case(value: Any, *branches: tuple[str, list[str], Any]) -> Any:
    cases = [
        {"pat": {"what": "pat:constructor", "name": name, "argnames": names}, "body": body}
        for name, names, body in branches
    ]
    return {"what": "expr:case", "expr": value, "cases": cases}


def inductive(name: str, **constructors: list[Any]) -> Any:
    listed = [{"name": known, "argtypes": types} for known, types in constructors.items()]
    return {"what": "decl:ind", "name": name, "argnames": [], "constructors": listed}


TYPES = [
    inductive("z", Z0=[], Zpos=[Z], Zneg=[Z]),
    inductive("positive", XI=[Z], XO=[Z], XH=[]),
    inductive("list", Nil=[], Cons=[Z, LIST]),
    inductive("bool", True_=[], False_=[]),
    inductive("color", Red=[], Green=[]),
    inductive("shape", Dot=[], Box=[Z, Z]),
]


def printed(*definitions: tuple[str, Any, Any], deep: set[str] = frozenset()) -> dict[str, Any]:  # type: ignore[assignment]
    """The functions of a module that is printed from these definitions."""
    items = [
        {"what": "fixgroup:item", "name": name, "type": kind, "value": value}
        for name, kind, value in definitions
    ]
    known = [{"what": "decl:fixgroup", "fixlist": [item]} for item in items]
    operations = [
        {"what": "decl:term", "name": "Z.add", "type": arrow(Z, Z, Z), "value": con("Z0")},
        {"what": "decl:term", "name": "Z.max", "type": arrow(Z, Z, Z), "value": con("Z0")},
    ]
    types = [t for t in TYPES if t["name"] != "bool"]
    module = read_module({"declarations": [*types, *operations, *known]})
    roots = [definitions[-1][0]]
    text = Printer(module, roots, set(deep)).text("a test", roots)
    space: dict[str, Any] = {}
    exec(compile(text, "printed", "exec"), space)
    return space


def pairs(*numbers: int) -> Any:
    made: Any = ()
    for number in reversed(numbers):
        made = (number, made)
    return made


SUM = (
    "total",
    arrow(LIST, Z),
    function(
        ["l"],
        case(
            rel("l"),
            ("Nil", [], con("Z0")),
            ("Cons", ["x", "l'"], call("Z.add", rel("x"), call("total", rel("l'")))),
        ),
    ),
)


def test_a_call_in_the_middle_needs_no_stack() -> None:
    total = printed(SUM)["total"]
    assert total(pairs(1, 2, 3)) == 6
    assert total(pairs(*range(100_000))) == sum(range(100_000))


def test_of_two_calls_in_the_middle_each_is_finished_in_its_way() -> None:
    """Nothing is kept but which of them it was."""

    def more(amount: Any) -> Any:
        return call("Z.add", call("weight", rel("l'")), amount)

    seven = con("Zpos", con("XI", con("XI", con("XH"))))
    two = con("Zpos", con("XO", con("XH")))
    by_sign = case(rel("x"), ("Z0", [], more(seven)), ("Zpos", ["_"], more(two)))
    weight = function(["l"], case(rel("l"), ("Nil", [], con("Z0")), ("Cons", ["x", "l'"], by_sign)))
    assert printed(("weight", arrow(LIST, Z), weight))["weight"](pairs(0, 5, 0, 0)) == 23


def test_a_call_at_the_end_is_a_loop_and_functions_in_it_see_their_own_round() -> None:
    """Each round hands over a function of the present number: later numbers do not change it."""
    apply_it = ("app", arrow(arrow(Z, Z), Z, Z), function(["f", "x"], call(rel("f"), rel("x"))))
    added = function(["y"], call("Z.add", rel("x"), rel("y")))
    body = call("run", rel("l'"), call("app", added, rel("s")))
    run = (
        "run",
        arrow(LIST, Z, Z),
        function(["l", "s"], case(rel("l"), ("Nil", [], rel("s")), ("Cons", ["x", "l'"], body))),
    )
    assert printed(apply_it, run)["run"](pairs(1, 20, 300), 4000) == 4321


def test_constructors_and_integers() -> None:
    seven = con("Zpos", con("XI", con("XI", con("XH"))))
    minus_two = con("Zneg", con("XO", con("XH")))
    area = case(
        rel("s"), ("Dot", [], minus_two), ("Box", ["a", "_"], call("Z.add", rel("a"), seven))
    )
    shape = {"what": "type:glob", "name": "shape", "args": []}
    found = printed(("area", arrow(shape, Z), function(["s"], area)))["area"]
    assert (found(("Dot",)), found(("Box", 1, 2))) == (-2, 8)


def test_what_lacks_arguments_takes_them_later() -> None:
    apply_it = ("app", arrow(arrow(Z, Z), Z, Z), function(["f", "x"], call(rel("f"), rel("x"))))
    most = ("most", arrow(Z, Z), function(["x"], call("app", call("Z.max", con("Z0")), rel("x"))))
    found = printed(apply_it, most)["most"]
    assert (found(-3), found(3)) == (0, 3)


TWICE = call("Z.add", call("twice", rel("l'")), call("twice", con("Nil")))
REFUSED = {
    "an unknown expression": ("f", arrow(Z, Z), function(["x"], {"what": "expr:axiom"})),
    "an unknown pattern": (
        "f",
        arrow(Z, Z),
        function(
            ["x"],
            {
                "what": "expr:case",
                "expr": rel("x"),
                "cases": [{"pat": {"what": "pat:tuple"}, "body": rel("x")}],
            },
        ),
    ),
    "a function that calls itself twice": (
        "twice",
        arrow(LIST, Z),
        function(["l"], case(rel("l"), ("Nil", [], con("Z0")), ("Cons", ["x", "l'"], TWICE))),
    ),
    "an unknown function": ("f", arrow(Z, Z), function(["x"], call("g", rel("x")))),
    "a function in a list": (
        "f",
        arrow(Z, LIST),
        function(["x"], con("Cons", function(["y"], rel("y")), con("Nil"))),
    ),
    "a constructor without its arguments": ("f", arrow(Z, LIST), function(["x"], con("Cons"))),
    "a call with too many arguments": (
        "f",
        arrow(Z, Z),
        function(["x"], call("Z.add", rel("x"), rel("x"), rel("x"))),
    ),
    "a number that is called": ("f", arrow(Z, Z), function(["x"], call(rel("x"), rel("x")))),
}


@pytest.mark.parametrize("what", REFUSED)
def test_the_printer_refuses_what_it_does_not_know(what: str) -> None:
    with pytest.raises(Refused):
        printed(REFUSED[what])


def test_functions_that_are_defined_together_are_refused() -> None:
    items = [
        {
            "what": "fixgroup:item",
            "name": name,
            "type": arrow(Z, Z),
            "value": function(["x"], call(other, rel("x"))),
        }
        for name, other in (("even", "odd"), ("odd", "even"))
    ]
    module = read_module(
        {"declarations": [*TYPES[:2], {"what": "decl:fixgroup", "fixlist": items}]}
    )
    with pytest.raises(Refused, match="together"):
        Printer(module, ["even"], set())
