"""Ways to look at all of a large document at once say what the ways one by one say."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain, groupby, permutations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from exactsched.certificate import budget, codec, model_documents, repeated
from exactsched.certificate.bounds import Cut, CutBound, TreeBound
from exactsched.certificate.collectives import PeriodicSchedule, Structure, _are_tasks, _is_call
from exactsched.certificate.in_bulk import many
from exactsched.certificate.rules import column
from exactsched.check import check
from exactsched.check.collectives import arc_prices, cuts, overlaps
from exactsched.check.collectives.arc_prices import Arcs, Links
from exactsched.check.collectives.operation import Operation
from exactsched.check.collectives.operations import operation_of
from exactsched.check.collectives.schedule import (
    _Tasks,
    _works_of_complete,
    achieved_throughput,
)
from exactsched.check.graphs import crossing
from exactsched.check.graphs.crossing import entered_weights
from exactsched.exact.errors import Malformed, Rejected
from exactsched.model import platform
from exactsched.model import problem as problems
from exactsched.model.parts import Demand
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Allgather, Alltoall, Broadcast, Combination, Ports
from exactsched.model.resources import resources
from exactsched.model.tasks import COMPLETE, FORWARD, GATHER, SPREAD, Task
from exactsched.steady_state.restricted.best_dag import broadcast_dag
from exactsched.steady_state.restricted.best_tree import broadcast_tree

CORPUS = Path(__file__).parents[1] / "corpus"
FILES = [
    path
    for path in sorted(CORPUS.rglob("*.json"))
    if path.parts[-3] != "msccl" and b'"platform"' in path.read_bytes()
]


def verdict(path: Path) -> str:
    try:
        return repr(check(path))
    except (Malformed, Rejected) as error:
        return f"{type(error).__name__}: {error}"


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    forget()


def forget() -> None:
    """How platforms are read is kept."""
    codec.codec.cache_clear()
    codec._members_of.cache_clear()


def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    document = model_documents.DOCUMENTS[Platform]._replace(at_once=lambda _: None)
    monkeypatch.setitem(model_documents.DOCUMENTS, Platform, document)
    monkeypatch.setattr(platform, "_are_plain", lambda *_: False)
    for kind in Operation.__subclasses__():
        monkeypatch.setattr(kind, "works_at_once", lambda *_: None)
    monkeypatch.setattr(Operation, "all_last", lambda *_: False)
    monkeypatch.setattr(overlaps, "_ports_do_one_thing", lambda *_: False)


def test_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(FILES) > 300
    expected = [verdict(path) for path in FILES]
    one_by_one(monkeypatch)
    assert [verdict(path) for path in FILES] == expected


PLAIN: dict[str, Any] = {"nodes": [0, 1, 2], "arcs": [[0, 1, 1], [1, 2, "1/2"], [0, 2, 1]]}


@pytest.mark.parametrize("arcs", [PLAIN["arcs"], [[*arc, "3/2"] for arc in PLAIN["arcs"]]])
def test_a_platform_by_columns(arcs: list[Any]) -> None:
    make = model_documents._platform_at_once({**PLAIN, "arcs": arcs})
    assert make is not None
    rows = Platform(PLAIN["nodes"], [tuple(arc) for arc in arcs])
    read = make()
    assert "arcs" not in vars(read)  # they are made when they are asked for
    assert (read.tails, read.heads) == (rows.tails, rows.heads)
    assert (read.costs, read.latencies) == (rows.costs, rows.latencies)
    assert read == rows
    assert hash(read) == hash(rows)
    assert read.arcs == rows.arcs


@pytest.mark.parametrize(
    ("change", "by_columns"),
    [
        ({"arcs": []}, False),
        ({"arcs": [[0, 1, 1], [1, 0, 1, 1]]}, False),
        ({"arcs": [[0, 1, 1, 0, [["l", 1]]]]}, True),
        ({"arcs": [[0, 1, "01"]]}, False),
        ({"arcs": [[0, None, 1]]}, False),
        ({"arcs": [[0, 2**53, 1]]}, False),
        ({"arcs": {}}, False),
        ({"nodes": [0, 1, "a"]}, False),
        ({"more": 1}, False),
        ({"arcs": [[0, 1, 0]]}, True),
        ({"arcs": [[0, 1, 1, -1]]}, True),
        ({"arcs": [[0, 1, 1], [0, 1, 1]]}, True),
        ({"arcs": [[0, 0, 1]]}, True),
        *(({"arcs": [arc]}, True) for arc in ([0, 3, 1], [3, 0, 1], [0, -1, 1], [-1, 0, 1])),
        *(
            ({"nodes": [2, 0, 1], "arcs": [arc]}, True)
            for arc in ([0, 1, 1], [0, 3, 1], [-1, 0, 1])
        ),
        *(({"nodes": ["a", "b"], "arcs": [["a", end, 1]]}, True) for end in "abc"),
        ({"nodes": []}, True),
    ],
)
def test_a_platform_that_is_not_plain(
    change: dict[str, Any], by_columns: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused in the words of the way one by one."""
    document = json.loads(json.dumps({**PLAIN, **change}))
    make = model_documents._platform_at_once(document)
    assert (make is not None) == by_columns

    def outcome() -> str:
        try:
            return repr(codec.read(Platform, document, "platform"))
        except Malformed as error:
            return str(error)

    refused = outcome()
    one_by_one(monkeypatch)
    assert outcome() == refused


