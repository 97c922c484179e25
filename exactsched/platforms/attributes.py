"""Nodes and arcs with attributes, as files and graphs have them, and the platform that they say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from numbers import Number
from typing import Any, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.exact.exact_json import parsed_json
from exactsched.exact.rational import exact, text, to_json
from exactsched.model.platform import Arc, Node, Platform, both_ways

OPTIONS = ("multicast", "reduces")


class Link(NamedTuple):
    tail: Any
    head: Any
    directed: bool
    attributes: Mapping[Any, Any]

    @property
    def route(self) -> object:
        """The attribute `route`, a list or the text of one."""
        given = self.attributes.get("route", ())
        place = f"arc {self}, route"
        route = parsed_json(given, place) if type(given) is str else given
        if not isinstance(route, (tuple, list)):
            raise InvalidInput(place, given, "a route is a list of links, [name, cost]")
        return route

    @property
    def cost(self) -> object:
        """The attribute `cost`, or 1 / `bandwidth`."""
        if "bandwidth" not in self.attributes:
            return self.attributes["cost"]
        if "cost" in self.attributes:
            rule = "an arc has a cost or a bandwidth, which is 1 / cost, not both"
            raise InvalidInput(f"arc {self}", "bandwidth", rule)
        bandwidth = exact(self.attributes["bandwidth"], f"arc {self}, bandwidth")
        if bandwidth <= 0:
            raise InvalidInput(f"arc {self}, bandwidth", text(bandwidth), "a bandwidth is positive")
        return 1 / bandwidth

    def __str__(self) -> str:
        return f"{short(self.tail)}->{short(self.head)}"


def platform_of(nodes: Iterable[tuple[Any, Mapping[Any, Any]]], links: Iterable[Link]) -> Platform:
    """The one reading of nodes and links with their attributes."""
    listed = list(nodes)
    arcs: list[tuple[Any, ...]] = []
    for index, link in enumerate(links):
        if "cost" not in link.attributes and "bandwidth" not in link.attributes:
            given = sorted(map(short, link.attributes))
            rule = (
                'an arc needs an attribute "cost", the time per unit-size message, or "bandwidth"'
            )
            if "weight" in link.attributes:
                rule += '; exactsched.nx takes the names of others: weight="weight"'
            raise InvalidInput(f"arc {index} ({link})", given, rule)
        latency = link.attributes.get("latency", 0)
        arc = (link.tail, link.head, link.cost, latency, link.route)
        arcs += [arc] if link.directed else both_ways([arc])
    data = {name: _numbers(name, attributes) for name, attributes in listed}
    kept = {name: numbers for name, numbers in data.items() if numbers}
    switches = [name for name, attributes in listed if _is_switch(name, attributes)]
    options = [
        [name for name, attributes in listed if _has(name, attributes, option)]
        for option in OPTIONS
    ]
    return Platform([name for name, _ in listed], arcs, kept, switches, *options)


def _is_switch(node: Node, attributes: Mapping[Any, Any]) -> bool:
    role = attributes.get("role", "compute")
    if role not in ("compute", "switch"):
        rule = 'the role of a node is "compute" or "switch"'
        raise InvalidInput(f"node {short(node)}, role", role, rule)
    return bool(role == "switch")


def _has(node: Node, attributes: Mapping[Any, Any], option: str) -> bool:
    given = attributes.get(option, False)
    known = {"true": True, "false": False}
    value = known.get(given.lower()) if isinstance(given, str) else given
    if not isinstance(value, bool):
        rule = f"{option}, an option of switches, is true or false"
        raise InvalidInput(f"node {short(node)}, {option}", given, rule)
    return value


def options_of(platform: Platform, node: Node) -> dict[str, bool]:
    """The options that a switch has, as attributes."""
    return {option: True for option in OPTIONS if node in getattr(platform, option)}


def _numbers(node: Node, attributes: Mapping[Any, Any]) -> dict[str, Fraction]:
    numbers: dict[str, Fraction] = {}
    for name, value in attributes.items():
        if not isinstance(name, str) or name in ("id", *OPTIONS):
            continue
        try:
            numbers[name] = exact(value, f"node {short(node)}, {short(name)}")
        except InvalidInput:
            # Labels are dropped; an inexact number (a float of any library) is an error.
            if name == "compute" or (isinstance(value, Number) and not isinstance(value, bool)):
                raise
    return numbers


def short(name: object) -> str:
    """A name of any kind in a message of one line."""
    if isinstance(name, int) and name.bit_length() > 64:
        return "a long number"
    shown = name if isinstance(name, str) and name.isprintable() else repr(name)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def written_route(arc: Arc) -> list[list[object]]:
    return [[name, to_json(cost)] for name, cost in arc.route]


def check_data_names(node: Node, data: Mapping[str, Fraction]) -> None:
    for name, of in (("id", "name"), ("role", "role"), *((name, "options") for name in OPTIONS)):
        if name in data:
            rule = f"node data of this name cannot be told from the {of} of the node"
            raise InvalidInput(f"node {short(node)}", name, rule)
