"""Series and runs of allgathers: the proved checkers of schedules and bounds.

Only `check` is trusted, which compares what is proved with what the document states: problems come
from `problems`, and `paths` turns everything else into what the checkers take.
"""

from __future__ import annotations

from typing import Any, cast

from exactsched.certificate.bounds import CutBound, TreeBound
from exactsched.certificate.collectives import Run, Series
from exactsched.kernel import paths
from exactsched.kernel.answers import Words, about_makespan, about_throughput, accepted
from exactsched.kernel.generated import fabrics as _fabrics
from exactsched.kernel.limits import afford, afford_translation, affordable
from exactsched.kernel.problems import allgather
from exactsched.kernel.proved import NotCovered, ProvedByKernel
from exactsched.model.problem import Allgather

# Its functions have no types.
fabrics: Any = _fabrics

_PATHS = "exists paths, proper_paths arcs members paths /\\ "
_ALLGATHER = Words(
    "",
    "never_more (allgather p arcs members shards)",
    f"{_PATHS}reached (forwarding p members shards paths)",
    "allreduce.ShardsSound.check_shards_bound_sound",
    "allreduce.ShardsSound.check_shards_schedule_sound",
    "allreduce.ShardsSound.check_shards_sound",
    ", even if switches copy,",
)


def check(document: dict[str, Any], stated: Series | Run) -> ProvedByKernel:
    """What is proved about allgathers.  Raises `Rejected` and `NotCovered`."""
    asked = cast(Allgather, stated.problem)
    proof = stated.proof
    if not isinstance(proof, (CutBound, TreeBound)):
        raise NotCovered("proof.by", proof.TAG[1], "the kernel reads cuts and trees here")
    problem = allgather(document["problem"])
    if isinstance(stated, Run):
        return _run(document, stated, asked, problem, proof)
    bound = _bound(document, asked, problem, proof)
    reached = None
    if stated.schedule is not None:
        listed = sum(len(structure.tasks) for structure in stated.schedule.structures)
        slots = len(stated.schedule.slots)
        afford_translation(4 * (listed + slots), document, "schedule")
        with affordable():
            ways, plan, tasks = paths.plan(asked, stated.schedule)
        afford(8 * tasks + listed + 3 * slots, (plan, problem), "schedule")
        reached = accepted(fabrics.check_shards_schedule(*problem, ways, plan), "schedule")
    (most,) = accepted(fabrics.check_shards_bound(*problem, *bound), "proof")
    return about_throughput(document, stated, reached, most, _ALLGATHER)


def _bound(
    document: dict[str, Any], asked: Allgather, problem: Any, proof: CutBound | TreeBound
) -> tuple[Any, Any]:
    """Prices and cuts, if they are small enough."""
    sets = len(proof.cuts) if isinstance(proof, CutBound) else 0
    rows = 0 if isinstance(proof, CutBound) else sum(len(row.entered) for row in proof.roots)
    arcs, roots = len(asked.platform.arcs), len(asked.roots)
    # An arc is compared with every cut that holds its head.
    work = roots * (arcs + len(asked.platform.nodes)) * (1 + sets) + arcs * (rows + roots)
    afford_translation(work, document, "proof")
    with affordable():
        bound = paths.shard_cuts(asked, proof)
    afford(work, (problem, bound), "proof")
    return bound


def _run(
    document: dict[str, Any],
    stated: Run,
    asked: Allgather,
    problem: Any,
    proof: CutBound | TreeBound,
) -> ProvedByKernel:
    """Runs of equal operations without latencies."""
    if document["sizes"]:
        raise NotCovered("sizes", len(stated.sizes), "the kernel reads operations of size 1")
    if not stated.bound:
        raise NotCovered("bound", 0, "the kernel reads bounds above 0")
    goals = len(asked.roots) * len(asked.shards)
    afford_translation(4 * len(stated.rows) + stated.operations * goals // 4, document, "rows")
    bound = _bound(document, asked, problem, proof)
    with affordable():
        ways, rows, tasks = paths.run_plan(stated, asked)
    afford(8 * tasks + 2 * len(stated.rows), (rows, problem), "rows")
    found = fabrics.check_shards_run(*problem, ways, stated.operations, rows, *bound)
    (values,) = accepted(found, "rows and proof")
    formal = (
        f"({_PATHS}done_by (forwarding p members shards paths) {stated.operations} {{}}) /\\ "
        f"takes_at_least (allgather p arcs members shards) {stated.operations} {{}}"
    )
    theorem = "allreduce.ShardsSound.check_shards_run_sound"
    return about_makespan(document, stated, values, formal, theorem)
