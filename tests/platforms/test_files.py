"""Files and networkx graphs give platforms back exactly, and bad ones are refused in one line."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.platforms import files as interchange
from exactsched.platforms.built_in import built_in
from exactsched.platforms.files import (
    from_networkx,
    load_platform,
    read_platform,
    to_networkx,
    write_platform,
)
from exactsched.strategies import platforms

any_platform = platforms(min_nodes=1, max_nodes=5, latencies=True, compute=True)


def by_tail(platform: Platform) -> Platform:
    """The same platform with the arcs grouped by tails, in the order of the nodes."""
    place = {node: index for index, node in enumerate(platform.nodes)}
    arcs = sorted(platform.arcs, key=lambda arc: place[arc.tail])
    return Platform(platform.nodes, arcs, nonempty_data(platform))


def nonempty_data(platform: Platform) -> dict:
    return {node: data for node, data in platform.node_data.items() if data}


def with_text_names(platform: Platform) -> Platform:
    return Platform(
        map(str, platform.nodes),
        [(str(arc.tail), str(arc.head), arc.cost, arc.latency) for arc in platform.arcs],
        {str(node): data for node, data in platform.node_data.items()},
    )


def rewritten(platform: Platform, name: str) -> Platform:
    with tempfile.TemporaryDirectory() as folder:
        write_platform(platform, Path(folder, name))
        assert os.listdir(folder) == [name]
        return read_platform(Path(folder, name))


@given(any_platform)
def test_networkx_gives_the_platform_back(platform):
    assert from_networkx(to_networkx(platform)) == by_tail(platform)


@given(any_platform)
def test_node_link_json_gives_the_platform_back(platform):
    assert rewritten(platform, "p.json") == platform


@given(any_platform, st.sampled_from(["p.graphml", "p.xml", "P.GraphML"]))
def test_graphml_gives_the_platform_back_with_names_as_text(platform, name):
    assert rewritten(platform, name) == with_text_names(platform)


@given(any_platform)
def test_networkx_reads_what_is_written(platform):
    with tempfile.TemporaryDirectory() as folder:
        write_platform(platform, Path(folder, "p.json"))
        with open(Path(folder, "p.json")) as file:
            graph = nx.node_link_graph(json.load(file), edges="edges")
        assert type(graph) is nx.DiGraph
        assert from_networkx(graph) == by_tail(platform)
        write_platform(platform, Path(folder, "p.graphml"))
        graph = nx.read_graphml(Path(folder, "p.graphml"))
        assert from_networkx(graph) == by_tail(with_text_names(platform))


@given(any_platform, st.sampled_from(["edges", "links"]))
def test_what_networkx_writes_is_read(platform, edges):
    graph = to_networkx(platform)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "without suffix")
        path.write_text(json.dumps(nx.node_link_data(graph, edges=edges)))
        assert read_platform(path) == by_tail(platform)
        nx.write_graphml(graph, path)
        assert read_platform(path) == by_tail(with_text_names(platform))


@given(platforms(min_nodes=1, max_nodes=5), st.booleans())
def test_an_undirected_graph_gives_both_arcs(platform, multigraph):
    graph = nx.MultiGraph() if multigraph else nx.Graph()
    graph.add_nodes_from(platform.nodes)
    expected = {}
    for arc in platform.arcs:
        if not graph.has_edge(arc.tail, arc.head):
            graph.add_edge(arc.tail, arc.head, cost=arc.cost, latency="1/7")
            expected[arc.tail, arc.head] = expected[arc.head, arc.tail] = arc.cost
    read = from_networkx(graph)
    assert {(arc.tail, arc.head): arc.cost for arc in read.arcs} == expected
    assert {arc.latency for arc in read.arcs} <= {Fraction(1, 7)}
    assert read.nodes == platform.nodes


def graph_with(kind: type, *edges: tuple) -> nx.Graph:
    graph = kind()
    for tail, head, attributes in edges:
        graph.add_edge(tail, head, **attributes)
    return graph


@pytest.mark.parametrize(
    ("graph", "place", "rule"),
    [
        (graph_with(nx.DiGraph, (0, 1, {})), "arc 0 (0->1)", '"cost"'),
        (graph_with(nx.DiGraph, (0, 1, {"weight": 1})), "arc 0 (0->1)", '"cost"'),
        (graph_with(nx.DiGraph, (0, 1, {"Cost": 1})), "arc 0 (0->1)", '"cost"'),
        (graph_with(nx.DiGraph, (0, 1, {"cost": 0.5})), "arc 0 (0->1), cost", "float"),
        (graph_with(nx.DiGraph, (0, 1, {"cost": None})), "arc 0 (0->1), cost", "exact"),
        (graph_with(nx.DiGraph, (0, 0, {"cost": 1})), "arc 0", "loops"),
        (graph_with(nx.Graph, (0, 0, {"cost": 1})), "arc 0", "loops"),
        (
            graph_with(nx.MultiDiGraph, (0, 1, {"cost": 1}), (0, 1, {"cost": 1})),
            "arc 1",
            "given twice",
        ),
        (
            graph_with(nx.MultiGraph, (0, 1, {"cost": 1}), (1, 0, {"cost": 2})),
            "arc 2",
            "given twice",
        ),
        (graph_with(nx.DiGraph, ((0, 0), (0, 1), {"cost": 1})), "nodes", "integer or a string"),
        (graph_with(nx.DiGraph, (0.5, 1, {"cost": 1})), "nodes", "integer or a string"),
        (graph_with(nx.DiGraph, (0, 10**5000, {"cost": 1})), "nodes", "below 2^53"),
        (nx.DiGraph(), "nodes", "at least one node"),
    ],
)
def test_graphs_that_are_not_platforms(graph, place, rule):
    with pytest.raises(InvalidInput) as refusal:
        from_networkx(graph)
    assert refusal.value.place.startswith(place)
    assert rule in refusal.value.rule
    assert "\n" not in str(refusal.value)


def test_opposite_arcs_of_a_multigraph_are_not_parallel():
    graph = graph_with(nx.MultiDiGraph, (0, 1, {"cost": 1}), (1, 0, {"cost": 2}))
    assert [arc.cost for arc in from_networkx(graph).arcs] == [1, 2]


def test_node_attributes_that_are_numbers_become_node_data():
    graph = nx.DiGraph()
    graph.add_node("a", compute="0.1", size=3, label="router", up=True, pos=(0, 1), id=7, none=None)
    graph.add_node("b", speed=Fraction(1, 3))
    graph.nodes["b"][5] = 5
    assert from_networkx(graph).node_data == {
        "a": {"compute": Fraction(1, 10), "size": 3},
        "b": {"speed": Fraction(1, 3)},
    }


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ({"compute": "fast"}, "compute"),
        ({"compute": None}, "compute"),
        ({"compute": True}, "compute"),
        ({"compute": 0.5}, "compute"),
        ({"speed": 0.5}, "speed"),
        ({"speed": float("nan")}, "speed"),
        ({"speed": 1j}, "speed"),
    ],
)
def test_inexact_node_attributes_are_refused(attributes, name):
    graph = nx.DiGraph()
    graph.add_node("a", **attributes)
    with pytest.raises(InvalidInput) as refusal:
        from_networkx(graph)
    assert refusal.value.place == f"node a, {name}"


# ------------------------------------------------------------------ files


def file(folder: Path, name: str, written: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(written.encode() if isinstance(written, str) else written)
    return path


def node_link(cost: str, **more: str) -> str:
    rest = "".join(f', "{name}": {value}' for name, value in more.items())
    return (
        '{"directed": true, "multigraph": false, "graph": {}, "nodes": [{"id": "a"}, {"id": 2}], '
        f'"links": [{{"source": "a", "target": 2, "cost": {cost}{rest}}}]}}'
    )


def graphml(cost: str, kind: str = "double", extra: str = "", way: str = "directed") -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="c" for="edge" attr.name="cost" attr.type="{kind}"/>
  <key id="w" for="node" attr.name="compute" attr.type="double"><default>0.3</default></key>
  <key id="y" for="node" yfiles.type="nodegraphics"/>
  <graph edgedefault="{way}">
    <node id="a"><data key="w">1e-1</data><data key="y"><shape/></data></node>
    <node id="b"/>
    <edge source="a" target="b"><data key="c">{cost}</data></edge>{extra}
  </graph>
</graphml>"""


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
        (
            "0.1000000000000000055511151231257827",
            Fraction(1000000000000000055511151231257827, 10**34),
        ),
        ("9007199254740993.0", Fraction(9007199254740993)),
        ("9007199254740993", Fraction(9007199254740993)),
        ("3", Fraction(3)),
        ("1E400", Fraction(10**400)),
        ("7" * 9000, Fraction(7 * (10**9000 - 1) // 9)),
    ],
)
def test_decimals_in_files_are_taken_as_they_are_written(tmp_path, written, value):
    read = read_platform(file(tmp_path, "p.json", node_link(written)))
    assert read.arcs[0].cost == value
    for kind in ("double", "float", "string", "int", "long"):
        path = file(tmp_path, "p.graphml", graphml(written, kind))
        assert read_platform(path).arcs[0].cost == value
    quoted = read_platform(file(tmp_path, "p.json", node_link(f'"{written}"', latency=written)))
    assert (quoted.arcs[0].cost, quoted.arcs[0].latency) == (value, value)


