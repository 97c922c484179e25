"""Figures of the papers in other words: the same platform renamed, reordered, and slower or faster.

What a paper says of a figure holds for all copies, up to the factor; so a claim on one figure can
be tried on many instances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.model.platform import Platform


@dataclass(frozen=True, slots=True)
class Copy:
    """The nodes and the arcs of a platform in another order, and all times multiplied."""

    nodes: tuple[int, ...]
    arcs: tuple[int, ...]
    factor: Fraction

    def of(self, figure: Platform) -> Platform:
        """The copy; `compute` times are multiplied as well.

        >>> pair = Platform("ab", [("a", "b", 2)], {"b": {"compute": 3}})
        >>> copy = Copy((1, 0), (0,), Fraction(5)).of(pair)
        >>> copy.nodes, copy.arcs[0].cost, copy.node_data["b"]["compute"]
        (('b', 'a'), Fraction(10, 1), Fraction(15, 1))
        """
        arcs = [figure.arcs[index] for index in self.arcs]
        data = {
            node: {
                name: self.factor * value if name == "compute" else value
                for name, value in known.items()
            }
            for node, known in figure.node_data.items()
        }
        return Platform(
            [figure.nodes[index] for index in self.nodes],
            [(arc.tail, arc.head, self.factor * arc.cost) for arc in arcs],
            data,
        )


def copies(figure: Callable[[], Platform]) -> Instances:
    """The copies of a figure; the first one is the figure itself."""

    def generate(choices: Choices, bound: int) -> Copy:
        platform = figure()
        return Copy(
            tuple(choices.shuffled(range(len(platform.nodes)))),
            tuple(choices.shuffled(range(len(platform.arcs)))),
            choices.fraction(bound, (1, 2, 3, 5, 7)),
        )

    def corners() -> tuple[Copy, ...]:
        nodes, arcs = range(len(figure().nodes)), range(len(figure().arcs))
        as_printed = Copy(tuple(nodes), tuple(arcs), Fraction(1))
        slow = Copy(tuple(nodes)[::-1], tuple(arcs)[::-1], Fraction(10**20 + 1, 3))
        return as_printed, slow

    return Instances(Copy, generate, Bounds(9, 40, 10**12), corners)


@dataclass(frozen=True, slots=True)
class Factor:
    """All times, or all bandwidths, of a machine multiplied by this."""

    factor: Fraction


FACTORS = Instances(
    Factor,
    lambda choices, bound: Factor(choices.fraction(bound, (1, 2, 3, 5, 7, 11))),
    Bounds(200, 2_000, 10**12),
    lambda: (Factor(Fraction(1)), Factor(Fraction(10**20 + 1, 7))),
)


@dataclass(frozen=True, slots=True)
class Count:
    """Items, or steps, beyond those of a figure."""

    more: int


COUNTS = Instances(
    Count,
    lambda choices, bound: Count(choices.below(bound)),
    Bounds(60, 200, 10**6),
    lambda: (Count(0), Count(10**9)),
)
