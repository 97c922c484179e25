"""Kinds `series` and `run`: the proved checkers of collectives on schedules and bounds.

Only `check` is trusted, which compares what is proved with what the document states: problems come
from `problems`, and `witnesses` turns everything else into what the checkers take.
"""

from __future__ import annotations

from typing import Any, cast

from exactsched.certificate.collectives import Run, Series
from exactsched.exact.rational import exact
from exactsched.kernel import fabrics, witnesses
from exactsched.kernel.answers import Words, about_makespan, about_throughput, accepted
from exactsched.kernel.generated import collectives as _collectives
from exactsched.kernel.limits import (
    afford,
    afford_translation,
    affordable,
)
from exactsched.kernel.problems import collective, packets, restricted
from exactsched.kernel.proved import NotCovered, ProvedByKernel
from exactsched.kernel.written import Facts, Type, coq_file
from exactsched.kernel.written import tokens as token
from exactsched.model.problem import Allgather, Broadcast, Combination

# Its functions have no types.
collectives: Any = _collectives


def check(document: dict[str, Any], stated: Series | Run) -> ProvedByKernel:
    """What is proved about a series or a run.  Raises `Rejected` and `NotCovered`."""
    if isinstance(stated.problem, (Allgather, Combination)):
        return fabrics.check(document, stated)
    afford_translation(4 * witnesses.tasks_of(stated.problem), document, "problem")
    if isinstance(stated, Run):
        return _run(document, stated)
    if document["problem"].get("restrict", "none") != "none":
        return _restricted(document, stated)
    problem = collective(document["problem"])
    schedule, proof = _of_series(document, stated, problem)
    reached = None
    if schedule is not None:
        reached = accepted(
            collectives.check_schedule(collectives.system_of(problem), schedule), "schedule"
        )
    (most,) = accepted(collectives.check_bound(problem, proof), "proof")
    return about_throughput(document, stated, reached, most, _EVERY_SCHEDULE)


def _restricted(document: dict[str, Any], stated: Series) -> ProvedByKernel:
    """A broadcast over one tree, or over arcs without a directed cycle."""
    problem, plan, proof = _of_restricted(document, stated)
    reached = None
    if plan is not None:
        reached = accepted(collectives.check_restricted_schedule(*problem, *plan), "schedule")
    (most,) = accepted(collectives.check_restricted_bound(*problem, proof), "proof")
    words = Words(
        f"over {_RESTRICTIONS[problem[0]]}",
        f"never_more_within (is_allowed {problem[0]} source) p arcs source targets",
        f"reached_within (is_allowed {problem[0]} source) p arcs source targets",
        "RestrictedSound.restricted_bound_sound",
        "RestrictedSound.restricted_schedule_sound",
        "RestrictedSound.restricted_sound",
    )
    return about_throughput(document, stated, reached, most, words)


def _of_restricted(document: dict[str, Any], stated: Series) -> tuple[Any, Any, Any]:
    """The problem, the schedule on the arcs that it uses, or None, and the proof."""
    asked = cast(Broadcast, stated.problem)
    problem = restricted(document["problem"])
    leaves = witnesses.leaves(stated.proof)
    # Every case goes through all arcs, and so does every proof of a case.
    passes = 8 * (len(leaves) + 1) * len(asked.platform.arcs)
    afford_translation(passes, document, "proof")
    calls = passes + sum([witnesses.inequalities(asked, leaf) for leaf in leaves])
    with affordable():
        proof = witnesses.proof_of_cases(asked, stated.proof)
    afford(calls, (problem, proof), "proof")
    plan = None
    if stated.schedule is not None:
        plan = witnesses.on_used_arcs(asked, stated.schedule)
        _afford_schedule(stated, (plan[2], problem))
    return problem, plan, proof


_EVERY_SCHEDULE = Words(
    "",
    "never_more S",
    "reached S",
    "Soundness.bound_sound",
    "ScheduleSound.schedule_sound",
    "Soundness.check_sound",
)
_RESTRICTIONS = {"OneTree": "one tree", "Acyclic": "arcs without a directed cycle"}


