"""Section 6, pipelined broadcast: theorem 8, one large message over arcs with start-up times."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from exactsched.instances.broadcasts import LARGE, Large
from exactsched.model.platform import Platform
from exactsched.oracles.broadcast import Clock
from exactsched.oracles.collectives import simulate_run
from exactsched.oracles.transfers import ImpossibleError
from exactsched.runs.frames import frame_patterns
from exactsched.runs.pipelined import pipelined_broadcast, pipelined_guarantee
from exactsched.steady_state.broadcast import broadcast
from exactsched.theorems.claim import Say, claim

# Rows of a run that is played by definition: every two of them are compared.
_PLAYED = 150


@claim(
    "beaumont2003.thm8",
    number="theorem 8",
    status="sharpened",
    instances=LARGE,
    page="pipelined-broadcast",
    implements=("exactsched/runs/pipelined.py", "exactsched/runs/frames.py"),
    judged="the run played by definition; random and greedy schedules of others; `check`; the"
    " formula in squares",
)
def square_root(asked: Large, say: Say) -> None:
    """With start-up times, a message of size L takes at least L / TP and at most L / TP +
    2 sqrt((H - 1) e L / TP) + H e, where TP is the optimal throughput without start-ups, H the
    depth of the trees and e the start-ups of one frame of the steady state; the number of frames
    stays below its cap.
    """
    platform, source, size = asked.problem.platform, asked.problem.source, asked.size
    without = Platform(platform.nodes, [(arc.tail, arc.head, arc.cost) for arc in platform.arcs])
    steady = broadcast(without, source)
    best = say.accepts(steady).bound
    frame = frame_patterns(asked.problem, steady)[0]
    ours = pipelined_broadcast(platform, source, size)
    run = say.accepts(ours)
    if len(ours.rows) <= _PLAYED:
        _refuse_unless_played(ours.certificate(), say)
    guarantee = pipelined_guarantee(platform, source, size)
    say({"L / TP": size / best}, bound=run.bound, makespan=run.makespan, guarantee=guarantee)
    say(packets=run.operations, depth=frame.depth, startup=frame.startup)
    say.require(frame.rate == best and sum(frame.parts) == 1, "a frame is no steady state")
    slots = len(steady.schedule.slots) if steady.schedule else 0
    in_use = len({arc for tree in steady.trees for arc in tree.arcs})
    few = len(frame.parts) <= len(steady.trees) + slots - in_use
    say.require(few, "a frame has too many packets")
    ordered = size / best <= run.bound <= run.makespan <= guarantee
    say.require(ordered, "not L / TP <= bound <= makespan <= guarantee")
    for name, time in _of_others(asked).items():
        say({name: time})
        say.require(time >= run.bound, f"the schedule called {name} ends before the bound")
    if frame.best_frames(size) == frame.most_frames:
        return  # the formula holds as long as the number of frames stays below its cap
    over = guarantee - size / best - frame.depth * frame.startup
    root = 4 * (frame.depth - 1) * frame.startup * size / best
    say.require(over <= 0 or over**2 <= root, "the guarantee exceeds the formula")


def _refuse_unless_played(run: dict[str, Any], say: Say) -> None:
    try:
        end = simulate_run(run)
    except ImpossibleError as error:
        say.refute(f"played by definition: {error}")
    say.require(end == Fraction(run["makespan"]), f"played, the run ends at {end}")


def _of_others(asked: Large) -> dict[str, Fraction]:
    """When equal packets are everywhere: greedily, and in an order that begins at random."""
    parts = [asked.size / asked.packets] * asked.packets
    begun = Clock(asked.problem, asked.packets, parts)
    for pick in asked.picks:
        possible = begun.possible()
        begun.send(*possible[pick % len(possible)])
    return {
        "any": begun.finish_greedily(),
        "greedy": Clock(asked.problem, asked.packets, parts).finish_greedily(),
    }
