"""Plans: what is delivered, whatever the order in which the ranks get on."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import Platform, broadcast, built_in, mix, order_free_allreduce, reduce
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.export.plan import plan
from exactsched.model.problem import Combination
from exactsched.runs.finite_run import run_operations
from exactsched.steady_state.combination import solve_combination
from exactsched.strategies import allgathers, alltoalls, broadcasts, platforms
from tests.export.interpreter import played, refuse_wrong_ends, starts
from tests.export.solved import UNEQUAL, certificates

SOLVED = {name: solution.certificate() for name, solution in certificates().items()}


def refuse_wrong(made, unit, seed):
    lengths = [min(length, 40) for length in made.lengths(unit)]  # a shard may have size 10^12
    values = starts(made, lengths, seed)
    refuse_wrong_ends(made, values, played(made, values, seed))


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("segments", [1, 3])
def test_every_collective_is_delivered(name, segments):
    made = plan(SOLVED[name], segments)
    assert made.operation == name.removesuffix("-link").removesuffix("-ring").removesuffix(
        "-unequal"
    ).replace("-", "_")
    for seed in range(5):
        refuse_wrong(made, 12, seed)
        refuse_wrong(made, seed, seed)  # chunks without an element


@settings(deadline=None, max_examples=20)
@given(broadcasts(max_nodes=5), st.integers(0, 30), st.integers(0, 1 << 20))
def test_random_broadcasts(asked, unit, seed):
    solution = broadcast(asked.platform, asked.source, ports=asked.ports)
    if solution.throughput:
        refuse_wrong(plan(solution.certificate()), unit, seed)


@settings(deadline=None, max_examples=20)
@given(alltoalls(max_nodes=5), st.integers(0, 30), st.integers(0, 1 << 20))
def test_random_alltoalls(asked, unit, seed):
    from exactsched import alltoall

    solution = alltoall(asked.platform, asked.demands, ports=asked.ports)
    if solution.throughput:
        refuse_wrong(plan(solution.certificate()), unit, seed)


def test_switches_have_no_rank():
    """As documents do not tell switches, of an alltoall all that neither send nor want."""
    from exactsched import alltoall

    boxes = built_in("dgx-a100:1")
    gpus = boxes.nodes[:8]
    solution = alltoall(boxes, [(a, b) for a in gpus for b in gpus if a != b], ports="link")
    made = plan(solution)
    assert made.ranks == gpus
    refuse_wrong(made, 5, 1)


@settings(deadline=None, max_examples=20)
@given(allgathers(max_nodes=5), st.integers(0, 30), st.integers(0, 1 << 20))
def test_random_allgathers_through_switches(asked, unit, seed):
    from exactsched.steady_state.allgather_any_ports import allgather

    solution = allgather(asked.platform, dict(asked.shards))
    if solution.throughput:
        refuse_wrong(plan(solution.certificate()), unit, seed)


@settings(deadline=None, max_examples=20)
@given(
    platforms(max_nodes=4),
    st.sampled_from(["one-port", "half-duplex", "link"]),
    st.booleans(),
    st.integers(0, 1 << 20),
)
def test_random_sums(platform, ports, everywhere, seed):
    if len(platform.nodes) < 2:
        return
    targets = [platform.nodes] if everywhere else [(node,) for node in platform.nodes]
    asked = Combination(platform, tuple((1, wanted) for wanted in targets), ports)
    solution = solve_combination(asked)
    if solution.throughput:
        refuse_wrong(plan(solution.certificate()), 12, seed)


@pytest.mark.parametrize(
    "document",
    [
        "tests/corpus/accepted/collectives/allreduce-over-a-switch.json",
        "tests/corpus/accepted/collectives/run-allreduce-over-a-switch.json",
        "tests/corpus/accepted/collectives/run-allreduce-direct-and-forwarded.json",
        order_free_allreduce(built_in("dgx-h100:2"), ports="link").certificate(),
    ],
)
def test_sums_through_switches(document):
    made = plan(document)
    assert made.operation == "allreduce"
    ranks = len(made.ranks)
    assert len(made.transfers) == 2 * (ranks - 1) * len(made.chunks)  # a switch makes none
    for seed in range(3):
        refuse_wrong(made, 12, seed)


def test_chunks_are_in_proportion_to_the_weights_and_cover_every_part():
    made = plan(SOLVED["allreduce-link"], 2)
    assert len(made.chunks) == 2 * len(SOLVED["allreduce-link"]["schedule"]["structures"])
    for part in range(len(made.parts)):
        cuts = [(chunk.start, chunk.end) for chunk in made.chunks if chunk.part == part]
        assert [low for low, _ in cuts] == [0, *(high for _, high in cuts[:-1])]
        assert cuts[-1][1] == 1


@pytest.mark.parametrize("name", ["allreduce", "allreduce-link", "reduce-scatter"])
def test_nothing_is_replaced_before_it_has_been_sent(name):
    """What a rank tells of its sum has left it when the whole sum comes back into its place."""
    made = plan(SOLVED[name], 2)
    for index, transfer in enumerate(made.transfers):
        left = {
            other
            for other, before in enumerate(made.transfers[:index])
            if (before.chunk, before.sender) == (transfer.chunk, transfer.receiver)
        }
        if not transfer.adds:
            assert left <= set(transfer.after)
        chunks = {made.transfers[other].chunk for other in transfer.after}
        assert chunks <= {transfer.chunk}


def test_a_switch_is_no_rank_and_makes_no_transfer():
    made = plan(SOLVED["allgather"])
    assert len(made.ranks) == 8
    assert len(made.transfers) == 8 * 7  # one box: every tree reaches the seven others


def test_a_run_is_one_chunk_for_each_operation():
    chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    run = run_operations(broadcast(chain, "a"), 3)
    made = plan(run.certificate())
    assert [(chunk.start, chunk.end) for chunk in made.chunks] == [
        (Fraction(k, 3), Fraction(k + 1, 3)) for k in range(3)
    ]
    assert made.throughput == Fraction(3, 4)
    refuse_wrong(made, 10, 1)


def test_what_has_no_plan_is_refused():
    chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    with pytest.raises(InvalidInput, match="combines in a given order"):
        plan(reduce(chain, "abc", "c", compute=1).certificate())
    apart = Platform("abc", [("a", "b", 1), ("c", "b", 1)])
    with pytest.raises(InvalidInput, match="throughput: 0: nothing is delivered"):
        plan(broadcast(apart, "a").certificate())
    with pytest.raises(InvalidInput, match="segments: 0: a whole number from 1"):
        plan(SOLVED["broadcast"], 0)
    with pytest.raises(InvalidInput, match="kind: 'MaximumFlow': a plan is made of a series"):
        plan("tests/corpus/accepted/min-max/flow-of-nothing.json")


def test_blocks_for_one_and_for_all_are_refused():
    asked = Combination(UNEQUAL, ((1, tuple("abcd")), (1, ("a",))))
    with pytest.raises(InvalidInput, match="all blocks are wanted everywhere, or each at one node"):
        plan(solve_combination(asked).certificate())


def test_a_certificate_that_is_refused_has_no_plan():
    with pytest.raises(Rejected, match="throughput"):
        plan(SOLVED["broadcast"] | {"throughput": 9})


def test_a_mix_is_no_collective_of_mpi():
    pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    both = [{"collective": "allreduce"}, {"collective": "broadcast", "source": "a"}]
    with pytest.raises(InvalidInput, match="and no mix"):
        plan(mix(pair, both).certificate())
