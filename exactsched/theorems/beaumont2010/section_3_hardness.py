"""The best overlay within the degrees is in NP, and NP-hard to find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from exactsched.certificate.overlay import Overlay
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, to_json
from exactsched.instances.choices import Choices
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import (
    PAPER,
    has_no_cycle,
    is_largest_root,
    misses,
    rates_of,
    receivers,
    within,
)
from exactsched.overlay.cases import prove_by_cases
from exactsched.overlay.partition import overlay_of_partition, partition_machine, partition_of
from exactsched.overlay.rate import best_rates
from exactsched.overlay.shares import overlay_of_rates
from exactsched.theorems.beaumont2010 import section_3_witnesses as overlay_witnesses
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted

Triple = tuple[int, int, int]

# Cases of a proof that nothing is faster than the best grouping; proofs/overlay-partition.md has
# some of 78 to 212 leaves, so of 155 to 423 cases.
_CASES = 2_000


@dataclass(frozen=True, slots=True)
class Numbers:
    """An instance of 3-PARTITION."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Grouping:
    """Numbers of 3-PARTITION, and their indices in triples of any sums."""

    numbers: tuple[int, ...]
    groups: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Wiring:
    """Arcs between the nodes of a machine of 3-PARTITION, and what is given away of T."""

    numbers: tuple[int, ...]
    arcs: tuple[tuple[int, int], ...]
    loss: Fraction


def groupings(left: tuple[int, ...]) -> Iterator[tuple[Triple, ...]]:
    """All ways to put indices into triples.

    >>> len(list(groupings(tuple(range(6)))))
    10
    """
    if not left:
        yield ()
    for j, k in combinations(left[1:], 2):
        for others in groupings(tuple(i for i in left[1:] if i not in (j, k))):
            yield ((left[0], j, k), *others)


def partitions(
    numbers: Sequence[int], target: int, left: tuple[int, ...]
) -> Iterator[tuple[Triple, ...]]:
    """All ways to put indices into triples of this sum.

    >>> list(partitions([6, 7, 7], 20, (0, 1, 2)))
    [((0, 1, 2),)]
    """
    if not left:
        yield ()
    for j, k in combinations(left[1:], 2):
        if numbers[left[0]] + numbers[j] + numbers[k] == target:
            rest = tuple(i for i in left[1:] if i not in (j, k))
            for others in partitions(numbers, target, rest):
                yield ((left[0], j, k), *others)


def _target(numbers: Sequence[int]) -> int | None:
    """T, if it is an instance: 3 p integers of sum p T, all between T/4 and T/2."""
    target, rest = divmod(3 * sum(numbers), len(numbers) or 1)
    fits = numbers and len(numbers) % 3 == 0 and not rest
    return target if fits and all(target < 4 * a < 2 * target for a in numbers) else None


def _machine_as_stated(numbers: Sequence[int], target: int) -> MultiPort:
    p = len(numbers) // 3
    relays = [target - a for a in numbers]
    return MultiPort([2 * target] * p + relays + [0], [4] * p + [1] * (3 * p) + [0])


def _grouped(asked: Grouping) -> Verdict:
    """Lemma 3.4, for all groupings."""
    numbers, target = asked.numbers, _target(asked.numbers)
    if target is None or sorted(k for g in asked.groups for k in g) != [*range(len(numbers))]:
        return not_applicable("it is no grouping of an instance of 3-PARTITION")
    overlay = overlay_of_partition(numbers, asked.groups)
    largest = max(sum(numbers[k] for k in group) for group in asked.groups)
    facts: dict[str, Any] = {"T": target, "largest": largest, "parts": overlay.parts}
    if overlay.machine != _machine_as_stated(numbers, target):
        return refuted("it is another machine", **facts)
    claim = check(overlay)
    if claim.throughput != target - Fraction(largest - target, 4):
        return refuted(f"the throughput is {claim.throughput}", **facts)
    if claim.bound != target or not is_largest_root(overlay.machine, target):
        return refuted("the bound by counting is not T", **facts)
    if claim.optimal != (largest == target) or claim.excess:
        return refuted("optimal although some sum is larger, or against the degrees", **facts)
    acyclic = replace(overlay, structure="acyclic")
    if not has_no_cycle(overlay.machine.size, rates_of(overlay)) or check(acyclic).bound != target:
        return refuted("it has a cycle, or acyclic ones have another bound", **facts)
    if reason := misses(overlay):
        return refuted(reason, **facts)
    return held(**facts)


