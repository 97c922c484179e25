"""Random documents with simple schedules and wrong claims: what is compared is the bounds."""

import json
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

Document = dict[str, Any]


def _number(random: Random, low: int, high: int) -> Any:
    return str(Fraction(random.randint(low, high), random.choice((1, 1, 1, 2, 3))))


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
    uses = {
        k: [f"link:{k}"]
        if ports == "link"
        else ([f"send:{u}", f"recv:{v}"] if ports == "one-port" else [f"port:{u}", f"port:{v}"])
        for k, (u, v, _) in enumerate(arcs)
    }
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


MAKERS: tuple[Callable[[Random], Document], ...] = (rounds, overlay, logp, logp_rounds, series)


def fresh(random: Random) -> str:
    """A random document."""
    return json.dumps({"format": "exactsched", "version": 2, **random.choice(MAKERS)(random)})
