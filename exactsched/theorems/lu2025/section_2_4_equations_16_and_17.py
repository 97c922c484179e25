"""Section 2.4, performance analysis: equations (16) and (17)."""

from __future__ import annotations

from exactsched.instances.synchronous import (
    FIRST_PACKETS,
    FRAMES,
    ONE_PACKET_OVER_ONE_ARC,
    PATH_IN_FRAMES,
    SPREADS,
    UNIT_BROADCASTS,
    Frames,
)
from exactsched.oracles.synchronous import Spread, fits, played, stages
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.lu2025.spreads import (
    BASELINES,
    BOUND,
    SEARCH,
    bound_of,
    fastest_and_slowest,
    is_searched,
    runs_of,
    transfers,
)

# Equation (16) -----------------------------------------------------------------------------------


@claim(
    "lu2025.bound16",
    number="equation (16); proofs/rounds-certificates.md, bounds 2 and 4",
    status="corrected",
    corrects="lu2025.bound16.printed",
    instances=FIRST_PACKETS,
    page="rounds-certificates",
    implements=(*BOUND, *SEARCH, *BASELINES),
    judged="runs in random order, ours, and greedy, played; all runs of one packet",
)
def equation_16(asked: Spread, say: Say) -> None:
    """A packet takes at least a >= 1 and at most b steps for an arc. After T_I steps all P nodes
    have a packet of the one source: T_I >= a ceil(log2 P), and T_I is at least our bound for a
    single packet. If a transfer to a node without a packet is under way in every step until then,
    T_I <= (P-1) b.
    """
    fast, slow = fastest_and_slowest(asked)
    rounds, single = (asked.size - 1).bit_length(), asked.of_one_packet()
    bound = bound_of(single)
    say(rounds=rounds, bound=bound)
    for name, run in runs_of(asked).items():
        informed, *_ = stages(run)
        say({name: informed})
        doubled = informed >= rounds * fast
        say.require(doubled, f"{name}: more nodes are informed than by doubling")
        say.require(informed >= bound, f"{name}: sooner than one packet can be everywhere")
    for name, run in runs_of(single).items():
        reason, _, idle = played(run)
        say.require(not reason, f"{name}: {reason}")
        say.require(name != "any" or not idle, "a step of the run without pauses has no transfer")
        if not idle:
            say.require(run.steps <= (asked.size - 1) * slow, f"{name}: a step informs nobody")
    if bound and is_searched(single):
        say.require(not fits(single, bound - 1), "one packet is everywhere before the bound")


@claim(
    "lu2025.bound16.printed",
    number="equation (16)",
    counterexample=lambda: PATH_IN_FRAMES,
    instances=FRAMES,
    page="rounds-certificates",
    judged="frames on a tree, by definition",
)
def equation_16_as_printed(asked: Frames, say: Say) -> None:
    """If frames, matchings of the edges of a connected graph, work around and around, then
    log2 P <= T_I <= P.
    """
    size, cycle = len(asked.parents) + 1, 1 + max(asked.turns)
    first = [0]  # when each node has its first packet
    for up, turn in zip(asked.parents, asked.turns, strict=True):
        first.append(1 + first[up] + (turn - first[up]) % cycle)
    informed = max(first)
    say(P=size, T_I=informed)
    say.require(2**informed >= size, "T_I is less than log2 P")
    say.require(informed <= size, "T_I is more than P")


# Equation (17) -----------------------------------------------------------------------------------


@claim(
    "lu2025.bound17",
    number="equation (17); proofs/rounds-certificates.md, bound 3",
    status="corrected",
    corrects="lu2025.bound17.printed",
    instances=SPREADS,
    page="rounds-certificates",
    implements=(*BOUND, *SEARCH, *BASELINES),
    judged="`check`; runs in random order, ours, and greedy, played",
)
def equation_17(asked: Spread, say: Say) -> None:
    """N packets in all, from any nodes; a and b as in (16). A run takes at least
    N (P-1) a / floor(P/2) steps in half-duplex, N (P-1) a / P in one-port, and our bound is no
    less. If in every step a transfer is under way, as in our runs, it takes at most N (P-1) b.
    """
    fast, slow = fastest_and_slowest(asked)
    at_once = asked.size // 2 if asked.ports == "half-duplex" else asked.size
    bound, number = bound_of(asked), transfers(asked)
    say(transfers=number, bound=bound)
    enough = bound * at_once >= number * fast
    say.require(enough, "our bound is less than N (P-1) / floor(P / 2)")
    for name, run in runs_of(asked).items():
        say.accepts(run)
        reason, _, idle = played(run)
        say({name: run.steps})
        say.require(not reason, f"{name}: {reason}")
        possible = run.steps * at_once >= number * fast and run.steps >= bound
        say.require(possible, f"{name}: faster than any run")
        say.require(not idle or name == "any", f"{name}: nothing is sent in a step")
        brief = run.steps - idle <= number * slow
        say.require(brief, f"{name}: transfers are under way for longer than all take")


@claim(
    "lu2025.bound17.printed",
    number="equation (17)",
    counterexample=lambda: ONE_PACKET_OVER_ONE_ARC,
    instances=UNIT_BROADCASTS,
    page="rounds-certificates",
    judged="runs in random order, ours, and greedy, played",
)
def equation_17_as_printed(asked: Spread, say: Say) -> None:
    """T_S, from when all nodes have a packet to when the first one but the source has all of them,
    is at least N / sup E and at most N P / inf E.
    """
    fast, slow = fastest_and_slowest(asked)
    total = asked.packets * len(asked.sources)
    say(N=total, P=asked.size)
    for name, run in runs_of(asked).items():
        _, stable, _, _ = stages(run)
        say({name: stable})
        say.require(stable >= total * fast, f"{name}: T_S is less than N / sup E")
        most = total * asked.size * slow
        say.require(stable <= most, f"{name}: T_S is more than N P / inf E")