def _read_off(asked: Wiring) -> Verdict:
    """Lemma 3.5, for every overlay on some arcs, with a loss below 1 / (4 p)."""
    numbers, target = asked.numbers, _target(asked.numbers)
    if target is None:
        return not_applicable("it is no instance of 3-PARTITION")
    machine, p = partition_machine(numbers), len(numbers) // 3
    if machine != _machine_as_stated(numbers, target):
        return refuted("it is another machine")
    if asked.loss < 0 or not within(machine, asked.arcs):
        return not_applicable("the arcs are not within the degrees, or the loss is negative")
    best = best_rates(machine, asked.arcs)
    throughput = max(best.throughput - asked.loss, Fraction(0))
    overlay = overlay_of_rates(machine, "any", best.rates, throughput, target)
    facts: dict[str, Any] = {"T": target, "p": p, "throughput": to_json(throughput)}
    if check(overlay).excess or throughput > target:
        return refuted("it is faster than T, or has too many arcs", **facts)
    fast = 4 * p * (target - throughput) < 1
    try:
        triples = partition_of(overlay)
    except InvalidInput as error:
        if fast:
            return refuted(f"no partition is read off: {error}", **facts)
        return held(**facts, partition=None)
    if not fast:
        return refuted("a partition is read off a slow overlay", **facts)
    if sorted(k for triple in triples for k in triple) != [*range(3 * p)]:
        return refuted("not every number is in one triple", **facts)
    if any(sum(numbers[k] for k in triple) != target for triple in triples):
        return refuted("the sums of the triples are not T", **facts)
    if reason := _other_structure(overlay, p):
        return refuted(reason, **facts)
    return held(**facts, partition=[list(triple) for triple in triples])


def _other_structure(overlay: Overlay, p: int) -> str:
    """What the proof says of all fast overlays: who sends to how many, and from whom all comes."""
    rates = rates_of(overlay)
    senders = {j: [i for i, k in rates if k == j] for j in range(1, 4 * p + 1)}
    if receivers(overlay) != [4] * p + [1] * (3 * p) + [0]:
        return "some degree is not used up"
    alone = [mine[0] for mine in senders.values() if len(mine) == 1]
    if sorted(alone) != [*range(p)]:
        return "not each server has one node for itself"
    pairs = [sorted(mine) for mine in senders.values() if len(mine) > 1]
    if any(len(mine) != 2 or not mine[0] < p <= mine[1] for mine in pairs):
        return "some node has other senders than a server and a relay"
    return ""


def _decided(asked: Numbers) -> Verdict:
    """Theorem 3.6: an overlay of throughput T if and only if there is a partition."""
    numbers, target = asked.numbers, _target(asked.numbers)
    if target is None:
        return not_applicable("it is no instance of 3-PARTITION")
    machine, p = partition_machine(numbers), len(numbers) // 3
    facts: dict[str, Any] = {"T": target, "p": p}
    if machine != _machine_as_stated(numbers, target) or max(machine.bandwidths) > 2 * sum(numbers):
        return refuted("it is another machine, or one with long numbers", **facts)
    everybody = tuple(range(3 * p))
    solution = next(partitions(numbers, target, everybody), None)
    facts["partition"] = None if solution is None else [list(triple) for triple in solution]
    if solution is not None:
        overlay = overlay_of_partition(numbers, solution)
        claim = check(overlay)
        if not claim.optimal or claim.throughput != target or misses(overlay):
            return refuted("the partition is no overlay of throughput T", **facts)
        if {*map(frozenset, partition_of(overlay))} != {*map(frozenset, solution)}:
            return refuted("another partition is read off", **facts)
        return held(**facts)
    if p > 2:
        return not_applicable("too many cases")
    fastest = max(
        (overlay_of_partition(numbers, groups) for groups in groupings(everybody)),
        key=lambda overlay: overlay.throughput,
    )
    facts["grouping"] = to_json(fastest.throughput)
    least: Rational = target - Fraction(1, 4 * p)
    proof = prove_by_cases(machine, fastest.throughput, nodes=_CASES)
    if proof is None:  # the best grouping need not be the best overlay
        proof = prove_by_cases(machine, least)
    if proof is None:
        return refuted("it is not proved that T is impossible", **facts)
    proved = replace(
        fastest,
        bound=proof.bound,
        proof=(proof,),
        optimal=fastest.throughput == proof.bound,
    )
    facts["bound"] = to_json(proof.bound)
    if check(proved).bound > least:
        return refuted("more than T - 1 / (4 p) may be possible", **facts)
    return held(**facts)


