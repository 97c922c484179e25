"""VIPR certificates: what is accepted, what is refused, and the opinion of viprchk where it is."""

import io
import shutil
import subprocess
from fractions import Fraction
from math import lcm
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.certificate.overlay import CaseProof, Overlay
from exactsched.check.linear_programs.vipr import check_vipr
from exactsched.exact.errors import InvalidInput, Malformed, Rejected
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import best_on, best_throughput, supports
from exactsched.overlay.cases import prove_by_cases
from exactsched.overlay.vipr import write_vipr
from tests.overlay.test_cases import CHAINED, NO_INSTANCE, machines

VIPRCHK = shutil.which("viprchk")
needs_viprchk = pytest.mark.skipif(VIPRCHK is None, reason="no viprchk on the PATH")

# x and y are whole, 2x + 2y <= 3 and z <= 1/2: x + y + z is at most 3/2.
ROUNDED = """% a comment
% another
VER 1.0
VAR 3
x y z
INT 2
0 1
OBJ max
3 0 1 1 1 2 1
CON 5 3
x0 G 0 1 0 1
y0 G 0 1 1 1
z1 L 1/2 1 2 1
few L 3 2 0 2 1 2
some G 1 2 0 1 1 1
RTP range 3/2 3/2
SOL 2
one 2 0 1 2 1/2
other 1 1 1
DER 2
whole L 1 2 0 1 1 1 { rnd 1 3 1/2 } 6
all L 3/2 OBJ { lin 2 5 1 2 1 } -1
"""
# 2x + y >= 1, 3y >= 2x and 4y <= 2 + x have no whole solution: x <= 0 or x >= 1.
SPLIT = """VER 1.1
VAR 2
x y
INT 2
0 1
OBJ min
0
CON 3 0
a G 1 2 0 2 1 1
b G 0 2 0 -2 1 3
c L 2 2 0 -1 1 4
RTP infeas
SOL 0
DER 5
low L 0 1 1 1 { asm } 7
high G 1 1 1 1 { asm } 7
one G 1 0 { lin 3 0 1 1 1 3 -4 } 7
two G 1 0 { lin 3 1 1 2 -2 4 5 } 7
none G 1 0 { uns 5 3 6 4 } -1
"""
# The minimum of x >= 1/2, x whole: a solution is known, and nothing less is possible.
CUT_OFF = """VER 1.0
VAR 1
x
INT 1
0
OBJ min
1 0 1
CON 1 1
half G 1/2 OBJ
RTP range 1 1
SOL 1
best 1 0 1
DER 2
better L 0 OBJ { sol } -1
none G 1/2 0 { lin 2 0 1 1 -1 } -1
"""
ACCEPTED = [ROUNDED, SPLIT, CUT_OFF]


def accepted_by_viprchk(text: str, folder: Path) -> bool:
    assert VIPRCHK is not None
    path = folder / "certificate.vipr"
    path.write_text(text, encoding="utf-8")
    run = subprocess.run([VIPRCHK, path], capture_output=True, check=False)
    return run.returncode == 0


def written(machine: MultiPort, bound: object, overlay: Overlay | None = None) -> str:
    proof = prove_by_cases(machine, bound)
    assert proof is not None
    if overlay is None:
        overlay = Overlay(machine, "any", 1, (), 0, proof.bound, (proof,), False)
    file = io.StringIO()
    write_vipr(overlay, file)
    return file.getvalue()


def test_what_is_claimed() -> None:
    claim = check_vipr(ROUNDED)
    assert (claim.minimized, claim.infeasible) == (False, False)
    assert (claim.lower, claim.upper) == (Fraction(3, 2), Fraction(3, 2))
    assert str(claim) == "3/2 <= maximum <= 3/2 (3 variables, 5 constraints, 2 derivations)"
    assert str(check_vipr(SPLIT)) == "infeasible (2 variables, 3 constraints, 5 derivations)"
    assert check_vipr(CUT_OFF).lower == 1
    assert str(check_vipr(ROUNDED.replace("range 3/2 3/2", "range -inf 3/2")))[:7] == "maximum"


def test_a_least_value_is_derived() -> None:
    """x >= 1/2 and x whole: x >= 1 is rounded, with no solution to help."""
    text = CUT_OFF.replace("range 1 1", "range 1 inf").replace("SOL 1\nbest 1 0 1\n", "SOL 0\n")
    text = text[: text.index("DER")] + "DER 1\nwhole G 1 OBJ { rnd 1 0 1 } -1\n"
    assert check_vipr(text).lower == 1
    with pytest.raises(Rejected, match="proves 2"):
        check_vipr(text.replace("range 1 inf", "range 2 inf"))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "certificate.vipr"
    path.write_text(SPLIT, encoding="utf-8")
    assert check_vipr(path) == check_vipr(SPLIT)