def test_a_graphml_file_in_full(tmp_path):
    read = read_platform(file(tmp_path, "p.graphml", graphml("3/7")))
    data = {"a": {"compute": "1/10"}, "b": {"compute": "3/10"}}
    assert read == Platform("ab", [("a", "b", "3/7")], data)
    undirected = read_platform(file(tmp_path, "p.graphml", graphml("3/7", way="undirected")))
    assert undirected == Platform("ab", [("a", "b", "3/7"), ("b", "a", "3/7")], data)
    without_namespace = graphml("3/7").replace(' xmlns="http://graphml.graphdrawing.org/xmlns"', "")
    assert read_platform(file(tmp_path, "p.xml", without_namespace)) == read


def test_an_edge_may_have_a_direction_of_its_own(tmp_path):
    one_way = '<edge source="b" target="a" directed="true"><data key="c">2</data></edge>'
    both = one_way.replace("true", "false")
    nodes = '<node id="c"/><node id="d"/>'
    for extra, way, arcs in (
        (one_way, "directed", ["a->b", "b->a"]),
        (nodes + both.replace('"b"', '"c"'), "directed", ["a->b", "c->a", "a->c"]),
        (nodes + one_way.replace('"b"', '"c"'), "undirected", ["a->b", "b->a", "c->a"]),
    ):
        read = read_platform(file(tmp_path, "p.graphml", graphml("1", extra=extra, way=way)))
        assert [str(arc) for arc in read.arcs] == arcs


