"""Section 4, series of broadcasts on a DAG: lemma 1, edge coloring, and theorem 2."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from exactsched.instances.broadcasts import BUSY, DAGS, Busy
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import is_arborescence, largest_load, ssbpdag
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.restricted.best_dag import broadcast_dag
from exactsched.steady_state.slots import place_slots
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.optimum import optimum


@claim(
    "beaumont2003.lemma1",
    number="lemma 1 (edge coloring lemma)",
    instances=BUSY,
    page="periodic-schedule",
    implements=(
        "exactsched/steady_state/schedule.py",
        "exactsched/graphs/matching_decomposition.py",
    ),
    judged="the definition: every moment, every port, every arc",
)
def edge_coloring_lemma(asked: Busy, say: Say) -> None:
    """Communication times that keep no send port and no receive port busy for longer than T have a
    schedule within T in which a node never sends two messages, or receives two, at the same time;
    at most |E| sets of arcs work together.
    """
    arcs = asked.problem.platform.arcs
    used = {index: time for index, time in enumerate(asked.times) if time}
    if not used:
        say(period=0, matchings=0)
        return
    period = largest_load(asked.problem, asked.times)
    tick, slots = place_slots(asked.problem, used)
    moments = sorted({moment for _, start, end in slots for moment in (start, end)})
    say(period=period, slots=len(slots), matchings=len(moments) - 1)
    within = 0 <= moments[0] < moments[-1] * tick <= period
    say.require(within, "slots outside of the period")
    worked = dict.fromkeys(used, Fraction(0))
    for arc, start, end in slots:
        worked[arc] += (end - start) * tick
    say.require(worked == used, "some arc does not work as long as it shall")
    for start, end in pairwise(moments):
        now = [arcs[arc] for arc, begin, stop in slots if begin <= start and end <= stop]
        once = len({arc.tail for arc in now}) == len(now) == len({arc.head for arc in now})
        say.require(once, "a port is used twice at the same time")
    say.require(len(moments) - 1 <= len(used), "more matchings than arcs in use")


@claim(
    "beaumont2003.thm2",
    number="theorem 2",
    status="sharpened",
    instances=DAGS,
    page="best-dag",
    implements=(
        "exactsched/steady_state/restricted/best_dag.py",
        "exactsched/steady_state/broadcast.py",
    ),
    judged="`check` on program and packing; the decomposition of the page",
    corrects="beaumont2003.thm2.printed",
)
def best_dag(problem: Broadcast, say: Say) -> None:
    """On a one-port DAG all of whose nodes can be reached the optimum of SSBPDAG(G) is the largest
    throughput of a series of broadcasts; a periodic schedule of at most m - n + 2 arborescences
    reaches it, m the arcs with n > 0, none deeper than the longest path.
    """
    platform = problem.platform
    best = optimum(ssbpdag(problem))
    solution = broadcast_dag(platform, problem.source)
    proved = say.accepts(solution)
    say(SSBPDAG=best.value, throughput=proved.bound)
    equal = proved.optimal and proved.bound == best.value
    say.require(equal, "the program and the best packing differ")
    of_all = say.accepts(broadcast(platform, problem.source)).bound
    say.require(of_all == proved.bound, "on a DAG, not all trees may be used")
    messages = {n - 1: Fraction(amount) for n, amount in best.primal if n}
    trees = _laid_on_a_line(problem, messages, Fraction(best.value))
    say(arcs=len(messages), trees=len(trees))
    few = len(trees) <= len(messages) - len(platform.nodes) + 2
    say.require(few, "more than m - n + 2 arborescences")
    spanning = all(is_arborescence(problem, tree) for tree, _ in trees)
    say.require(spanning, "entering arcs that are no arborescence")
    times = [
        arc.cost * sum(weight for tree, weight in trees if k in tree)
        for k, arc in enumerate(platform.arcs)
    ]
    carry = sum(weight for _, weight in trees) == best.value and largest_load(problem, times) <= 1
    say.require(carry, "the trees do not carry TP")
    longest = max(_heights(problem).values())
    say(depth=solution.depth, height=longest)
    say.require(solution.depth <= longest, "a tree that is deeper than the longest path")


def _laid_on_a_line(
    problem: Broadcast, messages: dict[int, Fraction], throughput: Fraction
) -> list[tuple[tuple[int, ...], Fraction]]:
    """The entering arcs of every node one after the other on [0, TP), cut at all their ends."""
    lines: dict[Node, list[tuple[Fraction, int]]] = {}
    for arc, amount in sorted(messages.items()):
        line = lines.setdefault(problem.platform.arcs[arc].head, [])
        line.append(((line[-1][0] if line else Fraction(0)) + amount, arc))
    moments = sorted({Fraction(0), throughput}.union(e for line in lines.values() for e, _ in line))
    return [
        (tuple(next(a for e, a in line if e > start) for line in lines.values()), end - start)
        for start, end in pairwise(moments)
    ]


def _heights(problem: Broadcast) -> dict[Node, int]:
    """The number of arcs of a longest path to every node."""
    heights = dict.fromkeys(problem.platform.nodes, 0)
    for _ in problem.platform.nodes:
        for arc in problem.platform.arcs:
            heights[arc.head] = max(heights[arc.head], heights[arc.tail] + 1)
    return heights


@claim(
    "beaumont2003.thm2.printed",
    number="theorem 2, proof",
    instances=DAGS,
    page="best-dag",
    implements=("exactsched/steady_state/restricted/best_dag.py",),
    judged="the definition: the number of nodes before each is such an h, or none is",
    counterexample=lambda: Broadcast(Platform("s123", [(*p, 1) for p in ("s1", "12", "s3")]), "s"),
)
def heights_of_a_dag(problem: Broadcast, say: Say) -> None:
    """The nodes of a DAG have heights h such that h(j) < h(k) if and only if there is a path from j
    to k (used in the proof).
    """
    # If any h serves, the number of nodes with a path to j does: it grows where h grows.
    nodes = problem.platform.nodes
    before = {
        node: {arc.tail for arc in problem.platform.arcs if arc.head == node} for node in nodes
    }
    for _ in nodes:
        for node in nodes:
            before[node] |= set().union(*(before[other] for other in before[node]))
    for one in nodes:
        for other in nodes:
            right = (len(before[one]) < len(before[other])) == (one in before[other])
            where = f"a path from {one} to {other}"
            say.require(right, f"no h with h(j) < h(k) if and only if there is {where}")
    say(heights=sorted(map(len, before.values())))
