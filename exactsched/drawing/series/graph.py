"""The platform as a figure: nodes, arcs with their costs, and the structures on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from exactsched.certificate.bounds import CutBound
from exactsched.certificate.collectives import Certificate
from exactsched.drawing.layout.stress import node_places
from exactsched.drawing.lettering import printable, short
from exactsched.drawing.palette import INK, PAPER, SHADED
from exactsched.drawing.scene import Edge, Figure, Graph, Hint, Node, Panels, Scene
from exactsched.drawing.series.activity import arc_shares, principals
from exactsched.drawing.series.colors import Key
from exactsched.drawing.series.names import short_names
from exactsched.drawing.series.roles import Role, role_notes, roles_of, switch_roles
from exactsched.drawing.words.series import arc_name, isolated, out_of_reach
from exactsched.exact.words import counted
from exactsched.model.platform import Arc, Platform
from exactsched.model.problem import Collective

MOST_NODES = 1500
MOST_ARCS = 3000
_MOST_STRANDS = 8000
_COSTS_UP_TO = 90
_ALL_COSTS_UP_TO = 45
_TREES_FIRST = 60
_BANDWIDTHS_UP_TO = 8

# By arc, color by color in the order of weight: how wide the strand is.
Strands = dict[int, dict[str, Fraction]]


def certificate_figure(certificate: Certificate, key: Key) -> Figure:
    """The platform with its structures; throughput 0 marks the nodes that cannot be served."""
    missing = out_of_reach(certificate)
    alarm = f"The nodes on red ground wait for ever: {missing}." if missing else ""
    if missing and isinstance(certificate.proof, CutBound):
        alarm = "The nodes on red ground cannot be reached: no arc enters their set."
    return platform_figure(certificate.problem, key, isolated(certificate), alarm)


def platform_figure(
    problem: Collective, key: Key, alarming: Collection[object] = (), alarm: str = ""
) -> Figure:
    """The graph with the structures of a key as strands, as wide as `arc_shares` says."""
    figure = _figure(
        problem.platform,
        _strands(problem, key),
        roles_of(problem),
        principals(problem)[:1],
        1.2 + 2.4 * len(set(key.flow_colors)),
        alarming,
    )
    if figure.drawing is not None:
        figure = replace(figure, notes=(*figure.notes, *role_notes(problem)))
    return replace(figure, legend=tuple(key.entries), alarm=alarm)


def platform_scene(platform: Platform) -> Scene:
    """A platform alone: switches are shaded, and what they can do is written below their names.

    Notes say how many arcs have which bandwidth, and how many links they share.
    """
    figure = _figure(platform, {}, switch_roles(platform), (), 1.2, ())
    nodes = counted(len(platform.nodes), "node")
    if platform.switches:
        figure = replace(figure, notes=(*figure.notes, "Shaded nodes are switches."))
        nodes += f" (switches: {len(platform.switches):,})"
    figure = replace(figure, notes=(*figure.notes, *_bandwidths(platform)))
    size = f"{nodes}, {counted(len(platform.arcs), 'arc')}"
    title = f"Platform {printable(platform.name, 60)}" if platform.name else "Platform"
    return Scene(title, size, (Panels("", (figure,)),))


def _bandwidths(platform: Platform) -> Iterator[str]:
    counts = Counter(1 / arc.cost for arc in platform.arcs)
    if 1 < len(counts) <= _BANDWIDTHS_UP_TO:
        listed = sorted(counts.items(), reverse=True)
        said = ", ".join(f"{short(width)} on {counted(count, 'arc')}" for width, count in listed)
        yield f"Bandwidths, 1 / cost: {said}."
    if platform.links:
        routed = sum(bool(arc.route) for arc in platform.arcs)
        yield f"{counted(routed, 'arc')} share {counted(len(platform.links), 'link')}."


def _figure(
    platform: Platform,
    strands: Strands,
    roles: Mapping[Any, Role],
    roots: Sequence[Any],
    width: float,
    alarming: Collection[object],
) -> Figure:
    """The graph around the first of the roots; `roles` has the nodes that stand out.

    Graphs of more than `MOST_NODES` nodes are not drawn; notes say so, and what else was left out.
    """
    nodes, arcs = platform.nodes, platform.arcs
    if len(nodes) > MOST_NODES:
        size = f"{len(nodes):,} nodes and {len(arcs):,} arcs"
        note = f"A graph of {size} is not drawn (at most {MOST_NODES:,} nodes)."
        return Figure("Platform", None, notes=(note,), panel="graph")
    names, note = short_names(platform)
    notes: list[str | Hint] = [note] if note else []
    place = platform.position
    drawn = list(range(len(arcs)))
    if len(arcs) > MOST_ARCS:
        drawn = sorted(strands)[:MOST_ARCS] if strands else drawn[:MOST_ARCS]
        notes.append(f"{len(arcs) - len(drawn):,} of {len(arcs):,} arcs are not drawn.")
    labeled = _labeled(arcs, drawn, strands, notes)
    edges = tuple(
        Edge(
            place[arcs[arc].tail],
            place[arcs[arc].head],
            cost_label(arcs[arc]) if arc in labeled else "",
            f"{arc_name(arcs[arc])}: cost {short(arcs[arc].cost, 24)}",
            tuple(strands.get(arc, {}).items()),
        )
        for arc in drawn
    )
    # All links of a large graph make a ball of wool: those in use decide.
    used = sorted(strands) if len(nodes) > _TREES_FIRST and strands else range(len(arcs))
    links = [(place[arcs[arc].tail], place[arcs[arc].head]) for arc in used]
    places = node_places(len(nodes), links, place[roots[0]] if roots else 0)
    boxes = tuple(
        _node(names[node], node, roles.get(node, Role()), node in alarming) for node in nodes
    )
    graph = Graph(boxes, edges, places, label_noun="cost", width=min(9.0, width))
    return Figure("Platform", graph, notes=tuple(notes), panel="graph")


def _strands(problem: Collective, key: Key) -> Strands:
    shares = arc_shares(problem, key.flows)
    strands: Strands = {}
    for index in key.ranks:
        fill = key.flow_colors[index]
        for arc, share in shares[index].items():
            own = strands.setdefault(arc, {})
            own[fill] = own.get(fill, Fraction(0)) + share
    budget = _MOST_STRANDS
    for arc, own in strands.items():
        if len(own) > budget:
            # In the color of the heaviest only.
            strands[arc] = {next(iter(own)): sum(own.values(), Fraction(0))}
        budget -= len(strands[arc])
    return strands


def _labeled(
    arcs: tuple[Arc, ...], drawn: list[int], strands: Strands, notes: list[str | Hint]
) -> set[int]:
    """The arcs whose costs are written beside them; a note says where the others are told."""
    if not arcs:
        return set()
    if len({(arc.cost, arc.latency) for arc in arcs}) == 1:
        extra = f" and latency {short(arcs[0].latency)}" if arcs[0].latency else ""
        notes.append(f"Every arc has cost {short(arcs[0].cost)}{extra}.")
        return set()
    costs = {arc.cost for arc in arcs}
    if len(strands) > _COSTS_UP_TO or (not strands and len(arcs) > _ALL_COSTS_UP_TO):
        ends = f"Costs of arcs are from {short(min(costs))} to {short(max(costs))}."
        notes.append(Hint("Costs are shown when the pointer rests on an arc.", ends))
        return set()
    if len(arcs) > _ALL_COSTS_UP_TO:
        told = "Costs of unused arcs are shown when the pointer rests on them."
        notes.append(Hint(told, "Costs of unused arcs are left out."))
        return set(drawn) & set(strands)
    return set(drawn)


def cost_label(arc: Arc) -> str:
    """The time for a message of unit size; with a latency, the latency first."""
    cost = short(arc.cost, 7)
    return f"{short(arc.latency, 7)} + {cost}" if arc.latency else cost


def _node(name: str, node: object, role: Role, alarm: bool) -> Node:
    told = printable(node, 200) + role.told + (" (never reached)" if alarm else "")
    return Node(
        name,
        (role.values,) if role.values else (),
        told,
        INK if role.filled else SHADED if role.shaded else PAPER,
        ring=INK if role.ringed else "",
        alarm=alarm,
    )
