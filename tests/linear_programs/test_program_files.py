"""Linear programs in MPS and LP files: what is read, what is refused, and what is solved."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.certificate.linear_programs import LinearInfeasibility, LinearUnboundedness
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.linear_programs.files.lp import parse_lp
from exactsched.linear_programs.files.mps import parse_mps
from exactsched.linear_programs.files.reader import read_linear_program
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.linear_programs.stated_program import (
    NOT_NEGATIVE,
    Answer,
    Range,
    StatedProgram,
    StatedRow,
    solve_stated,
)
from tests.cli.command_line import Run

# Programs, and how people write them down ---------------------------------------------------------

small = st.integers(-4, 4).map(lambda k: Fraction(k, 2))
positions = st.one_of(
    st.tuples(small, small).map(lambda ends: Range(min(ends), max(ends))),
    small.map(Range),
    small.map(lambda end: Range(None, end)),
    small.map(lambda end: Range(end, end)),
)
ranges = st.one_of(st.just(NOT_NEGATIVE), positions, st.just(Range()))


@st.composite
def programs(draw: st.DrawFn) -> StatedProgram:
    names = [f"x{index}" for index in range(draw(st.integers(1, 4)))]
    forms = st.dictionaries(st.sampled_from(names), small.filter(bool), min_size=1)
    rows = {
        f"row{index}": StatedRow(draw(forms), draw(positions))
        for index in range(draw(st.integers(0, 4)))
    }
    variables = {name: draw(ranges) for name in names}
    # Every variable has an entry, so that both formats name it, in this order.
    objective = {name: draw(small.filter(bool)) for name in names}
    return StatedProgram(draw(st.booleans()), objective, rows, variables, draw(small))


def written(number: object) -> str:
    return str(Decimal(str(float(Fraction(str(number))))))


def as_mps(program: StatedProgram) -> str:
    lines = ["NAME test", "OBJSENSE", f"    {'MIN' if program.minimize else 'MAX'}", "ROWS"]
    sides, spans, columns, bounds = [f" RHS cost {written(-program.constant)}"], [], [], []
    lines.append(" N cost")
    for name, row in program.rows.items():
        low, high = row.within.low, row.within.high
        if low is not None and low == high:
            kind, side = "E", low
        elif high is not None:
            kind, side = "L", high
        else:
            assert low is not None
            kind, side = "G", low
        if kind == "L" and low is not None:
            assert high is not None
            spans.append(f" RNG {name} {written(high - low)}")
        lines.append(f" {kind} {name}")
        sides.append(f" RHS {name} {written(side)}")
    for name, within in program.variables.items():
        columns.append(f" {name} cost {written(program.objective[name])}")
        columns += [
            f" {name} {row} {written(form.coefficients[name])}"
            for row, form in program.rows.items()
            if name in form.coefficients
        ]
        low, high = within.low, within.high
        if low is None:
            bounds.append(f" MI BND {name}" if high is not None else f" FR BND {name}")
        elif low == high:
            bounds.append(f" FX BND {name} {written(low)}")
            continue
        elif low:
            bounds.append(f" LO BND {name} {written(low)}")
        if high is not None:
            # A negative upper end needs a lower one that is stated.
            bounds += [f" LO BND {name} 0"] if low == 0 and high < 0 else []
            bounds.append(f" UP BND {name} {written(high)}")
    parts = [*lines, "COLUMNS", *columns, "RHS", *sides, "RANGES", *spans, "BOUNDS", *bounds]
    return "\n".join([*parts, "ENDATA", ""])


def form_text(form: Mapping[str, object]) -> str:
    return " ".join(
        f"{'-' if Fraction(str(number)) < 0 else '+'} {written(abs(Fraction(str(number))))} {name}"
        for name, number in form.items()
    )


def range_text(form: str, within: Range) -> str:
    low, high = within.low, within.high
    if low is not None and low == high:
        return f"{form} = {written(low)}"
    text = form if high is None else f"{form} <= {written(high)}"
    if low is not None and high is not None:
        return f"{written(low)} <= {text}"
    return f"{form} >= {written(low)}" if low is not None else text


def as_lp(program: StatedProgram) -> str:
    lines = ["\\ a test", "minimize" if program.minimize else "Maximize"]
    constant = f"+ {written(program.constant)}"
    lines.append(f" cost: {form_text(program.objective)} {constant}".replace("+ -", "- "))
    lines.append("Subject To")
    lines += [
        f" {name}: {range_text(form_text(row.coefficients), row.within)}"
        for name, row in program.rows.items()
    ]
    lines.append("Bounds")
    for name, within in program.variables.items():
        if within == Range():
            lines.append(f" {name} free")
        elif within.low is None:
            lines.append(f" -inf <= {name} <= {written(within.high)}")
        else:
            lines.append(f" {range_text(name, within)}")
    return "\n".join([*lines, "End", ""])


@given(programs())
def test_both_formats_say_the_same(program: StatedProgram) -> None:
    assert parse_mps(as_mps(program)) == program
    assert parse_lp(as_lp(program)) == program


# The optimum ------------------------------------------------------------------------------------


def naive(program: StatedProgram) -> object:
    """The outcome with all variables free and every range in rows of its own."""
    names = list(program.variables)
    rows, sides = [], []
    forms = [
        *[(row.coefficients, row.within) for row in program.rows.values()],
        *[({name: 1}, within) for name, within in program.variables.items()],
    ]
    for form, within in forms:
        for sign, end in ((1, within.high), (-1, within.low)):
            if end is not None:
                rows.append({names.index(x): sign * number for x, number in form.items()})
                sides.append(sign * end)
    sign = -1 if program.minimize else 1
    return maximize(linear_program([sign * program.objective[x] for x in names], rows, sides))


def value_of(form: Mapping[str, object], point: Mapping[str, Fraction]) -> Fraction:
    return sum((Fraction(str(n)) * point.get(x, 0) for x, n in form.items()), Fraction(0))


def at_an_end(value: Fraction, within: Range, price: Fraction, minimize: bool) -> bool:
    """Whether a price of this sign belongs to an end that the value has."""
    end = within.low if (price > 0) == minimize else within.high
    return value == end


@given(programs())
@settings(max_examples=80)
def test_the_point_is_optimal_by_its_prices(program: StatedProgram) -> None:
    answer = solve_stated(program)
    assert check(answer.certificate())
    outcome = naive(program)
    if answer.value is None:
        assert type(outcome) is type(answer.outcome)
        infeasible = isinstance(outcome, LinearInfeasibility)
        assert infeasible or isinstance(outcome, LinearUnboundedness)
        assert str(answer) == ("infeasible" if infeasible else "unbounded")
        return
    point, sign = answer.point, -1 if program.minimize else 1
    assert answer.value == program.constant + value_of(program.objective, point)
    assert answer.value - program.constant == sign * outcome.value  # type: ignore[attr-defined]
    reduced = {name: Fraction(str(number)) for name, number in program.objective.items()}
    for name, row in program.rows.items():
        value, price = value_of(row.coefficients, point), answer.prices.get(name, Fraction(0))
        assert row.within.low is None or row.within.low <= value
        assert row.within.high is None or value <= row.within.high
        assert not price or at_an_end(value, row.within, price, program.minimize)
        for variable, number in row.coefficients.items():
            reduced[variable] -= price * number
    for name, within in program.variables.items():
        value = point.get(name, Fraction(0))
        assert within.low is None or within.low <= value
        assert within.high is None or value <= within.high
        assert not reduced[name] or at_an_end(value, within, reduced[name], program.minimize)


def test_a_variable_without_a_range() -> None:
    row = StatedRow({"y": 1}, Range(0))
    with pytest.raises(InvalidInput, match="row r: 'y': every variable has a range"):
        solve_stated(StatedProgram(True, {}, {"r": row}, {}))


# MPS ----------------------------------------------------------------------------------------------

HEAD = "NAME\nROWS\n N cost\n N other\n {kind} r\nCOLUMNS\n x cost 1 r 1\n x other 7\n"


@pytest.mark.parametrize(
    ("kind", "span", "low", "high"),
    [
        *[("E", "2", 5, 7), ("E", "-2", 3, 5), ("E", "0", 5, 5)],
        *[("L", "2", 3, 5), ("L", "-2", 3, 5), ("G", "2", 5, 7), ("G", "-2", 5, 7)],
    ],
)
def test_ranges_by_the_kind_of_the_row(kind: str, span: str, low: int, high: int) -> None:
    program = parse_mps(
        HEAD.format(kind=kind) + f"RHS\n r 5\n s other 1\nRANGES\n r {span}\nENDATA\n"
    )
    assert program.rows["r"].within == Range(low, high)


def test_fixed_form_has_blanks_in_names() -> None:
    written = (
        "NAME          BLANKS\nROWS\n N  COST\n L  THE ROW\nCOLUMNS\n"
        "    AN  X     COST            -1.0     THE ROW        2.0\n"
        "RHS\n    RHS       THE ROW          3.0\n"
        "BOUNDS\n UP BND       AN  X           1.0\nENDATA\n"
    )
    program = parse_mps(written)
    assert program.rows["THE ROW"].coefficients == {"AN  X": 2}
    assert program.variables == {"AN  X": Range(0, 1)}
    assert solve_stated(program).value == -1


BOUNDS = [
    ("UP B x 4", Range(0, 4)),
    ("UP x 4", Range(0, 4)),
    ("LO B x -4", Range(-4)),
    ("FX B x 4", Range(4, 4)),
    ("FR B x", Range()),
    ("FR x", Range()),
    ("MI B x", Range(None)),
    ("PL B x", Range(0)),
    ("MI B x\n UP B x -1", Range(None, -1)),
    ("UP B x 3\n PL B x", Range(0)),
]


@pytest.mark.parametrize(("line", "within"), BOUNDS)
def test_bounds_of_mps(line: str, within: Range) -> None:
    program = parse_mps(HEAD.format(kind="L") + f"BOUNDS\n {line}\nENDATA\n")
    assert program.variables["x"] == within


MPS = HEAD.format(kind="L") + "RHS\n r 5\nBOUNDS\n UP B x 4\nENDATA\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (" L r", " Q r", "line 5: 'Q r': a row is N, E, L or G and a name"),
        (" L r", " L cost", "line 5: 'cost': two rows have this name"),
        ("NAME", "QUADOBJ", "line 1: 'QUADOBJ': the sections that are read are NAME, OBJSENSE"),
        ("NAME\n", "NAME\n x 1\n", "line 2: 'x 1': section NAME is empty"),
        ("NAME\n", "OBJSENSE\n UP\n", "line 2: 'UP': OBJSENSE is MIN or MAX"),
        ("cost 1 r 1", "cost 1 r", "line 7: 'cost 1 r': after the name: a row and a number"),
        ("cost 1 r 1", "cost 1 q 1", "line 7: 'q': no row has this name"),
        ("cost 1 r 1", "cost 1 cost 1", "line 7: 'x in cost': this entry is given twice"),
        ("cost 1 r 1", "cost one r 1", "line 7: 'one': not a number"),
        ("COLUMNS\n", "COLUMNS\n M 'MARKER' 'INTORG'\n", "variables are real"),
        ("UP B x 4", "BV B x", "line 12: 'BV B x': variables are real"),
        ("UP B x 4", "XX B x 4", "line 12: 'XX': a bound is one of LO, UP, FX, FR, MI, PL"),
        ("UP B x 4", "UP B x", "line 12: 'B': no variable has this name"),
        ("UP B x 4", "UP x", "line 12: 'UP x': UP needs a variable and a number"),
        ("UP B x 4", "UP B y 4", "line 12: 'y': no variable has this name"),
        ("UP B x 4", "UP B x -4", "solvers differ on a negative upper end"),
        ("ENDATA\n", "", "end of the file: 'BOUNDS': the last section is ENDATA"),
        ("ENDATA\n", "ENDATA\n x\n", "line 14: 'x': nothing follows ENDATA"),
    ],
)
def test_what_mps_files_may_not_say(old: str, new: str, said: str) -> None:
    assert parse_mps(MPS)
    with pytest.raises(InvalidInput, match=re.escape(said)):
        parse_mps(MPS.replace(old, new, 1))


# LP -----------------------------------------------------------------------------------------------


def test_an_lp_file_in_many_styles() -> None:
    program = parse_lp(
        "\\ comment\nMAX 3x - -2 y + x + 1.5 \\ gain\nst\n c1: 2 x + y <= 4e0\n -x >= -2\n"
        " 1 =< x + y + z =< 5\n d: z < 7\n e: 2 = x - z\nBounds\n x <= .5\n 2 >= y\n"
        " -infinity <= z <= inf\nend\n"
    )
    assert program == StatedProgram(
        minimize=False,
        objective={"x": 4, "y": 2},
        rows={
            "c1": StatedRow({"x": 2, "y": 1}, Range(None, 4)),
            "R2": StatedRow({"x": -1}, Range(-2)),
            "R3": StatedRow({"x": 1, "y": 1, "z": 1}, Range(1, 5)),
            "d": StatedRow({"z": 1}, Range(None, 7)),
            "e": StatedRow({"x": 1, "z": -1}, Range(2, 2)),
        },
        variables={"x": Range(0, Fraction(1, 2)), "y": Range(0, 2), "z": Range()},
        constant=Fraction(3, 2),
    )


LP = "minimize\n x + y\nsubject to\n r: x + 2 y >= 2\nbounds\n x <= 4\nend\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("minimize", "", "line 2: 'x + y': it starts with minimize or maximize"),
        ("minimize\n x + y\n", "", "file: 'no objective': it starts with minimize or maximize"),
        ("subject to", "minimize", "line 3: 'minimize': this section is there twice"),
        ("bounds", "general", "line 5: 'general': variables are real"),
        ("bounds", "binaries", "line 5: 'binaries': variables are real"),
        ("x + 2 y", "x + 2 y ^ 2", "line 4: '^': numbers, names, + - <= >= = and :"),
        ("x + 2 y", "x + 2 + : y", "line 4: ':': a term"),
        ("x + 2 y", "", "line 4: '>=': a term is a number, a variable, or both"),
        ("x + 2 y >= 2", "2 >= 2", "line 4: '<': a row is a form with variables"),
        ("x + 2 y >= 2", "x >= y", "line 4: 'y': a row is a form with variables"),
        ("x + 2 y >= 2", "x + 2 y", "line 4: 'nothing': a row is a form with variables"),
        ("x + 2 y >= 2", "2", "line 4: 'nothing': a row is a form with variables"),
        ("x + 2 y >= 2", "2 >= x >= 1 >= 0", "line 4: '<>': a row is a form with variables"),
        ("x + 2 y >= 2", "x >= 1 >= 0", "line 4: '>': a row is a form with variables"),
        ("x + 2 y >= 2", "1 <= x >= 2", "line 4: '>': a row is a form with variables"),
        ("x + 2 y >= 2", "x <= -inf", "line 4: '<': a row is a form with variables"),
        ("r: ", "r: x >= 1\n r: ", "line 5: 'r': two rows have this name"),
        ("x <= 4", "x + y <= 4", "line 6: 'x y': a bound is of one variable"),
        ("x <= 4", "2 x <= 4", "line 6: 'x': a bound is of one variable"),
        ("x <= 4", "x <= -4", "solvers differ on a negative upper end"),
        ("x <= 4", "x bound", "line 6: 'bound': the only word after a variable is free"),
        ("x + y\n", "x + y >= 2\n", "line 2: '>=': the objective is one linear form"),
        ("end\n", "end\nx\n", "line 8: 'x': nothing follows end"),
    ],
)
def test_what_lp_files_may_not_say(old: str, new: str, said: str) -> None:
    assert parse_lp(LP)
    with pytest.raises(InvalidInput, match=re.escape(said)):
        parse_lp(LP.replace(old, new, 1))


# Files and the command ----------------------------------------------------------------------------


def test_files_are_told_by_their_names(tmp_path: Path) -> None:
    for name, text in (("a.mps", MPS), ("a.lp", LP)):
        (tmp_path / name).write_text(text)
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
        assert read_linear_program(tmp_path / name) == read_linear_program(tmp_path / f"{name}.gz")
    (tmp_path / "cut.lp.gz").write_bytes(gzip.compress(LP.encode())[:-9])
    with pytest.raises(InvalidInput, match="a packed file is a whole file of gzip"):
        read_linear_program(tmp_path / "cut.lp.gz")
    with pytest.raises(InvalidInput, match=r"files named \.mps or \.lp"):
        read_linear_program(tmp_path / "a.txt")
    with pytest.raises(InvalidInput, match="no such file"):
        read_linear_program(tmp_path / "b.lp")


def test_a_refusal_names_the_file_and_the_line() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.lp")
        path.write_text(LP.replace("x <= 4", "x <= ^"))
        with pytest.raises(InvalidInput, match=r"a\.lp, line 6: '\^'"):
            read_linear_program(path)


def test_the_command(run: Run) -> None:
    Path("a.lp").write_text(LP)
    said = run("lp a.lp --point -o a.json")
    assert said.out == (
        "minimum: 1\n  proof  primal and dual agree, in exact numbers\n  y      1\n"
    )
    assert run("check a.json").code == 0
    assert json.loads(run("lp a.lp --json").out) == {
        "outcome": "optimal",
        "optimal": True,
        "sense": "minimum",
        "value": 1,
        "point": {"y": 1},
        "prices": {"r": "1/2"},
    }
    Path("a.lp").write_text(LP.replace("x <= 4", "x <= 1/3"))
    said = run("lp a.lp")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "a.lp, line 6" in said.err


@pytest.mark.parametrize(("sense", "outcome"), [("max", "unbounded"), ("min", "infeasible")])
def test_there_may_be_no_optimum(run: Run, sense: str, outcome: str) -> None:
    rows = "x + y <= 2\n x + y >= 3" if outcome == "infeasible" else "x - y <= 2"
    Path("a.lp").write_text(f"{sense} x + y\nst\n {rows}\nend\n")
    assert run("lp a.lp").out.startswith(f"{outcome}: ")
    document = json.loads(run("lp a.lp --json").out)
    assert (document["outcome"], document["optimal"], document["value"]) == (outcome, False, None)


def test_numbers_are_shown_with_about_how_much_they_are(run: Run) -> None:
    Path("a.lp").write_text("max x\nst\n 3 x <= 2\nend\n")
    assert run("lp a.lp").out.startswith("maximum: ~0.666666666667 (2/3)\n")
    Path("a.lp").write_text(f"max x\nst\n 3 x <= 1{'0' * 70}\nend\n")
    assert run("lp a.lp").out.startswith("maximum: ~3.33333333333E+69 (73 digits: --json)\n")


def test_answers_are_short_to_show() -> None:
    assert repr(solve_stated(parse_lp(LP))) == "Answer(minimum 1, 2 variables, 1 row)"
    long = solve_stated(StatedProgram(False, {"x": 10**5000}, {}, {"x": Range(None, 3)}))
    told = f"maximum 3{'0' * 5000} (checked as a program whose maximum is 0)"
    assert str(long) == told
    assert repr(long) == "Answer(maximum ~3.0000e5000, 1 variable, 0 rows)"
    assert isinstance(long, Answer)
