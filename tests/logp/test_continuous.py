"""Continuous broadcast: schedules expanded to events, partitions by definition, the theorems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from math import lcm

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exactsched.certificate.logp import LogPCycles
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.logp import thresholds
from exactsched.logp.block_partition import FIGURE_2, Block, Partition, joined, raised
from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.counts import fibonacci
from exactsched.logp.latency_two.partitions import line_of, stored_partitions
from exactsched.logp.letter_exchange import partition_by_exchange
from exactsched.logp.letter_search import partition_by_search
from exactsched.logp.partition_program import partition_by_program
from exactsched.logp.partition_series import base_cases, direct_partition, minimal_partition, window
from exactsched.logp.thresholds import exchanges_suffice, lemma_threshold, without_partition
from exactsched.oracles.logp import least_depth


def assert_by_events(cycles: LogPCycles) -> None:
    """Every reception and send of some periods in absolute times: by the rules of the model."""
    L, source = int(cycles.machine.L), cycles.machine.P - 1  # noqa: N806
    period = lcm(*[len(roles) for _, roles in cycles.cycles])
    horizon = cycles.time + max(20, min(period, 40)) + L
    receptions: dict[int, list[tuple[int, int]]] = {}  # item -> (time, processor)
    sends: Counter[tuple[int, int]] = Counter()  # (processor, time)
    slots: dict[int, list[int]] = {}  # item -> times at which a message arrives
    processor = 0
    for shift, roles in cycles.cycles:
        assert len(roles) % shift == 0
        for position in range(len(roles) // shift):
            seen = set()
            for time in range(horizon):
                delay, children = roles[(time - position * shift) % len(roles)]
                item = time - L - delay
                assert item not in seen
                seen.add(item)
                receptions.setdefault(item, []).append((time, processor))
                for step in range(children):
                    sends[processor, time + step] += 1
                    slots.setdefault(item, []).append(time + step + L)
            processor += 1
    assert processor == source
    assert not sends or max(sends.values()) == 1
    for item in range(cycles.time, horizon - cycles.time):
        times = sorted(time for time, _ in receptions[item])
        assert sorted([item + L, *slots.get(item, [])]) == times
        assert sorted(who for _, who in receptions[item]) == list(range(source))
        assert times[-1] <= item + cycles.time


@given(st.integers(1, 12), st.integers(2, 300))
@example(2, 22)
@example(4, 8)
@example(12, 16)
def test_every_latency_and_number_of_processors(L: int, P: int) -> None:  # noqa: N803
    cycles = continuous_broadcast(L, P)
    assert cycles.bound == L + least_depth(L, P - 1)
    assert cycles.time == cycles.bound or (L == 2 and cycles.time == cycles.bound + 1)
    assert cycles.optimal == (cycles.time == cycles.bound)
    assert check(cycles).time == cycles.time
    assert_by_events(cycles)


@pytest.mark.parametrize(
    ("L", "P"), [(1, 9999), (2, 10_000), (3, 10_000), (11, 5000), (33, 3000), (101, 10_000)]
)
def test_many_processors(L: int, P: int) -> None:  # noqa: N803
    cycles = continuous_broadcast(L, P)
    assert cycles.bound == L + least_depth(L, P - 1)
    assert check(cycles).optimal == (L != 2)


@pytest.mark.parametrize("L", [4, 6, 8, 10, 26, 40])
def test_merged_cycle_where_no_blocks_are(L: int) -> None:  # noqa: N803
    cycles = continuous_broadcast(L, L + 4)
    assert check(cycles).optimal
    assert cycles.cycles[0][1][-1] == (L, 1)
    assert_by_events(cycles)


def partitions_by_definition(L: int, depth: int) -> Iterator[Partition]:  # noqa: N803
    """All partitions of the full tree: every way to fill the blocks, one after the other."""
    delays = Counter({0: 1})
    for delay in range(depth + 1):
        for child in range(delay + L, depth + 1):
            delays[child] += delays[delay]
    headers = [i for i in range(L, depth + 1) for _ in range(delays[depth - i])]
    pool = Counter({i: delays[depth - i] for i in range(L) if delays[depth - i]})

    def fill(blocks: tuple[Block, ...], rest: Counter[int]) -> Iterator[Partition]:
        if len(blocks) == len(headers):
            (spare,) = rest.elements()
            yield Partition(L, depth, blocks, spare)
            return
        index = headers[len(blocks)]
        size = index - L + 1
        for word in combinations_with_replacement(sorted(+rest), size - 1):
            if (index + sum(word)) % size == 0 and not Counter(word) - rest:
                yield from fill((*blocks, Block(index, size, word)), rest - Counter(word))

    yield from fill((), pool)


@pytest.mark.parametrize(("L", "last"), [(3, 9), (4, 11), (5, 13), (6, 14), (8, 17)])
def test_theorem_a_by_exhaustion(L: int, last: int) -> None:  # noqa: N803
    for depth in range(L, last + 1):
        found = next(partitions_by_definition(L, depth), None)
        assert (found is None) == (L % 2 == 0 and depth == 2 * L)
        assert (minimal_partition(L, fibonacci(L, depth)) is None) == (found is None)
        if found is not None:
            assert found.is_valid()


def test_figure_2_is_one_of_two() -> None:
    words = {
        (partition.blocks[-1].letters, partition.blocks[1].letters, partition.spare)
        for partition in partitions_by_definition(3, 7)
        if partition.spare == 1
    }
    assert ((0, 0, 1, 2), (0,), 1) in words


@given(st.integers(13, 200), st.integers(2, 6000))
@example(68, 68 + 4)
@example(100, 205)
def test_every_large_latency(L: int, P: int) -> None:  # noqa: N803
    cycles = continuous_broadcast(L, P)
    assert cycles.bound == L + least_depth(L, P - 1)
    assert check(cycles).optimal


def test_latencies_of_any_length() -> None:
    cycles = continuous_broadcast(10**15, 1000)
    assert check(cycles).time == 2 * 10**15 + 997


@pytest.mark.parametrize("L", range(3, 13))
def test_theorem_b_with_the_window(L: int) -> None:  # noqa: N803
    """Every number of processors of the window and the induction's first steps."""
    for processors in range(2, fibonacci(L, window(L) + L + 3) + 1):
        partition = minimal_partition(L, processors)
        if L % 2 == 0 and processors == L + 3:
            assert partition is None
            continue
        assert partition is not None
        assert partition.is_valid()
        assert partition.processors == processors
        assert partition.depth == least_depth(L, processors)


