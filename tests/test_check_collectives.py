"""What the checker accepts of gossips and reductions is true, after any single change as well.

Their refusals are tested with all others in test_check.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

import oracle_operations as oracle
import pytest
from mutants import Path, mutants
from oracles import ImpossibleError
from refusals import files, path_of

from exactsched.certificate import parse, read_certificate
from exactsched.check import RunClaim, SeriesClaim, check
from exactsched.errors import Malformed, Rejected
from exactsched.problem import Gossip, Reduction
from exactsched.rational import exact, text

FOLDER = "accepted/collectives"
NAMES = files(FOLDER)
# By the linear program of the paper, in oracle_collectives.py: too large for the definition.
TIERS = Fraction(2, 9)


@pytest.mark.parametrize("name", NAMES)
def test_accepted_certificates_are_true(name: str) -> None:
    path = path_of(FOLDER, name)
    document = read_certificate(path)
    claim = check(path)
    assert isinstance(claim, (SeriesClaim, RunClaim))
    assert claim == check(document) == check(parse(document))
    assert claim.kind == document["kind"]
    assert claim.optimal == document["claim"]["optimal"]
    assert text(claim.bound) == str(document["claim"]["bound"])
    _refuse_lies(document)


def test_optima_are_recognized() -> None:
    """Where the bound of the corpus is not the optimum, the name of the file says so."""
    for name in NAMES:
        document = read_certificate(path_of(FOLDER, name))
        proved = check(document)
        if isinstance(proved, SeriesClaim) and name not in ("tiers", "scatter-detour"):
            optimum = _optimum(oracle.problem_of(document))
            assert proved.throughput == optimum
            gap = name.endswith(("-with-a-gap", "-not-shown-optimal"))
            assert proved.optimal != gap


def test_figures_of_the_paper() -> None:
    """RR-4872: figure 2, figure 6, figures 10 to 12."""
    found = {name: check(path_of(FOLDER, name)).bound for name in THROUGHPUTS}  # type: ignore[union-attr]
    assert found == THROUGHPUTS
    trees = read_certificate(path_of(FOLDER, "tiers"))["schedule"]["schemes"]
    assert [tree["operations"] for tree in trees] == [1, 1]


THROUGHPUTS = {"scatter-toy": Fraction(1, 2), "reduce-toy": Fraction(1), "tiers": TIERS}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("scatter-toy", "agree (scatter from Ps to 2 targets, 5 nodes, 5 arcs, one-port)"),
        ("scatter-detour", "(scatter from s to 1 target, "),
        ("gather-half-duplex", "(gather at t from 3 sources, 4 nodes, 5 arcs, half-duplex)"),
        ("gossip-link", "throughput 13/16 proved optimal: schedule and bound agree (gossip of 4 m"),
        ("tiers", "throughput 2/9 proved optimal: schedule and bound agree (reduction of 8 values"),
        ("one-value", "(reduction of 1 value to c, 3 nodes, 3 arcs, link)"),
        ("prefix", "(prefix of 3 values, 3 nodes, 4 arcs, one-port)"),
        ("prefix-with-a-gap", "throughput >= 12/7 by the schedule, <= 2 by the bound: not proved "),
        ("multicast-with-a-gap", "(reduction of 1 value to 2 goals, "),
        (
            "run-scatter",
            "makespan <= 26/3 by the schedule, >= 8 by the bound: not proved optimal (",
        ),
        ("run-gossip", "(gossip of 3 messages, 3 nodes, 4 arcs, half-duplex, operations: 2)"),
    ],
)
def test_claims_say_what_is_asked_and_what_is_proved(name: str, words: str) -> None:
    assert words in str(check(path_of(FOLDER, name)))


# Nothing false is accepted.


@cache
def _optimum(problem: Gossip | Reduction) -> Fraction:
    return oracle.optimal_throughput_by_definition(problem)


def _refuse_lies(document: dict[str, Any]) -> None:
    """Fails unless the claims of an accepted document are true, by definition."""
    problem = oracle.problem_of(document)
    claimed = {
        name: exact(value, name) for name, value in document["claim"].items() if name != "optimal"
    }
    optimum = TIERS if len(problem.platform.nodes) == 14 else _optimum(problem)
    if document["kind"] == "run":
        assert oracle.simulate_run(document) == claimed["makespan"]
        # No schedule of M operations ends before M / optimum, so M / bound is at least that.
        operations = int(exact(document["problem"]["operations"], "operations"))
        assert claimed["bound"] * optimum <= operations
        assert claimed["bound"] <= claimed["makespan"]
        return
    assert claimed["throughput"] <= optimum <= claimed["bound"]
    if document["schedule"] is None:
        assert claimed["throughput"] == 0
        return
    depth, batch = oracle.depth(document), oracle.batch(document)
    assert oracle.simulate_series(document, depth + 2) >= 3 * batch
    assert claimed["throughput"] * exact(document["schedule"]["period"], "period") == batch


# The optimum of every changed problem is a linear program over all structures: where these are
# many, one accepted mutant in so many is examined.
EXAMINED = {
    "prefix-with-a-gap": 16,
    "run-reduce": 6,
    "reduce-toy": 6,
    "gossip-link": 3,
    "tiers": 20,
}


@pytest.mark.parametrize("name", NAMES)
def test_mutants_are_refused_or_true(name: str) -> None:
    """Any single change makes a certificate that is refused, or one that is still true."""
    document = read_certificate(path_of(FOLDER, name))
    names = [*document["problem"]["platform"]["nodes"], "nobody"]
    refused = 0
    accepted = []
    for path, mutant in _mutants_of(document, names):
        try:
            check(mutant)
        except (Rejected, Malformed):
            refused += 1
        else:
            accepted.append((path, mutant))
    assert refused > 2 * len(accepted)
    for path, mutant in accepted[:: EXAMINED.get(name, 1)]:
        try:
            _refuse_lies(mutant)
        except (AssertionError, ImpossibleError) as error:
            pytest.fail(f"accepted but false after a change of {path}: {error}")


def _mutants_of(document: dict[str, Any], names: list[Any]) -> Iterator[tuple[Path, Any]]:
    if len(names) < 10:
        yield from mutants(document, names)
        return
    # A large platform: its optimum is known, that of a changed one is not.
    parts = {name: document[name] for name in ("claim", "schedule")}
    for path, mutant in islice(mutants(parts), 0, None, 5):
        yield path, {**document, **mutant}
