"""Certificates keep their meaning on the way to a document, to a file, and back."""

from __future__ import annotations

import gzip
import json
import os
import tracemalloc
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import exactsched
from exactsched.certificate import files, parse, read_certificate, to_document, write_certificate
from exactsched.certificate.bounds import (
    Bound,
    Case,
    CutBound,
    DistanceBound,
    PotentialBound,
    SplitOnCycle,
    SplitOnNode,
)
from exactsched.certificate.collectives import PeriodicSchedule, Run, Series, refuse_latencies
from exactsched.certificate.limits import MAX_INTEGER_DIGITS
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.exact.rational import Rational
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Alltoall, Broadcast, Reduction
from exactsched.model.resources import resources
from exactsched.model.tasks import Task
from exactsched.strategies import broadcasts, platforms, reductions
from tests.check.refusals.broadcasts import MALFORMED
from tests.check.refusals.collectives import COLLECTIVES_MALFORMED
from tests.steady_state.planned import planned_route, planned_scheme, planned_tree

CORPUS = Path(__file__).parents[1] / "corpus"
ACCEPTED = sorted((CORPUS / "accepted").rglob("*.json"))
SCHEMA = json.loads((Path(str(exactsched.__file__)).parent / "certificate.schema.json").read_text())

# What types say of series and runs, and so the schema: the rules of all other documents that are
# malformed compare members, or signs of numbers.
OF_TYPES = (
    "a row is",
    "the member",
    "unknown member",
    "one of",
    "an object with",
    "a list is needed",
    "an integer is needed",
    "a node is a string",
    "not an integer or a string",
    "only version",
    "this member is missing",
    "true or false is needed",
)
# ... but JSON Schema takes 1.0 for an integer, and knows no tag before it has read an object.
UNSEEN = {"number-with-a-point"}

# Numbers on both sides of 2^53, and long ones; beyond 4300 digits hypothesis cannot show them, so
# those are left to the corpus.
integers = st.integers(-(2**60), 2**60) | st.sampled_from([2**53 - 1, 2**53, -(2**53), 10**4200])
rationals = st.builds(Fraction, integers, st.integers(1, 2**60) | st.just(10**4200 + 1))
positive = rationals.filter(bool).map(abs)


@st.composite
def _leaves(draw: st.DrawFn, problem: Broadcast, run: bool) -> CutBound:
    others = [node for node in problem.platform.nodes if node != problem.source]
    order = draw(st.lists(st.sampled_from(others), unique=True))
    prices = draw(st.dictionaries(st.sampled_from(resources(problem)), rationals.map(abs)))
    ends = st.lists(st.integers(0, len(order)), min_size=2, max_size=2, unique=True).map(sorted)
    cuts = st.lists(st.tuples(ends, positive)) if order else st.just([])
    families = [draw(cuts), draw(cuts) if run else []]
    known, startup = (tuple((a, b, w) for (a, b), w in family) for family in families)
    return CutBound(prices, tuple(order), known, startup, draw(_odd_sets(problem)))


@st.composite
def _odd_sets(draw: st.DrawFn, problem: Broadcast) -> tuple[tuple[tuple[Node, ...], Fraction], ...]:
    nodes = problem.platform.nodes
    if problem.ports != "half-duplex" or problem.restrict != "none" or len(nodes) < 3:
        return ()
    three = st.permutations(nodes).map(lambda order: tuple(order[:3]))
    return tuple(draw(st.lists(st.tuples(three, positive), max_size=2)))


@st.composite
def _bounds(draw: st.DrawFn, problem: Broadcast, depth: int = 2) -> Bound:
    indices = range(len(problem.platform.arcs))
    if problem.restrict == "none" or depth == 0 or not indices or draw(st.booleans()):
        return draw(_leaves(problem, run=False))
    arcs = st.lists(st.sampled_from(indices), min_size=1, max_size=3).map(tuple)
    cases = tuple(
        Case(draw(arcs), draw(_bounds(problem, depth - 1))) for _ in range(draw(st.integers(1, 2)))
    )
    if problem.restrict == "dag":
        return SplitOnCycle(draw(arcs), cases)
    others = [node for node in problem.platform.nodes if node != problem.source]
    return SplitOnNode(draw(st.sampled_from(others)), cases)


