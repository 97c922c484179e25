"""Which color means what: structures by weight, or demands, or the operations of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from exactsched.certificate.collectives import Certificate, Run, Series
from exactsched.drawing.lettering import and_more, counted, short
from exactsched.drawing.palette import COLORS, DEEP_TINT, FEW_COLORS, OTHER, color
from exactsched.drawing.scene import Entry
from exactsched.drawing.series.activity import Flow, Stint, flows, run_routes
from exactsched.drawing.series.names import short_names
from exactsched.drawing.words.series import (
    demand_name,
    operation_noun,
    part_names,
    run_noun,
    structure_noun,
)
from exactsched.model.platform import Node
from exactsched.model.problem import Alltoall, Collective

_ROUTES_IN_COLOR = 8


@dataclass(frozen=True, slots=True)
class Key:
    """Colors of the flows (structures) on the graph, and of the stints on the rows.

    `ranks` lists the flows from the heaviest; `entries` explains the colors in this order,
    `names` are the short names of the nodes.
    """

    flows: list[Flow]
    ranks: list[int]
    flow_colors: list[str]
    fill: Callable[[Stint], str]
    entries: list[Entry]
    names: Mapping[Node, str]


def key_of(certificate: Certificate) -> Key:
    """Structures have colors by weight, and those of too many demands by where they come from.

    Operations of a run have the colors of their routes if there are few, else in turn.
    """
    found = flows(certificate)
    names, _ = short_names(certificate.problem.platform)
    ranks = sorted(range(len(found)), key=lambda index: (-found[index].operations, index))
    problem = certificate.problem
    many = len(found) > COLORS or isinstance(certificate, Run)
    if isinstance(problem, Alltoall) and len(problem.demands) > 1 and many:
        return _by_demand(problem, found, ranks, names)
    if isinstance(certificate, Series):
        return _by_weight(certificate, found, ranks, names)
    if 1 < len(found) <= _ROUTES_IN_COLOR:
        return _by_route(certificate, found, ranks, names)
    return _in_turn(certificate, found, ranks, names)


def empty_key(problem: Collective) -> Key:
    """The key where nothing is sent yet."""
    names, _ = short_names(problem.platform)
    return Key([], [], [], lambda _: OTHER, [], names)


def _by_weight(
    certificate: Series, found: list[Flow], ranks: list[int], names: Mapping[Node, str]
) -> Key:
    colors = [OTHER] * len(found)
    # Nobody tells that many colors from each other: then only the heaviest have one.
    shown = ranks if len(ranks) <= COLORS else ranks[:FEW_COLORS]
    for rank, index in enumerate(shown):
        colors[index] = color(rank)
    problem = certificate.problem
    period = certificate.schedule.period if certificate.schedule else Fraction(1)
    noun, times = structure_noun(problem), operation_noun(problem)
    entries = []
    for index in shown:
        flow = found[index]
        to = ""
        if parts := part_names(problem, names):
            to = f", {parts[flow.part]}"
        rate = short(flow.operations / period)
        a_period = counted(flow.operations, times)
        said = f"{noun} {index + 1}{to}: {rate} per time unit, {a_period} a period"
        entries.append(Entry(colors[index], said))
    if rest := ranks[len(shown) :]:
        rate = short(sum((found[index].operations for index in rest), Fraction(0)) / period)
        entries.append(Entry(OTHER, f"{and_more(len(rest))}: {rate} per time unit together"))
    return Key(found, ranks, colors, lambda one: colors[one.stream], entries, names)


def _by_demand(
    problem: Alltoall, found: list[Flow], ranks: list[int], names: Mapping[Node, str]
) -> Key:
    """A color for each demand, or each source, or each target, whichever are few enough.

    If none are, the colors of the sources repeat, or of the demands of a single one.
    """
    demands = problem.demands
    ways: list[list[tuple[object, str]]] = [
        [(index, demand_name(one, names)) for index, one in enumerate(demands)],
        [(one.source, f"from {names[one.source]}") for one in demands],
        [(one.target, f"to {names[one.target]}") for one in demands],
    ]
    few = [way for way in ways if 1 < len(set(way)) <= COLORS]
    groups = few[0] if few else ways[1] if len(problem.sources) > 1 else ways[0]
    counts = Counter(groups)
    of_group = {group: color(rank) for rank, group in enumerate(counts)}
    listed = list(counts.items())[: COLORS if len(counts) <= COLORS else FEW_COLORS]
    entries = []
    for group, count in listed:
        more = f" ({counted(count, 'message')})" if count > 1 else ""
        entries.append(Entry(of_group[group], group[1] + more))
    if len(listed) < len(counts):
        more = and_more(len(counts) - len(listed))
        entries.append(Entry(OTHER, f"{more}, in {COLORS} colors that repeat"))
    of_demand = [of_group[group] for group in groups]
    colors = [of_demand[flow.part] for flow in found]
    return Key(found, ranks, colors, lambda one: of_demand[one.task[1]], entries, names)


def _by_route(run: Run, found: list[Flow], ranks: list[int], names: Mapping[Node, str]) -> Key:
    colors = [OTHER] * len(found)
    for rank, index in enumerate(ranks):
        colors[index] = color(rank)
    index_of = {frozenset(flow.tasks): index for index, flow in enumerate(found)}
    # An alltoall comes here with a single demand: one route for each operation.
    streams = {stream: colors[index_of[frozenset(tasks)]] for stream, _, tasks in run_routes(run)}
    noun, times = structure_noun(run.problem), run_noun(run.problem)
    entries = [
        Entry(colors[index], f"{noun} {index + 1}: {counted(found[index].operations, times)}")
        for index in ranks
    ]
    return Key(found, ranks, colors, lambda one: streams[one.stream], entries, names)


def _in_turn(run: Run, found: list[Flow], ranks: list[int], names: Mapping[Node, str]) -> Key:
    noun, times = structure_noun(run.problem), run_noun(run.problem)
    one = f"all {times}s take one {noun}"
    routes = one if len(found) == 1 else f"the {times}s take {len(found)} different {noun}s"
    entries = [Entry(DEEP_TINT, f"arcs in use: {routes}")]
    return Key(
        found, ranks, [DEEP_TINT] * len(found), lambda one: color(one.stream % 8), entries, names
    )
