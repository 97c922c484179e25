"""Tables of edges, Matrix Market, GML and DOT: exact numbers, and errors with the line."""

from __future__ import annotations

import gzip
from fractions import Fraction
from pathlib import Path

import networkx
import pytest

from exactsched import InvalidInput, Platform, read_platform
from exactsched.platforms.edge_lists import from_csv, from_matrix_market
from exactsched.platforms.files import load_platform
from exactsched.platforms.gml import from_gml
from tests.cli.command_line import Run, refused

BANNER = "%%MatrixMarket matrix coordinate"


def arcs(platform: Platform) -> list[tuple[object, object, Fraction]]:
    return [(arc.tail, arc.head, arc.cost) for arc in platform.arcs]


def test_tables_of_edges() -> None:
    wanted = [("a", "b", Fraction(1, 10)), ("b", "c", Fraction(3, 7))]
    assert arcs(from_csv("tail,head,cost\na,b,0.1\n\nb,c,3/7\n")) == wanted
    assert arcs(from_csv("Cost;Target;Source;color\r\n.1;b;a;red\r\n3/7;c;b;\r\n")) == wanted
    assert arcs(from_csv("tail\thead\tcapacity\na\tb\t10\nb\tc\t7/3\n")) == wanted
    quoted = from_csv('source,target,bandwidth,latency\n"a, b",c,4,1/2\n')
    assert arcs(quoted) == [("a, b", "c", Fraction(1, 4))]
    assert quoted.arcs[0].latency == Fraction(1, 2)


def test_sparse_matrices() -> None:
    text = f"{BANNER} real general\n% about\n3 3 2\n1 3 0.1\n3 2 1e-2\n"
    found = from_matrix_market(text)
    assert found.nodes == (1, 2, 3)
    assert arcs(found) == [(1, 3, Fraction(1, 10)), (3, 2, Fraction(1, 100))]
    both = from_matrix_market(f"{BANNER} pattern symmetric\n2 2 1\n2 1\n")
    assert set(arcs(both)) == {(2, 1, 1), (1, 2, 1)}


def test_gml_as_networkx_writes_it(tmp_path: Path) -> None:
    graph = networkx.DiGraph([("ä & b", 2, {"cost": "1/3"}), (2, "ä & b", {"bandwidth": 5})])
    graph.nodes[2]["compute"] = 4
    networkx.write_gml(graph, tmp_path / "x.gml")
    found = read_platform(tmp_path / "x.gml")
    assert arcs(found) == [("ä & b", "2", Fraction(1, 3)), ("2", "ä & b", Fraction(1, 5))]
    assert found.node_data["2"] == {"compute": 4}
    plain = from_gml(
        "graph [ node [ id 0 ]\n# note\nnode [ id 1 ] edge [source 0 target 1 cost .1]]"
    )
    assert set(arcs(plain)) == {("0", "1", Fraction(1, 10)), ("1", "0", Fraction(1, 10))}


