"""Structures of schedules, as tests write them down."""

from __future__ import annotations

from exactsched.certificate.collectives import Structure
from exactsched.model.tasks import Task


def planned_tree(operations: int, arcs: tuple[int, ...]) -> Structure:
    """A broadcast tree of these arcs, each after the one into its tail."""
    return Structure(operations, 0, tuple((arc,) for arc in arcs))


def planned_route(operations: int, demand: int, arcs: tuple[int, ...]) -> Structure:
    """A way of a demand's message along these arcs."""
    return Structure(operations, demand, tuple((arc, demand) for arc in arcs))


def planned_scheme(operations: int, tasks: tuple[Task, ...]) -> Structure:
    """A reduction tree or scheme of these tasks."""
    return Structure(operations, 0, tasks)
