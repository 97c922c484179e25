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
from exactsched.kernel.written import Facts, Type, coq_file
from exactsched.model.problem import Allgather, Combination
from exactsched.model.tasks import wanted

# Its functions have no types.
fabrics: Any = _fabrics


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
        "forwards p arcs members shards",
        "allreduce.ShardsSound.check_shards_bound_sound",
        "allreduce.ShardsSound.check_shards_schedule_sound",
        "allreduce.ShardsSound.check_shards_sound",
        ", even if switches copy,",
    ),
    (
        "forwarded_by p arcs members shards {M} {} /\\ "
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
        "forwards_never_more p arcs members shards",
        "forwards p arcs members shards",
        "allreduce.ShardsSound.check_forwarding_bound_sound",
        "allreduce.ShardsSound.check_shards_schedule_sound",
        "allreduce.ShardsSound.check_forwarding_sound",
        ", where switches only forward,",
    ),
    run=(
        "forwarded_by p arcs members shards {M} {} /\\ "
        "forwarding_takes p arcs members shards {M} {}",
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
    known, problem, bound = _asked(document, stated)
    if isinstance(stated, Run):
        ways, rows = _rows(document, known, stated, problem)
        checker = getattr(fabrics, known.run_checker)
        found = checker(*problem, *ways, stated.operations, rows, *bound)
        (values,) = accepted(found, "rows and proof")
        formal, theorem = known.run
        formal = formal.replace("{M}", str(stated.operations))
        return about_makespan(document, stated, values, formal, theorem)
    reached, plan = None, _plan(document, known, stated, problem)
    if plan is not None:
        reached = accepted(getattr(fabrics, known.schedule_checker)(*problem, *plan), "schedule")
    (most,) = accepted(getattr(fabrics, known.bound_checker)(*problem, *bound), "proof")
    return about_throughput(document, stated, reached, most, known.words)


def theorem(document: dict[str, Any], stated: Series | Run) -> str:
    """The claims about an allgather as theorems, with their proofs."""
    if not isinstance(stated.problem, Allgather):
        rule = "theorems are written about the other collectives only"
        raise NotCovered("problem.collective", stated.problem.TAG[1], rule)
    proved = check(document, stated)
    known, problem, bound = _asked(document, stated)
    pairs = ("list", ("prod", ("z",), ("q",)))
    kinds: tuple[Type, ...] = (("ports",), ("list", ("arc",)), ("list", ("z",)), pairs)
    terms = list(zip(("p", "arcs", "members", "shards"), kinds, problem, strict=True))
    names: tuple[str, ...]
    if known is _FORWARDED:
        way, names, kinds = "forwarding", ("witness",), (("set_bound",),)
    else:
        way, names, kinds = "cuts", ("prices", "witness"), (("price_list",), ("list", ("side",)))
    terms += zip(names, kinds, bound, strict=True)
    of_paths = ("list", ("prod", ("z",), ("list", ("list", ("positive",)))))
    if isinstance(stated, Run):
        (ways,), rows = _rows(document, known, stated, problem)
        terms += [("paths", of_paths, ways), ("plan", ("run",), rows)]
        terms.append(("operations", ("positive",), stated.operations))
    elif (plan := _plan(document, known, stated, problem)) is not None:
        terms += zip(("paths", "plan"), (of_paths, ("periodic",)), plan, strict=True)
    asked, shown = "p arcs members shards", " ".join(names)
    lemmas = {
        known.words.both: f"exactly_by_{way} {asked} paths plan {shown}",
        known.words.bound: f"bounded_by_{way} {asked} {shown}",
        known.words.schedule: f"forwarded {asked} paths plan",
        known.run[1]: f"ran_by_{way} {asked} paths operations plan {shown}",
    }
    return coq_file(proved, document, Facts(_IMPORTS, terms, fabrics.TYPES, lemmas))


_IMPORTS = """\
From Exactsched Require Import Model Collectives Checker RunChecker.
From Exactsched.allreduce Require Import Allgather AllgatherChecker ReducesChecker OneFabric."""


def _asked(document: dict[str, Any], stated: Series | Run) -> tuple[_Collective, Any, Any]:
    """How the document is read, the problem, and the witnesses of the bound."""
    asked = cast("Allgather | Combination", stated.problem)
    proof = stated.proof
    if not isinstance(proof, (CutBound, TreeBound, ForwardingBound)):
        rule = "the kernel reads cuts, trees and forwarding here"
        raise NotCovered("proof.by", proof.TAG[1], rule)
    through = isinstance(asked, Allgather) and len(asked.group) < len(asked.platform.nodes)
    if through and isinstance(proof, TreeBound):
        rule = "the kernel reads trees of allgathers among all nodes; here some only forward"
        raise NotCovered("proof.by", proof.TAG[1], rule)
    known = _known(asked, proof)
    problem = known.read(document["problem"])
    return known, problem, _bound(document, known, asked, problem, proof)


def _plan(document: dict[str, Any], known: _Collective, stated: Series, problem: Any) -> Any:
    """The witnesses of the schedule, or None without one."""
    if stated.schedule is None:
        return None
    work = sum(len(structure.tasks) for structure in stated.schedule.structures)
    work = 9 * work + 3 * len(stated.schedule.slots)
    afford_translation(work, document, "schedule")
    with affordable():
        plan = known.plan(stated.problem, stated.schedule)
    afford(work, (plan, problem), "schedule")
    return plan


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


def _rows(
    document: dict[str, Any], known: _Collective, stated: Run, problem: tuple[Any, ...]
) -> tuple[Any, Any]:
    """Ways and rows of a run of equal operations without latencies."""
    if document["sizes"]:
        raise NotCovered("sizes", len(stated.sizes), "the kernel reads operations of size 1")
    if not stated.bound:
        raise NotCovered("bound", 0, "the kernel reads bounds above 0")
    work = 12 * len(stated.rows) + stated.operations * len(wanted(stated.problem)) // 4
    afford_translation(work, document, "rows")
    with affordable():
        *ways, rows = known.rows(stated)
    afford(work, (rows, problem), "rows")
    return ways, rows
