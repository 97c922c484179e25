"""The platform: a directed graph whose arcs carry the time to send one unit-size message."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import repeat
from operator import attrgetter, eq, is_
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, cast

from exactsched.exact.arguments import are_all, plain, rows_of
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import are_fractions, exact, is_fraction, pasteable, text, to_json
from exactsched.exact.words import counted

Node = int | str

# JSON readers in other languages would round an integer name of this size.
_TOO_LARGE = 2**53
NO_LATENCY: Final = Fraction(0)

# Nodes and arcs, and letters, of platforms that are shown in full.
_WRITTEN_OUT = 60
_LONGEST = 1000


class SharedLink(NamedTuple):
    """A link that several arcs use: a message of size s keeps it busy for s * cost time units."""

    name: str
    cost: Fraction


@pasteable
@dataclass(frozen=True, slots=True)
class Arc:
    """A link from `tail` to `head`; a message of size s takes `latency + s * cost` time units.

    `route` lists the shared links that messages on the arc use, if it is known.
    """

    tail: Node
    head: Node
    cost: Fraction
    latency: Fraction = NO_LATENCY
    route: tuple[SharedLink, ...] = ()

    def __str__(self) -> str:
        return f"{self.tail}->{self.head}"


class ArcColumns(NamedTuple):
    """The members of many arcs, of each member a list: what documents are read as."""

    tails: Sequence[Node]
    heads: Sequence[Node]
    costs: Sequence[Fraction]
    latencies: Sequence[Fraction]
    routes: Sequence[tuple[SharedLink, ...]]


_MEMBERS = attrgetter("tail", "head", "cost", "latency", "route")
# What a platform has of all arcs.
_COLUMNS: Final = ("tails", "heads", "costs", "latencies")
_NUMERATOR = attrgetter("numerator")


@dataclass(frozen=True)
class Platform:
    """A validated, immutable platform G = (V, E, c): nodes, arcs in a fixed order, node data.

    `arcs` holds `Arc`s or tuples (tail, head, cost) or (tail, head, cost, latency) or (tail, head,
    cost, latency, route), numbers as `exactsched.exact.rational.exact` takes them.  Costs are
    positive times per unit-size message, latencies are not negative.  A route is a list of links
    (name, cost), each once and of the same cost in all routes; the cost of its arc is the largest
    of theirs.  Node names are integers or strings, and different nodes print
    differently (so 1 and "1" cannot both be nodes); integers are below 2^53.  Arcs are referred to
    by their index.  `node_data` maps a node to exact numbers by name, such as its `compute` time.
    `switches` are nodes that have no data of their own: they only forward what they receive.  Those
    in `multicast` may also copy it, those in `reduces` may combine what they receive.

    Raises `InvalidInput` for a name of another type, duplicate nodes or arcs, loops, unknown
    end nodes, and costs that are not positive exact numbers.

    >>> Platform(["a", "b"], [("a", "b", "1/2")]).arcs[0].cost
    Fraction(1, 2)
    """

    # For the titles of pictures: platforms are equal whatever they are called.
    name: ClassVar[str] = ""

    nodes: tuple[Node, ...]
    # Of columns they are made when they are asked for: who checks a certificate never does.
    arcs: tuple[Arc, ...] = cached_property(lambda self: self._made_arcs())  # type: ignore
    node_data: Mapping[Node, Mapping[str, Fraction]] = field(default_factory=dict)
    switches: frozenset[Node] = frozenset()
    multicast: frozenset[Node] = frozenset()
    reduces: frozenset[Node] = frozenset()

    def __init__(
        self,
        nodes: Iterable[Node],
        arcs: Iterable[Arc | tuple[Any, ...]] | ArcColumns,
        node_data: Mapping[Node, Mapping[str, object]] | None = None,
        switches: Iterable[Node] = (),
        multicast: Iterable[Node] = (),
        reduces: Iterable[Node] = (),
    ) -> None:
        object.__setattr__(self, "nodes", _checked_nodes(nodes))
        known = self.position
        self._set_arcs(arcs if isinstance(arcs, ArcColumns) else rows_of(arcs))
        object.__setattr__(self, "node_data", _checked_node_data(node_data or {}, known))
        object.__setattr__(self, "switches", _checked_switches(switches, known))
        for option, nodes in (("multicast", multicast), ("reduces", reduces)):
            object.__setattr__(self, option, _checked_option(option, nodes, self.switches))

    def __hash__(self) -> int:
        return hash((self.nodes, self.arcs))

    def __reduce__(self) -> tuple[Any, ...]:
        data = {node: dict(values) for node, values in self.node_data.items()}
        options = self.switches, self.multicast, self.reduces
        return Platform, (self.nodes, self.arcs, data, *options)

    def called(self, name: str) -> Platform:
        """Itself, with the name that pictures tell; who has made it may say so once.

        >>> pair = Platform("ab", [("a", "b", 1)])
        >>> pair.called("pair").name, pair == Platform("ab", [("a", "b", 1)])
        ('pair', True)
        """
        object.__setattr__(self, "name", name)
        return self

    def __str__(self) -> str:
        return f"Platform({counted(len(self.nodes), 'node')}, {counted(len(self.arcs), 'arc')})"

    def __repr__(self) -> str:
        """An expression for this platform, so that it can be pasted; if that is long, `str`.

        >>> Platform("ab", [("a", "b", "1/2", 3)], {"b": {"compute": 2}}, ["a"])
        Platform(['a', 'b'], [('a', 'b', '1/2', 3)], {'b': {'compute': 2}}, ['a'])
        >>> print(Platform("ab", [("a", "b", "1/2", 3)]))
        Platform(2 nodes, 1 arc)
        """
        if len(self.nodes) + len(self.arcs) > _WRITTEN_OUT:
            return str(self)
        data = {
            node: {name: to_json(value) for name, value in values.items()}
            for node, values in self.node_data.items()
        }
        arguments: list[Any] = [list(self.nodes), [_written(arc) for arc in self.arcs], data]
        for marked in (self.switches, self.multicast, self.reduces):
            arguments.append([node for node in self.nodes if node in marked])
        while not arguments[-1] and len(arguments) > 2:  # what is not said
            arguments.pop()
        written = f"Platform({', '.join(map(repr, arguments))})"
        return written if len(written) <= _LONGEST else str(self)

    @cached_property
    def links(self) -> dict[str, Fraction]:
        """The cost of every shared link by its name, in the order of the routes.

        >>> Platform("ab", [("a", "b", 2, 0, [("up", 1), ("down", 2)])]).links["down"]
        Fraction(2, 1)
        """
        return {name: cost for arc in self.arcs for name, cost in arc.route}

    @cached_property
    def tails(self) -> tuple[Node, ...]:
        """The tail of every arc."""
        return tuple([arc.tail for arc in self.arcs])

    @cached_property
    def heads(self) -> tuple[Node, ...]:
        """The head of every arc."""
        return tuple([arc.head for arc in self.arcs])

    @cached_property
    def costs(self) -> tuple[Fraction, ...]:
        """The cost of every arc."""
        return tuple([arc.cost for arc in self.arcs])

    @cached_property
    def latencies(self) -> tuple[Fraction, ...]:
        """The latency of every arc."""
        return tuple([arc.latency for arc in self.arcs])

    @property
    def first_late(self) -> Arc | None:
        """The first arc with a latency, if there is one.

        >>> print(Platform("ab", [("a", "b", 2), ("b", "a", 2, 1)]).first_late)
        b->a
        """
        if self.latencies.count(NO_LATENCY) == len(self.latencies):
            return None
        return next(arc for arc in self.arcs if arc.latency)

    def _set_arcs(self, given: tuple[Arc | tuple[Any, ...], ...] | ArcColumns) -> None:
        columns = given if isinstance(given, ArcColumns) else _columns_of(given)
        if columns is None or not _are_plain(columns, self.position):
            rows = tuple(zip(*given, strict=True)) if isinstance(given, ArcColumns) else given
            object.__setattr__(self, "arcs", _arcs_one_by_one(rows, self.position))
        elif isinstance(given[0], Arc):
            object.__setattr__(self, "arcs", given)
        else:
            self.__dict__.update(zip(_COLUMNS, map(tuple, columns), strict=False))

    def _made_arcs(self) -> tuple[Arc, ...]:
        """One member set after the other: half the time of a call for each arc."""
        made = tuple(map(object.__new__, repeat(Arc, len(self.tails))))
        columns = self.tails, self.heads, self.costs, self.latencies, repeat(())
        for name, column in zip(Arc.__slots__, columns, strict=True):
            deque(map(getattr(Arc, name).__set__, made, column), maxlen=0)
        return made

    @cached_property
    def position(self) -> dict[Node, int]:
        """The index of every node in `nodes`."""
        return dict(zip(self.nodes, range(len(self.nodes)), strict=True))

    def turned(self) -> Platform:
        """The same platform with every arc turned round, in the same order.

        >>> [str(arc) for arc in Platform("ab", [("a", "b", 1)]).turned().arcs]
        ['b->a']
        """
        return self.with_arcs(replace(arc, tail=arc.head, head=arc.tail) for arc in self.arcs)

    def with_arcs(self, arcs: Iterable[Arc | tuple[Any, ...]]) -> Platform:
        """The same nodes, in the same roles, with other arcs."""
        options = self.switches, self.multicast, self.reduces
        return Platform(self.nodes, arcs, self.node_data, *options)

    def with_switches(self, switches: Iterable[Node]) -> Platform:
        """The same nodes and arcs with these switches, all of which only forward.

        >>> star = Platform("as", [("a", "s", 1)], None, "s", "s", "s")
        >>> star.with_switches("s") == Platform("as", [("a", "s", 1)], None, "s")
        True
        """
        return Platform(self.nodes, self.arcs, self.node_data, switches)

    def refuse_options(self, why: str) -> None:
        """Raises `InvalidInput` where a switch may copy or combine."""
        for option in ("multicast", "reduces"):
            for node in self.nodes:
                if node in getattr(self, option):
                    raise InvalidInput(f"platform, {option}", node, why)

    def node_named(self, name: str, place: str) -> Node:
        """The node that prints as `name`; raises `InvalidInput` naming some that exist.

        >>> Platform([0, 1], [(0, 1, 1)]).node_named("1", "--source")
        1
        """
        for node in self.nodes:
            if str(node) == name:
                return node
        some = ", ".join(map(str, self.nodes[:8])) + (", ..." if len(self.nodes) > 8 else "")
        raise InvalidInput(place, name, f"not a node of the platform; its nodes are {some}")


def _written(arc: Arc) -> tuple[object, ...]:
    """The shortest tuple for an arc."""
    route = [(name, to_json(cost)) for name, cost in arc.route]
    arguments = (arc.tail, arc.head, to_json(arc.cost), to_json(arc.latency), route)
    return arguments if route else arguments[:4] if arc.latency else arguments[:3]


def one_line(name: object) -> str:
    """A name without line breaks and control characters: they are escaped.

    >>> one_line("a\\nb"), one_line(7)
    ('a\\\\nb', '7')
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(name))