REJECTED = [
    (ROUNDED, "rnd 1 3 1/2", "lin 1 3 1/2", "one stated or a stronger one"),
    (ROUNDED, "rnd 1 3 1/2", "rnd 1 3 1/3", "not an integer"),
    (ROUNDED, "INT 2\n0 1", "INT 1\n0", "not an integer"),
    (ROUNDED, "few L 3", "few E 3", "violated"),
    (ROUNDED, "few L 3", "few E 2", "an inequality is rounded"),
    (ROUNDED, "rnd 1 3 1/2", "rnd 2 3 1/2 4 1", "same direction"),
    (ROUNDED, "2 5 1 2 1", "2 5 1 2 2", "one stated or a stronger one"),
    (ROUNDED, "all L 3/2", "all L 1", "one stated or a stronger one"),
    (ROUNDED, "all L 3/2", "all L 2", "proves 3/2"),
    (ROUNDED, "{ lin 2 5 1 2 1 }", "{ asm }", "without assumptions"),
    (ROUNDED, "lin 2 5 1 2 1", "lin weak { 0 } 2 5 1 2 1", "completed first"),
    (ROUNDED, "lin 2 5 1 2 1", "lin incomplete 5 2", "completed first"),
    (ROUNDED, "1/2 } 6", "1/2 } 5", "announced for 5"),
    (ROUNDED, "one 2 0 1 2 1/2", "one 2 0 1 2 1", "violated"),
    (ROUNDED, "one 2 0 1 2 1/2", "one 2 0 1/2 1 1/2", "is an integer"),
    (ROUNDED, "SOL 2\none 2 0 1 2 1/2", "SOL 1", "a solution reaches 3/2"),
    (ROUNDED, "SOL 2\none 2 0 1 2 1/2\nother 1 1 1", "SOL 0", "a solution reaches 3/2"),
    (ROUNDED, "range 3/2 3/2", "range 2 3/2", "not above the upper bound"),
    (ROUNDED, "range 3/2 3/2", "range -inf inf", "something is to be proved"),
    (ROUNDED, "range 3/2 3/2", "range 3/2 inf", "nothing is to be derived"),
    (ROUNDED, ROUNDED[ROUNDED.index("DER") :], "DER 0", "is the last derivation"),
    (ROUNDED, "RTP range 3/2 3/2", "RTP infeas", "has no solutions"),
    (ROUNDED, "{ lin 2 5 1 2 1 }", "{ sol }", "a solution of a minimization"),
    (SPLIT, "INT 2\n0 1", "INT 1\n0", "not an integer"),
    (SPLIT, "low L 0 1 1 1", "low L 1 1 1 1", "one stated or a stronger one"),
    (SPLIT, "uns 5 3 6 4", "uns 5 3 5 4", "without assumptions"),
    (SPLIT, "uns 5 3 6 4", "uns 5 3 6 3", "one case is <="),
    (SPLIT, "uns 5 3 6 4", "uns 5 2 6 4", "same sum"),
    (SPLIT, "uns 5 3 6 4", "uns 3 3 6 4", "both cases prove"),
    (SPLIT, "3 -4 } 7", "3 -4 } 6", "announced for 6"),
    (SPLIT, "{ uns 5 3 6 4 }", "{ lin 1 5 1 }", "without assumptions"),
    (SPLIT, "none G 1 0 { uns 5 3 6 4 }", "none G 0 0 { uns 5 3 6 4 }", "is absurd"),
    (CUT_OFF, "better L 0", "better L -1", "at most 0"),
    (CUT_OFF, "better L 0", "better G 0", "at most 0"),
    (CUT_OFF, "INT 1\n0", "INT 0", "at most 1"),
    (CUT_OFF, "range 1 1", "range 2 2", "a solution has 1"),
    (CUT_OFF, "range 1 1\nSOL 1\nbest 1 0 1", "range 1 inf\nSOL 0", "is known"),
]


@pytest.mark.parametrize(("text", "old", "new", "rule"), REJECTED)
def test_rejected(text: str, old: str, new: str, rule: str) -> None:
    assert text.count(old) == 1
    with pytest.raises(Rejected, match=rule):
        check_vipr(text.replace(old, new))


