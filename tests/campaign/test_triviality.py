"""Most random instances are not trivial, and the page that says so is current."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactsched.campaign.triviality import BEGIN, END, row, share, table, with_shares
from exactsched.exact.errors import InvalidInput
from exactsched.instances.graphs import Digraph
from exactsched.instances.triviality import is_trivial
from exactsched.linear_programs.linear_program import linear_program
from exactsched.model.machine import MultiPort
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Alltoall, Broadcast, Reduction
from exactsched.theorems import claims

PAGE = Path(__file__).parents[2] / "proofs" / "instances.md"
# Of the size small there are 15 words to ask for, six of them shorter than two letters.
MOSTLY_TRIVIAL = {"karp1993.automaton"}
TRIANGLE = Platform("abc", both_ways([("a", "b", 1), ("b", "c", 1), ("a", "c", 1)]))
PAIR = Platform("ab", both_ways([("a", "b", 1)]))


def rows():
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    listed, _, _ = rest.partition(END)
    return {line.split("|")[1].strip(): line for line in listed.splitlines() if "%" in line}


def test_the_page_has_all_claims():
    assert list(rows()) == list(claims())


def test_few_instances_are_trivial():
    shares = {name: int(line.split("|")[2].split()[0]) for name, line in rows().items()}
    assert {name for name, percent in shares.items() if percent >= 20} == MOSTLY_TRIVIAL


@pytest.mark.parametrize("name", list(claims())[::16])
def test_the_page_is_current(name):
    """All of it takes a quarter of a minute: `python -m exactsched.campaign.triviality`."""
    assert row(share(claims()[name])) == rows()[name]


def test_the_table_stands_between_its_marks():
    shares = [share(claims()["beaumont2003.fig2"], instances=20)]
    written = with_shares(f"before\n{BEGIN}\n\nold\n\n{END}\nafter\n", shares)
    assert written == f"before\n{BEGIN}\n\n{table(shares)}\n\n{END}\nafter\n"
    with pytest.raises(InvalidInput, match="mark"):
        with_shares("a page without marks", shares)


@pytest.mark.parametrize(
    ("instance", "trivial"),
    [
        (Broadcast(PAIR, "a"), True),
        (Broadcast(TRIANGLE, "a"), False),
        (Broadcast(Platform("abc", [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)]), "a"), True),
        (Alltoall(PAIR, (("a", "b"),)), True),
        (Alltoall(TRIANGLE, (("a", "b"),)), False),
        (Reduction(TRIANGLE, ("a",), (((0, 0), "b"),), 1, ()), True),
        (Reduction(TRIANGLE, ("a", "b"), (((0, 1), "b"),), 1, ()), False),
        (MultiPort([1, 1], [1, 1]), True),
        (MultiPort([1, 1, 1], [1, 1, 1]), False),
        (linear_program([1], [[1], [2]], [1, 1]), True),
        (linear_program([1, 1], [[1, 1], [2, 1]], [1, 1]), False),
        (Digraph(2, ((0, 1),), (1,)), True),
        (Digraph(3, (), ()), False),
        (7, False),
    ],
)
def test_what_is_trivial(instance, trivial):
    assert is_trivial(instance) is trivial