# Instances ---------------------------------------------------------------------------------------


def _planted(choices: Choices, groups: int) -> Grouping:
    """Numbers with a partition, long ones in one case of eight."""
    target = 10**18 + choices.below(9) if choices.flip(8) else choices.one_of([6, 7, *range(9, 41)])
    low, high = target // 4 + 1, (target - 1) // 2
    triples = []
    for _ in range(groups):
        a = choices.between(max(low, target - 2 * high), min(high, target - 2 * low))
        b = choices.between(max(low, target - a - high), min(high, target - a - low))
        triples.append((a, b, target - a - b))
    places = choices.shuffled(range(3 * groups))
    numbers = [0] * (3 * groups)
    listed = []
    for number, triple in enumerate(triples):
        one, two, three = places[3 * number : 3 * number + 3]
        numbers[one], numbers[two], numbers[three] = triple
        listed.append((one, two, three))
    return Grouping(tuple(numbers), tuple(listed))


def _grouping(choices: Choices, bound: int) -> Grouping:
    made = _planted(choices, choices.between(1, bound))
    if not choices.flip(3):
        return made
    order = choices.shuffled(range(len(made.numbers)))
    rows = [order[k : k + 3] for k in range(0, len(order), 3)]
    return Grouping(made.numbers, tuple((a, b, c) for a, b, c in rows))


def _wiring(choices: Choices, bound: int) -> Wiring:
    """Nodes in a chain, a relay anywhere after the server of its triple; or relays in a ring."""
    made = _planted(choices, choices.between(1, bound))
    p = len(made.groups)
    server_of = {p + k: server for server, group in enumerate(made.groups) for k in group}
    order, waiting = [0], list(range(1, 4 * p))
    while waiting:
        ready = [node for node in waiting if node < p or server_of[node] in order]
        order.append(choices.one_of(ready))
        waiting.remove(order[-1])
    chain = [*zip(order, [*order[1:], 4 * p], strict=True)]
    if choices.flip(4):  # the relays after the last server, and node 4 p before them, in a ring
        last = max(order.index(server) for server in range(p)) + 1
        ring = order[last:]
        if ring:
            closed = zip(ring, [*ring[1:], ring[0]], strict=True)
            chain = [*chain[: last - 1], (order[last - 1], 4 * p), *closed]
    arcs = [*chain, *((server_of[i], j) for i, j in chain if i >= p)]
    if choices.flip(10):  # one arc ends somewhere else
        i, j = arcs.pop(choices.below(len(arcs)))
        others = [k for k in range(1, 4 * p + 1) if k not in (i, j) and (i, k) not in arcs]
        if others:
            arcs.append((i, choices.one_of(others)))
    loss = Fraction(choices.one_of((0, 0, 1, 2, 3)), 12 * p)
    return Wiring(made.numbers, tuple(sorted(arcs)), loss)


def _numbers(choices: Choices, bound: int) -> Numbers:
    """In one case of six, six numbers of which nothing is known."""
    if bound < 2 or not choices.flip(6):
        return Numbers(_planted(choices, choices.between(1, bound)).numbers)
    target = choices.between(18, 24)
    low, high = target // 4 + 1, (target - 1) // 2
    numbers: list[int] = []
    left = 2 * target
    for others in range(5, -1, -1):
        least, most = max(low, left - others * high), min(high, left - others * low)
        numbers.append(choices.between(least, most))
        left -= numbers[-1]
    return Numbers(tuple(numbers))


