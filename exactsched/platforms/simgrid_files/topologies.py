"""Links and routes of SimGrid's topologies: tori, fat trees, dragonflies.

Hosts are numbered from 0 in the order of `radical`.  Every link of the cluster becomes a link of
SimGrid's name for it; routes are minimal ones that SimGrid fixes, in its order of the links.

Reference: SimGrid's manual, "Describing the virtual platform", and its version 3.32.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Protocol

from exactsched.exact.errors import InvalidInput
from exactsched.platforms.simgrid_files.links import MAX_LINKS, Step


class Cluster(Protocol):
    """What a topology asks of its cluster."""

    said: dict[str, str]
    hosts: dict[str, int]

    def link(self, name: str, times: int = 1) -> Step: ...

    def limiter(self, number: int) -> tuple[Step, ...]: ...

    def refused(self, name: str, rule: str) -> InvalidInput: ...


class Topology(Protocol):
    """A topology of a cluster; it makes the links of the cluster."""

    def __init__(self, cluster: Cluster, counters: Counters) -> None: ...

    def route(self, tail: int, head: int) -> Iterator[Step]:
        """The links from a host to another one, by their numbers."""


@dataclass
class Counters:
    """What SimGrid numbers throughout a platform: links of fat trees, their hosts, dragonflies."""

    fat_trees: int = 0
    fat_tree_hosts: int = 0
    dragonflies: int = 0


class Torus:
    """A torus: a message goes through the dimensions one after the other, the shorter way round.

    Where both ways are equally long it goes upwards, as SimGrid compares coordinates.  A dimension
    of two has two links between its hosts, of which one is used both ways.
    """

    def __init__(self, cluster: Cluster, counters: Counters) -> None:  # noqa: ARG002
        self.sizes = _numbers(cluster, cluster.said["topo_parameters"], "3,2,2")
        _check_hosts(cluster, prod(self.sizes))
        strides = [prod(self.sizes[:index]) for index in range(len(self.sizes))]
        self.dimensions = list(zip(self.sizes, strides, strict=True))
        self.limiters = [cluster.limiter(host) for host in range(len(cluster.hosts))]
        # The link from a host to the next one in a dimension, upwards.
        self.upwards = {
            (host, stride): cluster.link(
                f"{cluster.said['id']}_link_from_{host}_to_{_moved(host, size, stride, 1)}"
            )
            for host in range(len(cluster.hosts))
            for size, stride in self.dimensions
        }

    def route(self, tail: int, head: int) -> Iterator[Step]:
        here = tail
        for size, stride in self.dimensions:
            first, last = (host // stride % size for host in (tail, head))
            up = first < last <= first + size // 2 or (
                first > size // 2 and (first + size // 2) % size >= last
            )
            while here // stride % size != last:
                following = _moved(here, size, stride, 1 if up else -1)
                yield from self.limiters[here]
                step = self.upwards[here if up else following, stride]
                yield step if up else step.back()
                here = following
        yield from self.limiters[head]


def _moved(host: int, size: int, stride: int, by: int) -> int:
    coordinate = host // stride % size
    return host + ((coordinate + by) % size - coordinate) * stride


class FatTree:
    """A fat tree of l levels of switches: a message goes up, as its target says, and down.

    `topo_parameters` is "l;c1,...,cl;p1,...,pl;k1,...,kl": a switch of level i has ci children, a
    node below it has pi parents, with ki cables to each.  A node has a label of l digits, the first
    of which counts fastest: node j of level i has digits below p1, ..., pi and c(i+1), ..., cl.
    It is linked to the nodes of level i + 1 whose labels differ from its own in digit i + 1 only.
    """

    def __init__(self, cluster: Cluster, counters: Counters) -> None:
        written = cluster.said["topo_parameters"].split(";")
        lists = [_numbers(cluster, piece, "2;4,4;1,2;1,2") for piece in written]
        if len(lists) != 4 or [len(numbers) for numbers in lists] != [1, *lists[0] * 3]:
            rule = 'a fat tree is its levels, children, parents and cables, as in "2;4,4;1,2;1,2"'
            raise cluster.refused("topo_parameters", rule)
        self.levels = lists[0][0]
        self.children, self.parents, self.cables = lists[1:]
        count = prod(self.children)
        _check_hosts(cluster, count)
        sizes = [prod(self._radices(level)) for level in range(self.levels + 1)]
        ports = [self.parents[i] * self.cables[i] for i in range(self.levels)]
        _check_links(cluster, sum(size * k for size, k in zip(sizes, ports, strict=False)))
        self.first = counters.fat_tree_hosts
        counters.fat_tree_hosts += count
        # Hosts have the numbers 0..n-1, switches 2n-1, 2n-2, ..., by level.
        ids = [list(range(count))]
        self.limiters = {(0, host): cluster.limiter(host) for host in range(count)}
        below = 2 * count
        for level, size in enumerate(sizes[1:], 1):
            ids.append([below - 1 - index for index in range(size)])
            below -= size
            for index, number in enumerate(ids[level]):
                self.limiters[level, index] = cluster.limiter(number)
        # The link at a port of a node: to a parent (level, node, port), to a child likewise.
        self.up: dict[tuple[int, int, int], Step] = {}
        self.down: dict[tuple[int, int, int], Step] = {}
        for level in range(self.levels):
            for node, number in enumerate(ids[level]):
                label = self._label(level, node)
                for digit in range(self.parents[level]):
                    above = self._node(level + 1, _with(label, level, digit))
                    for cable in range(self.cables[level]):
                        name = f"link_from_{number}_{ids[level + 1][above]}_{counters.fat_trees}"
                        counters.fat_trees += 1
                        step = cluster.link(name)
                        self.up[level, node, digit + cable * self.parents[level]] = step
                        port = label[level] + cable * self.children[level]
                        self.down[level + 1, above, port] = step.back()

    def route(self, tail: int, head: int) -> Iterator[Step]:
        here, target, level = self._label(0, tail), self._label(0, head), 0
        # Of several fat trees in a file SimGrid counts the hosts on.
        first, last = self.first + tail, self.first + head
        while level == 0 or here[level:] != target[level:]:
            parents = self.parents[level]
            port = last // prod(self.parents[:level]) % (parents * self.cables[level])
            node = self._node(level, here)
            yield from self.limiters[level, node]
            yield self.up[level, node, port]
            here = _with(here, level, port % parents)
            level += 1
        start = None
        while level:
            children, cables = self.children[level - 1], self.cables[level - 1]
            # SimGrid looks on from the port that it took last, until there is none behind it.
            if start is None or start >= children * cables:
                start = first % cables * children
            port = start + (target[level - 1] - start) % children
            if port >= children * cables:
                start = None
                continue
            node = self._node(level, here)
            yield self.down[level, node, port]
            yield from self.limiters[level, node]
            here = _with(here, level - 1, target[level - 1])
            start = port + 1
            level -= 1
        yield from self.limiters[0, head]

    def _radices(self, level: int) -> list[int]:
        return self.parents[:level] + self.children[level:]

    def _label(self, level: int, node: int) -> tuple[int, ...]:
        label = []
        for radix in self._radices(level):
            node, digit = divmod(node, radix)
            label.append(digit)
        return tuple(label)

    def _node(self, level: int, label: Sequence[int]) -> int:
        node = 0
        for radix, digit in zip(self._radices(level)[::-1], label[::-1], strict=True):
            node = node * radix + digit
        return node


def _with(label: tuple[int, ...], place: int, digit: int) -> tuple[int, ...]:
    return (*label[:place], digit, *label[place + 1 :])


class Dragonfly:
    """A dragonfly: groups of chassis of blades of hosts, where each blade has a router.

    `topo_parameters` is "groups,k;chassis,k;blades,k;hosts", with k times the bandwidth on the
    links between groups (blue), between the chassis of a group (black), between the blades of a
    chassis (green).  Group i reaches group j by the router of blade j in its first chassis.
    """

    def __init__(self, cluster: Cluster, counters: Counters) -> None:
        written = cluster.said["topo_parameters"].split(";")
        lists = [_numbers(cluster, piece, "3,4;4,3;5,1;2") for piece in written]
        if [len(numbers) for numbers in lists] != [2, 2, 2, 1]:
            rule = 'a dragonfly is its groups, chassis, blades and hosts, as in "3,4;4,3;5,1;2"'
            raise cluster.refused("topo_parameters", rule)
        (groups, blue), (chassis, black), (blades, green), (self.nodes,) = lists
        _check_hosts(cluster, groups * chassis * blades * self.nodes)
        if groups > blades:
            rule = "group i is reached by blade i, so there are at most as many groups as blades"
            raise cluster.refused("topo_parameters", rule)
        routers = groups * chassis * blades
        _check_links(cluster, routers * (self.nodes + blades + chassis))
        self.chassis, self.blades, self.cluster = chassis, blades, cluster
        self.limiters = [cluster.limiter(host) for host in range(routers * self.nodes)]
        last = 2 * routers * self.nodes - 1
        self.router_limiters = [cluster.limiter(last - router) for router in range(routers)]

        def link(name: str, times: int = 1) -> Step:
            counters.dragonflies += 1
            return cluster.link(f"{name}_{counters.dragonflies - 1}", times)

        self.local = [
            link(f"local_link_from_router_{router}_to_node_{node}")
            for router in range(routers)
            for node in range(self.nodes)
        ]
        # The link between two routers.
        self.between: dict[tuple[int, int], Step] = {}

        def connect(one: int, other: int, name: str, times: int) -> None:
            step = link(name, times)
            self.between[one, other], self.between[other, one] = step, step.back()

        for i in range(groups * chassis):
            for j in range(blades):
                for k in range(j + 1, blades):
                    name = f"green_link_in_chassis_{i % chassis}_between_routers_{j}_and_{k}"
                    connect(i * blades + j, i * blades + k, name, green)
        for i in range(groups):
            for j in range(chassis):
                for k in range(j + 1, chassis):
                    for blade in range(blades):
                        name = f"black_link_in_group_{i}_between_chassis_{j}_and_{k}_blade_{blade}"
                        one, other = self._router(i, j, blade), self._router(i, k, blade)
                        connect(one, other, name, black)
        for i in range(groups):
            for j in range(i + 1, groups):
                one, other = self._router(i, 0, j), self._router(j, 0, i)
                name = f"blue_link_between_group_{i}_and_{j}_routers_{one}_and_{other}"
                connect(one, other, name, blue)

    def route(self, tail: int, head: int) -> Iterator[Step]:
        source, target = tail // self.nodes, head // self.nodes
        yield from self.limiters[tail]
        yield self.local[tail]
        for one, other in self._hops(source, target):
            # Between groups SimGrid lists the link first.
            hop = [*self.router_limiters[one], self.between[one, other]]
            yield from hop if one // self._of_group == other // self._of_group else hop[::-1]
        yield from self.router_limiters[target]
        yield self.local[head].back()
        yield from self.limiters[head]

    @property
    def _of_group(self) -> int:
        return self.chassis * self.blades

    def _router(self, group: int, chassis: int, blade: int) -> int:
        return (group * self.chassis + chassis) * self.blades + blade

    def _hops(self, source: int, target: int) -> Iterator[tuple[int, int]]:
        """The pairs of routers on the way: first to another group, then to a blade, to a chassis.

        Behind a link between blades SimGrid goes on from the first chassis, wherever the blades
        are; so does this.
        """
        here = source
        own, group = source // self._of_group, target // self._of_group
        if own != group:
            chassis = source // self.blades % self.chassis
            gate = self._router(own, 0, group)
            for stop in (self._router(own, chassis, group), gate, self._router(group, 0, own)):
                if stop != here:
                    yield here, stop
                    here = stop
        blade = target % self.blades
        if here % self.blades != blade:
            yield here, here - here % self.blades + blade
            here = self._router(group, 0, blade)
        if here != target:
            yield here, target


def _numbers(cluster: Cluster, written: str, example: str) -> list[int]:
    """Positive whole numbers between commas."""
    pieces = [piece.strip() for piece in written.split(",")]
    if not all(piece.isdecimal() and piece.isascii() and len(piece) <= 9 for piece in pieces):
        rule = f'topo_parameters are positive whole numbers, as in "{example}"'
        raise cluster.refused("topo_parameters", rule)
    numbers = [int(piece) for piece in pieces]
    if not all(numbers):
        raise cluster.refused("topo_parameters", "topo_parameters are positive")
    return numbers


def _check_hosts(cluster: Cluster, count: int) -> None:
    if count != len(cluster.hosts):
        rule = f"the topology has {count} hosts, radical names {len(cluster.hosts)}"
        raise cluster.refused("topo_parameters", rule)


def _check_links(cluster: Cluster, count: int) -> None:
    if count > MAX_LINKS:
        raise cluster.refused("topo_parameters", f"at most {MAX_LINKS} links, these are {count}")
