"""Series and runs of allgathers and of reductions in any order: the proved checkers.

Only `check` is trusted, which compares what is proved with what the document states: problems come
from `problems`, and `paths` and `calls` turn everything else into what the checkers take.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from exactsched.certificate.bounds import CutBound, ForwardingBound, TreeBound
from exactsched.certificate.collectives import Run, Series
from exactsched.kernel import calls, paths
from exactsched.kernel.answers import Words, about_makespan, about_throughput, accepted
from exactsched.kernel.generated import fabrics as _fabrics
from exactsched.kernel.limits import afford, afford_translation, affordable
from exactsched.kernel.problems import allgather, combination
from exactsched.kernel.proved import NotCovered, ProvedByKernel
from exactsched.kernel.witnesses import entries
from exactsched.model.problem import Allgather, Combination
from exactsched.model.tasks import wanted

# Its functions have no types.
fabrics: Any = _fabrics

_PATHS = "exists paths, proper_paths arcs members paths /\\ "


class _Collective(NamedTuple):
    """How documents of a collective are read, and which functions and theorems are about it.

    - `read`: the problem; trusted
    - `plan`, `rows`, `bound`: the witnesses for schedules, runs and bounds
    - `words`: what is said of a series
    - `run`: what is said of a run, with gaps for the operations, M, and two times; the theorem
    - `schedule_checker`, `bound_checker`, `run_checker`: the names of proved functions
    """

    read: Callable[[dict[str, Any]], tuple[Any, ...]]
    plan: Callable[[Any, Any], tuple[Any, ...]]
    rows: Callable[[Run], tuple[Any, ...]]
    bound: Callable[[Any, Any], tuple[Any, ...]]
    words: Words
    run: tuple[str, str]
    schedule_checker: str
    bound_checker: str
    run_checker: str


_ALLGATHER = _Collective(
    allgather,
    paths.plan,
    paths.run_plan,
    paths.shard_cuts,
    Words(
        "",
        "never_more (allgather p arcs members shards)",
        f"{_PATHS}reached (forwarding p members shards paths)",
        "allreduce.ShardsSound.check_shards_bound_sound",
        "allreduce.ShardsSound.check_shards_schedule_sound",
        "allreduce.ShardsSound.check_shards_sound",
        ", even if switches copy,",
    ),
    (
        f"({_PATHS}done_by (forwarding p members shards paths) {{M}} {{}}) /\\ "
        "takes_at_least (allgather p arcs members shards) {M} {}",
        "allreduce.ShardsSound.check_shards_run_sound",
    ),
    "check_shards_schedule",
    "check_shards_bound",
    "check_shards_run",
)
_FORWARDED = _ALLGATHER._replace(
    bound=paths.forwarded_sets,
    words=Words(
        "",
        "forall paths, proper_paths arcs members paths -> "
        "never_more (forwarding p members shards paths)",
        f"{_PATHS}reached (forwarding p members shards paths)",
        "allreduce.ShardsSound.check_forwarding_bound_sound",
        "allreduce.ShardsSound.check_shards_schedule_sound",
        "allreduce.ShardsSound.check_forwarding_sound",
        ", where switches only forward,",
    ),
    run=(
        f"({_PATHS}done_by (forwarding p members shards paths) {{M}} {{}}) /\\ "
        "forall paths, proper_paths arcs members paths -> "
        "takes_at_least (forwarding p members shards paths) {M} {}",
        "allreduce.ShardsSound.check_forwarding_run_sound",
    ),
    bound_checker="check_forwarding_bound",
    run_checker="check_forwarding_run",
)
_COMBINATION = _Collective(
    combination,
    calls.plan,
    calls.run_plan,
    calls.evidence,
    Words(
        "",
        "reduces_never_more p nodes arcs blocks",
        "reduces p nodes arcs blocks",
        "allreduce.ReducesSound.check_worth_sound",
        "allreduce.ReducesSound.check_schedule_of_sound",
        "allreduce.ReducesSound.check_sides_sound",
        " of any scheme of calls",
    ),
    (
        "reduced_by p nodes arcs blocks {M} {} /\\ reduction_takes p nodes arcs blocks {M} {}",
        "allreduce.ReducesSound.check_run_of_sound",
    ),
    "check_schedule_of",
    "check_worth",
    "check_run_of",
)
_OVER_SWITCHES = _COMBINATION._replace(
    words=Words(
        "",
        "collects_never_more p members arcs blocks",
        "collects p members arcs blocks",
        "allreduce.CarriedSound.check_carried_worth_sound",
        "allreduce.CarriedSound.check_carried_schedule_sound",
        "allreduce.CarriedSound.check_carried_sound",
        " of any scheme of calls along paths",
    ),
    run=(
        "collected_by p members arcs blocks {M} {} /\\ "
        "collecting_takes p members arcs blocks {M} {}",
        "allreduce.CarriedSound.check_carried_run_sound",
    ),
    schedule_checker="check_carried_schedule",
    bound_checker="check_carried_worth",
    run_checker="check_carried_run",
)


Proof = CutBound | TreeBound | ForwardingBound


def _known(asked: Allgather | Combination, proof: Proof) -> _Collective:
    if isinstance(asked, Allgather):
        return _FORWARDED if isinstance(proof, ForwardingBound) else _ALLGATHER
    whole = len(asked.group) == len(asked.platform.nodes)
    return _COMBINATION if whole else _OVER_SWITCHES


def check(document: dict[str, Any], stated: Series | Run) -> ProvedByKernel:
    """What is proved about series and runs.  Raises `Rejected` and `NotCovered`."""
    asked = cast("Allgather | Combination", stated.problem)
    proof = stated.proof
    if not isinstance(proof, (CutBound, TreeBound, ForwardingBound)):
        rule = "the kernel reads cuts, trees and forwarding here"
        raise NotCovered("proof.by", proof.TAG[1], rule)
    known = _known(asked, proof)
    problem = known.read(document["problem"])
    bound = _bound(document, known, asked, problem, proof)
    if isinstance(stated, Run):
        return _run(document, known, stated, problem, bound)
    reached = None
    if stated.schedule is not None:
        work = sum(len(structure.tasks) for structure in stated.schedule.structures)
        work = 9 * work + 3 * len(stated.schedule.slots)
        afford_translation(work, document, "schedule")
        with affordable():
            plan = known.plan(asked, stated.schedule)
        afford(work, (plan, problem), "schedule")
        reached = accepted(getattr(fabrics, known.schedule_checker)(*problem, *plan), "schedule")
    (most,) = accepted(getattr(fabrics, known.bound_checker)(*problem, *bound), "proof")
    return about_throughput(document, stated, reached, most, known.words)


def _bound(
    document: dict[str, Any],
    known: _Collective,
    asked: Allgather | Combination,
    problem: Any,
    proof: Proof,
) -> tuple[Any, ...]:
    """Prices and cuts, if they are small enough."""
    work = _inequalities(document, asked, proof)
    if isinstance(asked, Combination):
        work *= 1 + sum(map(asked.everywhere, range(len(asked.blocks))))
    afford_translation(work, document, "proof")
    with affordable():
        bound = known.bound(asked, proof)
    afford(work, (problem, bound), "proof")
    return bound


def _inequalities(document: dict[str, Any], asked: Allgather | Combination, proof: Proof) -> int:
    """How many numbers are compared: an arc with every cut that it crosses, for every root."""
    arcs = asked.platform.arcs
    roots = len(asked.platform.nodes)
    if isinstance(proof, ForwardingBound):
        named = sum(len(nodes) for nodes, _ in proof.sets)
        return len(proof.sets) * (len(arcs) + 2 * len(asked.group)) + named + len(arcs)
    if _known(asked, proof) is _OVER_SWITCHES:
        # A link joins each two members, and from each all arcs are looked at.
        afford_translation(roots * len(arcs) + len(asked.group) ** 2, document, "proof")
        ends = [(one, other) for one in asked.group for other in asked.group]
    else:
        ends = [(arc.tail, arc.head) for arc in arcs]
    turned = [(head, tail) for tail, head in ends]
    if isinstance(proof, CutBound):
        crossed = entries(ends, proof.order, proof.cuts) + entries(turned, proof.order, proof.cuts)
        return roots * (crossed + len(proof.cuts) + len(arcs) * (1 + len(proof.odd_sets)))
    afford_translation(len(proof.roots) * (len(ends) + roots), document, "proof")
    return len(arcs) * (roots + len(proof.odd_sets)) + sum(
        entries(ends, row.inwards, row.entered) + entries(turned, row.outwards, row.left)
        for row in proof.roots
    )


def _run(
    document: dict[str, Any], known: _Collective, stated: Run, problem: Any, bound: tuple[Any, ...]
) -> ProvedByKernel:
    """Runs of equal operations without latencies."""
    if document["sizes"]:
        raise NotCovered("sizes", len(stated.sizes), "the kernel reads operations of size 1")
    if not stated.bound:
        raise NotCovered("bound", 0, "the kernel reads bounds above 0")
    work = 12 * len(stated.rows) + stated.operations * len(wanted(stated.problem)) // 4
    afford_translation(work, document, "rows")
    with affordable():
        *ways, rows = known.rows(stated)
    afford(work, (rows, problem), "rows")
    checker = getattr(fabrics, known.run_checker)
    found = checker(*problem, *ways, stated.operations, rows, *bound)
    (values,) = accepted(found, "rows and proof")
    formal, theorem = known.run
    formal = formal.replace("{M}", str(stated.operations))
    return about_makespan(document, stated, values, formal, theorem)
