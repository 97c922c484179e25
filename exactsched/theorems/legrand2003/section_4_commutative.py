"""Section 4, footnote 1: with an operator that commutes "we have more freedom"; it is NP-hard."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from exactsched.exact.rational import Rational, to_json
from exactsched.instances.set_covers import SET_COVERS, SetCover
from exactsched.model.resources import resources
from exactsched.oracles.reduce import least_cost_in_any_order
from exactsched.steady_state.reduce import solve_reduction
from exactsched.theorems.claim import Say, claim


@claim(
    "legrand2003.commutative",
    number="footnote 1 of section 4",
    reference="proofs/steady-state-reduce.md, order-free reduction is NP-hard",
    status="new",
    instances=SET_COVERS,
    page="steady-state-reduce",
    implements=(
        "exactsched/steady_state/reduce.py",
        "exactsched/steady_state/reduction_tree.py",
    ),
    judged="prices of one port, by sets of values; the loads of a schedule; `check` for the order",
)
def commutative_reductions_are_covers(asked: SetCover, say: Say) -> None:
    """Elements with a value each send to the sets that hold them, at a cost of 1 / (their number),
    and sets to the target, at a cost of 1; sets and target compute. If values may be joined in any
    order, the best throughput is 1 / k, k the size of a smallest cover: so it is NP-hard. In the
    order of the elements it is at most as much.
    """
    covers = (
        chosen
        for count in range(1, len(asked.sets) + 1)
        for chosen in combinations(range(len(asked.sets)), count)
        if {element for number in chosen for element in asked.sets[number]}
        == set(range(asked.size))
    )
    cover = next(covers, None)
    if cover is None:
        say.not_applicable("the sets do not cover all elements")
    least, problem = len(cover), asked.reduction()
    say(cover=list(cover))
    target = problem.goals[0][1]
    cost = least_cost_in_any_order(problem, {f"recv:{target}": 1})
    say.require(cost == least, f"a reduction sends {cost} messages to the target, not {least}")
    busy = _loads(asked, cover)
    known = busy.keys() <= set(resources(problem))
    say.require(known and max(busy.values()) <= least, "the cover does not reach 1 / k")
    ordered = say.accepts(solve_reduction(problem))
    say(ordered=to_json(ordered.throughput))
    say.require(ordered.optimal, "the ordered reduction is not proved")
    say.require(ordered.throughput * least <= 1, "the ordered reduction is faster than 1 / k")


def _loads(asked: SetCover, cover: tuple[int, ...]) -> dict[str, Rational]:
    """How long one reduction over the cover keeps each port and processor busy."""
    target = asked.size + len(asked.sets)
    busy: dict[str, Rational] = {f"recv:{target}": len(cover)}
    left = set(range(asked.size))
    for number in cover:
        mine, node = left.intersection(asked.sets[number]), asked.size + number
        left -= mine
        busy |= {f"send:{element}": Fraction(1, asked.size) for element in mine}
        busy[f"recv:{node}"] = Fraction(len(mine), asked.size)
        busy[f"send:{node}"] = 1
        busy[f"compute:{node}"] = Fraction(len(mine) - 1, target)
    busy[f"compute:{target}"] = Fraction(len(cover) - 1, target)
    return busy
