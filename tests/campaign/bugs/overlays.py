"""Bugs that the claims of sections III-A, IV and V of beaumont2010 have to find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # the source receives nothing, whatever it could
        "beaumont2010.eq5",
        "overlay.bounds",
        "return min((machine.bandwidths[0], *machine.incoming[1:]))",
        "return min((machine.bandwidths[0], *machine.incoming))",
    ),
    Bug(  # a source without arcs
        "beaumont2010.eq5",
        "overlay.bounds",
        "if allowed_degrees(machine)[0] == 0:",
        "if machine.degrees[0] == 0:",
    ),
    Bug(  # not the largest root
        "beaumont2010.eq5",
        "overlay.bounds",
        "pairs.sort(key=lambda pair: pair[0] * scale // pair[1], reverse=True)",
        "pairs.sort(key=lambda pair: pair[0] * scale // pair[1])",
    ),
    Bug(  # quotients that differ by less are in any order
        "beaumont2010.eq5",
        "overlay.bounds",
        "pair[0] * scale // pair[1]",
        "pair[0] // pair[1]",
    ),
    Bug(  # as printed: where bandwidth gets short
        "beaumont2010.augmented",
        "overlay.augmented",
        "return place + 1, -spare",
        "return place, -spare",
    ),
    Bug(  # what is lacking on the other side is forgotten
        "beaumont2010.augmented",
        "overlay.augmented",
        "meeting = message - limits[node] - meeting",
        "meeting = message - limits[node]",
    ),
    Bug(  # the beginning of the path gets nothing from before
        "beaumont2010.augmented",
        "overlay.augmented",
        "served_in_turn(order[: first + 1], limits, message)",
        "served_in_turn(order[:first], limits, message)",
    ),
    Bug(  # the source serves everybody
        "beaumont2010.augmented",
        "overlay.augmented",
        "degrees = [machine.size - 1] * machine.size",
        "degrees = [machine.size - 2] * machine.size",
    ),
    Bug(  # M goes around node 1
        "beaumont2010.augmented.diversions",
        "oracles.overlay_diversions",
        "move(missing[first], (0, first), (first, back))",
        "move(missing[first], (0, first))",
    ),
    Bug(  # all of it from behind, too
        "beaumont2010.augmented.diversions",
        "oracles.overlay_diversions",
        "from_behind = missing[k + 1] - from_before",
        "from_behind = missing[k + 1]",
    ),
    Bug(  # the node with the least bandwidth, as if X did not depend on T
        "beaumont2010.acyclic",
        "overlay.bounds",
        "pairs.append((-min(bandwidths[1:]), -min(degrees[1:])))",
        "del pairs[bandwidths.index(min(bandwidths[1:]), 1)]",
    ),
    Bug(  # as printed: what is left when all are served has nobody to go to
        "beaumont2010.acyclic",
        "overlay.sequential",
        "while left > 0 and served < len(order):",
        "while left > 0:",
    ),
    Bug(  # as printed: a tree need not begin at the source
        "beaumont2010.tree",
        "overlay.bounds",
        "return min(rate, _cap(machine))",
        "return rate",
    ),
    Bug(  # d - 1 children
        "beaumont2010.tree",
        "overlay.bounds",
        "if child < degree:",
        "if child < degree - 1:",
    ),
    Bug(  # the others in any order
        "beaumont2010.tree",
        "overlay.tree",
        "served_in_turn(by_limits(children), children, 1)",
        "served_in_turn(range(machine.size), children, 1)",
    ),
    Bug(  # ranges are joined over a gap
        "beaumont2010.thm3.2",
        "overlay.shares",
        "if ranges and ranges[-1][1] == start else start",
        "if ranges else start",
    ),
    Bug(  # heavy and light trees carry as much
        "beaumont2010.thm3.2",
        "overlay.shares",
        "parts + weight // unit",
        "parts + 1",
    ),
    Bug(  # arcs of overlays that exceed the degrees
        "beaumont2010.milp",
        "overlay.exact",
        "if arcs and not excess(machine, arcs):",
        "if arcs:",
    ),
    Bug(  # nothing that is better by less than a half is looked for
        "beaumont2010.milp",
        "overlay.exact",
        "Fraction(self.best.throughput) * (1 + margin), nodes",
        "Fraction(self.best.throughput) * 3 / 2, nodes",
    ),
)
