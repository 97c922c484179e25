"""An instance type: the record that a claim speaks about, and where its instances come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from exactsched.instances.choices import Choices
from exactsched.instances.triviality import is_trivial

SIZES = ("small", "medium", "large")


class Bounds(NamedTuple):
    """The number that the generator gets for each of the SIZES, mostly a number of nodes."""

    small: int
    medium: int
    large: int


@dataclass(frozen=True, slots=True)
class Instances:
    """Instances of one type, at random and by hand.

    `kind` is a frozen dataclass: a problem (`Broadcast`, `Alltoall`, `Reduction`), or a record
    whose fields are problems, integers, rationals, texts, truth values and tuples of those.
    `generate(choices, bound)` makes one at random; `choices` takes all of its decisions, so that
    the instance can be made again and made smaller.  `corners()` are those that every campaign
    begins with.  `trivial(instance)` says whether it is too small for anything to go wrong.
    """

    kind: type
    generate: Callable[[Choices, int], Any]
    bounds: Bounds
    corners: Callable[[], tuple[Any, ...]] = tuple
    trivial: Callable[[Any], bool] = is_trivial
