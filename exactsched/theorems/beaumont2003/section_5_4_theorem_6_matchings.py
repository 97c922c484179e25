"""Section 5.4, communication scheduling: theorem 6, weighted matchings, and lemma 6."""

from __future__ import annotations

from fractions import Fraction

from exactsched.graphs.matching_decomposition import decompose_into_matchings
from exactsched.instances.broadcasts import BROADCASTS
from exactsched.instances.graphs import INTEGER_WEIGHTS, RATIONAL_WEIGHTS, Multigraph
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import ends_of
from exactsched.oracles.matchings import largest_load, tight_nodes, two_sided
from exactsched.theorems.beaumont2003.section_5_3_theorems_3_to_5_trees import multigraph_of
from exactsched.theorems.claim import Say, claim


@claim(
    "beaumont2003.thm6.printed",
    number="theorem 6, for rational c",
    instances=RATIONAL_WEIGHTS,
    page="weighted-edge-coloring",
    implements=("exactsched/graphs/matching_decomposition.py",),
    judged="sums of integers are integers",
    statement="""A bipartite graph with weights m c, c rational, is a sum of at most |E| matchings
    with integer durations.""",
    counterexample=lambda: Multigraph(1, ((0, 0),), (Fraction(1, 2),)),
    rational=True,
)
@claim(
    "beaumont2003.thm6",
    number="theorem 6, for integer m c",
    status="corrected",
    instances=INTEGER_WEIGHTS,
    page="weighted-edge-coloring",
    implements=("exactsched/graphs/matching_decomposition.py",),
    judged="`check`; loads, t and c counted again",
    corrects="beaumont2003.thm6.printed",
)
def integer_durations(graph: Multigraph, say: Say, *, rational: bool = False) -> None:
    """A bipartite graph with positive integer weights is a sum of matchings with integer durations
    that add up to its largest load; at most |E| - t + c + 1 <= |E| do, t the number of nodes of
    largest load and c of the components of such nodes.
    """
    stated = decompose_into_matchings(graph.edges, graph.numbers)
    say.accepts(stated)
    ends = two_sided(graph.edges)
    largest = largest_load(ends, graph.numbers)
    total = sum((time for time, _ in stated.matchings), start=Fraction(0))
    say(edges=len(graph.edges), matchings=len(stated.matchings), load=largest, total=total)
    if rational:
        broken = [weight for weight in graph.numbers if Fraction(weight).denominator > 1]
        if broken:
            say.refute(f"integers do not add up to the weight {broken[0]}")
        say.require(len(stated.matchings) <= len(graph.edges), "more matchings than edges")
        return
    say.require(total == largest, "the durations do not add up to the largest load")
    whole = all(type(time) is int for time, _ in stated.matchings)
    say.require(whole, "a duration is no integer")
    tight, balanced = tight_nodes(ends, graph.numbers, largest)
    most = len(graph.edges) - tight + balanced + bool(graph.edges)
    few = len(stated.matchings) <= most
    say.require(few, f"more than |E| - t + c + 1 = {most} matchings")


@claim(
    "beaumont2003.lemma6",
    number="lemma 6, with (12), (15) and (13), (16) exchanged",
    status="corrected",
    instances=BROADCASTS,
    page="steady-state-broadcast",
    implements=(
        "exactsched/graphs/matching_decomposition.py",
        "exactsched/graphs/arborescence_decomposition.py",
        "exactsched/graphs/lovasz.py",
    ),
    judged="`check`; m and the durations added up again",
)
def matchings_last_n_t(problem: Broadcast, say: Say) -> None:
    """With m the messages of the trees on every arc, m <= N n and the matchings for the times m c
    last N T*, not less.
    """
    many = multigraph_of(problem)
    stated = many.trees(say)
    arcs, pairs = problem.platform.arcs, ends_of(problem)
    used = [sum(w for w, tree in stated.trees if arc in tree) for arc in range(len(arcs))]
    busy = {arc: amount * arcs[arc].cost for arc, amount in enumerate(used) if amount}
    matchings = decompose_into_matchings([pairs[arc] for arc in busy], list(busy.values()))
    say.accepts(matchings)
    total = sum((Fraction(time) for time, _ in matchings.matchings), start=Fraction(0))
    shortest = many.copies / many.throughput
    say({"N T*": shortest}, total=total, matchings=len(matchings.matchings))
    say(spared=sum(n > m for n, m in zip(many.capacities, used, strict=True)))
    say.require(total == shortest, "the matchings do not last N T*")