_NO_PARTITION = (6, 6, 6, 6, 7, 9)
_RING = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 1))
_CHAIN = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4))
_LONG = (6 * 10**30 + 1, 7 * 10**30, 7 * 10**30 - 1)
_REDUCED = "exactsched/overlay/partition.py"

CLAIMS = (
    *overlay_witnesses.CLAIMS,
    Claim(
        id="beaumont2010.lemma3.4",
        statement=(
            "Let 3 p integers between T/4 and T/2 have the sum p T. For every grouping into p"
            " triples, the largest sum of which is s, their machine has an acyclic overlay within"
            " the degrees of throughput T - (s - T) / 4. So it is T for a partition, which is the"
            " bound by counting."
        ),
        reference=f"{PAPER}, lemma 3.4",
        status="sharpened",
        page="overlay-partition",
        implemented=(_REDUCED,),
        checked_by="`check`; the machine and its bound, rates and parts by definition",
        instance_type=Grouping,
        instance=_grouping,
        check=_grouped,
        bounds=Bounds(3, 6, 40),
        corners=lambda: (
            Grouping((1, 1, 1), ((0, 1, 2),)),
            Grouping((6, 7, 7), ((2, 0, 1),)),
            Grouping(_NO_PARTITION, ((0, 1, 5), (2, 3, 4))),
            Grouping(_NO_PARTITION, ((0, 4, 5), (1, 2, 3))),
            Grouping((*_LONG, *_LONG), ((0, 1, 2), (3, 4, 5))),
            Grouping((*_LONG, *_LONG), ((0, 1, 3), (2, 4, 5))),
        ),
    ),
    Claim(
        id="beaumont2010.lemma3.5",
        statement=(
            "From every overlay within the degrees of such a machine whose throughput is above"
            " T - 1 / (4 p) a partition into triples of sum T can be read off: all degrees are used"
            " up, every server has one receiver for itself, and the three relays that it helps are"
            " a triple."
        ),
        reference=f"{PAPER}, lemma 3.5 (throughput T)",
        status="sharpened",
        page="overlay-partition",
        implemented=(_REDUCED,),
        checked_by="`check`; sums, indices, and senders of every node counted again",
        instance_type=Wiring,
        instance=_wiring,
        check=_read_off,
        bounds=Bounds(2, 3, 8),
        corners=lambda: (
            Wiring((6, 7, 7), _CHAIN, Fraction(0)),
            Wiring((6, 7, 7), _CHAIN, Fraction(24, 100)),
            Wiring((6, 7, 7), _CHAIN, Fraction(1, 4)),
            Wiring((6, 7, 7), _RING, Fraction(0)),
            Wiring((1, 1, 1), _CHAIN, Fraction(0)),
            Wiring(_LONG, _CHAIN, Fraction(1, 5)),
            Wiring((6, 7, 7), (), Fraction(0)),
        ),
    ),
    Claim(
        id="beaumont2010.thm3.6",
        statement=(
            "BCASTFLOWS is NP-complete in the strong sense: the machine of 3 p integers, with"
            " 4 p + 1 nodes and bandwidths of at most 2 T, has an overlay of throughput T within"
            " the degrees if and only if the integers split into triples of sum T. If they do not,"
            " no overlay exceeds T - 1 / (4 p)."
        ),
        reference=f"{PAPER}, theorem 3.6",
        status="sharpened",
        page="overlay-partition",
        implemented=(_REDUCED, "exactsched/overlay/cases.py"),
        checked_by="`check`, also of proofs by cases; all triples",
        instance_type=Numbers,
        instance=_numbers,
        check=_decided,
        bounds=Bounds(3, 4, 5),
        corners=lambda: (
            Numbers((1, 1, 1)),
            Numbers((6, 7, 7)),
            Numbers(_NO_PARTITION),
            Numbers(_LONG),
            Numbers((6, 7, 7, 6, 6, 8)),
        ),
    ),
)