def test_dot(tmp_path: Path) -> None:
    pytest.importorskip("pydot")
    file = tmp_path / "x.gv"
    file.write_text(
        'digraph { edge [cost=1]; h [role=switch]; a -> h -> "c d" [cost="1/2"]; "a:b":n -> a:w;'
        " subgraph cluster_0 { edge [cost=0.7]; p -> q; } k -> l; }"
    )
    found = read_platform(file)
    half = Fraction(1, 2)
    assert arcs(found)[:3] == [("a", "h", half), ("h", "c d", half), ("a:b", "a", 1)]
    assert arcs(found)[3:] == [("p", "q", Fraction(7, 10)), ("k", "l", 1)]
    assert found.switches == {"h"}
    file.write_text("graph { a -- b [bandwidth=4] }")
    assert len(read_platform(file).arcs) == 2


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.csv", "", "line 1, header: '': the first line names the columns"),
        ("x.csv", "a,b,1\n", "line 1, header: 'a, b, 1': the first line names"),
        ("x.csv", "tail,source,head,cost\n", "two columns mean the same: tail"),
        ("x.csv", "tail,head,cost\na,b,1\na,b\n", "line 3: 'a, b': a row has 3 columns"),
        ("x.csv", "tail,head,cost\na,,1\n", "line 2, head: '': a node has a name"),
        ("x.csv", "tail,head,cost\na,b,x\n", "line 2, arc a->b, cost: 'x': not a number"),
        ("x.csv", "tail,head,cost\na,b,1\nb,a,0\n", "line 3, arc b->a"),
        ("x.csv", "tail,head,cost\na,b,\n", "line 2, arc a->b: .*needs an attribute"),
        ("x.csv", "tail,head,cost\na,b,1\nb,c,1\na,b,2\n", "line 4: 'a->b': .* line 2 already"),
        ("x.csv", "tail,head,cost\na,a,1\n", "line 2"),
        ("x.csv", 'tail,head,cost\n"a,b,1\n', "line 2.*this is not CSV"),
        ("x.mtx", "", "line 1: '': a file begins with %%MatrixMarket"),
        ("x.mtx", f"{BANNER} complex general\n", "line 1: .*integer, real or pattern"),
        ("x.mtx", f"{BANNER} real general\n", "a line with rows, columns and entries"),
        ("x.mtx", f"{BANNER} real general\n2 3 0\n", "line 2: '2 3 0': .*as many rows"),
        ("x.mtx", f"{BANNER} real general\n2 2 2\n1 2 1\n", "line 2 says that there are 2"),
        ("x.mtx", f"{BANNER} real general\n2 2 1\n1 2\n", "line 3: '1 2': an entry is"),
        ("x.mtx", f"{BANNER} real general\n2 2 1\n1 3 1\n", "line 3: '3': a number from 1 to 2"),
        ("x.mtx", f"{BANNER} real general\n2 2 1\n1 1 1\n", "line 3"),
        ("x.mtx", f"{BANNER} real symmetric\n2 2 2\n1 2 1\n2 1 1\n", "line 4: .* line 3 already"),
        ("x.gml", "", "document: 0: one list graph"),
        ("x.gml", "graph [\nnode [ id 0", "line 2: 'the end': the bracket of line 2 is open"),
        ("x.gml", "graph [\nnode 3 ]", "line 2, node: .*a list"),
        ("x.gml", "graph [ node\n]", "line 2: ']': GML has keys"),
        ("x.gml", "graph [\n ! ]", "line 2: '! .*this is not GML"),
        ("x.gml", "graph", "line 1: 'graph': the file ends where a value"),
        ("x.gml", "graph [ directed 2 ]", "line 1, directed: '2': write 0 or 1"),
        ("x.gml", "graph [ node [ id 0 ]\nnode [ id 0 ] ]", "line 2, id: '0': the node in line 1"),
        ("x.gml", "graph [ node [ ] ]", "line 1, node: .*id is missing"),
        ("x.gml", "graph [ node [ id 0 id 1 ] ]", "line 1, id: '1': this is given twice"),
        ("x.gml", "graph [ node [ id [ ] ] ]", "line 1, id: .*no list"),
        ("x.gml", "graph [\nedge [ source 0 target 1 ] ]", "line 2, source: '0': no node"),
        ("x.gml", "a [ " * 99, "nested too deeply"),
        ("x.txt", "a b 1\n", r"'.txt': neither JSON nor XML; .*CSV \(.csv\).*GML.*DOT"),
        ("x", "a b 1\n", "'no suffix': neither JSON nor XML"),
    ],
)
def test_refusals(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InvalidInput, match=message) as refusal:
        read_platform(tmp_path / name)
    assert str(refusal.value).startswith(str(tmp_path / name))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("digraph {\n a -> \n -> b }", "line 1, column|line 2, column|line 3, column"),
        ("digraph { a } digraph { b }", "document: 2: one graph is needed"),
        ("digraph { a -> {b c} [cost=1] }", "an edge joins two nodes with names"),
        ("graph { a -- b }", "needs an attribute"),
    ],
)
def test_refusals_of_dot(text: str, message: str, tmp_path: Path) -> None:
    pytest.importorskip("pydot")
    (tmp_path / "x.dot").write_text(text)
    with pytest.raises(InvalidInput, match=message):
        read_platform(tmp_path / "x.dot")


def test_dot_without_pydot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pydot", None)
    (tmp_path / "x.dot").write_text("graph { a -- b }")
    with pytest.raises(InvalidInput, match=r"type pip install 'exactsched\[dot\]'"):
        read_platform(tmp_path / "x.dot")


def test_the_command_line_takes_them(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "x.csv.gz"
    file.write_bytes(gzip.compress(b"tail,head,cost\na,b,1\n"))
    assert run(f"broadcast {file} --source a").code == 0
    assert len(load_platform(str(file)).arcs) == 1
    (tmp_path / "x.csv").write_text("tail,head,cost\na,b,one\n")
    assert "line 2, arc a->b, cost" in refused(run(f"broadcast {tmp_path}/x.csv --source a"))
