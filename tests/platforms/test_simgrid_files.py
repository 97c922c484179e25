"""SimGrid's XML: routes as planted, optima by hand, what is refused, and SimGrid's own routes."""

from __future__ import annotations

import json
import os
import subprocess
from fractions import Fraction
from itertools import combinations, permutations
from math import isclose, prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.cli import main
from exactsched.exact.errors import InvalidInput
from exactsched.export import simgrid
from exactsched.model.platform import Platform
from exactsched.platforms.files import load_platform
from exactsched.platforms.simgrid_files import links, reader
from exactsched.platforms.simgrid_files.reader import read_simgrid
from exactsched.steady_state.alltoall import alltoall
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.combination import order_free_allreduce

HEAD = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
"""


def full(inside: str) -> str:
    return f'{HEAD}<platform version="4.1"><zone id="z" routing="Full">\n{inside}</zone></platform>'


def hosts(*names: str) -> str:
    return "".join(f'<host id="{name}" speed="1Gf"/>' for name in names)


def link(name: str, bandwidth: str = "1kBps", policy: str = "SHARED") -> str:
    said = f'bandwidth="{bandwidth}" latency="1us" sharing_policy="{policy}"'
    return f'<link id="{name}" {said}/>'


def route(src: str, dst: str, *links: str, more: str = "") -> str:
    """A link of a route is its name, or its name and a direction, as in "wire UP"."""
    inside = ""
    for one in links:
        name, _, direction = one.partition(" ")
        inside += f'<link_ctn id="{name}"' + (f' direction="{direction}"/>' if direction else "/>")
    return f'<route src="{src}" dst="{dst}"{more}>{inside}</route>'


def routes(platform: Platform) -> dict[str, list[str]]:
    return {str(arc): [name for name, _ in arc.route] for arc in platform.arcs}


# Two hosts over one link of 1000 bytes per second.

SHARED, SPLIT, FATPIPE = (
    full(hosts("a", "b") + link("l", policy=policy) + route("a", "b", used))
    for policy, used in (("SHARED", "l"), ("SPLITDUPLEX", "l UP"), ("FATPIPE", "l"))
)


@pytest.mark.parametrize(
    ("written", "one_way", "other_way", "throughput"),
    [
        (SHARED, "l", "l", 500),  # both messages of an alltoall on one link
        (SPLIT, "l_UP", "l_DOWN", 1000),
        (FATPIPE, "l a->b", "l b->a", 1000),
    ],
)
def test_sharing_policies(written, one_way, other_way, throughput):
    platform = read_simgrid(written)
    assert routes(platform) == {"a->b": [one_way], "b->a": [other_way]}
    assert {arc.cost for arc in platform.arcs} == {Fraction(1, 1000)}
    solution = alltoall(platform, [("a", "b"), ("b", "a")], ports="routes")
    assert solution.throughput == throughput


def test_a_link_is_shared_by_default():
    assert read_simgrid(SHARED.replace(' sharing_policy="SHARED"', "")) == read_simgrid(SHARED)


def test_a_policy_keeps_its_old_name():
    assert read_simgrid(SPLIT.replace("SPLITDUPLEX", "FULLDUPLEX")) == read_simgrid(SPLIT)
    policy = 'sharing_policy="FULLDUPLEX"'
    assert read_simgrid(cluster("1-3", policy)) == read_simgrid(cluster("1-3"))


def test_a_half_of_a_link_is_the_same_half_both_ways():
    platform = read_simgrid(SPLIT.replace('"l" direction="UP"', '"l_UP"'))
    assert routes(platform) == {"a->b": ["l_UP"], "b->a": ["l_UP"]}


@pytest.mark.parametrize(
    ("written", "bytes_per_second"),
    [
        ("1Bps", 1),
        ("8bps", 1),
        ("1.25e2MBps", 125 * 10**6),
        ("0.1kBps", 100),
        ("1/3Gbps", Fraction(10**9, 24)),
        ("1KiBps", 1024),
        ("2MiBps", 2**21),
        ("1Gibps", 2**27),
        ("3TBps", 3 * 10**12),
        ("1TiBps", 2**40),
        ("41.279125MBps", 41279125),
    ],
)
def test_units_of_bandwidths(written, bytes_per_second):
    platform = read_simgrid(SHARED.replace("1kBps", written))
    assert platform.links == {"l": 1 / Fraction(bytes_per_second)}


# Zones.

INNER = (
    '<AS id="A" routing="Floyd">'
    + hosts("a", "b")
    + '<router id="r"/><router id="s"/>'
    + link("x", "2kBps")
    + link("y", policy="SPLITDUPLEX")
    + link("far")
    + link("u")
    + route("a", "r", "x")
    + route("r", "b", "y UP")
    + route("a", "s", "far")
    + route("s", "b", "u", "far")
    + '</AS><zone id="B" routing="Dijkstra">'
    + hosts("c", "d")
    + '<router id="q"/>'
    + link("cq", "3kBps", "SPLITDUPLEX")
    + link("more")
    + link("qd", "4kBps", "FATPIPE")
    + route("c", "q", "cq UP", "more")
    + route("q", "d", "qd")
    + "</zone>"
)
NESTED = full(
    INNER
    + link("wide", "9kBps", "SPLITDUPLEX")
    + '<zoneRoute src="A" dst="B" gw_src="r" gw_dst="q">'
    + '<link_ctn id="wide" direction="DOWN"/></zoneRoute>'
)
CLUSTERS = full(
    '<cluster id="A" prefix="n" suffix=".x" radical="0-1,5" speed="1Gf" bw="125MBps" lat="50us"'
    ' bb_bw="2.25GBps" bb_lat="500us"/>'
    '<cluster id="B" prefix="m" suffix="" radical="3-4" speed="1Gf" bw="1GBps" lat="0"'
    ' sharing_policy="SHARED" limiter_link="3GBps" loopback_bw="9GBps" loopback_lat="0"/>'
    '<cluster id="C" prefix="k" suffix="" radical="1-2" speed="1Gf" bw="1GBps" lat="0"'
    ' router_id="door" bb_bw="2GBps" bb_lat="0" bb_sharing_policy="FATPIPE"/>'
    + link("w", "10GBps")
    + link("v", "1Gbps")
    + '<zoneRoute src="A" dst="B" gw_src="nA_router.x" gw_dst="mB_router">'
    '<link_ctn id="w"/></zoneRoute>'
    '<zoneRoute src="C" dst="A" gw_src="door" gw_dst="n5.x"><link_ctn id="w"/></zoneRoute>'
    '<ASroute src="B" dst="C" gw_src="mB_router" gw_dst="door"><link_ctn id="v"/></ASroute>'
)
RING = full(
    hosts("a", "b", "c", "d")
    + "".join(link(name, policy="SPLITDUPLEX") for name in ("ab", "bc", "cd"))
    + route("a", "b", "ab UP")
    + route("b", "c", "bc DOWN")
    + route("d", "c", "cd UP")
).replace("Full", "Dijkstra")


def test_routes_through_zones():
    found = routes(read_simgrid(NESTED))
    assert found["a->b"] == ["x", "y_UP"]  # the way over s has one link more
    assert found["b->a"] == ["y_DOWN", "x"]
    assert found["a->c"] == ["x", "wide_DOWN", "more", "cq_DOWN"]
    assert found["c->a"] == ["cq_UP", "more", "wide_UP", "x"]
    assert found["d->b"] == ["qd d->b", "wide_UP", "y_UP"]
    assert len(found) == 12


def test_routes_of_clusters():
    platform = read_simgrid(CLUSTERS)
    assert platform.nodes == ("n0.x", "n1.x", "n5.x", "m3", "m4", "k1", "k2")
    found = routes(platform)
    assert found["n0.x->n5.x"] == ["A_link_0_UP", "A_backbone", "A_link_5_DOWN"]
    limited = ["B_link_3_limiter", "B_link_3", "B_link_4", "B_link_4_limiter"]
    assert found["m3->m4"] == limited
    assert found["n1.x->m4"] == ["A_link_1_UP", "A_backbone", "w", "B_link_4", "B_link_4_limiter"]
    assert found["k1->k2"] == ["C_link_1_UP", "C_backbone k1->k2", "C_link_2_DOWN"]
    assert found["n5.x->k1"] == ["w", "C_backbone n5.x->k1", "C_link_1_DOWN"]
    assert found["m3->k2"][2:] == ["v", "C_backbone m3->k2", "C_link_2_DOWN"]


def cluster(radical: str, more: str = "") -> str:
    return (
        f'{HEAD}<platform version="4"><config id="General">'
        '<prop id="maxmin/precision" value="1e-5"/></config>'
        f'<cluster id="C" prefix="" suffix="" radical="{radical}" bw="100Bps" {more}>'
        '<prop id="model" value="X"/></cluster></platform>'
    )


def topology(name: str, parameters: str, count: int, more: str = "") -> str:
    said = f'speed="1Gf" lat="1us" topology="{name}" topo_parameters="{parameters}"'
    return cluster(f"0-{count - 1}", f"{said} {more}")


@pytest.mark.parametrize("count", [2, 3, 5])
def test_a_cluster_without_a_backbone_is_a_complete_one_port_graph(count):
    platform = read_simgrid(cluster(f"1-{count}"))
    arcs = [(u, v, Fraction(1, 100)) for u, v in permutations(platform.nodes, 2)]
    ports = Platform(platform.nodes, arcs)
    everyone = list(permutations(platform.nodes, 2))
    assert alltoall(platform, everyone, ports="routes").throughput == Fraction(100, count - 1)
    assert broadcast(platform, "1", ports="routes").throughput == 100
    assert (
        order_free_allreduce(platform, ports="routes").throughput
        == order_free_allreduce(ports).throughput
    )


def test_a_backbone_carries_every_message():
    platform = read_simgrid(cluster("1-4", 'bb_bw="60Bps"'))
    everyone = list(permutations(platform.nodes, 2))
    assert alltoall(platform, everyone, ports="routes").throughput == Fraction(60, 12)


def test_two_clusters_over_a_wire():
    """The backbone of the larger one carries all of its messages, in, out and inside."""
    platform = read_simgrid(
        full(
            '<cluster id="A" prefix="a" suffix="" radical="1-4" bw="90Bps" bb_bw="90Bps"/>'
            '<cluster id="B" prefix="b" suffix="" radical="1-2" bw="90Bps" bb_bw="90Bps"/>'
            + link("wire", "90Bps")
            + '<zoneRoute src="A" dst="B" gw_src="aA_router" gw_dst="bB_router">'
            '<link_ctn id="wire"/></zoneRoute>'
        )
    )
    everyone = list(permutations(platform.nodes, 2))
    # 12 messages inside, 8 each way between; a broadcast reaches 3 hosts inside, and goes out once.
    assert alltoall(platform, everyone, ports="routes").throughput == Fraction(90, 12 + 16)
    assert broadcast(platform, "a1", ports="routes").throughput == Fraction(90, 3 + 1)


# Zones of direct routes, in two ways.


@st.composite
def full_zones(draw: st.DrawFn) -> tuple[str, Platform]:
    """A Full zone, and the platform that it describes, built by hand."""
    names = ["a", "b", "c", "d"][: draw(st.integers(2, 4))]
    policies = draw(st.lists(st.sampled_from(["SHARED", "SPLITDUPLEX", "FATPIPE"]), min_size=1))
    policies = policies[:5]
    costs = [Fraction(1, draw(st.integers(1, 9)) * 125) for _ in policies]
    inside = hosts(*names)
    for index, (policy, cost) in enumerate(zip(policies, costs, strict=True)):
        inside += link(f"l{index}", f"{8 / cost}bps", policy)
    ways = {}
    for u, v in combinations(names, 2):
        both = draw(st.booleans())
        for one, other in [(u, v)] if both else [(u, v), (v, u)]:
            some = st.lists(st.integers(0, len(policies) - 1), min_size=1, unique=True)
            used = [
                (k, draw(st.sampled_from(["UP", "DOWN"])) if policies[k] == "SPLITDUPLEX" else "")
                for k in draw(some)
            ]
            more = "" if both else ' symmetrical="NO"'
            steps = [f"l{k} {way}".strip() for k, way in used]
            inside += route(one, other, *steps, more=more)
            ways[one, other] = used
            if both:
                turn = {"UP": "DOWN", "DOWN": "UP", "": ""}
                ways[other, one] = [(k, turn[way]) for k, way in used[::-1]]

    def name(k: int, way: str, u: str, v: str) -> str:
        split = f"_{way}" if way else ""
        return f"l{k} {u}->{v}" if policies[k] == "FATPIPE" else f"l{k}{split}"

    arcs = []
    for u, v in permutations(names, 2):
        path = [(name(k, way, u, v), costs[k]) for k, way in ways[u, v]]
        arcs.append((u, v, max(cost for _, cost in path), 0, path))
    return full(inside), Platform(names, arcs)


@given(full_zones())
def test_full_zones(made):
    written, platform = made
    assert read_simgrid(written) == platform


# What is refused, where.


def said(line: int, tag: str, rule: str) -> str:
    return f"line {line}, {tag}: .*{rule}"


BASE = hosts("a", "b") + link("l") + "\n"
AB = route("a", "b", "l")
FLOYD_TIE = full(
    hosts("a", "b")
    + '<router id="r"/><router id="s"/>'
    + link("l")
    + link("m")
    + route("a", "r", "l")
    + route("r", "b", "m")
    + route("a", "s", "m")
    + route("s", "b", "l")
).replace("Full", "Floyd")
REFUSED = {
    "no-route": (full(BASE), said(3, "zone", "the zone z has no such route")),
    "no-return": (
        full(BASE + route("a", "b", "l", more=' symmetrical="NO"')),
        said(3, "zone", "the zone z has no such route"),
    ),
    "empty": (full(BASE + route("a", "b")), said(5, "route", "at least one link")),
    "link-twice": (full(BASE + route("a", "b", "l", "l")), said(3, "zone", "this link twice")),
    "route-twice": (full(BASE + AB + route("b", "a", "l")), said(5, "route", "given twice")),
    "unknown-link": (full(BASE + route("a", "b", "m")), said(5, "link_ctn", "no link of this")),
    "unknown-end": (full(BASE + route("a", "c", "l")), said(5, "route", "no member of this name")),
    "missing-end": (full(BASE + '<route src="a"/>'), said(5, "route", '"dst" is missing')),
    "symmetry": (
        full(BASE + route("a", "b", "l", more=' symmetrical="maybe"')),
        said(5, "route", "symmetrical is YES or NO"),
    ),
    "direction-needed": (SPLIT.replace(' direction="UP"', ""), said(4, "link_ctn", "UP or DOWN")),
    "direction-unknown": (SPLIT.replace('"UP"', '"LEFT"'), said(4, "link_ctn", "UP or DOWN")),
    "direction-of-one": (full(BASE + route("a", "b", "l UP")), said(5, "link_ctn", "NONE")),
    "policy": (SHARED.replace("SHARED", "WIFI"), said(4, "link", "sharing_policy is SHARED or")),
    "state": (SHARED.replace("latency=", 'state="OFF" latency='), said(4, "link", "state is ON")),
    "profile": (
        SHARED.replace("latency=", 'bandwidth_file="x" latency='),
        said(4, "link", "this attribute is not understood"),
    ),
    "no-unit": (SHARED.replace("1kBps", "1000"), said(4, "link", "a number with a unit")),
    "unknown-unit": (SHARED.replace("1kBps", "1KBps"), said(4, "link", "a number with a unit")),
    "no-number": (SHARED.replace("1kBps", "fastBps"), said(4, "link", "a number with a unit")),
    "half-number": (SHARED.replace("1kBps", "1.2.3Bps"), "line 4, link, bandwidth: .*not a number"),
    "zero": (SHARED.replace("1kBps", "0Bps"), said(4, "link", "bandwidth is positive")),
    "negative": (SHARED.replace("1kBps", "-1Bps"), said(4, "link", "bandwidth is positive")),
    "link-again": (full(BASE + link("l") + AB), said(5, "link", "a name of its own")),
    "half-again": (
        full(BASE + link("m_UP") + link("m", policy="SPLITDUPLEX") + AB),
        said(5, "link", "a name of its own"),
    ),
    "split-again": (
        full(BASE + link("m", policy="SPLITDUPLEX") + link("m") + AB),
        said(5, "link", "a name of its own"),
    ),
    "name-of-a-part": (
        FATPIPE.replace("<route", link("l a->b") + "<route").replace("l a->b", "l a-&gt;b"),
        said(3, "zone", "the name of a part of a FATPIPE"),
    ),
    "host-again": (full(BASE + hosts("a") + AB), said(5, "host", "is there already")),
    "nameless": (full(BASE + hosts("") + AB), said(5, "host", "a name is not empty")),
    "host-attribute": (
        full(BASE + '<host id="c" state_file="x"/>' + AB),
        said(5, "host", "this attribute is not understood"),
    ),
    "in-a-host": (
        full(BASE + '<host id="c"><disk id="d"/></host>' + AB),
        said(5, "disk", "this element is not understood inside host"),
    ),
    "element": (
        full(BASE + AB + '\n<bypassRoute src="a" dst="b"/>'),
        said(6, "bypassRoute", "this element is not understood inside zone"),
    ),
    "routing": (SHARED.replace("Full", "Vivaldi"), said(3, "zone", "Full or Floyd or Dijkstra")),
    "tie": (FLOYD_TIE, said(3, "zone", "Floyd would choose between routes")),
    "unconnected": (
        full(BASE).replace("Full", "Dijkstra"),
        said(3, "zone", "the zone z has no such route"),
    ),
    "zones-by-route": (
        NESTED.replace("zoneRoute", "route").replace(' gw_src="r" gw_dst="q"', ""),
        said(4, "route", "a zoneRoute zones"),
    ),
    "hosts-by-zone-route": (
        full(BASE + AB.replace("route", "zoneRoute").replace(">", ' gw_src="a" gw_dst="b">', 1)),
        said(5, "zoneRoute", "a zoneRoute zones"),
    ),
    "gateway-elsewhere": (
        NESTED.replace('gw_src="r"', 'gw_src="q"'),
        said(4, "zoneRoute", "a gateway is a host or router in A"),
    ),
    "gateway-is-a-zone": (
        NESTED.replace('gw_src="r"', 'gw_src="A"'),
        said(4, "zoneRoute", "a gateway is a host or router in A"),
    ),
    "zone-route-in-floyd": (
        NESTED.replace('"Full"', '"Floyd"'),
        said(4, "zoneRoute", "routes between zones are read in Full zones only"),
    ),
    "topology": (cluster("0-3", 'topology="RING"'), "cluster: .*topology is FLAT or TORUS or"),
    "fatpipes": (cluster("0-3", 'sharing_policy="FATPIPE"'), "cluster: .*sharing_policy is SHARED"),
    "torus-without-sizes": (cluster("0-3", 'topology="TORUS"'), 'whole numbers, as in "3,2,2"'),
    "torus-of-0": (topology("TORUS", "2,0", 4), "cluster: .*topo_parameters are positive"),
    "torus-of-6": (topology("TORUS", "2,3", 4), "has 6 hosts, radical names 4"),
    "torus-of-1s": (topology("TORUS", "1,1,2", 2), "cluster: .*a name of its own"),
    "backbone-of-a-torus": (topology("TORUS", "2,2", 4, 'bb_bw="1Bps"'), "bb_bw is for FLAT"),
    "router-of-a-torus": (topology("TORUS", "4", 4, 'router_id="r"'), "router_id is for FLAT"),
    "fat-tree-without-levels": (topology("FAT_TREE", "2,2", 4), "levels, children, parents"),
    "fat-tree-of-3-levels": (topology("FAT_TREE", "3;2,2;1,1;1,1", 4), "levels, children, parents"),
    "fat-tree-of-9-hosts": (topology("FAT_TREE", "2;3,3;1,1;1,1", 4), "has 9 hosts"),
    "fat-tree-too-wide": (
        topology("FAT_TREE", "1;4;999999999;999999999", 4),
        "cluster: .*at most 4194304 links",
    ),
    "fat-tree-of-many-limited-switches": (
        topology("FAT_TREE", "2;2,2;3,3;1,1", 4, 'limiter_link="1Bps"'),
        "C_link_3_limiter': a link has a name, and a name of its own",
    ),
    "dragonfly-without-hosts": (topology("DRAGONFLY", "1,1;2,1;2,1", 4), "groups, chassis, blades"),
    "dragonfly-of-8-hosts": (topology("DRAGONFLY", "1,1;2,1;2,1;2", 4), "has 8 hosts"),
    "dragonfly-of-more-groups": (topology("DRAGONFLY", "2,1;1,1;1,1;2", 4), "as many groups as"),
    "parameters": (cluster("0-3", 'topo_parameters="2,2"'), "cluster: .*has no topo_parameters"),
    "radical": (cluster("0-3;5"), "cluster: .*radical is a list"),
    "radical-down": (cluster("3-0"), "cluster: .*a range in radical goes upwards"),
    "radical-long": (cluster("0-99999999"), "cluster: .*over at most"),
    "radical-many": (cluster("0-2000,3000-4000"), "cluster: .*at most 2048 hosts"),
    "radical-twice": (cluster("1-2,2"), "cluster: .*a number stands in radical once"),
    "split-backbone": (
        cluster("0-3", 'bb_bw="1Bps" bb_sharing_policy="SPLITDUPLEX"'),
        "cluster: .*bb_sharing_policy is SHARED or FATPIPE",
    ),
    "in-a-cluster": (
        cluster("0-3").replace("<prop id='", "").replace('<prop id="model" value="X"/>', "<x/>"),
        said(3, "x", "not understood inside cluster"),
    ),
    "version": (SHARED.replace("4.1", "3"), said(3, "platform", "simgrid_update_xml")),
    "two-zones": (
        SHARED.replace("</platform>", '<zone id="y" routing="Full"/></platform>'),
        said(3, "platform", "one outermost zone"),
    ),
    "no-zone": ('<platform version="4"/>', said(1, "platform", "one outermost zone")),
    "text": (full(BASE + AB + "\nmore"), "line 6: .*no text between elements"),
    "other-xml": ("<graphs/>", said(1, "graphs", "SimGrid's XML is a platform element")),
    "half": (SHARED[:-9], "not XML, or only a part"),
    "entity": (
        SHARED.replace('dtd">', 'dtd" [\n<!ENTITY x "l">]>'),
        "line 3, entity: .*entities are not expanded",
    ),
    "skipped-entity": (
        full(BASE + "&more;" + AB),
        "line 5, entity: .*entities are not expanded",
    ),
    "deep": (
        full("".join(f'<zone id="{k}" routing="Full">' for k in range(70)) + "</zone>" * 70),
        said(4, "zone", "at most 64 zones are nested"),
    ),
    "no-host": (full(""), "a platform has at least one node"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_line_element_and_rule(name):
    written, message = REFUSED[name]
    with pytest.raises(InvalidInput, match=message) as refusal:
        read_simgrid(written)
    assert "\n" not in str(refusal.value)


def test_limits(monkeypatch):
    monkeypatch.setattr(reader, "MAX_LINKS_OF_ROUTES", 11)
    with pytest.raises(InvalidInput, match="together have at most 11 links"):
        read_simgrid(cluster("1-3"))
    monkeypatch.setattr(reader, "MAX_LINKS_OF_ROUTES", 12)
    assert len(read_simgrid(cluster("1-3")).arcs) == 6
    monkeypatch.setattr(links, "MAX_LINKS", 1)
    with pytest.raises(InvalidInput, match="line 3, cluster: 'C_link_2': at most 1 links are read"):
        read_simgrid(cluster("1-3", 'sharing_policy="SHARED"'))
    monkeypatch.undo()
    monkeypatch.setattr(reader, "MAX_HOSTS", 1)
    with pytest.raises(InvalidInput, match="at most 1 hosts are read"):
        read_simgrid(SHARED)


def test_what_has_no_meaning_here_is_left_out():
    config = '<config id="General"><prop id="network/model" value="CM02"/></config>'
    more = '<!-- mine --><prop id="owner" value="me"/><router id="r"/>'
    loop = link("loopback", policy="FATPIPE") + route("a", "a", "loopback")
    written = full(hosts("a", "b") + link("l") + more + loop + AB)
    written = written.replace('<zone id="z"', f'{config}<zone id="z"')
    assert read_simgrid(written) == read_simgrid(SHARED)


# Files and the command.


@pytest.mark.parametrize("name", ["two.xml", "two", "two.graphml"])
def test_files_are_known_by_their_content(tmp_path, name):
    path = tmp_path / name
    path.write_text("<!-- two hosts -->" + SHARED.partition("?>")[2], encoding="utf-8")
    assert load_platform(str(path)) == read_simgrid(SHARED)


def test_refusals_begin_with_the_file(tmp_path):
    path = tmp_path / "two.xml"
    path.write_text(full(BASE), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"two\.xml: line 3, zone: 'a->b': the zone z has no"):
        load_platform(str(path))


def test_the_command(tmp_path, capsys):
    path, certificate = tmp_path / "two.xml", tmp_path / "two.json"
    path.write_text(SPLIT, encoding="utf-8")
    # Both add up each other's half, or one sends and gets the sum: 1000 a second either way.
    assert main(["allreduce", str(path), "--ports", "routes", "-o", str(certificate)]) == 0
    assert main(["check", str(certificate)]) == 0
    solved, checked = capsys.readouterr().out.split("two.json: ")
    assert "throughput 1000 proved optimal" in solved
    assert "throughput 1000 proved optimal" in checked


# SimGrid's own routes.

ROUTES = """
import json, sys, simgrid
engine = simgrid.Engine(["routes", "--log=root.thres:critical"])
engine.load_platform(sys.argv[1])
engine.netzone_root.seal()
hosts = engine.all_hosts
print("routes " + json.dumps([
    [u.name, v.name, [[link.name, link.bandwidth] for link in u.route_to(v)[0]]]
    for u in hosts for v in hosts if u.name != v.name]))
