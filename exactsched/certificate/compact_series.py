"""Series whose schedule is stated by a few words that stand for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

from exactsched.certificate.collectives import Series
from exactsched.certificate.result import Result
from exactsched.exact.errors import InvalidInput


class CompactSeries(Result, ABC):
    """A series that is checked by what its schedule is made of, not structure by structure.

    It has the `problem`, `throughput`, `bound`, `optimal` and `proof` of a series.
    """

    __slots__ = ()

    problem: Any
    throughput: Fraction
    bound: Fraction
    optimal: bool
    proof: Any

    @property
    @abstractmethod
    def long(self) -> bool:
        """Whether the structures are too many to be written down."""

    @property
    @abstractmethod
    def tasks(self) -> int:
        """How many tasks the structures have together, if they are not `long`."""

    @abstractmethod
    def written_out(self) -> Series:
        """The ordinary certificate of the same schedule.  Raises `InvalidInput` if it is long."""

    @abstractmethod
    def too_long(self) -> InvalidInput:
        """Why the structures are not written down."""
