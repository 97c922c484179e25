"""Section 2.2, the constraints (6), (7) and (8): they do not suffice; what the optimum is."""

from __future__ import annotations

from fractions import Fraction

from exactsched.certificate.bounds import CutBound
from exactsched.exact.rational import to_json
from exactsched.graphs.reachability import bipartition
from exactsched.instances.half_duplex import FROM_NOWHERE, HALF_DUPLEX, OCCUPANCIES_AS_PRINTED
from exactsched.instances.instance_type import Bounds
from exactsched.model.problem import Broadcast
from exactsched.oracles.branchings import spans
from exactsched.oracles.broadcast import ends_of
from exactsched.oracles.half_duplex import (
    ALL_SETS,
    Occupancies,
    best_by_cuts,
    least_entering,
    least_received,
    lost,
    overfull,
    received,
)
from exactsched.steady_state.broadcast import broadcast
from exactsched.theorems.claim import Say, claim

# Up to this many nodes the program with all cuts and odd sets is solved.
_ALL_ROWS = 5

_SOLVER = (
    "exactsched/steady_state/broadcast.py",
    "exactsched/steady_state/odd_sets.py",
    "exactsched/graphs/odd_cut.py",
)


@claim(
    "lu2025.sufficiency.printed",
    number="section 2.2: sufficiency of the constraints",
    counterexample=lambda: FROM_NOWHERE,
    instances=OCCUPANCIES_AS_PRINTED,
    bounds=Bounds(4, 6, 20),
    page="half-duplex",
    implements=_SOLVER,
    judged="the proved optimum; all cuts and odd sets up to 7 nodes",
)
def constraints_are_sufficient(asked: Occupancies, say: Say) -> None:
    """If occupancies satisfy (6), (7) and (8), the source exempt, an algorithm for many messages
    has nearly these occupancies, and so nearly the rate at which they let each node receive at
    least.
    """
    if reason := lost(asked, "printed"):
        say.not_applicable(reason)
    problem, least = asked.problem, least_received(asked)
    best = say.accepts(broadcast(problem.platform, problem.source, ports="half-duplex"))
    say(rate=to_json(least), bound=to_json(best.bound))
    say.require(least <= best.bound, "no algorithm has the rate of the occupancies")
    if len(problem.platform.nodes) <= ALL_SETS:
        enough = least_entering(asked) >= least
        say.require(enough, "a set without the source receives less from outside")
        reason = overfull(asked)
        say.require(not reason, reason)


@claim(
    "lu2025.optimum",
    number="section 2.2: sufficiency of the constraints",
    reference="proofs/half-duplex.md, theorem A; Edmonds 1965 and 1973",
    status="corrected",
    corrects="lu2025.sufficiency.printed",
    instances=HALF_DUPLEX,
    page="half-duplex",
    implements=_SOLVER,
    judged="`check`; all cuts and odd sets up to 7 nodes, as a program up to 5",
)
def half_duplex_optimum(problem: Broadcast, say: Say) -> None:
    """If all P nodes can be reached, the largest throughput C of half-duplex broadcasts is the
    largest weight of arborescences that keep no node busy for more than 1, and no set of 2k + 1
    nodes for more than k; or of flows that enter every set without the source at C.
    C <= floor(P/2) / ((P-1) c), c the least cost. In bipartite graphs odd sets are superfluous.
    """
    platform = problem.platform
    size, root, ends = len(platform.nodes), platform.position[problem.source], ends_of(problem)
    solution = broadcast(platform, problem.source, ports="half-duplex")
    best = say.accepts(solution)
    assert isinstance(solution.proof, CutBound)
    odd = solution.proof.odd_sets
    say({"throughput": to_json(best.throughput), "odd sets": len(odd)})
    agree = best.optimal and best.throughput == solution.throughput
    say.require(agree, "schedule and bound do not agree")
    for tree in solution.trees:
        spanning = spans(size, [root], [ends[arc] for arc in tree.arcs])
        say.require(spanning, "a tree does not span")
    shares = tuple(
        sum((t.weight for t in solution.trees if a in t.arcs), Fraction(0)) * arc.cost
        for a, arc in enumerate(platform.arcs)
    )
    working = Occupancies(problem, shares)
    reason = lost(working)
    say.require(not reason, reason)
    equal = all(rate == best.bound for v, rate in enumerate(received(working)) if v != root)
    say.require(equal, "(14): a node receives at another rate")
    most = size // 2 / ((size - 1) * min(arc.cost for arc in platform.arcs))
    say.require(best.bound <= most, "more than floor(P / 2) / ((P - 1) c)")
    needed = not odd or bipartition(size, ends) is None
    say.require(needed, "odd sets are paid for in a bipartite graph")
    if size <= ALL_SETS:
        reason = overfull(working)
        say.require(not reason, reason)
        enough = least_entering(working) >= best.bound
        say.require(enough, "a set without the source is entered by too little")
    if size <= _ALL_ROWS:
        value = best_by_cuts(problem)
        agree = value == best.bound
        say.require(agree, f"with all cuts and odd sets the optimum is {to_json(value)}")
