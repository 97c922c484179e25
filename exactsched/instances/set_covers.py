"""Random set covers, for the reduction of them to reductions whose operator commutes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.model.platform import Platform
from exactsched.model.problem import Reduction


@dataclass(frozen=True, slots=True)
class SetCover:
    """Elements 0..size-1, and sets of them that cover all."""

    size: int
    sets: tuple[tuple[int, ...], ...]

    def reduction(self) -> Reduction:
        """Nodes are the elements with a value each, then the sets, which compute, and a target.

        An element sends to its sets, each of these to the target.

        >>> asked = SetCover(2, ((0, 1),)).reduction()
        >>> [str(arc) for arc in asked.platform.arcs], asked.platform.arcs[0].cost
        (['0->2', '1->2', '2->3'], Fraction(1, 2))
        """
        target = self.size + len(self.sets)
        arcs = [
            (element, self.size + number, Fraction(1, self.size))
            for number, some in enumerate(self.sets)
            for element in some
        ]
        arcs += [(node, target, Fraction(1)) for node in range(self.size, target)]
        time = Fraction(1, target)
        return Reduction(
            Platform(range(target + 1), arcs),
            tuple(range(self.size)),
            (((0, self.size - 1), target),),
            Fraction(1),
            tuple((node, time) for node in range(self.size, target + 1)),
        )


def set_cover(choices: Choices, bound: int) -> SetCover:
    """Each element is in two sets or three; one set alone seldom covers all."""
    size = choices.size(1, bound)
    count = choices.size(1, bound)
    sets: list[set[int]] = [set() for _ in range(count)]
    for element in range(size):
        for number in choices.several_of(range(count), min(count, choices.between(1, 3))):
            sets[number].add(element)
    listed = [tuple(sorted(some)) for some in sets if some]
    return SetCover(size, tuple(listed))


SET_COVERS = Instances(
    SetCover,
    set_cover,
    Bounds(5, 6, 7),
    lambda: (
        SetCover(1, ((0,),)),
        SetCover(3, ((0, 1), (1, 2), (0, 2))),
        SetCover(3, ((0, 2), (1,))),  # no set has neighbors only: the order costs a message
        SetCover(4, ((0, 1, 2, 3), (0,), (1, 2))),
    ),
)
