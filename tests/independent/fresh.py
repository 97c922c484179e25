"""Random documents with simple schedules and wrong claims: what is compared is the bounds."""

import json
from collections.abc import Callable
from fractions import Fraction
from math import lcm
from random import Random
from typing import Any

Document = dict[str, Any]


def _number(random: Random, low: int, high: int) -> Any:
    return str(Fraction(random.randint(low, high), random.choice((1, 1, 1, 2, 3))))


def _uses(ports: str, k: int, u: int, v: int) -> list[str]:
    """The resources of arc k from u to v."""
    if ports == "link":
        return [f"link:{k}"]
    return [f"send:{u}", f"recv:{v}"] if ports == "one-port" else [f"port:{u}", f"port:{v}"]


def rounds(random: Random) -> Document:
    """Packets move over any arc that helps, as early as they can."""
    size = random.randint(2, random.choice((6, 14, 14, 60)))
    parent = [0] + [random.randrange(v) for v in range(1, size)]
    depth = [0] * size
    for v in range(1, size):
        depth[v] = depth[parent[v]] + 1
    pairs = {(parent[v], v) for v in range(1, size)}
    bipartite = random.random() < 0.5
    for _ in range(random.choice((0, 0, 1, 3, size, 2 * size))):
        u, v = random.sample(range(size), 2)
        if not bipartite or (depth[u] - depth[v]) % 2:
            pairs.add((u, v))
    pairs |= {(v, u) for u, v in pairs if random.random() < 0.7 or u < v}
    longest = random.choice((1, 1, 2, 5))
    arcs = [[u, v, random.randint(1, longest) * random.choice((1, 1, 2))] for u, v in sorted(pairs)]
    nodes = random.sample(range(size), random.choice((1, 1, 2, min(size, 9))))
    origins = [[v, random.randint(1, 3)] for v in nodes]
    owner = [v for v, number in origins for _ in range(number)]
    there = {(v, p): 0 for p, v in enumerate(owner)}
    one_port = random.random() < 0.5
    free: dict[Any, int] = {}
    sends: list[list[list[int]]] = []
    while len(there) < size * len(owner):
        t, row = len(sends), []
        for k in random.sample(range(len(arcs)), len(arcs)):
            u, v, d = arcs[k]
            ports = (("out", u), ("in", v)) if one_port else (u, v)
            if all(free.get(port, 0) <= t for port in ports):
                packets = [
                    p
                    for p in range(len(owner))
                    if there.get((u, p), t + 1) <= t and (v, p) not in there
                ]
                if packets:
                    p = random.choice(packets)
                    there[v, p] = t + d
                    free.update(dict.fromkeys(ports, t + d))
                    row.append([k, p])
        sends.append(row)
    end = max(there.values())
    return {
        "kind": "rounds",
        "size": size,
        "arcs": arcs,
        "ports": "one-port" if one_port else "half-duplex",
        "origins": origins,
        "sends": sends,
        "steps": end,
        "bound": 0,
        "optimal": False,
        "occupancy": [],
        "names": [],
    }


