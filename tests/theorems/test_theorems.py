"""The claims of `exactsched.theorems`: complete, well formed, and they hold where they should."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from exactsched import theorems
from exactsched.campaign.index import machine_checked, reports, with_index
from exactsched.campaign.library import seeded
from exactsched.campaign.outcomes import judged
from exactsched.exact.errors import InvalidInput
from exactsched.instances.documents import instance_document, read_instance
from exactsched.theorems.claim import REFUTED
from exactsched.theorems.statements import papers, statements

ROOT = Path(__file__).parents[2]
INSTANCES = 15

# The numbers that the papers give to what they state (definitions left out).
NUMBERED = {
    "beaumont2003": [
        *[f"Theorem {number}" for number in range(1, 9)],
        *[f"Lemma {number}" for number in range(1, 8)],
    ],
    "legrand2003": [
        *[f"Proposition {number}" for number in range(1, 5)],
        *["Lemma 1", "Lemma 2", "Theorem 1"],
    ],
    "karp1993": [
        *["Theorem 2.1", "Fact 2.1", "Theorem 2.2"],
        *[f"Theorem 3.{number}" for number in range(1, 9)],
        *["Lemma 3.1", "Corollary 3.1", "Corollary 3.2", "Theorem 4.1", "Lemma 5.1"],
    ],
    "beaumont2010": [
        *["Theorem 3.1", "Theorem 3.2", "Theorem 3.3", "Lemma 3.4", "Lemma 3.5", "Theorem 3.6"],
        "Equation (5)",
    ],
    "lu2025": [
        *["Theorem 1", "Theorem 2", "Equation (15)", "Equation (16)", "Equation (17)"],
        *["Equation (18)", "Equations (19), (20)"],
    ],
}

listed = theorems.claims
RIGHT = [name for name, one in listed().items() if one.status not in REFUTED]
PRINTED = [name for name, one in listed().items() if one.status in REFUTED]


def instances_of(claim, count):
    return [
        claim.instance(seeded(claim, "small", 0, number), claim.bounds.small)
        for number in range(count)
    ]


def test_the_prefix_of_an_id_is_the_folder():
    for one in (one for one in listed().values() if one.function is not None):
        folder = Path(one.file).parts[2]
        prefix = one.id.split(".")[0]
        assert prefix == folder or (folder == "classical" and prefix not in theorems.PAPERS), one.id


def test_an_id_is_written_out_where_the_claim_is():
    """So that a search for it finds the file, and `verify --where` the line."""
    for one in listed().values():
        if one.function is not None:
            lines = (ROOT / one.file).read_text(encoding="utf-8").splitlines()
            assert f'"{one.id}"' in lines[one.line - 1]


@pytest.mark.parametrize("name", listed())
def test_a_claim_says_what_it_is(name):
    claim = listed()[name]
    assert len(claim.statement.split()) >= 6
    assert claim.statement.endswith((".", ".)"))
    assert claim.reference
    assert claim.checked_by
    assert (ROOT / "proofs" / f"{claim.page}.md").is_file()
    assert claim.implemented or claim.status in REFUTED
    for module in claim.implemented:
        assert (ROOT / module).is_file(), module
    assert 0 < claim.bounds.small <= claim.bounds.medium <= claim.bounds.large
    assert (claim.counterexample is not None) == (claim.status in REFUTED)
    assert (claim.status == "wrong as printed") == name.endswith(".printed")
    assert (claim.status == "sketch refuted, statement open") == name.endswith(".sketch")
    if claim.corrects:
        assert listed()[claim.corrects].status in REFUTED


@pytest.mark.parametrize("name", RIGHT)
def test_corners_hold(name):
    claim = listed()[name]
    corners = claim.corners()
    assert corners
    for corner in corners:
        assert type(corner) is claim.instance_type
        outcome = judged(claim, corner)
        assert outcome.kind in ("held", "beside"), outcome


@pytest.mark.parametrize("name", RIGHT)
def test_small_instances_hold_and_most_of_them_apply(name):
    claim = listed()[name]
    kinds = []
    for instance in instances_of(claim, INSTANCES):
        assert type(instance) is claim.instance_type
        outcome = judged(claim, instance)
        assert outcome.kind in ("held", "beside"), (instance_document(instance), outcome)
        kinds.append(outcome.kind)
    assert kinds.count("held") >= 8 * INSTANCES // 10


@pytest.mark.parametrize("name", PRINTED)
def test_what_is_to_be_refuted_is_refuted(name):
    claim = listed()[name]
    verdict = claim.check(claim.counterexample())
    assert verdict.applies
    assert not verdict.holds
    assert len(verdict.reason.split()) >= 3


@pytest.mark.parametrize("name", listed())
def test_instances_are_made_again_from_their_documents(name):
    """Equal, and with the same verdict and facts: nothing is lost, nothing is random."""
    claim = listed()[name]
    random = instances_of(claim, 3)
    if claim.counterexample is not None:
        random.append(claim.counterexample())
    for instance in (*claim.corners(), *random):
        document = json.loads(json.dumps(instance_document(instance)))
        again = read_instance(claim.instance_type, document)
        assert again == instance
        assert instance_document(again) == document
        if instance in random:  # some corners take seconds
            one, other = judged(claim, instance), judged(claim, again)
            assert one == other
            json.dumps(one.facts)


def test_every_numbered_statement_has_a_row():
    rows = [(row.paper, row.printed) for row in statements()]
    assert len(rows) == len(set(rows))
    assert {paper for paper, _ in rows} == set(papers()) == set(NUMBERED)
    for paper, numbers in NUMBERED.items():
        assert [number for number in numbers if (paper, number) not in rows] == []


def test_every_row_has_its_claims_or_says_why_not():
    for row in statements():
        assert bool(row.claims) != bool(row.why), row
    named = {name for row in statements() for name in row.claims}
    assert sorted(named - set(listed())) == []


def test_claims_are_found_by_id_and_by_paper():
    known = listed()
    for name in known:
        assert theorems.claim_named(name, known) is known[name]
    prefixes = list(dict.fromkeys(name.split(".")[0] for name in known))
    found = [one.id for prefix in prefixes for one in theorems.claims_named([prefix], known)]
    assert sorted(found) == sorted(known)
    assert theorems.claims_named([], known) == list(known.values())
    with pytest.raises(InvalidInput, match="konig\\.edge-coloring"):
        theorems.claim_named("koenig.edge-coloring", known)


def in_a_fresh_interpreter(program, **environment):
    said = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    return json.loads(said.stdout)


def test_the_registry_loads_no_integer_programming():
    program = (
        "import json, sys\n"
        "from exactsched.theorems import claims\n"
        "claims()\n"
        "print(json.dumps('pyscipopt' in sys.modules))"
    )
    assert in_a_fresh_interpreter(program) is False


def test_facts_do_not_depend_on_the_hashes_of_texts():
    """Python orders sets of texts differently in every process; results are the same in all."""
    program = (
        "import json\n"
        "from exactsched.campaign.blocks import run_block\n"
        "from exactsched.campaign.library import LIBRARY, Block, claims_of\n"
        "blocks = [Block(name, 'small', 0, 0, 1) for name in claims_of(LIBRARY)]\n"
        "print(json.dumps({block.claim: str(run_block(block, LIBRARY).digest)\n"
        "                  for block in blocks}))"
    )
    one, other = [in_a_fresh_interpreter(program, PYTHONHASHSEED=str(seed)) for seed in (1, 2)]
    assert len(one) == len(listed())
    assert [name for name in one if one[name] != other[name]] == []


def test_the_index_of_proofs_is_current():
    """`python -m exactsched.campaign.index` writes it; every claim is in one whole campaign."""
    path = ROOT / "proofs" / "README.md"
    done = reports(path)
    page = path.read_text(encoding="utf-8")
    assert with_index(page, done, machine_checked(path)) == page
    assert all(report.complete for report in done)
    assert [wrong for report in done for wrong in report.wrong()] == []
    run = [name for report in done for name in report.campaign.claims]
    assert sorted(run) == sorted(theorems.claims())
    assert all(report.campaign.sizes == ("small", "medium") for report in done)