def both_ways(links: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The two arcs (u, v, ...) and (v, u, ...) of every undirected link (u, v, ...), in this order.

    >>> both_ways([("a", "b", "1/2")])
    [('a', 'b', '1/2'), ('b', 'a', '1/2')]
    """
    return [arc for u, v, *numbers in links for arc in ((u, v, *numbers), (v, u, *numbers))]


def _is_name(node: object) -> bool:
    # Exactly these types: a subclass may print, compare or serialize in a way of its own.
    return type(node) is int or type(node) is str


def _shown(node: Node) -> str:
    """The name inside a message of one line."""
    return node if isinstance(node, str) and node.isprintable() else repr(node)


def _checked_nodes(nodes: Iterable[Node]) -> tuple[Node, ...]:
    listed: tuple[Any, ...] = tuple(nodes)
    # All at once: numbers that differ are printed differently.
    different = are_all(int, listed) and 0 < len({*listed}) == len(listed)
    if different and max(map(abs, listed)) < _TOO_LARGE:
        return listed
    listed = tuple(map(plain, listed))
    for node in listed:
        if not _is_name(node):
            raise InvalidInput("nodes", node, "a node name is an integer or a string")
        if isinstance(node, int) and abs(node) >= _TOO_LARGE:
            raise InvalidInput("nodes", node, "integer names stay below 2^53; write a string")
    if not listed:
        raise InvalidInput("nodes", [], "a platform has at least one node")
    shown = list(map(str, listed))
    if len({*shown}) < len(shown):
        twice, _ = Counter(shown).most_common(1)[0]
        raise InvalidInput("nodes", twice, "two nodes may not have the same printed name")
    return listed


def _columns_of(given: tuple[Arc | tuple[Any, ...], ...]) -> ArcColumns | None:
    """The members of arcs if they are all `Arc`s, or all tuples of as many members."""
    kinds = {*map(type, given)}
    if kinds == {Arc}:
        return ArcColumns(*zip(*map(_MEMBERS, given), strict=True))
    rows = cast("tuple[tuple[Any, ...], ...]", given)
    if not kinds or not all(issubclass(kind, tuple) for kind in kinds):
        return None
    if {*map(len, rows)} not in ({3}, {4}, {5}):
        return None
    tails, heads, costs, *others = zip(*rows, strict=True)
    if are_all(int, costs):
        costs = tuple(map(Fraction, costs))
    unsaid = (NO_LATENCY,) * len(rows), ((),) * len(rows)
    return ArcColumns(tails, heads, costs, *others, *unsaid[len(others) :])


def _are_plain(columns: ArcColumns, position: dict[Node, int]) -> bool:
    """Whether numbers are fractions already, no arc has a route, and nothing is wrong, all at once.

    It takes a third of the time, and a platform most of the time of many a certificate.
    """
    tails, heads, costs, latencies, routes = columns
    if not tails or {*map(len, columns)} != {len(tails)}:
        return False
    if routes.count(()) < len(routes):
        return False
    first, second = _places(tails, position), _places(heads, position)
    if first is None or second is None:
        return False
    # Not pairs: whoever writes a document can make the hashes of all pairs of integers equal.
    count = len(position)
    pairs = [tail * count + head for tail, head in zip(first, second, strict=True)]
    different = {*pairs}  # of a list it takes three quarters of the time
    loops = range(0, count * count, count + 1)
    if len(different) < len(pairs) or not different.isdisjoint(loops):
        return False
    return _least_numerator(costs) > 0 and _least_numerator(latencies) >= 0


def _places(ends: Sequence[Any], position: dict[Node, int]) -> Sequence[int] | None:
    """The positions of nodes; None if one of them is no node."""
    if are_all(int, ends) and all(map(eq, position, range(len(position)))):  # they are themselves
        return ends if min(ends) >= 0 and max(ends) < len(position) else None
    if not {int, str}.issuperset(map(type, ends)):
        return None
    places = [*map(position.get, ends)]
    return None if None in places else cast("list[int]", places)


def _least_numerator(numbers: Sequence[object]) -> int:
    """The least of all; -1 where one of them is no fraction over Python's own integers."""
    if all(map(is_, numbers, repeat(numbers[0]))):  # as unit costs are, and no latencies
        numbers = numbers[:1]
    distinct = dict(zip(map(id, numbers), numbers, strict=True)).values()  # many are the same
    return min(map(_NUMERATOR, distinct)) if are_fractions(distinct) else -1


def _arcs_one_by_one(
    given: tuple[Arc | tuple[Any, ...], ...], position: dict[Node, int]
) -> tuple[Arc, ...]:
    checked: list[Arc] = []
    # Not pairs: whoever writes a document can make the hashes of all pairs of integers equal.
    seen: set[int] = set()
    costs: dict[str, Fraction] = {}
    for index, one in enumerate(given):
        arc = _checked_arc(index, one, position)
        for name, cost in arc.route:
            if costs.setdefault(name, cost) != cost:
                rule = "a link has the same cost in all routes"
                raise InvalidInput(f"arc {index}, link {one_line(name)}", text(cost), rule)
        pair = position[arc.tail] * len(position) + position[arc.head]
        if pair in seen:
            raise InvalidInput(f"arc {index}", [arc.tail, arc.head], "this arc is given twice")
        seen.add(pair)
        checked.append(arc)
    return tuple(checked)


def _checked_arc(index: int, given: Arc | tuple[Any, ...], known: Collection[Node]) -> Arc:
    if isinstance(given, Arc):
        given = (given.tail, given.head, given.cost, given.latency, given.route)
    if not isinstance(given, (tuple, list)) or len(given) not in (3, 4, 5):
        rule = "an arc is (tail, head, cost), or with a latency, or with a latency and a route"
        raise InvalidInput(f"arc {index}", given, rule)
    tail, head = map(plain, given[:2])
    for end in (tail, head):
        if not _is_name(end) or end not in known:
            raise InvalidInput(f"arc {index}", end, "not a node of the platform")
    if tail == head:
        raise InvalidInput(f"arc {index}", tail, "loops are not allowed")
    # The place is spelled out only for errors, and the signs are those of the numerators: both
    # were most of the time that a big platform, and the check of its certificate, takes.
    cost = given[2]
    if not is_fraction(cost):
        cost = exact(cost, f"{_place(index, tail, head)}, cost")
    if cost.numerator <= 0:
        place = f"{_place(index, tail, head)}, cost"
        raise InvalidInput(place, given[2], "a cost is positive (time per message)")
    if len(given) == 3:
        return Arc(tail, head, cost)
    latency = given[3]
    if not is_fraction(latency):
        latency = exact(latency, f"{_place(index, tail, head)}, latency")
    if latency.numerator < 0:
        place = f"{_place(index, tail, head)}, latency"
        raise InvalidInput(place, given[3], "a latency is not negative")
    route: tuple[SharedLink, ...] = ()
    if len(given) == 5 and given[4] != ():
        route = _checked_route(given[4], _place(index, tail, head))
    if route and max(link.cost for link in route) != cost:
        rule = "with a route the cost is the largest cost of its links"
        raise InvalidInput(f"{_place(index, tail, head)}, cost", text(cost), rule)
    return Arc(tail, head, cost, latency, route)


def _checked_route(given: object, place: str) -> tuple[SharedLink, ...]:
    if not isinstance(given, (tuple, list)):
        raise InvalidInput(f"{place}, route", given, "a route is a list of links (name, cost)")
    route: dict[str, Fraction] = {}
    for link in given:
        if not isinstance(link, (tuple, list)) or len(link) != 2 or type(link[0]) is not str:
            raise InvalidInput(f"{place}, route", link, "a link is (name, cost), the name is text")
        name, cost = link
        if not is_fraction(cost):
            cost = exact(cost, f"{place}, link {one_line(name)}")
        if cost.numerator <= 0:
            rule = "a link has a positive cost (time per message)"
            raise InvalidInput(f"{place}, link {one_line(name)}", link[1], rule)
        if name in route:
            raise InvalidInput(f"{place}, route", name, "a route uses a link once")
        route[name] = cost
    return tuple(SharedLink(name, cost) for name, cost in route.items())


def _place(index: int, tail: Node, head: Node) -> str:
    return f"arc {index} ({_shown(tail)}->{_shown(head)})"


def _checked_node_data(
    given: Mapping[Node, Mapping[str, object]], known: Collection[Node]
) -> Mapping[Node, Mapping[str, Fraction]]:
    checked: dict[Node, Mapping[str, Fraction]] = {}
    for node, values in given.items():
        if not _is_name(node) or node not in known:
            raise InvalidInput("node data", node, "not a node of the platform")
        place = f"node {_shown(node)}"
        if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
            raise InvalidInput(place, values, "the data of a node are numbers by name")
        checked[node] = MappingProxyType(
            {name: exact(value, f"{place}, {_shown(name)}") for name, value in values.items()}
        )
    return MappingProxyType(checked)


def _checked_switches(given: Iterable[Node], known: Collection[Node]) -> frozenset[Node]:
    listed = list(given)
    for node in listed:
        if not _is_name(node) or node not in known:
            raise InvalidInput("switches", node, "not a node of the platform")
    return frozenset(listed)


def _checked_option(
    option: str, given: Iterable[Node], switches: frozenset[Node]
) -> frozenset[Node]:
    listed = list(given)
    for node in listed:
        if not _is_name(node) or node not in switches:
            rule = "this is an option of switches: all others copy and combine what they have"
            raise InvalidInput(option, node, rule)
    return frozenset(listed)


def refuse_no_platform(given: object) -> None:
    """Raises `InvalidInput` for a name, a graph of networkx, or whatever else is no platform.

    >>> refuse_no_platform("grid:4x4")
    Traceback (most recent call last):
    ...
    exactsched.exact.errors.InvalidInput: platform: 'grid:4x4': not a Platform; type \
built_in("grid:4x4")
    """
    if isinstance(given, Platform):
        return
    if isinstance(given, str):
        way = f'type built_in("{given}")'
    elif hasattr(given, "is_directed"):
        way = "type from_networkx(graph), or call the function of exactsched.nx"
    else:
        way = "type Platform(nodes, arcs)"
    raise InvalidInput("platform", str(given), f"not a Platform; {way}")