def overlay(random: Random) -> Document:
    """No overlay at all: the bounds by counting."""
    n = random.randint(1, 8)
    arcs = [[u, v] for u in range(n + 1) for v in range(1, n + 1) if u != v]
    machine = {
        "bandwidths": [_number(random, 0, 12) for _ in range(n + 1)],
        "degrees": [random.randint(0, 4) for _ in range(n + 1)],
        "incoming": [_number(random, 1, 12) for _ in range(n + 1)] if random.random() < 0.2 else [],
        "arcs": random.sample(arcs, len(arcs) // 2) if random.random() < 0.2 else [],
        "names": [],
    }
    return {
        "kind": "overlay",
        "machine": machine,
        "structure": random.choice(("any", "acyclic", "tree")),
        "parts": 1,
        "arcs": [],
        "throughput": 0,
        "bound": 0,
        "proof": [],
        "optimal": False,
    }


def logp(random: Random) -> Document:
    """Messages far apart; a summation by processor 0 alone."""
    collective = random.choice(("broadcast", "allgather", "alltoall", "allreduce", "summation"))
    P = random.randint(1, random.choice((3, 5 if collective == "alltoall" else 12)))  # noqa: N806
    count, time = random.randint(1, 6), random.randint(1, 60)
    machine = {"L": _number(random, 1, 9), "o": _number(random, 0, 4), "g": _number(random, 1, 9)}
    pairs = [(u, v) for u in range(P) for v in range(P) if u != v]
    moves: list[tuple[int, int, int]] = []  # from, to, item; one after the other
    if collective == "broadcast":
        moves = [(0, v, item) for v in range(1, P) for item in range(count)]
    elif collective == "allgather":
        moves = [(u, v, u * count + j) for u, v in pairs for j in range(count)]
    elif collective == "alltoall":
        moves = [(u, v, (u * P + v) * count + j) for u, v in pairs for j in range(count)]
    messages = [[*move, k] for k, move in enumerate(moves)]
    if collective == "allreduce":  # between p and p xor 2^r in round r
        r = random.randrange(4)
        P = 2**r  # noqa: N806
        messages = [[p, p ^ 2**k, 0, k] for k in range(r) for p in range(P)]
    return {
        "kind": "logp-schedule",
        "machine": {**machine, "P": P},
        "collective": collective,
        "count": count,
        "tick": 100,
        "messages": messages,
        "additions": [[0, 0, random.randint(1, time)]] if collective == "summation" else [],
        "time": time,
        "bound": 0,
        "optimal": False,
    }


def logp_rounds(random: Random) -> Document:
    """Exchanges of halves and rounds at random times, and many of them overlap."""
    P, count = random.randint(2, 12), random.randint(1, 2)  # noqa: N806
    machine = {"L": _number(random, 1, 6), "o": _number(random, 0, 2), "g": _number(random, 1, 3)}
    halvings, rows, time, n = [], [], 0, P
    for _ in range(random.choice((0, 0, 1, 2))):
        if n > 1:
            spacing, later = random.randint(3, 16), random.randint(0, 12)
            halvings.append([time, spacing, later])
            n = -(-n // 2)
            time += (count * n - 1) * spacing + later + random.randint(10, 30)
    for shift in range(1, n):
        for item in range(count):
            rows.append([time, shift, item])
            time += random.choice((6, 12, 20, 60))
    return {
        "kind": "logp-rounds",
        "machine": {**machine, "P": P},
        "collective": random.choice(("allgather", "alltoall")),
        "count": count,
        "tick": random.choice((1, "1/2")),
        "halvings": halvings,
        "rounds": rows,
        "time": 0,
        "bound": 0,
        "optimal": False,
    }


def series(random: Random) -> Document:
    """No schedule; a bound by cuts or distances that are as large as the prices allow."""
    size = random.randint(2, 7)
    pairs = {(v, (v + 1) % size) for v in range(size)}
    pairs |= {tuple(random.sample(range(size), 2)) for _ in range(random.randint(0, 8))}
    arcs = [(u, v, Fraction(random.randint(1, 6), random.randint(1, 4))) for u, v in sorted(pairs)]
    ports = random.choice(("one-port", "half-duplex", "link"))
    uses = {k: _uses(ports, k, u, v) for k, (u, v, _) in enumerate(arcs)}
    names = sorted({name for k in uses for name in uses[k]})
    prices = {name: Fraction(random.randint(1, 5), random.randint(1, 3)) for name in names}
    lengths = [cost * sum(prices[name] for name in uses[k]) for k, (*_, cost) in enumerate(arcs)]
    platform = {"nodes": list(range(size)), "arcs": [[u, v, str(cost)] for u, v, cost in arcs]}
    proof: dict[str, Any] = {"prices": {name: str(price) for name, price in prices.items()}}
    problem: dict[str, Any] = {"platform": platform, "ports": ports}
    if random.random() < 0.5:
        order = random.sample(range(1, size), size - 1)
        start = random.randrange(size - 1)
        stop = random.randint(start + 1, size - 1)
        inside = set(order[start:stop])
        crossing = zip(arcs, lengths, strict=True)
        weight = min(x for (u, v, _), x in crossing if v in inside and u not in inside)
        cuts = [[start, stop, str(weight / 3)], [start, stop, str(weight * 2 / 3)]]
        restrict = random.choice(("none", "tree", "tree", "dag"))
        problem |= {"collective": "broadcast", "source": 0, "restrict": restrict}
        proof |= {"by": "cuts", "order": order, "cuts": cuts, "startup_cuts": [], "odd_sets": []}
    else:
        demands = random.sample([(u, v) for u in range(size) for v in range(size) if u != v], 2)
        problem |= {"collective": "alltoall"}
        problem["demands"] = [[u, v, _number(random, 3, 9)] for u, v in demands]
        proof |= {"by": "distances", "distances": []}
        for source in dict.fromkeys(u for u, _ in demands):
            d = {v: Fraction(0) if v == source else Fraction(10**6) for v in range(size)}
            for _ in range(size):
                for (u, v, _), x in zip(arcs, lengths, strict=True):
                    d[v] = min(d[v], d[u] + x)
            proof["distances"].append([str(d[v]) for v in range(size)])
    return {
        "kind": "series",
        "problem": problem,
        "throughput": 0,
        "bound": 0,
        "optimal": False,
        "schedule": None,
        "proof": proof,
    }


Arcs = list[tuple[int, int, Fraction]]


def _circulant(random: Random, kinds: int, turns: int) -> Arcs:
    """Arcs between the numbers around a circle, and a hub; a turn by `kinds` moves them to arcs."""
    size = kinds * turns
    steps = {1, *(random.randrange(1, size) for _ in range(random.choice((0, 0, 1, 2))))}
    arcs = []
    for kind in range(kinds):
        for step in sorted(steps):
            if step == 1 or random.random() < 0.6:
                cost = Fraction(random.randint(1, 6), random.randint(1, 4))
                arcs += [(v, (v + step) % size, cost) for v in range(kind, size, kinds)]
    inward, outward = random.randrange(kinds), random.randrange(kinds)
    arcs += [(v, size, Fraction(1, 2)) for v in range(inward, size, kinds)]
    arcs += [(size, v, Fraction(2)) for v in range(outward, size, kinds)]
    return arcs


def _shortest(size: int, arcs: Arcs, lengths: list[Fraction], source: int) -> tuple[Any, Any]:
    """The distances from a node, and the arc on which a shortest path enters each node."""
    far, last = {source: Fraction(0)}, {}
    for _ in range(size):
        for k, ((u, v, _), x) in enumerate(zip(arcs, lengths, strict=True)):
            if u in far and (v not in far or far[u] + x < far[v]):
                far[v], last[v] = far[u] + x, k
    return far, last


def _early(random: Random, uses: list[list[str]], times: list[int]) -> list[list[int]]:
    """One or two slots for each arc, as early as its resources are free."""
    free: dict[str, int] = {}
    slots = []
    for k, (names, time) in enumerate(zip(uses, times, strict=True)):
        start = max(free.get(name, 0) for name in names)
        middle = random.choice((start, random.randint(start, start + time)))
        pieces = (start, middle), (middle, start + time)
        slots += [[k, begin, stop] for begin, stop in pieces if begin < stop]
        free.update(dict.fromkeys(names, start + time))
    return slots


def by_symmetry(random: Random) -> Document:
    """Turns of a circulant graph with a hub. Paths are shortest for random lengths."""
    kinds = random.choice((1, 1, 2, 3))
    turns = random.randint(2, 6 if kinds == 1 else 4)
    size = kinds * turns
    arcs = _circulant(random, kinds, turns)
    random.shuffle(arcs)
    order = random.sample(range(size + 1), size + 1)
    chosen = set(random.sample(range(kinds), random.randint(1, kinds)))
    group = [v for v in order if (v % kinds in chosen if v < size else random.random() < 0.4)]
    random.shuffle(group)
    turn = [order.index((v + kinds) % size if v < size else v) for v in order]
    twice = [turn[k] for k in turn]
    automorphisms = random.choice(([turn], [turn], [twice, turn], [turn, list(range(size + 1))]))

    def orbit(v: int) -> list[int]:
        return [w for w in order if w == v or (w < size and v < size and (w - v) % kinds == 0)]

    def kind(k: int) -> tuple[int, int, int]:
        u, v, _ = arcs[k]
        step = (v - u) % size if max(u, v) < size else -1
        return (u % kinds if u < size else -1, v % kinds if v < size else -1, step)

    alike = [kind(k) for k in range(len(arcs))]
    sources = [v for v in group if orbit(v)[0] == v]
    loads = dict.fromkeys(alike, Fraction(0))
    routes = []
    for share in random.choice(((Fraction(1),), (Fraction(1, 3), Fraction(2, 3)))):
        for s in sources:
            _, last = _shortest(size + 1, arcs, [Fraction(random.randint(1, 9)) for _ in arcs], s)
            for t in group:
                path: list[int] = []
                v = t
                while v != s:
                    path.insert(0, last[v])
                    v = arcs[last[v]][0]
                routes += [[s, t, str(share), path]] if path else []
                for k in path:
                    loads[alike[k]] += share * len(orbit(s))
    random.shuffle(routes)
    message = Fraction(random.randint(1, 5), random.randint(1, 3))
    times = [
        message * cost * loads[kind] / alike.count(kind)
        for (_, _, cost), kind in zip(arcs, alike, strict=True)
    ]
    ports = random.choice(("one-port", "half-duplex", "link"))
    uses = [_uses(ports, k, u, v) for k, (u, v, _) in enumerate(arcs)]
    ticks = lcm(*(time.denominator for time in times))
    slots = _early(random, uses, [int(time * ticks) for time in times])
    end = max(stop for _, _, stop in slots) + random.randint(0, 1)
    dear = {v: Fraction(random.randint(1, 5), random.randint(1, 3)) for v in range(-1, kinds)}
    prices: dict[str, Fraction] = {}
    for names, ends in zip(uses, alike, strict=True):
        prices.update((name, dear[v]) for name, v in zip(names, ends, strict=False))
    lengths = [cost * sum(prices[name] for name in uses[k]) for k, (*_, cost) in enumerate(arcs)]
    distances = []
    for s in sources:
        far, _ = _shortest(size + 1, arcs, lengths, s)
        distances.append([str(far[v]) for v in order])
    return {
        "kind": "series-by-symmetry",
        "problem": {
            "collective": "alltoall",
            "platform": {"nodes": order, "arcs": [[u, v, str(cost)] for u, v, cost in arcs]},
            "among": group,
            "size": str(message),
            "ports": ports,
        },
        "automorphisms": automorphisms,
        "routes": routes,
        "period": str(Fraction(end, ticks)),
        "tick": str(Fraction(1, ticks)),
        "slots": slots,
        "throughput": 0,
        "bound": 0,
        "optimal": False,
        "proof": {
            "by": "distances",
            "prices": {name: str(price) for name, price in prices.items()},
            "distances": distances,
        },
    }


MAKERS: tuple[Callable[[Random], Document], ...] = (
    *(rounds, overlay, logp, logp_rounds, series, by_symmetry),
)


def fresh(random: Random) -> str:
    """A random document."""
    return json.dumps({"format": "exactsched", "version": 2, **random.choice(MAKERS)(random)})
