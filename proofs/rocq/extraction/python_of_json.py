"""Python from Rocq: prints the JSON that `Extraction Language JSON` writes as a Python module.

    python python_of_json.py checker.json SOURCE ROOT... [deep:FUNCTION...] > module.py

Trusted, as Rocq's own extraction is.  What the printer relies on:

- `positive`, `N`, `Z` and `nat` are Python's integers; the functions of Rocq's library that the
  table `OPERATIONS` names are Python's operations.  `PositiveMap` is the persistent dictionary of
  `exactsched.kernel.runtime`, which has the other functions of the library (`RUNTIME`).
- A list is () or a pair (first, rest); an option is None or (value,); a pair is a tuple.
- A type with one constructor is the tuple of its fields.  Of a type with several constructors
  those without fields at all are strings, others a tuple of the constructor's name and its fields.
- A function that calls itself at its end becomes a loop.  One that calls itself once in the
  middle keeps what it has still to do in a list: no recursion is left, so long lists need no stack.
  Functions named with `deep:` stay recursive: they go through data of a few levels.

Everything else is refused: unknown expressions, functions that are used before they have all
their arguments where that cannot be known, mutual recursion, recursion twice in one branch.
"""

from __future__ import annotations

import builtins
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rocq_terms import (
    ANY,
    ATOM,
    BASIC,
    COMPARISON,
    FALSE,
    OPERATIONS,
    RUNTIME,
    SUM,
    TRUE,
    Apply,
    Branch,
    Case,
    Construct,
    Field,
    Global,
    Integer,
    Lambda,
    Let,
    LetFix,
    Module,
    Reader,
    Refused,
    Var,
    calls,
    constant,
    free,
    globals_of,
    parts,
    python_name,
    read_module,
    replaced,
)


class Printer:
    """The definitions that are needed for some roots, as Python."""

    def __init__(self, module: Module, roots: list[str], deep: set[str]) -> None:
        self.module, self.deep = module, deep
        self.inside: dict[str, str] = {}
        self.names = {name: python_name(name) for name in module.order}
        self.runtime: set[str] = set()
        reserved = (
            {HOLE, "waiting", "number"}
            | set(dir(builtins))
            | {function for _, function in RUNTIME.values()}
        )
        for name in module.order:
            while self.names[name] in reserved:
                self.names[name] += "_"
            reserved.add(self.names[name])
        self.reserved = reserved
        self.needed = self.reachable(roots)

    def reachable(self, roots: list[str]) -> list[str]:
        seen: set[str] = set()
        readers: dict[str, Reader] = {}
        pending = list(roots)
        while pending:
            name = pending.pop()
            if name in seen or name in OPERATIONS or name in RUNTIME or name in self.inside:
                continue
            if name not in self.module.values:
                raise Refused(f"{name} is not defined")
            if name in self.module.together:
                raise Refused(f"{name} is defined together with others")
            seen.add(name)
            readers[name] = Reader(self.module, self.reserved, self.inside)
            self.module.terms[name] = readers[name].read(self.module.values[name], {})
            pending.extend(globals_of(self.module.terms[name]))
        for name, reader in readers.items():
            self.module.terms[name] = reader.complete(self.module.terms[name])
        self.names.update(self.inside)
        return [name for name in self.module.order if name in seen]

    def text(self, source: str, roots: list[str]) -> str:
        blocks = [self.definition(name) for name in self.needed]
        imports = ", ".join(sorted(self.runtime))
        head = [
            f'"""Generated from {source} by proofs/rocq/extraction: do not edit."""',
            "",
            "# ruff: noqa",
            "# mypy: ignore-errors",
            f"from exactsched.kernel.runtime import {imports}" if imports else "",
        ]
        return "\n".join(head) + "\n" + "\n".join(blocks) + self.shapes(roots)

    def shapes(self, roots: list[str]) -> str:
        """What the arguments of the roots look like, for those who write them down."""
        arguments = {
            root: [self.shape(t) for t in self.module.arrows(self.module.types[root])]
            for root in roots
        }
        lines = ["", "", "# The types of the arguments, and the constructors of these types."]
        lines += [
            "ARGUMENTS = {",
            *(f"    {self.names[r]!r}: {t}," for r, t in arguments.items()),
            "}",
        ]
        found: dict[str, list[Any]] = {}
        pending = [shape for shapes in arguments.values() for shape in shapes]
        while pending:
            shape = pending.pop(0)
            name, inside = shape[0], shape[1:]
            pending += inside
            if name in found or name in BASIC:
                continue
            found[name] = [
                (constructor, [self.shape(t) for t in self.module.fields[constructor]])
                for constructor in self.module.of_type[name]
            ]
            pending += [t for _, fields in found[name] for t in fields]
        lines += ["TYPES = {", *(f"    {n!r}: {c}," for n, c in sorted(found.items())), "}", ""]
        return "\n".join(lines)

    def shape(self, kind: Any) -> tuple[Any, ...]:
        """A type without aliases: its name and its arguments."""
        while kind["what"] == "type:glob" and kind["name"] in self.module.aliases:
            kind = self.module.aliases[kind["name"]]
        if kind["what"] != "type:glob":
            return (kind["what"],)
        return (kind["name"], *map(self.shape, kind["args"]))

    def definition(self, name: str) -> str:
        term, known = self.module.terms[name], self.names[name]
        if isinstance(term, Lambda):
            arrows = self.module.expected(name)
            return "\n" + "\n".join(Body(self, name).function(known, term, arrows)) + "\n"
        body = Body(self, name)
        value = body.value(term, 0)
        return "\n" + "\n".join([*body.lines, f"{known} = {value}"]) + "\n"


