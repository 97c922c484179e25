"""Every place of the checker that spends the budget of work is executed, and refuses.

The places are read from the source.  Each of them is found by a document of the corpus, or by one
made here; when the budget ends at this very place, the document is rejected, with its reason.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest

import exactsched
from exactsched.certificate import budget, to_document
from exactsched.certificate.bounds import CutBound
from exactsched.certificate.collectives import PeriodicSchedule, Series, Structure
from exactsched.check import check
from exactsched.check.linear_programs.vipr import check_vipr
from exactsched.exact.errors import Rejected
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.logp.items import broadcast_items
from exactsched.model.machine import MultiPort
from exactsched.model.platform import Platform
from exactsched.model.problem import Broadcast
from exactsched.overlay.exact import optimal_overlay
from exactsched.overlay.sequential import acyclic_overlay
from exactsched.overlay.tree import best_tree
from exactsched.steady_state.alltoall import scatter
from tests.check.test_vipr import CUT_OFF, ROUNDED, SPLIT

ROOT = Path(str(exactsched.__file__)).parent
CORPUS = ROOT.parent / "tests" / "corpus" / "accepted"
LONG = 10**400 + 1  # more than a thousand bits: shorter numbers cost nothing
Site = tuple[str, int]  # a module and a line
Check = Callable[[], object]


def sites() -> list[Site]:
    """The calls of `spend` and `hold`, but for those inside of the budget."""
    found = []
    for layer in ("certificate", "check"):
        for path in sorted((ROOT / layer).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
                if called and node.func.id in ("spend", "hold") and path.stem != "budget":
                    found.append((str(path.relative_to(ROOT)), node.lineno))
    return found


def _two_ways() -> Platform:
    """From s to x through a, which is busy all the time, and b, which is, too."""
    ways = [("a", "x", 3 * LONG + 1), ("b", "x", 2 * LONG)]
    return Platform("sabx", [("s", "a", 1), ("s", "b", 1), *ways])


def _in_two_slots() -> Series:
    """Two whole messages a period on one arc, one after the other."""
    one, tree = Fraction(1), Structure(2, 0, ((0,),))
    schedule = PeriodicSchedule(Fraction(2), one, (tree,), ((0, 0, 1), (0, 1, 2)), True)
    proof = CutBound({"send:a": one}, ("b",), ((0, 1, one),))
    return Series(Broadcast(Platform("ab", [("a", "b", 1)]), "a"), one, one, True, schedule, proof)


def documents() -> Iterator[Check]:
    """Checks of documents that execute all places together."""
    for path in sorted(CORPUS.rglob("*.json")):
        yield lambda path=path: check(path)
    for text in (CUT_OFF, ROUNDED, SPLIT):
        yield lambda text=text: check_vipr(text)
    exponents = CUT_OFF.replace("best 1 0 1", "best 1 0 1e0")
    yield lambda: check_vipr(exponents)
    for made in (
        scatter(Platform("abc", [("a", "b", LONG), ("b", "c", Fraction(1, LONG))]), "a", "bc"),
        scatter(_two_ways(), "s", "x", ports="link"),  # with long prices
        _in_two_slots(),
        maximize(linear_program([LONG, 1], [[1, LONG], [3, 1]], [1, Fraction(2, LONG)])),
        maximize(linear_program([1, 1], [[1, LONG], [LONG, 1]], [1, 1], nonnegative=range(2))),
        broadcast_items(10**6 + 3, 3000, 2),  # all labels are different
        best_tree(MultiPort([LONG, 1], [1, 0])),  # whose bounds are looked for
        acyclic_overlay(MultiPort([LONG, 1], [1, 0])),
        optimal_overlay(MultiPort([6, 1, 1, 1, 4], [2, 1, 1, 1, 2]), node_limit=300),  # alike nodes
    ):
        document = made.certificate() if hasattr(made, "certificate") else to_document(made)
        yield lambda document=document: check(document)


@contextmanager
def followed(seen: Callable[[Site], int]) -> Iterator[None]:
    """Every place spends, or holds, as much more as `seen` says."""

    def watched(real: Callable[[int, str], None]) -> Callable[[int, str], None]:
        def call(amount: int, place: str) -> None:
            frame = sys._getframe(1)
            path = Path(frame.f_code.co_filename)
            real(amount + seen((str(path.relative_to(ROOT)), frame.f_lineno)), place)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for layer in ("certificate", "check"):
            package: Any = import_module(f"exactsched.{layer}")
            for info in walk_packages(package.__path__, f"{package.__name__}."):
                if not info.name.endswith(("__main__", ".budget")):
                    module = import_module(info.name)
                    for name in ("spend", "hold"):
                        if hasattr(module, name):
                            patch.setattr(module, name, watched(getattr(budget, name)))
        yield


@cache
def reached() -> dict[Site, Check]:
    """For every place that a document executes one that does."""
    found: dict[Site, Check] = {}
    current: list[Check] = []

    def seen(site: Site) -> int:
        found.setdefault(site, current[-1])
        return 0

    with followed(seen):
        for one in documents():
            current.append(one)
            one()
    return found


@pytest.mark.parametrize("site", sites(), ids=lambda site: f"{site[0]}:{site[1]}")
def test_the_budget_ends_here(site: Site) -> None:
    assert site in reached(), "no document executes this place"
    with (
        followed(lambda one: 1 << 60 if one == site else 0),
        pytest.raises(Rejected, match=r"a document of \d+ bytes may (take|hold) \d+ (steps|bits)"),
    ):
        reached()[site]()
