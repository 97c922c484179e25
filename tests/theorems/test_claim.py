"""The decorator `claim` and `Say`: what a function becomes, and what it can say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from exactsched.graphs.flow import maximum_flow
from exactsched.instances.graphs import BIPARTITE, NETWORKS, Digraph
from exactsched.instances.instance_type import Bounds
from exactsched.theorems import claims, modules
from exactsched.theorems.claim import Say, Verdict, claim, claims_of_function, claims_of_module
from exactsched.theorems.statements import printed_number, statements

HINTS = {"instances": NETWORKS, "page": "max-flow-min-cut", "judged": "`check`"}


@claim(
    "test.larger.printed",
    number="theorem 9, as printed",
    statement="The flow is larger.",
    counterexample=lambda: Digraph(2, (), ()),
    extra=1,
    **HINTS,
)
@claim("test.flow", number="theorem 9", status="corrected", corrects="test.larger.printed", **HINTS)
def flow_is_certified(graph: Digraph, say: Say, *, extra: int = 0) -> None:
    """The largest flow is
    what its certificate says.
    """
    if not graph.arcs:
        say(empty=True)
        say.require(not extra, "no arc, no flow")
        say.not_applicable("no arcs")
    stated = maximum_flow(graph.size, 0, graph.size - 1, graph.arcs, graph.numbers)
    say({"the value": stated.value})
    say(proved=say.accepts(replace(stated, value=stated.value + extra)).value)


RIGHT, WRONG = claims_of_function(flow_is_certified)
ARC = Digraph(2, ((0, 1),), (3,))


def test_the_docstring_is_the_statement() -> None:
    assert RIGHT.statement == "The largest flow is what its certificate says."
    assert WRONG.statement == "The flow is larger."


def test_what_a_decorator_leaves_out_follows_from_the_rest() -> None:
    assert (RIGHT.id, RIGHT.status, RIGHT.corrects) == ("test.flow", "corrected", WRONG.id)
    assert (RIGHT.reference, RIGHT.number) == ("theorem 9", "theorem 9")
    assert (RIGHT.instance_type, RIGHT.bounds) == (Digraph, NETWORKS.bounds)
    assert RIGHT.corners() == NETWORKS.corners()
    assert (WRONG.status, WRONG.corners()) == ("wrong as printed", ())
    assert claims()["konig.edge-coloring"].status == "classical"
    lemma_1 = claims()["beaumont2003.lemma1"]
    assert lemma_1.status == "as printed"
    assert lemma_1.reference == "RR-4871, lemma 1 (edge coloring lemma)"


def test_bounds_and_corners_of_a_claim_come_before_those_of_its_instances() -> None:
    @claim("x", number="1", bounds=Bounds(1, 2, 3), corners=lambda: (ARC,), **HINTS)
    def nothing(graph: Digraph, say: Say) -> None: ...

    [made] = claims_of_function(nothing)
    assert (made.bounds, made.corners()) == (Bounds(1, 2, 3), (ARC,))


def test_facts_are_collected_until_the_verdict() -> None:
    assert RIGHT.check(ARC) == Verdict(True, {"the value": 3, "proved": 3})


def test_a_refuted_instance_keeps_its_facts() -> None:
    verdict = WRONG.check(WRONG.counterexample())
    assert verdict == Verdict(False, {"empty": True}, "no arc, no flow")


def test_hypotheses_that_are_not_met() -> None:
    assert RIGHT.check(Digraph(2, (), ())) == Verdict(True, {}, "no arcs", applies=False)


def test_a_rejected_certificate_refutes() -> None:
    verdict = WRONG.check(ARC)
    assert not verdict.holds
    assert verdict.reason.startswith("the certificate is rejected: ")
    assert verdict.facts == {"the value": 3}


def test_other_exceptions_are_not_verdicts() -> None:
    @claim("x", instances=BIPARTITE, number="1", page="", judged="")
    def divides(zero: int, say: Say) -> None:
        say(quotient=1 // zero)

    with pytest.raises(ZeroDivisionError):
        claims_of_function(divides)[0].check(0)


def test_file_and_line() -> None:
    assert RIGHT.file == "tests/theorems/test_claim.py"
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert [f'"{one.id}"' in lines[one.line - 1] for one in (RIGHT, WRONG)] == [True, True]


def test_a_module_offers_what_it_defines_and_not_what_it_imports() -> None:
    listed = [one for module in modules() for one in claims_of_module(module)]
    functions = [one.id for one in listed if one.function is not None]
    assert len(functions) == len(set(functions))
    assert {one.id for one in listed} == set(claims())


def test_a_statement_is_named_by_the_number_alone() -> None:
    names = {
        "theorem 6, for integer m c": "Theorem 6",
        "lemma 1 (edge coloring lemma)": "Lemma 1",
        "SSB(G), section 5.2, as printed": "SSB(G)",
        "equation (5)": "Equation (5)",
    }
    assert [printed_number(number) for number in names] == list(names.values())
    of_theorem_6 = [row.claims for row in statements() if row[:2] == ("beaumont2003", "Theorem 6")]
    assert of_theorem_6 == [("beaumont2003.thm6", "beaumont2003.thm6.printed")]