def test_a_default_cost_counts(tmp_path):
    written = graphml("1", extra='<edge source="b" target="a"/>').replace(
        'attr.name="cost" attr.type="double"/>',
        'attr.name="cost" attr.type="double"><default>0.7</default></key>',
    )
    read = read_platform(file(tmp_path, "p.graphml", written))
    assert [arc.cost for arc in read.arcs] == [1, Fraction(7, 10)]


def test_a_weight_is_no_cost():
    """A graph as networkx's own functions take it: the error says who reads the weight."""
    graph = nx.DiGraph()
    graph.add_edge("a", "b", weight=3)
    with pytest.raises(InvalidInput, match=r'"cost".*exactsched\.nx takes .*weight="weight"'):
        interchange.from_networkx(graph)


def test_undirected_json_gives_both_arcs(tmp_path):
    written = node_link("5").replace('"directed": true', '"directed": false')
    read = read_platform(file(tmp_path, "p.json", written))
    assert [str(arc) for arc in read.arcs] == ["a->2", "2->a"]


def test_a_byte_order_mark_is_no_text(tmp_path):
    for name, written in (("p.json", node_link("1")), ("p.xml", graphml("1")), ("p", "")):
        path = file(tmp_path, name, b"\xef\xbb\xbf" + (written or graphml("1")).encode())
        assert len(read_platform(path).arcs) == 1


def two_nodes(rest: str) -> str:
    return '{"nodes": [{"id": "a"}, {"id": "b"}]' + rest + "}"


def one_node(name: str) -> str:
    return '{"directed": true, "links": [], "nodes": [{"id": ' + name + "}]}"


