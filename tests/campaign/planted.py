"""Bugs planted on purpose: for a while a function runs code in which one piece is wrong."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from textwrap import dedent
from types import CodeType, FunctionType
from typing import Any, NamedTuple


class Bug(NamedTuple):
    """In the function, the one piece of code that matches the pattern `right` becomes `wrong`.

    The function is the object itself, a method, or a property.  Patterns are Python, an expression
    or statements, in which a single capital letter stands for any expression or name, and for the
    same one wherever it occurs; ``...`` in place of a body stands for any body.  So neither new
    names nor another layout of the code change a bug.

    The instances before number `first` are known not to show it.
    """

    claim: str
    function: Any
    right: str
    wrong: str
    first: int = 0


@contextmanager
def planted(bug: Bug) -> Iterator[None]:
    """Runs the block with the bug in place.

    The code of the function is exchanged, not the function: so every module that has imported it
    runs the wrong code.
    """
    function = plain(bug.function)
    right, wrong = function.__code__, _compiled(function, changed(bug))
    _forget()
    function.__code__ = wrong
    try:
        yield
    finally:
        function.__code__ = right
        _forget()


def plain(found: Any) -> FunctionType:
    """The function behind a method, a property or a cache."""
    for name in ("fget", "func", "__func__"):
        found = getattr(found, name, found)
    function = inspect.unwrap(found)
    assert isinstance(function, FunctionType)
    return function


def changed(bug: Bug) -> str:
    """The source of the function with the bug; exactly one piece of it has to match."""
    tree = ast.parse(dedent(inspect.getsource(plain(bug.function))))
    right, wrong = _patterns(bug.right, bug.wrong)
    found = list(_matches(tree, right))
    name = plain(bug.function).__qualname__
    assert len(found) == 1, f"{name}: {bug.right!r} matches {len(found)} times"
    [(parent, field, start, letters)] = found
    filled = [_Filled(letters).visit(deepcopy(part)) for part in wrong]
    inside = getattr(parent, field)
    if isinstance(inside, list):
        inside[start : start + len(right)] = filled
    else:
        [only] = filled
        setattr(parent, field, only)
    return ast.unparse(tree)


def _compiled(function: FunctionType, source: str) -> CodeType:
    definition = ast.parse(source).body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []  # they are wrapped around the function already
    module = ast.Module([definition], [])
    code = compile(module, inspect.getfile(function), "exec", annotations.compiler_flag, True)
    [wrong] = [part for part in code.co_consts if isinstance(part, CodeType)]
    return wrong


def _patterns(right: str, wrong: str) -> tuple[list[ast.AST], list[ast.AST]]:
    """Both as two expressions, or both as statements."""
    parsed = [ast.parse(text).body for text in (right, wrong)]
    if all(len(body) == 1 and isinstance(body[0], ast.Expr) for body in parsed):
        return tuple([[body[0].value] for body in parsed])
    return tuple(parsed)


Letters = dict[str, Any]


def _matches(tree: ast.AST, pattern: list[ast.AST]) -> Iterator[tuple[ast.AST, str, int, Letters]]:
    """Where the pattern is: the node that has it, in which field, from where on; the letters."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            inside = value if isinstance(value, list) else [value]
            for start in range(len(inside) - len(pattern) + 1):
                letters: Letters = {}
                if _alike(pattern, inside[start : start + len(pattern)], letters):
                    yield parent, field, start, letters


def _alike(pattern: Any, piece: Any, letters: Letters) -> bool:
    """Whether the piece matches; then `letters` has what each letter stands for."""
    if isinstance(pattern, list):
        if len(pattern) == 1 and _is_ellipsis(pattern[0]):
            letters["..."] = piece
            return True
        same_length = isinstance(piece, list) and len(pattern) == len(piece)
        return same_length and all(
            _alike(one, other, letters) for one, other in zip(pattern, piece, strict=True)
        )
    letter = _letter(pattern)
    if letter and isinstance(piece, (ast.expr, str)):
        known = letters.setdefault(letter, piece)
        return known is piece or _written(known) == _written(piece)
    if not isinstance(pattern, ast.AST) or type(pattern) is not type(piece):
        return type(pattern) is type(piece) and pattern == piece
    return all(
        _alike(value, getattr(piece, field), letters)
        for field, value in ast.iter_fields(pattern)
        if field != "ctx"
    )


def _is_ellipsis(pattern: Any) -> bool:
    shown = isinstance(pattern, ast.Expr) and isinstance(pattern.value, ast.Constant)
    return shown and pattern.value.value is ...


def _letter(pattern: Any) -> str:
    """The letter that a part of a pattern is; otherwise the empty text."""
    name = pattern.id if isinstance(pattern, ast.Name) else pattern
    return name if isinstance(name, str) and len(name) == 1 and name.isupper() else ""


def _written(piece: Any) -> str:
    return piece if isinstance(piece, str) else ast.unparse(piece)


class _Filled(ast.NodeTransformer):
    """Puts in what the letters stand for."""

    def __init__(self, letters: Letters) -> None:
        self._letters = letters

    def visit(self, node: ast.AST) -> Any:
        if _is_ellipsis(node):
            return self._letters["..."]
        letter = _letter(node)
        if letter in self._letters:
            return ast.parse(_written(self._letters[letter]), mode="eval").body
        for field, value in ast.iter_fields(node):
            if isinstance(value, str) and value in self._letters:
                setattr(node, field, _written(self._letters[value]))
        return self.generic_visit(node)


def _forget() -> None:
    """Empties the caches of the package's functions: right or wrong answers are kept there."""
    for name, module in list(sys.modules.items()):
        if name.startswith("exactsched"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