@pytest.mark.parametrize("L", [*range(3, 13), 40, 41])
def test_base_cases(L: int) -> None:  # noqa: N803
    """Any letter can be spare: at once up to 31, by sums of exchanges from 32 on."""
    verified, missing = without_partition(L)
    cases = [case for case in base_cases(L) if L < 32 or case[2] is None]
    assert missing == ([L + 3] if L % 2 == 0 else [])
    assert verified == len(cases) - len(missing)


@given(st.integers(9, 90), st.data())
def test_exchange_gives_any_letter(L: int, data: st.DataObject) -> None:  # noqa: N803
    depth = data.draw(st.integers(2 * L + 3, 3 * L + 2))
    dropped = data.draw(st.integers(0, fibonacci(L, depth - L) - 1))
    spare = data.draw(st.integers(int(dropped > 0), L - 1))
    partition = partition_by_exchange(L, depth, dropped, spare)
    if partition is None:
        assert (L, depth, dropped, spare) == (10, 23, 2, 5)
        return
    assert partition.is_valid()
    assert partition.processors == fibonacci(L, depth) - dropped
    assert (partition.depth, partition.spare) == (depth, spare)
    assert 2 <= partition.blocks[-1].balls < L


def spare_by_definition(L: int, s: int, cut: tuple[int, ...]) -> int | None:  # noqa: N803
    """In the tree of depth 2L + s, nodes of these sizes lacking a leaf; size 0 is the root."""
    depth, gifts = 2 * L + s, []
    for size in range(1, s + 2):
        own = range(size in cut, size)
        blocks = [x for x in own if (L - 1 + size + sum(own) - x) % len(own) == 0]
        gifts.append(blocks[0] if blocks else L)
    letters = [*range(0 in cut, L), *gifts]
    spare = (depth + sum(letters)) % (len(letters))
    return spare if spare in letters else None


