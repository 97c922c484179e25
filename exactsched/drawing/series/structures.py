"""Trees and routes one by one: for each, the platform with nothing but this structure on it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from exactsched.certificate.collectives import Certificate, Series
from exactsched.drawing.lettering import counted, short
from exactsched.drawing.scene import Entry, Figure, Graph, Panels
from exactsched.drawing.series.colors import Key
from exactsched.drawing.words.series import (
    operation_noun,
    part_names,
    run_noun,
    structure_noun,
)
from exactsched.model.problem import Reduction

MOST = 12
_NODES_UP_TO = 64
_WIDTH = 3.5


def structure_panels(certificate: Certificate, key: Key, whole: Figure) -> Panels | None:
    """The heaviest structures, each on the graph of the `whole` figure.

    Nothing of reductions, whose trees have times of their own, and of graphs that are not drawn
    or have too many nodes.
    """
    problem, graph = certificate.problem, whole.drawing
    arcs = len(problem.platform.arcs)
    if isinstance(problem, Reduction) or not key.ranks or not isinstance(graph, Graph):
        return None
    if len(graph.nodes) > _NODES_UP_TO or len(graph.edges) < arcs:
        return None
    noun, parts = structure_noun(problem), part_names(problem, key.names)
    figures = []
    for index in key.ranks[:MOST]:
        flow, fill = key.flows[index], key.flow_colors[index]
        used = {task[0] for task in flow.tasks}
        edges = tuple(
            replace(edge, strands=((fill, Fraction(1)),) if arc in used else ())
            for arc, edge in enumerate(graph.edges)
        )
        said = counted(flow.operations, run_noun(problem))
        if isinstance(certificate, Series) and certificate.schedule:
            rate = short(flow.operations / certificate.schedule.period)
            said = f"{rate} {operation_noun(problem)}s per time unit"
        part = f", {parts[flow.part]}" if parts else ""
        legend = (Entry(fill, f"{noun} {index + 1}{part}: {said}"),)
        drawn = replace(graph, edges=edges, width=_WIDTH)
        figures.append(Figure(noun.capitalize(), drawn, legend=legend, panel="trees"))
    left = len(key.ranks) - len(figures)
    notes = (f"The {MOST} heaviest of {counted(len(key.ranks), noun)}.",) if left else ()
    return Panels(f"{noun.capitalize()}s one by one", tuple(figures), notes, where="page")
