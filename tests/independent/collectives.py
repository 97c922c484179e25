"""Certificates of series and runs of collectives (proofs/certificate-format.md)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, gcd, lcm
from typing import Any, NamedTuple

from tests.independent.document import (
    Budget,
    any_rational,
    choice,
    claim,
    each,
    index,
    integer,
    listing,
    maybe,
    members,
    nonnegative,
    positive,
    row,
    rule,
    structure,
    truth,
)

State = tuple[Any, ...]  # (item, node); an item is (), (demand,), (root,), (root, copy) or (k, m)
Task = tuple[int, ...]
Lines = Sequence[tuple[Sequence[int], Fraction]]


class Arc(NamedTuple):
    tail: Any
    head: Any
    cost: Fraction
    latency: Fraction
    route: list[tuple[str, Fraction]]


def link_name(value: Any) -> str:
    """Any text."""
    structure(isinstance(value, str), "no name of a link")
    return value


def node_name(value: Any) -> Any:
    """A string or a small integer."""
    structure(
        isinstance(value, str) or (type(value) is int and abs(value) < 2**53), "no name of a node"
    )
    return value


class Problem:
    """What is asked: the tasks, what each needs and makes, and how long it takes."""

    restrict = "none"
    parts: Sequence[Sequence[State]]
    given: set[State]
    by = ""

    def __init__(self, value: Any, names: str) -> None:
        self.take = members(value, "collective platform ports " + names)
        self.take("platform", self._platform)
        self.ports: str = self.take("ports", choice("one-port", "half-duplex", "link", "routes"))
        routed = self.ports != "routes" or all(arc.route for arc in self.arcs)
        structure(routed, "an arc without a route")

    def _platform(self, value: Any) -> None:
        take = members(value, "nodes arcs")
        self.nodes: list[Any] = take("nodes", listing(node_name, least=1))
        structure(len({str(v) for v in self.nodes}) == len(self.nodes), "two nodes of one name")
        known = set(self.nodes)

        def node(name: Any) -> Any:
            structure(node_name(name) in known, "no node of the platform")
            return name

        def arc(entry: Any) -> Arc:
            length = len(entry) if isinstance(entry, list) else 0
            route = listing(row(link_name, positive))
            shapes = [node, node, positive, nonnegative, route][: max(3, length)]
            rest = [Fraction(0), []][max(3, length) - 3 :]
            return Arc(*row(*shapes)(entry), *rest)

        self.node = node
        self.arcs: list[Arc] = take("arcs", listing(arc))
        pairs = {(arc.tail, arc.head) for arc in self.arcs}
        structure(len(pairs) == len(self.arcs), "two arcs with the same ends")
        structure(all(tail != head for tail, head in pairs), "a loop")
        links = {link for arc in self.arcs for link in arc.route}
        self.links = dict(links)
        structure(len(self.links) == len(links), "a link of two costs")
        for arc in self.arcs:
            structure(len(dict(arc.route)) == len(arc.route), "a link twice on a route")
            costs = [cost for _, cost in arc.route]
            structure(not costs or max(costs) == arc.cost, "a route of another cost")

    def latent(self) -> bool:
        return any(arc.latency for arc in self.arcs)

    def places(self) -> int:
        return len(self.arcs)

    def uses(self, place: int) -> list[str]:
        """The resources of a place."""
        if place >= len(self.arcs):
            return [f"compute:{self.nodes[place - len(self.arcs)]}"]
        if self.ports == "link":
            return [f"link:{place}"]
        if self.ports == "routes":
            return [f"link:{name}" for name, _ in self.arcs[place].route]
        out, into = ("port", "port") if self.ports == "half-duplex" else ("send", "recv")
        return [f"{out}:{self.arcs[place].tail}", f"{into}:{self.arcs[place].head}"]

    def resources(self) -> set[str]:
        """The names of all resources."""
        if self.ports == "routes":
            return {f"link:{name}" for name in self.links}
        if self.ports == "link":
            return {f"link:{place}" for place in range(len(self.arcs))}
        words = ("port",) if self.ports == "half-duplex" else ("send", "recv")
        return {f"{word}:{v}" for word in words for v in self.nodes}

    def sizes(self) -> list[Fraction]:
        return [Fraction(1)]

    def times(self) -> list[Fraction]:
        return []

    def task(self, value: Any) -> Task:
        """A task that has the form for its place."""
        structure(isinstance(value, list) and len(value) > 0, "no task")
        task = tuple(integer(0)(entry) for entry in value)
        structure(task[0] < self.places() and self.form(task), "a task of a wrong form")
        return task

    def form(self, task: Task) -> bool:
        raise NotImplementedError

    def size(self, item: Task) -> Fraction:
        raise NotImplementedError

    def needs(self, task: Task) -> list[State]:
        return [(task[1:], self.arcs[task[0]].tail)]

    def makes(self, task: Task) -> State:
        return (task[1:], self.arcs[task[0]].head)

    def forwarding(self, task: Task) -> bool:  # noqa: ARG002
        """Whether no other task may need what this one needs."""
        return False

    def demand(self, nodes: set[Any]) -> Fraction:  # noqa: ARG002
        """What has to enter a set."""
        return Fraction(1)

    def duration(self, task: Task) -> Fraction | None:
        """How long a task takes; None if its node cannot do it."""
        return self.size(task[1:]) * self.arcs[task[0]].cost


class Broadcast(Problem):
    by = "cuts"

    def __init__(self, value: Any) -> None:
        super().__init__(value, "source restrict")
        self.source = self.take("source", self.node)
        self.restrict = self.take("restrict", choice("none", "tree", "dag"))
        structure(len(self.nodes) >= 2, "a broadcast needs two nodes")
        structure(self.ports != "routes" or self.restrict == "none", "restricted routes")
        self.given = {((), self.source)}
        self.parts = [[((), v) for v in self.nodes if v != self.source]]

    def form(self, task: Task) -> bool:
        return len(task) == 1

    def size(self, item: Task) -> Fraction:  # noqa: ARG002
        return Fraction(1)


class Alltoall(Problem):
    by = "distances"

    def __init__(self, value: Any) -> None:
        super().__init__(value, "demands")

        def demand(entry: Any) -> tuple[Any, Any, Fraction]:
            if isinstance(entry, list) and len(entry) == 2:
                entry = [*entry, 1]
            return row(self.node, self.node, positive)(entry)

        self.demands = self.take("demands", listing(demand, least=1))
        pairs = {(source, target) for source, target, _ in self.demands}
        structure(len(pairs) == len(self.demands), "a demand is there twice")
        structure(all(source != target for source, target in pairs), "a demand to itself")
        self.given = {((d,), source) for d, (source, _, _) in enumerate(self.demands)}
        self.parts = [[((d,), target)] for d, (_, target, _) in enumerate(self.demands)]

    def form(self, task: Task) -> bool:
        return len(task) == 2 and task[1] < len(self.demands)

    def size(self, item: Task) -> Fraction:
        return self.demands[item[0]][2]

    def sizes(self) -> list[Fraction]:
        return [size for _, _, size in self.demands]


class AlltoallAmong(Alltoall):
    """An alltoall of a group. Its demands are those of representatives, once these are known."""

    def __init__(self, value: Any) -> None:
        Problem.__init__(self, value, "among size")
        self.take("collective", choice("alltoall"))
        self.among = self.take("among", listing(self.node, least=2, distinct=True))
        self.one = self.take("size", positive)
        structure(self.ports != "routes", "a series by symmetry under routes")
        self.demands = []

    def represented(self, sizes: dict[Any, int]) -> None:
        """Sets the demands, by the size of the orbit of each representative."""
        self.demands = [
            (source, target, self.one * sizes[source])
            for source in self.among
            if source in sizes
            for target in self.among
            if target != source
        ]

    def moved(self, image: list[int], arcs: list[int]) -> list[tuple[str, str]]:
        """The resources and their images; `arcs` has the images of the arcs."""
        if self.ports == "link":
            return [(f"link:{place}", f"link:{other}") for place, other in enumerate(arcs)]
        words = ("port",) if self.ports == "half-duplex" else ("send", "recv")
        pairs = [(v, self.nodes[k]) for v, k in zip(self.nodes, image, strict=True)]
        return [(f"{word}:{v}", f"{word}:{w}") for word in words for v, w in pairs]


class Allgather(Problem):
    by = "cuts"

    def __init__(self, value: Any) -> None:
        super().__init__(value, "shards")

        def shard(entry: Any) -> tuple[Any, Fraction]:
            if isinstance(entry, list) and len(entry) == 1:
                entry = [*entry, 1]
            return row(self.node, nonnegative)(entry)

        shards = self.take("shards", listing(shard, least=2))
        self.shards = dict(shards)
        structure(len(self.shards) == len(shards), "a node has two shards")
        self.roots = [(node, size) for node, size in shards if size]
        structure(bool(self.roots), "nothing to send")
        self.given = {((r,), node) for r, (node, _) in enumerate(self.roots)}
        self.parts = [
            [((r,), node) for node in self.shards if node != root]
            for r, (root, _) in enumerate(self.roots)
        ]

    def form(self, task: Task) -> bool:
        return len(task) == 3 and task[1] < len(self.roots) and task[2] <= len(self.shards) - 2

    def size(self, item: Task) -> Fraction:
        return self.roots[item[0]][1]

    def sizes(self) -> list[Fraction]:
        return [size for _, size in self.roots]

    def at(self, task: Task, node: Any) -> State:
        return (task[1:2] if node in self.shards else task[1:], node)

    def needs(self, task: Task) -> list[State]:
        return [self.at(task, self.arcs[task[0]].tail)]

    def makes(self, task: Task) -> State:
        return self.at(task, self.arcs[task[0]].head)

    def forwarding(self, task: Task) -> bool:
        return self.arcs[task[0]].tail not in self.shards

    def demand(self, nodes: set[Any]) -> Fraction:
        if nodes.isdisjoint(self.shards):
            return Fraction(0)
        return sum((size for node, size in self.roots if node not in nodes), Fraction(0))


class Combination(Problem):
    by = "trees"

    def __init__(self, value: Any) -> None:
        optional = [
            name for name in ("among", "groups") if isinstance(value, dict) and name in value
        ]
        super().__init__(value, " ".join(["blocks", *optional]))
        structure(len(self.nodes) >= 2, "one node combines nothing")
        targets = listing(self.node, least=1, distinct=True)

        members_of = listing(self.node, least=2, distinct=True)
        own: list[set[Any]] = []
        if "groups" in optional and value["groups"] is not None:
            own = [set(nodes) for nodes in self.take("groups", listing(members_of))]
        # The number of a group, from 0, or None for that of the blocks without one.
        number = maybe(index(len(own)))

        def block(entry: Any) -> tuple[Fraction, list[Any], Any, int | None]:
            if isinstance(entry, list) and 2 <= len(entry) < 4:
                entry = [*entry, None, None][:4]
            return row(positive, targets, maybe(self.node), number)(entry)

        read = self.take("blocks", listing(block, least=1))
        self.blocks = [(size, wanted, source) for size, wanted, source, _ in read]
        self.numbers = [given for *_, given in read]
        shared = [set(wanted) for _, wanted, _, given in read if len(wanted) > 1 and given is None]
        group = shared[0] if shared else set(self.nodes)
        if "among" in optional and value["among"] is not None:
            group = set(self.take("among", members_of))
        self.groups: dict[int | None, set[Any]] = {None: group, **dict(enumerate(own))}
        self.mixed = any(given is not None for given in self.numbers)
        # A message to some nodes: it is alone, and all of the group may copy it.
        self.some = len(read) == 1 and 1 < len(read[0][1]) < len(self.of(0))
        multicast = self.some and read[0][2] is not None and not self.mixed
        self.given = set()
        self.parts = []
        for b, (_, wanted, source) in enumerate(self.blocks):
            whole = len(wanted) == 1 or set(wanted) == self.of(b)
            structure(multicast or whole, "neither one node nor the group")
            structure({*wanted, source} <= {*self.of(b), None}, "no node of the group")
            structure(wanted != [source], "a message to its source")
            if source is None:
                self.given |= {((b, "own"), v) for v in self.of(b)}
            else:
                self.given.add(((b, "sum"), source))
            self.parts.append([((b, "sum"), v) for v in wanted if v != source])

    def of(self, block: int) -> set[Any]:
        """The group of a block."""
        return self.groups[self.numbers[block]]

    def outgoing(self, place: int, group: set[Any]) -> bool:
        return self.arcs[place].tail in group and self.arcs[place].head not in group

    def form(self, task: Task) -> bool:
        if len(task) < 3 or task[1] >= len(self.blocks) or task[2] > 3:
            return False
        place, block, does, *told = task
        tail, head, group = self.arcs[place].tail, self.arcs[place].head, self.of(block)
        inner = {tail, head} <= group
        if does == 2:
            return not told if inner else len(told) == 1 and told[0] <= len(group) - 2
        if any(other >= len(self.arcs) or other == place for other in told):
            return False
        if does == 3:
            return tail not in group and len(told) == 1 and self.outgoing(told[0], group)
        if does == 1 and head not in group:
            return False
        if tail not in group:
            if does == 0 or not told or not self.outgoing(told[0], group):
                return False
            told = told[1:]
        ends = ({tail} if tail in group else set()) | ({head} if does else set())
        return told == sorted(set(told)) and all(
            self.outgoing(other, group)
            or (self.arcs[other].tail in group and self.arcs[other].head in ends)
            for other in told
        )

    def size(self, item: Task) -> Fraction:
        return self.blocks[item[0]][0]

    def sizes(self) -> list[Fraction]:
        return [size for size, _, _ in self.blocks]

    def needs(self, task: Task) -> list[State]:
        place, block, does, *told = task
        tail, head, group = self.arcs[place].tail, self.arcs[place].head, self.of(block)
        if does == 2:
            return [self.whole(block, tail, told)]
        if does == 3:
            return [((block, told[0]), tail)]
        if tail not in group:
            passed: list[State] = [((block, told[0]), tail)] if does else []
            at_root: list[State] = [((block, other), head) for other in told[1:]]
            return [*passed, ((block, "own"), head), *at_root]
        own = [tail, head] if does else [tail]
        heard: list[State] = []
        for other in told:
            end = self.arcs[other].head
            heard.append(((block, other), end if end in group else tail))
        return [((block, "own"), v) for v in own] + heard

    def makes(self, task: Task) -> State:
        place, block, does, *told = task
        head = self.arcs[place].head
        if does == 0:
            return ((block, place), head)
        if does == 3:
            return ((block, told[0]), head)
        return self.whole(block, head, told if does == 2 else [])

    def whole(self, block: int, node: Any, copy: list[int]) -> State:
        return ((block, "sum") if node in self.of(block) else (block, "sum", *copy), node)

    def forwarding(self, task: Task) -> bool:
        return self.arcs[task[0]].tail not in self.of(task[1])

    def demand(self, nodes: set[Any]) -> Fraction:
        if not self.groups[None] - nodes:
            return Fraction(0)
        sizes = (size for size, wanted, _ in self.blocks if not nodes.isdisjoint(wanted))
        return sum(sizes, Fraction(0))

    def adds_up(self, block: int, tasks: Iterable[Task]) -> bool:
        """The rule in-tree; a message is no sum."""
        if self.blocks[block][2] is not None:
            return True
        calls = [task for task in tasks if task[1] == block and task[2] < 2]
        last = [task for task in calls if task[2]]
        group = self.of(block)
        begun = [task for task in calls if self.arcs[task[0]].tail in group]
        if len(last) != 1 or len(begun) != len(group) - 1:
            return False
        tails = {self.arcs[task[0]].tail for task in begun}
        others = group - {self.arcs[last[0][0]].head}
        told = [arc for task in calls for arc in task[3:]]
        return tails == others and sorted(told) == sorted(t[0] for t in calls if not t[2])


class Reduction(Problem):
    by = "potentials"

    def __init__(self, value: Any) -> None:
        super().__init__(value, "owners goals size sizes compute compute_tasks")
        structure(self.ports != "routes", "a reduction under routes")
        self.owners = self.take("owners", listing(self.node, 1, 400))
        last = len(self.owners) - 1
        structure((last + 1) * (last + 2) // 2 * len(self.nodes) <= 5_000_000, "too large")
        i = index(last + 1)
        self.goals = self.take("goals", listing(row(i, i, self.node), 1, distinct=True))
        structure(all(k <= m for k, m, _ in self.goals), "a goal goes backwards")
        self.given = {((k, k), owner) for k, owner in enumerate(self.owners)}
        self.parts = [[((k, m), v) for k, m, v in self.goals]]
        structure(not self.given & set(self.parts[0]), "a goal is there from the start")
        self.intervals = [(k, m) for k in range(last + 1) for m in range(k, last + 1)]
        self.common = self.take("size", lambda size: None if size is None else positive(size))
        count = 0 if self.common is not None else len(self.intervals)
        table = self.take("sizes", each(row(i, i, positive), count))
        self.table = {(k, m): size for k, m, size in table}
        structure(len(self.table) == count, "a size is there twice")
        structure(all(k <= m for k, m in self.table), "a size goes backwards")
        self.compute = self.take("compute", listing(row(self.node, positive)))
        self.compute_tasks = self.take("compute_tasks", listing(row(self.node, i, i, i, positive)))
        structure(all(k <= j < m for _, k, j, m, _ in self.compute_tasks), "no task")
        self.all_times = dict(self.compute)
        self.task_times = {(v, k, j, m): time for v, k, j, m, time in self.compute_tasks}
        structure(len(self.all_times) == len(self.compute), "a node computes twice")
        structure(len(self.task_times) == len(self.compute_tasks), "a task is there twice")
        structure(not {v for v, *_ in self.compute_tasks} & set(self.all_times), "a node in both")

    def places(self) -> int:
        return len(self.arcs) + len(self.nodes)

    def resources(self) -> set[str]:
        computing = {*self.all_times, *(v for v, *_ in self.compute_tasks)}
        return super().resources() | {f"compute:{v}" for v in computing}

    def sizes(self) -> list[Fraction]:
        return list(self.table.values()) if self.common is None else [self.common]

    def times(self) -> list[Fraction]:
        return [*self.all_times.values(), *self.task_times.values()]

    def form(self, task: Task) -> bool:
        n = len(self.owners)
        if task[0] < len(self.arcs):
            return len(task) == 3 and task[1] <= task[2] < n
        return len(task) == 4 and task[1] <= task[2] < task[3] < n

    def size(self, item: Task) -> Fraction:
        return self.common if self.common is not None else self.table[item[0], item[1]]

    def needs(self, task: Task) -> list[State]:
        if task[0] < len(self.arcs):
            return super().needs(task)
        node, (k, j, m) = self.nodes[task[0] - len(self.arcs)], task[1:]
        return [((k, j), node), ((j + 1, m), node)]

    def makes(self, task: Task) -> State:
        if task[0] < len(self.arcs):
            return super().makes(task)
        return ((task[1], task[3]), self.nodes[task[0] - len(self.arcs)])

    def duration(self, task: Task) -> Fraction | None:
        if task[0] < len(self.arcs):
            return super().duration(task)
        node = self.nodes[task[0] - len(self.arcs)]
        return self.all_times.get(node, self.task_times.get((node, *task[1:])))


def read_problem(value: Any) -> Problem:
    """The problem of a document."""
    structure(isinstance(value, dict), "a problem is an object")
    kinds = {
        "broadcast": Broadcast,
        "alltoall": Alltoall,
        "allgather": Allgather,
        "combination": Combination,
        "reduction": Reduction,
    }
    return kinds[choice(*kinds)(value.get("collective"))](value)


# Proofs


class Cuts(NamedTuple):
    prices: dict[str, Fraction]
    sets: list[tuple[set[Any], Fraction]]
    startup_sets: list[tuple[set[Any], Fraction]]
    odd_sets: list[tuple[list[Any], Fraction]]
    order: list[Any]


class Trees(NamedTuple):
    prices: dict[str, Fraction]
    # Of a group and a root: left, entered, passed.
    roots: dict[tuple[int | None, Any], tuple[list[tuple[set[Any], Fraction]], ...]]
    odd_sets: list[tuple[list[Any], Fraction]]


class Targets(NamedTuple):
    prices: dict[str, Fraction]
    shares: list[tuple[list[Any], list[dict[Any, Fraction]]]]
    odd_sets: list[tuple[list[Any], Fraction]]


class Split(NamedTuple):
    by: str
    on: Any
    cases: list[tuple[list[int], Any]]


class Latencies(NamedTuple):
    prices: dict[str, Fraction]
    nodes: list[Any]
    roots: list[int]
    early: dict[Any, Fraction]
    late: dict[Any, Fraction]
    weight: Fraction
    startup: Fraction


class Forwarding(NamedTuple):
    prices: dict[str, Fraction]
    potentials: dict[Any, Fraction]
    sets: list[tuple[set[Any], Fraction]]


class Table(NamedTuple):
    """A proof by distances or by potentials."""

    prices: dict[str, Fraction]
    values: list[Any]


def cut_of(order: list[Any]) -> Callable[[Any], tuple[set[Any], Fraction]]:
    """Reads a cut of this order."""
    ends = integer(0, len(order))

    def cut(entry: Any) -> tuple[set[Any], Fraction]:
        start, stop, weight = row(ends, ends, positive)(entry)
        structure(start < stop, "a cut is empty")
        return set(order[start:stop]), weight

    return cut


class ProofReader:
    """Reads the proof of a problem, its splits included."""

    def __init__(self, problem: Problem, series: bool) -> None:
        self.problem, self.series = problem, series
        self.proofs = 0
        splits = {"tree": "split-on-node", "dag": "split-on-cycle"}
        self.split = splits.get(problem.restrict) if series else None

    def read(self, value: Any, depth: int = 0) -> Any:
        """One proof, with all cases inside it."""
        self.proofs += 1
        structure(self.proofs <= 100_000 and depth <= 100, "too many proofs")
        structure(isinstance(value, dict), "a proof is an object")
        by = value.get("by")
        single = isinstance(self.problem, Combination) and len(self.problem.blocks) == 1
        if by == "targets" and single and self.problem.blocks[0][2] is not None:  # type: ignore[attr-defined]
            return self.targets(value, self.problem)
        structure(not (isinstance(self.problem, Combination) and self.problem.some), "by targets")
        if by == "latencies" and isinstance(self.problem, (Allgather, Combination)):
            structure(not self.series, "latencies in a series")
            structure(not getattr(self.problem, "mixed", False), "latencies of groups")
            return self.latencies(value, self.problem)
        if by == "forwarding" and isinstance(self.problem, Allgather):
            return self.forwarding(value, self.problem)
        known = {self.problem.by, self.split}
        problem = self.problem
        if isinstance(problem, Combination) and not problem.mixed:
            known |= {"cuts"} if all(s is None for *_, s in problem.blocks) else set()
        if isinstance(self.problem, Allgather):
            known.add("trees")
        structure(isinstance(by, str) and by in known, "a wrong proof")
        if by == "cuts":
            return self.cuts(value)
        if by == "trees":
            return self.trees(value)
        if by in ("distances", "potentials"):
            take = members(value, f"by prices {by}")
            return Table(take("prices", self.prices), take(by, self.table()))
        on = "node" if by == "split-on-node" else "cycle"
        take = members(value, f"by {on} cases")
        arcs = listing(index(len(self.problem.arcs)), least=1)
        place = take(on, self.problem.node if on == "node" else arcs)
        structure(on == "cycle" or place != self.problem.source, "a split on the source")

        def case(entry: Any) -> tuple[list[int], Any]:
            inner = members(entry, "without proof")
            return inner("without", arcs), inner("proof", lambda proof: self.read(proof, depth + 1))

        return Split(by, place, take("cases", listing(case, least=1)))

    def prices(self, value: Any) -> dict[str, Fraction]:
        structure(isinstance(value, dict), "prices are an object")
        structure(set(value) <= self.problem.resources(), "a price of no resource")
        return {name: nonnegative(price) for name, price in value.items()}

    def cuts(self, value: Any) -> Cuts:
        problem = self.problem
        take = members(value, "by prices order cuts startup_cuts odd_sets")
        order = take("order", listing(problem.node, distinct=True))
        broadcast = isinstance(problem, Broadcast)
        structure(not broadcast or problem.source not in order, "the source is in the order")
        odd = problem.ports == "half-duplex" and problem.restrict == "none"
        return Cuts(
            take("prices", self.prices),
            take("cuts", listing(cut_of(order))),
            take(
                "startup_cuts",
                listing(cut_of(order), most=0 if self.series or not broadcast else None),
            ),
            take("odd_sets", listing(self.odd_set, most=None if odd else 0)),
            order,
        )

    def odd_set(self, entry: Any) -> tuple[list[Any], Fraction]:
        nodes, price = row(listing(self.problem.node, 3, distinct=True), positive)(entry)
        structure(len(nodes) % 2 == 1, "an odd set is even")
        return nodes, price

    def trees(self, value: Any) -> Trees:
        problem = self.problem
        take = members(value, "by prices roots odd_sets")
        groups = {None: set(problem.shards)} if isinstance(problem, Allgather) else problem.groups

        def root(entry: Any) -> Any:
            order, some = listing(problem.node, distinct=True), listing(lambda cut: cut)
            if isinstance(entry, list) and 5 <= len(entry) < 8:
                entry = [*entry, *[[], [], None][len(entry) - 5 :]]
            number = maybe(index(len(groups) - 1))
            shapes = problem.node, order, some, order, some, order, some, number
            center, *sides, group = row(*shapes)(entry)
            named = {center, *sides[0], *sides[2], *sides[4]}
            structure(named <= groups[group], "no node of the group")
            listed = list(zip(sides[::2], sides[1::2], strict=True))
            structure(all(center not in nodes for nodes, _ in listed), "the root is in a cut")
            left_or_passed = listed[0][1] or listed[2][1]
            structure(not left_or_passed or not isinstance(problem, Allgather), "trees to a root")
            weighed = tuple([cut_of(nodes)(cut) for cut in cuts] for nodes, cuts in listed)
            return (group, center), weighed

        roots = take("roots", listing(root))
        odd = None if problem.ports == "half-duplex" else 0
        structure(len({r for r, _ in roots}) == len(roots), "a root is there twice")
        return Trees(
            take("prices", self.prices),
            dict(roots),
            take("odd_sets", listing(self.odd_set, most=odd)),
        )

    def targets(self, value: Any, problem: Any) -> Targets:
        take = members(value, "by prices shares odd_sets")
        _, wanted, source = problem.blocks[0]
        group = [v for v in problem.nodes if v in problem.of(0)]

        def target(entry: Any) -> Any:
            structure(problem.node(entry) in wanted and entry != source, "no target")
            return entry

        def share(entry: Any) -> tuple[list[Any], list[dict[Any, Fraction]]]:
            structure(isinstance(entry, list) and len(entry) == 2, "a share has two entries")
            listed = listing(target, 1, 10, distinct=True)(entry[0])
            rows = each(each(any_rational, len(group)), 2 ** len(listed) - 1)(entry[1])
            return listed, [dict(zip(group, row, strict=True)) for row in rows]

        shares = take("shares", listing(share, least=1))
        every = [v for listed, _ in shares for v in listed]
        structure(len(set(every)) == len(every), "a target is there twice")
        odd = None if problem.ports == "half-duplex" else 0
        return Targets(
            take("prices", self.prices), shares, take("odd_sets", listing(self.odd_set, most=odd))
        )

    def forwarding(self, value: Any, problem: Allgather) -> Forwarding:
        take = members(value, "by prices potentials sets")
        prices = take("prices", self.prices)
        potentials = take("potentials", listing(row(problem.node, positive)))
        nodes = [node for node, _ in potentials]
        structure(len(set(nodes)) == len(nodes), "a node twice")
        structure(not set(nodes) & set(problem.shards), "a potential in the group")
        sets = take("sets", listing(row(listing(problem.node, 1, distinct=True), positive)))
        listed = [(set(inside), weight) for inside, weight in sets]
        return Forwarding(prices, dict(map(tuple, potentials)), listed)

    def latencies(self, value: Any, problem: Allgather | Combination) -> Latencies:
        take = members(value, "by prices nodes roots early late weight startup")
        nodes = take("nodes", listing(problem.node, 1, distinct=True))
        group = set(problem.shards) if isinstance(problem, Allgather) else set(problem.of(0))
        structure(any(v in group for v in nodes), "a set without a node of the group")
        count = len(problem.roots if isinstance(problem, Allgather) else problem.blocks)
        roots = take("roots", listing(index(count), 1, distinct=True))
        if isinstance(problem, Allgather):
            structure(all(problem.roots[r][0] not in nodes for r in roots), "a root in the set")
        else:
            structure(group - set(nodes) != set(), "nobody is outside")
            for _, wanted, source in (problem.blocks[r] for r in roots):
                structure(source is None, "a message has no latencies")
                structure(set(wanted) & set(nodes) != set(), "nobody in the set wants it")

        def times(entries: Any) -> dict[Any, Fraction]:
            values = each(any_rational, len(problem.nodes))(entries)
            return dict(zip(problem.nodes, values, strict=True))

        return Latencies(
            take("prices", self.prices),
            nodes,
            roots,
            take("early", times),
            take("late", times),
            take("weight", nonnegative),
            take("startup", nonnegative),
        )

    def table(self) -> Callable[[Any], list[Any]]:
        problem = self.problem
        numbers = each(any_rational, len(problem.nodes))
        if isinstance(problem, Alltoall):
            return each(numbers, len({source for source, _, _ in problem.demands}))
        return each(each(numbers, len(problem.intervals)), len(problem.goals))


class Work(NamedTuple):
    """How much work a proof has to bound: that of a series, or of a run of M operations."""

    operations: int  # 0 for a series
    size: Fraction  # of all operations
    sizes: frozenset[Fraction] = frozenset({Fraction(1)})  # of single ones

    def bound(self, work: Fraction, startup: Fraction, prices: Fraction) -> Fraction:
        if not self.operations:
            return prices / work
        rule(prices > 0, "prices are 0")
        return (self.size * work + self.operations * startup) / prices


def length(problem: Problem, prices: dict[str, Fraction], place: int) -> Fraction:
    """The sum of the prices of the resources of a place; times its cost, the length."""
    if problem.ports == "routes":
        arc = problem.arcs[place]
        paid = (prices.get(f"link:{name}", Fraction(0)) * cost for name, cost in arc.route)
        return sum(paid, Fraction(0)) / arc.cost
    return sum((prices.get(name, Fraction(0)) for name in problem.uses(place)), Fraction(0))


def bound_by_cuts(problem: Problem, proof: Cuts, removed: set[int], work: Work) -> Fraction:
    arcs = problem.arcs
    sets = len(proof.sets) + len(proof.startup_sets) + len(proof.odd_sets)
    Budget.spend(len(arcs) * sets)
    halves = [price * (len(nodes) // 2) for nodes, price in proof.odd_sets]
    rule(bool(proof.sets) or work.operations > 0, "1: no cut")
    remaining = [place for place in range(len(arcs)) if place not in removed]
    for place in remaining:
        arc = arcs[place]
        price = length(problem, proof.prices, place)
        price += sum(p for nodes, p in proof.odd_sets if {arc.tail, arc.head} <= set(nodes))
        for sets, time in ((proof.sets, arc.cost), (proof.startup_sets, arc.latency)):
            crossed = sum(w for nodes, w in sets if arc.head in nodes and arc.tail not in nodes)
            rule(crossed <= time * price, "2 or 3: the cuts weigh more than an arc is long")
    total = sum(proof.prices.values(), Fraction(0)) + sum(halves)
    weight = sum((w * problem.demand(nodes) for nodes, w in proof.sets), Fraction(0))
    rule(weight > 0 or work.operations > 0, "1: nothing has to enter the sets")
    startup = sum((w for _, w in proof.startup_sets), Fraction(0))
    if problem.restrict != "tree" or total == 0 or not remaining:
        return work.bound(weight, startup, total)
    costs = [arcs[place].cost for place in remaining]
    unit = lcm(*(cost.denominator for cost in costs))
    step = Fraction(gcd(*(int(cost * unit) for cost in costs)), unit)
    return 1 / (step * ceil(weight / (total * step)))


def _once(arcs: list[int], removed: set[int]) -> bool:
    """Whether the arcs remain, each listed once."""
    return not removed & set(arcs) and len(set(arcs)) == len(arcs)


def bound_by_split(problem: Problem, proof: Split, removed: set[int], work: Work) -> Fraction:
    arcs = problem.arcs
    for without, _ in proof.cases:
        rule(_once(without, removed), "an arc is removed twice")
    if proof.by == "split-on-node":
        into = {k for k, arc in enumerate(arcs) if arc.head == proof.on and k not in removed}
        rule(all(set(w) <= into for w, _ in proof.cases), "an arc does not enter the node")
        rule(not into.intersection(*(w for w, _ in proof.cases)), "an arc is kept by no case")
    else:
        rule(_once(proof.on, removed), "an arc of the cycle is there twice, or has been removed")
        heads = [arcs[place].head for place in proof.on]
        tails = [arcs[place].tail for place in proof.on]
        rule(tails[1:] + tails[:1] == heads, "no cycle")
        cycle = set(proof.on)
        single = all(len(w) == 1 and w[0] in cycle for w, _ in proof.cases)
        rule(single, "not one arc of the cycle")
        rule(cycle <= {k for w, _ in proof.cases for k in w}, "an arc of the cycle stays")
    return max(shown(problem, inner, removed | set(w), work) for w, inner in proof.cases)


def cost_by_forwarding(problem: Allgather, proof: Forwarding) -> Fraction:
    """P, after rule 1."""
    Budget.spend(len(proof.sets) * len(problem.arcs))
    none = Fraction(0)
    for place, arc in enumerate(problem.arcs):
        crossed = [w for inside, w in proof.sets if arc.head in inside and arc.tail not in inside]
        left = length(problem, proof.prices, place) * arc.cost + proof.potentials.get(
            arc.tail, none
        )
        rule(
            sum(crossed, proof.potentials.get(arc.head, none)) <= left, "1: an arc pays too little"
        )
    return sum((weight * problem.demand(inside) for inside, weight in proof.sets), none)


def bound_by_latencies(problem: Allgather | Combination, proof: Latencies, work: Work) -> Fraction:
    total = sum(proof.prices.values(), Fraction(0))
    rule(total > 0, "1: prices are 0")
    inside = set(proof.nodes)
    if isinstance(problem, Allgather):
        rule(all(proof.early[problem.roots[r][0]] <= 0 for r in proof.roots), "2: a root waits")
        rule(all(proof.late[v] <= 0 for v in inside & set(problem.shards)), "2: a goal is far")
        of = {problem.roots[r][1] for r in proof.roots}
        counted = sum(problem.roots[r][1] for r in proof.roots)
    else:
        of = {problem.blocks[r][0] for r in proof.roots}
        rule(any(proof.early[v] <= 0 for v in set(problem.of(0)) - inside), "2: all values wait")
        for r in proof.roots:
            wanted = inside & set(problem.blocks[r][1])
            rule(any(proof.late[v] <= 0 for v in wanted), "2: all goals are far")
        counted = sum(problem.blocks[r][0] for r in proof.roots)
    entries, exits = [], []
    for place, arc in enumerate(problem.arcs):
        rule(proof.early[arc.head] - proof.early[arc.tail] <= arc.latency, "3: early")
        rule(proof.late[arc.tail] - proof.late[arc.head] <= arc.latency, "3: late")
        if arc.head in inside and arc.tail not in inside:
            price = length(problem, proof.prices, place)
            for part in work.sizes:
                for size in of:
                    paid = proof.weight * part * size + proof.startup
                    rule(paid <= price * (arc.cost * part * size + arc.latency), "4: paid too much")
            entries.append(proof.early[arc.tail])
            exits.append(proof.late[arc.head])
    size = counted * work.size
    startups = work.operations * len(proof.roots) * proof.startup
    return min(entries) + min(exits) + (size * proof.weight + startups) / total


def distances(
    problem: Combination | Allgather, lengths: Sequence[Fraction], group: set[Any]
) -> dict[tuple[Any, Any], Fraction]:
    """Of the pairs of a group: the shortest path with inner nodes outside (Bellman and Ford)."""
    found: dict[tuple[Any, Any], Fraction] = {}
    for start in group:
        near = {start: Fraction(0)}
        changed = True
        while changed:
            changed = False
            Budget.spend(len(problem.arcs))
            for arc, more in zip(problem.arcs, lengths, strict=True):
                if arc.tail not in near or (arc.tail in group and arc.tail != start):
                    continue
                if arc.head not in near or near[arc.tail] + more < near[arc.head]:
                    near[arc.head] = near[arc.tail] + more
                    changed = True
        found |= {(start, v): d for v, d in near.items() if v in group and v != start}
    return found


def cost_by_trees(problem: Combination | Allgather, proof: Trees) -> Fraction:
    """P, after rules 1 and 2."""
    arcs = problem.arcs
    sets = sum(len(side) for sides in proof.roots.values() for side in sides)
    Budget.spend(len(arcs) * (sets + len(proof.odd_sets)))
    lengths = []
    for place, arc in enumerate(arcs):
        price = length(problem, proof.prices, place)
        price += sum(p for nodes, p in proof.odd_sets if {arc.tail, arc.head} <= set(nodes))
        lengths.append(arc.cost * price)
    pairs: dict[int | None, dict[tuple[Any, Any], Fraction]]
    if isinstance(problem, Allgather):
        pairs = {None: distances(problem, lengths, set(problem.shards))}
    else:
        pairs = {n: distances(problem, lengths, problem.groups[n]) for n in {*problem.numbers}}
    Budget.spend(sum(map(len, pairs.values())) * sets)
    for (group, _), (left, entered, passed) in proof.roots.items():
        for (tail, head), far in pairs.get(group, {}).items():
            out = sum(w for nodes, w in left if tail in nodes and head not in nodes)
            rule(out <= far, "1: the cuts weigh more than a pair is far")
            into = sum(w for nodes, w in entered if head in nodes and tail not in nodes)
            rule(into <= far, "2: the cuts weigh more than a pair is far")
            into = sum(w for nodes, w in passed if head in nodes and tail not in nodes)
            rule(into <= far, "3: the cuts weigh more than a pair is far")

    if isinstance(problem, Allgather):
        entered_by = {root: sides[1] for (_, root), sides in proof.roots.items()}
        return sum(
            (
                size * weight
                for root, size in problem.roots
                for nodes, weight in entered_by.get(root, [])
                if not nodes.isdisjoint(problem.shards)
            ),
            Fraction(0),
        )

    def weight(group: int | None, root: Any, side: int, around: Any = None) -> Fraction:
        cuts = proof.roots.get((group, root), ([], [], []))[side]
        return sum((w for nodes, w in cuts if around is None or around in nodes), Fraction(0))

    least = {
        n: min(weight(n, v, 0) + weight(n, v, 1) for v in problem.groups[n])
        for n in {*problem.numbers}
    }

    def worth(wanted: list[Any], source: Any, n: int | None) -> Fraction:
        if source is None:
            return weight(n, wanted[0], 0) if len(wanted) == 1 else least[n]
        return weight(n, source, 2, wanted[0]) if len(wanted) == 1 else weight(n, source, 1)

    worths = (
        size * worth(wanted, source, n)
        for (size, wanted, source), n in zip(problem.blocks, problem.numbers, strict=True)
    )
    return sum(worths, Fraction(0))


def cost_by_targets(problem: Combination, proof: Targets) -> Fraction:
    """P, after rules 1 to 3; sets of targets as sets, and costs by set and node."""
    lengths = []
    for place, arc in enumerate(problem.arcs):
        price = length(problem, proof.prices, place)
        price += sum(p for nodes, p in proof.odd_sets if {arc.tail, arc.head} <= set(nodes))
        lengths.append(arc.cost * price)
    pairs = distances(problem, lengths, problem.of(0))
    fallen = dict.fromkeys(pairs, Fraction(0))
    size, _, source = problem.blocks[0]
    paid = Fraction(0)
    for targets, rows in proof.shares:
        Budget.spend(4 ** len(targets) * len(problem.of(0)) + len(rows) * len(pairs))
        cost = {frozenset(): dict.fromkeys(problem.of(0), Fraction(0))}
        for number, at in enumerate(rows, 1):
            cost[frozenset(v for i, v in enumerate(targets) if number >> i & 1)] = at
        for some, at in cost.items():
            for v in some:
                rule(at[v] <= cost[some - {v}][v], "1: a target pays for itself")
            for part in cost:
                if part < some and part:
                    for v in problem.of(0):
                        rule(at[v] <= cost[part][v] + cost[some - part][v], "2: two parts")
        for tail, head in pairs:
            fallen[tail, head] += max(at[tail] - at[head] for at in cost.values())
        paid += cost[frozenset(targets)][source]
    rule(all(fallen[pair] <= far for pair, far in pairs.items()), "3: costs fall too fast")
    return size * paid


def cost_by_distances(problem: Alltoall, proof: Table) -> Fraction:
    """P, after rules 1 and 2."""
    Budget.spend(len(problem.arcs) * len(proof.values))
    sources = list(dict.fromkeys(source for source, _, _ in problem.demands))
    rows = {
        source: dict(zip(problem.nodes, table, strict=True))
        for source, table in zip(sources, proof.values, strict=True)
    }
    for source, d in rows.items():
        rule(d[source] <= 0, "1: the source is far")
        for place, arc in enumerate(problem.arcs):
            limit = arc.cost * length(problem, proof.prices, place)
            rule(d[arc.head] - d[arc.tail] <= limit, "2: an arc is too short")
    return sum((size * rows[s][t] for s, t, size in problem.demands), Fraction(0))


def cost_by_potentials(problem: Reduction, proof: Table) -> Fraction:
    """P, after rules 1 to 3."""
    n, goals = len(problem.owners), len(problem.goals)
    single = len(problem.compute) * (n - 1) * n * (n + 1) // 6 + len(problem.compute_tasks)
    Budget.spend(goals * (len(problem.arcs) * len(problem.intervals) + single))
    tables = [
        {
            (interval, node): p
            for interval, values in zip(problem.intervals, table, strict=True)
            for node, p in zip(problem.nodes, values, strict=True)
        }
        for table in proof.values
    ]
    rule(all(p[s] <= 0 for p in tables for s in problem.given), "1: a given state is not free")
    offset = len(problem.arcs)
    tasks = [(k, *item) for k in range(offset) for item in problem.intervals]
    for v, node in enumerate(problem.nodes):
        if node in problem.all_times:
            tasks += [(offset + v, k, j, m) for k, m in problem.intervals for j in range(k, m)]
        tasks += [(offset + v, *task[1:]) for task in problem.task_times if task[0] == node]
    for task in tasks:
        made, needs = problem.makes(task), problem.needs(task)
        adds = sum(max(Fraction(0), p[made] - sum(p[s] for s in needs)) for p in tables)
        limit = problem.duration(task) * length(problem, proof.prices, task[0])
        rule(adds <= limit, "2 or 3: a task is too cheap")
    return sum((p[s] for p, s in zip(tables, problem.parts[0], strict=True)), Fraction(0))


def shown(problem: Problem, proof: Any, removed: set[int], work: Work) -> Fraction:
    """The bound that a proof shows."""
    if isinstance(proof, Cuts):
        return bound_by_cuts(problem, proof, removed, work)
    if isinstance(proof, Split):
        return bound_by_split(problem, proof, removed, work)
    if isinstance(proof, Latencies) and isinstance(problem, (Allgather, Combination)):
        return bound_by_latencies(problem, proof, work)
    total = sum(proof.prices.values(), Fraction(0))
    if isinstance(proof, Targets) and isinstance(problem, Combination):
        cost = cost_by_targets(problem, proof)
        total += sum(price * (len(nodes) // 2) for nodes, price in proof.odd_sets)
    elif isinstance(proof, Forwarding) and isinstance(problem, Allgather):
        cost = cost_by_forwarding(problem, proof)
    elif isinstance(proof, Trees):
        cost = cost_by_trees(problem, proof)
        total += sum(price * (len(nodes) // 2) for nodes, price in proof.odd_sets)
    else:
        costs = cost_by_distances if isinstance(problem, Alltoall) else cost_by_potentials
        cost = costs(problem, proof)
    rule(cost > 0, "P proves nothing")
    return work.bound(cost, Fraction(0), total)


# Schedules


def no_overlap(problem: Problem, slots: Sequence[tuple[int, int, int]]) -> None:
    """Slots (place, start, end) that share a resource do not overlap."""
    busy = defaultdict(list)
    for place, start, end in slots:
        for name in problem.uses(place):
            busy[name].append((start, end))
    for times in busy.values():
        times.sort()
        for (_, end), (start, _) in pairwise(times):
            rule(end <= start, "slots overlap")


def duration(problem: Problem, task: Task) -> Fraction:
    """How long a task takes that its node can do."""
    time = problem.duration(task)
    rule(time is not None, "the node cannot do the task")
    return time or Fraction(0)


def read_schedule(problem: Problem, value: Any) -> Callable[[], Fraction]:
    """A function that checks the rules and returns what the schedule reaches."""
    if value is None:
        return lambda: Fraction(0)
    take = members(value, "period tick structures slots whole")
    period, tick = take("period", positive), take("tick", positive)
    whole = take("whole", truth)

    def one(entry: Any) -> tuple[int, int, list[Task]]:
        inner = members(entry, "operations part tasks")
        part = inner("part", index(len(problem.parts)))
        return inner("operations", integer(1)), part, inner("tasks", listing(problem.task, 1))

    structures = take("structures", listing(one, least=1))
    slots = take("slots", listing(row(index(problem.places()), integer(), integer())))
    return lambda: _reaches(problem, period, tick, structures, slots, whole)


def _reaches(
    problem: Problem, period: Fraction, tick: Fraction, structures: Any, slots: Any, whole: bool
) -> Fraction:
    done = [0] * len(problem.parts)
    lines = defaultdict(list)  # for each place: (operations, duration of a single task)
    for operations, part, tasks in structures:
        known = set(problem.given)
        sent = [problem.needs(task)[0] for task in tasks if problem.forwarding(task)]
        rule(len(set(sent)) == len(sent), "1: forwarded twice")
        for task in tasks:
            rule(all(s in known for s in problem.needs(task)), "1: an input is missing")
            rule(problem.makes(task) not in known, "1: made twice")
            known.add(problem.makes(task))
            lines[task[0]].append((operations, duration(problem, task)))
        rule(all(s in known for s in problem.parts[part]), "1: a wanted state is missing")
        if isinstance(problem, Combination):
            rule(all(task[1] == part for task in tasks), "1: a call about another block")
            rule(problem.adds_up(part, tasks), "1: no in-tree")
        done[part] += operations
    rule(len(set(done)) == 1, "2: parts differ")
    rule(all(0 <= start < end and end * tick <= period for _, start, end in slots), "3")
    if problem.ports == "routes":
        _shared_links(problem, tick, structures, slots, set(lines))
        return done[0] / period
    no_overlap(problem, slots)
    ends = defaultdict(list)  # for each place: where its slots end in its line of time
    for place, start, end in sorted(slots):
        ends[place].append((ends[place][-1] if ends[place] else 0) + (end - start) * tick)
    rule(set(ends) == set(lines), "5: a place without slots, or without tasks")
    for place, line in lines.items():
        rule(ends[place][-1] == sum(n * time for n, time in line), "5: slots too long or short")
        if whole:
            _whole(line, ends[place])
    if problem.restrict == "tree":
        rule(len(structures) == 1, "7: more than one tree")
    if problem.restrict == "dag":
        rule(acyclic((problem.arcs[k].tail, problem.arcs[k].head) for k in lines), "7: a cycle")
    return done[0] / period


def _shared_links(
    problem: Problem, tick: Fraction, structures: Any, slots: Any, working: set[int]
) -> None:
    ends = {end for _, _, end in slots}
    rule(len(ends) == 1 and all(start == 0 for _, start, _ in slots), "4: slots differ")
    rule(sorted(place for place, _, _ in slots) == sorted(working), "4: not one slot for each arc")
    for name, cost in problem.links.items():
        sizes = [
            operations * problem.size(task[1:])
            for operations, _, tasks in structures
            for task in tasks
            if name in dict(problem.arcs[task[0]].route)
        ]
        rule(sum(sizes, Fraction(0)) * cost <= ends.copy().pop() * tick, "5: a link is overfull")


def _whole(line: Sequence[tuple[int, Fraction]], ends: Sequence[Fraction]) -> None:
    begin, k = Fraction(0), 0
    for end in ends:
        while begin + line[k][0] * line[k][1] < end:
            begin += line[k][0] * line[k][1]
            k += 1
        rule((end - begin) % line[k][1] == 0, "6: a task is interrupted")


def acyclic(pairs: Any) -> bool:
    """Whether a graph, given by its arcs, has no directed cycle."""
    into: dict[Any, set[Any]] = defaultdict(set)
    for tail, head in pairs:
        into[head].add(tail)
        into[tail] |= set()
    while into:
        first = {v for v, tails in into.items() if not tails}
        if not first:
            return False
        into = {v: tails - first for v, tails in into.items() if v not in first}
    return True


def check_series(document: dict[str, Any]) -> dict[str, Any]:
    take = members(document, "problem throughput bound optimal schedule proof")
    problem = take("problem", read_problem)
    structure(not problem.latent(), "a latency in a series")
    throughput, bound = take("throughput", any_rational), take("bound", any_rational)
    optimal = take("optimal", truth)
    reaches = take("schedule", lambda value: read_schedule(problem, value))
    proof = take("proof", ProofReader(problem, True).read)
    claim("throughput", throughput, reaches())
    claim("bound", bound, shown(problem, proof, set(), Work(0, Fraction(0))))
    claim("optimal", optimal, throughput == bound)
    return {"throughput": throughput, "bound": bound, "optimal": optimal}


def check_series_around_cycle(document: dict[str, Any]) -> dict[str, Any]:
    take = members(document, "problem cycle throughput bound optimal proof")
    problem = take("problem", read_problem)
    structure(isinstance(problem, Broadcast), "no broadcast")
    structure(problem.ports == "half-duplex" and problem.restrict == "none", "other ports")
    structure(not problem.latent(), "a latency in a series")
    cycle = take("cycle", listing(problem.node, distinct=True))
    structure(len(cycle) == len(problem.nodes), "a node is missing")
    structure(len(cycle) % 2 == 0 and cycle[0] == problem.source, "an odd cycle, or the source")
    throughput, bound = take("throughput", any_rational), take("bound", any_rational)
    optimal = take("optimal", truth)
    by = take("proof", lambda value: value.get("by") if isinstance(value, dict) else None)
    if by == "receptions":
        least = members(document["proof"], "by cost")("cost", positive)
    else:
        proof = take("proof", ProofReader(problem, True).read)
    costs = {(arc.tail, arc.head): arc.cost for arc in problem.arcs}
    links = list(pairwise([*cycle, cycle[0]]))
    links += [(v, u) for u, v in links]
    rule(all(link in costs for link in links), "1: an arc is missing")
    rule(len({costs[link] for link in links}) == 1, "2: costs differ")
    claim("throughput", throughput, len(cycle) // 2 / ((len(cycle) - 1) * costs[links[0]]))
    if by == "receptions":  # Every message is received by all but one.
        rule(min(costs.values()) >= least, "by receptions: a cheaper arc")
        claim("bound", bound, Fraction(len(cycle), 2 * (len(cycle) - 1)) / least)
    else:
        claim("bound", bound, shown(problem, proof, set(), Work(0, Fraction(0))))
    claim("optimal", optimal, throughput == bound)
    return {"throughput": throughput, "bound": bound, "optimal": optimal}


def orbits(count: int, images: Sequence[list[int]]) -> list[list[int]]:
    """The orbits of the numbers below `count`; each begins with the first of its numbers."""
    found, known = [], [False] * count
    for first in range(count):
        orbit = [] if known[first] else [first]
        known[first] = True
        for k in orbit:  # It grows meanwhile.
            for image in images:
                if not known[image[k]]:
                    known[image[k]] = True
                    orbit.append(image[k])
        found += [orbit] if orbit else []
    return found


def check_series_by_symmetry(document: dict[str, Any]) -> dict[str, Any]:
    names = "problem automorphisms routes period tick slots throughput bound optimal proof"
    take = members(document, names)
    problem: AlltoallAmong = take("problem", AlltoallAmong)
    structure(not problem.latent(), "a latency in a series")
    nodes, count = problem.nodes, len(problem.nodes)
    among = set(problem.among)
    group = {k for k, v in enumerate(nodes) if v in among}

    def automorphism(entry: Any) -> list[int]:
        image = each(index(count), count)(entry)
        structure(len(set(image)) == count, "two nodes have one image")
        structure({image[k] for k in group} == group, "an image is not in the group")
        return image

    images = take("automorphisms", listing(automorphism))
    # Of the orbits of the group: the size, by the representative.
    sizes = {nodes[orbit[0]]: len(orbit) for orbit in orbits(count, images) if orbit[0] in group}

    def route(entry: Any) -> tuple[Any, Any, Fraction, list[int]]:
        path = listing(index(len(problem.arcs)), least=1)
        source, target, share, arcs = row(problem.node, problem.node, positive, path)(entry)
        structure(source in sizes, "a route from no representative")
        structure(target in among and target != source, "a route to no other node")
        return source, target, share, arcs

    routes = take("routes", listing(route))
    structure(len(routes) >= len(sizes) * (len(group) - 1), "too few routes")
    problem.represented(sizes)
    period, tick = take("period", positive), take("tick", positive)
    slots = take("slots", listing(row(index(problem.places()), integer(), integer())))
    throughput, bound = take("throughput", any_rational), take("bound", any_rational)
    optimal = take("optimal", truth)
    proof: Table = take("proof", ProofReader(problem, True).read)

    alike = orbits(len(problem.arcs), _images_of_arcs(problem, images, proof.prices))
    _routes_lead(problem, routes)
    rule(all(0 <= start < end and end * tick <= period for _, start, end in slots), "4")
    no_overlap(problem, slots)
    works = dict.fromkeys(range(problem.places()), 0)
    for place, start, end in slots:
        works[place] += end - start
    passed = dict.fromkeys(works, Fraction(0))
    for source, _, share, arcs in routes:
        for place in arcs:
            passed[place] += share * sizes[source]
    for orbit in alike:
        w = sum((passed[place] for place in orbit), Fraction(0))
        for place in orbit:
            mean = problem.one * problem.arcs[place].cost * w / len(orbit)
            rule(works[place] * tick == mean, "6: slots are too long or too short")
    claim("throughput", throughput, 1 / period)
    claim("bound", bound, shown(problem, proof, set(), Work(0, Fraction(0))))
    claim("optimal", optimal, throughput == bound)
    return {"throughput": throughput, "bound": bound, "optimal": optimal}


def _images_of_arcs(
    problem: AlltoallAmong, images: Sequence[list[int]], prices: dict[str, Fraction]
) -> list[list[int]]:
    """For each automorphism the images of all arcs, after rule 1."""
    ends = {(arc.tail, arc.head): place for place, arc in enumerate(problem.arcs)}
    moved = []
    Budget.spend(4 * len(images) * len(problem.arcs))  # images, costs, prices, and the orbits
    for image in images:
        to = {v: problem.nodes[k] for v, k in zip(problem.nodes, image, strict=True)}
        pairs = [(to[arc.tail], to[arc.head]) for arc in problem.arcs]
        rule(all(pair in ends for pair in pairs), "1: the image of an arc is no arc")
        arcs = [ends[pair] for pair in pairs]
        for arc, other in zip(problem.arcs, arcs, strict=True):
            rule(arc.cost == problem.arcs[other].cost, "1: two costs in an orbit")
        for name, other_name in problem.moved(image, arcs):
            rule(prices.get(name, 0) == prices.get(other_name, 0), "1: two prices in an orbit")
        moved.append(arcs)
    return moved


def _routes_lead(
    problem: AlltoallAmong, routes: Sequence[tuple[Any, Any, Fraction, list[int]]]
) -> None:
    """Rules 2 and 3."""
    sent = dict.fromkeys(((s, t) for s, t, _ in problem.demands), Fraction(0))
    for source, target, share, arcs in routes:
        visits = [source]
        for place in arcs:
            rule(problem.arcs[place].tail == visits[-1], "2: an arc starts elsewhere")
            visits.append(problem.arcs[place].head)
        rule(visits[-1] == target, "2: a route ends elsewhere")
        rule(len(set(visits)) == len(visits), "2: a node is visited twice")
        sent[source, target] += share
    rule(all(shares == 1 for shares in sent.values()), "3: shares do not add up to 1")


def check_run(document: dict[str, Any]) -> dict[str, Any]:
    take = members(
        document, "problem makespan bound optimal operations sizes tick tasks rows proof"
    )
    problem = take("problem", read_problem)
    sized = isinstance(problem, (Broadcast, Allgather, Combination))
    structure(sized or not problem.latent(), "a latency in another run")
    structure(problem.restrict == "none", "a restricted run")
    structure(problem.ports != "routes", "a run under routes")
    makespan, bound = take("makespan", any_rational), take("bound", any_rational)
    optimal = take("optimal", truth)
    count = take("operations", integer(1, 1_000_000))
    sizes = take("sizes", listing(positive))
    structure(not sizes or (sized and len(sizes) == count), "sizes of the operations")
    tick = take("tick", positive)
    tasks = take("tasks", listing(problem.task, distinct=True))
    entry = row(index(len(tasks)), index(count), integer(), integer())
    rows = take("rows", listing(entry, least=1))
    proof = take("proof", ProofReader(problem, False).read)
    _run_rules(problem, count, sizes, tick, tasks, rows)
    claim("makespan", makespan, max(end for _, _, _, end in rows) * tick)
    size = sum(sizes, Fraction(0)) if sizes else Fraction(count)
    parts = frozenset(sizes or [Fraction(1)])
    claim("bound", bound, shown(problem, proof, set(), Work(count, size, parts)))
    claim("optimal", optimal, makespan == bound)
    return {"makespan": makespan, "bound": bound, "optimal": optimal}


def _run_rules(
    problem: Problem, count: int, sizes: Any, tick: Fraction, tasks: Any, rows: Any
) -> None:
    rule(all(0 <= start < end for _, _, start, end in rows), "1")
    no_overlap(problem, [(tasks[t][0], start, end) for t, _, start, end in rows])
    pieces = defaultdict(list)
    for t, operation, start, end in rows:
        pieces[t, operation].append((start, end))
    made: dict[Any, int] = {}
    for (t, operation), times in pieces.items():
        time = duration(problem, tasks[t])
        if isinstance(problem, Broadcast):
            arc = problem.arcs[tasks[t][0]]
            time = arc.latency + (sizes[operation] if sizes else 1) * arc.cost
            rule(not arc.latency or len(times) == 1, "3: a start-up is paid again")
        elif isinstance(problem, (Allgather, Combination)):
            arc = problem.arcs[tasks[t][0]]
            time = arc.latency + (sizes[operation] if sizes else 1) * time
            rule(not arc.latency or len(times) == 1, "3: a start-up is paid again")
        rule(sum(end - start for start, end in times) * tick == time, "3: too long or short")
        key = (operation, problem.makes(tasks[t]))
        end = max(end for _, end in times)
        made[key] = min(end, made.get(key, end))
    senders = defaultdict(set)
    for t, operation, _, _ in rows:
        if problem.forwarding(tasks[t]):
            senders[operation, problem.needs(tasks[t])[0]].add(t)
    rule(all(len(found) == 1 for found in senders.values()), "4: forwarded twice")
    for t, operation, start, _ in rows:
        for s in problem.needs(tasks[t]):
            there = s in problem.given or made.get((operation, s), start + 1) <= start
            rule(there, "4: an input is missing")
    wanted = [s for part in problem.parts for s in part]
    for operation in range(count):
        rule(all((operation, s) in made for s in wanted), "5: a wanted state is missing")
        if isinstance(problem, Combination):
            used = [tasks[t] for t, other in pieces if other == operation]
            for block in range(len(problem.blocks)):
                rule(problem.adds_up(block, used), "5: no in-tree")


CHECKS = {
    "series": check_series,
    "run": check_run,
    "series-around-cycle": check_series_around_cycle,
    "series-by-symmetry": check_series_by_symmetry,
}