@st.composite
def _series(draw: st.DrawFn) -> Series:
    """Anything that has the structure of a certificate; hardly ever one that proves its claim."""
    problem = draw(broadcasts(max_nodes=4, restrict=draw(st.sampled_from(["none", "tree", "dag"]))))
    arcs = st.sampled_from(range(len(problem.platform.arcs)))
    trees = st.builds(
        planned_tree, integers.map(lambda k: abs(k) + 1), st.lists(arcs, min_size=1).map(tuple)
    )
    schedules = st.builds(
        PeriodicSchedule,
        period=positive,
        tick=positive,
        structures=st.lists(trees, min_size=1, max_size=3).map(tuple),
        slots=st.lists(st.tuples(arcs, integers, integers), max_size=4).map(tuple),
        whole=st.booleans(),
    )
    return Series(
        problem=problem,
        throughput=draw(rationals),
        bound=draw(rationals),
        optimal=draw(st.booleans()),
        schedule=draw(st.none() | schedules),
        proof=draw(_bounds(problem)),
    )


@st.composite
def _runs(draw: st.DrawFn) -> Run:
    problem = draw(broadcasts(max_nodes=4, latencies=True))
    ones = st.integers(1, 3).map(lambda count: [Fraction(1)] * count)
    packets = draw(ones | st.lists(positive, min_size=1, max_size=3))
    rows = st.tuples(
        st.sampled_from(range(len(problem.platform.arcs))),
        st.integers(0, len(packets) - 1),
        integers,
        integers,
    )
    return Run(
        problem=problem,
        operations=len(packets),
        sizes=() if set(packets) == {1} else tuple(packets),
        makespan=draw(rationals),
        bound=draw(rationals),
        optimal=draw(st.booleans()),
        tick=draw(positive),
        tasks=tuple((arc,) for arc in range(len(problem.platform.arcs))),
        rows=tuple(draw(st.lists(rows, min_size=1, max_size=4))),
        proof=draw(_leaves(problem, run=True)),
    )


@st.composite
def _alltoalls(draw: st.DrawFn) -> Alltoall:
    platform = draw(platforms(max_nodes=4))
    pairs = st.sampled_from(list(permutations(platform.nodes, 2)))
    ends = draw(st.lists(pairs, min_size=1, max_size=4, unique=True))
    demands: Any = tuple((*pair, draw(positive)) for pair in ends)
    return Alltoall(platform, demands, draw(st.sampled_from(["one-port", "half-duplex", "link"])))


@st.composite
def _tables(draw: st.DrawFn, rows: int, columns: int) -> tuple[tuple[Rational, ...], ...]:
    numbers = draw(st.lists(integers | rationals, min_size=1, max_size=3))
    listed = [number.numerator if number.denominator == 1 else number for number in numbers]
    cycle = st.integers(0, len(listed) - 1).map(lambda k: listed[k])
    return tuple(tuple(draw(cycle) for _ in range(columns)) for _ in range(rows))


@st.composite
def _bounds_of(draw: st.DrawFn, problem: Alltoall | Reduction) -> DistanceBound | PotentialBound:
    names = resources(problem) or ["none"]
    prices = draw(st.dictionaries(st.sampled_from(names), rationals.map(abs), max_size=4))
    prices.pop("none", None)
    nodes = len(problem.platform.nodes)
    if isinstance(problem, Alltoall):
        return DistanceBound(prices, draw(_tables(len(problem.sources), nodes)))
    intervals = len(problem.intervals)
    return PotentialBound(prices, tuple(draw(_tables(intervals, nodes)) for _ in problem.goals))


@st.composite
def _tasks(draw: st.DrawFn, problem: Alltoall | Reduction) -> tuple[Task, ...]:
    arcs = len(problem.platform.arcs)
    listed: list[Task] = []
    if isinstance(problem, Alltoall):
        listed = [(arc, k) for arc in range(arcs) for k in range(len(problem.demands))]
    else:
        listed = [(arc, *interval) for arc in range(arcs) for interval in problem.intervals]
        places = range(arcs, arcs + len(problem.platform.nodes))
        merges = [(k, cut, m) for k, m in problem.intervals for cut in range(k, m)]
        listed += [(place, *merge) for place in places for merge in merges]
    assume(listed)
    chosen = st.lists(st.sampled_from(listed), min_size=1, max_size=4, unique=True)
    return tuple(draw(chosen))


