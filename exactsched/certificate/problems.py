"""What is asked, read from the member `problem`; and the prices of its resources."""

from __future__ import annotations

from collections.abc import Set
from fractions import Fraction
from typing import Any, Final

from exactsched.certificate.elements import (
    read_choice,
    read_filled,
    read_index,
    read_list,
    read_members,
    read_name,
    read_object,
    read_positive,
    read_rational,
    read_row,
    sketch,
)
from exactsched.certificate.nouns import resources
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import PORTS, RESTRICTIONS, Alltoall, Broadcast, Collective, Reduction

_MEMBERS: Final = {
    "broadcast": ("collective", "platform", "source", "ports", "restrict"),
    "alltoall": ("collective", "platform", "demands", "ports"),
    "reduction": ("collective", "platform", "owners", "goals", "size", "compute", "ports"),
}
# How often it is to be done, where that is not "for ever".
_COUNTED: Final = {"broadcast": "packets", "alltoall": "operations", "reduction": "operations"}


def read_problem(value: object, counted: bool) -> tuple[Collective, object]:
    """The problem, and the value of `packets` or `operations` where a run counts them."""
    if type(value) is dict and "collective" in value:
        collective = read_choice(value["collective"], "problem.collective", tuple(_MEMBERS))
    else:
        collective = "broadcast"  # for the message that says what is missing
    count = (_COUNTED[collective],) if counted else ()
    asked = read_members(value, "problem", _MEMBERS[collective] + count)
    ports: Any = read_choice(asked["ports"], "problem.ports", PORTS)
    try:
        platform = _platform(asked["platform"])
        problem: Collective
        if collective == "broadcast":
            problem = _broadcast(asked, platform, ports)
        elif collective == "alltoall":
            problem = Alltoall(platform, _demands(asked["demands"]), ports)
        else:
            problem = _reduction(asked, platform, ports)
    except Malformed:
        raise
    except InvalidInput as error:
        raise Malformed(f"problem: {error.place}", error.value, error.rule) from error
    return problem, asked[count[0]] if count else None


def _platform(value: object) -> Platform:
    place = "problem.platform"
    given = read_members(value, place, ("nodes", "arcs"))
    nodes = [
        read_name(node, f"{place}.nodes[{index}]")
        for index, node in enumerate(read_list(given["nodes"], f"{place}.nodes"))
    ]
    arcs = []
    for index, row in enumerate(read_list(given["arcs"], f"{place}.arcs")):
        at = f"{place}.arcs[{index}]"
        lengths = (3, 4)
        tail, head, *times = read_row(row, at, "[tail, head, cost] or with a latency", *lengths)
        exact_times = [read_positive(time, f"{at}[{2 + k}]") for k, time in enumerate(times)]
        arcs.append((read_name(tail, f"{at}[0]"), read_name(head, f"{at}[1]"), *exact_times))
    return Platform(nodes, arcs)


def _broadcast(asked: dict[str, Any], platform: Platform, ports: Any) -> Broadcast:
    restrict: Any = read_choice(asked["restrict"], "problem.restrict", RESTRICTIONS)
    return Broadcast(platform, read_name(asked["source"], "problem.source"), ports, restrict)


def _demands(value: object) -> tuple[Any, ...]:
    demands = []
    for index, row in enumerate(read_filled(value, "problem.demands")):
        place = f"problem.demands[{index}]"
        source, target, size = read_row(row, place, "[source, target, size]", 3)
        demands.append(
            (
                read_name(source, f"{place}[0]"),
                read_name(target, f"{place}[1]"),
                read_positive(size, f"{place}[2]"),
            )
        )
    return tuple(demands)


def _reduction(asked: dict[str, Any], platform: Platform, ports: Any) -> Reduction:
    owners = tuple(
        read_name(owner, f"problem.owners[{index}]")
        for index, owner in enumerate(read_filled(asked["owners"], "problem.owners"))
    )
    count = len(owners)
    goals = []
    for index, row in enumerate(read_filled(asked["goals"], "problem.goals")):
        place = f"problem.goals[{index}]"
        first, last, node = read_row(row, place, "[k, m, node]", 3)
        goals.append((_interval(first, last, place, count), read_name(node, f"{place}[2]")))
    size: Any
    if type(asked["size"]) is list:
        size = []
        for index, row in enumerate(asked["size"]):
            place = f"problem.size[{index}]"
            first, last, number = read_row(row, place, "[k, m, size]", 3)
            interval = _interval(first, last, place, count)
            size.append((*interval, read_positive(number, f"{place}[2]")))
    else:
        size = read_positive(asked["size"], "problem.size")
    compute = []
    for index, row in enumerate(read_list(asked["compute"], "problem.compute")):
        place = f"problem.compute[{index}]"
        shape = "[node, time] or [node, k, l, m, time]"
        node, *task, time = read_row(row, place, shape, 2, 5)
        indices = [read_index(i, f"{place}[{k + 1}]", count, "value") for k, i in enumerate(task)]
        exact_time = read_positive(time, f"{place}[{len(row) - 1}]")
        compute.append((read_name(node, f"{place}[0]"), *indices, exact_time))
    return Reduction(platform, owners, tuple(goals), size, tuple(compute), ports)


def _interval(first: object, last: object, place: str, count: int) -> tuple[int, int]:
    start = read_index(first, f"{place}[0]", count, "value")
    return start, read_index(last, f"{place}[1]", count, "value")


def read_node(value: object, place: str, nodes: Set[Node]) -> Node:
    node = read_name(value, place)
    if node not in nodes:
        raise Malformed(place, node, "not a node of the platform")
    return node


def read_prices(value: object, place: str, problem: Collective) -> dict[str, Fraction]:
    known = set(resources(problem))
    prices = {}
    for name, written in read_object(value, place).items():
        at = f"{place}.{name}"
        if name not in known:
            raise Malformed(at, name, "not a resource of this problem under its port model")
        prices[name] = read_rational(written, at)
        if prices[name] < 0:
            raise Malformed(at, sketch(written), "a price is not negative")
    return prices
