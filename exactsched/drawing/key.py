"""Which color means what: structures by weight, or demands, or the packets of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from exactsched.certificate import (
    Certificate,
    CollectiveRun,
    CollectiveSeries,
    RunCertificate,
    SeriesCertificate,
)
from exactsched.drawing.canvas import (
    COLORS,
    OTHER,
    SOFT_INK,
    Fragment,
    color,
    lettered,
    stacked,
    tag,
)
from exactsched.drawing.lettering import clipped, counted, printable, short, text_width
from exactsched.drawing.timeline import Bar, Flow, flows, run_routes
from exactsched.drawing.wording import demand_name, operation_noun, structure_noun
from exactsched.problem import Gossip

_ROUTES_IN_COLOR = 8
_ROUTE = "#41607f"
_LINE = 19
_SIZE = 11.5


@dataclass(frozen=True, slots=True)
class Key:
    """Colors of the flows (structures) on the graph, and of the bars on the rows.

    `ranks` lists the flows from the heaviest; `entries` explains the colors in this order.
    """

    flows: list[Flow]
    ranks: list[int]
    flow_colors: list[str]
    fill: Callable[[Bar], str]
    entries: list[tuple[str, str]]


def key_of(certificate: Certificate) -> Key:
    """Structures have colors by weight, and those of too many demands by where they come from.

    Packets and operations of a run have the colors of their routes if there are few, else in turn.
    """
    found = flows(certificate)
    ranks = sorted(range(len(found)), key=lambda index: (-found[index].operations, index))
    problem = certificate.problem
    if isinstance(problem, Gossip) and (
        len(found) > COLORS or (isinstance(certificate, CollectiveRun) and len(problem.demands) > 1)
    ):
        return _by_demand(problem, found, ranks)
    if isinstance(certificate, (SeriesCertificate, CollectiveSeries)):
        return _by_weight(certificate, found, ranks)
    assert isinstance(certificate, (RunCertificate, CollectiveRun))
    if 1 < len(found) <= _ROUTES_IN_COLOR:
        return _by_route(certificate, found, ranks)
    return _in_turn(certificate, found, ranks)


def _by_weight(
    certificate: SeriesCertificate | CollectiveSeries, found: list[Flow], ranks: list[int]
) -> Key:
    colors = [OTHER] * len(found)
    for rank, index in enumerate(ranks[:COLORS]):
        colors[index] = color(rank)
    problem = certificate.problem
    period = certificate.schedule.period if certificate.schedule else Fraction(1)
    noun, times = structure_noun(problem), operation_noun(problem)
    entries = []
    for index in ranks[:COLORS]:
        flow = found[index]
        to = f", {demand_name(problem.demands[flow.part])}" if isinstance(problem, Gossip) else ""
        rate = short(flow.operations / period)
        a_period = counted(flow.operations, times)
        shown = f"{noun} {index + 1}{to}: {rate} per time unit, {a_period} a period"
        entries.append((colors[index], shown))
    if len(ranks) > COLORS:
        entries.append((OTHER, f"the {len(ranks) - COLORS} lightest {noun}s"))
    return Key(found, ranks, colors, lambda bar: colors[bar.stream], entries)


def _by_demand(problem: Gossip, found: list[Flow], ranks: list[int]) -> Key:
    """A color for each demand, or each source, or each target, whichever are few enough."""
    names = [demand_name(demand) for demand in problem.demands]
    sources = [f"from {printable(demand.source, 24)}" for demand in problem.demands]
    targets = [f"to {printable(demand.target, 24)}" for demand in problem.demands]
    ways = [groups for groups in (names, sources, targets) if 1 < len(set(groups)) <= COLORS]
    groups = (ways or [sources])[0]
    listed = list(dict.fromkeys(groups))
    of_group = {name: color(rank) for rank, name in enumerate(listed[:COLORS])}
    of_demand = [of_group.get(name, OTHER) for name in groups]
    entries = []
    for name in listed[:COLORS]:
        count = groups.count(name)
        more = f" ({counted(count, 'message')} of an operation)" if count > 1 else ""
        entries.append((of_group[name], name + more))
    if len(listed) > COLORS:
        entries.append((OTHER, f"the others, {len(listed) - COLORS}"))
    colors = [of_demand[flow.part] for flow in found]
    return Key(found, ranks, colors, lambda bar: of_demand[bar.task[1]], entries)


def _by_route(run: RunCertificate | CollectiveRun, found: list[Flow], ranks: list[int]) -> Key:
    colors = [OTHER] * len(found)
    for rank, index in enumerate(ranks):
        colors[index] = color(rank)
    index_of = {frozenset(flow.tasks): index for index, flow in enumerate(found)}
    # A gossip comes here with a single demand: one route for each operation.
    streams = {stream: colors[index_of[frozenset(tasks)]] for stream, _, tasks in run_routes(run)}
    noun, times = structure_noun(run.problem), _run_noun(run)
    entries = [
        (colors[index], f"{noun} {index + 1}: {counted(found[index].operations, times)}")
        for index in ranks
    ]
    return Key(found, ranks, colors, lambda bar: streams[bar.stream], entries)


def _in_turn(run: RunCertificate | CollectiveRun, found: list[Flow], ranks: list[int]) -> Key:
    noun, times = structure_noun(run.problem), _run_noun(run)
    one = f"all {times}s take one {noun}"
    routes = one if len(found) == 1 else f"the {times}s take {len(found)} different {noun}s"
    entries = [(_ROUTE, f"arcs in use: {routes}")]
    return Key(found, ranks, [_ROUTE] * len(found), lambda bar: color(bar.stream % 8), entries)


def _run_noun(run: RunCertificate | CollectiveRun) -> str:
    return "packet" if isinstance(run, RunCertificate) else "operation"


def legend(key: Key, width: float) -> Fragment:
    """The entries of a key in one column, or in two if they fit."""
    widest = max((text_width(shown, _SIZE) for _, shown in key.entries), default=0) + 34
    columns = 2 if len(key.entries) > 4 and 2 * widest <= width else 1
    lines = -(-len(key.entries) // columns)
    body = []
    for index, (fill, shown) in enumerate(key.entries):
        x, y = index // lines * (width / columns), index % lines * _LINE
        body.append(tag("rect", x=x, y=y + 3, width=16, height=11, rx=2, fill=fill))
        body.append(lettered(clipped(shown, width - 24, _SIZE), x + 24, y + 12.5, _SIZE))
    return Fragment(width, lines * _LINE, "".join(body))


def notes(lines: list[str], width: float) -> Fragment:
    """Small print: each line is broken where the width ends."""
    broken: list[str] = []
    for line in lines:
        current = ""
        for word in line.split():
            longer = f"{current} {word}".strip()
            if current and text_width(longer, 10.5) > width:
                broken.append(current)
                longer = word
            current = longer
        broken.append(clipped(current, width, 10.5))
    return stacked(
        (Fragment(width, 10, lettered(line, 0, 9, 10.5, fill=SOFT_INK)) for line in broken), 5
    )
