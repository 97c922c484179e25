"""The optimum within the degrees: brute force, known optima, laws, limits, and a SCIP that lies."""

from collections import Counter
from collections.abc import Callable, Collection
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.certificate.linear_programs import LinearOptimum
from exactsched.certificate.overlay import Overlay
from exactsched.check.overlay.overlay import overlay as check_overlay
from exactsched.exact.errors import InvalidInput
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import best_on, best_throughput, supports
from exactsched.overlay import exact
from exactsched.overlay.bounds import throughput_bound
from exactsched.overlay.exact import optimal_overlay
from exactsched.overlay.scip_model import Proposal, faster_overlay

# 79/4, where counting says 20: {6,6,6,6,7,9} does not fall into two triples of sum 20.
NO_PARTITION = MultiPort([40, 40, 14, 14, 14, 14, 13, 11, 0], [4, 4, 1, 1, 1, 1, 1, 1, 0])
# 18, where counting says 37/2, which only a search finds and only a proof by cases excludes.
SEARCHED = MultiPort([100, 79, 1, 1, 47, 30, 22, 4, 16], [1, 1, 2, 2, 2, 2, 2, 1, 1])


@st.composite
def machines(draw: st.DrawFn, most: int = 3) -> MultiPort:
    size = draw(st.integers(2, most + 1))
    bandwidth = st.one_of(st.integers(1, 9), st.fractions(0, 9, max_denominator=4))
    bandwidths = draw(st.lists(bandwidth, min_size=size, max_size=size))
    degrees = draw(st.lists(st.integers(0, 2), min_size=size - 1, max_size=size - 1))
    incoming = draw(st.one_of(st.just([]), st.lists(bandwidth, min_size=size, max_size=size)))
    pairs = [(i, j) for i in range(size) for j in range(1, size) if i != j]
    some = st.lists(st.sampled_from(pairs), unique=True, min_size=size - 1)
    arcs = draw(st.one_of(st.just([]), some))
    return MultiPort(bandwidths, [draw(st.integers(1, 2)), *degrees], incoming, arcs)


def assert_optimal(overlay: Overlay) -> Fraction:
    claim = check_overlay(overlay)
    assert claim.optimal
    assert overlay.structure == "any"
    assert claim.throughput == claim.bound == overlay.throughput
    return Fraction(overlay.throughput)


@given(machines())
def test_up_to_three_receivers(machine: MultiPort) -> None:
    assert assert_optimal(optimal_overlay(machine)) == best_throughput(machine)


@settings(max_examples=10)
@given(
    st.lists(st.integers(1, 9), min_size=5, max_size=5),
    st.lists(st.integers(0, 2), min_size=4, max_size=4),
)
def test_four_receivers(bandwidths: list[int], degrees: list[int]) -> None:
    machine = MultiPort(bandwidths, [1, *degrees])
    assert assert_optimal(optimal_overlay(machine)) == best_throughput(machine)


@pytest.mark.parametrize(
    ("machine", "best", "cases"),
    [
        (MultiPort([1, 0, 0], [2, 0, 0]), Fraction(1, 2), False),  # the printed program: 1
        (MultiPort([5, 0], [1, 0]), 5, False),  # the printed program: 1
        (MultiPort([2, 1, 1], [2, 1, 1]), 2, False),  # figure 1: a cycle is needed
        (MultiPort([2, 2, 1, 1], [1, 1, 1, 1]), 1, True),
        (MultiPort([7, 1], [0, 1]), 0, False),
        (MultiPort([0, 7], [1, 1]), 0, False),
        (MultiPort([9, 9, 9], [2, 2, 2], [0, 4, 3]), 3, False),
        (MultiPort([9, 9, 9], [2, 2, 2], arcs=[(0, 1), (2, 1)]), 0, True),
        (MultiPort(["1/3", "1/7", 0], [2, 1, 0]), Fraction(5, 21), False),
        (NO_PARTITION, Fraction(79, 4), True),
        (SEARCHED, 18, True),
    ],
)
def test_known_optima(machine: MultiPort, best: Fraction, cases: bool) -> None:
    overlay = optimal_overlay(machine)
    assert assert_optimal(overlay) == best
    assert bool(overlay.proof) is cases


def printed_optimum(bandwidths: list[int]) -> Fraction:
    """The mixed integer program of section III-A, where the degrees allow all arcs."""
    size = len(bandwidths)
    receivers = range(1, size)
    arcs = [(i, j) for i in range(size) for j in receivers if i != j]
    column = {(k, *arc): 1 + at for at, (k, arc) in enumerate(product(receivers, arcs))}
    rows: list[dict[int, int]] = []
    rights = []
    equalities = []
    for k in receivers:
        for node in range(size):
            rows.append({column[k, i, j]: 1 for i, j in arcs if i == node})
            rights.append(bandwidths[node])
            if node:  # what arrives is passed on, or is the throughput
                passed = {column[k, i, j]: 1 for i, j in arcs if j == node}
                passed |= {column[k, i, j]: -1 for i, j in arcs if i == node}
                equalities.append(len(rows))
                rows.append(passed | ({0: -1} if node == k else {}))
                rights.append(0)
    rows += [{at: 1} for at in column.values()]
    rights += [1] * len(column)
    gains = [1] + [0] * len(column)
    best = maximize(linear_program(gains, rows, rights, equalities, range(len(gains))))
    assert isinstance(best, LinearOptimum)
    return Fraction(best.value)


@pytest.mark.parametrize(("bandwidths", "best"), [([1, 0, 0], Fraction(1, 2)), ([5, 0], 5)])
def test_the_printed_program_is_wrong(bandwidths: list[int], best: Fraction) -> None:
    size = len(bandwidths)
    assert printed_optimum(bandwidths) == 1
    assert best_throughput(MultiPort(bandwidths, [size - 1] * size)) == best