BAD_JSON = [
    # text, a piece of the place, a piece of the rule
    ("", "line 1, column 1", "not JSON"),
    ("pity", "line 1, column 1", "not JSON"),
    (node_link("1")[:-1], "line 1, column ", "a part of it"),
    (node_link("1")[:60], "line 1, column ", "a part of it"),
    (node_link("1") + "}", "line 1, column ", "not JSON"),
    ("[" * 200_000, "document", "nested too deeply"),
    ('{"a":' * 200_000, "document", "nested too deeply"),
    ("[]", "document", "node-link JSON is"),
    ("null", "document", "node-link JSON is"),
    ("{}", "document", "node-link JSON is"),
    ('{"format": "exactsched", "version": 1}', "document", "node-link JSON is"),
    (two_nodes(', "links": []'), "directed", "true, or false"),
    (two_nodes(', "directed": 1, "links": []'), "directed", "true, or false"),
    (two_nodes(', "directed": true'), "document", "exactly one of"),
    (two_nodes(', "directed": true, "links": [], "edges": []'), "document", "exactly one of"),
    ('{"directed": true, "nodes": {}, "links": []}', "nodes", "list of objects"),
    (two_nodes(', "directed": true, "links": {}'), "links", "list of objects"),
    ('{"directed": true, "nodes": [1], "links": []}', "nodes[0]", "an object"),
    ('{"directed": true, "nodes": [{}], "links": []}', "nodes[0]", '"id" is missing'),
    ('{"directed": true, "nodes": [], "links": []}', "nodes", "at least one node"),
    (one_node("[1]"), "nodes[0], id", "a node name"),
    (one_node("1.5"), "nodes[0], id", "a node name"),
    (one_node("null"), "nodes", "a node name"),
    (one_node("true"), "nodes", "a node name"),
    (one_node("9" * 5000), "nodes", "2^53"),
    ('{"directed": true, "nodes": [{"id": 1}, {"id": "1"}], "links": []}', "nodes", "same printed"),
    (two_nodes(', "directed": true, "links": [3]'), "links[0]", "an object"),
    (two_nodes(', "directed": true, "links": [{"source": "a"}]'), "links[0]", '"target" is'),
    (node_link("1").replace('"target": 2', '"target": {}'), "links[0], target", "a node name"),
    (node_link("1").replace('"target": 2', '"target": 2.0'), "links[0], target", "a node name"),
    (node_link("1").replace('"target": 2', '"target": "2"'), "arc 0", "not a node"),
    (node_link("1").replace('"target": 2', '"target": ' + "9" * 5000), "arc 0", "not a node"),
    (node_link("1").replace('"cost"', '"weight"'), "arc 0 (a->2)", 'an attribute "cost"'),
    (node_link("NaN"), "document", "not a number"),
    (node_link("-Infinity"), "document", "not a number"),
    (node_link("1", note="NaN"), "document", "not a number"),
    (node_link("0"), "arc 0 (a->2), cost", "positive"),
    (node_link("0.0"), "arc 0 (a->2), cost", "positive"),
    (node_link("-1"), "arc 0 (a->2), cost", "positive"),
    (node_link("null"), "arc 0 (a->2), cost", "exact number"),
    (node_link("true"), "arc 0 (a->2), cost", "truth value"),
    (node_link("[1]"), "arc 0 (a->2), cost", "exact number"),
    (node_link('"1/0"'), "arc 0 (a->2), cost", "denominator"),
    (node_link("1e99999"), "arc 0 (a->2), cost", "not a number"),
    (node_link("1", latency="-1"), "arc 0 (a->2), latency", "not negative"),
    (node_link("7" * 100_001), "document", "digits"),
    (node_link("7" * 100_001 + ".0" + "0" * 100_000), "arc 0 (a->2), cost", "digits"),
    (node_link('1, "cost": 2'), "document", "given twice"),
    (node_link("1").replace('"graph": {}', '"directed": true'), "document", "given twice"),
    (node_link("1").replace('{"id": 2}', '{"id": 2, "compute": "x"}'), "node 2, compute", "number"),
    (
        two_nodes(
            ', "directed": false, "edges": [{"source": "a", "target": "b", "cost": 1}, '
            '{"source": "b", "target": "a", "cost": 1}]'
        ),
        "arc 2",
        "given twice",
    ),
]

