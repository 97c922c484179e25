"""What is in a result, as tables: lists of rows, each a mapping of columns to values.

Nodes have their names, times are exact, and an edge is a pair (tail, head).  What a processor does
has its node at both ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any

from exactsched.certificate.around_cycle import SeriesAroundCycle
from exactsched.certificate.by_symmetry import SeriesBySymmetry
from exactsched.certificate.collectives import Run, Series, Slot
from exactsched.certificate.compact_series import CompactSeries
from exactsched.certificate.graphs import (
    BranchingPacking,
    ConcurrentBranchingPacking,
    MaximumFlow,
    MinimumCostArborescence,
)
from exactsched.certificate.linear_programs import (
    LinearInfeasibility,
    LinearOptimum,
    LinearUnboundedness,
)
from exactsched.certificate.logp import LogPSchedule
from exactsched.certificate.overlay import Overlay
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.exact.errors import InvalidInput
from exactsched.model.alltoall_among import AlltoallAmong
from exactsched.model.platform import Node
from exactsched.model.problem import Collective

Row = dict[str, Any]
Tables = dict[str, list[Row]]


def tables_of(record: Any) -> Tables:
    """The tables of a record by name, the one that is wanted first in front.

    | record | tables |
    |---|---|
    | a series | schedule: when each arc works in a period; structures |
    | a series around a cycle | schedule; structures, up to 4096 nodes; the cycle, node by node |
    | a series by symmetry | schedule; structures, if they can be written out; the routes stated |
    | a run | schedule: every transfer |
    | an overlay | arcs, with their rates |
    | a schedule on a LogP machine | messages |
    | synchronous rounds | sends |
    | a linear program | variables, rows |
    | a flow | arcs |
    | trees, branchings, matchings, links | of these, with their weights and edges |

    >>> from exactsched.graphs.flow import maximum_flow
    >>> tables_of(maximum_flow(2, 0, 1, [(0, 1)], [3]))["arcs"]
    [{'tail': 0, 'head': 1, 'capacity': 3, 'flow': 3}]
    """
    if isinstance(record, Series):
        return _of_series(record)
    if isinstance(record, CompactSeries):
        return _of_compact(record)
    if isinstance(record, Run):
        return {"schedule": list(_of_run(record))}
    if isinstance(record, Overlay):
        return {"arcs": list(_of_overlay(record))}
    if isinstance(record, SynchronousRun):
        return {"sends": list(_of_rounds(record))}
    if isinstance(record, LogPSchedule):
        sent = (message._asdict() for message in record.messages)
        messages = [row | {"start": row["start"] * record.tick} for row in sent]
        return {"messages": messages}
    if isinstance(record, (LinearOptimum, LinearInfeasibility, LinearUnboundedness)):
        return _of_program(record)
    if isinstance(record, MaximumFlow):
        columns = zip(record.arcs, record.capacities, record.flow, strict=True)
        arcs = [
            {"tail": tail, "head": head, "capacity": capacity, "flow": flow}
            for (tail, head), capacity, flow in columns
        ]
        return {"arcs": arcs}
    if isinstance(record, MinimumCostArborescence):
        chosen = ((record.arcs[arc], record.costs[arc]) for arc in record.tree)
        return {"tree": [{"tail": u, "head": v, "cost": cost} for (u, v), cost in chosen]}
    return _of_parts(record)


def table_of(tables: Tables, name: str | None) -> list[Row]:
    """The table of this name, or the first one.

    >>> table_of({"arcs": []}, None)
    []
    """
    if not tables:
        raise InvalidInput("table", name, "this result has no tables")
    if name is None:
        return next(iter(tables.values()))
    if name not in tables:
        raise InvalidInput("table", name, f"the tables of this result: {', '.join(tables)}")
    return tables[name]


def data_frame(rows: list[Row]) -> Any:
    """The rows as a data frame of pandas; exact numbers stay what they are."""
    try:
        import pandas
    except ImportError:
        rule = "type pip install 'exactsched[pandas]'"
        raise InvalidInput("to_pandas", "no pandas", rule) from None
    return pandas.DataFrame(rows, dtype=object)


def _of_series(series: Series) -> Tables:
    if series.schedule is None:
        return {"schedule": [], "structures": []}
    slots = _of_slots(series.problem, series.schedule.slots, series.schedule.tick)
    structures = [
        {"part": tree.part, "weight": tree.weight, "edges": tree.edges} for tree in series.trees
    ]
    return {"schedule": slots, "structures": structures}


def _of_compact(record: CompactSeries) -> Tables:
    """The tables of the series, if it can be written out, and one of what it is stated by."""
    own: Tables = {}
    if isinstance(record, SeriesAroundCycle):
        slots, tick = record.slots(), record.cost
        own["cycle"] = [{"node": node} for node in record.cycle]
    elif isinstance(record, SeriesBySymmetry):
        slots, tick = iter(record.slots), record.tick
        own["routes"] = list(_of_routes(record))
    if record.long:
        return {"schedule": _of_slots(record.problem, slots, tick)} | own
    return _of_series(record.written_out()) | own


def _of_routes(record: SeriesBySymmetry) -> Iterator[Row]:
    for source, target, share, taken in record.routes:
        edges = tuple(tuple(_ends(record.problem, arc).values()) for arc in taken)
        yield {"source": source, "target": target, "share": share, "edges": edges}


def _of_slots(
    problem: Collective | AlltoallAmong, slots: Iterable[Slot], tick: Fraction
) -> list[Row]:
    return [
        _ends(problem, place) | {"start": start * tick, "end": end * tick}
        for place, start, end in slots
    ]


def _of_run(run: Run) -> Iterator[Row]:
    for task, operation, start, end in run.rows:
        place, *item = run.tasks[task]
        told = {"operation": operation, "item": tuple(item)}
        yield _ends(run.problem, place) | told | {"start": start * run.tick, "end": end * run.tick}


def _ends(problem: Collective | AlltoallAmong, place: int) -> dict[str, Node]:
    arcs, nodes = problem.platform.arcs, problem.platform.nodes
    if place < len(arcs):
        return {"tail": arcs[place].tail, "head": arcs[place].head}
    return {"tail": nodes[place - len(arcs)], "head": nodes[place - len(arcs)]}


def _of_overlay(overlay: Overlay) -> Iterator[Row]:
    for sender, receiver, pieces in overlay.arcs:
        parts = sum(stop - start for start, stop in pieces)
        rate = overlay.throughput * parts / overlay.parts
        yield {"sender": sender, "receiver": receiver, "rate": rate, "pieces": pieces}


def _of_rounds(run: SynchronousRun) -> Iterator[Row]:
    for step, sends in enumerate(run.sends):
        for arc, packet in sends:
            tail, head, duration = run.arcs[arc]
            names = [run.names[node] if run.names else node for node in (tail, head)]
            yield {
                "step": step,
                "tail": names[0],
                "head": names[1],
                "packet": packet,
                "duration": duration,
            }


def _of_program(record: LinearOptimum | LinearInfeasibility | LinearUnboundedness) -> Tables:
    columns: dict[str, Any] = {}
    rows: dict[str, Any] = {}
    if isinstance(record, LinearOptimum):
        columns, rows = {"value": record.primal}, {"price": record.dual}
    elif isinstance(record, LinearInfeasibility):
        rows = {"multiplier": record.multipliers}
    else:
        columns = {"point": record.point, "ray": record.ray}
    return {
        "variables": _vectors("variable", len(record.program.objective), columns),
        "rows": _vectors("row", len(record.program.rows), rows),
    }


def _vectors(noun: str, count: int, vectors: dict[str, Any]) -> list[Row]:
    known = {name: dict(vector) for name, vector in vectors.items()}
    return [
        {noun: index} | {name: vector.get(index, 0) for name, vector in known.items()}
        for index in range(count if known else 0)
    ]


# Members that have the indices of arcs or edges in their parts.
_ARCS = ("arcs", "edges")


def _of_parts(record: Any) -> Tables:
    """The members that are lists of parts, with edges in place of their indices."""
    ends = next((getattr(record, name) for name in _ARCS if hasattr(record, name)), ())
    found: Tables = {}
    for member in fields(record):
        parts = getattr(record, member.name)
        listed = isinstance(parts, tuple) and parts and hasattr(parts[0], "_asdict")
        if listed and member.name not in ("roots", *_ARCS):
            found[member.name] = [_in_edges(part, ends) for part in parts]
    if isinstance(record, (BranchingPacking, ConcurrentBranchingPacking)):
        for row in found.get("branchings", ()):
            row["roots"] = record.roots[row.pop("root_set")].nodes
    return found


def _in_edges(part: Any, ends: Sequence[Any]) -> Row:
    row: Row = part._asdict()
    for name in [name for name in _ARCS if name in row]:
        row["edges"] = tuple(tuple(ends[index][:2]) for index in row.pop(name))
    return row
