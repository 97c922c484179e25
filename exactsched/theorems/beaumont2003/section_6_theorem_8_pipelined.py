"""Section 6, pipelined broadcast: theorem 8, one large message over arcs with start-up times."""

from __future__ import annotations

from exactsched.instances.broadcasts import LARGE, Large
from exactsched.model.platform import Platform
from exactsched.runs.frames import frame_patterns
from exactsched.runs.pipelined import pipelined_broadcast, pipelined_guarantee
from exactsched.steady_state.broadcast import broadcast
from exactsched.theorems.claim import Say, claim


@claim(
    "beaumont2003.thm8",
    number="theorem 8",
    status="sharpened",
    instances=LARGE,
    page="pipelined-broadcast",
    implements=("exactsched/runs/pipelined.py", "exactsched/runs/frames.py"),
    judged="`check` on the run; the formula in squares",
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
    run = say.accepts(pipelined_broadcast(platform, source, size))
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
    if frame.best_frames(size) == frame.most_frames:
        return  # the formula holds as long as the number of frames stays below its cap
    over = guarantee - size / best - frame.depth * frame.startup
    root = 4 * (frame.depth - 1) * frame.startup * size / best
    say.require(over <= 0 or over**2 <= root, "the guarantee exceeds the formula")
