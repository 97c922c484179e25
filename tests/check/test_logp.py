"""What is accepted of LogP schedules is true, also after any single change; bounds hold.

The ways of being refused stand in refusals_logp.py and are tested, with all others, by
test_check.py.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count, product
from math import comb
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactsched
from exactsched.certificate import parse, to_document, write_certificate
from exactsched.certificate.logp import (
    LogPBuffered,
    LogPCertificate,
    LogPCycles,
    LogPSchedule,
    Role,
)
from exactsched.check import ProvedLogP, check
from exactsched.check.__main__ import main
from exactsched.check.logp import bounds, role_cycles, schedule, universal_tree
from exactsched.check.logp.universal_tree import (
    is_last_label,
    least_broadcast_time,
    smallest_labels,
)
from exactsched.exact.errors import Rejected
from exactsched.logp.allreduce import allreduce
from exactsched.logp.broadcast import broadcast
from exactsched.logp.buffered import buffered_items
from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.counts import broadcast_time
from exactsched.model.machine import LogP
from exactsched.oracles.logp import labels_by_definition
from exactsched.oracles.logp_bounds import (
    broadcast_bound_by_definition,
)
from exactsched.simulation.logp import simulate_logp
from exactsched.theorems.check.logp import logp_fault
from tests.check.mutants import mutants, refuse_accepted_lies
from tests.check.refusals.broadcasts import accepted, files, path_of

NAMES = [f"logp/{name}" for name in files("accepted/logp")]
SCHEMA = json.loads((Path(str(exactsched.__file__)).parent / "certificate.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

# What is accepted.

# 10^17 items, 10^18 processors.
LONG = ("logp/one-processor-and-the-source", "logp/rounds-of-allreduce-at-10-to-the-18")


@pytest.mark.parametrize("name", NAMES)
def test_accepted_certificates_are_true(name: str) -> None:
    path = path_of("accepted", name)
    noun: Any = parse(accepted(name))
    claim = check(path)
    assert claim == check(accepted(name)) == check(noun) == exactsched.check(str(path))
    assert isinstance(claim, ProvedLogP)
    assert (claim.kind, claim.machine) == (accepted(name)["kind"], noun.machine)
    assert (claim.time, claim.bound, claim.optimal) == (noun.time, noun.bound, noun.optimal)
    assert claim.value in (noun.time, getattr(noun, "count", None))
    if name not in LONG:
        assert not logp_fault(noun)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in LONG])
def test_mutants_are_refused_or_true(name: str) -> None:
    changes = mutants(accepted(name))
    refuse_accepted_lies(changes, lambda document: logp_fault(parse(document)))


def test_claims_say_what_is_proved() -> None:
    def line(name: str) -> str:
        return str(check(path_of("accepted", f"logp/{name}")))

    assert line("figure-1") == "broadcast to 8 processors in time 24 proved optimal (L=6, o=2, g=4)"
    assert line("figure-2") == (
        "continuous broadcast to 10 processors, each item in time 10 proved optimal (L=3, o=0, g=1)"
    )
    assert line("figure-2-eight-items").startswith(
        "broadcast of 8 items to 10 processors in time 17, >= 15 by the bound: not proved optimal; "
        "single-sending schedules take >= 17 ("
    )
    assert line("nine-cycle").startswith(
        "broadcast of 8 items to 10 processors in time 15 proved optimal ("
    )
    assert line("allgather-that-would-collide").startswith(
        "allgather among 4 processors in time 20 proved optimal ("
    )
    assert line("alltoall").startswith(
        "alltoall of 2 items among 3 processors in time 10 proved optimal ("
    )
    assert line("allreduce").startswith("allreduce among 5 processors in time 4 proved")
    assert line("figure-6").startswith("summation of 79 operands by 8 processors in time 28 proved")
    assert line("summation-of-one").startswith("summation of 1 operand by 3 processors in time 0 ")
    fewer = parse(accepted("logp/summation-left-out"))
    assert isinstance(fewer, LogPSchedule)
    # 13 operands can be added within 12.
    few = LogPSchedule(fewer.machine, "summation", 13, 1, (), ((0, 0, 12),), 13, 15, False)
    assert str(check(few)).startswith(
        "summation of 13 operands by 8 processors in time 13, no more than 15 can be: "
        "not proved optimal ("
    )
    assert str(check(path_of("accepted", "logp/broadcast-of-nothing"))).startswith(
        "broadcast to 1 processor in time 0"
    )


def test_the_last_processor_adds_long_after_the_last_message() -> None:
    """Its times are told from those of the next processor, however late they are."""
    machine = LogP(1, 1, 3, 2)
    late = ((0, 4, 50),)
    stated = LogPSchedule(machine, "summation", 52, 1, ((1, 0, 0, 0),), late, 54, 104, False)
    assert check(stated).bound == 104


def test_the_command_reports_logp_certificates(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(path_of("accepted", "logp/figure-6"))]) == 0
    assert main([str(path_of("rejected", "logp/summation-bound-as-printed"))]) == 1
    assert main([str(path_of("malformed", "logp/machine-without-gap"))]) == 2
    out, err = capsys.readouterr()
    assert "summation of 79 operands" in out
    assert "bound: '77': what is proved is 79" in out
    assert "machine.g: '0': the gap is positive" in err


# Documents.


@st.composite
def machines(draw: st.DrawFn, largest: int = 5) -> LogP:
    numbers = st.fractions(min_value=0, max_value=7, max_denominator=3)
    latency, gap = draw(numbers.filter(bool)), draw(numbers.filter(bool))
    return LogP(latency, draw(numbers), gap, draw(st.integers(2, largest)))


@st.composite
def certificates(draw: st.DrawFn) -> LogPCertificate:
    """Of the right structure; of any truth."""
    numbers = st.integers(0, 2**60) | st.integers(0, 9)
    rationals = st.builds(Fraction, st.integers(-(2**60), 2**60), st.integers(1, 2**60))
    whole = rationals.map(lambda x: x.numerator if x.denominator == 1 else x)
    if draw(st.booleans()):
        kind = draw(st.sampled_from(["broadcast", "allgather", "allreduce", "summation"]))
        machine = draw(machines())
        if kind == "summation":
            machine = LogP(draw(st.integers(1, 5)), 0, 1, machine.P)
        pairs = st.permutations(range(machine.P)).map(lambda order: order[:2])
        rows: st.SearchStrategy[Any] = st.tuples(pairs, numbers).map(
            lambda row: (row[0][0], row[0][1], 0, row[1])
        )
        adding = st.tuples(st.integers(0, machine.P - 1), numbers, numbers.filter(bool))
        return LogPSchedule(
            machine,
            kind,
            draw(numbers.filter(bool)),
            draw(whole.filter(lambda x: x > 0)),
            tuple(draw(st.lists(rows, max_size=4))),
            tuple(draw(st.lists(adding, max_size=3))) if kind == "summation" else (),
            draw(numbers if kind == "summation" else whole),
            draw(whole),
            draw(st.booleans()),
        )
    roles = st.lists(st.tuples(numbers, numbers), min_size=1, max_size=4)
    listed = draw(st.lists(roles, min_size=1, max_size=3))
    cycles = tuple((draw(st.sampled_from([1, len(each)])), tuple(each)) for each in listed)
    size = 1 + sum(len(each) // shift for shift, each in cycles)
    last = draw(st.integers(1, 10**18))
    endgame = draw(st.lists(st.sampled_from([last - 1, max(last - 2, 0)]), max_size=3))
    return LogPCycles(
        LogP(draw(st.integers(1, 9)), 0, 1, size),
        cycles,
        last,
        tuple(endgame) if last - 1 in endgame else (),
        draw(st.integers()),
        draw(st.integers()),
        draw(st.booleans()),
    )


@given(certificates())
def test_documents_are_faithful_and_fit_the_schema(noun: LogPCertificate) -> None:
    document = to_document(noun)
    assert parse(document) == noun
    assert parse(json.loads(json.dumps(document))) == noun
    VALIDATOR.validate(document)


def test_files_are_faithful(tmp_path: Path) -> None:
    for name in ("figure-6", "figure-2-in-turn", "broadcast-in-fractions"):
        noun: Any = parse(accepted(f"logp/{name}"))
        write_certificate(noun, tmp_path / "written.json")
        assert check(tmp_path / "written.json") == check(noun)


# Bounds.


@given(machines(largest=9), st.integers(1, 5))
def test_bounds_of_broadcasts_are_those_of_the_definition(machine: LogP, items: int) -> None:
    unit = 6
    delay, period = int(machine.delay * unit), int(machine.period * unit)
    assert machine.delay * unit == delay
    assert machine.period * unit == period
    found = least_broadcast_time(delay, period, machine.P, items)
    assert Fraction(found, unit) == broadcast_bound_by_definition(machine, items)
    source = labels_by_definition(Fraction(delay), Fraction(period))
    listed = [label for label, nodes in smallest_labels(delay, period, 12) for _ in range(nodes)]
    assert listed == [next(source) for _ in range(12)]


@given(st.integers(1, 40), st.integers(1, 40), st.integers(2, 300), st.integers(-3, 3))
def test_the_label_of_the_last_node_is_counted(
    delay: int, period: int, count: int, off: int
) -> None:
    last = smallest_labels(delay, period, count)[-1][0]
    for label in (last, last + off, last + off * delay, last + off * period, 10**4000):
        assert is_last_label(delay, period, count, label) == (label == last)


@given(st.integers(1, 10**12), st.integers(1, 10**12), st.integers(2, 10**18))
def test_the_label_of_the_last_of_many_nodes(delay: int, period: int, count: int) -> None:
    last = broadcast_time(LogP(delay, 0, period, count)).numerator
    for label in (last - 1, last, last + 1):
        assert is_last_label(delay, period, count, label) == (label == last)


@pytest.mark.parametrize("delay", [1, 10**3, 10**9])
@pytest.mark.parametrize("period", [1, 10**3, 10**9])
@pytest.mark.parametrize("count", [2, 10**6, 10**18])
def test_few_binomials_count_the_nodes(
    delay: int, period: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = broadcast_time(LogP(delay, 0, period, count)).numerator
    used: list[int] = []
    monkeypatch.setattr(universal_tree, "comb", lambda n, k: used.append(k) or comb(n, k))
    for label in (last - 1, last, last + 1, 2 * last, 10**4000):
        used.clear()
        assert is_last_label(delay, period, count, label) == (label == last)
        assert len(used) <= 2 * (1 + count.bit_length())


@pytest.mark.parametrize("numbers", [(3, 0, 1), (6, 2, 4), ("22/7", "1/3", "5/11"), (1, 0, "7/2")])
def test_bounds_that_are_right_are_counted_and_not_listed(
    numbers: tuple[Any, Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = LogP(*numbers, 1000)
    monkeypatch.setattr(bounds, "labels_in_order", None)
    monkeypatch.setattr(bounds, "least_broadcast_time", None)
    for made in (allreduce(machine), broadcast(machine)):
        assert check(made).bound == made.bound


def test_bounds_of_many_processors_and_items() -> None:
    # Theorem 2.2: f_t processors within t; f_25 = 10,000 or so for L = 3.
    reached = [1, 1, 1]
    while len(reached) < 30:
        reached.append(reached[-1] + reached[-3])
    for time in range(3, 30):
        assert least_broadcast_time(3, 1, reached[time], 1) == time
        assert least_broadcast_time(3, 1, reached[time] + 1, 1) == time + 1
    # The gap is so long that everybody but the source hears from a chain.
    assert least_broadcast_time(1, 10**9, 10**4, 1) == 10**4 - 1
    # Many items: one more for each step.
    assert least_broadcast_time(3, 1, 10, 10**18) == 10**18 - 8 + 15


@cache
def _least_steps_by_search(latency: int, size: int, items: int) -> int:
    """All schedules of the postal model, step by step: who knows what, and what is under way."""
    everything = (1 << items) - 1
    known = (everything, *(0 for _ in range(size - 1)))
    states = {(known, ((0,) * size,) * latency)}
    for step in count():
        following = set()
        for known, under_way in states:
            arrived = tuple(a | b for a, b in zip(known, under_way[0], strict=True))
            if all(each == everything for each in arrived):
                return step
            choices = [
                [(-1, 0)]
                + [
                    (target, 1 << item)
                    for target in range(1, size)
                    for item in range(items)
                    if target != sender and each >> item & 1
                ]
                for sender, each in enumerate(arrived)
            ]
            for chosen in product(*choices):
                targets = [target for target, _ in chosen if target >= 0]
                if len(set(targets)) == len(targets):
                    sent = [0] * size
                    for target, item in chosen:
                        if target >= 0:
                            sent[target] = item
                    following.add((arrived, (*under_way[1:], tuple(sent))))
        states = following
    raise AssertionError


@pytest.mark.parametrize(
    ("latency", "size", "items"),
    [(1, 3, 1), (1, 3, 2), (1, 4, 1), (2, 3, 1), (2, 3, 2), (3, 3, 1), (3, 3, 2), (4, 3, 1)],
)
def test_no_schedule_beats_the_bound(latency: int, size: int, items: int) -> None:
    """... and here the best one reaches it; as printed, theorem 3.1 says 6 for the last case."""
    best = _least_steps_by_search(latency, size, items)
    assert least_broadcast_time(latency, 1, size, items) == best


# Role cycles.


@st.composite
def trees(draw: st.DrawFn) -> tuple[int, list[Role]]:
    """The roles of a broadcast tree in which everybody sends to as many as he wants."""
    latency = draw(st.integers(1, 3))
    roles: list[Role] = []
    delays = [0]
    left = draw(st.integers(0, 5))
    while delays:
        delay = delays.pop(0)
        children = draw(st.integers(1 if not delays and left else 0, min(left, 3)))
        left -= children
        roles.append((delay, children))
        delays += range(delay + latency, delay + latency + children)
    return latency, roles


def _in_turns(
    cycles: list[tuple[int, tuple[Role, ...]]], order: random.Random
) -> tuple[tuple[int, tuple[Role, ...]], ...]:
    """The same schedule in more cycles of larger shifts, each with every h-th processor of one."""
    split: list[tuple[int, tuple[Role, ...]]] = []
    for _, roles in cycles:
        length = len(roles)
        shift = order.choice([h for h in range(1, length + 1) if length % h == 0])
        for turn in range(shift):
            split.append((shift, tuple(roles[(k - turn) % length] for k in range(length))))
    return tuple(split)


@st.composite
def cycles_of_roles(draw: st.DrawFn) -> LogPCycles:
    """The roles of a tree in any order, cut into cycles, sometimes with one number changed.

    Sometimes two processors take two roles in turn.
    """
    latency, roles = draw(trees())
    size = len(roles) + 1
    roles = draw(st.permutations(roles))
    if draw(st.integers(0, 4)) == 0:
        changed = draw(st.integers(0, len(roles) - 1))
        delay, children = roles[changed]
        roles[changed] = (delay + draw(st.integers(0, 1)), children + draw(st.integers(0, 1)))
    cycles: list[tuple[int, tuple[Role, ...]]] = []
    while roles:
        length = draw(st.integers(1, len(roles)))
        part, roles = roles[:length], roles[length:]
        if length == 2 and draw(st.booleans()):
            cycles += [(2, tuple(part)), (2, tuple(draw(st.permutations(part))))]
        else:
            cycles += _in_turns([(1, tuple(part))], draw(st.randoms(use_true_random=False)))
    depth = max(delay for _, each in cycles for delay, _ in each)
    machine = LogP(latency, 0, 1, size)
    return LogPCycles(machine, tuple(cycles), 0, (), latency + depth, 0, False)


def _verdict(stated: LogPCycles) -> str:
    """Of the checker, without regard to the bound, which comes last."""
    try:
        check(stated)
    except Rejected as error:
        return "accepted" if error.place in ("bound", "optimal") else "refused"
    return "accepted"


def _plays(stated: LogPCycles, items: int | None) -> bool:
    try:
        simulate_logp(stated, items=items)
    except Rejected:
        return False
    return True


@given(cycles_of_roles())
def test_cycles_are_accepted_if_and_only_if_they_can_be_played(stated: LogPCycles) -> None:
    # The delays and the longest round, twice: what is wrong is wrong for one of this many items.
    assert (_verdict(stated) == "accepted") == _plays(stated, 40)


SHARING = [
    continuous_broadcast(1, 40),
    continuous_broadcast(3, 60),
    continuous_broadcast(7, 200),
    buffered_items(3, 60, 5),
]


@given(st.sampled_from(SHARING), st.randoms(use_true_random=False))
def test_cycles_that_are_one_object_are_judged_as_in_their_document(
    made: LogPCycles | LogPBuffered, chance: random.Random
) -> None:
    """Some of them are changed, all of those that are one object or one alone."""
    shared = [cycle for cycle in {*made.cycles} if made.cycles.count(cycle) > 1]
    old = chance.choice(shared)
    row = chance.randrange(len(old.roles))
    column = chance.randrange(len(old.roles[row]))
    changed = list(old.roles[row])
    changed[column] = max(0, changed[column] + chance.choice([-1, 0, 1]))
    roles = [*old.roles[:row], type(old.roles[row])(*changed), *old.roles[row + 1 :]]
    new = old._replace(roles=tuple(roles))
    everywhere = chance.random() < 0.5
    first = made.cycles.index(old)
    cycles = tuple(
        new if cycle == old and (everywhere or index == first) else cycle
        for index, cycle in enumerate(made.cycles)
    )
    stated = replace(made, cycles=cycles)
    assert len({*map(id, stated.cycles)}) < len(stated.cycles)
    assert _outcome(stated) == _outcome(to_document(stated))


def _outcome(stated: object) -> object:
    """With the steps that the trees of the items may take."""
    spent: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(role_cycles, "spend", lambda steps, _: spent.append(steps))
        try:
            return check(stated), spent
        except Rejected as error:
            return error.place, error.value, error.rule, spent


def _legal(latency: int, roles: list[Role], order: random.Random) -> LogPCycles | None:
    """Cycles of a tree: random partitions, until the checker accepts one."""
    for _ in range(100):
        left = order.sample(roles, len(roles))
        cycles = []
        while left:
            length = order.randint(1, len(left))
            cycles.append((1, tuple(left[:length])))
            left = left[length:]
        depth = max(delay for delay, _ in roles)
        machine = LogP(latency, 0, 1, len(roles) + 1)
        stated = LogPCycles(machine, tuple(cycles), 0, (), latency + depth, 0, False)
        if _verdict(stated) == "accepted":
            turns = _in_turns(cycles, order)
            return LogPCycles(machine, turns, 0, (), stated.time, 0, False)
    return None


@given(trees(), st.randoms(use_true_random=False), st.data())
def test_finite_series_are_accepted_if_and_only_if_they_can_be_played(
    tree: tuple[int, list[Role]], order: random.Random, data: st.DataObject
) -> None:
    endless = _legal(*tree, order)
    if endless is None:
        return
    items = data.draw(st.integers(1, 6))
    different = data.draw(st.integers(0, min(items, 3)))
    last = list(range(items - different, items))
    repeated = data.draw(st.lists(st.sampled_from(last), max_size=4)) if last else []
    endgame = tuple(data.draw(st.permutations([*last, *repeated])))
    copies = items - different + len(endgame)
    time = data.draw(st.integers(copies, copies + endless.time + 1))
    stated = LogPCycles(endless.machine, endless.cycles, items, endgame, time, 0, False)
    plays = copies - 1 + endless.machine.L <= time and _plays(stated, None)
    assert (_verdict(stated) == "accepted") == plays


# Four processors, L = 3: chains in which two are only first, second or last, the others all but
# first; and items that go by a chain and by another tree in turn.
SHIFT_2: list[tuple[tuple[Role, ...], ...]] = [
    (((0, 1), (0, 1), (3, 1), (9, 0)), ((9, 0), (3, 1), (6, 1), (6, 1))),
    (((9, 0), (0, 1), (0, 1), (3, 1)), ((6, 1), (9, 0), (3, 1), (6, 1))),
    (((0, 2), (7, 0), (4, 1), (0, 1), (3, 1), (6, 1), (9, 0), (3, 0)),),
    (((9, 0), (0, 1), (4, 1), (6, 1), (0, 2), (3, 0), (3, 1), (7, 0)),),
]


@pytest.mark.parametrize("several", SHIFT_2)
@given(st.data())
def test_finite_series_of_shift_2(several: tuple[tuple[Role, ...], ...], data: Any) -> None:
    machine, cycles = LogP(3, 0, 1, 5), tuple((2, roles) for roles in several)
    assert _verdict(LogPCycles(machine, cycles, 0, (), 12, 0, False)) == "accepted"
    items = data.draw(st.integers(1, 9))
    last = range(items - data.draw(st.integers(0, min(items, 2))), items)
    repeated = data.draw(st.lists(st.sampled_from(last), max_size=9)) if last else []
    endgame = tuple(data.draw(st.permutations([*last, *repeated])))
    least = items - len(last) + len(endgame) + 2
    time = data.draw(st.integers(least, least + 9))
    stated = LogPCycles(machine, cycles, items, endgame, time, 0, False)
    assert (_verdict(stated) == "accepted") == _plays(stated, None)


def test_figure_2_reaches_the_bounds_of_the_paper() -> None:
    claims: dict[str, Any] = {name: check(path_of("accepted", name)) for name in NAMES}
    assert claims["logp/figure-2"].bound == 3 + 7
    assert claims["logp/figure-2-in-turn"].bound == 3 + 7
    eight = claims["logp/figure-2-eight-items"]
    assert (eight.bounds.bound_of_class, eight.bound) == (3 + 7 + 8 - 1, 15)
    assert claims["logp/nine-cycle"].bound == 7 + 3 + (8 - 1) - 2  # theorem 3.1, k* = 2


def test_the_cost_does_not_depend_on_the_number_of_items() -> None:
    nine: Any = parse(accepted("logp/nine-cycle"))
    more = 10**18
    endgame = tuple(item + more - 8 for item in nine.endgame)
    long = LogPCycles(nine.machine, nine.cycles, more, endgame, more + 7, more + 7, True)
    assert check(long).optimal


# Trees, whose messages are taken as they stand.


def changed_trees(seed: int) -> list[LogPSchedule]:
    """An optimal tree, and it with another number at one place, or in another order."""
    dice = random.Random(seed)
    machine = LogP(dice.randrange(1, 4), dice.randrange(3), dice.randrange(1, 4), 6)
    best = broadcast(machine)
    found = [best, replace(best, messages=best.messages[::-1])]
    for position, message in enumerate(best.messages):
        for member, number in product(("sender", "receiver", "start"), range(6)):
            other = message._replace(**{member: message.start + number - 2})
            if member != "start":
                other = message._replace(**{member: number})
            if other.sender != other.receiver and other.start >= 0:
                rows = (*best.messages[:position], other, *best.messages[position + 1 :])
                found.append(replace(best, messages=rows))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_trees_are_judged_as_any_messages_are(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    trees = changed_trees(seed)
    with monkeypatch.context() as patch:
        for rule in ("_refuse_haste", "_refuse_undelivered"):
            patch.delattr(schedule, rule)
        assert check(trees[0]).optimal  # no other rule is needed
    at_once = [verdict(tree) for tree in trees]
    monkeypatch.setattr(schedule, "_is_tree_in_order", lambda *_: False)
    assert at_once == [verdict(tree) for tree in trees]
    assert len(set(at_once)) > 5


def verdict(stated: LogPSchedule) -> str:
    try:
        return str(check(stated))
    except Rejected as error:
        return str(error)
