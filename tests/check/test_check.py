"""The checker accepts what is true, refuses what is not, and every one of its refusals is needed.

Three corpora: `accepted` (made by hand), `rejected` and `malformed` (see refusals.py).  Here are
the refusals of all kinds of certificates, and what is accepted of schedules; what is accepted of
min-max theorems stands in test_check_minmax.py.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import json
import math
import os
import subprocess
import sys
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactsched.check
from exactsched.certificate import parse, read_certificate, to_document
from exactsched.certificate.bounds import CutBound
from exactsched.certificate.collectives import Run, Series
from exactsched.check import ProvedRun, ProvedSeries, check
from exactsched.check.__main__ import main
from exactsched.check.collectives.certificates import proved_makespan_bound
from exactsched.exact.errors import InvalidInput, Malformed, Rejected
from exactsched.exact.rational import text
from exactsched.model.problem import Broadcast
from exactsched.model.resources import arc_resources, resources
from exactsched.oracles.broadcast import optimal_throughput_by_definition, shortest_run_by_search
from exactsched.oracles.collectives import collective_fault
from exactsched.strategies import broadcasts
from tests.check.mutants import mutants, refuse_accepted_lies, values
from tests.check.refusals.broadcasts import (
    CORPUS,
    FOLDERS,
    MALFORMED,
    REJECTED,
    Refusal,
    changed,
    check_module,
    files,
    refusals,
)

SOURCE = Path(str(check_module.__file__)).parent
# Loaded beforehand: what is loaded while another module is replaced would keep the wrong code.
for _module, _ in check_module.RULES.values():
    importlib.import_module(f"exactsched.check.{_module}")

# What is accepted.


@pytest.mark.parametrize("name", files("accepted"))
def test_accepted_certificates_are_true(name: str) -> None:
    path = CORPUS / "accepted" / f"{name}.json"
    document = read_certificate(path)
    claim = check(path)
    assert claim == check(document) == check(parse(document)) == exactsched.check(str(path))
    assert claim.optimal == document["optimal"]
    assert text(claim.bound) == str(document["bound"])
    assert not collective_fault(document)


def test_figures_of_the_paper() -> None:
    # Figure 1: one throughput for each restriction; the tree and the DAG need a branching.
    claims = [check(CORPUS / "accepted" / f"figure-1-{name}.json") for name in FIGURE_1]
    assert [claim.bound for claim in claims] == list(FIGURE_1.values())
    assert all(claim.optimal for claim in claims)


FIGURE_1 = {"one-port": Fraction(1), "tree": Fraction(2, 3), "dag": Fraction(4, 5)}


def test_claims_say_what_is_proved_and_what_is_not() -> None:
    def line(name: str) -> str:
        return str(check(CORPUS / "accepted" / f"{name}.json"))

    assert line("figure-1-tree") == (
        "throughput 2/3 proved optimal: schedule and bound agree "
        "(broadcast from Ps, 5 nodes, 6 arcs, one-port, restricted to a tree)"
    )
    assert line("triangle-half-duplex").startswith(
        "throughput >= 1/2 by the schedule, <= 3/4 by the bound: not proved optimal ("
    )
    assert line("run-star").startswith("makespan 4 proved optimal: schedule and bound agree (")
    assert line("run-path").startswith(
        "makespan <= 5/2 by the schedule, >= 3/2 by the bound: not proved optimal ("
    )
    assert "throughput ~3.0000e-4999 proved" in line("long-numbers")


def test_claim_kinds() -> None:
    series = check(CORPUS / "accepted" / "two-links.json")
    run = check(CORPUS / "accepted" / "run-star.json")
    assert isinstance(series, ProvedSeries)
    assert (series.kind, series.problem.ports) == ("series", "link")
    assert series.throughput == 1
    assert isinstance(run, ProvedRun)
    assert (run.kind, run.operations) == ("run", 2)
    assert run.makespan == 4


# What is refused.


def test_every_bad_file_is_in_the_tables() -> None:
    for folder, table in (("rejected", REJECTED), ("malformed", MALFORMED)):
        found = [f"{part}/{name}" for part in FOLDERS for name in files(f"{folder}/{part}")]
        assert sorted([*files(folder), *found]) == sorted(table)


@pytest.mark.parametrize(("name", "refused", "kind", "rule"), list(refusals()))
def test_refused(
    name: str, refused: Callable[[], object], kind: type[Exception], rule: str
) -> None:
    with pytest.raises(InvalidInput if kind is Malformed else Rejected) as caught:
        refused()
    assert type(caught.value) is kind, name
    assert rule in caught.value.rule
    assert "\n" not in str(caught.value)


def _raise_sites(kind: str, *files: Path) -> dict[tuple[str, int], ast.Raise]:
    """Every `raise Kind(...)` of the source files, by file and first line."""
    sites = {}
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if (
                isinstance(node, ast.Raise)
                and isinstance(node.exc, ast.Call)
                and isinstance(node.exc.func, ast.Name)
                and node.exc.func.id == kind
            ):
                sites[str(file.relative_to(SOURCE.parent)), node.lineno] = node
    return sites


# Not vipr.py, which reads files of another format: see test_vipr.py.
CHECK_FILES = sorted(path for path in SOURCE.rglob("*.py") if path.name != "vipr.py")
READING_FILES = sorted((SOURCE.parent / "certificate").glob("*.py"))
# Only files reach these, made by test_certificate.py: a gigabyte, read or written; 100,000
# brackets; a packed file that is damaged.  And by test_hostile.py: one that unpacks to too much.
FILE_LIMITS = {"certificate/files.py": 5}


def test_every_refusal_is_triggered() -> None:
    """Each `raise` in the checker, and in the reader, is reached by one of the bad documents."""
    sites = _raise_sites("Rejected", *CHECK_FILES) | _raise_sites("Malformed", *READING_FILES)
    assert len(sites) > 50
    missing = sorted(set(sites) - set(_refused_at()))
    assert Counter(file for file, _ in missing) == FILE_LIMITS, missing


@cache
def _refused_at() -> dict[tuple[str, int], list[Refusal]]:
    """The cases that each `raise` statement refuses."""
    sites = _raise_sites("Rejected", *CHECK_FILES) | _raise_sites("Malformed", *READING_FILES)
    found: dict[tuple[str, int], list[Refusal]] = defaultdict(list)
    for case in refusals():
        try:
            case[1]()
        except (Rejected, Malformed) as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            line = frame.lineno or 0
            for (file, start), node in sites.items():
                if frame.filename.endswith(file) and start <= line <= (node.end_lineno or start):
                    found[file, start].append(case)
    return found


class _Without(ast.NodeTransformer):
    """Replaces the `raise` that starts on a line by `pass`."""

    def __init__(self, line: int) -> None:
        self.line = line

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node) if node.lineno == self.line else node


# The records' own rules, and those that they share.
RECORDS = [
    SOURCE.parent / "certificate" / f"{name}.py"
    for name in (
        "rules",
        "around_cycle",
        "bounds",
        "by_symmetry",
        "collectives",
        "graphs",
        "linear_programs",
        "logp",
        "overlay",
        "synchronous",
    )
]


@pytest.mark.parametrize("site", sorted(_raise_sites("Rejected", *CHECK_FILES)), ids=str)
def test_no_refusal_can_be_removed(site: tuple[str, int]) -> None:
    """With one refusal of the checker disabled some bad certificate is no longer refused for it."""
    file, line = site
    candidates = _refused_at()[site]
    name = f"exactsched.{file[:-3].replace('/', '.')}".removesuffix(".__init__")
    _notice_the_removal(importlib.import_module(name), SOURCE.parent / file, line, candidates)


@pytest.mark.parametrize("site", sorted(_raise_sites("Malformed", *RECORDS)), ids=str)
def test_no_rule_of_a_record_can_be_removed(site: tuple[str, int]) -> None:
    file, line = site
    candidates = _refused_at()[site]
    module = importlib.import_module(f"exactsched.{file[:-3].replace('/', '.')}")
    _notice_the_removal(module, SOURCE.parent / file, line, candidates)


def _notice_the_removal(
    module: ModuleType, file: Path, line: int, candidates: list[Refusal]
) -> None:
    tree = ast.fix_missing_locations(_Without(line).visit(ast.parse(file.read_text())))
    with _replaced(module, tree):
        noticed = [case for case in candidates if not _refuses(case[1], case[3])]
    assert noticed
    assert all(_refuses(case[1], case[3]) for case in noticed)


def _refuses(refused: Callable[[], object], rule: str) -> bool:
    try:
        refused()
    except (Rejected, Malformed) as error:
        return rule in error.rule
    except Exception:
        return False
    return False


class _replaced:  # noqa: N801
    """Runs other code in a module for a while; modules that took names from it take them again."""

    def __init__(self, module: ModuleType, tree: ast.Module) -> None:
        self.module, self.tree = module, tree

    def __enter__(self) -> None:
        self.saved = {
            name: dict(module.__dict__)
            for name, module in sys.modules.items()
            if name.startswith(("exactsched.check", "exactsched.certificate"))
        }
        old, new = self.saved[self.module.__name__], dict(self.module.__dict__)
        exec(compile(self.tree, self.module.__file__ or "", "exec"), new)
        # Classes stay those that others know; they take the methods of the new ones.
        classes = [value for value in old.values() if isinstance(value, type)]
        self.methods = [
            (kind, name, method)
            for kind in classes
            if kind.__module__ == self.module.__name__
            for name, method in vars(kind).items()
            if isinstance(method, FunctionType) and not name.startswith("__")
        ]
        for kind, name, _ in self.methods:
            setattr(kind, name, getattr(new[kind.__name__], name))
        for user in self.saved:
            taken = sys.modules[user].__dict__
            for name, value in list(taken.items()):
                if isinstance(value, FunctionType) and old.get(name) is value:
                    taken[name] = new[name]

    def __exit__(self, *_: object) -> None:
        for kind, name, method in self.methods:
            setattr(kind, name, method)
        for name, saved in self.saved.items():
            sys.modules[name].__dict__.clear()
            sys.modules[name].__dict__.update(saved)


# Nothing false is accepted.


@cache
def _optimum(problem: Broadcast) -> Fraction:
    return optimal_throughput_by_definition(problem)


@pytest.mark.parametrize("name", [name for name in files("accepted") if name != "long-numbers"])
def test_mutants_are_refused_or_true(name: str) -> None:
    document = read_certificate(CORPUS / "accepted" / f"{name}.json")
    names = [*document["problem"]["platform"]["nodes"], "nobody"]
    changes = mutants(document, names)
    refuse_accepted_lies(changes, collective_fault, refused=3)


def test_mutants_of_long_numbers() -> None:
    document = read_certificate(CORPUS / "accepted" / "long-numbers.json")
    for path in (("throughput",), ("bound",), ("schedule", "slots", 0, 2)):
        *_, value = values(document, path)
        last = str((int(value[-1]) + 1) % 10)
        with pytest.raises(Rejected):
            check(changed(document, path, value[:-1] + last))


# Bounds, on random prices and cuts.


@st.composite
def _bounds(draw: st.DrawFn, problem: Broadcast) -> CutBound:
    """Prices and any family of cuts, scaled so that the tightest arc is just able to pay."""
    small = st.builds(Fraction, st.integers(0, 4), st.integers(1, 3))
    prices = {name: draw(small) for name in resources(problem) if draw(st.booleans())}
    others = [node for node in problem.platform.nodes if node != problem.source]
    order = draw(st.permutations(others))[: draw(st.integers(1, len(others)))]
    ends = st.lists(st.integers(0, len(order)), min_size=2, max_size=2, unique=True).map(sorted)
    families = draw(st.lists(ends, min_size=1, max_size=6))
    weights = [draw(small.filter(bool)) for _ in families]
    scale = Fraction(1)
    for arc, used in zip(problem.platform.arcs, arc_resources(problem), strict=True):
        length = arc.cost * sum(prices.get(name, Fraction(0)) for name in used)
        crossing = _crossing(arc.tail, arc.head, order, families, weights)
        if crossing > length * scale:
            scale = Fraction(0) if length == 0 else crossing / length
            if scale == 0:
                return CutBound({name: Fraction(1) for name in resources(problem)}, (), ())
    scaled = {name: price * scale for name, price in prices.items()}
    cuts = [(a, b, weight) for (a, b), weight in zip(families, weights, strict=True)]
    return CutBound(scaled, tuple(order), tuple(cuts))


def _crossing(
    tail: object, head: object, order: list[Any], families: list[list[int]], weights: list[Fraction]
) -> Fraction:
    """By definition: the sets with the head and without the tail."""
    return sum(
        (
            w
            for (a, b), w in zip(families, weights, strict=True)
            if head in order[a:b] and tail not in order[a:b]
        ),
        Fraction(0),
    )


@given(st.data(), st.sampled_from(["none", "tree", "dag"]))
def test_random_bounds_hold_and_are_tight_for_their_arcs(
    data: st.DataObject, restrict: Any
) -> None:
    problem = data.draw(broadcasts(max_nodes=4, restrict=restrict, reachable=None))
    leaf = data.draw(_bounds(problem))
    price, weight = sum(leaf.prices.values(), Fraction(0)), sum(w for _, _, w in leaf.cuts)
    if not leaf.cuts:
        return
    bound = price / weight
    arcs = problem.platform.arcs
    if restrict == "tree" and price and arcs:
        unit = arcs[0].cost
        for arc in arcs[1:]:
            other = arc.cost
            while other:  # Euclid, on rationals
                unit, other = other, unit % other
        loads = math.ceil(weight / (unit * price))
        bound = 1 / (unit * loads)
    optimum = _optimum(problem)
    stated = Series(problem, Fraction(0), bound, bound == 0, None, leaf)
    assert check(stated).bound == bound
    assert optimum <= bound
    # A little more weight on any one cut that a tight arc enters, and the arc cannot pay.
    for index, (a, b, w) in enumerate(leaf.cuts):
        heavier = [*leaf.cuts[:index], (a, b, w + Fraction(1, 100)), *leaf.cuts[index + 1 :]]
        families, weights = [[x, y] for x, y, _ in heavier], [w for _, _, w in heavier]
        overdrawn = any(
            _crossing(arc.tail, arc.head, list(leaf.order), families, weights)
            > arc.cost * sum(leaf.prices.get(name, Fraction(0)) for name in used)
            for arc, used in zip(arcs, arc_resources(problem), strict=True)
        )
        changed = CutBound(leaf.prices, leaf.order, tuple(heavier))
        # The claim of -1 is refused as well, but only after the cuts.
        with pytest.raises(Rejected) as caught:
            check(Series(problem, Fraction(0), Fraction(-1), False, None, changed))
        assert ("at arc" in caught.value.place) == overdrawn


@given(st.data())
def test_random_run_bounds_hold(data: st.DataObject) -> None:
    """A run bound is at most what an exhaustive search finds; here also with start-up cuts."""
    problem = data.draw(broadcasts(max_nodes=3, latencies=True))
    sizes = tuple(
        data.draw(st.lists(st.sampled_from([Fraction(1), Fraction(2, 3)]), min_size=1, max_size=2))
    )
    leaf = data.draw(_bounds(problem))
    prices = {name: price for name, price in leaf.prices.items() if price}
    if not prices:
        return
    startup: list[tuple[int, int, Fraction]] = []
    for start, stop, _ in leaf.cuts[:1]:
        entering = [
            arc.latency * sum(prices.get(name, Fraction(0)) for name in used)
            for arc, used in zip(problem.platform.arcs, arc_resources(problem), strict=True)
            if arc.head in leaf.order[start:stop] and arc.tail not in leaf.order[start:stop]
        ]
        if entering and min(entering) > 0:
            startup.append((start, stop, min(entering)))
    stated = CutBound(prices, leaf.order, leaf.cuts, tuple(startup))
    best = shortest_run_by_search(problem, sizes)
    assert best is not None
    weight = sum((w for _, _, w in leaf.cuts), Fraction(0))
    extra = sum((w for _, _, w in startup), Fraction(0))
    lower = (sum(sizes) * weight + len(sizes) * extra) / sum(prices.values())
    assert lower <= best
    tight = lower == best
    run = Run(problem, len(sizes), sizes, best, lower, tight, Fraction(1), (), (), stated)
    assert proved_makespan_bound(run) == lower


# The command line.


def _run_module(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "exactsched.check", *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(SOURCE.parents[1])},
    )


def test_command_line_has_one_line_and_one_code_for_each_verdict() -> None:
    good = str(CORPUS / "accepted" / "interrupted-series.json")
    bad = str(CORPUS / "rejected" / "two-trees.json")
    ugly = str(CORPUS / "malformed" / "truncated.json")
    done = _run_module(good, bad, ugly)
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 2
    assert [line.split(": ")[0] for line in lines] == ["accepted", "rejected"]
    assert done.stderr.decode().startswith(f"malformed: {ugly}, line ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("folder", "code"),
    [
        ("accepted", 0),
        ("accepted/min-max", 0),
        ("accepted/collectives", 0),
        ("rejected", 1),
        ("rejected/min-max", 1),
        ("rejected/collectives", 1),
        ("malformed", 2),
        ("malformed/min-max", 2),
        ("malformed/collectives", 2),
    ],
)
def test_exit_codes(folder: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    for name in files(folder):
        assert main([str(CORPUS / folder / f"{name}.json")]) == code
    out, err = capsys.readouterr()
    lines = (err if code == 2 else out).splitlines()
    assert len(lines) == len(files(folder))
    assert not (out if code == 2 else err)


def test_command_line_without_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err


def test_unreadable_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path, tmp_path / "absent.json", Path("a\0b")):
        assert main([str(path)]) == 2
        said = capsys.readouterr().err
        assert said.startswith("unreadable: ")
        assert "a certificate is a file that can be read" in said
        assert ("no such file" in said) is (path.name == "absent.json")


def test_hostile_names_stay_on_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = read_certificate(CORPUS / "accepted" / "path-half-duplex.json")
    hostile = json.dumps(document).replace('"s"', r'"\ud800\n\u001b[2Jaccepted: all"')
    path = tmp_path / "hostile.json"
    path.write_text(hostile)
    assert main([str(path)]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert out.endswith("\n")
    assert "\x1b" not in out


def test_intervals_may_touch() -> None:
    # Half-open intervals: the corpus contains slots that start when another one ends.
    slots = read_certificate(CORPUS / "accepted" / "figure-1-one-port.json")["schedule"]["slots"]
    ends = sorted((start, end) for _, start, end in slots)
    assert any(first[1] == second[0] for first, second in pairwise(ends))


def test_nouns_are_believed_as_documents_only() -> None:
    """A noun in memory may carry anything; what is proved is what its document says."""
    stated = parse(read_certificate(CORPUS / "accepted" / "figure-1-one-port.json"))
    assert isinstance(stated, Series)
    sneaky = dataclasses.replace(stated, proof=CutBound({"send:moon": Fraction(0)}, (), ()))
    assert to_document(sneaky)["proof"]["prices"] == {"send:moon": 0}
    with pytest.raises(Malformed, match="not a resource"):
        check(sneaky)
