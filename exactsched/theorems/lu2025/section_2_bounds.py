"""Broadcasts in steps: bounds (16) and (17) of BBS (2025), ours, and the schedules found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from exactsched.certificate import parse
from exactsched.certificate.collectives import Series
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.check import check
from exactsched.instances.choices import Choices
from exactsched.model.platform import Platform
from exactsched.oracles.synchronous import (
    Spread,
    any_run,
    fits,
    of_one_packet,
    played,
    spread,
    stages,
    two_ways,
)
from exactsched.steady_state.broadcast import broadcast
from exactsched.synchronous.baselines import greedy_broadcast
from exactsched.synchronous.bounds import occupancy_proof, rounds_bound
from exactsched.synchronous.saturation import broadcast_in_rounds
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, refuted
from exactsched.theorems.lu2025.section_3_plans import PLAN_CLAIMS

_PAPER = "Balanced Saturation (BBS), Lu et al. 2025"
# All runs are looked at if there are no more transfers in all than this: with arcs of a step each,
# 2 for each node; with more arcs; with slower ones.
_SEARCHED, _SEARCHED_DENSE, _SEARCHED_SLOW = 12, 9, 8


@dataclass(frozen=True, slots=True)
class Frames:
    """On a tree `parents[k]` sends to node k + 1 in the frame `turns[k]`, around and around."""

    parents: tuple[int, ...]
    turns: tuple[int, ...]


def _runs(asked: Spread) -> dict[str, SynchronousRun]:
    """A run in any order, and those of the package."""
    graph = asked.graph()
    runs = {
        "any": any_run(asked),
        "ours": broadcast_in_rounds(graph, asked.packets, asked.ports, effort=0),
    }
    plain = all(steps == 1 for _, _, steps in asked.arcs)
    if plain and asked.ports == "half-duplex" and len(asked.sources) == 1:
        runs["greedy"] = greedy_broadcast(graph, asked.packets)
    return runs


def _slowness(asked: Spread) -> tuple[int, int]:
    steps = [duration for _, _, duration in asked.arcs]
    return min(steps), max(steps)


# Equation (16) -----------------------------------------------------------------------------------


def _informed(asked: Spread) -> Verdict:
    fast, slow = _slowness(asked)
    rounds = (asked.size - 1).bit_length()
    bound = of_one_packet(asked).bound()
    facts: dict[str, Any] = {"rounds": rounds, "bound": bound}
    for name, run in _runs(asked).items():
        informed, *_ = stages(run)
        facts[name] = informed
        if informed < rounds * fast:
            return refuted(f"{name}: more nodes are informed than by doubling", **facts)
        if informed < bound:
            return refuted(f"{name}: sooner than one packet can be everywhere", **facts)
    for name, run in _runs(of_one_packet(asked)).items():
        reason, _, idle = played(run)
        if reason:
            return refuted(f"{name}: {reason}", **facts)
        if name == "any" and idle:
            return refuted("a step of the run without pauses has no transfer", **facts)
        if not idle and run.steps > (asked.size - 1) * slow:
            return refuted(f"{name}: a step informs nobody", **facts)
    if bound and _searched(of_one_packet(asked)) and fits(of_one_packet(asked), bound - 1):
        return refuted("one packet is everywhere before the bound", **facts)
    return held(**facts)


def _framed(asked: Frames) -> tuple[int, ...]:
    """When each node has its first packet, if frames follow each other, around and around."""
    cycle = 1 + max(asked.turns)
    first = [0]
    for up, turn in zip(asked.parents, asked.turns, strict=True):
        first.append(1 + first[up] + (turn - first[up]) % cycle)
    return tuple(first)


def _informed_as_printed(asked: Frames) -> Verdict:
    size = len(asked.parents) + 1
    informed = max(_framed(asked))
    facts = {"P": size, "T_I": informed}
    if 2**informed < size:
        return refuted("T_I is less than log2 P", **facts)
    if informed > size:
        return refuted("T_I is more than P", **facts)
    return held(**facts)


def _frames(choices: Choices, bound: int) -> Frames:
    """Colors of the edges of a tree, at each node different ones, in any order."""
    size = choices.between(2, bound)
    parents = tuple(choices.below(v) if choices.flip(4) else v - 1 for v in range(1, size))
    used: list[set[int]] = [set() for _ in range(size)]
    turns = []
    for node, up in enumerate(parents, 1):
        free = [turn for turn in range(size) if turn not in used[up]]
        turns.append(choices.one_of(free[: choices.between(1, 3)]))
        used[up].add(turns[-1])
        used[node].add(turns[-1])
    names = choices.shuffled(sorted(set(turns)))
    return Frames(parents, tuple(names.index(turn) for turn in turns))


# Equation (17) -----------------------------------------------------------------------------------


def _whole_run(asked: Spread) -> Verdict:
    fast, slow = _slowness(asked)
    transfers = asked.packets * len(asked.sources) * (asked.size - 1)
    at_once = asked.size // 2 if asked.ports == "half-duplex" else asked.size
    bound = asked.bound()
    facts: dict[str, Any] = {"transfers": transfers, "bound": bound}
    if bound * at_once < transfers * fast:
        return refuted("our bound is less than N (P-1) / floor(P / 2)", **facts)
    for name, run in _runs(asked).items():
        check(run)
        reason, _, idle = played(run)
        facts[name] = run.steps
        if reason:
            return refuted(f"{name}: {reason}", **facts)
        if run.steps * at_once < transfers * fast or run.steps < bound:
            return refuted(f"{name}: faster than any run", **facts)
        if idle and name != "any":
            return refuted(f"{name}: nothing is sent in a step", **facts)
        if run.steps - idle > transfers * slow:
            return refuted(f"{name}: transfers are under way for longer than all take", **facts)
    return held(**facts)


def _stable_as_printed(asked: Spread) -> Verdict:
    fast, slow = _slowness(asked)
    total = asked.packets * len(asked.sources)
    facts: dict[str, Any] = {"N": total, "P": asked.size}
    for name, run in _runs(asked).items():
        _, stable, _, _ = stages(run)
        facts[name] = stable
        if stable < total * fast:
            return refuted(f"{name}: T_S is less than N / sup E", **facts)
        if stable > total * asked.size * slow:
            return refuted(f"{name}: T_S is more than N P / inf E", **facts)
    return held(**facts)


# Our bounds, and our schedules -------------------------------------------------------------------


def _counted(asked: Spread) -> Verdict:
    bound = asked.bound()
    facts: dict[str, Any] = {"bound": bound}
    run = any_run(asked)
    check(run)  # which has its own bound, and refuses another one
    facts["any"] = run.steps
    if run.steps < bound:
        return refuted("a run takes fewer steps", **facts)
    if bound and _searched(asked):
        if fits(asked, bound - 1):
            return refuted("some run takes fewer steps", **facts)
        facts["searched"] = True
    ports: Any = asked.ports
    steady = broadcast(Platform(range(asked.size), asked.arcs), asked.sources[0], ports=ports)
    stated = parse(steady.certificate())
    assert isinstance(stated, Series)
    proof = occupancy_proof(stated)
    priced = rounds_bound(asked.graph(), asked.packets, asked.ports, [proof]).steps
    facts["occupancy"] = priced
    # Packets of the other sources may start inside a cut.
    if priced * steady.throughput < asked.packets or priced < bound:
        return refuted("with prices the bound is not N / C, or less than without", **facts)
    if run.steps < priced:
        return refuted("a run takes fewer steps than the prices allow", **facts)
    check(replace(run, bound=priced, optimal=run.steps == priced, occupancy=(proof,)))
    return held(**facts)


def _searched(asked: Spread) -> bool:
    """Whether all runs are looked at."""
    transfers = asked.packets * len(asked.sources) * (asked.size - 1)
    if any(steps > 1 for _, _, steps in asked.arcs):
        return transfers <= _SEARCHED_SLOW
    few_arcs = len(asked.arcs) <= 2 * asked.size
    return transfers <= (_SEARCHED if few_arcs else _SEARCHED_DENSE)


@dataclass(frozen=True, slots=True)
class Saturated:
    """What `broadcast_in_rounds` is asked for."""

    spread: Spread
    seed: int
    effort: int


def _saturated(asked: Saturated) -> Verdict:
    given = asked.spread
    graph, bound = given.graph(), given.bound()
    run = broadcast_in_rounds(
        graph, given.packets, given.ports, seed=asked.seed, effort=asked.effort
    )
    facts: dict[str, Any] = {"steps": run.steps, "bound": bound}
    check(run)
    reason, has, idle = played(run)
    if reason:
        return refuted(reason, **facts)
    end = max(time for times in has for time in times)
    if run.steps != end or idle:
        return refuted("the run ends at another step, or one has no transfer", **facts)
    if not run.bound == bound <= run.steps or run.optimal != (run.steps == bound):
        return refuted("fewer steps than the bound, or another bound", **facts)
    if run.origins != graph.origins(given.packets) or run.arcs != given.arcs:
        return refuted("another graph, or other packets", **facts)
    again = broadcast_in_rounds(
        graph, given.packets, given.ports, seed=asked.seed, effort=asked.effort
    )
    if again != run:
        return refuted("the same seed gives another run", **facts)
    return held(**facts)


# Instances ---------------------------------------------------------------------------------------


def _first(choices: Choices, bound: int) -> Spread:
    return spread(choices, bound, packets=3, one_source=True)


def _whole(choices: Choices, bound: int) -> Spread:
    return spread(choices, bound, packets=4)


def _broadcasts(choices: Choices, bound: int) -> Spread:
    return spread(choices, bound, packets=4, half_duplex=True, one_source=True, unit=True)


def _few(choices: Choices, bound: int) -> Spread:
    return spread(choices, bound, packets=choices.one_of((2, 3, 2 * bound)))


def _asked(choices: Choices, bound: int) -> Saturated:
    given = replace(spread(choices, bound, packets=2 * bound), picks=())
    return Saturated(given, choices.below(3), choices.below(3))


_K4 = two_ways(*((u, v) for v in range(4) for u in range(v)))
_RING = two_ways(*((v, (v + 1) % 7) for v in range(7)))


def _spreads() -> tuple[Spread, ...]:
    """A slow arc; K4, where walks that are no paths count; a ring, where the bound is not reached;
    paths; two sources and slow arcs; an all-gather."""
    path = two_ways(*pairwise(range(6)))
    slow = ((0, 1, 1), (1, 2, 3), (2, 0, 2), (1, 0, 2), (2, 1, 1))
    return (
        Spread(2, ((0, 1, 3),), (0,), 4, "half-duplex", ()),
        Spread(4, _K4, (0,), 3, "half-duplex", ()),
        Spread(7, _RING, (0,), 1, "half-duplex", ()),
        Spread(6, path, (0,), 2, "one-port", (1, 3, 4)),
        Spread(3, slow, (0, 1), 1, "half-duplex", (2, 9)),
        Spread(4, _K4, (0, 1, 2, 3), 1, "one-port", ()),
    )


def _broadcasts_only() -> tuple[Spread, ...]:
    return tuple(one for one in _spreads() if len(one.sources) == 1)


def _steps(name: str, **fields: Any) -> Claim:
    fields.setdefault("page", "rounds-certificates")
    return Claim(id=f"lu2025.{name}", **fields)


_BOUND = ("exactsched/synchronous/bounds.py", "exactsched/check/synchronous/bounds.py")
_SEARCH = (
    "exactsched/synchronous/saturation.py",
    "exactsched/synchronous/packet_sets.py",
    "exactsched/synchronous/round_matching.py",
)

CLAIMS: tuple[Claim, ...] = (
    _steps(
        "bound16",
        statement=(
            "A packet takes at least a >= 1 and at most b steps for an arc. After T_I steps all P"
            " nodes have a packet of the one source: T_I >= a ceil(log2 P), and T_I is at least our"
            " bound for a single packet. If a transfer to a node without a packet is under way in"
            " every step until then, T_I <= (P-1) b."
        ),
        reference=f"{_PAPER}, (16); proofs/rounds-certificates.md, bounds 2 and 4",
        status="corrected",
        implemented=(*_BOUND, *_SEARCH, "exactsched/synchronous/baselines.py"),
        checked_by="runs in random order, ours, and greedy, played; all runs of one packet",
        instance_type=Spread,
        instance=_first,
        check=_informed,
        bounds=Bounds(5, 9, 40),
        corners=_broadcasts_only,
        corrects="lu2025.bound16.printed",
    ),
    _steps(
        "bound16.printed",
        statement=(
            "If frames, matchings of the edges of a connected graph, work around and around, then"
            " log2 P <= T_I <= P."
        ),
        reference=f"{_PAPER}, (16)",
        status="wrong as printed",
        implemented=(),
        checked_by="frames on a tree, by definition",
        instance_type=Frames,
        instance=_frames,
        check=_informed_as_printed,
        bounds=Bounds(6, 12, 40),
        # The colors 1, 3, 2 in the order 1, 2, 3.
        counterexample=lambda: Frames((0, 1, 2), (0, 2, 1)),
    ),
    _steps(
        "bound17",
        statement=(
            "N packets in all, from any nodes; a and b as in (16). A run takes at least"
            " N (P-1) a / floor(P/2) steps in half-duplex, N (P-1) a / P in one-port, and our bound"
            " is no less. If in every step a transfer is under way, as in our runs, it takes at"
            " most N (P-1) b."
        ),
        reference=f"{_PAPER}, (17); proofs/rounds-certificates.md, bound 3",
        status="corrected",
        implemented=(*_BOUND, *_SEARCH, "exactsched/synchronous/baselines.py"),
        checked_by="`check`; runs in random order, ours, and greedy, played",
        instance_type=Spread,
        instance=_whole,
        check=_whole_run,
        bounds=Bounds(5, 9, 30),
        corners=_spreads,
        corrects="lu2025.bound17.printed",
    ),
    _steps(
        "bound17.printed",
        statement=(
            "T_S, from when all nodes have a packet to when the first one but the source has all of"
            " them, is at least N / sup E and at most N P / inf E."
        ),
        reference=f"{_PAPER}, (17)",
        status="wrong as printed",
        implemented=(),
        checked_by="runs in random order, ours, and greedy, played",
        instance_type=Spread,
        instance=_broadcasts,
        check=_stable_as_printed,
        bounds=Bounds(5, 9, 30),
        counterexample=lambda: Spread(2, ((0, 1, 1),), (0,), 1, "half-duplex", ()),
    ),
    _steps(
        "counting",
        statement=(
            "No run takes fewer steps than `rounds_bound`: ports; the distance that the last packet"
            " goes; in each step as many transfers to the nodes from a distance on as nodes near"
            " and far can be informed, by chains in different rounds; N / C with the prices of a"
            " steady broadcast. Solver and checker have the same bound."
        ),
        reference="proofs/rounds-certificates.md, bounds 0 to 5",
        status="new",
        implemented=_BOUND,
        checked_by=f"`check`; runs in random order; all runs of up to {_SEARCHED} transfers",
        instance_type=Spread,
        instance=_few,
        check=_counted,
        bounds=Bounds(5, 9, 20),
        corners=_spreads,
    ),
    _steps(
        "saturation",
        statement=(
            "For all graphs, sources, ports, seeds and efforts `broadcast_in_rounds` sends every"
            " packet to every node once, by the rules, with a transfer in every step, and no faster"
            " than the bound. The same seed gives the same run."
        ),
        reference="proofs/rounds-schedules.md",
        status="new",
        page="rounds-schedules",
        implemented=(*_SEARCH, *_BOUND),
        checked_by="`check`; played step by step",
        instance_type=Saturated,
        instance=_asked,
        check=_saturated,
        bounds=Bounds(5, 8, 24),
        corners=lambda: tuple(Saturated(replace(one, picks=()), 0, 1) for one in _spreads()),
    ),
    *PLAN_CLAIMS,
)