"""


@pytest.fixture(scope="module")
def python():
    """A Python that has SimGrid."""
    try:
        return simgrid._python()
    except InvalidInput as missing:
        pytest.skip(str(missing))


SHARED_LINKS = 'sharing_policy="SHARED"'
LIMITED = 'limiter_link="90Bps" loopback_bw="1kBps" loopback_lat="0"'
TOPOLOGIES = [
    *(
        topology("TORUS", sizes, count, more)
        for sizes, count in (("5", 5), ("3,2,2", 12), ("4,1,3", 12), ("2,6", 12))
        for more in ("", LIMITED)
    ),
    topology("TORUS", "4,4", 16, SHARED_LINKS),
    topology("FAT_TREE", "2;4,4;1,2;1,2", 16, LIMITED),
    topology("FAT_TREE", "2;3,2;2,2;1,3", 6),
    topology("FAT_TREE", "3;2,3,2;1,2,3;2,1,2", 12, SHARED_LINKS),
    topology("FAT_TREE", "3;2,2,3;1,1,2;3,2,4", 12, LIMITED),
    topology("FAT_TREE", "1;5;2;2", 5),
    topology("DRAGONFLY", "3,4;2,3;3,1;2", 36, LIMITED),
    topology("DRAGONFLY", "2,1;3,2;2,5;1", 12, SHARED_LINKS),
    topology("DRAGONFLY", "1,1;1,1;4,2;2", 8),
    topology("DRAGONFLY", "1,4;2,3;2,1;1", 4, LIMITED).replace("0-3", "0,1002-1004"),
    topology("TORUS", "2,2", 4, LIMITED).replace("0-3", "7,2-3,0"),
    topology("FAT_TREE", "2;2,2;1,2;1,2", 4, LIMITED).replace("0-3", "0,9,2-3"),
]
"""Dimensions of 1 and 2, even and odd ones, several cables, hosts that are not counted from 0."""

SEVERAL = full(
    "".join(
        f'<cluster id="{name}" prefix="{name}" suffix="" radical="0-{count - 1}" bw="100Bps"'
        f' lat="0" speed="1f" topology="{kind}" topo_parameters="{parameters}"/>'
        for name, kind, parameters, count in (
            ("T", "TORUS", "3,2", 6),
            ("F", "FAT_TREE", "2;3,2;2,2;1,1", 6),
            ("G", "FAT_TREE", "2;2,2;2,3;2,1", 4),
            ("D", "DRAGONFLY", "2,1;2,2;2,3;1", 8),
            ("E", "DRAGONFLY", "1,1;2,1;2,1;1", 4),
        )
    )
    + link("w")
    + "".join(
        f'<zoneRoute src="{one}" dst="{other}" gw_src="{one}1" gw_dst="{other}2">'
        '<link_ctn id="w"/></zoneRoute>'
        for one, other in combinations("TFGDE", 2)
    )
)


PLATFORMS = [SHARED, SPLIT, FATPIPE, NESTED, CLUSTERS, RING, SEVERAL, *TOPOLOGIES]


@pytest.mark.parametrize("written", PLATFORMS)
def test_routes_are_those_of_simgrid(python, written, tmp_path):
    # Through several zones SimGrid lists some of the links backwards.
    ordered = list if written in TOPOLOGIES else sorted
    assert read_simgrid(written).arcs
    assert_same_routes(python, written, tmp_path, ordered)


RANDOM_TOPOLOGIES = 10 * int(os.environ.get("EXACTSCHED_EXAMPLES", "1"))


@pytest.mark.parametrize("seed", range(RANDOM_TOPOLOGIES))
def test_random_topologies_have_the_routes_of_simgrid(python, seed, tmp_path):
    """EXACTSCHED_EXAMPLES=100 tries 1,000 of them, two or three clusters in a zone among them.

    Some have links of one name, or dragonflies without enough blades: what SimGrid aborts on is
    refused here.
    """
    dice = Random(seed)
    if dice.randrange(4):
        name, parameters, count = random_topology(dice)
        more = dice.choice(["", LIMITED, SHARED_LINKS, f"{LIMITED} {SHARED_LINKS}"])
        first = dice.choice([0, 1, 7])
        written = topology(name, parameters, count, more)
        written = written.replace(f'"0-{count - 1}"', f'"{first}-{first + count - 1}"')
        assert_same_routes(python, written, tmp_path, list)
    else:
        made = [(*random_topology(dice), who) for who in "ABC"[: dice.randint(2, 3)]]
        assert_same_routes(python, joined(dice, made), tmp_path, sorted)


def random_topology(dice):
    """Its name, its parameters, and how many hosts it has: at most 24."""
    name, count = dice.choice(["TORUS", "FAT_TREE", "DRAGONFLY"]), 0
    while not 2 <= count <= 24:
        if name == "TORUS":
            sides = [dice.randint(1, 5) for _ in range(dice.randint(1, 4))]
            parameters, count = written_list(sides), prod(sides)
        elif name == "FAT_TREE":
            levels = dice.randint(1, 3)
            down = [dice.randint(1, 4) for _ in range(levels)]
            up, cables = ([dice.randint(1, 3) for _ in range(levels)] for _ in range(2))
            parameters = ";".join([str(levels), *map(written_list, (down, up, cables))])
            count = prod(down)
        else:
            groups, chassis, blades = ([dice.randint(1, 3) for _ in range(2)] for _ in range(3))
            nodes = dice.randint(1, 3)
            parameters = ";".join(map(written_list, (groups, chassis, blades, [nodes])))
            count = groups[0] * chassis[0] * blades[0] * nodes
    return name, parameters, count


def written_list(numbers):
    return ",".join(map(str, numbers))


def joined(dice, clusters):
    """Clusters in a zone, with a link between any two of them."""
    inside = "".join(
        f'<cluster id="{who}" prefix="{who}" suffix="" radical="0-{count - 1}" bw="100Bps"'
        f' lat="0" speed="1f" topology="{name}" topo_parameters="{parameters}"/>'
        for name, parameters, count, who in clusters
    )
    return full(
        inside
        + link("w", policy=dice.choice(["SHARED", "FATPIPE"]))
        + "".join(
            f'<zoneRoute src="{one[3]}" dst="{other[3]}" gw_src="{one[3]}{dice.randrange(one[2])}"'
            f' gw_dst="{other[3]}{dice.randrange(other[2])}"><link_ctn id="w"/></zoneRoute>'
            for one, other in combinations(clusters, 2)
        )
    )


def assert_same_routes(python, written, tmp_path, ordered):
    path = tmp_path / "platform.xml"
    path.write_text(written, encoding="utf-8")
    asked = [python, "-c", ROUTES, str(path)]
    answer = subprocess.run(asked, capture_output=True, text=True, timeout=120)
    if answer.returncode:
        with pytest.raises(InvalidInput, match=r"a name of its own|at most as many groups"):
            read_simgrid(written)
        return
    lines = answer.stdout.splitlines()
    listed = next(line for line in lines if line.startswith("routes "))
    theirs = {(u, v): links for u, v, links in json.loads(listed.removeprefix("routes "))}
    arcs = read_simgrid(written).arcs
    assert theirs.keys() == {(arc.tail, arc.head) for arc in arcs}
    for arc in arcs:
        ours = ordered((name.partition(" ")[0], 1 / cost) for name, cost in arc.route)
        known = ordered(theirs[arc.tail, arc.head])
        assert [name for name, _ in ours] == [name for name, _ in known]
        assert all(isclose(one, other) for (_, one), (_, other) in zip(ours, known, strict=True))