def _run(document: dict[str, Any], stated: Run) -> ProvedByKernel:
    """A finite run: when it ends, and that none ends earlier than the bound."""
    operations = int(document["operations"])
    problem, rows, proof = _of_run(document, stated)
    if _of_packets(document):
        found = collectives.check_packet_run(*problem, rows, proof)
        theorem = "RunSound.packet_run_sound"
        formal = "(exists s, valid S s /\\ completes S s 1 {} /\\ pays_latency_once arcs S s)"
        formal += " /\\ takes_at_least S 1 {}"
    else:
        found = collectives.check_run(problem, operations, rows, proof)
        theorem = "RunSound.run_sound"
        formal = f"done_by S {operations} {{}} /\\ takes_at_least S {operations} {{}}"
    (values,) = accepted(found, "rows and proof")
    return about_makespan(document, stated, values, formal, theorem)


def _of_packets(document: dict[str, Any]) -> bool:
    """Whether operations have sizes, or arcs latencies."""
    rows = document["problem"]["platform"]["arcs"]
    return bool(document["sizes"]) or any(len(row) == 4 and exact(row[3], "") for row in rows)


def _of_run(document: dict[str, Any], stated: Run) -> tuple[Any, Any, Any]:
    """The problem, the rows and the proof, if they are small enough."""
    work = 2 * len(stated.rows) + witnesses.tasks_of(stated.problem)
    goals = len(witnesses.wanted(stated.problem))
    proving = witnesses.inequalities(stated.problem, stated.proof)
    afford_translation(work + proving + stated.operations * goals // 4, document, "rows")
    with affordable():
        rows = witnesses.run_rows(stated)
    if _of_packets(document):
        packed = packets(document)
        with affordable():
            proof = witnesses.packet_bound(stated)
        afford(work + 2 * proving, (packed, rows, proof), "rows")
        return packed, rows, proof
    problem = collective(document["problem"])
    with affordable():
        proof = witnesses.bound(stated.problem, cast(Any, stated.proof))
    afford(work + proving, (problem, rows, proof), "rows")
    return problem, rows, proof


def theorem(document: dict[str, Any], stated: Series | Run) -> str:
    """The claims of `check` as theorems about the problem, with their proofs."""
    if isinstance(stated.problem, (Allgather, Combination)):
        return fabrics.theorem(document, stated)
    proved = check(document, stated)
    if isinstance(stated, Run):
        facts = _facts_of_run(document, stated)
    elif document["problem"].get("restrict", "none") != "none":
        facts = _facts_of_restricted(document, stated)
    else:
        facts = _facts_of_series(document, stated)
    return coq_file(proved, document, facts)


def _facts(terms: list[tuple[str, Type, Any]], lemmas: dict[str, str], system: str = "") -> Facts:
    return Facts(_IMPORTS, terms, collectives.TYPES, lemmas, system)


def _facts_of_series(document: dict[str, Any], stated: Series) -> Facts:
    problem, schedule, proof = _plain_series(document, stated)
    terms = [("asked", ("problem",), problem), ("witness", ("bound",), proof)]
    terms += [] if schedule is None else [("plan", ("periodic",), schedule)]
    lemmas = {
        "Soundness.check_sound": "exactly asked plan witness",
        "Soundness.bound_sound": "bounded asked witness",
        "ScheduleSound.schedule_sound": "scheduled asked plan",
    }
    return _facts(terms, lemmas, _SYSTEMS[problem[0]])


def _facts_of_restricted(document: dict[str, Any], stated: Series) -> Facts:
    (kind, *problem), plan, proof = _of_restricted(document, stated)
    terms = list(zip(("p", "arcs", "source", "targets"), _MULTICAST, problem, strict=True))
    terms.append(("witness", ("proof",), proof))
    if plan is not None:
        ranks = ("list", ("prod", ("z",), ("z",)))
        kinds: tuple[Type, ...] = (("list", ("positive",)), ranks, ("periodic",))
        terms += zip(("used", "ranks", "plan"), kinds, plan, strict=True)
    asked, on_used = f"{kind} p arcs source targets", "used ranks plan"
    lemmas = {
        "RestrictedSound.restricted_sound": f"restricted_exactly {asked} {on_used} witness",
        "RestrictedSound.restricted_bound_sound": f"restricted_bounded {asked} witness",
        "RestrictedSound.restricted_schedule_sound": f"restricted_scheduled {asked} {on_used}",
    }
    return _facts(terms, lemmas)


def _facts_of_run(document: dict[str, Any], stated: Run) -> Facts:
    problem, rows, proof = _of_run(document, stated)
    plan = ("plan", ("run",), rows)
    if _of_packets(document):
        names = ("p", "arcs", "source", "targets", "sizes")
        p, _, *ends = _MULTICAST
        kinds = (p, ("list", ("prod", ("arc",), ("q",))), *ends, ("list", ("q",)))
        terms = list(zip(names, kinds, problem, strict=True))
        terms += [plan, ("witness", ("packet_bound",), proof)]
        asked = " ".join(names)
        lemma = f"packets_ran {asked} plan witness"
        return _facts(terms, {"RunSound.packet_run_sound": lemma}, f"packets {asked}")
    operations = ("operations", ("positive",), stated.operations)
    terms = [("asked", ("problem",), problem), operations, plan, ("witness", ("bound",), proof)]
    lemma = "ran asked operations plan witness"
    return _facts(terms, {"RunSound.run_sound": lemma}, _SYSTEMS[problem[0]])


def tokens(document: dict[str, Any], stated: Series | Run) -> str:
    """What the OCaml program reads: whether there is a schedule, then problem, schedule, bound."""
    problem, schedule, proof = _plain_series(document, stated)
    parts = [(problem, "problem"), (schedule, "periodic"), (proof, "bound")]
    written = [
        text for value, kind in parts if value for text in token(value, (kind,), collectives.TYPES)
    ]
    return "\n".join([str(int(schedule is not None)), *written]) + "\n"


_IMPORTS = (
    "From Exactsched Require Import Model Collectives Checker RunChecker RestrictedChecker"
    " RestrictedSound\n  OnePlatform."
)
# The types of ports, arcs, a source and targets.
_MULTICAST: tuple[Type, ...] = (("ports",), ("list", ("arc",)), ("z",), ("list", ("z",)))
# Of each constructor of `problem` the system that it stands for, made of the parts of `asked`.
_SYSTEMS = {
    "Multicast": "match asked with Multicast p arcs source nodes => broadcast p nodes arcs source"
    " | _ => system_of asked end",
    "Alltoall": "match asked with Alltoall p arcs demands => alltoall p arcs demands"
    " | _ => system_of asked end",
    "Reduction": "match asked with Reduction p arcs usual sizes steps owners goals =>"
    " reduction p arcs (size_in usual sizes) steps owners goals | _ => system_of asked end",
}


def _of_series(
    document: dict[str, Any], stated: Series, problem: tuple[Any, ...]
) -> tuple[Any, Any]:
    """The schedule, or None, and the proof, if both are small enough."""
    asked = stated.problem
    tasks = witnesses.tasks_of(asked)
    proving = witnesses.inequalities(asked, stated.proof)
    listed_tasks, slots = _work(stated)
    afford_translation(4 * tasks + proving + 4 * (listed_tasks + slots), document, "document")
    with affordable():
        schedule = None if stated.schedule is None else witnesses.periodic(asked, stated.schedule)
        proof = witnesses.bound(asked, cast(Any, stated.proof))
    afford(tasks, (problem, schedule or (), proof), "problem")
    _afford_schedule(stated, (schedule or (), problem))
    afford(proving, (proof,), "proof")
    return schedule, proof


def _work(stated: Series) -> tuple[int, int]:
    """How many tasks its structures list, and how many slots there are."""
    if stated.schedule is None:
        return 0, 0
    tasks = sum(len(structure.tasks) for structure in stated.schedule.structures)
    return tasks, len(stated.schedule.slots)


def _afford_schedule(stated: Series, terms: tuple[Any, ...]) -> None:
    tasks, slots = _work(stated)
    afford(tasks + 3 * slots, terms, "schedule")


def _plain_series(document: dict[str, Any], stated: Series | Run) -> tuple[Any, Any, Any]:
    """The problem, the schedule and the proof of a series without a restriction."""
    if isinstance(stated, Run):
        raise NotCovered("kind", "run", "only a series is written for OCaml")
    afford_translation(4 * witnesses.tasks_of(stated.problem), document, "problem")
    problem = collective(document["problem"])
    return problem, *_of_series(document, stated, problem)
