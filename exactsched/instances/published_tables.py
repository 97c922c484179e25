"""The entries of tables 2 to 6 of Balanced Saturation (2025)."""

from __future__ import annotations

from dataclasses import dataclass

from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.synchronous.published import ALGORITHMS, PACKETS, printed_entries


@dataclass(frozen=True, slots=True)
class Entry:
    """Of a topology and an algorithm the steps for this number of packets."""

    topology: str
    algorithm: str
    packets: int


def _entry(choices: Choices, bound: int) -> Entry:
    """One of the first `bound` topologies, in the order of the tables."""
    topologies = list(dict.fromkeys(topology for topology, _, _ in printed_entries()))
    return Entry(
        choices.one_of(topologies[:bound]), choices.one_of(ALGORITHMS), choices.one_of(PACKETS)
    )


ENTRIES = Instances(
    Entry,
    _entry,
    Bounds(6, 12, 16),
    lambda: (Entry("4x4", "Binary-Tree", 100), Entry("32x32", "BBS", 2500)),
)
