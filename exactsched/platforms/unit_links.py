"""What the families of built-in platforms share: numbered nodes, links both ways, sizes refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform, both_ways

MAX_SIZE = 1_000_000
"""No built-in platform has more nodes, or more arcs, than this."""

Link = tuple[int, int]


def from_links(size: int, links: Iterable[Link]) -> Platform:
    """The platform of the nodes 0..size-1 with these links, both ways, at cost 1.

    >>> [str(arc) for arc in from_links(3, [(0, 2)]).arcs]
    ['0->2', '2->0']
    """
    return Platform(range(size), both_ways((*link, 1) for link in links))


def check_integers(place: str, values: Sequence[object], least: int) -> None:
    """Raises `InvalidInput`, at this place, for the first value that is no integer from `least` on.

    >>> check_integers("grid, side", [4, 1], least=1)
    """
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise InvalidInput(place, value, f"write a whole number that is at least {least}")


def check_size(family: str, nodes: int, arcs: int) -> None:
    """Raises `InvalidInput` for more nodes or arcs than are built.

    >>> check_size("ring", 6, 12)
    """
    for size, things in ((nodes, "nodes"), (arcs, "arcs")):
        if size > MAX_SIZE:
            raise InvalidInput(f"{family}, {things}", size, f"at most {MAX_SIZE} are built")