BAD_GRAPHML = [
    ("", "document", "not XML"),
    (graphml("1")[:-1], "document", "a part of it"),
    (graphml("1")[:300], "document", "a part of it"),
    ("<graphml></graphml>", "document", "one graph"),
    ("<gexf><graph/></gexf>", "document", "one graph"),
    ("<graphml><graph/><graph/></graphml>", "document", "one graph"),
    ("<a>" * 100_000, "document", "a part of it"),
    ("<a>" * 100_000 + "</a>" * 100_000, "document", "one graph"),
    (
        '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;&b;">]><graphml>&d;</graphml>',
        "document",
        "entities",
    ),
    (graphml("1", way="both"), "edge 0", 'edgedefault is "directed"'),
    (graphml("1").replace(' edgedefault="directed"', ""), "edge 0", "edgedefault is"),
    (graphml("1", extra='<edge source="b"/>'), "edge 1", '"target" is missing'),
    (graphml("1", extra='<edge target="b"/>'), "edge 1", '"source" is missing'),
    (graphml("1", extra="<node/>"), "node 2", '"id" is missing'),
    (graphml("1", extra='<node id="a"/>'), "nodes", "same printed name"),
    (graphml("1", extra='<node id="c"><graph/></node>'), "node", "graphs inside"),
    (graphml("1", extra="<hyperedge/>"), "graph", "one tail and one head"),
    (graphml("1", extra='<edge source="b" target="a"/>'), "arc 1 (b->a)", '"cost"'),
    (
        graphml("1", extra='<edge source="b" target="a"/>').replace("compute", "cost"),
        "arc 1 (b->a)",
        '"cost"',
    ),
    (graphml("1").replace('target="b"', 'target="c"'), "arc 0", "not a node"),
    (graphml("1").replace('<key id="c"', "<key"), "key 0", '"id" is missing'),
    (graphml("1").replace('<data key="c"', '<data key="z"'), "edge, data", "no key"),
    (graphml("1</data><data key='c'>2"), "edge, cost", "given twice"),
    (
        graphml("1", extra='<edge source="a" target="b"><data key="c">1</data></edge>'),
        "arc 1",
        "tw",
    ),
    (graphml("", kind="string"), "arc 0 (a->b), cost", "not a number"),
    (graphml("<b>1</b>"), "arc 0 (a->b), cost", "not a number"),
    (graphml("NaN"), "arc 0 (a->b), cost", "not a number"),
    (graphml("INF"), "arc 0 (a->b), cost", "not a number"),
    (graphml("true", kind="boolean"), "arc 0 (a->b), cost", "not a number"),
    (graphml("-0.5"), "arc 0 (a->b), cost", "positive"),
    (graphml("1").replace("1e-1", "fast"), "node a, compute", "not a number"),
]


def refusal_of(path: Path) -> InvalidInput:
    with pytest.raises(InvalidInput) as refusal:
        read_platform(path)
    shown = str(refusal.value)
    assert "\n" not in shown
    assert len(shown) < 400 + len(str(path))
    assert refusal.value.place.startswith(f"{path}: ")
    refusal.value.place = refusal.value.place.removeprefix(f"{path}: ")
    return refusal.value


@pytest.mark.parametrize(("written", "place", "rule"), BAD_JSON)
def test_bad_json_is_refused(tmp_path, written, place, rule):
    refusal = refusal_of(file(tmp_path, "p.json", written))
    assert refusal.place.startswith(place)
    assert rule in refusal.rule


@pytest.mark.parametrize(("written", "place", "rule"), BAD_GRAPHML)
def test_bad_graphml_is_refused(tmp_path, written, place, rule):
    refusal = refusal_of(file(tmp_path, "p.graphml", written))
    assert refusal.place.startswith(place)
    assert rule in refusal.rule


@pytest.mark.parametrize("name", ["p.json", "p.graphml", "p"])
def test_files_that_are_no_text_are_refused(tmp_path, name):
    for written in (
        b'{"directed": "\xff"}',
        "<graphml/>".encode("utf-16"),
        b"\x80",
    ):
        refusal = refusal_of(file(tmp_path, name, written))
        assert refusal.rule == "a platform is text in UTF-8"
    damaged = refusal_of(file(tmp_path, name, b"\x1f\x8b\x08"))
    assert damaged.rule == "a packed file is a whole file of gzip"


