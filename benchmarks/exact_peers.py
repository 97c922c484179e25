"""The exact solvers that exact linear programs are compared with, in their default settings.

QSopt_ex is a library in C (Debian: libqsopt-ex2), PPL one in C++, with pplpy around it (PyPI).
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_int, c_void_p
from ctypes.util import find_library
from fractions import Fraction
from pathlib import Path
from typing import Any

from conftest import TIMER

from exactsched.certificate.linear_programs import LinearProgram
from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.rational import Rational

# Here, before a row sets its own handler of SIGALRM: cysignals, which comes with it, sets one, too.
try:
    import ppl
except ImportError:
    ppl = None

ROUNDS = 3
# Solves a program that is loaded: the value of its optimum, or None where there is none.
Solve = Callable[[], Fraction | None]


def solved_exactly(
    program: LinearProgram, value: Fraction | None, peers: Iterable[str]
) -> dict[str, float | str]:
    """The seconds of each peer without and with loading, text if it does not find the value."""
    seconds: dict[str, float | str] = {}
    for name in peers:
        prepared, is_installed = PEERS[name]
        if not is_installed:
            seconds[name] = "not installed"
            continue
        times = []
        for _ in range(ROUNDS):
            load = prepared(program)
            start = TIMER()
            solve = load()
            loaded = TIMER()
            answer = solve()
            times.append((TIMER() - loaded, TIMER() - start))
        alone, together = map(min, zip(*times, strict=True))
        seconds[name] = alone if answer == value else "wrong"
        seconds[f"{name} with loading"] = together if answer == value else "wrong"
    return seconds


# QSopt_ex ------------------------------------------------------------------------------------

# Of its header basicdefs.h.
_PRIMAL_SIMPLEX = 0
_OPTIMAL, _INFEASIBLE, _UNBOUNDED = 1, 2, 3


class _Rational(Structure):
    """GMP's mpq_t: numerator and denominator, each with two sizes and a pointer."""

    _fields_ = (
        *(("numerator_room", c_int), ("numerator_size", c_int), ("numerator", c_void_p)),
        *(("denominator_room", c_int), ("denominator_size", c_int), ("denominator", c_void_p)),
    )


def _qsopt_ex(program: LinearProgram) -> Callable[[], Solve]:
    """Loading is reading an LP file, which is not counted while we write it."""
    library, gmp = _library(), CDLL(find_library("gmp"))
    gmp.__gmpq_get_str.restype = c_char_p
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "program.lp"
    path.write_text(_lp_file(program), encoding="ascii")

    def load() -> Solve:
        with _silent(), folder:
            loaded = library.mpq_QSread_prob(os.fsencode(path), b"LP")
        return lambda: solve(c_void_p(loaded))

    def solve(loaded: c_void_p) -> Fraction | None:
        status, value = c_int(), _Rational()
        with _silent():
            library.QSexact_solver(loaded, None, None, None, _PRIMAL_SIMPLEX, byref(status))
        if status.value in (_INFEASIBLE, _UNBOUNDED):
            return None
        if status.value != _OPTIMAL:
            raise ArithmeticError(f"QSopt_ex ends with status {status.value}")
        gmp.__gmpq_init(byref(value))
        library.mpq_QSget_objval(loaded, byref(value))
        return Fraction(gmp.__gmpq_get_str(None, 10, byref(value)).decode())

    return load


def _library() -> Any:
    library = CDLL(find_library("qsopt_ex"))
    library.mpq_QSread_prob.restype = c_void_p
    library.QSexact_solver.argtypes = [c_void_p] * 4 + [c_int, POINTER(c_int)]
    library.mpq_QSget_objval.argtypes = [c_void_p, POINTER(_Rational)]
    if not c_int.in_dll(library, "__QSexact_setup").value:
        library.QSexactStart()
    return library


@contextmanager
def _silent() -> Iterator[None]:
    """It tells all that it does on the standard error output."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _lp_file(program: LinearProgram) -> str:
    """Every variable stands in the objective, if only with 0: a bound must know it."""

    def form(entries: Iterable[tuple[int, Rational]]) -> str:
        return " ".join(f"{'-' if a < 0 else '+'} {abs(a)} x{column}" for column, a in entries)

    equal = set(program.equalities)
    free = sorted(set(range(len(program.objective))) - set(program.nonnegative))
    rows = zip(program.rows, program.right_sides, strict=True)
    return "\n".join(
        (
            "maximize",
            form(enumerate(program.objective)),
            "subject to",
            *(
                f"r{row}: {form(entries)} {'=' if row in equal else '<='} {right}"
                for row, (entries, right) in enumerate(rows)
            ),
            "bounds",
            *(f"x{column} free" for column in free),
            "end\n",
        )
    )


# PPL -----------------------------------------------------------------------------------------


def _ppl(program: LinearProgram) -> Callable[[], Solve]:
    """Loading is what pplpy makes of every row, in integers, and of the objective."""
    equal = set(program.equalities)
    rows = [
        ([column for column, _ in entries], over_common_denominator([*(a for _, a in entries), b]))
        for entries, b in zip(program.rows, program.right_sides, strict=True)
    ]
    gains, unit = over_common_denominator(program.objective)

    def load() -> Solve:
        system = ppl.Constraint_System()
        for index, (columns, (numbers, _)) in enumerate(rows):
            *coefficients, right = numbers
            form = ppl.Linear_Expression(dict(zip(columns, coefficients, strict=True)), 0)
            system.insert(form == right if index in equal else form <= right)
        for column in program.nonnegative:
            system.insert(ppl.Variable(column) >= 0)
        gain = ppl.Linear_Expression(dict(enumerate(gains)), 0)
        problem = ppl.MIP_Problem(len(gains), system, gain)
        problem.set_optimization_mode("maximization")
        return lambda: solve(problem)

    def solve(problem: Any) -> Fraction | None:
        if problem.solve()["status"] != "optimized":
            return None
        value = problem.optimal_value()
        return Fraction(int(value.numerator), int(value.denominator)) / unit

    return load


# What prepares a program, and whether the peer is there.
PEERS = {
    "QSopt_ex": (_qsopt_ex, bool(find_library("qsopt_ex"))),
    "PPL": (_ppl, ppl is not None),
}