def test_a_split_is_at_an_integer() -> None:
    text = SPLIT.replace("low L 0 1 1 1", "low L -1/2 1 1 1").replace("high G 1", "high G 1/2")
    text = text.replace("1 -2 4 5", "1 -2 4 10")
    with pytest.raises(Rejected, match=r"not an integer|stronger one"):
        check_vipr(text)
    halves = """VER 1.0 VAR 1 x INT 1 0 OBJ max 1 0 1 CON 2 0 a G 1/4 1 0 1 b L 3/4 1 0 1
    RTP infeas SOL 0 DER 5 low L 1/8 1 0 1 { asm } -1 high G 9/8 1 0 1 { asm } -1
    one G 1/8 0 { lin 2 0 1 2 -1 } -1 two G 3/8 0 { lin 2 3 1 1 -1 } -1
    none G 1/8 0 { uns 4 2 5 3 } -1"""
    with pytest.raises(Rejected, match="not an integer"):
        check_vipr(halves)


MALFORMED = [
    (ROUNDED, "VER 1.0", "VER 2.0", "1.0 or 1.1 is expected"),
    (ROUNDED, "VAR 3", "VAR -3", "an integer >= 0"),
    (ROUNDED, "VAR 3", "VAR 2", "INT is expected"),
    (ROUNDED, "INT 2\n0 1", "INT 2\n0 3", "less than 3"),
    (ROUNDED, "OBJ max", "OBJ most", "min or max"),
    (ROUNDED, "3 0 1 1 1 2 1", "3 0 1 1 1 1 1", "listed twice"),
    (ROUNDED, "CON 5 3", "CON 5 6", "less than 6"),
    (ROUNDED, "few L 3", "few < 3", "L or E or G"),
    (ROUNDED, "few L 3", "few L 3/0", "the right side"),
    (ROUNDED, "few L 3", "few L three", "the right side"),
    (ROUNDED, "rnd 1 3 1/2", "rnd 1 5 1/2", "less than 5"),
    (ROUNDED, "rnd 1 3 1/2", "rnd 2 3 1/4 3 1/4", "listed twice"),
    (ROUNDED, "rnd 1 3 1/2", "guess 1 3 1/2", "asm or lin or rnd or uns or sol"),
    (ROUNDED, "1/2 } 6", "1/2 ) 6", "} is expected"),
    (ROUNDED, "1/2 } 6", "1/2 } -2", "an index, or -1"),
    (ROUNDED, "range 3/2", "range low", "a bound"),
    (ROUNDED, "DER 2", "DER 3", "the end"),
    (ROUNDED, "DER 2", "DER 1", "nothing follows"),
    (ROUNDED, "DER 2", "DER 99999999999", "an integer >= 0"),
    (SPLIT, "uns 5 3 6 4", "uns 7 3 6 4", "less than 7"),
]


@pytest.mark.parametrize(("text", "old", "new", "rule"), MALFORMED)
def test_malformed(text: str, old: str, new: str, rule: str) -> None:
    assert text.count(old) == 1
    with pytest.raises(Malformed) as refusal:
        check_vipr(text.replace(old, new))
    assert rule in str(refusal.value)


def test_every_beginning_is_malformed() -> None:
    words = ROUNDED.split("\n", 2)[2].split()
    for count in range(len(words)):
        with pytest.raises((Malformed, Rejected)):
            check_vipr(" ".join(words[:count]))


@settings(max_examples=15)
@given(machines())
def test_written_proofs_prove_the_optimum(machine: MultiPort) -> None:
    best = best_throughput(machine)
    claim = check_vipr(written(machine, best))
    assert claim.upper == best
    assert not claim.minimized


@pytest.mark.parametrize(("machine", "bound"), [(CHAINED, 13), (NO_INSTANCE, Fraction(79, 4))])
def test_written_cases(machine: MultiPort, bound: Fraction) -> None:
    claim = check_vipr(written(machine, bound))
    assert claim.upper == bound
    assert claim.derivations > 1


def test_equal_senders_change_names_among_places() -> None:
    machine = MultiPort([3, 3, 3], [1, 1, 1])
    proof = CaseProof(3, 4, (0, 1, 2), (), (), ((0, ()),))
    chain = ((0, 2, ((0, 1),)), (2, 1, ((0, 1),)))
    assert "SOL 1" in written(machine, 3, Overlay(machine, "any", 1, chain, 3, 3, (proof,), True))


def overlay_of_tree(machine: MultiPort, arcs: list[tuple[int, int]], rate: int) -> Overlay:
    rows = tuple((i, j, ((0, 1),)) for i, j in arcs)
    proof = prove_by_cases(machine, rate)
    assert proof is not None
    return Overlay(machine, "any", 1, rows, rate, rate, (proof,), True)