@settings(max_examples=20)
@given(machines(), st.fractions("1/9", 9, max_denominator=9), st.data())
def test_units_and_names_do_not_matter(
    machine: MultiPort, factor: Fraction, data: st.DataObject
) -> None:
    size = machine.size
    name = [0, *data.draw(st.permutations(range(1, size)))]
    place = sorted(range(size), key=lambda node: name[node])
    other = MultiPort(
        [factor * machine.bandwidths[node] for node in place],
        [machine.degrees[node] for node in place],
        [factor * machine.incoming[node] for node in place] if machine.incoming else [],
        [(name[i], name[j]) for i, j in machine.arcs],
    )
    assert optimal_overlay(other).throughput == factor * optimal_overlay(machine).throughput


@settings(max_examples=12)
@given(machines(), st.data())
def test_more_never_hurts(machine: MultiPort, data: st.DataObject) -> None:
    node = data.draw(st.integers(0, machine.size - 1))
    bandwidths, degrees = list(machine.bandwidths), list(machine.degrees)
    bandwidths[node] += 1
    degrees[node] += 1
    best = optimal_overlay(machine).throughput
    richer = [
        MultiPort(bandwidths, machine.degrees, machine.incoming, machine.arcs),
        MultiPort(machine.bandwidths, degrees, machine.incoming, machine.arcs),
        MultiPort(machine.bandwidths, machine.degrees, (), machine.arcs),
        MultiPort(machine.bandwidths, machine.degrees, machine.incoming),
    ]
    assert all(optimal_overlay(other).throughput >= best for other in richer)


@pytest.mark.parametrize(
    "limits", [{"node_limit": 0}, {"node_limit": 1}, {"time_limit": 0}, {"time_limit": 0.01}]
)
def test_at_a_limit_both_ends_are_proved(limits: dict[str, Any]) -> None:
    for machine in (NO_PARTITION, SEARCHED, MultiPort([2, 2, 1, 1], [1, 1, 1, 1])):
        overlay = optimal_overlay(machine, **limits)
        claim = check_overlay(overlay)
        assert overlay.throughput <= overlay.bound <= throughput_bound(machine)
        assert claim.optimal is (overlay.throughput == overlay.bound)
    assert not optimal_overlay(SEARCHED, **limits).optimal


@pytest.mark.parametrize("limits", [{"node_limit": -1}, {"node_limit": 1.5}, {"time_limit": -1}])
def test_limits_that_are_none(limits: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="limit"):
        optimal_overlay(NO_PARTITION, **limits)


def test_progress() -> None:
    seen: list[tuple[float, float]] = []
    optimal_overlay(SEARCHED, progress=lambda lower, upper: seen.append((lower, upper)))
    assert seen
    assert all(lower <= upper * (1 + 1e-6) for lower, upper in seen)
    assert all(0 < lower < 18.01 for lower, _ in seen)
    assert all(17.99 < upper < 18.51 for _, upper in seen)
    lowers = [lower for lower, _ in seen]
    assert all(one <= two * (1 + 1e-5) for one, two in pairwise(lowers))


Proposer = Callable[..., Proposal]


@pytest.mark.parametrize("finished", [True, False])
def test_a_solver_that_finds_nothing(monkeypatch: pytest.MonkeyPatch, finished: bool) -> None:
    monkeypatch.setattr(exact, "faster_overlay", lambda *_, **__: Proposal(None, finished))
    overlay = optimal_overlay(SEARCHED, node_limit=40)
    check_overlay(overlay)
    assert not overlay.optimal
    assert overlay.throughput <= 18 <= overlay.bound


@pytest.mark.parametrize("finished", [True, False])
def test_a_solver_that_says_better_is_what_is_not(
    monkeypatch: pytest.MonkeyPatch, finished: bool
) -> None:
    machine = MultiPort([4, 3, 2, 2], [1, 2, 1, 1])
    waiting = list(supports(machine))
    asked = []

    def any_arcs(*arguments: Any, **_: Any) -> Proposal:
        asked.append(arguments)
        return Proposal(waiting.pop(0) if waiting else None, finished or not waiting)

    monkeypatch.setattr(exact, "faster_overlay", any_arcs)
    assert assert_optimal(optimal_overlay(machine)) == best_throughput(machine)
    assert asked


@settings(max_examples=20)
@given(machines(), st.fractions(0, 1, max_denominator=4))
def test_proposals_are_faster(machine: MultiPort, part: Fraction) -> None:
    upper, best = throughput_bound(machine), best_throughput(machine)
    least = upper * part
    if not upper or least == upper:
        return
    known: list[Collection[tuple[int, int]]] = []
    proposal = faster_overlay(machine, least, upper, known)
    assert proposal.finished
    if best > least:
        assert proposal.arcs is not None
        assert best_on(machine, proposal.arcs)[0] == best
    if proposal.arcs is not None:
        degrees = Counter(i for i, _ in proposal.arcs)
        assert all(degrees[node] <= bound for node, bound in enumerate(machine.degrees))
        other = faster_overlay(machine, least, upper, [proposal.arcs]).arcs
        assert other is None or not set(other) <= set(proposal.arcs)


def test_throughputs_closer_than_floats_can_tell() -> None:
    tiny = Fraction(1, 10**12)
    machine = MultiPort([1 + 2 * tiny, 1 + tiny, 1], [1, 1, 1])
    overlay = optimal_overlay(machine)
    check_overlay(overlay)
    assert assert_optimal(overlay) == best_throughput(machine)
