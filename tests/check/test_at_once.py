"""Ways to look at all of a large document at once say what the ways one by one say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from exactsched.certificate import codec, model_documents
from exactsched.check import check
from exactsched.check.collectives import overlaps
from exactsched.check.collectives.operation import Operation
from exactsched.exact.errors import Malformed, Rejected
from exactsched.model import platform
from exactsched.model.platform import Platform
from exactsched.model.problem import Broadcast, Ports

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
    monkeypatch.setattr(Operation, "works_at_once", lambda *_: None)
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
        ({"arcs": [[0, 7, 1]]}, True),
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
            overlaps.refuse_overlaps(problem, intervals, "rows")
        except Rejected as error:
            return str(error)
        return ""

    at_once = list(map(outcome, cases))
    one_by_one(monkeypatch)
    assert list(map(outcome, cases)) == at_once
    assert "" in at_once
    assert len({*at_once}) > 20
