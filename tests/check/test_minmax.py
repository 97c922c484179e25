"""What is accepted of the min-max theorems is true, also after any single change.

The ways of being refused stand in refusals.py and are tested, with those of schedules, by
test_check.py.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactsched
from exactsched.certificate import parse, parse_schedule, to_document, write_certificate
from exactsched.certificate.kinds import KINDS, kind_of
from exactsched.check import ProvedMinMax, check, check_schedule
from exactsched.check.graphs import matching
from exactsched.cli import main
from exactsched.exact.errors import Malformed, Rejected
from exactsched.oracles.min_max import min_max_fault
from tests.check.mutants import mutants, places, refuse_accepted_lies, refused_or_true
from tests.check.planted_minmax import PLANTED, MinMax, min_max_certificates
from tests.check.refusals.broadcasts import CORPUS, accepted, changed, files, path_of

NAMES = [f"min-max/{name}" for name in files("accepted/min-max")]
SCHEMA = json.loads((Path(str(exactsched.__file__)).parent / "certificate.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def _stated(noun: MinMax) -> Any:
    """The number that a noun states, if it has one."""
    return getattr(noun, "value", getattr(noun, "colors", None))


@pytest.mark.parametrize("name", NAMES)
def test_accepted_certificates_are_true(name: str) -> None:
    path = path_of("accepted", name)
    noun: Any = parse(accepted(name))
    claim = check(path)
    assert claim == check(accepted(name)) == check(noun) == exactsched.check(str(path))
    assert isinstance(claim, ProvedMinMax)
    nothing_optimized = (
        "branching-packing",
        "unmet-demand",
        "splitting-off",
        "linear-infeasibility",
        "linear-unboundedness",
    )
    assert claim.optimal == (claim.kind not in nothing_optimized)
    assert claim.kind == accepted(name)["kind"] == kind_of(type(noun))
    assert _stated(noun) in (None, claim.value)
    assert not min_max_fault(noun)


# The kinds of other families.
OTHERS = ("series", "run", "logp", "overlay", "rounds")


def test_there_is_an_accepted_certificate_of_every_kind() -> None:
    kinds = {kind for kind in KINDS if not kind.startswith(OTHERS)}
    assert {accepted(name)["kind"] for name in NAMES} == kinds


@pytest.mark.parametrize("kind", PLANTED)
@given(st.data())
def test_planted_certificates_are_accepted(kind: str, data: st.DataObject) -> None:
    noun = data.draw(PLANTED[kind])
    assert kind_of(type(noun)) == kind
    claim = check(noun)
    assert isinstance(claim, ProvedMinMax)
    assert _stated(noun) in (None, claim.value)
    assert not min_max_fault(noun)


@given(min_max_certificates())
def test_documents_are_faithful_and_fit_the_schema(noun: MinMax) -> None:
    document = to_document(noun)
    assert parse(document) == noun
    assert parse(json.loads(json.dumps(document))) == noun
    VALIDATOR.validate(document)


def _fault(document: object) -> str:
    noun: Any = parse(document)
    return min_max_fault(noun)


@pytest.mark.parametrize("name", NAMES)
def test_mutants_are_refused_or_true(name: str) -> None:
    refuse_accepted_lies(mutants(accepted(name)), _fault)


@given(min_max_certificates(), st.data())
def test_mutants_of_planted_certificates_are_refused_or_true(
    noun: MinMax, data: st.DataObject
) -> None:
    changes = list(mutants(to_document(noun)))
    for _ in range(5):
        path, mutant = data.draw(st.sampled_from(changes))
        refused_or_true(path, mutant, _fault)


JUNK = (None, {}, [], [[]], [0, 0], "x", "1/0", 1.5, True, -1, 10**400, "9" * 400)


@given(min_max_certificates(), st.data())
def test_junk_is_refused_in_good_order(noun: MinMax, data: st.DataObject) -> None:
    """Whatever stands anywhere: an answer, `Malformed` or `Rejected`, and one line."""
    document = to_document(noun)
    everywhere = list(places(document))
    for _ in range(5):
        path, junk = data.draw(st.sampled_from(everywhere)), data.draw(st.sampled_from(JUNK))
        verdict = "accepted"
        try:
            check(changed(document, path, junk))
        except (Malformed, Rejected) as error:
            verdict = str(error)
        assert "\n" not in verdict
        assert len(verdict) < 600


@pytest.mark.parametrize(
    ("name", "path", "value", "place"),
    [
        ("trees-on-the-same-nodes", ("trees", 3, 1, 0), "x", "trees[3][1][0]"),
        ("trees-on-the-same-nodes", ("trees", 3, 1, 0), 9, "trees[3][1][0]"),
        ("trees-on-the-same-nodes", ("trees", 3, 0), 0, "trees[3][0]"),
        ("branchings-of-several-root-sets", ("branchings", 1, 1), -1, "branchings[1][1]"),
        ("branchings-of-several-root-sets", ("branchings", 1, 2, 0), -1, "branchings[1][2][0]"),
        ("branchings-of-several-root-sets", ("roots", 2, 0, 3), 3, "roots[2][0][3]"),
        ("root-cut-flows-from-earlier-nodes", ("flows", 1, 2, 0), 1, "flows[1][2][0]"),
        ("links-around-switches", ("links", 1, 0, 0), 7, "links[1][0][0]"),
        ("links-around-switches", ("flows", 0, 0, 0), 4, "flows[0][1][0]"),
        ("cuts-that-cross", ("cuts", 1, 2), 0, "cuts[1][2]"),
        ("cuts-that-cross", ("arcs", 2, 1), True, "arcs[2][1]"),
        ("linear-equalities", ("program", "rows", 1, 0, 1), None, "program.rows[1][0][1]"),
        ("linear-equalities", ("program", "rows", 1, 0, 0), 7, "program.rows[1][0][0]"),
        ("linear-equalities", ("program", "equalities", 1), 3, "program.equalities[1]"),
    ],
)
def test_places_lead_to_the_value(
    name: str, path: tuple[str | int, ...], value: object, place: str
) -> None:
    with pytest.raises(Malformed) as caught:
        parse(changed(accepted(f"min-max/{name}"), path, value))
    assert caught.value.place == place


def test_claims_say_what_is_proved() -> None:
    def line(name: str) -> str:
        return str(check(path_of("accepted", f"min-max/{name}")))

    assert line("flow-back-over-the-cut") == (
        "maximum flow 5/6 proved optimal: flow and cut agree (5 nodes, 8 arcs)"
    )
    assert line("demand-unmet").startswith(
        "no such branchings exist: 3/2 enters the set, 11/6 is needed ("
    )
    assert line("links-around-switches") == (
        "4 links around 2 switches keep demand 3/2 (5 nodes, 7 arcs)"
    )
    assert line("concurrent-branchings").startswith("4/3 times all demands proved optimal: ")
    assert line("linear-infeasible").startswith("infeasible: ")
    assert line("linear-unbounded").startswith("unbounded: ")
    assert "matchings and odd set agree" in line("odd-set")
    assert "matchings and load of a node agree" in line("load-of-a-node")


def test_numbers_are_whole_where_they_can_be() -> None:
    document = accepted("min-max/flow-of-nothing")
    document["capacities"] = ["4/2", "3/2"]
    noun: Any = parse(document)
    assert list(map(type, noun.capacities)) == [int, Fraction]


# Who wants a schedule refuses these kinds, with one line.


def test_a_theorem_is_no_schedule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(CORPUS / "accepted" / "min-max" / "odd-set.json")
    with pytest.raises(Malformed, match="a schedule in a series or a run only"):
        check_schedule(path)
    with pytest.raises(Malformed, match="a schedule in a series or a run only"):
        parse_schedule(exactsched.read_certificate(path))
    assert main(["simulate", path]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.count("\n") == 1
    assert "'fractional-edge-coloring'" in err
    assert main(["draw", path, "-o", str(tmp_path / "x.svg")]) == 0  # its graph and its two sides


def test_the_command_line_checks_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(CORPUS / "accepted" / "min-max" / "odd-set.json")]) == 0
    assert "duration 3 proved optimal" in capsys.readouterr().out


def test_they_are_written_as_files(tmp_path: Path) -> None:
    noun: Any = parse(accepted("min-max/cuts-that-cross"))
    write_certificate(to_document(noun), tmp_path / "again.json")
    assert parse(exactsched.read_certificate(tmp_path / "again.json")) == noun


def test_nodes_chosen_to_have_one_hash_get_others() -> None:
    """Else a document of a megabyte, all of whose nodes are found in one place, takes minutes."""
    nodes = [k * (2**61 - 1) for k in range(100)]
    assert len(set(map(hash, nodes))) == 1
    sides = matching._sides(tuple((node, node) for node in nodes))
    assert len({hash(end) for ends in sides for end in ends}) == 200