def test_files_that_cannot_be_read_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "missing.json", tmp_path / "no folder" / "x.json"):
        assert refusal_of(path).rule == "a platform is a file that can be read"
    for name in ("a\0b.json", "x" * 5000 + ".json", ""):
        with pytest.raises(InvalidInput, match="a file that can be read"):
            read_platform(name)


def test_too_large_files_are_refused(tmp_path, monkeypatch):
    path = file(tmp_path, "p.json", node_link("1"))
    monkeypatch.setattr(interchange, "MAX_BYTES", path.stat().st_size)
    assert len(read_platform(path).arcs) == 1
    monkeypatch.setattr(interchange, "MAX_BYTES", path.stat().st_size - 1)
    assert refusal_of(path).place == "file"


@given(st.data())
def test_a_truncated_file_is_never_a_platform(data):
    platform = data.draw(any_platform)
    name = data.draw(st.sampled_from(["p.json", "p.graphml"]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        write_platform(platform, path)
        written = path.read_bytes().rstrip()
        path.write_bytes(written[: data.draw(st.integers(0, len(written) - 1))])
        refusal_of(path)


@given(st.data())
def test_damaged_files_give_a_platform_or_one_clear_line(data):
    platform = data.draw(platforms(max_nodes=3, latencies=True, compute=True))
    name = data.draw(st.sampled_from(["p.json", "p.graphml"]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        write_platform(platform, path)
        written = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 3))):
            start = data.draw(st.integers(0, len(written) - 1))
            end = start + data.draw(st.integers(0, 8))
            written[start:end] = data.draw(st.binary(max_size=4) | st.sampled_from(SNIPPETS))
        path.write_bytes(written)
        # Most damage is refused, some is harmless; nothing raises anything else.
        with contextlib.suppress(InvalidInput):
            assert isinstance(read_platform(path), Platform)


SNIPPETS = [b'"', b"{", b"]", b"<", b"/>", b"&", b"null", b"-", b"1e9", b"\\u0000", b"&#0;", b"NaN"]


# ------------------------------------------------------------------ writing


@pytest.mark.parametrize("name", ["p", "p.txt", "p.json.gz"])
def test_an_unknown_suffix_is_not_written(tmp_path, name):
    with pytest.raises(InvalidInput, match=r"ends in \.json, \.graphml, \.xml"):
        write_platform(built_in("ring:3"), tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["\x00", "\x1b[0m", "\ud800", "\ufffe"])
def test_names_that_xml_cannot_hold_are_for_json(tmp_path, name):
    for platform in (Platform([name], []), Platform(["a"], [], {"a": {name: 1}})):
        with pytest.raises(InvalidInput, match="XML cannot hold this name"):
            write_platform(platform, tmp_path / "p.graphml")
        assert not list(tmp_path.iterdir())
        assert rewritten(platform, "p.json") == platform


@pytest.mark.parametrize("name", [" a ", "a\nb", "\t\r", "<&>\"'", "]]>", "é\U0001f600", ""])
def test_names_that_xml_can_hold_are_kept(name):
    platform = Platform([name, "x"], [(name, "x", 1)], {"x": {name or "y": 2}})
    for suffix in (".json", ".graphml"):
        assert rewritten(platform, "p" + suffix) == platform


def test_node_data_called_id_is_not_written(tmp_path):
    for name in ("p.json", "p.graphml"):
        with pytest.raises(InvalidInput, match="cannot be told from the name"):
            write_platform(Platform(["a"], [], {"a": {"id": 1}}), tmp_path / name)


@pytest.mark.parametrize("name", ["p.json", "p.graphml"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, name, monkeypatch):
    path = tmp_path / name
    write_platform(built_in("ring:3"), path)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(InvalidInput, match=r"No space left on device.*cannot be written"):
        write_platform(built_in("ring:4"), path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [name]


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    for path in (tmp_path / "no folder" / "p.json", "a\0b.json"):
        with pytest.raises(InvalidInput, match="cannot be written"):
            write_platform(built_in("ring:3"), path)


def test_a_written_file_replaces_the_old_one_and_can_be_read_by_others(tmp_path):
    path = tmp_path / "p.json"
    write_platform(built_in("ring:3"), path)
    write_platform(built_in("ring:4"), path)
    assert read_platform(path) == built_in("ring:4")
    ordinary = file(tmp_path, "ordinary", "")
    assert path.stat().st_mode == ordinary.stat().st_mode


# ------------------------------------------------------------------ names


def test_a_built_in_name_or_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load_platform("grid:2x2") == built_in("grid:2x2")
    write_platform(built_in("ring:4"), "p.json")
    Path("p.json").rename("ring:3")
    assert load_platform("ring:3") == built_in("ring:3")
    assert load_platform("./ring:3") == built_in("ring:4")
    Path("ring:3").rename("mine")
    assert load_platform("mine") == built_in("ring:4")


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("missing.json", "a file that can be read"),
        ("folder/grid", "a file that can be read"),
        ("gird:4x4", "no such file, and no built-in platform has this name; did you mean grid:AxB"),
        ("grid:4", None),
        ("grid:", "type grid:AxB"),
        ("zzz", "no such file, and no built-in platform has this name; there are grid"),
        ("a\0b", "no such file"),
        ("x" * 5000, "no such file"),
        ("", "file"),
    ],
)
def test_names_of_nothing_say_what_to_write(name, rule, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if rule is None:
        assert len(load_platform(name).nodes) == 4
        return
    with pytest.raises(InvalidInput) as refusal:
        load_platform(name)
    assert rule in refusal.value.rule
    assert "\n" not in str(refusal.value)


def test_reading_and_writing_need_no_networkx(tmp_path):
    code = (
        "import sys; from exactsched.platforms.files import load_platform, write_platform\n"
        "write_platform(load_platform('tiers-2003'), sys.argv[1]); load_platform(sys.argv[1])\n"
        "sys.exit('networkx' in sys.modules)"
    )
    for name in ("p.json", "p.graphml"):
        command = [sys.executable, "-c", code, str(tmp_path / name)]
        assert subprocess.run(command, check=False).returncode == 0


# Switches and bandwidths.

FABRIC = Platform("abs", [("a", "s", "1/3"), ("s", "b", 2)], {"a": {"shard": 2}}, ["s"])


@pytest.mark.parametrize("name", ["fabric.json", "fabric.graphml"])
def test_switches_are_written_and_read(tmp_path, name):
    write_platform(FABRIC, str(tmp_path / name))
    read = load_platform(str(tmp_path / name))
    assert read == FABRIC
    assert read.switches == {"s"}
    assert from_networkx(to_networkx(FABRIC)) == FABRIC


OPTIONS = Platform("abst", FABRIC.arcs, {"a": {"shard": 2}}, "st", "st", "s")


@pytest.mark.parametrize("name", ["options.json", "options.graphml"])
def test_options_of_switches_are_written_and_read(tmp_path, name):
    write_platform(OPTIONS, str(tmp_path / name))
    read = load_platform(str(tmp_path / name))
    assert read == OPTIONS
    assert (read.multicast, read.reduces) == ({"s", "t"}, {"s"})
    assert from_networkx(to_networkx(OPTIONS)) == OPTIONS
    assert pickle.loads(pickle.dumps(OPTIONS)) == OPTIONS
    turned = OPTIONS.turned()
    assert (turned.switches, turned.multicast, turned.reduces) == ({"s", "t"}, {"s", "t"}, {"s"})
    assert OPTIONS.with_switches("st") != OPTIONS


@pytest.mark.parametrize(
    ("node", "rule"),
    [
        (
            {"role": "switch", "multicast": "maybe"},
            "node a, multicast: 'maybe': multicast, an",
        ),
        ({"role": "switch", "reduces": 1}, "node a, reduces: 1: reduces, an option of switches"),
        ({"multicast": "True"}, "multicast: 'a': this is an option of switches"),
        ({"role": "compute", "reduces": True}, "reduces: 'a': this is an option of switches"),
    ],
)
def test_options_that_are_refused(tmp_path, node, rule):
    path = tmp_path / "options.json"
    path.write_text(_links(cost=1).replace('{"id": "a"}', json.dumps({"id": "a"} | node)))
    with pytest.raises(InvalidInput, match=rule):
        load_platform(str(path))


def test_options_that_are_false_are_left_out(tmp_path):
    path = tmp_path / "options.json"
    path.write_text(_links(cost=1).replace('"id": "a"', '"id": "a", "reduces": false'))
    assert load_platform(str(path)).reduces == set()


@pytest.mark.parametrize("name", ["role", "multicast", "reduces"])
def test_node_data_that_would_be_read_as_an_option(tmp_path, name):
    platform = Platform("ab", [("a", "b", 1)], {"a": {name: 1}})
    with pytest.raises(InvalidInput, match="cannot be told from the"):
        write_platform(platform, tmp_path / "p.json")


def _links(**attributes):
    return json.dumps(
        {
            "directed": True,
            "multigraph": False,
            "graph": {},
            "nodes": [{"id": "a"}, {"id": "b"}],
            "edges": [{"source": "a", "target": "b"} | attributes],
        }
    )


@pytest.mark.parametrize(("written", "cost"), [(4, "1/4"), ("3/2", "2/3"), (0.25, 4)])
def test_a_bandwidth_is_the_inverse_of_a_cost(tmp_path, written, cost):
    path = tmp_path / "links.json"
    path.write_text(_links(bandwidth=written), encoding="utf-8")
    assert load_platform(str(path)).arcs[0].cost == Fraction(cost)


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"bandwidth": 0}, "a bandwidth is positive"),
        ({"bandwidth": "-1"}, "a bandwidth is positive"),
        ({"bandwidth": "fast"}, "bandwidth"),
        ({"bandwidth": 1, "cost": 1}, "not both"),
        ({}, 'or "bandwidth"'),
    ],
)
def test_bad_bandwidths_are_refused(tmp_path, attributes, words):
    path = tmp_path / "links.json"
    path.write_text(_links(**attributes), encoding="utf-8")
    with pytest.raises(InvalidInput, match=words):
        load_platform(str(path))


