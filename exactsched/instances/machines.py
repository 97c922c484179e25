"""Random LogP machines and bounded multi-port machines."""

from __future__ import annotations

from fractions import Fraction

from exactsched.instances.choices import Choices
from exactsched.model.machine import LogP, MultiPort


def logp(
    choices: Choices,
    *,
    max_processors: int = 12,
    most: int = 6,
    whole: bool = False,
    postal: bool = False,
) -> LogP:
    """L and g from 1 to `most`, o from 0; quarters and thirds among them unless `whole`.

    `postal`: o = 0 and g = 1, so that only L (a whole number) and P are left.
    """
    processors = choices.size(1, max_processors)
    if postal:
        return LogP(choices.between(1, most), 0, 1, processors)
    unit = 1 if whole else choices.one_of((1, 1, 2, 3, 4))
    latency, gap = choices.between(1, most * unit), choices.between(1, most * unit)
    overhead = choices.below(most * unit + 1)
    return LogP(Fraction(latency, unit), Fraction(overhead, unit), Fraction(gap, unit), processors)


def multi_port(
    choices: Choices,
    *,
    max_receivers: int = 8,
    max_degree: int = 4,
    incoming: bool = False,
    zeros: bool = True,
) -> MultiPort:
    """Bandwidths that repeat, ties and zeros among them; the source sends to at least one node.

    `incoming`: receiving bandwidths, too, in one case of two.
    """
    size = 1 + choices.size(1, max_receivers, 2)
    kinds = [choices.fraction(12, (1, 1, 2, 3)) for _ in range(choices.between(1, 3))]
    if zeros:
        kinds.append(Fraction(0))
    bandwidths = [choices.one_of(kinds) for _ in range(size)]
    bandwidths[0] = kinds[0]
    degrees = [choices.between(0, max_degree) for _ in range(size)]
    degrees[0] = max(degrees[0], 1)
    receiving: list[Fraction] = []
    if incoming and choices.flip():
        receiving = [choices.fraction(12, (1, 2)) for _ in range(size)]
    return MultiPort(bandwidths, degrees, receiving)
