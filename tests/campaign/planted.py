"""Bugs planted on purpose: a function runs with a piece of its source replaced, for a while."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any, NamedTuple


class Bug(NamedTuple):
    """In the module, the piece `right` of its source, which is there once, becomes `wrong`."""

    claim: str
    module: str
    right: str
    wrong: str


@contextmanager
def planted(bug: Bug) -> Iterator[None]:
    """Runs the block with the bug in place.

    The code of the functions is exchanged, not the functions: whoever has imported one of them
    runs the wrong code, too.
    """
    module = import_module(f"exactsched.{bug.module}")
    source = inspect.getsource(module)
    assert source.count(bug.right) == 1, (
        f"{bug.module}: {bug.right!r} is there {source.count(bug.right)} times"
    )
    changed = compile(source.replace(bug.right, bug.wrong), inspect.getfile(module), "exec")
    wrong = dict(_codes(changed, ""))
    kept = []
    for name, function in _functions(module):
        code = wrong.get(name)
        if code is not None and code != function.__code__:
            kept.append((function, function.__code__))
    assert kept, f"{bug.module}: no function is changed by {bug.wrong!r}"
    _forget()
    try:
        for function, _ in kept:
            function.__code__ = wrong[function.__qualname__]
        yield
    finally:
        for function, code in kept:
            function.__code__ = code
        _forget()


def _forget() -> None:
    """Empties the caches of the package's functions: right or wrong answers are kept there."""
    for name, module in list(sys.modules.items()):
        if name.startswith("exactsched"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def _codes(code: CodeType, prefix: str) -> Iterator[tuple[str, CodeType]]:
    """The functions and methods that a module's code defines, by their qualified names."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part.co_qualname, part
            yield from _codes(part, prefix)


def _functions(module: Any) -> Iterator[tuple[str, FunctionType]]:
    for holder in [module, *(c for c in vars(module).values() if inspect.isclass(c))]:
        if holder is not module and holder.__module__ != module.__name__:
            continue
        for value in vars(holder).values():
            found = inspect.unwrap(
                getattr(value, "fget", None) or getattr(value, "__func__", value)
            )
            if isinstance(found, FunctionType) and found.__module__ == module.__name__:
                yield found.__qualname__, found