@st.composite
def _collective_series(draw: st.DrawFn) -> Series:
    problem = draw(_alltoalls() | reductions())
    places = len(problem.platform.arcs)
    counts = integers.map(lambda k: abs(k) + 1)
    structures: Any
    if isinstance(problem, Alltoall):
        assume(places)
        arcs = st.lists(st.integers(0, places - 1), min_size=1, max_size=3).map(tuple)
        demands = st.integers(0, len(problem.demands) - 1)
        structures = st.builds(planned_route, counts, demands, arcs)
    else:
        places += len(problem.platform.nodes)
        structures = st.builds(planned_scheme, counts, _tasks(problem))
    slots = st.lists(st.tuples(st.integers(0, places - 1), integers, integers), max_size=4)
    schedules = st.builds(
        PeriodicSchedule,
        period=positive,
        tick=positive,
        structures=st.lists(structures, min_size=1, max_size=3).map(tuple),
        slots=slots.map(tuple),
        whole=st.booleans(),
    )
    return Series(
        problem=problem,
        throughput=draw(rationals),
        bound=draw(rationals),
        optimal=draw(st.booleans()),
        schedule=draw(st.none() | schedules),
        proof=draw(_bounds_of(problem)),
    )


@st.composite
def _collective_runs(draw: st.DrawFn) -> Run:
    problem = draw(_alltoalls() | reductions())
    tasks = draw(_tasks(problem))
    operations = draw(st.integers(1, 3))
    rows = st.tuples(
        st.integers(0, len(tasks) - 1), st.integers(0, operations - 1), integers, integers
    )
    return Run(
        problem=problem,
        operations=operations,
        sizes=(),
        makespan=draw(rationals),
        bound=draw(rationals),
        optimal=draw(st.booleans()),
        tick=draw(positive),
        tasks=tasks,
        rows=tuple(draw(st.lists(rows, min_size=1, max_size=4))),
        proof=draw(_bounds_of(problem)),
    )


@given(_collective_series() | _collective_runs())
def test_documents_of_collectives_are_faithful_and_fit_the_schema(
    certificate: Series | Run,
) -> None:
    document = to_document(certificate)
    assert parse(document) == certificate
    _validate(document)
    assert json.loads("\n".join(files._lines(document, 0))) == document


@given(_series() | _runs())
def test_documents_are_faithful_and_fit_the_schema(
    certificate: Series | Run,
) -> None:
    document = to_document(certificate)
    assert parse(document) == certificate
    _validate(document)


def test_long_trees_stand_on_one_line_and_other_rows_on_lines_of_their_own() -> None:
    arcs, shards = [[number] for number in range(100)], [[number, 0] for number in range(100)]
    assert files._lines({"tasks": arcs}, 3) == ["{", f' "tasks": {json.dumps(arcs)}', "}"]
    assert len(files._lines({"tasks": shards}, 3)) == 104
    names = [["a node with a name"] for _ in arcs]
    assert len(files._lines({"groups": names}, 3)) == 104


@given(_series() | _runs())
def test_files_are_faithful(certificate: Series | Run) -> None:
    document = to_document(certificate)
    text = "\n".join(files._lines(document, 0))
    assert json.loads(text) == document
    assert text.isascii()


def _validate(document: object) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(document)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_accepted_certificates_fit_the_schema(path: Path) -> None:
    _validate(read_certificate(path))


@pytest.mark.parametrize(
    "path", sorted((CORPUS / "rejected").rglob("*.json")), ids=lambda path: path.stem
)
def test_rejected_certificates_are_well_formed(path: Path) -> None:
    document = read_certificate(path)
    _validate(document)
    assert to_document(parse(document)).keys() == document.keys()


def _malformed(folder: str, table: dict[str, str]) -> list[Path]:
    return [
        CORPUS / "malformed" / folder / f"{name}.json"
        for name, rule in table.items()
        if rule.startswith(OF_TYPES) and name not in UNSEEN and "/" not in name
    ]


