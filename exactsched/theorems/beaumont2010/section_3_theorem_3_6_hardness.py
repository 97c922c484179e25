"""The best overlay within the degrees is NP-hard to find: lemmas 3.4 and 3.5, theorem 3.6."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from exactsched.certificate.overlay import Overlay
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational
from exactsched.instances.three_partition import (
    GROUPINGS,
    NUMBERS,
    WIRINGS,
    Grouping,
    Numbers,
    Wiring,
)
from exactsched.oracles.overlay import (
    bound_by_counting,
    has_no_cycle,
    overlay_fault,
    rates_of,
    receivers,
    within,
)
from exactsched.oracles.three_partition import groupings, machine_of, partitions, target_of
from exactsched.overlay.cases import prove_by_cases
from exactsched.overlay.partition import overlay_of_partition, partition_machine, partition_of
from exactsched.overlay.rate import best_rates
from exactsched.overlay.shares import overlay_of_rates
from exactsched.theorems.claim import Say, claim

# Cases of a proof that nothing is faster than the best grouping; proofs/overlay-partition.md has
# some of 78 to 212 leaves, so of 155 to 423 cases.
_CASES = 2_000
_FOLLOWED = 60  # ranges of parts


@claim(
    "beaumont2010.lemma3.4",
    number="lemma 3.4",
    status="sharpened",
    instances=GROUPINGS,
    page="overlay-partition",
    implements=("exactsched/overlay/partition.py",),
    judged="`check`; the machine and its bound, rates and parts by definition",
)
def groupings_have_overlays(asked: Grouping, say: Say) -> None:
    """Let 3 p integers between T/4 and T/2 have the sum p T. For every grouping into p triples, the
    largest sum of which is s, their machine has an acyclic overlay within the degrees of throughput
    T - (s - T) / 4. So it is T for a partition, which is the bound by counting.
    """
    numbers, target = asked.numbers, target_of(asked.numbers)
    if target is None or sorted(k for g in asked.groups for k in g) != [*range(len(numbers))]:
        say.not_applicable("it is no grouping of an instance of 3-PARTITION")
    overlay = overlay_of_partition(numbers, asked.groups)
    largest = max(sum(numbers[k] for k in group) for group in asked.groups)
    say(T=target, largest=largest, parts=overlay.parts)
    say.require(overlay.machine == machine_of(numbers, target), "it is another machine")
    proved = say.accepts(overlay)
    expected = target - Fraction(largest - target, 4)
    say.require(proved.throughput == expected, f"the throughput is {proved.throughput}")
    bound = bound_by_counting(overlay.machine, "any")
    say.require(proved.bound == bound == target, "the bound by counting is not T")
    say.require(proved.optimal == (largest == target), "optimal although some sum is larger")
    say.require(not proved.excess, "it does not keep the degrees")
    say.require(has_no_cycle(rates_of(overlay)), "it has a cycle")
    acyclic = say.accepts(replace(overlay, structure="acyclic"))
    say.require(acyclic.bound == target, "acyclic overlays have another bound")
    fault = overlay_fault(overlay, _FOLLOWED)
    say.require(not fault, fault)


@claim(
    "beaumont2010.lemma3.5",
    number="lemma 3.5 (throughput T)",
    status="sharpened",
    instances=WIRINGS,
    page="overlay-partition",
    implements=("exactsched/overlay/partition.py",),
    judged="`check`; sums, indices, and senders of every node counted again",
)
def partitions_are_read_off(asked: Wiring, say: Say) -> None:
    """From every overlay within the degrees of such a machine whose throughput is above
    T - 1 / (4 p) a partition into triples of sum T can be read off: all degrees are used up, every
    server has one receiver for itself, and the three relays that it helps are a triple.
    """
    numbers, target = asked.numbers, target_of(asked.numbers)
    if target is None:
        say.not_applicable("it is no instance of 3-PARTITION")
    machine, p = partition_machine(numbers), len(numbers) // 3
    say.require(machine == machine_of(numbers, target), "it is another machine")
    if asked.loss < 0 or not within(machine, asked.arcs):
        say.not_applicable("the arcs are not within the degrees, or the loss is negative")
    best = best_rates(machine, asked.arcs)
    throughput = max(best.throughput - asked.loss, Fraction(0))
    overlay = overlay_of_rates(machine, "any", best.rates, throughput, target)
    say(T=target, p=p, throughput=throughput)
    say.require(not say.accepts(overlay).excess, "it has too many arcs")
    say.require(throughput <= target, "it is faster than T")
    fast = 4 * p * (target - throughput) < 1
    try:
        triples = partition_of(overlay)
    except InvalidInput as error:
        say.require(not fast, f"no partition is read off: {error}")
        say(partition=None)
        return
    say.require(fast, "a partition is read off a slow overlay")
    everybody = sorted(k for triple in triples for k in triple) == [*range(3 * p)]
    say.require(everybody, "not every number is in one triple")
    sums = {sum(numbers[k] for k in triple) for triple in triples}
    say.require(sums == {target}, "the sums of the triples are not T")
    _refuse_other_structures(overlay, p, say)
    say(partition=triples)


def _refuse_other_structures(overlay: Overlay, p: int, say: Say) -> None:
    """What the proof says of all fast overlays: who sends to how many, and from whom all comes."""
    rates = rates_of(overlay)
    senders = [[i for i, k in rates if k == j] for j in range(1, 4 * p + 1)]
    used_up = receivers(overlay) == [4] * p + [1] * (3 * p) + [0]
    say.require(used_up, "some degree is not used up")
    alone = sorted(mine[0] for mine in senders if len(mine) == 1)
    say.require(alone == [*range(p)], "not each server has one node for itself")
    pairs = [sorted(mine) for mine in senders if len(mine) > 1]
    served = all(len(mine) == 2 and mine[0] < p <= mine[1] for mine in pairs)
    say.require(served, "some node has other senders than a server and a relay")


@claim(
    "beaumont2010.thm3.6",
    number="theorem 3.6",
    status="sharpened",
    instances=NUMBERS,
    page="overlay-partition",
    implements=("exactsched/overlay/partition.py", "exactsched/overlay/cases.py"),
    judged="`check`, also of proofs by cases for p = 2; for p = 3 the best rates on the arcs of the"
    " best grouping; all triples",
)
def strongly_np_complete(asked: Numbers, say: Say) -> None:
    """BCASTFLOWS is NP-complete in the strong sense: the machine of 3 p integers, with 4 p + 1
    nodes and bandwidths of at most 2 T, has an overlay of throughput T within the degrees if and
    only if the integers split into triples of sum T. If they do not, no overlay exceeds
    T - 1 / (4 p).
    """
    numbers, target = asked.numbers, target_of(asked.numbers)
    if target is None:
        say.not_applicable("it is no instance of 3-PARTITION")
    machine, p = partition_machine(numbers), len(numbers) // 3
    say(T=target, p=p)
    say.require(machine == machine_of(numbers, target), "it is another machine")
    solution = next(partitions(numbers, target, tuple(range(3 * p))), None)
    say(partition=solution)
    if solution is not None:
        overlay = overlay_of_partition(numbers, solution)
        proved = say.accepts(overlay)
        reached = proved.optimal and proved.throughput == target
        say.require(reached, "the partition is no overlay of throughput T")
        fault = overlay_fault(overlay, _FOLLOWED)
        say.require(not fault, fault)
        same = {*map(frozenset, partition_of(overlay))} == {*map(frozenset, solution)}
        say.require(same, "another partition is read off")
        return
    if p > 3:
        say.not_applicable("too many groupings")
    most = min(
        groupings(tuple(range(3 * p))),
        key=lambda groups: max(sum(numbers[k] for k in group) for group in groups),
    )
    fastest = overlay_of_partition(numbers, most)
    say(grouping=fastest.throughput)
    least: Rational = target - Fraction(1, 4 * p)
    if p == 3:  # too many cases for a proof
        best = best_rates(machine, tuple(rates_of(fastest)))
        say({"its arcs": best.throughput})
        say.require(say.accepts(fastest).throughput <= best.throughput, "slower than its rates")
        say.require(best.throughput <= least, "more than T - 1 / (4 p) without a partition")
        return
    proof = prove_by_cases(machine, fastest.throughput, nodes=_CASES)
    if proof is None:  # the best grouping need not be the best overlay
        proof = prove_by_cases(machine, least)
    if proof is None:
        say.refute("it is not proved that T is impossible")
    optimal = fastest.throughput == proof.bound
    stated = replace(fastest, bound=Fraction(proof.bound), proof=(proof,), optimal=optimal)
    proved = say.accepts(stated)
    say(bound=proof.bound)
    say.require(proved.bound <= least, "more than T - 1 / (4 p) may be possible")
