"""Small files that ask for far more work or memory than their size: made, not stored.

Every function returns the bytes of one file of at most a megabyte.  Each makes some loop, copy or
dictionary of the checker far longer than the file, or once did; some took minutes or gigabytes.
"""

from __future__ import annotations

import gzip
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

HEAD = {"format": "exactsched", "version": 2}
# What Python's hash of an integer is a remainder of.
MODULUS = 2**61 - 1

CASES: dict[str, Callable[[], bytes]] = {}


def case(suffix: str) -> Callable[[Callable[[], Any]], Callable[[], bytes]]:
    """Registers a file: documents become JSON, and are packed where the name says so."""

    def register(made: Callable[[], Any]) -> Callable[[], bytes]:
        def written() -> bytes:
            content = made()
            if isinstance(content, dict):
                content = json.dumps(content, separators=(",", ":")).encode()
            return gzip.compress(content) if suffix == ".json.gz" else content

        CASES[made.__name__.replace("_", "-") + suffix] = written
        return written

    return register


def _series(problem: dict[str, Any], proof: dict[str, Any], schedule: Any = None) -> dict[str, Any]:
    claims = {"throughput": 0, "bound": 1, "optimal": False}
    return (
        HEAD
        | {"kind": "series", "problem": problem, **claims}
        | {
            "schedule": schedule,
            "proof": proof,
        }
    )


def _broadcast(nodes: list[Any], arcs: list[Any], **others: Any) -> dict[str, Any]:
    platform = {"nodes": nodes, "arcs": arcs}
    asked = {"collective": "broadcast", "platform": platform, "source": nodes[0]}
    return asked | {"ports": "one-port", "restrict": "none"} | others


def _cuts(prices: dict[str, Any], order: list[Any], cuts: list[Any]) -> dict[str, Any]:
    proof = {"by": "cuts", "prices": prices, "order": order, "cuts": cuts}
    return proof | {"startup_cuts": [], "odd_sets": []}


# Files.


@case(".gz")
def empty_lists() -> bytes:
    return _bomb(b"[", b"[],", b"[]]")


@case(".gz")
def blanks() -> bytes:
    return _bomb(b"{", b" ", b"}")


@case(".gz")
def arcs() -> bytes:
    document = b'{"format":"exactsched","version":2,"kind":"maximum-flow","size":2,"arcs":[[0,1]'
    return _bomb(document, b",[0,1]", b"]}")


