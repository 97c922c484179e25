"""Mutants: the package with one small piece of one function changed.

A mutant keeps the lines of the source.  Its function runs the other code while every module that
has imported the function keeps it, as in `tests.campaign.planted`.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import importlib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

from tests.campaign.planted import plain

ROOT = Path(__file__).parents[2]

OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}
# What a reader sees is not what decides.
UNMUTATED = ("__repr__", "__str__")


class Mutant(NamedTuple):
    """In `function` of `module`, the change `change`, the `nth` such one, at `line`."""

    module: str
    function: str
    change: str
    nth: int
    line: int

    @property
    def name(self) -> str:
        nth = f" #{self.nth}" if self.nth else ""
        return f"{self.module.removeprefix('exactsched.')}:{self.function}: {self.change}{nth}"

    @property
    def rank(self) -> str:
        """Samples are what ranks first: so they hardly change when the package does."""
        return hashlib.sha256(self.name.encode()).hexdigest()


def sample(mutants: Iterable[Mutant], size: int) -> list[Mutant]:
    """At most this many, the same on every machine, and few others after a change elsewhere."""
    return sorted(islice(sorted(mutants, key=lambda one: one.rank), size))


def mutants_under(folder: str) -> Iterator[Mutant]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        if path.name != "__main__.py":
            yield from mutants_of(".".join(path.relative_to(ROOT).with_suffix("").parts))


def mutants_of(module: str) -> Iterator[Mutant]:
    for function, definition in _functions(_parsed(_source(module)), ""):
        seen: dict[str, int] = {}
        for change in _changes(definition):
            nth = seen.get(change.text, 0)
            seen[change.text] = nth + 1
            yield Mutant(module.removesuffix(".__init__"), function, change.text, nth, change.line)


def apply(mutant: Mutant) -> None:
    """From now on, in this process, the function runs the changed code."""
    tree = copy.deepcopy(_parsed(_source(mutant.module)))
    definition = dict(_functions(tree, ""))[mutant.function]
    nth = islice(
        (one for one in _changes(definition) if one.text == mutant.change), mutant.nth, None
    )
    next(nth).make()
    ast.fix_missing_locations(tree)
    code = compile(tree, str(_source(mutant.module)), "exec", dont_inherit=True)
    found = _function(mutant)
    found.__code__ = _code_of(code, mutant.function)


def _source(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _functions(tree: ast.Module | ast.ClassDef, above: str) -> Iterator[tuple[str, ast.AST]]:
    """Functions and methods, by qualified name; those inside of functions belong to them."""
    for part in tree.body:
        if isinstance(part, ast.ClassDef):
            yield from _functions(part, f"{above}{part.name}.")
        overloads = [ast.unparse(one) for one in getattr(part, "decorator_list", ())]
        named = isinstance(part, ast.FunctionDef) and part.name not in UNMUTATED
        if named and not any("overload" in one for one in overloads):
            assert isinstance(part, ast.FunctionDef)
            yield above + part.name, part


def _function(mutant: Mutant) -> FunctionType:
    found = importlib.import_module(mutant.module)
    *classes, name = mutant.function.split(".")
    for one in classes:
        found = getattr(found, one)
    return plain(vars(found)[name])


def _code_of(code: CodeType, function: str) -> CodeType:
    """The code inside, by qualified name; of two (a property and its setter) the last."""
    inside = [part for part in code.co_consts if isinstance(part, CodeType)]
    for part in reversed(inside):
        if part.co_qualname == function:
            return part
        if function.startswith(f"{part.co_qualname}."):
            return _code_of(part, function)
    raise LookupError(function)


class _Change:
    """Puts `new` where `old` is: in the field of `parent`, at `place` if that is a list."""

    def __init__(
        self, parent: ast.AST, field: str, place: int | None, new: ast.AST, *, of: ast.AST
    ) -> None:
        self._parent, self._field, self._place, self._new = parent, field, place, new
        old = getattr(parent, field)
        self._old = old if place is None else old[place]
        self.line: int = of.lineno  # type: ignore[attr-defined]
        before = _written(of)
        self.make()
        self.text = f"{before} -> {_written(new if of is self._old else of)}"
        self._put(self._old)

    def make(self) -> None:
        self._put(self._new)

    def _put(self, part: ast.AST) -> None:
        if self._place is None:
            setattr(self._parent, self._field, part)
        else:
            getattr(self._parent, self._field)[self._place] = part


def _written(part: ast.AST) -> str:
    return " ".join(ast.unparse(part).split())


def _changes(definition: ast.AST) -> Iterator[_Change]:
    for parent, field, place, node in _parts(definition):
        short = isinstance(node, (ast.Constant, ast.Slice)) and isinstance(parent, ast.expr)
        shown = parent if short else node
        for new in _others(node, parent, field):
            yield _Change(parent, field, place, new, of=shown)
        yield from _changed_operators(node)


def _parts(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """All parts that compute: no annotations, decorators, defaults, texts, and no messages."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "decorator_list", "args") and not isinstance(
            tree, ast.Call
        ):
            continue
        inside = enumerate(value) if isinstance(value, list) else [(None, value)]
        for place, node in inside:
            if isinstance(node, ast.AST) and not isinstance(node, (ast.JoinedStr, ast.Assert)):
                yield tree, field, place, node
                if not isinstance(node, ast.Raise):
                    yield from _parts(node)


def _changed_operators(node: ast.AST) -> Iterator[_Change]:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            yield _Change(node, "ops", place, OTHER[type(operator)](), of=node)
    elif isinstance(node, (ast.BoolOp, ast.BinOp, ast.AugAssign)) and type(node.op) in OTHER:
        yield _Change(node, "op", None, OTHER[type(node.op)](), of=node)


def _others(node: ast.AST, parent: ast.AST, field: str) -> Iterator[ast.AST]:
    """What may stand in place of the node."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, int):
            yield ast.Constant(node.value + 1)
            yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand
    elif isinstance(node, ast.Name) and node.id in OTHER_NAME and field == "func":
        yield ast.Name(OTHER_NAME[node.id], ast.Load())
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, (ast.AugAssign, ast.Raise)) or _is_call(node):
        yield ast.Pass()
    elif isinstance(parent, ast.Slice) and field != "step" and not isinstance(node, ast.UnaryOp):
        operator = ast.Add() if field == "lower" else ast.Sub()
        yield ast.BinOp(node, operator, ast.Constant(1))
    if isinstance(parent, (ast.If, ast.While, ast.IfExp)) and field == "test":
        yield ast.UnaryOp(ast.Not(), node)
    if isinstance(parent, ast.comprehension) and field == "ifs":
        yield ast.Constant(True)


def _is_call(node: ast.AST) -> bool:
    """A statement that only calls: without it something is not done."""
    return isinstance(node, ast.Expr) and isinstance(node.value, (ast.Call, ast.Yield))