@pytest.mark.parametrize(
    "path",
    [*_malformed("", MALFORMED), *_malformed("collectives", COLLECTIVES_MALFORMED)],
    ids=lambda path: path.stem,
)
def test_the_schema_refuses_what_is_of_another_type(path: Path) -> None:
    with pytest.raises(jsonschema.ValidationError):
        _validate(json.loads(path.read_text()))


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_files_are_written_as_they_were_read(path: Path, tmp_path: Path) -> None:
    """The layout is stable: reading and writing gives the same bytes, a short line for each row."""
    document = read_certificate(path)
    write_certificate(document, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    assert parse(to_document(parse(document))) == parse(document)
    write_certificate(parse(document), tmp_path / "noun.json")
    assert parse(read_certificate(tmp_path / "noun.json")) == parse(document)


def _document() -> dict[str, Any]:
    return read_certificate(CORPUS / "accepted" / "figure-1-one-port.json")


def test_operations_of_size_1_are_counted() -> None:
    document = read_certificate(CORPUS / "accepted" / "run-star.json")
    assert (document["operations"], document["sizes"]) == (2, [])


def test_only_what_can_be_read_is_written(tmp_path: Path) -> None:
    target = tmp_path / "certificate.json"
    target.write_text("old")
    document = _document()
    document["throughput"] = 1.0
    with pytest.raises(Malformed, match="throughput"):
        write_certificate(document, target)
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == [target.name]


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "certificate.json"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no space"):
        write_certificate(_document(), target)
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == [target.name]


def test_sizes_are_limited_both_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "certificate.json"
    write_certificate(_document(), target)
    monkeypatch.setattr(files, "MAX_BYTES", target.stat().st_size)
    assert read_certificate(target) == _document()
    write_certificate(_document(), target)
    monkeypatch.setattr(files, "MAX_BYTES", target.stat().st_size - 1)
    with pytest.raises(Malformed, match="a certificate has at most"):
        read_certificate(target)
    with pytest.raises(Malformed, match="a certificate has at most"):
        write_certificate(_document(), target)


@pytest.mark.parametrize(
    "before", ["", "1,", "1, ", "1,-", "1, -", "1,\n", "1,\r", "1,\t-", '[],{"":', '"-1",-']
)
@pytest.mark.parametrize("text", ["", r'"a", ', r'"a\\", ', r'"\"", ', r'"1", "\\\"", '])
def test_a_long_integer_is_refused_behind_any_text(text: str, before: str, tmp_path: Path) -> None:
    """A string that holds quotation marks, or ends with a backslash, does not hide it."""
    before = text + before
    path, long = tmp_path / "long.json", "7" * (MAX_INTEGER_DIGITS + 1)
    after = "}]}" if "{" in before else "]}"
    path.write_text(f'{{"listed":[{before}{long[:2]},"{long}"{after}', encoding="utf-8")
    if "{" not in before:
        assert read_certificate(path)["listed"][-1] == long
    path.write_text(f'{{"listed":[{before}{long}{after}', encoding="utf-8")
    with pytest.raises(Malformed, match=r"integers from 2\^53 are strings"):
        read_certificate(path)


@pytest.mark.parametrize("digits", [101, 10_000])  # Python makes integers of 4300 digits at most
@pytest.mark.parametrize("before", ["", "-", "\n", "\t-"])
def test_a_long_integer_is_refused_in_place_of_an_object(
    before: str, digits: int, tmp_path: Path
) -> None:
    path = tmp_path / "long.json"
    path.write_text(before + "7" * digits, encoding="utf-8")
    with pytest.raises(Malformed, match=r"integers from 2\^53 are strings"):
        read_certificate(path)


@pytest.mark.parametrize("sign", ["", "-"])
def test_a_long_integer_is_refused_at_any_place(sign: str, tmp_path: Path) -> None:
    """A text is looked at a piece at a time: no number hides where two of them meet."""
    path, piece = tmp_path / "long.json", files._LOOKED_AT
    for blanks in [*range(piece - 120, piece + 5), 2 * piece - 20, 2 * piece - 13]:
        path.write_text('{"":[' + " " * blanks + sign + "7" * 101 + "]}", encoding="utf-8")
        with pytest.raises(Malformed, match=r"integers from 2\^53 are strings"):
            read_certificate(path)


@pytest.mark.parametrize("opening", ["[", '{"bound":'])
def test_brackets_without_end(opening: str, tmp_path: Path) -> None:
    target = tmp_path / "brackets.json"
    target.write_text(opening * 100_000)
    with pytest.raises(Malformed):
        read_certificate(target)


def test_missing_files_are_invalid_input(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="a file that can be read") as caught:
        read_certificate(tmp_path / "absent")
    assert not isinstance(caught.value, Malformed)


def test_places_lead_to_the_value() -> None:
    document = _document()
    document["schedule"]["structures"][1]["operations"] = "many"
    with pytest.raises(Malformed) as caught:
        parse(document)
    assert caught.value.place == "schedule.structures[1].operations"
    document = read_certificate(CORPUS / "accepted" / "figure-1-tree.json")
    document["proof"]["cases"][1]["proof"]["cases"][0]["proof"]["prices"]["send:Ps"] = -1
    with pytest.raises(Malformed) as caught:
        parse(document)
    assert caught.value.place == "proof.cases[1].proof.cases[0].proof.prices.send:Ps"


# --- packed with gzip ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_packed_files_have_the_same_text(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "packed.JSON.GZ"
    write_certificate(read_certificate(path), target)
    packed = target.read_bytes()
    assert gzip.decompress(packed) == path.read_bytes()
    # No name, no time (RFC 1952, section 2.3): the same bytes whenever they are written.
    assert packed[:8] == b"\x1f\x8b\x08" + bytes(5)
    # The name does not matter to the reader.
    other = target.rename(tmp_path / "packed.json")
    assert read_certificate(other) == read_certificate(path)


def test_what_is_no_whole_gzip_file_is_malformed(tmp_path: Path) -> None:
    target = tmp_path / "packed.json.gz"
    write_certificate(_document(), target)
    packed = target.read_bytes()
    for end in range(2, len(packed)):
        target.write_bytes(packed[:end])
        with pytest.raises(Malformed, match="one gzip member"):
            read_certificate(target)
    # Bytes 4 to 9 are a time and the system, which nobody checks.
    for place in [*range(2, 4), *range(10, len(packed))]:
        for mask in (1, 64):
            damaged = bytes((*packed[:place], packed[place] ^ mask, *packed[place + 1 :]))
            target.write_bytes(damaged)
            try:
                assert read_certificate(target) == _document()
            except Malformed:
                continue
    for more in (b"\0", packed, b"{}"):
        target.write_bytes(packed + more)
        with pytest.raises(Malformed, match="behind the end"):
            read_certificate(target)
    target.write_bytes(gzip.compress(packed))
    with pytest.raises(Malformed, match="UTF-8"):
        read_certificate(target)


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "bomb.json.gz"
    blank = gzip.compress(b" " * 50_000_000)
    target.write_bytes(blank)
    monkeypatch.setattr(files, "MAX_BYTES", 100_000)
    assert len(blank) < files.MAX_BYTES
    tracemalloc.start()
    try:
        with pytest.raises(Malformed, match="a certificate has at most 100000 bytes"):
            read_certificate(target)
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def test_the_limit_is_that_of_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "packed.json.gz"
    write_certificate(_document(), target)
    text = len(gzip.decompress(target.read_bytes()))
    monkeypatch.setattr(files, "MAX_BYTES", text)
    write_certificate(_document(), target)
    assert read_certificate(target) == _document()
    monkeypatch.setattr(files, "MAX_BYTES", text - 1)
    with pytest.raises(Malformed, match="a certificate has at most"):
        read_certificate(target)
    with pytest.raises(Malformed, match="a certificate has at most"):
        write_certificate(_document(), target)


def test_a_packed_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "certificate.json.gz"
    target.write_text("old")
    target.chmod(0o640)
    with pytest.raises(InvalidInput, match="not an ordinary file"):
        write_certificate(_document(), _folder(tmp_path / "folder.gz"))

    def fail(*_: object) -> None:
        raise OSError(28, "no space")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        with pytest.raises(OSError, match="no space") as caught:
            write_certificate(_document(), target)
    assert caught.value.filename == str(target)
    assert target.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == [target.name, "folder.gz"]
    write_certificate(_document(), target)
    assert target.stat().st_mode & 0o777 == 0o640
    assert read_certificate(target) == _document()


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_the_place_of_a_latency_is_that_of_its_arc() -> None:
    platform = Platform("ab", [("a", "b", 1), ("b", "a", 1, 2)])
    with pytest.raises(Malformed) as caught:
        refuse_latencies(Broadcast(platform, "a"))
    assert caught.value.place == "problem.platform.arcs[1]"