HOLE = "result"


class Body:
    """The statements of one definition.

    A function with a loop keeps in `loop` the parameters that its calls of itself change.
    """

    def __init__(self, printer: Printer, name: str) -> None:
        self.printer, self.module, self.name = printer, printer.module, name
        self.lines: list[str] = []
        self.indent = 0
        self.arities: dict[str, int] = {}  # of local functions
        self.temporaries: set[str] = set()
        self.parameters: tuple[str, ...] = ()
        self.looping = False
        self.sites: list[tuple[Any, list[str]]] | None = None
        self.waits: list[tuple[int, int, list[str]]] = []
        self.fixed: set[str] = set()

    # -- statements

    def say(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def temporary(self, hint: str) -> str:
        number, name = 0, hint
        while name in self.temporaries or name in self.printer.reserved:
            number += 1
            name = f"{hint}_{number}"
        self.temporaries.add(name)
        return name

    def function(self, known: str, term: Lambda, arrows: list[int]) -> list[str]:
        self.collect(term)
        self.parameters = term.parameters
        if len(arrows) < len(term.parameters):
            raise Refused(f"{self.name} has {len(term.parameters)} arguments, its type {arrows}")
        self.arities.update(zip(term.parameters, arrows, strict=False))
        self.say(f"def {known}({', '.join(term.parameters)}):")
        self.indent += 1
        own = 0 if self.name in self.printer.deep else calls(term.body, self.name)
        ends = calls_at_the_end(term.body, self.name)
        self.looping = own > 0
        self.fixed = set(unchanged(term, self.name)) if own else set()
        if own > ends:
            self.sites = []
            self.say("waiting = []")
        if not own:
            self.finish(term.body)
        else:
            self.loop(term.body)
        if self.sites is not None:
            self.unwind()
        return self.lines

    def collect(self, term: Any) -> None:
        """The names that are taken inside."""
        match term:
            case Lambda(parameters, _):
                self.temporaries.update(parameters)
            case Let(name, _, _):
                self.temporaries.add(name)
            case Case(_, branches):
                self.temporaries.update(n for branch in branches for n in branch.names)
        for part in parts(term):
            self.collect(part)

    def loop(self, body: Any) -> None:
        match body:
            case Case(
                Var(name), (Branch("Nil", _, ends), Branch("Cons", (first, rest), goes_on))
            ) if name in self.parameters and not calls(ends, self.name):
                used = free(goes_on)
                self.say(f"while {name}:")
                self.indent += 1
                target = rest
                if (
                    name not in used
                    and rest != "_"
                    and always_passed(goes_on, self.name, rest, self.parameters.index(name))
                ):
                    goes_on = replaced(goes_on, Var(rest), Var(name))
                    target = name
                self.say(f"{first}, {target} = {name}")
                self.end(goes_on)
                self.indent -= 1
                self.trim()
                if self.sites is None:
                    self.finish(ends)
                else:
                    self.say("else:")
                    self.indent += 1
                    self.assign(ends, HOLE)
                    self.indent -= 1
            case _:
                self.say("while True:")
                self.indent += 1
                self.end(body)
                self.indent -= 1
                self.trim()

    def trim(self) -> None:
        """No `continue` as the last statement of a loop."""
        if self.lines[-1] == "    " * (self.indent + 1) + "continue":
            self.lines.pop()

    def leave(self, term: Any) -> None:
        """The result is this term, and no call of the function itself is left in it."""
        if self.sites is None:
            self.say(f"return {self.value(term, 0)}")
        else:
            self.say(f"{HOLE} = {self.value(term, 0)}")
            self.say("break")

    def finish(self, term: Any) -> None:
        """Statements that end the function, outside of loops."""
        self.choose(
            term, self.finish, lambda other: self.say(f"return {self.value(other, 0)}"), True
        )

    def assign(self, term: Any, name: str) -> None:
        """Statements that give a value to a name."""

        def inside(other: Any) -> None:
            self.assign(other, name)

        self.choose(term, inside, lambda other: self.say(f"{name} = {self.value(other, 0)}"), False)

    def end(self, term: Any) -> None:
        """Statements that end a pass of a loop."""
        if self.sites is not None:
            inner = inner_call(term, self.name)
            if inner is not None:
                self.wait(term, inner)
                return
        if isinstance(term, Apply) and term.function == Global(self.name):
            self.again(term.arguments)
            return
        self.choose(term, self.end, self.leave, True)

    def choose(
        self, term: Any, inside: Callable[[Any], None], last: Callable[[Any], None], leaves: bool
    ) -> None:
        """`leaves`: the statements of a branch never go on to what follows."""
        match term:
            case Let(name, value, body):
                self.bind(name, value)
                inside(body)
            case LetFix(name, function, body):
                self.fix(name, function)
                inside(body)
            case Case() if self.repeats(term) or self.expression(term, 0) is None:
                self.branches(term, inside, leaves)
            case _:
                last(term)

    def repeats(self, term: Any) -> bool:
        """Whether the function is a loop, and called again in the term."""
        return self.looping and calls(term, self.name) > 0

    def fix(self, name: str, function: Lambda) -> None:
        """A function inside of this one, which sees the variables of this one."""
        if self.looping:
            raise Refused(f"{self.name} is a loop with a function inside that calls itself")
        body = Body(self.printer, name)
        body.indent, body.arities = self.indent, dict(self.arities)
        body.temporaries = self.temporaries
        body.function(self.printer.names[name], function, [0] * len(function.parameters))
        self.lines.extend(body.lines)

    def again(self, arguments: tuple[Any, ...]) -> None:
        if len(arguments) != len(self.parameters):
            raise Refused(f"{self.name} calls itself with {len(arguments)} arguments")
        self.match_arities(Global(self.name), arguments)
        names, values = [], []
        for parameter, argument in zip(self.parameters, arguments, strict=True):
            if argument != Var(parameter):
                names.append(parameter)
                values.append(self.value(argument, 1 if len(arguments) > 1 else 0))
        if names:
            self.say(f"{', '.join(names)} = {', '.join(values)}")
        self.say("continue")

    def wait(self, term: Any, inner: Apply) -> None:
        """What has to be done with the result of a call in the middle is done afterwards."""
        assert self.sites is not None
        rest = replaced(term, inner, Var(HOLE))
        if calls(rest, self.name):
            raise Refused(f"{self.name} calls itself twice")
        kept = [name for name in free(rest) if name != HOLE and name not in self.fixed]
        for name in kept:
            if self.arities.get(name):
                raise Refused(f"{self.name} keeps the function {name}")
        number = len(self.sites)
        self.sites.append((rest, kept))
        self.waits.append((len(self.lines), number, kept))
        self.say("waiting.append({})")
        self.again(inner.arguments)

    def unwind(self) -> None:
        """What waits is done, last things first."""
        assert self.sites is not None
        sites, self.sites = self.sites, None
        numbered = len(sites) > 1
        for line, number, kept in self.waits:
            known = ", ".join([str(number), *kept]) if numbered else ", ".join(kept)
            if numbered and not kept:
                known += ","
            single = len(kept) == 1 and not numbered
            self.lines[line] = self.lines[line].format(known if single else f"({known})")
        if not numbered:
            _, kept = sites[0]
            names = ", ".join(kept) if kept else "_"
            self.say(f"for {names} in reversed(waiting):")
        else:
            self.say("for number, *kept in reversed(waiting):")
        for number, (rest, kept) in enumerate(sites):
            self.indent += 1
            if numbered:
                self.say(f"{'if' if number == 0 else 'elif'} number == {number}:")
                self.indent += 1
                if kept:
                    self.say(f"{', '.join(kept)}{',' if len(kept) == 1 else ''} = kept")
            self.assign(rest, HOLE)
            self.indent -= 1 + numbered
        self.say(f"return {HOLE}")

    def bind(self, name: str, value: Any) -> None:
        if isinstance(value, Let):
            self.bind(value.name, value.value)
            self.bind(name, value.body)
            return
        if isinstance(value, Lambda):
            self.arities[name] = len(value.parameters)
            self.inner(name, value)
            return
        if isinstance(value, Case) and self.expression(value, 0) is None:
            self.assign(value, name)
        else:
            self.refuse_partial(value)
            self.say(f"{name} = {self.value(value, 0)}")

    def refuse_partial(self, value: Any) -> None:
        if self.function_arity(value):
            raise Refused(f"{self.name}: a function is bound to a name: {value}")

    def branches(self, case: Case, inside: Callable[[Any], None], leaves: bool) -> None:
        branches = case.branches
        first = branches[0]
        if first.constructor in ("True", "False"):
            self.condition(case, inside, leaves)
            return
        if self.module.is_single(first.constructor):
            self.unpack(first.names, self.value(case.value, 0))
            inside(first.body)
            return
        if isinstance(case.value, Var):
            scrutinee = case.value.name
        else:
            scrutinee = self.temporary("found")
            if isinstance(case.value, Case) and self.expression(case.value, 0) is None:
                self.assign(case.value, scrutinee)
            else:
                self.say(f"{scrutinee} = {self.value(case.value, 0)}")
        if leaves and len(branches) == 2 and constant(branches[1].body) and branches[1].constructor:
            branches = branches[::-1]
        for number, branch in enumerate(branches):
            final = number == len(branches) - 1
            test, bindings = self.pattern(branch, scrutinee)
            if final and leaves and number:
                self.open(bindings)
                inside(branch.body)
                continue
            word = "if" if number == 0 or leaves else "elif"
            self.say("else:" if final and number else f"{word} {test}:")
            self.indent += 1
            self.open(bindings)
            inside(branch.body)
            self.indent -= 1

    def open(self, bindings: list[tuple[str, str]]) -> None:
        for name, value in bindings:
            if name != value:
                self.say(f"{name} = {value}")

    def condition(self, case: Case, inside: Callable[[Any], None], leaves: bool) -> None:
        yes, no = truth_branches(case)
        if constant(no) and not constant(yes):
            self.say(f"if not {self.value(case.value, 4)}:")
            yes, no = no, yes
        else:
            self.say(f"if {self.value(case.value, 0)}:")
        self.indent += 1
        inside(yes)
        self.indent -= 1
        if not leaves:
            self.say("else:")
            self.indent += 1
        inside(no)
        if not leaves:
            self.indent -= 1

    def unpack(self, names: tuple[str, ...], value: str) -> None:
        used = [index for index, name in enumerate(names) if name != "_"]
        if len(used) == 1:
            self.say(f"{names[used[0]]} = {value if is_atom(value) else f'({value})'}[{used[0]}]")
        elif used:
            self.say(f"{', '.join(names)} = {value}")

    def pattern(self, branch: Branch, value: str) -> tuple[str, list[tuple[str, str]]]:
        """The test that a value fits, and what its parts are."""
        name, names = branch.constructor, branch.names
        if name is None:
            return "True", []
        if name == ANY:
            return "True", [(names[0], value)]
        pairs = dict[str, tuple[str, list[str]]](
            {
                "None": (f"{value} is None", []),
                "Some": (f"{value} is not None", [f"{value}[0]"]),
                "Nil": (f"not {value}", []),
                "Cons": (f"{value}", [f"{value}[0]", f"{value}[1]"]),
                "Z0": (f"{value} == 0", []),
                "N0": (f"{value} == 0", []),
                "O": (f"{value} == 0", []),
                "Zpos": (f"{value} > 0", [value]),
                "Npos": (f"{value} > 0", [value]),
                "Zneg": (f"{value} < 0", [f"-{value}"]),
                "S": (f"{value} > 0", [f"{value} - 1"]),
                "XH": (f"{value} == 1", []),
                "XO": (f"{value} % 2 == 0", [f"{value} // 2"]),
                "XI": (f"{value} > 1 and {value} % 2 == 1", [f"{value} // 2"]),
            }
        )
        if name in pairs:
            test, values = pairs[name]
        elif self.module.enumeration(name):
            test, values = f"{value} == {name!r}", []
        else:
            test = f"{value}[0] == {name!r}"
            values = [f"{value}[{index + 1}]" for index in range(len(names))]
        return test, [(n, v) for n, v in zip(names, values, strict=True) if n != "_"]

    # -- expressions

    def value(self, term: Any, tight: int) -> str:
        """A Python expression; statements that it needs are said before."""
        found = self.expression(term, tight)
        if found is not None:
            return found
        match term:
            case Let(name, value, body):
                self.bind(name, value)
                return self.value(body, tight)
            case LetFix(name, function, body):
                self.fix(name, function)
                return self.value(body, tight)
            case Case():
                name = self.temporary("chosen")
                self.assign(term, name)
                return name
            case Lambda():
                name = self.temporary("step")
                self.inner(name, term)
                return name
            case Field(value, index):
                return f"{self.value(value, ATOM)}[{index}]"
            case Construct(name, arguments):
                return self.constructed(name, [self.named(a) for a in arguments])
            case Apply(function, arguments):
                function, arguments = self.saturated(function, arguments)
                return self.applied(function, [self.named(a) for a in arguments], tight)
        raise Refused(f"{self.name}: {term}")

    def named(self, term: Any) -> Any:
        """The term itself if it is an expression, otherwise the name of its value."""
        if self.expression(term, 0) is not None:
            return term
        value = self.value(term, 0)
        if not value.isidentifier():
            name = self.temporary("part")
            self.say(f"{name} = {value}")
            value = name
        if isinstance(term, Lambda):
            self.arities[value] = len(term.parameters)
        return Var(value)

    def expression(self, term: Any, tight: int) -> str | None:
        """A Python expression without statements before it; None if there is none."""
        match term:
            case Var(name):
                return name
            case Integer(number):
                return f"({number})" if number < 0 and tight > SUM else str(number)
            case Global(name):
                return self.global_name(name)
            case Construct(name, arguments):
                return self.constructed(name, list(arguments))
            case Field(value, index):
                inside = self.expression(value, ATOM)
                return None if inside is None else f"{inside}[{index}]"
            case Lambda(parameters, body):
                inside = self.expression(body, 0)
                if inside is None:
                    return None
                captured = self.captured(term)
                known = ", ".join([*parameters, *(f"{name}={name}" for name in captured)])
                return bracketed(f"lambda {known}: {inside}", 1, tight)
            case Case(value, branches) if branches[0].constructor in ("True", "False"):
                return self.choice(term, tight)
            case Case(value, (Branch("Some", ("_",), yes), Branch(_, _, no))):
                inside = self.expression(value, 5)
                if (yes, no) != (TRUE, FALSE) or inside is None:
                    return None
                return bracketed(f"{inside} is not None", COMPARISON, tight)
            case Apply(function, arguments):
                self.match_arities(function, arguments)
                return self.applied(*self.saturated(function, arguments), tight)
        return None

    def choice(self, case: Case, tight: int) -> str | None:
        yes, no = truth_branches(case)
        if no == FALSE:
            shapes = [(case.value, 3), (yes, 3)]
            shape, binds = "{} and {}", 3
        elif yes == TRUE:
            shapes, shape, binds = [(case.value, 2), (no, 2)], "{} or {}", 2
        elif yes == FALSE and no == TRUE:
            shapes, shape, binds = [(case.value, 4)], "not {}", 3
        else:
            shapes = [(yes, 2), (case.value, 2), (no, 1)]
            shape, binds = "{} if {} else {}", 1
        values = [self.expression(term, tight) for term, tight in shapes]
        if any(value is None for value in values):
            return None
        return bracketed(shape.format(*values), binds, tight)

    def constructed(self, name: str, arguments: list[Any]) -> str | None:
        if name in ("True", "False", "None"):
            return name
        if name == "Nil":
            return "()"
        values = [self.expression(argument, 1) for argument in arguments]
        if any(value is None for value in values):
            return None
        inside = [str(value) for value in values]
        if name in ("Some", "Cons") or self.module.single(name):
            return f"({', '.join(inside)}{',' if len(inside) == 1 else ''})"
        if self.module.enumeration(name):
            return repr(name)
        return f"({', '.join([repr(name), *inside])}{'' if inside else ','})"

    def applied(self, function: Any, arguments: list[Any], tight: int) -> str | None:
        if isinstance(function, Global) and function.name in OPERATIONS:
            _, shape, binds = OPERATIONS[function.name]
            if shape == "{0:0}":
                return self.expression(arguments[0], tight)
            values = [Argument(self, argument) for argument in arguments]
            try:
                return bracketed(shape.format(*values), binds, tight)
            except NeedsStatements:
                return None
        if isinstance(function, Var):
            called: str | None = function.name
        elif isinstance(function, Global):
            called = self.global_name(function.name)
        else:
            raise Refused(f"{self.name} calls {function}")
        inside = [self.expression(argument, 1) for argument in arguments]
        if any(value is None for value in inside):
            return None
        return f"{called}({', '.join(map(str, inside))})"

    def saturated(self, function: Any, arguments: Any) -> tuple[Any, list[Any]]:
        arguments = list(arguments)
        if isinstance(function, Global):
            most = self.module.arity(function.name)
        elif isinstance(function, Var):
            most = self.arities.get(function.name, 0)
            if most != len(arguments):
                raise Refused(f"{self.name}: {function.name} is called with {len(arguments)}")
        else:
            raise Refused(f"{self.name} calls {function}")
        if len(arguments) != most:
            raise Refused(f"{self.name} calls {function} with {len(arguments)} arguments")
        return function, arguments

    def global_name(self, name: str) -> str:
        if name in RUNTIME:
            self.printer.runtime.add(RUNTIME[name][1])
            return RUNTIME[name][1]
        return self.printer.names[name]

    def function_arity(self, term: Any) -> int:
        """Of how many arguments a term is a function, as it is called here; 0 for no function."""
        match term:
            case Lambda(parameters, _):
                return len(parameters)
            case Let(_, _, body):
                return self.function_arity(body)
            case Var(name):
                return self.arities.get(name, 0)
            case Global(name):
                return self.module.arity(name)
            case Apply(Global(name), arguments):
                return self.module.arity(name) - len(arguments)
        return 0

    def match_arities(self, function: Any, arguments: tuple[Any, ...]) -> None:
        """A function is handed over only where one with as many arguments is expected."""
        if isinstance(function, Global):
            expected = self.module.expected(function.name)
        else:
            expected = [0] * len(arguments)
        for argument, count in zip(arguments, expected, strict=False):
            given = self.function_arity(argument)
            if given != count:
                raise Refused(
                    f"{self.name}: {function} takes a function of {count}, not {given}: {argument}"
                )

    def captured(self, term: Lambda) -> list[str]:
        """Variables whose later values a function that is made in a loop must not see."""
        if not self.looping:
            return []
        return [name for name in free(term) if name not in self.fixed]

    def inner(self, name: str, term: Lambda) -> None:
        body = Body(self.printer, self.name)
        body.indent = self.indent + 1
        body.arities = dict(self.arities)
        body.temporaries = self.temporaries
        if calls(term, self.name):
            raise Refused(f"{self.name} calls itself inside of a function")
        captured = [f"{other}={other}" for other in self.captured(term)]
        self.say(f"def {name}({', '.join([*term.parameters, *captured])}):")
        body.finish(term.body)
        self.lines.extend(body.lines)


class NeedsStatements(Exception):
    """An operand is no expression."""


class Argument:
    """An operand, written by `format` as tightly as the number after the colon says."""

    def __init__(self, body: Body, term: Any) -> None:
        self.body, self.term = body, term

    def __format__(self, tight: str) -> str:
        found = self.body.expression(self.term, int(tight or 0))
        if found is None:
            raise NeedsStatements
        return found


def bracketed(text: str, binds: int, tight: int) -> str:
    return f"({text})" if binds < tight else text


def is_atom(text: str) -> bool:
    return text.replace("_", "a").replace("[", "a").replace("]", "a").isalnum() or (
        text.endswith(")") and text.split("(")[0].isidentifier()
    )


def truth_branches(case: Case) -> tuple[Any, Any]:
    bodies = {branch.constructor: branch.body for branch in case.branches}
    default = bodies.get(None)
    return bodies.get("True", default), bodies.get("False", default)


def calls_at_the_end(term: Any, name: str) -> int:
    match term:
        case Apply(Global(called), _) if called == name:
            return 1
        case Let(_, _, body):
            return calls_at_the_end(body, name)
        case Case(_, branches):
            return sum(calls_at_the_end(branch.body, name) for branch in branches)
    return 0


def inner_call(term: Any, name: str) -> Apply | None:
    """A call of the function in a place that is worked out in any case, and not at the end."""
    match term:
        case Let(_, value, _) | Field(value, _) | Case(value, _):
            return outer_call(value, name)
        case Construct(_, arguments):
            return first_call(arguments, name)
        case Apply(function, arguments):
            if function == Global(name):
                return first_call(arguments, name)
            return first_call(arguments, name)
    return None


def first_call(arguments: tuple[Any, ...], name: str) -> Apply | None:
    for argument in arguments:
        found = outer_call(argument, name)
        if found is not None:
            return found
    return None


def outer_call(term: Any, name: str) -> Apply | None:
    if isinstance(term, Apply) and term.function == Global(name):
        return term
    return inner_call(term, name)


def own_calls(term: Any, name: str) -> Iterator[tuple[Any, ...]]:
    if isinstance(term, Apply) and term.function == Global(name):
        yield term.arguments
    for part in parts(term):
        yield from own_calls(part, name)


def unchanged(term: Lambda, name: str) -> Iterator[str]:
    """The parameters that a function hands over to itself as they are."""
    for index, parameter in enumerate(term.parameters):
        if all(args[index : index + 1] == (Var(parameter),) for args in own_calls(term.body, name)):
            yield parameter


def always_passed(term: Any, name: str, rest: str, index: int) -> bool:
    """Whether the rest of a list is only handed over to the function itself, in its place."""
    passed = [args[index] == Var(rest) for args in own_calls(term, name)]
    return all(passed) and sum(passed) == occurrences(term, rest)


def occurrences(term: Any, name: str) -> int:
    if isinstance(term, Var):
        return int(term.name == name)
    return sum(occurrences(part, name) for part in parts(term))


def main(file: str, source: str, *functions: str) -> None:
    deep = {name.removeprefix("deep:") for name in functions if name.startswith("deep:")}
    roots = [name for name in functions if not name.startswith("deep:")]
    module = read_module(json.loads(Path(file).read_text(encoding="utf-8")))
    print(Printer(module, roots, deep).text(source, roots), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