def _bomb(begin: bytes, repeated: bytes, end: bytes) -> bytes:
    """A gzip file of a megabyte, of almost 600 MB: one packed piece, again and again."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = repeated * (3_000_000 // len(repeated))
    first = packing.compress(begin) + packing.flush(zlib.Z_FULL_FLUSH)
    middle = packing.compress(piece) + packing.flush(zlib.Z_FULL_FLUSH)
    count = 1_000_000 // len(middle)
    check = zlib.crc32(begin)
    for _ in range(count):
        check = zlib.crc32(piece, check)
    check = zlib.crc32(end, check)
    size = len(begin) + count * len(piece) + len(end)
    head = b"\x1f\x8b\x08" + bytes(7)
    last = packing.compress(end) + packing.flush()
    return head + first + middle * count + last + struct.pack("<II", check, size & 0xFFFFFFFF)


@case(".json.gz")
def long_numbers() -> bytes:
    """150 numbers of 200,000 digits, packed to some hundred bytes each."""
    number = f'"{"7" * 99_999}/{"9" * 99_999}"'
    numbers = ",".join([number] * 150)
    program = {"objective": [], "rows": [], "right_sides": [], "equalities": [], "nonnegative": []}
    document = HEAD | {"kind": "linear-infeasibility", "program": program, "multipliers": []}
    return json.dumps(document).replace('"objective": []', f'"objective": [{numbers}]').encode()


@case(".json")
def times_of_many_operations() -> dict[str, Any]:
    """A hundred tasks and a million operations, of which only the first one is done."""
    count = 100
    problem = _broadcast(["s", *range(count)], [["s", k, 1] for k in range(count)])
    claims = {"makespan": count, "bound": 1, "optimal": False}
    run = {"operations": 10**6, "sizes": []}
    listed = [[k, 0, k, k + 1] for k in range(count)]
    rows = {"tick": 1, "tasks": [[k] for k in range(count)], "rows": listed}
    proof = _cuts({"send:s": 1}, [0], [[0, 1, 1]])
    return HEAD | {"kind": "run", "problem": problem, **claims, **run, **rows, "proof": proof}


# Hashes.


@case(".json")
def sizes_of_one_hash() -> dict[str, Any]:
    count = 36_000
    problem = _broadcast(["s", "a"], [["s", "a", 1]])
    claims = {"makespan": 1, "bound": 1, "optimal": True}
    run = {"operations": count, "sizes": [str(1 + k * MODULUS) for k in range(count)]}
    rows = {"tick": 1, "tasks": [[0]], "rows": [[0, 1, 0, 1]]}
    proof = _cuts({"send:s": 1}, ["a"], [[0, 1, 1]])
    return HEAD | {"kind": "run", "problem": problem, **claims, **run, **rows, "proof": proof}


@case(".json")
def arcs_of_one_hash() -> dict[str, Any]:
    """Arcs (u, v), each between two nodes of its own, for which all hash((u, v)) are equal."""
    written = Path(__file__).with_name("arcs-of-one-hash.gaps").read_bytes()
    u, nodes, arcs = 0, [], []
    for (gap,) in struct.iter_unpack("<H", written):
        u += gap
        v = _partner(u)
        nodes += [u, v]
        arcs.append([u, v, 1])
    return _series(_broadcast(nodes, arcs), _cuts({}, [], [[0, 1, 1]]))


def _partner(u: int) -> int:
    """The v for which the hash of (u, v) is that of all the others (xxHash, as in CPython)."""
    one, two, five = 11400714785074694791, 14029467366897019727, 2870177450012600261
    mask = 2**64 - 1
    mixed = (five + u * two) & mask
    mixed = ((mixed << 31) | (mixed >> 33)) & mask
    return (12345 - mixed * one) * pow(two, -1, 2**64) & mask


@case(".json")
def cases_of_one_hash() -> dict[str, Any]:
    """A proof by cases whose numbers are multiples of 2^61 - 1."""
    count = 12_000
    branches = [[k * MODULUS, 0, 1, 0, 0] for k in range(count, 0, -1)]
    written = [[str(row[0]), 0, 1, str(row[0] + 1), str(row[0] + 2)] for row in branches]
    return _overlay(2, [], written, [])


@case(".json")
def rows_of_one_hash() -> dict[str, Any]:
    """A leaf with many rows, of which the last two are the same."""
    count = 24_000
    rows = [["send", str(k * MODULUS), 0, 1] for k in range(count)]
    return _overlay(2, [], [], [[0, [*rows, rows[-1]]]])


# Collectives.


@case(".json")
def cases_of_many_arcs() -> dict[str, Any]:
    """2,000 cases, each about 8,000 arcs."""
    nodes, arcs = _double_star(8_000)
    cases = _two_thousand_cases()
    problem = _broadcast(nodes, arcs, restrict="tree")
    return _series(problem, {"by": "split-on-node", "node": 1, "cases": cases})


def _two_thousand_cases() -> list[Any]:
    """Without arc 0 or arc 1, no two with the same prices: else they are looked at once."""
    each = range(1, 2_001)
    proofs = [_cuts({"send:0": k, "send:2": k}, [1], [[0, 1, k]]) for k in each]
    return [{"without": [k % 2], "proof": proof} for k, proof in zip(each, proofs, strict=True)]


def _double_star(count: int) -> tuple[list[int], list[Any]]:
    """Two arcs into node 1, from 0 and from 2, and many others into node 3."""
    nodes = list(range(count))
    arcs = [[0, 1, 1], [2, 1, 1], [0, 2, 1], *([node, 3, 1] for node in nodes[4:])]
    return nodes, arcs


@case(".json.gz")
def removed_arcs_for_every_case() -> dict[str, Any]:
    """8,000 arcs are removed, and then there are 2,000 cases."""
    nodes, arcs = _double_star(8_000)
    cases = _two_thousand_cases()
    inner = {"by": "split-on-node", "node": 1, "cases": cases}
    removed = list(range(3, len(arcs) - 1))
    outer = [
        {"without": removed, "proof": inner},
        {"without": [len(arcs) - 1], "proof": inner},
    ]
    problem = _broadcast(nodes, arcs, restrict="tree")
    return _series(problem, {"by": "split-on-node", "node": 3, "cases": outer})


@case(".json")
def long_operations_of_long_sizes() -> dict[str, Any]:
    """400 tasks at one place, each of a size of 100,000 digits and in as many operations."""
    count, long = 400, "9" * 99_999
    platform = {"nodes": [0, 1], "arcs": [[0, 1, 1]]}
    problem = {"collective": "reduction", "platform": platform, "owners": [0] * count}
    problem |= {"goals": [[0, 0, 1]], "size": long, "sizes": [], "ports": "one-port"}
    problem |= {"compute": [], "compute_tasks": []}
    structure = {"operations": long, "part": 0, "tasks": [[0, k, k] for k in range(count)]}
    schedule = {"period": 1, "tick": 1, "structures": [structure], "slots": [], "whole": False}
    table = [[0, 0]] * (count * (count + 1) // 2)
    return _series(problem, {"by": "potentials", "prices": {}, "potentials": [table]}, schedule)


@case(".json.gz")
def inequalities_of_potentials() -> dict[str, Any]:
    """Zeros, but one for each of 31,375 intervals on 50 nodes: 130 million tasks."""
    count, size = 250, 50
    platform = {"nodes": list(range(size)), "arcs": [[0, 1, 1]]}
    problem = {"collective": "reduction", "platform": platform, "owners": [0] * count}
    problem |= {"goals": [[0, count - 1, 1]], "size": 1, "sizes": [], "ports": "one-port"}
    problem |= {"compute": [[node, 1] for node in range(size)], "compute_tasks": []}
    table = [[0] * size] * (count * (count + 1) // 2)
    return _series(problem, {"by": "potentials", "prices": {"send:0": 1}, "potentials": [table]})


@case(".json")
def tolls_of_many_arcs() -> dict[str, Any]:
    """Every one of 9,900 arcs enters a set, and pays a price of 330,000 bits."""
    nodes, arcs = _among(100)
    cuts = [[place, place + 1, 1] for place in range(99)]
    prices = {f"recv:{node}": 1 for node in nodes} | {"send:0": "1/" + "7" * 99_999}
    return _series(_broadcast(nodes, arcs), _cuts(prices, nodes[1:], cuts))


@case(".json")
def odd_set_with_a_long_price() -> dict[str, Any]:
    """Two arcs enter a set, and 10,098 are inside of an odd one, whose price has 330,000 bits."""
    nodes, arcs = _among(101)
    nodes.append(101)
    arcs += [[0, 101, 1], [1, 101, 1]]
    proof = _cuts({}, [101], [[0, 1, 1]]) | {"odd_sets": [[nodes[:101], "1/" + "7" * 99_999]]}
    return _series(_broadcast(nodes, arcs, ports="half-duplex"), proof)


@case(".json")
def distances_over_a_long_denominator() -> dict[str, Any]:
    """Along 4,950 arcs they grow, by numbers of 330,000 bits."""
    nodes, arcs = _among(100)
    problem = {"collective": "alltoall", "platform": {"nodes": nodes, "arcs": arcs}}
    problem |= {"demands": [[0, node] for node in nodes[1:]], "ports": "one-port"}
    prices = {"send:0": "1/" + "7" * 99_999}
    return _series(problem, {"by": "distances", "prices": prices, "distances": [nodes]})


def _among(count: int) -> tuple[list[int], list[list[int]]]:
    """Nodes, and an arc from each to every other one."""
    nodes = list(range(count))
    return nodes, [[tail, head, 1] for tail in nodes for head in nodes if tail != head]


def _by_symmetry(among: list[int], automorphisms: list[list[int]], **others: Any) -> dict[str, Any]:
    """An alltoall of some of 100 nodes, between which there are 9,900 arcs."""
    nodes, arcs = _among(100)
    problem = {"collective": "alltoall", "platform": {"nodes": nodes, "arcs": arcs}}
    problem |= {"among": among, "size": others.pop("size", 1), "ports": "link"}
    alone = among if not automorphisms else among[:1]
    index = {(tail, head): number for number, (tail, head, _) in enumerate(arcs)}
    routes = [[s, t, 1, [index[s, t]]] for s in alone for t in among if s != t]
    proof = {"by": "distances", "prices": {}, "distances": [[0] * 100 for _ in alone]}
    claims = {"throughput": 1, "bound": 1, "optimal": True, "proof": proof}
    stated = {"problem": problem, "automorphisms": automorphisms, "routes": routes}
    slots = {"period": 1, "tick": 1, "slots": [[0, 0, 1]]}
    return HEAD | {"kind": "series-by-symmetry", **stated, **slots, **claims, **others}


@case(".json")
def automorphisms_of_many_arcs() -> dict[str, Any]:
    """2,300 rotations of 9,900 arcs."""
    turns = [[(node + turn) % 100 for node in range(100)] for turn in range(100)]
    return _by_symmetry(list(range(100)), turns * 23)


@case(".json")
def shares_over_a_long_denominator() -> dict[str, Any]:
    """How often 9,900 arcs are used, in parts of 330,000 bits."""
    share = "1/" + "7" * 99_999
    return _by_symmetry([0, 1], [], routes=[[0, 1, share, [0]], [1, 0, 1, [99]]])


@case(".json")
def size_of_many_orbits() -> dict[str, Any]:
    """9,900 arcs, each an orbit of its own, and messages of a size of 66,000 bits."""
    slots, size = [[arc, 0, 1] for arc in range(9_900)], "7" * 19_999
    return _by_symmetry(list(range(100)), [], size=size, tick=size, period=size, slots=slots)


@case(".json")
def values_of_every_block() -> dict[str, Any]:
    """Every node has a value of each of 20,000 blocks: 400 million values at the start."""
    nodes = list(range(20_000))
    problem = {
        "collective": "combination",
        "platform": {"nodes": nodes, "arcs": [[0, 1, 1], [1, 0, 1]]},
        "blocks": [[1, [node]] for node in nodes],
        "ports": "link",
    }
    structure = {"operations": 1, "part": 0, "tasks": [[1, 0, 1]]}
    schedule = {"period": 1, "tick": 1, "structures": [structure], "slots": [[1, 0, 1]]}
    proof = {"by": "trees", "prices": {}, "roots": [], "odd_sets": []}
    return _series(problem, proof, schedule | {"whole": True})


@case(".json")
def odd_sets_of_many_arcs() -> dict[str, Any]:
    """1,500 odd sets, each of which contains a node with 10,000 arcs."""
    count = 10_000
    nodes = list(range(count))
    problem = _broadcast(nodes, [[0, node, 1] for node in nodes[1:]], ports="half-duplex")
    proof = _cuts({"port:0": 1}, [1], [[0, 1, "1/9"]])
    proof["odd_sets"] = [[[0, 1, 2], 1]] * 6_000
    return _series(problem, proof)


# LogP.


@case(".json")
def trees_of_many_kinds() -> dict[str, Any]:
    """Three processors; no two of the trees of the first 1151 * 1153 items are the same."""
    machine = {"L": 3, "o": 0, "g": 1, "P": 3}
    cycles = [[1151, [[0, 1]] * 1151], [1153, [[3, 0]] * 1153]]
    claims = {"items": 0, "endgame": [], "time": 6, "bound": 6, "optimal": True}
    return HEAD | {"kind": "logp-cycles", "machine": machine, "cycles": cycles, **claims}


@case(".json")
def starts_in_long_units() -> dict[str, Any]:
    """1,590 starts as multiples of a number of 100,000 digits."""
    count = 1_590
    machine = {"L": "1/1" + "0" * 99_998, "o": 0, "g": 1, "P": 2}
    messages = [[0, 1, item, item] for item in range(count)]
    claims = {"tick": 1, "additions": [], "time": 1, "bound": 1, "optimal": True}
    asked = {"collective": "broadcast", "count": count, "messages": messages}
    return HEAD | {"kind": "logp-schedule", "machine": machine, **asked, **claims}


@case(".json")
def ranges_under_way() -> dict[str, Any]:
    """8,000 rounds start while nobody has received anything from the 4,000 before."""
    gathered = 4_000
    first = [[2 * k, 2 * 4_000 * (k + 1), 0] for k in range(gathered)]
    apart = 10 * gathered
    later = [[apart + k, 1, 0] for k in range(16_000)]
    machine = {"L": 20_000, "o": 0, "g": 1, "P": 10**15}
    rounds = [[start, shift, item] for start, shift, item in first]
    claims = {"count": 1, "tick": 1, "halvings": [], "time": 1, "bound": 1, "optimal": True}
    asked = {"collective": "allreduce", "rounds": [*rounds, *later]}
    return HEAD | {"kind": "logp-rounds", "machine": machine, **asked, **claims}


@case(".json")
def times_of_a_summation() -> dict[str, Any]:
    machine = {"L": 10**9, "o": "5003/10007", "g": "24001/10007", "P": 1000}
    claims = {"tick": 1, "time": 10**10, "bound": 1, "optimal": True}
    asked = {"collective": "summation", "count": 2, "messages": [], "additions": [[0, 0, 1]]}
    return HEAD | {"kind": "logp-schedule", "machine": machine, **asked, **claims}


@case(".json")
def labels_of_a_million() -> dict[str, Any]:
    machine = {"L": 10**7, "o": 0, "g": 1, "P": 10**6}
    claims = {"tick": 1, "time": 1, "bound": 1, "optimal": True}
    asked = {"collective": "summation", "count": 2, "messages": [], "additions": [[0, 0, 1]]}
    return HEAD | {"kind": "logp-schedule", "machine": machine, **asked, **claims}


# Overlays.


def _overlay(size: int, cuts: list[Any], branches: list[Any], leaves: list[Any]) -> dict[str, Any]:
    machine = {"bandwidths": [1] * size, "degrees": [size] * size, "incoming": [1] * size}
    machine |= {"arcs": [], "names": []}
    proof = {"bound": 1, "ceiling": 2, "places": [], "cuts": cuts}
    proof |= {"branches": branches, "leaves": leaves}
    claims = {"throughput": 0, "bound": 1, "optimal": False}
    rest = {"structure": "any", "parts": 1, "arcs": [], "proof": [proof]}
    return HEAD | {"kind": "overlay", "machine": machine, **claims, **rest}


def _chain(count: int, factors: list[Any]) -> dict[str, Any]:
    """Case after case is split by another arc, and each leaf has the same rows."""
    size = 1000
    arcs = [(i, j) for i in range(size) for j in range(1, 30) if i != j][:count]
    branches = [[2 * k, i, j, 2 * k + 1, 2 * k + 2] for k, (i, j) in enumerate(arcs)]
    leaves = [[2 * k + 1, factors] for k in range(count)] + [[2 * count, factors]]
    cut = list(range(1, 501))
    return _overlay(size, [cut], branches, leaves)


@case(".json")
def cuts_of_factor_0() -> dict[str, Any]:
    return _chain(6_000, [["incoming", 1, 0, 1], ["cut", 0, 0, 0]])


@case(".json")
def cuts_of_many_coefficients() -> dict[str, Any]:
    """Those outside the cut send nothing, but what they may send has a coefficient each."""
    senders = [["send", node, 0, 1] for node in (0, *range(501, 1000))]
    document = _chain(80, [["cut", 0, 0, 1], *senders])
    document["machine"]["bandwidths"] = [0] * 1000
    return document


@case(".json")
def cuts_that_are_kept() -> dict[str, Any]:
    cut = list(range(1, 501))
    rows = [["incoming", 1, 0, 1], *(["cut", k, 0, 0] for k in range(80))]
    return _overlay(1000, [cut] * 80, [], [[0, rows]])


# Rounds.


def _parallel(weights: list[int]) -> dict[str, Any]:
    """50,000 arcs from node 1 to node 0, and a cut for each weight."""
    arcs = [[1, 0, 1]] * 50_000
    proof = {"prices": [1, 1], "odd_sets": [], "cuts": [[[0], weight] for weight in weights]}
    claims = {"steps": 1, "bound": 1, "optimal": True, "names": []}
    run = {"origins": [[1, 1]], "sends": [[[0, 0]]], "occupancy": [proof]}
    return HEAD | {"kind": "rounds", "size": 2, "arcs": arcs, "ports": "half-duplex"} | run | claims


@case(".json")
def cuts_of_weight_0() -> dict[str, Any]:
    return _parallel([0] * 3_900)


@case(".json")
def cuts_of_weight_1() -> dict[str, Any]:
    return _parallel([1] * 3_900)


@case(".json.gz")
def origins_in_a_dense_graph() -> dict[str, Any]:
    """Everyone of 200 nodes has a packet, and may send to every other on one of two arcs."""
    size = 200
    pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
    number = {pair: index for index, pair in enumerate(pairs)}
    sends = [[[number[i, (i + shift) % size], i] for i in range(size)] for shift in range(1, size)]
    arcs = [[i, j, 1] for i, j in pairs] * 2
    claims = {"steps": size - 1, "bound": size - 1, "optimal": True, "names": []}
    run = {"origins": [[i, 1] for i in range(size)], "sends": sends, "occupancy": []}
    return HEAD | {"kind": "rounds", "size": size, "arcs": arcs, "ports": "one-port"} | run | claims


# Linear programs and VIPR.


def _vipr(variables: int, constraints: str, derivations: list[str]) -> bytes:
    names = " ".join(["x"] * variables)
    objective = " ".join(f"{k} 1" for k in range(variables))
    return (
        f"VER 1.0 VAR {variables} {names} INT 0 OBJ min {variables} {objective}\n"
        f"CON {constraints}\nRTP infeas SOL 0 DER {len(derivations)}\n" + "\n".join(derivations)
    ).encode()


@case(".vipr")
def objective_again_and_again() -> bytes:
    return _vipr(1_000, "0 0", ["a L 1 OBJ { asm } -1"] * 40_000)


@case(".vipr")
def objective_over_other_denominators() -> bytes:
    return _vipr(1_000, "0 0", ["a L 1/3 OBJ { asm } -1"] * 40_000)


@case(".vipr")
def long_row_again_and_again() -> bytes:
    row = " ".join(f"{k} 1" for k in range(8_000))
    return _vipr(8_000, f"1 0 r G 1 8000 {row}", ["a G 0 OBJ { lin 1 0 1 } -1"] * 6_000)


@case(".vipr")
def exponents() -> bytes:
    return _vipr(1, "1 0 r G 1 0", ["a L 1e-9999 1 0 1e-9999 { asm } -1"] * 14_000)


@case(".json")
def long_row_sums() -> dict[str, Any]:
    """A vector of 3,000 numbers over a denominator of 600,000 bits, for 400 rows."""
    count = 3_000
    objective = [1] * count
    point = [[k, f"1/{2**200 + 2 * k + 1}"] for k in range(count)]
    rows = [[[k, "1/7"] for k in range(40)]] * 400
    program = {"objective": objective, "rows": rows, "right_sides": [1] * 400}
    program |= {"equalities": [], "nonnegative": []}
    return HEAD | {
        "kind": "linear-optimum",
        "program": program,
        "primal": point,
        "dual": [],
        "value": 1,
    }