@pytest.mark.parametrize("role", ["router", 1, None, ["switch"]])
def test_other_roles_are_refused(tmp_path, role):
    path = tmp_path / "roles.json"
    written = json.loads(_links(cost=1))
    written["nodes"][0]["role"] = role
    path.write_text(json.dumps(written), encoding="utf-8")
    with pytest.raises(InvalidInput, match='"compute" or "switch"'):
        load_platform(str(path))


def test_a_role_may_be_said_of_all_nodes(tmp_path):
    path = tmp_path / "roles.json"
    written = json.loads(_links(cost=1))
    written["nodes"] = [{"id": "a", "role": "compute"}, {"id": "b", "role": "switch"}]
    path.write_text(json.dumps(written), encoding="utf-8")
    assert load_platform(str(path)).switches == {"b"}


def test_node_data_called_role_is_not_written(tmp_path):
    with pytest.raises(InvalidInput, match="cannot be told from the role"):
        write_platform(
            Platform("ab", [("a", "b", 1)], {"a": {"role": 1}}), str(tmp_path / "x.json")
        )


def test_the_platform_of_a_certificate_is_one_in_a_file(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text('{"nodes": ["a", "s", "b"], "arcs": [["a", "s", 0.1], ["s", "b", "1/3", 2]]}')
    expected = Platform("asb", [("a", "s", "1/10"), ("s", "b", "1/3", 2)])
    assert read_platform(path) == expected
    assert read_platform(path).name == "rows.json"
    path.write_text('{"nodes": ["a", "s"], "arcs": [["a", "s", 1]], "switches": ["s"]}')
    assert read_platform(path).switches == {"s"}
    for written, words in (
        ('{"nodes": ["a"], "arcs": [["a"]]}', "arc 0"),
        ('{"nodes": ["a"], "arcs": [7]}', r"arcs\[0\]"),
        ('{"nodes": ["a"], "arcs": {}}', "arcs"),
        ('{"nodes": ["a"], "arcs": [], "links": []}', "nodes, arcs, switches"),
        ('{"nodes": [["a"]], "arcs": []}', "node"),
    ):
        path.write_text(written)
        with pytest.raises(InvalidInput, match=words):
            read_platform(path)
