"""The proved checkers agree with the checker, and say nothing about what they do not cover."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import exactsched
from exactsched.exact.errors import Malformed, Rejected
from exactsched.kernel import RULES, NotCovered, check, theorem, tokens
from exactsched.kernel.min_max import ROWS
from exactsched.kernel.problems import collective
from tests.check.refusals.broadcasts import changed
from tests.check.test_hostile import TRUE
from tests.corpus.hostile.cases import CASES
from tests.independent.mutate import mutant
from tests.kernel.agreement import CORPUS, disagreement, documents, verdict

ACCEPTED = list(documents("accepted", longest=10**7))

# Documents of covered kinds that need what no proved checker is about.
NOT_COVERED = {
    "collectives": {
        "run-allgather-latency",
        "run-allreduce-latency",
        "run-reduce-scatter-latency",
        "run-allgather-bound-0",
        "broadcast-to-some",
        "broadcast-to-some-by-shares",
        "broadcast-to-some-of-another-size",
        "broadcast-to-some-not-shown-optimal",
        "broadcast-to-some-over-a-switch",
        "broadcast-to-some-unreachable",
        "run-broadcast-to-some",
        "combination-message",
        "combination-groups",
        "combination-mix",
        "groups-unreachable",
        "run-groups",
        "run-mix",
    },
    "rounds": {"spider-with-occupancy", "star-one-port"},
    "overlay": {
        "cases-among-places",
        "cases-with-cuts",
        "one-case",
        "two-cases",
        "two-cases-above",
    },
    "logp": {
        "cycles-of-shift-2",
        "figure-2",
        "figure-2-in-turn",
        "one-processor-and-the-source",
        "rounds-of-allreduce-at-10-to-the-18",
        "summation-in-fractions",
        "trees-in-turn",
    },
}


@pytest.mark.parametrize(("path", "document"), ACCEPTED, ids=lambda part: getattr(part, "stem", ""))
def test_what_the_checker_accepts_is_proved(path: Path, document: Any) -> None:
    word, problem = disagreement(document)
    assert not problem
    asked = document.get("problem", {})
    if asked.get("ports") == "routes" or path.stem in NOT_COVERED.get(path.parent.name, ()):
        assert word == "not covered"
        return
    assert word == "accepted"
    proved = check(str(path))
    assert proved.claims
    assert all(claim.theorem and claim.formal for claim in proved.claims)


@pytest.mark.parametrize("folder", ["rejected", "malformed"])
def test_what_the_checker_refuses_is_refused_or_true(folder: str) -> None:
    words = set()
    for path, document in documents(folder):
        word, problem = disagreement(document)
        assert not problem, f"{path.name}: {problem}"
        words.add(word)
    assert words <= {"rejected", "malformed", "accepted", "not covered"}


def test_every_file_of_the_corpus_has_an_answer() -> None:
    """Whatever is in a file: proved, refused, malformed, or not covered."""
    for path in sorted(CORPUS.rglob("*.json")):
        word, answer = verdict(check, str(path))
        assert word != "accepted" or not path.is_relative_to(CORPUS / "malformed"), answer


def test_mutants() -> None:
    texts = [json.dumps(document) for _, document in documents("accepted")]
    words = set()
    for number in range(600):
        text = mutant(Random(f"kernel {number}"), texts[number % len(texts)])
        try:
            document = json.loads(text)
        except ValueError:
            continue
        if isinstance(document, dict):
            word, problem = disagreement(document)
            assert not problem, f"{problem}\n{text}"
            words.add(word)
    assert {"accepted", "rejected", "malformed"} <= words


def test_every_kind_of_the_table_has_a_document() -> None:
    kinds = {document["kind"] for _, document in ACCEPTED}
    assert kinds == set(RULES)
    assert {kind for kind, module in RULES.items() if module == "min_max"} == set(ROWS)


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("logp/buffered-figure-5", "kind"),
        ("logp/figure-2", "items"),
        ("logp/rounds-of-allreduce-at-10-to-the-18", "rounds"),
        ("logp/summation-in-fractions", "bound"),
        ("logp/one-processor-and-the-source", "machine"),
        ("overlay/two-cases", "proof"),
        ("rounds/star-one-port", "bound"),
    ],
)
def test_what_has_no_proved_checker(file: str, place: str) -> None:
    with pytest.raises(NotCovered) as refused:
        check(str(CORPUS / "accepted" / f"{file}.json"))
    assert refused.value.place == place


def test_a_set_that_needs_no_shard_is_not_covered() -> None:
    file = CORPUS / "accepted" / "collectives" / "allgather-by-forwarding.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    with pytest.raises(NotCovered, match="a node of the group") as refused:
        check(changed(document, ("proof", "sets", 0, 0), ["s"]))
    assert refused.value.place == "proof.sets[0]"


@pytest.mark.parametrize(
    "file", ["rounds/path", "overlay/line", "logp/figure-1", "min-max/odd-set"]
)
def test_only_a_series_is_written_for_others(file: str) -> None:
    for written in (theorem, tokens):
        with pytest.raises(NotCovered, match="only a series"):
            written(str(CORPUS / "accepted" / f"{file}.json"))


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (
            "figure-1-tree",
            "restricted_exactly OneTree p arcs source targets used ranks plan witness",
        ),
        ("figure-1-dag", "restricted_exactly Acyclic"),
        ("run-star", "ran asked operations plan witness"),
        ("run-latency", "packets_ran p arcs source targets sizes plan witness"),
        (
            "collectives/allgather",
            "exactly_by_cuts p arcs members shards paths plan prices witness",
        ),
        ("collectives/allgather-not-shown-optimal", "forwarded p arcs members shards paths plan"),
        ("collectives/allgather-unreachable", "bounded_by_cuts"),
        ("collectives/allgather-by-forwarding", "exactly_by_forwarding"),
        ("collectives/run-allgather", "ran_by_cuts"),
        ("collectives/run-allgather-by-forwarding", "ran_by_forwarding"),
    ],
)
def test_theorems_state_the_claims(file: str, says: str) -> None:
    """Whether Rocq accepts them is seen in `test_rocq`."""
    path = str(CORPUS / "accepted" / f"{file}.json")
    written = theorem(path)
    assert f"apply ({says}" in written
    for claim in check(path).claims:
        assert f" : {claim.formal}.\n" in written


def test_theorems_that_are_not_written() -> None:
    path = CORPUS / "accepted" / "collectives" / "combination-allreduce.json"
    with pytest.raises(NotCovered, match="other collectives"):
        theorem(str(path))
    star = exactsched.read_certificate(CORPUS / "accepted" / "run-star.json")
    with pytest.raises(NotCovered, match="for OCaml"):
        tokens(star)


def test_a_theorem_about_a_long_run_is_not_written() -> None:
    count = 1001
    document = {
        "format": "exactsched",
        "version": 2,
        "kind": "run",
        "problem": {
            "collective": "broadcast",
            "platform": {"nodes": ["a", "b"], "arcs": [["a", "b", 1]]},
            "source": "a",
            "restrict": "none",
            "ports": "link",
        },
        "operations": count,
        "sizes": [],
        "makespan": count,
        "bound": count,
        "optimal": True,
        "tick": 1,
        "tasks": [[0]],
        "rows": [[0, number, number, number + 1] for number in range(count)],
        "proof": {
            "by": "cuts",
            "prices": {"link:0": 1},
            "order": ["b"],
            "cuts": [[0, 1, 1]],
            "startup_cuts": [],
            "odd_sets": [],
        },
    }
    assert check(document).values["makespan"] == count
    with pytest.raises(NotCovered, match="at most 1000 operations"):
        theorem(document)


# One document for each place of a refusal: what is changed in an accepted one, and the place.
REFUSED = [
    ("figure-1-one-port", ("throughput",), "1/2", "throughput"),
    ("figure-1-one-port", ("bound",), 2, "bound"),
    ("figure-1-one-port", ("optimal",), False, "optimal"),
    ("figure-1-one-port", ("schedule", "slots", 0, 1), 1, "schedule"),
    ("figure-1-one-port", ("proof", "prices"), {}, "proof"),
    ("figure-1-tree", ("throughput",), "1/2", "throughput"),
    ("figure-1-tree", ("schedule", "period"), "1/2", "schedule"),
    ("run-star", ("makespan",), 5, "makespan"),
    ("run-star", ("bound",), 3, "bound"),
    ("run-star", ("optimal",), False, "optimal"),
    ("run-star", ("rows", 0, 3), 7, "rows and proof"),
    ("run-latency", ("makespan",), 5, "makespan"),
    ("collectives/allgather", ("throughput",), "1/3", "throughput"),
    ("collectives/allgather", ("schedule", "period"), 1, "schedule"),
    ("collectives/allgather", ("proof", "prices"), {}, "proof"),
    ("collectives/combination-allreduce", ("throughput",), "1/2", "throughput"),
    ("collectives/combination-allreduce", ("schedule", "period"), "1/2", "schedule"),
    ("collectives/combination-reduce", ("proof", "prices"), {}, "proof"),
    ("collectives/allreduce-over-a-switch", ("throughput",), "1/2", "throughput"),
    ("collectives/allreduce-over-a-switch", ("schedule", "period"), 1, "schedule"),
    ("collectives/allreduce-over-a-switch", ("proof", "prices"), {}, "proof"),
    ("collectives/run-allreduce-over-a-switch", ("rows", 0, 3), 9, "rows and proof"),
    ("collectives/run-combination", ("makespan",), 5, "makespan"),
    ("collectives/run-combination", ("rows", 0, 3), 7, "rows and proof"),
    ("collectives/allgather-by-forwarding", ("throughput",), "1/3", "throughput"),
    ("collectives/allgather-by-forwarding", ("bound",), "1/3", "bound"),
    ("collectives/allgather-by-forwarding", ("proof", "prices"), {}, "proof"),
    ("collectives/allgather-by-forwarding", ("proof", "potentials"), [], "proof"),
    ("collectives/allgather-by-forwarding", ("proof", "sets", 0, 1), 2, "proof"),
    ("collectives/run-allgather-by-forwarding", ("proof", "potentials"), [], "rows and proof"),
    ("collectives/run-allgather", ("makespan",), 9, "makespan"),
    ("collectives/run-allgather", ("rows", 0, 3), 2, "rows and proof"),
    ("min-max/flow-back-over-the-cut", ("value",), 1, "flow, cut, value"),
    ("min-max/linear-unbounded", ("ray",), [], "point, ray"),
    ("rounds/path", ("sends", 0, 0, 1), 1, "sends"),
    ("rounds/path", ("sends", 3), [], "sends"),
    ("rounds/path", ("bound",), 3, "bound"),
    ("rounds/not-the-fastest", ("optimal",), True, "optimal"),
    ("rounds/star-with-occupancy", ("occupancy", 0, "cuts", 0, 1), 100, "occupancy"),
    ("rounds/last-step", ("occupancy", 0, "cuts", 0, 1), 100, "occupancy"),
    ("overlay/exchange", ("arcs", 1, 2), [[0, 1]], "arcs"),
    ("overlay/exchange", ("arcs", 1, 2), [[0, 2]], "arcs"),
    ("overlay/exchange", ("structure",), "tree", "arcs"),
    ("overlay/exchange", ("structure",), "acyclic", "arcs"),
    ("overlay/exchange", ("throughput",), 3, "arcs"),
    ("overlay/exchange", ("bound",), 3, "bound"),
    ("overlay/above-the-degrees", ("optimal",), True, "optimal"),
    ("logp/figure-1", ("messages", 0, 3), 1, "messages"),
    ("logp/figure-1", ("messages",), [], "messages"),
    ("logp/figure-1", ("bound",), 25, "bound"),
    ("logp/figure-1", ("time",), 25, "optimal"),
    ("logp/allgather", ("bound",), 4, "bound"),
    ("logp/allgather-that-would-collide", ("bound",), 18, "bound"),
    ("logp/allreduce", ("messages", 14, 2), 1, "messages"),
    ("logp/allreduce", ("messages",), [], "messages"),
    ("logp/allreduce", ("bound",), 3, "bound"),
    ("logp/rounds-of-allreduce", ("optimal",), False, "optimal"),
    ("logp/rounds-allgather", ("rounds", 0, 1), 2, "rounds"),
    ("logp/nine-cycle", ("time",), 14, "cycles"),
    ("logp/figure-6", ("count",), 80, "messages, additions"),
    ("logp/figure-6", ("bound",), 80, "bound"),
    ("logp/figure-6", ("optimal",), False, "optimal"),
]


@pytest.mark.parametrize(("file", "path", "value", "place"), REFUSED)
def test_a_refusal_names_its_place(
    file: str, path: tuple[str | int, ...], value: object, place: str
) -> None:
    document = json.loads((CORPUS / "accepted" / f"{file}.json").read_text(encoding="utf-8"))
    with pytest.raises(Rejected) as refused:
        check(changed(document, path, value))
    assert refused.value.place == place


def test_records_and_documents_are_taken_as_files_are() -> None:
    path = CORPUS / "accepted" / "odd-set.json"
    proved = check(str(path))
    document = exactsched.read_certificate(path)
    assert check(document) == proved == exactsched.check(document, kernel=True)
    assert proved.values["throughput"] == Fraction(3, 8)
    with pytest.raises(Malformed):
        exactsched.check({"kind": "series"}, kernel=True)


@pytest.mark.parametrize("name", [n for n in CASES if not n.endswith(".vipr")])
def test_hostile_files_end(name: str, tmp_path: Path) -> None:
    """Within seconds each is refused, or not covered; nothing false is proved."""
    file = tmp_path / name
    file.write_bytes(CASES[name]())
    word, answer = verdict(check, str(file))
    assert word != "accepted" or name in TRUE, answer


def test_a_problem_with_too_many_tasks_is_not_covered() -> None:
    """A thousand demands on a complete graph of a thousand arcs would take minutes."""
    nodes = list(range(1200))
    arcs = [(n, n + 1, 1) for n in nodes[:-1]] + [(n + 1, n, 1) for n in nodes[:-1]]
    asked = exactsched.Alltoall(exactsched.Platform(nodes, arcs), [(0, n) for n in nodes[1:]])
    proof = {"by": "distances", "prices": {}, "distances": [[0] * 1200]}
    platform = {"nodes": nodes, "arcs": [list(arc) for arc in arcs]}
    demands = [list(demand[:2]) for demand in asked.demands]
    problem = {"collective": "alltoall", "platform": platform, "demands": demands}
    document = {
        "format": "exactsched",
        "version": 2,
        "kind": "series",
        "problem": {**problem, "ports": "one-port"},
        "throughput": 0,
        "bound": 0,
        "optimal": True,
        "schedule": None,
        "proof": proof,
    }
    with pytest.raises(NotCovered, match="too large for the kernel"):
        check(document)


@pytest.mark.parametrize("group", [1, 2])
def test_an_allreduce_with_too_many_links_is_not_covered(group: int) -> None:
    """Of all nodes, or of every second one, over the others."""
    nodes = list(range(600))
    arcs = [[one, (one + step) % 600, 1] for one in nodes for step in (1, 599)]
    roots = [[node, [], [], [], []] for node in nodes[::group]]
    document = {
        "format": "exactsched",
        "version": 2,
        "kind": "series",
        "problem": {
            "collective": "combination",
            "platform": {"nodes": nodes, "arcs": arcs},
            "blocks": [[1, nodes[::group]]],
            "ports": "link",
        },
        "throughput": 0,
        "bound": 0,
        "optimal": True,
        "schedule": None,
        "proof": {"by": "trees", "prices": {}, "roots": roots, "odd_sets": []},
    }
    with pytest.raises(NotCovered, match="too large for the kernel"):
        check(document)


def test_the_page_shows_the_lines_that_are_trusted() -> None:
    page = (CORPUS.parents[1] / "proofs" / "kernel.md").read_text(encoding="utf-8")
    source = (CORPUS.parents[1] / "exactsched/kernel/problems.py").read_text(encoding="utf-8")
    _, _, block = page.partition("```python\n")
    lines = [f"    {line}" for line in block.partition("```")[0].splitlines()]
    assert "\n".join(lines) in source


@pytest.mark.parametrize(
    "change",
    [
        {"collective": "allgather"},
        {"switches": []},
        {"platform": {"nodes": ["s", "a"], "arcs": [["s", "a", 1]], "switches": ["a"]}},
    ],
)
def test_a_problem_with_other_members_is_not_read(change: dict[str, Any]) -> None:
    """Whatever documents may say one day: nothing is proved about half of a problem."""
    platform = {"nodes": ["s", "a"], "arcs": [["s", "a", 1]]}
    asked = {"collective": "broadcast", "platform": platform, "source": "s", "ports": "link"}
    assert collective(asked | {"restrict": "none"})[0] == "Multicast"
    with pytest.raises(NotCovered):
        collective(asked | {"restrict": "none"} | change)
