"""Files give machines back exactly, and bad ones are refused in one line with place and rule."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text
from exactsched.model.machine import MultiPort
from exactsched.platforms import machine_files as instances
from exactsched.platforms.machine_files import read_machine, write_machine


@st.composite
def machines(draw: st.DrawFn, with_arcs: bool = True) -> MultiPort:
    size = draw(st.integers(2, 5))
    rates = st.fractions(min_value=0, max_denominator=7) | st.integers(0, 2**70).map(Fraction)

    def one_each(values: st.SearchStrategy[Any], unique: bool = False) -> st.SearchStrategy[Any]:
        return st.lists(values, min_size=size, max_size=size, unique=unique)

    pairs = [(i, j) for i in range(size) for j in range(1, size) if i != j]
    letters = st.text(st.characters(categories=("L", "Nd", "P")), min_size=1)
    return MultiPort(
        draw(one_each(rates)),
        draw(one_each(st.integers(0, 2**70))),
        draw(st.just([]) | one_each(rates)),
        draw(st.just([]) | st.lists(st.sampled_from(pairs), unique=True)) if with_arcs else [],
        draw(st.just([]) | one_each(letters, unique=True)),
    )


def read_text(written: str, name: str, degree: int | None = None) -> MultiPort:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(written, encoding="utf-8", newline="")
        return read_machine(path, degree)


@given(machines())
def test_written_machines_are_read_again(machine: MultiPort) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "machine.json")
        write_machine(machine, path)
        assert read_machine(path) == machine
        assert read_machine(str(path)) == machine
        json.loads(path.read_text())


@given(machines(with_arcs=False), st.permutations(range(4)))
def test_csv_says_the_same_in_any_order_of_columns(machine: MultiPort, order: list[int]) -> None:
    columns: list[tuple[str, list[str]]] = [
        ("bandwidth", list(map(text, machine.bandwidths))),
        ("degree", list(map(str, machine.degrees))),
        ("incoming", list(map(text, machine.incoming))),
        ("name", list(machine.names)),
    ]
    kept = [columns[k] for k in order if columns[k][1]]
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow([name for name, _ in kept])
    writer.writerows(zip(*(values for _, values in kept), strict=True))
    assert read_text(stream.getvalue(), "machine.csv") == machine
    assert read_text("\ufeff" + stream.getvalue(), "machine.txt") == machine


def test_the_form_of_the_readme() -> None:
    nodes = [
        {"bandwidth": "3/2", "degree": 2, "incoming": 5, "name": "a"},
        {"bandwidth": 1, "degree": 0, "incoming": "1/3", "name": "b"},
        {"bandwidth": 0, "degree": 1, "incoming": 1, "name": "c"},
    ]
    machine = read_text(json.dumps({"nodes": nodes, "arcs": [[0, 1], ["a", "c"]]}), "m.json")
    assert machine == MultiPort(
        ["3/2", 1, 0], [2, 0, 1], [5, "1/3", 1], [(0, 1), (0, 2)], ["a", "b", "c"]
    )


def test_numbers_are_taken_as_they_are_written() -> None:
    written = (
        '{"nodes": [{"bandwidth": 0.1, "degree": 2.0}, {"bandwidth": 1e-3, "degree": "1"},'
        ' {"bandwidth": 12345678901234567890.5, "degree": 0}]}'
    )
    machine = read_text(written, "m")
    assert machine.bandwidths == (
        Fraction(1, 10),
        Fraction(1, 1000),
        Fraction(24691357802469135781, 2),
    )
    assert machine.degrees == (2, 1, 0)


def test_a_column_of_bandwidths() -> None:
    expected = MultiPort(["1.5", "1/3", 2], [4, 4, 4])
    assert read_text("1.5\n1/3\n\n2\n", "m.csv", 4) == expected
    assert read_text("bandwidth\r\n1.5\r\n1/3\r\n2", "m.csv", 4) == expected
    named = read_text("name,bandwidth\na,1.5\nb,1/3\n c , 2 \n", "m.csv", 4)
    assert named == MultiPort(expected.bandwidths, [4, 4, 4], names="abc")
    nodes = '{"nodes": [{"bandwidth": 1.5}, {"bandwidth": "1/3"}, {"bandwidth": 2}]}'
    assert read_text(nodes, "m.json", 4) == expected


def test_the_source_needs_no_incoming_bandwidth() -> None:
    expected = MultiPort([2, 1], [1, 0], [0, 3])
    assert read_text("bandwidth,degree,incoming\n2,1,\n1,0,3\n", "m.csv") == expected


A = '{"bandwidth": 2, "degree": 1, "name": "a"}'
B = '{"bandwidth": 1, "degree": 1, "name": "b"}'


def nodes_and(*others: str, arcs: str = "") -> str:
    """JSON of the source `A` and other nodes."""
    return f'{{"nodes": [{", ".join([A, *others])}]{arcs}}}'


BAD_JSON = {
    "": ("line 1, column 1", "not JSON"),
    "[]": ("document", 'an object with a list "nodes"'),
    "{}": ("nodes", "a list of objects, the source first"),
    '{"nodes": []}': ("nodes", "there is no source"),
    '{"nodes": {}}': ("nodes", "a list of objects"),
    nodes_and(): ("nodes", "the source and at least one other node"),
    nodes_and("3"): ("nodes[1]", "an object with bandwidth and degree"),
    nodes_and(B, arcs=', "edges": []'): ("document", 'there are "nodes" and "arcs"'),
    nodes_and(B, arcs=', "nodes": []'): ("document", "given twice"),
    nodes_and('{"bandwith": 1, "degree": 1}'): ("nodes[1]", "bandwidth, degree, incoming and name"),
    nodes_and('{"degree": 1, "name": "b"}'): ("nodes[1]", "the bandwidth is missing"),
    nodes_and('{"bandwidth": 1, "name": "b"}'): ("nodes[1]", "the degree is missing"),
    nodes_and('{"bandwidth": 1, "degree": 1}'): ("nodes[1]", "all nodes have a name, or none"),
    nodes_and(B.replace('"b"', '"a"')): ("nodes[1], name", "the name of nodes[0] already"),
    nodes_and(B.replace('"b"', "7")): ("nodes[1], name", "a name is a string"),
    nodes_and(B.replace('"b"', '""')): ("nodes[1], name", "and not empty"),
    nodes_and(B.replace("1,", "-0.5,", 1)): ("nodes[1], bandwidth", "a bandwidth is not negative"),
    nodes_and(B.replace("1,", "true,", 1)): ("nodes[1], bandwidth", "a truth value"),
    nodes_and(B.replace("1,", "null,", 1)): ("nodes[1], bandwidth", "not an exact number"),
    nodes_and(B.replace("1,", "NaN,", 1)): ("document", "not a number"),
    nodes_and(B.replace("1,", '"fast",', 1)): ("nodes[1], bandwidth", "not a number"),
    nodes_and(B.replace('"degree": 1', '"degree": 1.5')): (
        "nodes[1], degree",
        "a degree is a whole number",
    ),
    nodes_and(B.replace('"degree": 1', '"degree": -1')): ("nodes[1], degree", "not negative"),
    nodes_and(B.replace("}", ', "incoming": -1}')): ("nodes[1], incoming", "not negative"),
    nodes_and(B.replace("}", ', "incoming": 1}'), '{"bandwidth": 0, "degree": 0, "name": "c"}'): (
        "nodes[2]",
        "the incoming is missing",
    ),
    nodes_and(B, arcs=', "arcs": []'): ("arcs", "everybody may send to everybody"),
    nodes_and(B, arcs=', "arcs": {}'): ("arcs", "list the arcs"),
    nodes_and(B, arcs=', "arcs": ["ab"]'): ("arcs[0]", "a pair [sender, receiver]"),
    nodes_and(B, arcs=', "arcs": [[0]]'): ("arcs[0]", "a pair"),
    nodes_and(B, arcs=', "arcs": [["a", "c"]]'): ("arcs[0]", "no node of this name"),
    nodes_and(B, arcs=', "arcs": [[0, 2]]'): ("arcs[0]", "nodes are 0..1"),
    nodes_and(B, arcs=', "arcs": [[0, 1.0]]'): ("arcs[0]", "an integer or a name"),
    nodes_and(B, arcs=', "arcs": [[0, true]]'): ("arcs[0]", "nodes are 0..1"),
    nodes_and(B, arcs=', "arcs": [["b", "a"]]'): ("arcs[0]", "others than the source"),
    nodes_and(B, arcs=', "arcs": [[0, 1], ["a", "b"]]'): ("arcs[1]", "there already"),
    '{"nodes": ' + "[" * 100_000: ("document", "nested too deeply for a machine"),
}
BAD_CSV = {
    "": ("nodes", "there is no source"),
    "bandwidth,degree\n": ("nodes", "there is no source"),
    "bandwidth,degree\n1,1\n": ("nodes", "at least one other node"),
    "bandwidth,degrees\n1,1\n": ("line 1", "bandwidth, degree, incoming and name"),
    "bandwidth;degree\n1;1\n": ("line 1", "bandwidth, degree, incoming and name"),
    "1,2\n1,1\n": ("line 1", "only bandwidth"),
    '{"nodes": []}': ("line 1", "only bandwidth"),
    "degree,degree\n1,1\n": ("line 1", "this column is there twice"),
    "degree\n1\n1\n": ("line 2", "the bandwidth is missing"),
    "1\n1\n": ("line 1", "give one for all"),
    "bandwidth,degree\n1,1\n1\n": ("line 3", "a value for bandwidth and degree"),
    "bandwidth,degree\n1,1\n1,1,1\n": ("line 3", "a value for bandwidth and degree"),
    "bandwidth,degree\n1,1\n\n,1\n": ("line 4", "the bandwidth is missing"),
    "bandwidth,degree\n1,1\n1,\n": ("line 3", "the degree is missing"),
    "bandwidth,degree\n1,1\n-1/2,1\n": ("line 3, bandwidth", "not negative"),
    "bandwidth,degree\n1,1\n1/0,1\n": ("line 3, bandwidth", "zero"),
    "bandwidth,degree\n1,1\n1,1/2\n": ("line 3, degree", "whole number"),
    'bandwidth,degree\n1,1\n"1,1\n': ("line 3", "not CSV"),
    "bandwidth,degree,name\n1,1,a\n1,1,a\n": ("line 3, name", "the name of line 2 already"),
}


@pytest.mark.parametrize(
    ("name", "written", "place", "rule"),
    [
        *(("m.json", written, *refused) for written, refused in BAD_JSON.items()),
        *(("m.csv", written, *refused) for written, refused in BAD_CSV.items()),
    ],
)
def test_refused(name: str, written: str, place: str, rule: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(written)
    with pytest.raises(InvalidInput) as caught:
        read_machine(path)
    assert caught.value.place == f"{path}: {place}"
    assert rule in caught.value.rule
    assert "\n" not in str(caught.value)


def test_degrees_are_given_once() -> None:
    with pytest.raises(InvalidInput, match="for files that have none"):
        read_text("bandwidth,degree\n1,1\n1,1\n", "m.csv", 2)
    for degree in (-1, True, "2", Fraction(1, 2)):
        with pytest.raises(InvalidInput, match=r"degree: .*whole number"):
            read_text("1\n1\n", "m.csv", degree)  # type: ignore[arg-type]


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match="a machine is a file that can be read"):
        read_machine(tmp_path / "nowhere.json")
    with pytest.raises(InvalidInput, match="a machine is a file that can be read"):
        read_machine(tmp_path)
    path = tmp_path / "machine.csv"
    path.write_bytes(b"1\n\xff\n")
    with pytest.raises(InvalidInput, match=r"byte 2: .*text in UTF-8"):
        read_machine(path, 1)
    path.write_text("1\n1\n")
    monkeypatch.setattr(instances, "MAX_BYTES", 4)
    assert read_machine(path, 1).size == 2
    monkeypatch.setattr(instances, "MAX_BYTES", 3)
    with pytest.raises(InvalidInput, match="at most 3 bytes"):
        read_machine(path, 1)


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    machine = MultiPort([1, 1], [1, 0])
    with pytest.raises(InvalidInput, match=r"ends in \.json"):
        write_machine(machine, tmp_path / "machine.csv")
    with pytest.raises(InvalidInput, match="cannot be written"):
        write_machine(machine, tmp_path / "nowhere" / "machine.json")
    assert not list(tmp_path.iterdir())
