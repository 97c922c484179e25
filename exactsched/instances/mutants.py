"""Certificates that may be false: problems, and seeded changes of the documents of their answers.

Most changes keep the structure of a document: a number that is one larger, two rows exchanged, a
node renamed, slots shifted, prices scaled, a bound raised together with the value that it bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple

from exactsched.certificate import parse
from exactsched.certificate.linear_programs import LinearProgram
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import to_json
from exactsched.instances.alltoall import SERVED_ALLTOALLS
from exactsched.instances.broadcasts import BROADCASTS
from exactsched.instances.choices import Choices, Seeded
from exactsched.instances.graphs import (
    BIPARTITE,
    DEMANDS,
    MULTIPLICITIES,
    NETWORKS,
    RATIONAL_WEIGHTS,
    REACHABLE,
    WEIGHTED,
    Demands,
    Digraph,
    Multigraph,
)
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.instances.linear_programs import LINEAR_PROGRAMS
from exactsched.instances.logp import (
    ANY_MACHINES,
    EXCHANGES,
    WHOLE_SUMS,
    Exchange,
    Sum,
)
from exactsched.instances.logp_items import BUFFERED_ITEMS, ITEMS, SERIES, Items, Series
from exactsched.instances.overlays import CLOSED_MACHINES, NARROW_MACHINES
from exactsched.instances.platforms import broadcast
from exactsched.instances.reduce import POSSIBLE_REDUCTIONS
from exactsched.instances.switches import SWITCH_NETWORKS, SwitchNetwork
from exactsched.instances.synchronous import SPREADS
from exactsched.model.machine import LogP, MultiPort
from exactsched.model.platform import Platform
from exactsched.model.problem import Alltoall, Broadcast, Reduction
from exactsched.oracles.branchings import demanded
from exactsched.oracles.synchronous import Spread

# Changes ------------------------------------------------------------------------------------------

_KEPT: Final = ("format", "version", "kind", "optimal")
_WORDS: Final = (
    ("one-port", "half-duplex", "link"),
    ("none", "tree", "dag"),
    ("any", "acyclic", "tree"),
    ("broadcast", "allgather", "alltoall", "allreduce", "summation"),
)
_ATTEMPTS: Final = 12
# What a certificate reaches, by the name of the member.
_REACHED: Final = ("throughput", "makespan", "time", "steps")


class _Place(NamedTuple):
    """Where a number, a text or a list stands: in `container[key]`, this many levels down."""

    container: Any
    key: Any
    depth: int

    @property
    def value(self) -> Any:
        return self.container[self.key]


def mutant(document: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """The document after one to three changes, which depend on the seed alone.

    Of several attempts the first one that is not malformed, but in one case of ten the first.

    >>> from exactsched.certificate import to_document
    >>> from exactsched.certificate.graphs import MatchingDecomposition
    >>> edges, matchings = ((0, 0), (0, 1)), ((1, (0,)), (2, (1,)))
    >>> stated = to_document(MatchingDecomposition(edges, (1, 2), matchings, Fraction(3)))
    >>> mutant(stated, 2)["matchings"]
    [[1, [0]], ['5/2', [1]]]
    """
    choices = Seeded(f"mutant {seed}")
    attempts = 1 if choices.flip(10) else _ATTEMPTS
    made = _changed(choices, document)
    for _ in range(attempts - 1):
        if made != document and _is_well_formed(made):
            break
        made = _changed(choices, document)
    return made


def _is_well_formed(document: Mapping[str, Any]) -> bool:
    try:
        parse(document)
    except InvalidInput:
        return False
    return True


def _changed(choices: Choices, document: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = deepcopy(dict(document))
    for _ in range(choices.one_of((1, 1, 1, 2, 3))):
        member = choices.one_of([name for name in made if name not in _KEPT])
        choices.one_of(_CHANGES)(choices, made, member)
    if "optimal" in made and choices.flip():
        reached = [made[name] for name in _REACHED if name in made]
        made["optimal"] = made["bound"] in reached if choices.flip(8) else not made["optimal"]
    return made


def _places(value: Any, depth: int = 0) -> list[_Place]:
    """Every place below a value, from the top down."""
    found: list[_Place] = []
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            found.append(_Place(value, key, depth))
            found += _places(value[key], depth + 1)
    return found


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return value.lstrip("-").replace("/", "", 1).isdigit()
    return isinstance(value, int) and not isinstance(value, bool)


def _numbers(made: dict[str, Any], member: str) -> list[_Place]:
    return [one for one in _places({member: made[member]}) if _is_number(one.value)]


def _put(made: dict[str, Any], place: _Place, value: Any) -> None:
    """The place of a member that is a number itself is in a copy of the top."""
    (made if place.depth == 0 else place.container)[place.key] = value


def _other(choices: Choices, value: Any) -> Any:
    """A number near to this one; whole, if it is an index, a count or a step."""
    x = Fraction(value)
    near = [x + 1, x - 1, x + 1, x - 1, 2 * x, x * 0, x + choices.between(2, 9)]
    if not isinstance(value, int):
        near += [x / 2, -x, x + Fraction(1, 7), x - Fraction(1, 7)]
        near += [Fraction(x.numerator + 1, x.denominator), Fraction(x.numerator, x.denominator + 1)]
    return to_json(choices.one_of(near))


def _number(choices: Choices, made: dict[str, Any], member: str) -> None:
    """One number is another one."""
    if numbers := _numbers(made, member):
        place = choices.one_of(numbers)
        _put(made, place, _other(choices, place.value))


def _alike(choices: Choices, made: dict[str, Any], member: str) -> list[_Place]:
    """Places of numbers and texts of one column: as deep as one of them, and with its key."""
    leaves = [one for one in _places(made[member]) if isinstance(one.value, (int, str))]
    if not leaves:
        return []
    chosen = choices.one_of(leaves)
    return [
        one
        for one in leaves
        if one.depth == chosen.depth
        and (one.key == chosen.key or one.container is chosen.container)
        and type(one.value) is type(chosen.value)
    ]


def _copied(choices: Choices, made: dict[str, Any], member: str) -> None:
    """One value is that of another row."""
    if places := _alike(choices, made, member):
        one, other = choices.one_of(places), choices.one_of(places)
        one.container[one.key] = other.value


def _exchanged(choices: Choices, made: dict[str, Any], member: str) -> None:
    """Two rows exchange a value."""
    if places := _alike(choices, made, member):
        one, other = choices.one_of(places), choices.one_of(places)
        values = other.value, one.value
        one.container[one.key], other.container[other.key] = values


def _renamed(choices: Choices, made: dict[str, Any], member: str) -> None:
    """Two values of a column, such as names of nodes, are exchanged throughout the column."""
    if places := _alike(choices, made, member):
        one, other = choices.one_of(places).value, choices.one_of(places).value
        for place in places:
            if place.value in (one, other):
                place.container[place.key] = one if place.value == other else other


def _shifted(choices: Choices, made: dict[str, Any], member: str) -> None:
    """The numbers of a column from some row on are larger, or smaller, by the same amount."""
    places = [one for one in _alike(choices, made, member) if _is_number(one.value)]
    if places:
        by = choices.one_of((Fraction(1), Fraction(-1), Fraction(2), Fraction(1, 2)))
        for place in places[choices.below(len(places)) :]:
            place.container[place.key] = to_json(Fraction(place.value) + by)


def _scaled(choices: Choices, made: dict[str, Any], member: str) -> None:
    """All numbers of a column, or of a member, are multiplied."""
    factor = choices.one_of((Fraction(2), Fraction(1, 2), Fraction(3), Fraction(8, 7)))
    places = _alike(choices, made, member) if choices.flip() else _numbers(made, member)
    for place in places:
        if _is_number(place.value):
            _put(made, place, to_json(Fraction(place.value) * factor))


def _raised(choices: Choices, made: dict[str, Any], member: str) -> None:
    """All numbers of the document that are equal to one of the member are another one."""
    if numbers := _numbers(made, member):
        value = choices.one_of(numbers).value
        changed = _other(choices, value)
        for place in _places(made):
            if _is_number(place.value) and place.value == value:
                place.container[place.key] = changed


def _rows(choices: Choices, made: dict[str, Any], member: str) -> None:
    """Rows of a list exchange their places, or one is left out, repeated, moved or made anew."""
    found = [one for one in _places({member: made[member]}) if isinstance(one.value, list)]
    lists = [one.value for one in found]
    if not any(lists):
        return
    # The few lists near the top are as likely as the many below.
    depth = choices.one_of(sorted({one.depth for one in found if one.value}))
    rows = choices.one_of([one.value for one in found if one.value and one.depth == depth])
    at, other = choices.below(len(rows)), choices.below(len(rows))
    match choices.below(7):
        case 0:
            rows[at], rows[other] = rows[other], rows[at]
        case 1:
            del rows[at]
        case 2:
            rows.insert(other, deepcopy(rows[at]))
        case 3:
            rows[at] = deepcopy(rows[other])
        case 4:
            choices.one_of(lists).append(rows.pop(at))
        case 5:
            rows.clear()
        case _:
            rows.append(deepcopy(rows[at]))
            if numbers := [one for one in _places(rows) if _is_number(one.value)]:
                place = numbers[-1 - choices.below(min(3, len(numbers)))]
                place.container[place.key] = _other(choices, place.value)


def _cut(choices: Choices, made: dict[str, Any], member: str) -> None:
    """A row becomes two, which share its time, its weight or its duration."""
    lists = [one.value for one in _places({member: made[member]}) if isinstance(one.value, list)]
    found = [rows for rows in lists if any(isinstance(row, list) and row for row in rows)]
    if not found:
        return
    rows = choices.one_of(found)
    at = choices.one_of([k for k, row in enumerate(rows) if isinstance(row, list) and row])
    one, other = deepcopy(rows[at]), deepcopy(rows[at])
    if len(one) >= 3 and all(isinstance(number, int) for number in one[-2:]):
        one[-1] = other[-2] = (one[-2] + one[-1] + 1) // 2
    elif numbers := [key for key, number in enumerate(one) if _is_number(number)]:
        key = choices.one_of(numbers)
        one[key] = other[key] = to_json(Fraction(one[key]) / 2)
    rows[at : at + 1] = [one, other]


def _worded(choices: Choices, made: dict[str, Any], member: str) -> None:
    """Other ports, another restriction, structure or collective; or another number."""
    texts = [one for one in _places(made) if isinstance(one.value, str)]
    known = [(one, words) for one in texts for words in _WORDS if one.value in words]
    if known:
        place, words = choices.one_of(known)
        place.container[place.key] = choices.one_of(words)
    else:
        _number(choices, made, member)


_CHANGES: Final[tuple[Callable[[Choices, dict[str, Any], str], None], ...]] = (
    *(_number,) * 6,
    *(_copied,) * 2,
    *(_rows,) * 2,
    *(_raised,) * 3,
    *(_exchanged, _renamed, _shifted, _scaled, _worded, _cut),
)

# Instance types -----------------------------------------------------------------------------------

Seeds = tuple[int, ...]
# Solving a problem takes longer than the check of its certificate: one is changed several times.
_MUTANTS: Final = 6


@dataclass(frozen=True, slots=True)
class DigraphMutants:
    """Changes of a certificate about a digraph, each by its seed."""

    problem: Digraph
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class DemandsMutants:
    """Changes of a certificate about branchings from root sets, each by its seed."""

    problem: Demands
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class SwitchMutants:
    """Changes of a certificate about links around switches, each by its seed."""

    problem: SwitchNetwork
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class MultigraphMutants:
    """Changes of a certificate about matchings, each by its seed."""

    problem: Multigraph
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class ProgramMutants:
    """Changes of a certificate about a linear program, each by its seed."""

    problem: LinearProgram
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class BroadcastMutants:
    """Changes of a certificate about broadcasts, each by its seed."""

    problem: Broadcast
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class AlltoallMutants:
    """Changes of a certificate about alltoalls, each by its seed."""

    problem: Alltoall
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class ReductionMutants:
    """Changes of a certificate about reductions, each by its seed."""

    problem: Reduction
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class MachineMutants:
    """Changes of a certificate about a LogP machine, each by its seed."""

    problem: LogP
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class ExchangeMutants:
    """Changes of a certificate about an exchange, each by its seed."""

    problem: Exchange
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class SumMutants:
    """Changes of a certificate about a summation, each by its seed."""

    problem: Sum
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class SeriesMutants:
    """Changes of a certificate about an endless series of items, each by its seed."""

    problem: Series
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class ItemsMutants:
    """Changes of a certificate about k items, each by its seed."""

    problem: Items
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class OverlayMutants:
    """Changes of a certificate about overlays of a machine, each by its seed."""

    problem: MultiPort
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class SpreadMutants:
    """Changes of a certificate about synchronous rounds, each by its seed."""

    problem: Spread
    seeds: Seeds


def mutants_of(kind: Callable[[Any, Seeds], Any], of: Instances, *bounds: int) -> Instances:
    """Problems of the given bounds: they are small enough for the slow definitions."""

    def generate(choices: Choices, bound: int) -> Any:
        problem = of.generate(choices, bound)
        return kind(problem, tuple(choices.below(10**6) for _ in range(_MUTANTS)))

    def corners() -> tuple[Any, ...]:
        # The simplest problems, each with other changes.
        few = [generate(Seeded(f"corner {number}"), 4) for number in range(2)]
        return tuple(few)

    assert isinstance(kind, type)
    return Instances(kind, generate, Bounds(*bounds), corners)


def _demanding(choices: Choices, bound: int) -> Demands:
    """Demands of which some set needs something, if one of a few has such."""
    for _ in range(8):
        asked: Demands = DEMANDS.generate(choices, bound)
        if any(demanded(asked.size, asked.roots)[1:]):
            break
    return asked


def _of_any_ports(choices: Choices, bound: int) -> Broadcast:
    """One-port as in the paper, or any port model."""
    if choices.flip():
        return broadcast(choices, max_nodes=bound)
    made: Broadcast = BROADCASTS.generate(choices, bound)
    return made


def _with_cases(choices: Choices, bound: int) -> Broadcast:
    """One-port as in the paper; or links between all, which mostly need cases."""
    if choices.flip():
        made: Broadcast = BROADCASTS.generate(choices, bound)
        return made
    size = choices.between(3, bound)
    pairs = [(tail, head) for tail in range(size) for head in range(1, size) if tail != head]
    arcs = [(*pair, choices.fraction(3, (2, 3, 4))) for pair in pairs]
    return Broadcast(Platform(range(size), arcs), 0, "link")


FLOW_MUTANTS = mutants_of(DigraphMutants, NETWORKS, 6, 7, 8)
CAPACITY_MUTANTS = mutants_of(DigraphMutants, MULTIPLICITIES, 5, 6, 7)
COST_MUTANTS = mutants_of(DigraphMutants, REACHABLE, 5, 5, 6)
DEMANDS_MUTANTS = mutants_of(
    DemandsMutants, Instances(Demands, _demanding, DEMANDS.bounds), 4, 5, 6
)
SWITCH_MUTANTS = mutants_of(SwitchMutants, SWITCH_NETWORKS, 6, 6, 7)
COLORING_MUTANTS = mutants_of(MultigraphMutants, BIPARTITE, 5, 8, 12)
MATCHING_MUTANTS = mutants_of(MultigraphMutants, RATIONAL_WEIGHTS, 5, 8, 12)
WEIGHTED_MUTANTS = mutants_of(MultigraphMutants, WEIGHTED, 6, 7, 8)
PROGRAM_MUTANTS = mutants_of(ProgramMutants, LINEAR_PROGRAMS, 3, 4, 4)
BROADCAST_MUTANTS = mutants_of(
    BroadcastMutants, Instances(Broadcast, _of_any_ports, BROADCASTS.bounds), 4, 4, 5
)
DAG_MUTANTS = mutants_of(
    BroadcastMutants, Instances(Broadcast, _with_cases, BROADCASTS.bounds), 4, 4, 5
)
ALLTOALL_MUTANTS = mutants_of(AlltoallMutants, SERVED_ALLTOALLS, 4, 4, 4)
REDUCTION_MUTANTS = mutants_of(ReductionMutants, POSSIBLE_REDUCTIONS, 3, 3, 4)
MACHINE_MUTANTS = mutants_of(MachineMutants, ANY_MACHINES, 9, 12, 16)
EXCHANGE_MUTANTS = mutants_of(ExchangeMutants, EXCHANGES, 5, 6, 8)
SUM_MUTANTS = mutants_of(SumMutants, WHOLE_SUMS, 6, 8, 10)
SERIES_MUTANTS = mutants_of(SeriesMutants, SERIES, 4, 4, 5)
ITEMS_MUTANTS = mutants_of(ItemsMutants, ITEMS, 5, 6, 7)
BUFFERED_MUTANTS = mutants_of(ItemsMutants, BUFFERED_ITEMS, 5, 6, 7)
OVERLAY_MUTANTS = mutants_of(OverlayMutants, CLOSED_MACHINES, 5, 6, 8)
CASE_MUTANTS = mutants_of(OverlayMutants, NARROW_MACHINES, 3, 3, 3)
SPREAD_MUTANTS = mutants_of(SpreadMutants, SPREADS, 4, 4, 5)