@pytest.mark.parametrize("L", [15, 16, 17, 18, 19, 20, 100, 101])
def test_table_of_the_depths_before_the_window(L: int) -> None:  # noqa: N803
    y = (L - 1) % 3
    odd = {
        (0, ()): (L - 1) // 2, (0, (1,)): (L - 3) // 2, (1, ()): 1, (1, (2,)): 1,
        (1, (0, 2)): (L + 3) // 2, (2, ()): (L + 9) // 2 + y, (2, (2,)): (L + 9) // 2 + y,
        (2, (2, 3)): (L + 13) // 2, (2, (1, 2, 3)): (L + 7) // 2,
    }  # fmt: skip
    even = {
        (0, ()): None, (0, (1,)): L - 1, (1, ()): L // 2 + 1, (1, (1,)): L // 2 - 1,
        (1, (1, 2)): L // 2, (2, ()): 2 + y, (2, (2,)): 3 + y, (2, (2, 3)): 4, (2, (1, 2, 3)): 1,
    }  # fmt: skip
    for (s, cut), spare in (odd if L % 2 else even).items():
        assert spare_by_definition(L, s, cut) == spare


def sums_by_definition(L: int, letter: int, pair: tuple[int, int], kept: set[int]) -> set[int]:  # noqa: N803
    sums = set()
    for a, b, c in product(range(L), repeat=3):
        moved = [(letter, 2, a), (pair[0], 3, b), (pair[1], 3, c)]
        others = [x + step * times for x, step, times in moved if times]
        if len(set(others)) == len(others) and all(x < L and x not in kept for x in others):
            sums.add(2 * a + 3 * b + 3 * c)
    return sums


@pytest.mark.parametrize("L", [8, 13])
def test_sums_of_exchanges(L: int) -> None:  # noqa: N803
    for letter, pair, kept in product((0, 1, 2), ((0, 1), (1, 3), (2, 3)), ({4}, {2, 7})):
        sums = sums_by_definition(L, letter, pair, kept)
        assert thresholds._sums(L, letter, pair, kept) == sum(1 << x for x in sums)
        for least in range(6, 2 * L + 4):
            covered = all(len({x % c for x in sums}) == c for c in range(least, 2 * L + 4))
            assert thresholds._covers(sum(1 << x for x in sums), least, L) == covered


def test_exchanges_suffice() -> None:
    assert [L for L in (30, 32) if exchanges_suffice(L)] == [32]


@pytest.mark.parametrize(("L", "depth"), [(3, 8), (4, 8), (4, 9), (5, 11), (6, 12)])
def test_search_and_exhaustion_agree(L: int, depth: int) -> None:  # noqa: N803
    possible = {partition.spare for partition in partitions_by_definition(L, depth)}
    for letter in range(L):
        found = partition_by_search(L, depth, 0, letter)
        assert (found is not None) == (letter in possible)
        assert found is None or (found.is_valid() and found.spare == letter)


@given(st.integers(3, 7), st.data())
def test_search_keeps_its_word(L: int, data: st.DataObject) -> None:  # noqa: N803
    depth = data.draw(st.integers(L, 2 * L + 4))
    dropped = data.draw(st.integers(0, fibonacci(L, depth - L) - 1))
    partition = partition_by_search(L, depth, dropped)
    assert (partition is None) == (L % 2 == 0 and (depth, dropped) == (2 * L, 0))
    if partition is not None:
        assert partition.is_valid()
        assert partition.depth == depth
        assert partition.processors == fibonacci(L, depth) - dropped


