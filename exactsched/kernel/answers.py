"""What a document states, against what the proved checkers found: the answer, or a refusal.

Trusted: a number is proved only if it is the one that the document states.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from exactsched.certificate.collectives import Run, Series
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import exact
from exactsched.exact.words import counted
from exactsched.kernel.proved import Claim, ProvedByKernel, not_accepted, shown
from exactsched.kernel.written import fraction
from exactsched.model.collective_names import collective_name
from exactsched.model.problem import Collective

Pair = tuple[int, int]


class Words(NamedTuple):
    """How a claim on throughput is said, and which theorems stand behind it.

    `besides` says which other schedules the bound is about.
    """

    among: str
    most: str
    reached: str
    bound: str
    schedule: str
    both: str
    besides: str = ""


def accepted(found: Any, place: str) -> Any:
    """What a proved checker found.  Raises `Rejected` if it found nothing."""
    if found is None:
        raise not_accepted(place)
    return found


def about_throughput(
    document: dict[str, Any], stated: Series, reached: Any, most: Pair, words: Words
) -> ProvedByKernel:
    """The claims on a series, whose schedule reaches `reached`, which is None without one."""
    ((throughput, constant),) = reached or (((0, 1), (0, 1)),)
    values = {"throughput": Fraction(*throughput), "bound": Fraction(*most)}
    optimal = _agreed(document, values)
    if reached is not None:
        values["constant"] = Fraction(*constant)
    claims = _claims(values, words)
    whole = reached is not None and document["schedule"]["whole"]
    left_open = ("that no task is interrupted",) if whole else ()
    return ProvedByKernel("series", _asked(stated.problem), claims, values, optimal, left_open)


def about_makespan(
    document: dict[str, Any], stated: Run, found: tuple[Pair, Pair], formal: str, theorem: str
) -> ProvedByKernel:
    """The claim on a run: when it ends, and that none ends before; `formal` has two gaps."""
    makespan, least = found
    values = {"makespan": Fraction(*makespan), "bound": Fraction(*least)}
    optimal = _agreed(document, values)
    what = f"a schedule of {stated.operations} operations ends at {shown(values['makespan'])}"
    says = f"{what}, and none ends before {shown(values['bound'])}"
    claim = Claim(says, formal.format(*map(fraction, values.values())), theorem)
    return ProvedByKernel("run", _asked(stated.problem), (claim,), values, optimal)


def _agreed(document: dict[str, Any], values: dict[str, Fraction]) -> bool:
    """Whether the two values are the same.  Raises `Rejected` if the document states others."""
    for name, value in values.items():
        if exact(document[name], name) != value:
            raise Rejected(name, document[name], f"the proved checker finds {shown(value)}")
    reached, bound = values.values()
    if document["optimal"] is not (reached == bound):
        raise Rejected(
            "optimal", document["optimal"], f"whether {' and '.join(values)} are the same"
        )
    return reached == bound


def _asked(problem: Collective) -> str:
    platform = problem.platform
    size = f"{counted(len(platform.nodes), 'node')}, {counted(len(platform.arcs), 'arc')}"
    return f"{collective_name(problem)}, {size}, {problem.ports}"


def _claims(values: dict[str, Fraction], words: Words) -> tuple[Claim, ...]:
    among = f" {words.among}" if words.among else ""
    most = f"{words.most} {fraction(values['bound'])}"
    than = f"more than {shown(values['bound'])} operations per time unit"
    no_more = f"no schedule{among}{words.besides} has {than}"
    if "constant" not in values:
        return (Claim(no_more, most, words.bound),)
    throughput, constant = values["throughput"], values["constant"]
    within = f"M operations take at most M / T + {shown(constant)}"
    reached = f"{words.reached} {fraction(throughput)} {fraction(constant)}"
    if throughput == values["bound"]:
        exactly = f"the throughput{among} is exactly T = {shown(throughput)}"
        says = f"{exactly}: no schedule{words.besides} has more, {within}"
        return (Claim(says, f"{most} /\\ {reached}", words.both),)
    says = f"a schedule{among} reaches T = {shown(throughput)}, {within}"
    return Claim(says, reached, words.schedule), Claim(no_more, most, words.bound)
