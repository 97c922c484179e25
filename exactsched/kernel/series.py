"""Kind `series`: the proved checker of collectives (`Checker.v`) on schedules and bounds.

Only `check` is trusted, which compares what is proved with what the document states: the rest turns
witnesses into what the checker takes, and the problem comes from `problems`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import accumulate, groupby
from math import lcm
from typing import Any, cast

from exactsched.certificate.bounds import CutBound, DistanceBound, PotentialBound
from exactsched.certificate.budget import bits_of, hold, products, spend
from exactsched.certificate.collectives import PeriodicSchedule, Series
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational, exact
from exactsched.kernel.generated import collectives
from exactsched.kernel.limits import afford, affordable, refuse_long
from exactsched.kernel.problems import collective
from exactsched.kernel.proved import Claim, NotCovered, ProvedByKernel, shown
from exactsched.kernel.runtime import listed
from exactsched.kernel.written import coq_file, definitions, fraction
from exactsched.kernel.written import tokens as token
from exactsched.model.problem import Alltoall, Broadcast, Collective, Reduction, collective_name
from exactsched.model.tasks import Task, duration


def check(document: dict[str, Any], stated: Series) -> ProvedByKernel:
    """What is proved about the throughput of a series.  Raises `Rejected` and `NotCovered`."""
    _refuse_not_covered(stated)
    problem = collective(document["problem"])
    system = collectives.system_of(problem)
    schedule, proof = _witnesses(stated, problem)
    reached = None if schedule is None else collectives.check_schedule(system, schedule)
    if schedule is not None and reached is None:
        raise Rejected("schedule", "as it is", "the proved checker does not accept this schedule")
    bound = collectives.check_bound(problem, proof)
    if bound is None:
        raise Rejected("proof", stated.proof.TAG[1], "the proved checker does not accept this proof")
    ((throughput, constant),) = reached or (((0, 1), (0, 1)),)
    values = {"throughput": Fraction(*throughput), "bound": Fraction(*bound[0])}
    for name, value in values.items():
        if exact(document[name], name) != value:
            raise Rejected(name, document[name], f"the proved checker finds {shown(value)}")
    optimal = values["throughput"] == values["bound"]
    if document["optimal"] is not optimal:
        raise Rejected("optimal", document["optimal"], "that throughput and bound are the same")
    if reached is not None:
        values["constant"] = Fraction(*constant)
    claims = _claims(values)
    left_open = ("that no task is interrupted",) if schedule and document["schedule"]["whole"] else ()
    asked = collective_name(stated.problem)
    nodes, arcs = len(stated.problem.platform.nodes), len(stated.problem.platform.arcs)
    asked = f"{asked}, {nodes} nodes, {arcs} arcs, {stated.problem.ports}"
    return ProvedByKernel("series", asked, claims, values, optimal, left_open)


def theorem(document: dict[str, Any], stated: Series) -> str:
    """The claims of `check` as theorems about the system of the problem, with their proofs."""
    proved = check(document, stated)
    problem = collective(document["problem"])
    schedule, proof = _witnesses(stated, problem)
    refuse_long((problem, schedule or (), proof))
    lines = definitions("asked", problem, ("problem",), collectives.TYPES)
    lines += definitions("witness", proof, ("bound",), collectives.TYPES)
    if schedule is not None:
        lines += definitions("plan", schedule, ("periodic",), collectives.TYPES)
    lines += [f"Definition S : system := {_SYSTEMS[problem[0]]}.", ""]
    for name, claim in zip(("first", "second"), proved.claims, strict=False):
        lemma, witnesses = _LEMMAS[claim.theorem]
        lines += [
            f"Theorem {name} : {claim.formal}.",
            f"Proof. apply ({lemma} asked {witnesses}). vm_cast_no_check (eq_refl true). Qed.",
            f"Print Assumptions {name}.",
        ]
    return coq_file(proved, document["problem"]["platform"]["nodes"], _IMPORTS, lines)


def tokens(document: dict[str, Any], stated: Series) -> str:
    """What the OCaml program reads: whether there is a schedule, then problem, schedule, bound."""
    _refuse_not_covered(stated)
    problem = collective(document["problem"])
    schedule, proof = _witnesses(stated, problem)
    parts = [(problem, "problem"), (schedule, "periodic"), (proof, "bound")]
    written = [
        text for value, kind in parts if value for text in token(value, (kind,), collectives.TYPES)
    ]
    return "\n".join([str(int(schedule is not None)), *written]) + "\n"


_IMPORTS = "Model Collectives Checker OnePlatform"
# Of each constructor of `problem` the system that it stands for, as its parts are written in `asked`.
_SYSTEMS = {
    "Multicast": "match asked with Multicast p arcs source nodes => broadcast p nodes arcs source"
    " | _ => system_of asked end",
    "Alltoall": "match asked with Alltoall p arcs demands => alltoall p arcs demands"
    " | _ => system_of asked end",
    "Reduction": "match asked with Reduction p arcs usual sizes steps owners goals =>"
    " reduction p arcs (size_in usual sizes) steps owners goals | _ => system_of asked end",
}
# Of each theorem the form in which numbers are in lowest terms, and the witnesses that it takes.
_LEMMAS = {
    "Soundness.check_sound": ("exactly", "plan witness"),
    "Soundness.bound_sound": ("bounded", "witness"),
    "ScheduleSound.schedule_sound": ("scheduled", "plan"),
}


def _claims(values: dict[str, Fraction]) -> tuple[Claim, ...]:
    most = f"never_more S {fraction(values['bound'])}"
    if "constant" not in values:
        says = f"no schedule has a throughput above {shown(values['bound'])}"
        return (Claim(says, most, "Soundness.bound_sound"),)
    throughput, constant = values["throughput"], values["constant"]
    within = f"M operations take at most M / T + {shown(constant)}"
    reached = f"reached S {fraction(throughput)} {fraction(constant)}"
    if throughput == values["bound"]:
        says = f"the throughput is exactly T = {shown(throughput)}: no schedule has more, {within}"
        return (Claim(says, f"{most} /\\ {reached}", "Soundness.check_sound"),)
    return (
        Claim(f"a schedule reaches T = {shown(throughput)}, {within}", reached, _SCHEDULE),
        Claim(f"no schedule has more than {shown(values['bound'])}", most, "Soundness.bound_sound"),
    )


_SCHEDULE = "ScheduleSound.schedule_sound"


def _refuse_not_covered(stated: Series) -> None:
    problem = stated.problem
    if isinstance(problem, Broadcast) and problem.restrict != "none":
        rule = "no proved checker is about broadcasts that are restricted to a tree or a DAG"
        raise NotCovered("problem.restrict", problem.restrict, rule)


def _witnesses(stated: Series, problem: tuple[Any, ...]) -> tuple[Any, Any]:
    """The schedule, or None, and the proof, if both are small enough."""
    asked = stated.problem
    tasks = _tasks(asked)
    afford(4 * tasks, (), "problem")
    with affordable():
        schedule = None if stated.schedule is None else periodic(asked, stated.schedule)
        proof = bound(asked, cast(Any, stated.proof))
    afford(tasks, (problem, schedule or (), proof), "problem")
    if stated.schedule is not None:
        listed_tasks = sum(len(structure.tasks) for structure in stated.schedule.structures)
        afford(listed_tasks + 3 * len(stated.schedule.slots), (schedule, problem), "schedule")
    afford(_inequalities(asked, stated.proof), (proof,), "proof")
    return schedule, proof


def _tasks(problem: Collective) -> int:
    """How many tasks the system has, and about how many steps it takes to look up sizes."""
    arcs = len(problem.platform.arcs)
    if isinstance(problem, Broadcast):
        return arcs
    if isinstance(problem, Alltoall):
        return arcs * len(problem.demands)
    intervals, count = len(problem.intervals), len(problem.owners)
    steps = sum(
        1 if len(row) == 5 else (count - 1) * count * (count + 1) // 6 for row in problem.compute
    )
    sizes = 0 if isinstance(problem.size, Fraction) else len(problem.size)
    return arcs * intervals + steps + intervals * sizes // 8


def _inequalities(problem: Collective, proof: Any) -> int:
    """How many numbers are compared: an arc with every cut that holds its head, and so on."""
    arcs = problem.platform.arcs
    if isinstance(proof, DistanceBound):
        return len(arcs) * len(proof.distances)
    if isinstance(proof, PotentialBound):
        return 2 * _tasks(problem) * len(proof.potentials)
    change = [0] * (len(proof.order) + 1)
    for start, stop, _ in proof.cuts:
        change[start] += 1
        change[stop] -= 1
    deep = dict(zip(proof.order, accumulate(change), strict=False))
    entered = sum(1 + deep.get(arc.head, 0) for arc in arcs) + sum(deep.values())
    return entered + len(arcs) * len(proof.odd_sets)


class Numbers:
    """The numbers by which the checkers know nodes, states and tasks."""

    def __init__(self, problem: Collective) -> None:
        self.problem = problem
        self.node = problem.platform.position
        self.arcs = len(problem.platform.arcs)
        self.step: dict[Task, int] = {}
        if isinstance(problem, Reduction):
            count = len(problem.owners)
            every = [(k, c, m) for k in range(count) for m in range(k, count) for c in range(k, m)]
            whole = [(row[0], *step) for row in problem.compute if len(row) == 2 for step in every]
            single = [row[:4] for row in problem.compute if len(row) == 5]
            self.step = {
                (self.arcs + self.node[name], *step): index
                for index, (name, *step) in enumerate([*whole, *single])
            }

    def task(self, task: Task) -> int:
        """Counted from 1."""
        place, item = task[0], task[1:]
        if isinstance(self.problem, Broadcast):
            return place + 1
        if isinstance(self.problem, Alltoall):
            return item[0] * self.arcs + place + 1
        if place < self.arcs:
            return self._interval(*item) * self.arcs + place + 1
        count = len(self.problem.owners)
        return count * (count + 1) // 2 * self.arcs + self.step[task] + 1

    def _interval(self, k: int, m: int) -> int:
        """Its place among all intervals, by their starts and then by their ends."""
        count = len(self.problem.owners) if isinstance(self.problem, Reduction) else 0
        return k * count - k * (k - 1) // 2 + m - k

    def parts(self) -> list[list[tuple[Any, int]]]:
        """The states that every part of an operation makes."""
        problem, node = self.problem, self.node
        if isinstance(problem, Broadcast):
            return [[(("Message", 0), number) for number in range(len(node))]]
        if isinstance(problem, Alltoall):
            targets = [demand.target for demand in problem.demands]
            return [[(("Message", index), node[to])] for index, to in enumerate(targets)]
        return [[(("Values", k, m), node[name]) for (k, m), name in problem.goals]]

    def resource(self, name: str) -> tuple[Any, ...]:
        """A resource by its name, such as "send:a"."""
        kind, _, which = name.partition(":")
        if kind == "link":
            arc = self.problem.platform.arcs[int(which)]
            return "Link", self.node[arc.tail], self.node[arc.head]
        known = {"send": "Sends", "recv": "Receives", "port": "Port", "compute": "Computes"}
        return known[kind], self.named[which]

    @property
    def named(self) -> dict[str, int]:
        """Nodes by their printed names."""
        return {str(name): number for name, number in self.node.items()}


def ratio(number: Rational) -> tuple[int, int]:
    return number.as_integer_ratio()


def periodic(problem: Collective, schedule: PeriodicSchedule) -> tuple[Any, ...]:
    """`periodic` of Checker.v.

    The slots of a place are divided among its tasks, in their order; the tick is as small as it
    takes.
    """
    numbers = Numbers(problem)
    parts = [
        (
            listed(targets),
            listed(
                (structure.operations, listed(map(numbers.task, structure.tasks)))
                for structure in schedule.structures
                if structure.part == part
            ),
        )
        for part, targets in enumerate(numbers.parts())
    ]
    divided, ticks = _divided(problem, schedule, numbers)
    tick = schedule.tick / ticks
    return ratio(schedule.period), ratio(tick), listed(parts), listed(divided)


def _divided(
    problem: Collective, schedule: PeriodicSchedule, numbers: Numbers
) -> tuple[list[tuple[tuple[int, int], int]], int]:
    """The slots of tasks in order of time, and into how many parts a tick is divided."""
    if isinstance(problem, Broadcast):
        slots = sorted(schedule.slots, key=lambda slot: slot.start)
        return [((place + 1, start), end) for place, start, end in slots], 1
    needed: dict[int, dict[int, Fraction]] = {}
    for structure in schedule.structures:
        for task in structure.tasks:
            time = structure.operations * duration(problem, task) / schedule.tick
            line = needed.setdefault(task[0], {})
            line[numbers.task(task)] = line.get(numbers.task(task), Fraction(0)) + time
    found = [
        piece
        for place, slots in groupby(sorted(schedule.slots), key=lambda slot: slot.place)
        for piece in _shared(needed.get(place, {}), slots)
    ]
    found.sort(key=lambda piece: piece[1])
    ticks = common([number for _, *times in found for number in times], "schedule.slots")
    return [((task, int(a * ticks)), int(b * ticks)) for task, a, b in found], ticks


def _shared(
    line: dict[int, Fraction], slots: Iterable[tuple[int, int, int]]
) -> Iterator[tuple[int, Fraction, Fraction]]:
    """The slots of a place as slots of its tasks.  What lasts too long is given to nobody."""
    queue = list(reversed(line.items()))
    for _, start, end in slots:
        now = Fraction(start)
        while queue and now < end:
            task, left = queue.pop()
            until = min(Fraction(end), now + left)
            yield task, now, until
            if until - now < left:
                queue.append((task, left - (until - now)))
            now = until


def common(numbers: Iterable[Rational], place: str) -> int:
    """The least common denominator, if it is not too long for the document."""
    denominators = {number.denominator for number in numbers}
    unit = 1
    for denominator in denominators:
        spend(products(bits_of(unit), bits_of(denominator)), place)
        unit = lcm(unit, denominator)
        hold(len(denominators) * unit.bit_length(), place)
    return unit


def scaled(numbers: Iterable[Rational], unit: int) -> list[int]:
    return [number.numerator * (unit // number.denominator) for number in numbers]


def bound(problem: Collective, proof: CutBound | DistanceBound | PotentialBound) -> tuple[Any, ...]:
    """`bound` of Checker.v: prices and weights, or distances, or potentials in one unit."""
    numbers = Numbers(problem)
    if isinstance(proof, CutBound):
        return "ByCuts", cuts(numbers, proof)
    if isinstance(proof, DistanceBound):
        return "ByDistances", distances(numbers, proof)
    return "ByPotentials", potentials(numbers, proof)


def prices(numbers: Numbers, proof: Any, unit: int) -> tuple[Any, ...]:
    named = numbers.named
    odd_sets = getattr(proof, "odd_sets", ())
    priced = zip(proof.prices, scaled(proof.prices.values(), unit), strict=True)
    odd = zip(odd_sets, scaled([price for _, price in odd_sets], unit), strict=True)
    return (
        listed((numbers.resource(name), price) for name, price in priced),
        listed(
            (listed(("Port", named[str(node)]) for node in nodes), price)
            for (nodes, _), price in odd
        ),
    )


def cuts(numbers: Numbers, proof: CutBound) -> tuple[Any, ...]:
    weights = [weight for _, _, weight in proof.cuts]
    odd = [price for _, price in proof.odd_sets]
    unit = common([*proof.prices.values(), *odd, *weights], "proof")
    rows = zip(proof.cuts, scaled(weights, unit), strict=True)
    return (
        prices(numbers, proof, unit),
        listed(numbers.node[name] for name in proof.order),
        listed(((start + 1, stop + 1), weight) for (start, stop, _), weight in rows),
    )


def distances(numbers: Numbers, proof: DistanceBound) -> tuple[Any, ...]:
    problem = cast(Alltoall, numbers.problem)
    unit = common([*proof.prices.values(), *(d for row in proof.distances for d in row)], "proof")
    sources = [numbers.node[source] for source in problem.sources]
    rows = zip(sources, proof.distances, strict=True)
    return (
        prices(numbers, proof, unit),
        common([demand.size for demand in problem.demands], "problem"),
        listed((source, listed(enumerate(scaled(row, unit)))) for source, row in rows),
    )


def potentials(numbers: Numbers, proof: PotentialBound) -> tuple[Any, ...]:
    problem = cast(Reduction, numbers.problem)
    numerators = [x for table in proof.potentials for row in table for x in row]
    unit = common([*proof.prices.values(), *numerators], "proof")
    states = [
        (("Values", k, m), node)
        for k, m in problem.intervals
        for node in range(len(numbers.node))
    ]
    columns = [scaled([x for row in table for x in row], unit) for table in proof.potentials]
    rows = zip(states, zip(*columns, strict=True), strict=True)
    return prices(numbers, proof, unit), listed((state, listed(row)) for state, row in rows)