def test_the_overlay_is_a_solution_where_it_solves_the_program() -> None:
    machine = MultiPort([3, 1, 1, 9], [1, 0, 1, 1], (), [(0, 2), (0, 3), (2, 1), (3, 2)])
    overlay = overlay_of_tree(machine, [(0, 3), (3, 2), (2, 1)], 1)
    assert "SOL 1" in written(machine, 1, overlay)
    assert check_vipr(written(machine, 1, overlay)).lower == 1


@given(machines(), st.booleans())
def test_equal_nodes_change_names_in_the_solution(machine: MultiPort, by_places: bool) -> None:
    """Rows that hold above the bound only (shares) are left out of these proofs."""
    throughput, rates = max(
        (best_on(machine, arcs) for arcs in supports(machine)), key=lambda b: b[0]
    )
    if not throughput or (by_places and machine.arcs):
        return
    parts = lcm(*(rate.denominator for rate in rates.values()), throughput.denominator)
    arcs = tuple(
        (i, j, ((0, int(rate * parts)),)) for (i, j), rate in sorted(rates.items()) if rate
    )
    bound = int(throughput * parts)
    places = tuple(range(machine.size)) if by_places else ()
    # A proof that proves nothing, so that the file is only about the solution.
    proof = CaseProof(throughput, throughput * 2, places, (), (), ((0, ()),))
    overlay = Overlay(machine, "any", bound, arcs, throughput, throughput, (proof,), True)
    file = io.StringIO()
    write_vipr(overlay, file)
    assert "SOL 1" in file.getvalue()
    with pytest.raises(Rejected, match="one stated or a stronger one"):
        check_vipr(file.getvalue())


def test_only_bounds_on_all_overlays_are_written() -> None:
    overlay = Overlay(CHAINED, "tree", 1, (), 0, 19, (), False)
    with pytest.raises(InvalidInput, match="all overlays"):
        write_vipr(overlay, io.StringIO())
    with pytest.raises(InvalidInput, match="no proof"):
        write_vipr(Overlay(CHAINED, "any", 1, (), 0, 1, (), False), io.StringIO())


@needs_viprchk
@pytest.mark.parametrize("text", ACCEPTED)
def test_viprchk_agrees_on_examples(text: str, tmp_path: Path) -> None:
    assert text is CUT_OFF or accepted_by_viprchk(text, tmp_path)


@needs_viprchk
@pytest.mark.parametrize(("machine", "bound"), [(CHAINED, 13), (NO_INSTANCE, Fraction(79, 4))])
def test_viprchk_accepts_what_is_written(
    machine: MultiPort, bound: Fraction, tmp_path: Path
) -> None:
    text = written(machine, bound)
    assert accepted_by_viprchk(text, tmp_path)
    smaller = text.replace(f"RTP range -inf {bound}", "RTP range -inf 12")
    assert smaller != text
    assert not accepted_by_viprchk(smaller, tmp_path)


@needs_viprchk
@settings(max_examples=35)
@given(machines(2))
def test_viprchk_accepts_small_proofs(
    tmp_path_factory: pytest.TempPathFactory, machine: MultiPort
) -> None:
    best = best_throughput(machine)
    assert accepted_by_viprchk(written(machine, best), tmp_path_factory.mktemp("vipr"))


SMALL = written(MultiPort([2, 1, 0], [1, 1, 0]), 1)


@settings(max_examples=100)
@given(st.sampled_from([ROUNDED, SPLIT, SMALL]), st.data())
def test_what_is_accepted_of_changed_files(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject
) -> None:
    """Any answer but an accident; and no more than viprchk accepts, which knows no decimals."""
    lines = text.splitlines()
    begin = next(index for index, line in enumerate(lines) if line.startswith("VER"))
    at = data.draw(st.integers(begin, len(lines) - 1))
    words = lines[at].split()
    index = data.draw(st.integers(0, len(words) - 1))
    other = data.draw(
        st.sampled_from(sorted(set(text.split()) - {"1.0", "1.1"} | {"2/3", "-1", "7"}))
    )
    words[index] = other
    changed = "\n".join([*lines[:at], " ".join(words), *lines[at + 1 :]]) + "\n"
    try:
        check_vipr(changed)
    except (Malformed, Rejected):
        return
    if VIPRCHK is not None:
        assert accepted_by_viprchk(changed, tmp_path_factory.mktemp("vipr"))