@pytest.mark.parametrize(("L", "depth", "dropped"), [(3, 9, 2), (4, 9, 1), (4, 8, 0), (5, 11, 0)])
def test_program_and_exhaustion_agree(L: int, depth: int, dropped: int) -> None:  # noqa: N803
    found = partition_by_program(L, depth, fibonacci(L, depth) - dropped)
    assert (found is None) == ((L, depth, dropped) == (4, 8, 0))
    if found is not None:
        assert found.is_valid()
        assert found.processors == fibonacci(L, depth) - dropped


def test_stored_partitions_are_certificates() -> None:
    for (latency, depth, processors, spare, balls), partition in stored_partitions().items():
        assert partition.is_valid()
        assert (partition.L, partition.depth) == (latency, depth)
        assert partition.processors == processors
        assert spare in (None, partition.spare)
        assert balls in (None, partition.blocks[-1].balls)
        key = (latency, depth, processors, spare, balls)
        assert line_of(key, partition).startswith(f"{latency} {partition.spare} ")


@given(st.integers(3, 12), st.data())
def test_raised_and_joined(L: int, data: st.DataObject) -> None:  # noqa: N803
    first = window(L)
    trunk = direct_partition(L, first + L - 1, 0, data.draw(st.integers(0, L - 1)))
    assert trunk is not None
    assert raised(trunk).is_valid()
    letter = trunk.blocks[-1].balls - 1
    dropped = data.draw(st.integers(0, fibonacci(L, first - L) - 1))
    branch = direct_partition(L, first, dropped, letter)
    assert branch is not None
    tree = joined(trunk, [branch])
    assert tree.is_valid()
    assert tree.processors == fibonacci(L, first + L) - dropped
    assert tree.blocks[-1].balls == letter + 1


def test_a_partition_that_is_none() -> None:
    small, middle, root = FIGURE_2
    assert Partition(3, 7, FIGURE_2, 1).is_valid()
    for blocks, spare in (
        ((small, middle, Block(7, 5, (0, 2, 0, 0))), 1),
        ((small, middle, Block(7, 5, (0, 0, 1, 1))), 2),
        ((middle, root), 1),
        ((small, small, middle, root), 1),
        ((small, Block(4, 2, (0, 0)), root), 1),
    ):
        assert not Partition(3, 7, blocks, spare).is_valid()
    assert not Partition(3, 8, FIGURE_2, 1).is_valid()


def test_theorem_3_5_for_every_number() -> None:
    late = {P - 1 for P in range(2, 200) if not continuous_broadcast(2, P).optimal}
    assert {21, *range(32, 35), *range(49, 56)} <= late
    exact = {1, 2, 3, 4, 6, 7, 9, 10, 11, *range(14, 18), *range(22, 29), *range(36, 46)}
    assert not exact & late


@pytest.mark.parametrize(
    ("L", "P"), [(0, 2), (-1, 2), (3, 1), (3, 0), (3, 2.0), (2.0, 3), (True, 3), (3, True)]
)
def test_refusals(L: object, P: object) -> None:  # noqa: N803
    with pytest.raises(InvalidInput):
        continuous_broadcast(L, P)  # type: ignore[arg-type]


@pytest.mark.parametrize(("L", "depth"), [(3, 11), (4, 12), (5, 15), (6, 19)])
def test_thresholds_of_the_papers_method(L: int, depth: int) -> None:  # noqa: N803
    assert lemma_threshold(L) == depth


@pytest.mark.parametrize("depth", [4, 5, 6])
def test_no_blocks_for_latency_2(depth: int) -> None:
    assert next(partitions_by_definition(2, depth), None) is None
