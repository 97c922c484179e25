"""The float solvers that exact linear programs are compared with, in their default settings."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib.util import find_spec
from math import isclose

from conftest import TIMER

from exactsched.certificate.linear_programs import LinearProgram


def soplex(program: LinearProgram) -> Callable[[], float]:
    """The program loaded into SoPlex; the call solves it."""
    from pyscipopt import LP

    solver = LP(sense="maximize")
    infinity = solver.infinity()
    columns: list[list[tuple[int, float]]] = [[] for _ in program.objective]
    for row, entries in enumerate(program.rows):
        for column, coefficient in entries:
            columns[column].append((row, float(coefficient)))
    upper = [float(right) for right in program.right_sides]
    lower = [-infinity] * len(upper)
    for row in program.equalities:
        lower[row] = upper[row]
    least = [-infinity] * len(columns)
    for column in program.nonnegative:
        least[column] = 0.0
    solver.addRows([[] for _ in upper], lower, upper)
    gains = [float(gain) for gain in program.objective]
    solver.addCols(columns, objs=gains, lbs=least, ubs=[infinity] * len(columns))
    return lambda: float(solver.solve())


def highs(program: LinearProgram) -> Callable[[], float]:
    """The same with HiGHS."""
    import highspy

    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.objective), len(program.rows)
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = [float(gain) for gain in program.objective]
    least = [-highspy.kHighsInf] * len(program.objective)
    for column in program.nonnegative:
        least[column] = 0.0
    model.col_lower_, model.col_upper_ = least, [highspy.kHighsInf] * len(least)
    model.row_upper_ = upper = [float(right) for right in program.right_sides]
    lower = [-highspy.kHighsInf] * len(upper)
    for row in program.equalities:
        lower[row] = upper[row]
    model.row_lower_ = lower
    starts, places, values = [0], [], []
    for entries in program.rows:
        places += [column for column, _ in entries]
        values += [float(coefficient) for _, coefficient in entries]
        starts.append(len(places))
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_ = starts, places
    model.a_matrix_.value_ = values
    solver = highspy.Highs()
    solver.silent()
    solver.setOptionValue("threads", 1)
    solver.passModel(model)

    def solve() -> float:
        solver.run()
        return float(solver.getInfo().objective_function_value)

    return solve


PEERS = {"SoPlex": soplex, "HiGHS": highs}

# A peer solves a program so often, each time from the start, or until this many seconds are over:
# one time of a tenth of a second differs from the next one by a half on a busy machine.
ROUNDS, ENOUGH = 3, 1.0


def solved_in_floats(
    program: LinearProgram, value: Fraction | None, peers: tuple[str, ...] = tuple(PEERS)
) -> dict[str, float | str]:
    """The seconds of each peer, without loading the program; text if it does not find the value.

    They are the least of `ROUNDS`, or of fewer where these take long.  A `value` of None stands for
    a program without an optimum: any answer will do.
    """
    absent = set() if find_spec("highspy") else {"HiGHS"}
    return {
        name: "not installed" if name in absent else _seconds(PEERS[name], program, value)
        for name in peers
    }


def _seconds(
    load: Callable[[LinearProgram], Callable[[], float]],
    program: LinearProgram,
    value: Fraction | None,
) -> float | str:
    times: list[float] = []
    try:
        while len(times) < ROUNDS and sum(times) < ENOUGH:
            solve = load(program)
            start = TIMER()
            found = solve()
            times.append(TIMER() - start)
            if value is not None and not isclose(found, float(value), rel_tol=1e-6, abs_tol=1e-6):
                return "wrong"
    except TimeoutError:
        raise
    except Exception:  # SoPlex gives up
        return "gives up"
    return min(times)