def test_demands_of_a_document_are_looked_at_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = [("a", "b", 1), ("b", "a", 1)]
    demands = Demand("a", "b", Fraction(2)), Demand("b", "a", Fraction(3))
    asked = Alltoall(Platform("ab", ways), demands)
    document = codec.write(Alltoall, asked)
    monkeypatch.setattr(problems, "demands_one_by_one", lambda *_: pytest.fail("one by one"))
    assert codec.read(Alltoall, document, "") == asked


@pytest.mark.parametrize("ports", ["one-port", "half-duplex", "link"])
def test_overlaps(ports: Ports, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ports that send, and of ports that receive, as one by one."""
    ways = [(tail, head, 1) for tail in "abcd" for head in "abcd" if tail != head]
    problem, dice = Broadcast(Platform("abcd", ways), "a", ports), Random(1)
    cases = []
    for _ in range(300):
        starts = [dice.randrange(6) for _ in range(3)]
        cases.append([(dice.randrange(12), at, at + dice.randrange(1, 4)) for at in starts])

    def outcome(intervals: list[tuple[int, int, int]]) -> str:
        try:
            overlaps.refuse_overlaps(problem, "rows", *zip(*intervals, strict=True))
        except Rejected as error:
            return str(error)
        return ""

    at_once = list(map(outcome, cases))
    one_by_one(monkeypatch)
    assert list(map(outcome, cases)) == at_once
    assert "" in at_once
    assert len({*at_once}) > 20


@pytest.mark.parametrize("sizes", [(1,), (2,), (1, 2, 3)])
def test_work_and_lines_of_time(sizes: tuple[int, ...]) -> None:
    """They are those of the tasks one by one, of work that is alike or not."""
    dice, one = Random(1), Fraction(1)
    for _ in range(50):
        structures, works = [], []
        expected: dict[int, list[int]] = {place: [] for place in range(3)}
        for _ in range(dice.randrange(1, 6)):
            places = [dice.randrange(3) for _ in range(dice.randrange(1, 6))]
            structures.append(Structure(dice.randrange(1, 4), 0, tuple((at,) for at in places)))
            for place in places:
                works.append(dice.choice(sizes))
                expected[place] += [works[-1]] * structures[-1].operations
        tasks = _Tasks(PeriodicSchedule(one, one, tuple(structures), (), True), works, 4)
        assert tasks.work == [*map(sum, expected.values()), 0]
        for place in {*tasks.places}:
            batches = [[len([*same]), work] for work, same in groupby(expected[place])]
            assert tasks.line(place) == batches


@pytest.mark.parametrize(
    "arcs", [[1, 0], [0, 1, 0], [0], [0, 2], [0, 0], [3, 0], [0, 3], [2, 1], [3, 1], [3, 4]]
)
def test_trees(arcs: list[int]) -> None:
    """Those among a -> b, b -> c, b -> a, a -> c and c -> b that lead to every node once."""
    ways = [("a", "b", 1), ("b", "c", 1), ("b", "a", 1), ("a", "c", 1), ("c", "b", 1)]
    operation = operation_of(Broadcast(Platform("abc", ways), "a"), Fraction(1))
    works = operation.works_at_once([Structure(1, 0, tuple((arc,) for arc in arcs))])
    assert (works == [1, 1]) == (arcs in ([3, 0], [0, 3], [3, 4]))
    assert works is None or len(works) == 2


def test_paths() -> None:
    """Those along a -> b and b -> c, for a message of size 2 from a to c."""
    asked = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), (("a", "c", 2),))
    operation = operation_of(asked, Fraction(1))
    for arcs in product(range(2), repeat=2):
        structure = Structure(1, 0, tuple((arc, 0) for arc in arcs))
        assert operation.works_at_once([structure]) == ([2, 2] if arcs == (0, 1) else None)


def test_tasks_of_the_last_numbers_and_none_beyond() -> None:
    pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    one = Fraction(1)
    for problem, last in [
        (Broadcast(pair, "a"), (1,)),
        (Alltoall(pair, (("a", "b", 1), ("b", "a", 1))), (1, 1)),
        (Allgather(pair, (("a", one), ("b", one)), "link"), (1, 1, 0)),
    ]:
        assert _are_tasks(problem, [(0,) * len(last), last])
        for position in range(len(last)):
            for number in (-1, last[position] + 1):
                wrong = (*last[:position], number, *last[position + 1 :])
                assert not _are_tasks(problem, [last, wrong])
        assert not _are_tasks(problem, [last, (*last, 0)])


@pytest.mark.parametrize("root", [0, 1])
def test_copies(root: int) -> None:
    """All lists of four transfers among nodes a, b, c and a switch s: those that gather a shard.

    Arcs lead from a and b to s, and from s to b and c; b tells c on its own.
    """
    ways = [
        ("a", "s", 1),
        ("b", "s", 1),
        ("s", "b", 1),
        ("s", "c", 1),
        ("b", "c", 1),
        ("s", "a", 1),
    ]
    platform = Platform("abcs", ways, switches="s")
    asked = Allgather(
        platform, (("a", Fraction(1)), ("b", Fraction(2)), ("c", Fraction(2))), "link"
    )
    operation = operation_of(asked, Fraction(1))
    transfers = [(arc, root, copy) for arc in range(6) for copy in range(2)]
    gathered = 0
    for tasks in product(transfers, repeat=4):
        structure = Structure(1, root, tasks)
        try:
            works = _works_of_complete(operation, structure, "structure")
        except Rejected:
            works = None
        assert operation.works_at_once([structure]) == works
        gathered += works is not None
    # Of a, 12 by two paths through s, 2 by s and b, 24 by s and the arc from b to c, and one more.
    assert gathered == [12 + 2 + 24, 12 + 2 + 64][root]
    assert operation.works_at_once([Structure(1, root, ((0, 1 - root, 0),))]) is None


def _through_a_switch() -> Platform:
    """Arcs 0 to 3 go to and fro between a, b and c, 4 to 6 to the switch, 7 to 9 from it."""
    ways = ["ab", "ba", "bc", "cb", "as", "bs", "cs", "sa", "sb", "sc"]
    return Platform("abcs", [(*way, 1) for way in ways], switches="s")


CALLS: list[Task] = [
    (0, 0, GATHER),
    (1, 0, GATHER),
    (4, 0, GATHER),
    (4, 0, GATHER, 1),
    (8, 0, FORWARD, 4),
    (2, 0, COMPLETE, 0),
    (2, 0, COMPLETE, 4),
    (9, 0, COMPLETE, 4),
    (3, 0, SPREAD),
    (1, 0, SPREAD),
    (6, 0, SPREAD, 0),
    (7, 0, SPREAD, 0),
    (2, 1, SPREAD),
]


@pytest.mark.parametrize(
    ("targets", "source", "known"),
    [
        (("c",), None, 13),
        (("a", "b", "c"), None, 1),
        (("a", "b", "c"), "c", 7),
        (("b",), "c", 10),
    ],
)
def test_calls(targets: tuple[Node, ...], source: Node | None, known: int) -> None:
    """Lists of up to three calls, and of four different ones: those that bring a block about.

    For c and for all a sum is made with the arc from b, or through the switch.
    """
    blocks = (2, targets, source), (1, ("a",))
    asked = Combination(_through_a_switch(), blocks, "link", ("a", "b", "c"))
    operation = operation_of(asked, Fraction(1))
    done = 0
    lists = [product(CALLS, repeat=length) for length in range(1, 4)]
    for tasks in chain(*lists, permutations(CALLS, 4)):
        structure = Structure(1, 0, tasks)
        try:
            works = _works_of_complete(operation, structure, "structure")
        except Rejected:
            works = None
        assert operation.works_at_once([structure]) == works, tasks
        done += works is not None
    assert done == known


@pytest.mark.parametrize(
    ("task", "known"),
    [
        ((0, 0, GATHER), True),
        ((0, 0, -1), False),
        ((0, 0, 4), False),
        ((3, 0, FORWARD, 2), True),
        ((3, 0, FORWARD, 3), False),
        ((4, 0, FORWARD, 2), True),
        ((4, 0, FORWARD, 2, 5), False),
        ((4, 0, FORWARD, 3), False),
        ((4, 0, COMPLETE, 2), True),
        ((4, 0, COMPLETE, 2, 0), True),
        ((4, 0, COMPLETE, 2, 1), False),
        ((4, 0, COMPLETE, 3), False),
        ((1, 0, COMPLETE, 0, 5), True),
        ((1, 0, COMPLETE, 5, 0), False),
        ((1, 0, COMPLETE, 0, 0), False),
        ((1, 0, COMPLETE, 3), False),
        ((1, 0, GATHER, 5), False),
    ],
)
def test_what_a_call_is(task: Task, known: bool) -> None:
    """Arcs lead from a to b and back, 2 to 4 from a through s and t to b, and 5 from c to a."""
    ways = ["ab", "ba", "as", "st", "tb", "ca"]
    platform = Platform("abcst", [(*way, 1) for way in ways], switches="st")
    asked = Combination(platform, ((1, ("a",)),), "link", ("a", "b", "c"))
    assert _is_call(asked, task) == known


def spent_on(made: Callable[..., Any], *given: Any) -> tuple[Any, int]:
    """What is made, and the steps of the budget that it takes."""
    with budget.within(lambda: 0):
        value = made(*given)
        opened = budget._open.get()
        assert opened is not None
        return value, opened.spent


def test_sets_that_paths_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    """All paths of a node at a time, as path by path; no set contains a node without a place."""
    dice, nodes, by_segments = Random(1), list("abcdefghi"), 0
    alike: list[object] = []

    def between_segments(*given: Any) -> Any:
        alike.append(given)
        return crossing.between_segments(*given)

    monkeypatch.setattr(arc_prices, "between_segments", between_segments)
    for _ in range(300):
        group = sorted(dice.sample(nodes, dice.randrange(2, 9)))
        pairs = [(tail, head) for tail in nodes for head in nodes if tail != head]
        arcs = [(*pair, dice.randrange(1, 5)) for pair in dice.sample(pairs, dice.randrange(8, 72))]
        asked = Combination(Platform(nodes, arcs), ((1, tuple(group)),), "link", tuple(group))
        prices = {name: Fraction(dice.randrange(3)) for name in resources(asked)}
        links = Links(Arcs(asked), TreeBound(prices, ()), group)
        order = dice.sample(group, dice.randrange(1, len(group)))
        cuts = []
        for _ in range(dice.choice([1, 1, 2, 6])):
            start, stop = sorted(dice.sample(range(len(order) + 1), 2))
            cuts.append(Cut(start, stop, Fraction(dice.randrange(1, 4))))
        weights = [cut.weight.numerator for cut in cuts]
        for turned in (False, True):
            ends = (links.heads, links.tails) if turned else (links.tails, links.heads)
            expected = [
                sum(
                    weight
                    for (start, stop, _), weight in zip(cuts, weights, strict=True)
                    if head in order[start:stop] and tail not in order[start:stop]
                )
                for tail, head in zip(*ends, strict=True)
            ]
            steps = (len(links.tails) + len(cuts)) * (1 + len(order).bit_length())
            assert spent_on(entered_weights, *ends, order, cuts, weights) == (expected, steps)
            alike.clear()
            assert spent_on(links.entered, order, cuts, weights, turned) == (expected, steps)
            # Rows for all segments are made only where paths are more than what rows take.
            several = len({*column(cuts, 0), *column(cuts, 1)}) + 1
            assert len(alike) == (several * (several + len(cuts) + len(group)) <= len(links.tails))
            by_segments += len(alike)
    assert 50 < by_segments < 550


def test_paths_that_pay_too_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path is refused with the words of the way one by one, from the least that is too much."""
    ways = [("a", "s", Fraction(1, 3)), ("s", "b", Fraction(1, 5)), ("s", "a", 1), ("b", "s", 1)]
    asked = Combination(Platform("abs", ways), ((1, ("a", "b")),), "link", ("a", "b"))
    bound = TreeBound({"link:0": Fraction(7), "link:1": Fraction(2)}, ())
    links = Links(Arcs(asked), bound, ("a", "b"))
    pays = Fraction(7, 3) + Fraction(2, 5)

    def outcome(entered: int, weight_unit: int) -> str:
        try:
            links.refuse_overpaid([entered, 0], weight_unit, "roots")
        except Rejected as error:
            return str(error)
        return ""

    asked_for = list(product(range(20), [6, 1, 2, 3]))
    refused = [outcome(*one) for one in asked_for]
    assert [text == "" for text in refused] == [Fraction(*one) <= pays for one in asked_for]
    monkeypatch.setattr(arc_prices, "SHORT", 0)
    assert [outcome(*one) for one in asked_for] == refused


def test_long_numbers_of_paths_cost_steps() -> None:
    """Whether it is the weight, below 0 or above, its unit, or what a path pays that is long."""

    def steps(entered: int, weight_unit: int, cost: Fraction) -> int:
        pairs = [("a", "s"), ("s", "b"), ("b", "s"), ("s", "a")]
        asked = Combination(
            Platform("abs", [(*pair, cost) for pair in pairs]),
            ((1, ("a", "b")),),
            "link",
            ("a", "b"),
        )
        links = Links(Arcs(asked), TreeBound({"link:0": Fraction(1)}, ()), ("a", "b"))
        return spent_on(links.refuse_overpaid, [entered, 0], weight_unit, "roots")[1]

    long, one = 2**999, Fraction(1)
    expected = 2 * 2 * budget.products(1000, 1000)
    assert steps(-long, 1, one) == steps(long, long, one) == steps(0, long, one) == expected
    assert steps(0, 1, long * one) == steps(0, 1, one / long) == expected
    assert steps(1, 1, one) == 4 < expected


@pytest.mark.parametrize(
    ("ticks", "works", "last"),
    [
        ([2, 0, 0, 0], [1, 0, 0, 0], True),
        ([2, 6, 0, 0], [1, 2, 0, 0], True),
        ([2, 5, 0, 0], [1, 2, 0, 0], False),
        ([2, 3, 0, 0], [1, 0, 0, 0], False),
        ([2, 0, 0, 0], [1, 1, 0, 0], False),
        ([2, 0, 1, 0], [1, 0, 0, 0], False),
        ([2, 0, 0, 0], [1, 0, 0, 1], False),
        ([2 << 300, 0, 0, 0], [1 << 300, 0, 0, 0], False),
    ],
)
def test_all_last(ticks: list[int], works: list[int], last: bool) -> None:
    """Two arcs and two processors; long numbers are for the way one by one, and its budget."""
    problem = Broadcast(Platform("ab", [("a", "b", 2), ("b", "a", 3)]), "a")
    assert operation_of(problem, Fraction(1)).all_last(ticks, works) == last


@pytest.mark.parametrize(
    "text", ["-7", "-0", "1/2", "01", "", "+1", "1_0", " 1", "\u0663", "\ud800"]
)
def test_texts_that_are_not_digits_alone(text: str) -> None:
    """They are read as one by one, among others that are digits alone."""
    listed = [str(2**60), "12", text]
    try:
        expected = [*codec.read(tuple[int, ...], listed, "")]
    except Malformed:
        expected = None
    assert many(int)[0](listed) == expected


@pytest.mark.parametrize("rows", [[(1, "1/2")], [[1, "1/2"], (1, "1/2")], [[1, "1/2"], [1]], []])
def test_rows_that_are_not_lists_of_one_length_are_left_to_the_way_one_by_one(
    rows: list[Any],
) -> None:
    assert not many(tuple[int, Fraction])[0](rows)


def test_the_first_task_of_a_wrong_amount_is_refused() -> None:
    problem = Broadcast(Platform("abc", [("a", "b", 1), ("a", "c", 1)]), "a", "link")
    one, tree = Fraction(1), Structure(1, 0, ((1,), (0,)))
    schedule = PeriodicSchedule(one * 3, one, (tree,), ((0, 0, 2), (1, 0, 3)), False)
    with pytest.raises(Rejected, match=r"^schedule\.slots on place 1: "):
        achieved_throughput(problem, schedule)


def _leaves(proof: Any) -> Iterator[Any]:
    """The cases of a proof that are proved by cuts."""
    for case in proof.get("cases", ()):
        yield from [case] if case["proof"]["by"] == "cuts" else _leaves(case["proof"])


@pytest.mark.parametrize(
    ("solve", "size", "seed", "cases"), [(broadcast_tree, 5, 5, 7), (broadcast_dag, 4, 3, 8)]
)
def test_cases_with_the_same_proof(
    solve: Any, size: int, seed: int, cases: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The prices and cuts of one case in the place of those of another: as if read anew."""
    dice = Random(seed)
    arcs = [(*pair, dice.randint(100, 999)) for pair in permutations(range(size), 2)]
    written = json.dumps(solve(Platform(range(size), arcs), 0).certificate())
    proofs = [case["proof"] for case in _leaves(json.loads(written)["proof"])]
    documents = []
    for index, proof in product(range(len(proofs)), proofs):
        documents.append(json.loads(written))
        [*_leaves(documents[-1]["proof"])][index]["proof"] = proof

    for index in range(len(proofs)):
        document = json.loads(written)
        [*_leaves(document["proof"])][index]["proof"]["prices"] = {"nobody": 1}
        with pytest.raises(Malformed, match="not a resource"):
            check(document)

    def outcome(document: dict[str, Any]) -> str:
        try:
            return str(check(document).bound)
        except (Malformed, Rejected) as error:
            return str(error)

    at_once = list(map(outcome, documents))
    assert len(proofs) == cases
    assert len({*at_once}) > cases
    monkeypatch.setattr(repeated, "SHORT", -1)
    assert list(map(outcome, documents)) == at_once


@pytest.mark.parametrize(("price", "steps"), [(1, 1), (2**2000, 1 + (2002**2 >> 16))])
def test_a_case_that_was_seen_before_costs_steps(price: int, steps: int) -> None:
    """For every arc whether it is gone, and to work out and to compare the rate."""
    problem = Broadcast(Platform("ab", [("a", "b", 1)]), "a", restrict="dag")
    one = Fraction(1)
    bound = CutBound({"send:a": one * price}, ("b",), (Cut(0, 1, one * price),))
    shown: dict[int, Any] = {}
    rate, first = spent_on(cuts._case_bound, Arcs(problem), bound, "proof", shown)
    assert spent_on(cuts._case_bound, Arcs(problem), bound, "proof", shown) == (rate, 1 + 2 * steps)
    assert first > 2 * (1 + 2 * steps)
