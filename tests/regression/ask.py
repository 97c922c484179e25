"""Asks the package one question of the table: the only file that knows what functions are called.

Questions are written in words that do not depend on modules: what is wanted (``collective`` on a
platform; with a ``model`` on other machines; or a ``kernel``), and all data.  Rationals are text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import exactsched as package
from exactsched.campaign import verify
from exactsched.certificate import parse, to_document
from exactsched.check.linear_programs.vipr import check_vipr
from exactsched.cli.machines import load_machine
from exactsched.graphs.odd_cut import minimum_odd_cut
from exactsched.logp import allgather_and_alltoall as exchange
from exactsched.logp import allreduce, buffered, counts, items, summation
from exactsched.logp.broadcast import broadcast as logp_broadcast
from exactsched.overlay import bounds, rate, shares, tree, vipr, within_degrees
from exactsched.simulation.peers import decentralized
from exactsched.steady_state.arborescence_packing import pack_arborescences
from exactsched.synchronous import baselines, cyclic_plan, scatter_allgather
from exactsched.synchronous import bounds as step_bounds

Question = Mapping[str, Any]
# Values that stay, and counts that do not grow.
Found = tuple[dict[str, Any], dict[str, Any]]

ONE_PORT = "one-port"


def answer(question: Question) -> Found:
    """The values that answer a question, as text, and counts of what the answer is made of."""
    for word in ("kernel", "model", "collective"):
        if word in question:
            values, numbers = _KINDS[question[word]](question)
            return _written(values), {name: _count(number) for name, number in numbers.items()}
    raise ValueError(f"no kind of question: {question}")


def _written(value: Any) -> Any:
    """Rationals as text, whatever they are in."""
    if isinstance(value, Mapping):
        return {name: _written(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_written(one) for one in value]
    return value if value is None or isinstance(value, (bool, str)) else str(Fraction(value))


def _count(number: Any) -> int | str:
    exact = Fraction(number)
    return exact.numerator if exact.denominator == 1 else str(exact)


def _digits(document: object) -> int:
    """The length of the longest numerator or denominator in a document."""
    return max((len(digits) for digits in _numbers(document)), default=0)


def _numbers(document: object) -> Iterator[str]:
    if isinstance(document, Mapping):
        document = list(document.values())
    if isinstance(document, (list, tuple)):
        for one in document:
            yield from _numbers(one)
    elif re.fullmatch(r"-?\d+(/\d+)?", written := str(document)):
        yield from written.lstrip("-").split("/")


def _from_file(given: Mapping[str, str], read: Callable[..., Any]) -> Any:
    """What is read from a file with this name and text."""
    with TemporaryDirectory() as folder:
        path = Path(folder, given["file"])
        path.write_text(given["text"], encoding="utf-8")
        return read(path)


# Platforms: steady states and finite runs -----------------------------------------------------


def _platform(asked: Question) -> Any:
    given = asked["platform"]
    if isinstance(given, str):
        return package.load_platform(given)
    if "file" in given:
        return _from_file(given, package.read_platform)
    return package.Platform(given["nodes"], given["arcs"], dict(given.get("data", [])))


def _where(asked: Question) -> tuple[Any, Any]:
    platform = _platform(asked)
    return platform, platform.node_named(asked["source"], "source")


def _ports(asked: Question) -> dict[str, Any]:
    return {"ports": asked.get("ports", ONE_PORT)}


def _nodes(asked: Question, word: str, platform: Any, without: Any = None) -> list[Any]:
    if word in asked:
        return [platform.node_named(name, word) for name in asked[word]]
    return [node for node in platform.nodes if node != without]


def _broadcast(asked: Question) -> Found:
    platform, source = _where(asked)
    if "ratio" in asked:
        points = package.ratio_curve(platform, source, asked["ratio"], **_ports(asked))
        makespans = {f"makespan of {point.size}": point.makespan for point in points}
        return {"bounds": [point.bound for point in points]}, makespans
    if "size" in asked:
        arguments = platform, source, asked["size"]
        run = package.pipelined_broadcast(*arguments, **_ports(asked))
        return _run(run, guarantee=package.pipelined_guarantee(*arguments, **_ports(asked)))
    if asked.get("method") == "hamiltonian":
        line = package.hamiltonian_line(platform, source)
        if line is None:
            return {"line": False}, {}
        best = package.hamiltonian_optimum(platform, source, line)
        return {"line": True, "throughput": best.throughput}, {}
    solve = {
        "none": package.broadcast,
        "tree": package.broadcast_tree,
        "dag": package.broadcast_dag,
    }[asked.get("restrict", "none")]
    limit = _limits(asked, cases="node_limit", seconds="time_limit")
    solution = solve(platform, source, **_ports(asked), **limit)
    if "packets" in asked:
        run = package.run_operations(solution, asked["packets"])
        guarantee = package.makespan_guarantee(solution, asked["packets"])
        return _run(run, guarantee=guarantee, rows=len(run.rows))
    if "within" in asked:
        run = package.run_within(solution, asked["within"])
        return _run(run, run.operations, rows=len(run.rows))
    if asked.get("whole"):
        solution = solution.whole()
    values = {}
    if "horizon" in asked:
        values["delivered"] = solution.operations_within(asked["horizon"])
    return _series(asked, solution, len(solution.trees), **values)


def _limits(asked: Question, **names: str) -> dict[str, Any]:
    return {name: asked[word] for word, name in names.items() if word in asked}


def _run(run: Any, delivered: int | None = None, **numbers: Any) -> Found:
    """A makespan may become shorter; what is proved about all of them stays."""
    document = run.certificate()
    claim = package.check(document)
    numbers |= {"makespan": claim.makespan, "digits": _digits(document)}
    values = {} if delivered is None else {"delivered": delivered}
    return values | {"bound": claim.bound}, numbers


def _series(asked: Question, solution: Any, structures: int, **values: Any) -> Found:
    document = solution.certificate()
    claim = package.check(document)
    values |= {"throughput": claim.throughput, "bound": claim.bound, "optimal": claim.optimal}
    numbers = {
        "structures": structures,
        "cases": _cases(solution.proof),
        "prices": _prices(solution.proof),
        "rounds": solution.rounds,
        "priced": solution.priced,
        "digits": _digits(document),
    }
    if solution.schedule:
        numbers |= {
            "depth": solution.depth,
            "slots": len(solution.schedule.slots),
            "period": solution.schedule.period,
            "makespan constant": solution.makespan_constant,
        }
    if "simulate" in asked:
        numbers["makespan"] = package.simulate(document, asked["simulate"]).makespan
    return values, numbers


def _cases(bound: Any) -> int:
    """The number of cases of a branching that are not branched again."""
    return sum(_cases(case.proof) for case in bound.cases) if hasattr(bound, "cases") else 1


def _prices(bound: Any) -> int:
    if hasattr(bound, "cases"):
        return sum(_prices(case.proof) for case in bound.cases)
    return len(bound.prices)


def _scatter(asked: Question) -> Found:
    platform, source = _where(asked)
    targets = _nodes(asked, "targets", platform, source)
    sizes = asked.get("sizes")
    return _collective(
        asked, package.scatter(platform, source, targets, sizes=sizes, **_ports(asked))
    )


def _gather(asked: Question) -> Found:
    platform = _platform(asked)
    target = platform.node_named(asked["target"], "target")
    sources = _nodes(asked, "sources", platform, target)
    sizes = asked.get("sizes", [1] * len(sources))
    demands = [(source, target, size) for source, size in zip(sources, sizes, strict=True)]
    return _collective(asked, package.alltoall(platform, demands, **_ports(asked)))


def _alltoall(asked: Question) -> Found:
    platform, size = _platform(asked), asked.get("size", 1)
    targets = _nodes(asked, "targets", platform)
    demands = asked.get("demands") or [
        (source, target, size)
        for source in _nodes(asked, "sources", platform)
        for target in targets
        if source != target
    ]
    return _collective(asked, package.alltoall(platform, demands, **_ports(asked)))


def _reduction(asked: Question) -> Found:
    """Reduce, prefix or all-reduce; sizes of all partial results or rows [k, m, size]."""
    platform = _platform(asked)
    size, compute = asked.get("size", 1), _compute(asked)
    if isinstance(size, list):
        size = {(k, m): one for k, m, one in size}
    arguments = [platform, _nodes(asked, "participants", platform)]
    if "participants" not in asked:
        index = {node: data["index"] for node, data in platform.node_data.items()}
        arguments[1] = sorted(index, key=index.__getitem__)
    if asked["collective"] == "reduce":
        arguments.append(platform.node_named(asked["target"], "target"))
    solve = getattr(package, asked["collective"])
    solution = solve(*arguments, size=size, compute=compute, **_ports(asked))
    return _collective(asked, solution)


def _compute(asked: Question) -> dict[Any, Any] | None:
    """Times of rows [node, time], any task, and [node, k, l, m, time], a single one."""
    if "compute" not in asked:
        return None
    times = {row[0]: row[1] for row in asked["compute"] if len(row) == 2}
    for node, *_ in (row for row in asked["compute"] if len(row) == 5):
        single = {tuple(row[1:4]): row[4] for row in asked["compute"] if row[0] == node}
        times[node] = lambda k, cut, m, single=single: single.get((k, cut, m))
    return times


def _collective(asked: Question, solution: Any) -> Found:
    if "operations" in asked:
        run = package.run_operations(solution, asked["operations"])
        guarantee = package.makespan_guarantee(solution, asked["operations"])
        return _run(run, guarantee=guarantee, rows=len(run.rows))
    if "within" in asked:
        run = package.run_within(solution, asked["within"])
        return _run(run, run.operations, rows=len(run.rows))
    values = {}
    if "period" in asked or "max period" in asked:
        if "period" in asked:
            solution = package.with_period(solution, asked["period"])
        else:
            solution = package.within_period(solution, asked["max period"])
        values["most operations"] = package.most_operations(solution, solution.schedule.period)
        values["best for the period"] = package.best_for_period(solution)
    if asked.get("whole"):
        solution = solution.whole()
    if "horizon" in asked:
        values["delivered"] = solution.operations_within(asked["horizon"])
    return _series(asked, solution, len(solution.structures), **values)


def _shape(asked: Question) -> Found:
    """What a built-in platform looks like."""
    platform = _platform(asked)
    cost = sum((arc.cost for arc in platform.arcs), start=Fraction(0))
    return {"nodes": len(platform.nodes), "arcs": len(platform.arcs), "costs": cost}, {}


# Synchronous rounds -----------------------------------------------------------------------------


def _rounds(asked: Question) -> Found:
    platform, packets = _platform(asked), asked["packets"]
    graph = package.synchronous_graph(platform, *_nodes(asked, "sources", platform))
    ports, method = asked.get("ports", "half-duplex"), asked.get("method", "saturation")
    seed = {"seed": asked.get("seed", 0)}
    proofs = []
    if asked.get("occupancy"):
        solution = package.broadcast(platform, platform.nodes[graph.sources[0]], ports=ports)
        steady: Any = parse(solution.certificate())
        proofs = [step_bounds.occupancy_proof(steady)]
    if method == "bound":
        return {"bound": step_bounds.rounds_bound(graph, packets, ports, proofs).steps}, {}
    if method == "saturation":
        more = seed | {"effort": asked.get("effort", 16), "occupancy": proofs}
        limit = _limits(asked, seconds="time_limit")
        run = package.broadcast_in_rounds(graph, packets, ports, **more, **limit)
    elif method == "greedy":
        run = baselines.greedy_broadcast(graph, packets, **seed)
    elif method in ("balanced", "outward"):
        run = getattr(cyclic_plan, f"{method}_broadcast")(graph, packets)
    else:
        sides = asked.get("grid tree")
        down = baselines.grid_tree(*sides) if sides else baselines.early_tree(graph)
        if method == "tree":
            run = baselines.tree_broadcast(graph, packets, down)
        else:
            run = scatter_allgather.scatter_allgather(graph, packets, down, **seed)
    claim = package.check(run)
    package.simulate_rounds(run)
    transfers = sum(map(len, run.sends))
    return {"bound": claim.bound}, {"rounds": claim.steps, "transfers": transfers}


# LogP machines ------------------------------------------------------------------------------------

_LOGP: dict[str, Callable[[Any, Question], Any]] = {
    "broadcast": lambda machine, _: logp_broadcast(machine),
    "continuous": lambda machine, _: package.continuous_broadcast(int(machine.L), machine.P),
    "items": lambda machine, asked: package.broadcast_items(
        int(machine.L), machine.P, asked["items"]
    ),
    "single-sending items": lambda machine, asked: items.single_sending(
        int(machine.L), machine.P, asked["items"]
    ),
    "buffered items": lambda machine, asked: buffered.buffered_items(
        int(machine.L), machine.P, asked["items"]
    ),
    "allgather": lambda machine, asked: exchange.allgather(machine, asked.get("items", 1)),
    "alltoall": lambda machine, asked: exchange.alltoall(machine, asked.get("items", 1)),
    "allreduce": lambda machine, _: allreduce.allreduce(machine),
    "sum": lambda machine, asked: (
        summation.summation_of(machine, asked["operands"])
        if "operands" in asked
        else summation.summation_within(machine, asked["time"])
    ),
}

# Numbers without a schedule.
_LOGP_NUMBERS: dict[str, Callable[[Any, Question], Any]] = {
    "broadcast": lambda machine, _: counts.broadcast_time(machine),
    "reached": lambda machine, asked: counts.reached(machine, asked["time"]),
    "items": lambda machine, asked: items.items_lower_bound(
        int(machine.L), machine.P, asked["items"]
    ),
    "single-sending items": lambda machine, asked: items.single_sending_bound(
        int(machine.L), machine.P, asked["items"]
    ),
    "alltoall": lambda machine, asked: exchange.allgather_bound(machine, asked.get("items", 1)),
}


def _logp(asked: Question) -> Found:
    machine = package.LogP(asked["L"], asked.get("o", 0), asked.get("g", 1), asked["P"])
    if asked.get("method") == "bound":
        return {"value": _LOGP_NUMBERS[asked["collective"]](machine, asked)}, {}
    found = _LOGP[asked["collective"]](machine, asked)
    claim = package.check(found)
    values = {"time": claim.time, "bound": claim.bound, "optimal": claim.optimal}
    if asked["collective"] == "single-sending items":  # a question about this class only
        bound = claim.bounds.bound_of_class
        values |= {"bound": bound, "optimal": claim.time == bound}
    if asked["collective"] == "sum":
        values["operands"] = claim.count
    numbers = {
        word: len(getattr(found, word))
        for word in ("messages", "rounds", "halvings", "cycles")
        if hasattr(found, word)
    }
    if hasattr(found, "cycles"):
        numbers["roles"] = sum(len(cycle[1]) for cycle in found.cycles)
    if hasattr(found, "buffer"):
        numbers["buffer"] = found.buffer
    if "simulate" in asked:
        values["played until"] = package.simulate_logp(found, **asked["simulate"]).time
    return values, numbers


# Overlays -----------------------------------------------------------------------------------------

_OVERLAYS: dict[str, Callable[[Any], Any]] = {
    "augmented": package.augmented_overlay,
    "acyclic": package.acyclic_overlay,
    "tree": tree.best_tree,
    "unconstrained": package.unconstrained_overlay,
    "within degrees": within_degrees.overlay_within_degrees,
}


def _machine(given: Any, degree: int | None) -> Any:
    if isinstance(given, str):
        return load_machine(given, degree)
    if "file" in given:
        return _from_file(given, lambda path: package.read_machine(path, degree))
    return package.MultiPort(
        given["bandwidths"],
        given["degrees"],
        given.get("incoming", ()),
        [tuple(arc) for arc in given.get("arcs", ())],
    )


def _overlay(asked: Question) -> Found:
    machine, method = _machine(asked["machine"], asked.get("degree")), asked.get("method", "exact")
    if method == "bound":
        return {
            "any": bounds.throughput_bound(machine),
            "acyclic": bounds.acyclic_bound(machine),
            "tree": bounds.tree_bound(machine),
        }, {}
    if method == "rates":
        best = rate.best_rates(machine, [tuple(arc) for arc in asked["arcs"]])
        return {"throughput": best.throughput}, {}
    if method == "exact":
        found = package.optimal_overlay(
            machine, **_limits(asked, cases="node_limit", seconds="time_limit")
        )
    else:
        found = _OVERLAYS[method](machine)
    claim = package.check(found)
    values: dict[str, Any] = {
        "throughput": claim.throughput,
        "bound": claim.bound,
        "optimal": claim.optimal,
    }
    numbers: dict[str, Any] = {
        "arcs": claim.arcs,
        "excess": claim.excess,
        "parts": found.parts,
        "cases": sum(len(proof.leaves) for proof in found.proof),
        "digits": _digits(to_document(found)),
    }
    if asked.get("trees"):
        numbers["trees"] = len(shares.overlay_trees(found).trees)
    if asked.get("vipr"):
        stream = io.StringIO()
        vipr.write_vipr(found, stream)
        claimed = check_vipr(stream.getvalue())
        values["vipr"] = [claimed.infeasible, claimed.lower, claimed.upper]
    if "simulate" in asked:
        numbers["makespan"] = decentralized(found, **asked["simulate"]).makespan
    return values, numbers


# Kernels ------------------------------------------------------------------------------------------

# The values of what a kernel returns, and the counts.
_KERNELS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "maximum_flow": (("value", "cut"), ()),
    "minimum_root_cut": (("value",), ()),
    "decompose_into_arborescences": (("value",), ("trees",)),
    "pack_branchings": ((), ("branchings",)),
    "disjoint_arborescences": ((), ("branchings",)),
    "pack_concurrently": (("value",), ("branchings",)),
    "split_off": ((), ("links",)),
    "minimum_cost_arborescence": (("value",), ("cuts",)),
    "color_edges": (("colors",), ("classes",)),
    "decompose_into_matchings": (("value",), ("matchings",)),
    "decompose_into_few_matchings": (("value",), ("matchings",)),
    "color_fractionally": (("value",), ("matchings",)),
}


def _kernel(asked: Question) -> Found:
    """The arguments of these functions have the names that they have in the questions."""
    words, counted = _KERNELS[asked["kernel"]]
    arguments = {name: given for name, given in asked.items() if name != "kernel"}
    found = getattr(package, asked["kernel"])(**arguments)
    package.check(found)
    if not words:
        words = ("met",)
    met = hasattr(found, "branchings") or hasattr(found, "links")
    values = {word: getattr(found, word, met) for word in words}
    numbers = {word: len(getattr(found, word)) for word in counted if hasattr(found, word)}
    return values, numbers | {"digits": _digits(to_document(found))}


def _linear_program(asked: Question) -> Found:
    rows = [
        {int(column): number for column, number in row.items()} if isinstance(row, dict) else row
        for row in asked["rows"]
    ]
    program = package.linear_program(
        asked["objective"],
        rows,
        asked["right sides"],
        asked.get("equalities", ()),
        asked.get("nonnegative", ()),
    )
    found = package.maximize(program)
    package.check(found)
    for outcome, word in (("optimum", "dual"), ("infeasible", "multipliers"), ("unbounded", "ray")):
        if hasattr(found, word):
            values = {"outcome": outcome, "value": getattr(found, "value", None)}
            return values, {"digits": _digits(to_document(found))}
    raise ValueError(f"no outcome of a linear program: {found}")


def _cheapest_tree(asked: Question) -> Found:
    names = ("size", "arcs", "lengths", "owners", "target", "times")
    found = package.cheapest_reduction_tree(*(asked[name] for name in names))
    potentials = [[k, m, row] for (k, m), row in sorted(found.potentials.items())]
    return {"cost": found.cost, "potentials": potentials}, {"tasks": len(found.tasks)}


def _problem(asked: Question) -> Any:
    platform = _platform(asked)
    size = asked.get("size", 1)
    return package.Reduction(
        platform,
        tuple(asked["participants"]),
        tuple(((k, m), node) for k, m, node in asked["goals"]),
        tuple(map(tuple, size)) if isinstance(size, list) else size,
        tuple(map(tuple, asked["compute"])),
        **_ports(asked),
    )


def _optimal_rates(asked: Question) -> Found:
    problem = _problem(asked)
    best = package.optimal_rates(problem)
    package.check(best.optimum)
    numbers = {"tasks": len(best.rates)}
    if len(problem.goals) == 1:
        numbers["trees"] = len(package.extract_trees(problem, best.rates).trees)
    return {"throughput": best.throughput}, numbers


def _extract_trees(asked: Question) -> Found:
    problem = _problem(asked)
    rates = {tuple(task): Fraction(given) for *task, given in asked["rates"]}
    found = package.extract_trees(problem, rates)
    lines = sum(len(package.tree_text(problem, one.tasks).splitlines()) for one in found.trees)
    return {
        "throughput": found.throughput,
        "circulation": sorted([*task, given] for task, given in found.circulation.items()),
        "waste": sorted([*task, given] for task, given in found.waste.items()),
    }, {"trees": len(found.trees), "lines": lines}


def _odd_cut(asked: Question) -> Found:
    names = ("size", "edges", "capacities", "terminals")
    return {"value": minimum_odd_cut(*(asked[name] for name in names))[0]}, {}


def _pack_arborescences(asked: Question) -> Found:
    found = pack_arborescences(
        asked["size"],
        asked["root"],
        asked["arcs"],
        asked["costs"],
        list(map(tuple, asked["uses"])),
        asked["capacities"],
    )
    numbers = {"trees": len(found.trees), "rounds": found.rounds, "priced": found.priced}
    return {"value": found.value}, numbers


def _grid_cycle(asked: Question) -> Found:
    return {"cycle": package.grid_cycle(*asked["sides"])}, {}


# Statements ---------------------------------------------------------------------------------------


def _statement(asked: Question) -> Found:
    """Whether corners and a few instances of a theorem confirm what is said about it."""
    name = asked["statement"]
    report = verify([name], instances=asked["instances"], executor="serial")
    return {"status": report.statuses[name], "confirmed": not report.wrong()}, {}


_KINDS: dict[str, Callable[[Question], Found]] = {
    "broadcast": _broadcast,
    "scatter": _scatter,
    "gather": _gather,
    "alltoall": _alltoall,
    "reduce": _reduction,
    "prefix": _reduction,
    "allreduce": _reduction,
    "shape": _shape,
    "rounds": _rounds,
    "logp": _logp,
    "overlay": _overlay,
    "statement": _statement,
    **dict.fromkeys(_KERNELS, _kernel),
    "linear_program": _linear_program,
    "cheapest_reduction_tree": _cheapest_tree,
    "optimal_rates": _optimal_rates,
    "extract_trees": _extract_trees,
    "minimum_odd_cut": _odd_cut,
    "pack_arborescences": _pack_arborescences,
    "grid_cycle": _grid_cycle,
}
