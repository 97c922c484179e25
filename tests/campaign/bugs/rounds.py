"""Bugs that the claims of `theorems.lu2025` on rounds (2.3 frames, 2.4 and 3) must find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # chains of lengths of the other parity are forgotten
        "lu2025.bound16",
        "synchronous.bounds",
        "return min(len(detours), direct + indirect)",
        "return min(len(detours), direct)",
    ),
    Bug(  # the last packet waits for one step more
        "lu2025.bound16",
        "synchronous.bounds",
        "best = max(best, (packets - 1) * out_of[source] + last)",
        "best = max(best, packets * out_of[source] + last)",
    ),
    Bug(  # senders of the greedy one are not busy
        "lu2025.bound17",
        "synchronous.baselines",
        "busy[tail] = busy[head] = True",
        "busy[head] = True",
    ),
    Bug(  # half of the nodes, rounded up
        "lu2025.bound17",
        "synchronous.bounds",
        "most.append(senders[end] // 2)",
        "most.append(_up(senders[end], 2))",
    ),
    Bug(  # a transfer that is under way ends in the same round
        "lu2025.counting",
        "synchronous.bounds",
        "end = min(rounds + _up(slowest, fastest), last)",
        "end = min(rounds, last)",
    ),
    Bug(  # senders as far away as the receivers
        "lu2025.counting",
        "synchronous.bounds",
        "for side, rounds, number in levels.get(distance - 1, ()):",
        "for side, rounds, number in levels.get(distance, ()):",
    ),
    Bug(  # the own packets of a node enter the cuts around it
        "lu2025.counting",
        "synchronous.bounds",
        "(sum(own) - sum(own[node] for node in nodes)) * weight",
        "sum(own) * weight",
    ),
    Bug(  # in one-port nodes make pairs as well
        "lu2025.counting",
        "synchronous.bounds",
        'pairs = "none" if ports == "one-port" else "any two"',
        'pairs = "none" if ports == "link" else "any two"',
    ),
    Bug(  # a packet that is on its way is sent again
        "lu2025.saturation",
        "synchronous.packet_sets",
        "            lack[head] ^= bit\n",
        "            lack[head] ^= bit if steps == 1 else 0\n",
    ),
    Bug(  # receivers that are still busy
        "lu2025.saturation",
        "synchronous.saturation",
        "for port in (tail, self._second + head)}",
        "for port in (tail,)}",
    ),
    Bug(  # the last node of the first row serves its column a step later
        "lu2025.binary-tree",
        "synchronous.baselines",
        "delay.append(2 if row == 1 and column < sides[1] - 1 else 1)",
        "delay.append(2 if row == 1 else 1)",
    ),
    Bug(  # the root has no parent to wait for, others have
        "lu2025.binary-tree",
        "synchronous.baselines",
        "busy = [set[int]() if up < 0 else {0} for up in self.parent]",
        "busy = [{0} for up in self.parent]",
    ),
    Bug(  # different delays are enough
        "lu2025.binary-tree.delays",
        "synchronous.baselines",
        "while any(len({step % period for step in steps}) < len(steps) for steps in busy):",
        "while any(len(set(steps)) < len(steps) for steps in busy):",
    ),
    Bug(  # the arcs of an edge are shared out one tree after the other
        "lu2025.pipelines",
        "synchronous.cyclic_plan",
        "row.append((arc, turns[arc][used[arc] % len(turns[arc])]))",
        "row.append((arc, turns[arc][0]))",
    ),
    Bug(  # whatever packet comes first goes, its arborescence or not
        "lu2025.pipelines",
        "synchronous.cyclic_plan",
        "tried = useful & own[tree] or useful",
        "tried = useful",
    ),
    Bug(  # shares of what a node receives, not of the time
        "lu2025.pipelines.quarters",
        "synchronous.quarter_solutions",
        "occupancy = tuple(Fraction(number, 2 * _RECEIVED) for number in quarters)",
        "occupancy = tuple(Fraction(number, _RECEIVED) for number in quarters)",
    ),
    Bug(  # where there are no quarters another rate is taken
        "lu2025.pipelines.quarters",
        "synchronous.cyclic_plan",
        'solutions = [balanced_solution(graph, "1/2")]',
        'solutions = [balanced_solution(graph, "1/3")]',
    ),
)
