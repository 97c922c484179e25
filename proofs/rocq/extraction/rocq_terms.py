"""What `Extraction Language JSON` writes, as terms; and what Python replaces."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

# Names of `Replaced.v` -> how many arguments, how it is written, how tightly that binds.
COMPARISON, SUM, PRODUCT, UNARY, ATOM = 4, 6, 7, 8, 10
OPERATIONS: dict[str, tuple[int, str, int]] = {
    "Pos.succ": (1, "{0:6} + 1", SUM),
    "Pos.pred": (1, "max(1, {0:6} - 1)", ATOM),
    "Pos.add": (2, "{0:6} + {1:7}", SUM),
    "Pos.sub": (2, "max(1, {0:6} - {1:7})", ATOM),
    "Pos.mul": (2, "{0:7} * {1:8}", PRODUCT),
    "Pos.eqb": (2, "{0:5} == {1:5}", COMPARISON),
    "Pos.leb": (2, "{0:5} <= {1:5}", COMPARISON),
    "Pos.ltb": (2, "{0:5} < {1:5}", COMPARISON),
    "Pos.max": (2, "max({0:0}, {1:0})", ATOM),
    "Pos.min": (2, "min({0:0}, {1:0})", ATOM),
    "Pos.of_succ_nat": (1, "{0:6} + 1", SUM),
    "Pos.to_nat": (1, "{0:0}", 0),
    "Nat.eqb": (2, "{0:5} == {1:5}", COMPARISON),
    "Nat.leb": (2, "{0:5} <= {1:5}", COMPARISON),
    "Nat.ltb": (2, "{0:5} < {1:5}", COMPARISON),
    "Nat.add": (2, "{0:6} + {1:7}", SUM),
    "Nat.mul": (2, "{0:7} * {1:8}", PRODUCT),
    "Z.add": (2, "{0:6} + {1:7}", SUM),
    "Z.sub": (2, "{0:6} - {1:7}", SUM),
    "Z.mul": (2, "{0:7} * {1:8}", PRODUCT),
    "Z.opp": (1, "-{0:8}", UNARY),
    "Z.succ": (1, "{0:6} + 1", SUM),
    "Z.pred": (1, "{0:6} - 1", SUM),
    "Z.abs": (1, "abs({0:0})", ATOM),
    "Z.eqb": (2, "{0:5} == {1:5}", COMPARISON),
    "Zeq_bool": (2, "{0:5} == {1:5}", COMPARISON),
    "Z.leb": (2, "{0:5} <= {1:5}", COMPARISON),
    "Z.ltb": (2, "{0:5} < {1:5}", COMPARISON),
    "Z.geb": (2, "{0:5} >= {1:5}", COMPARISON),
    "Z.gtb": (2, "{0:5} > {1:5}", COMPARISON),
    "Z.max": (2, "max({0:0}, {1:0})", ATOM),
    "Z.min": (2, "min({0:0}, {1:0})", ATOM),
    "Z.even": (1, "{0:7} % 2 == 0", COMPARISON),
    "Z.odd": (1, "{0:7} % 2 == 1", COMPARISON),
    "Z.of_nat": (1, "{0:0}", 0),
    "Z.to_nat": (1, "max(0, {0:0})", ATOM),
    "Z.to_pos": (1, "max(1, {0:0})", ATOM),
}
# Names of `Replaced.v` -> how many arguments, the function in `exactsched.kernel.runtime`.
RUNTIME: dict[str, tuple[int, str]] = {
    "Pos.compare": (2, "compare"),
    "Z.compare": (2, "compare"),
    "Z.div": (2, "quotient"),
    "Z.modulo": (2, "remainder"),
    "Z.gcd": (2, "gcd"),
    "Pos.gcd": (2, "gcd"),
    "Z.lcm": (2, "lcm"),
    "Z.iter": (3, "iterate"),
    "Pos.iter": (3, "repeated"),
    "PositiveMap.empty": (0, "empty"),
    "PositiveMap.find": (2, "find"),
    "PositiveMap.mem": (2, "mem"),
    "PositiveMap.add": (3, "add"),
    "PositiveMap.remove": (2, "remove"),
}
# Types that are not what the page above says, with how many arguments their constructors have.
INTEGERS = {
    "Z0": 0,
    "Zpos": 1,
    "Zneg": 1,
    "XI": 1,
    "XO": 1,
    "XH": 0,
    "O": 0,
    "S": 1,
    "N0": 0,
    "Npos": 1,
}
ANY = "*"  # a pattern that is a name fits everything
BASIC = ("z", "positive", "nat", "bool", "list", "prod", "option", "unit", "type:arrow")
OWN = {**INTEGERS, "True": 0, "False": 0, "Nil": 0, "Cons": 2, "None": 0, "Some": 1}


class Refused(Exception):
    """What the printer does not know."""


@dataclass(frozen=True)
class Var:
    name: str


@dataclass(frozen=True)
class Global:
    name: str


@dataclass(frozen=True)
class Integer:
    value: int


@dataclass(frozen=True)
class Construct:
    name: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Apply:
    function: Any
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Lambda:
    parameters: tuple[str, ...]
    body: Any


@dataclass(frozen=True)
class Let:
    name: str
    value: Any
    body: Any


@dataclass(frozen=True)
class LetFix:
    """A function inside of a function that calls itself; `name` is a global name of its own."""

    name: str
    function: Lambda
    body: Any


@dataclass(frozen=True)
class Field:
    """A field of a value of a type with one constructor."""

    value: Any
    index: int


@dataclass(frozen=True)
class Branch:
    constructor: str | None  # None fits everything
    names: tuple[str, ...]
    body: Any


@dataclass(frozen=True)
class Case:
    value: Any
    branches: tuple[Branch, ...]


def parts(term: Any) -> tuple[Any, ...]:
    """The terms that a term consists of."""
    match term:
        case Construct(_, arguments):
            return arguments
        case Apply(function, arguments):
            return (function, *arguments)
        case Lambda(_, body):
            return (body,)
        case Let(_, value, body):
            return (value, body)
        case LetFix(_, function, body):
            return (function, body)
        case Field(value, _):
            return (value,)
        case Case(value, branches):
            return (value, *(branch.body for branch in branches))
    return ()


def free(term: Any) -> dict[str, None]:
    """The free variables, in order."""
    if isinstance(term, Var):
        return {term.name: None}
    found: dict[str, None] = {}
    for part in parts(term):
        found.update(free(part))
    bound: tuple[str, ...] = ()
    match term:
        case Lambda(parameters, _):
            bound = parameters
        case Let(name, _, _):
            # Every binder of a definition has a name of its own: nothing outside is hidden.
            bound = (name,)
        case Case(_, branches):
            bound = tuple(name for branch in branches for name in branch.names)
    return {name: None for name in found if name not in bound}


TRUE, FALSE = Construct("True", ()), Construct("False", ())


def constant(term: Any) -> bool:
    """Whether it consists of constructors and integers only."""
    return isinstance(term, (Construct, Integer)) and all(map(constant, parts(term)))


def calls(term: Any, name: str) -> int:
    """How often a global function is named."""
    if isinstance(term, Global):
        return int(term.name == name)
    return sum(calls(part, name) for part in parts(term))


def rebuilt(term: Any, change: Callable[[Any], Any]) -> Any:
    """The term with all its parts changed."""
    match term:
        case Construct(name, arguments):
            return Construct(name, tuple(map(change, arguments)))
        case Apply(function, arguments):
            return Apply(change(function), tuple(map(change, arguments)))
        case Lambda(parameters, body):
            return Lambda(parameters, change(body))
        case Let(name, value, body):
            return Let(name, change(value), change(body))
        case LetFix(name, function, body):
            return LetFix(name, change(function), change(body))
        case Field(value, index):
            return Field(change(value), index)
        case Case(value, branches):
            return Case(
                change(value),
                tuple(Branch(b.constructor, b.names, change(b.body)) for b in branches),
            )
    return term


def replaced(term: Any, old: Any, new: Any) -> Any:
    """The term with another term in place of all parts that are equal to one."""
    return new if term == old else rebuilt(term, lambda part: replaced(part, old, new))


@dataclass
class Module:
    """The declarations of a JSON file."""

    constructors: dict[str, tuple[str, int]] = field(default_factory=dict)  # type, arguments
    fields: dict[str, list[int]] = field(default_factory=dict)  # arrows of each argument
    of_type: dict[str, list[str]] = field(default_factory=dict)
    aliases: dict[str, Any] = field(default_factory=dict)
    types: dict[str, Any] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)  # JSON
    terms: dict[str, Any] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    together: set[str] = field(default_factory=set)  # functions of a group of several

    def arrows(self, kind: Any) -> list[Any]:
        """The types of the arguments of a function type, aliases unfolded."""
        found = []
        while True:
            while kind["what"] == "type:glob" and kind["name"] in self.aliases:
                kind = self.aliases[kind["name"]]
            if kind["what"] != "type:arrow":
                return found
            found.append(kind["left"])
            kind = kind["right"]

    def arity(self, name: str) -> int:
        """With how many arguments a global function is called at once."""
        if name in OPERATIONS:
            return OPERATIONS[name][0]
        if name in RUNTIME:
            return RUNTIME[name][0]
        term = self.terms[name]
        if isinstance(term, Lambda):
            return len(term.parameters)
        if isinstance(term, Global):
            return self.arity(term.name)
        return 0

    def expected(self, name: str) -> list[int]:
        """Of each argument of a global function, of how many arguments it is a function."""
        if name not in self.types:  # a function inside of another one
            return [0] * self.arity(name)
        return [len(self.arrows(left)) for left in self.arrows(self.types[name])]

    def is_single(self, constructor: str | None) -> bool:
        """Whether a pattern is the only constructor of a type that the printer does not know."""
        known = constructor is None or constructor == ANY or constructor in OWN
        return not known and self.single(str(constructor))

    def single(self, constructor: str) -> bool:
        kind, _ = self.constructors[constructor]
        return len(self.of_type[kind]) == 1

    def enumeration(self, constructor: str) -> bool:
        kind, _ = self.constructors[constructor]
        return all(self.constructors[other][1] == 0 for other in self.of_type[kind])


def read_module(document: Any) -> Module:
    module = Module()
    for declared in document["declarations"]:
        match declared["what"]:
            case "decl:ind":
                read_type(module, declared)
            case "decl:type":
                module.aliases[declared["name"]] = declared["value"]
            case "decl:term":
                read_value(module, declared)
            case "decl:fixgroup":
                for item in declared["fixlist"]:
                    read_value(module, item)
                if len(declared["fixlist"]) > 1:
                    module.together |= {item["name"] for item in declared["fixlist"]}
            case other:
                raise Refused(f"declaration {other}")
    return module


def read_type(module: Module, declared: Any) -> None:
    name = declared["name"]
    module.of_type[name] = []
    for constructor in declared["constructors"]:
        known, arguments = constructor["name"], constructor["argtypes"]
        if known in module.constructors:
            raise Refused(f"two constructors {known}")
        if known in OWN and OWN[known] != len(arguments):
            raise Refused(f"constructor {known} of {name}")
        module.constructors[known] = (name, len(arguments))
        module.fields[known] = arguments
        module.of_type[name].append(known)


def read_value(module: Module, declared: Any) -> None:
    name = declared["name"]
    if name in module.values:
        raise Refused(f"two definitions of {name}")
    module.values[name], module.types[name] = declared["value"], declared["type"]
    module.order.append(name)


class Reader:
    """A JSON expression -> a term in which every bound variable has a name of its own."""

    def __init__(self, module: Module, taken: set[str], inside: dict[str, str]) -> None:
        self.module, self.taken, self.inside = module, set(taken), inside

    def fresh(self, hint: str) -> str:
        name = python_name(hint)
        number = 0
        while name in self.taken:
            number += 1
            name = f"{python_name(hint)}_{number}"
        self.taken.add(name)
        return name

    def read(self, e: Any, scope: dict[str, Any]) -> Any:
        match e["what"]:
            case "expr:rel":
                known = scope[e["name"]]
                return known if isinstance(known, Global) else Var(known)
            case "expr:global":
                return Global(e["name"])
            case "expr:constructor":
                return self.construct(e["name"], [self.read(a, scope) for a in e["args"]])
            case "expr:apply":
                function = self.read(e["func"], scope)
                return self.apply(function, tuple(self.read(a, scope) for a in e["args"]))
            case "expr:lambda":
                inside, parameters = dict(scope), []
                for name in e["argnames"]:
                    parameters.append(self.fresh(name))
                    inside[name] = parameters[-1]
                body = self.read(e["body"], inside)
                if isinstance(body, Lambda):
                    return Lambda((*parameters, *body.parameters), body.body)
                return Lambda(tuple(parameters), body) if parameters else body
            case "expr:let":
                value = self.read(e["nameval"], scope)
                name = self.fresh(e["name"])
                return Let(name, value, self.read(e["body"], {**scope, e["name"]: name}))
            case "expr:case":
                value = self.read(e["expr"], scope)
                branches = tuple(self.branch(case, scope) for case in e["cases"])
                return self.case(value, branches)
            case "expr:fix":
                return self.fix(e, scope)
        raise Refused(f"expression {e['what']}")

    def apply(self, function: Any, arguments: tuple[Any, ...]) -> Any:
        """A function applied; what is chosen or bound before is chosen or bound outside."""
        match function:
            case Apply(inner, before):
                return Apply(inner, before + arguments)
            case LetFix(name, inner, body):
                return LetFix(name, inner, self.apply(body, arguments))
            case Case(value, branches):
                chosen = [
                    Branch(b.constructor, b.names, self.apply(b.body, arguments)) for b in branches
                ]
                return Case(value, tuple(chosen))
        return Apply(function, arguments)

    def fix(self, e: Any, scope: dict[str, Any]) -> LetFix:
        if len(e["funcs"]) != 1:
            raise Refused("functions that are defined together, inside of a function")
        (item,) = e["funcs"]
        name = self.fresh(item["name"])
        itself = Global(f"inside:{name}:{len(self.inside)}")
        self.inside[itself.name] = name
        function = self.read(item["body"], {**scope, item["name"]: itself})
        if not isinstance(function, Lambda):
            raise Refused("a function without arguments calls itself")
        self.module.terms[itself.name] = function
        return LetFix(itself.name, function, itself)

    def complete(self, term: Any) -> Any:
        """The term with every function that lacks arguments as a `Lambda` that takes them."""
        match term:
            case Global(name) if name in OPERATIONS:
                return self.waiting(term, ())
            case Apply(Global(name), arguments):
                arguments = tuple(map(self.complete, arguments))
                if len(arguments) < self.module.arity(name):
                    return self.waiting(term.function, arguments)
                return Apply(term.function, arguments)
            case Apply(function, arguments):
                return Apply(function, tuple(map(self.complete, arguments)))
        return rebuilt(term, self.complete)

    def waiting(self, function: Global, arguments: tuple[Any, ...]) -> Any:
        """What it has already is worked out before, once."""
        missing = self.module.arity(function.name) - len(arguments)
        if not missing:
            return function
        parameters = tuple(self.fresh(letter) for letter in "abcdefgh"[:missing])
        bound, known = [], []
        for argument in arguments:
            if isinstance(argument, (Var, Global)) or constant(argument):
                known.append(argument)
            else:
                bound.append((self.fresh("given"), argument))
                known.append(Var(bound[-1][0]))
        result = Lambda(parameters, Apply(function, (*known, *map(Var, parameters))))
        for name, argument in reversed(bound):
            result = Let(name, argument, result)
        return result

    def branch(self, case: Any, scope: dict[str, Any]) -> Branch:
        pattern = case["pat"]
        if pattern["what"] == "pat:wild":
            return Branch(None, (), self.read(case["body"], scope))
        if pattern["what"] == "pat:rel":
            name = self.fresh(pattern["name"])
            return Branch(ANY, (name,), self.read(case["body"], {**scope, pattern["name"]: name}))
        if pattern["what"] != "pat:constructor":
            raise Refused(f"pattern {pattern['what']}")
        inside, names = dict(scope), []
        for name in pattern["argnames"]:
            names.append("_" if name == "_" else self.fresh(name))
            inside[name] = names[-1]
        constructor = pattern["name"]
        if self.module.constructors[constructor][1] != len(names):
            raise Refused(f"pattern {constructor}")
        body = self.read(case["body"], inside)
        used = free(body)
        return Branch(constructor, tuple(n if n in used else "_" for n in names), body)

    def case(self, value: Any, branches: tuple[Branch, ...]) -> Any:
        first = branches[0]
        single, body = self.module.is_single(first.constructor), first.body
        if single and isinstance(body, Var) and body.name in first.names:
            return Field(value, first.names.index(body.name))
        return Case(value, branches)

    def construct(self, name: str, arguments: list[Any]) -> Any:
        if self.module.constructors[name][1] != len(arguments):
            raise Refused(f"constructor {name} with {len(arguments)} arguments")
        for argument, kind in zip(arguments, self.module.fields[name], strict=True):
            self.refuse_function(argument, kind, name)
        if name not in INTEGERS:
            return Construct(name, tuple(arguments))
        if not arguments:
            return Integer(1 if name == "XH" else 0)
        (inside,) = arguments
        change: Callable[[int], int]
        match name:
            case "Zpos" | "Npos":
                return inside
            case "Zneg":
                change, operation = (lambda n: -n), Apply(Global("Z.opp"), (inside,))
            case "S":
                change, operation = (lambda n: n + 1), Apply(Global("Pos.succ"), (inside,))
            case "XO":
                change = lambda n: 2 * n  # noqa: E731
                operation = Apply(Global("Z.mul"), (Integer(2), inside))
            case _:
                change = lambda n: 2 * n + 1  # noqa: E731
                double = Apply(Global("Z.mul"), (Integer(2), inside))
                operation = Apply(Global("Pos.succ"), (double,))
        return Integer(change(inside.value)) if isinstance(inside, Integer) else operation

    def refuse_function(self, argument: Any, kind: Any, name: str) -> None:
        if isinstance(argument, Lambda) or self.module.arrows(kind):
            raise Refused(f"a function in a {name}")


def python_name(name: str) -> str:
    """An identifier.

    >>> python_name("l'0"), python_name("lambda"), python_name("Z.add")
    ('l_0', 'lambda_', 'Z_add')
    """
    plain = name.replace("'", "_").replace(".", "_").rstrip("_") or "x"
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def globals_of(term: Any) -> Iterator[str]:
    if isinstance(term, Global):
        yield term.name
    for part in parts(term):
        yield from globals_of(part)
