"""A campaign as blocks of instances: which there are, and how one is run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from exactsched.campaign.library import (
    CORNERS,
    COUNTEREXAMPLE,
    Block,
    claim_of,
    claims_of,
    seeded,
)
from exactsched.campaign.outcomes import Outcome, Tally, outcome_of, tally_of
from exactsched.exact.errors import InvalidInput
from exactsched.theorems.claim import REFUTED

# A block takes about a second (3 ms for a small instance, 25 ms for a medium one), and its borders
# depend on nothing but its number.
LENGTHS: Mapping[str, int] = {"small": 200, "medium": 25, "large": 4}
# Seeds and numbers of instances stay below this, so that every reader of JSON understands them.
_MOST = 2**53

Shard = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Campaign:
    """What is run: this number of instances of each claim and each size, from this seed.

    `library` is the module whose claims they are, `package` the version of exactsched.
    """

    package: str
    library: str
    sizes: tuple[str, ...]
    instances: int
    seed: int
    claims: tuple[str, ...]

    def validate(self) -> None:
        """Refuses, with its place, what no campaign has."""
        for place, value in (("instances", self.instances), ("seed", self.seed)):
            if type(value) is not int or not 0 <= value < _MOST:
                raise InvalidInput(place, value, "a whole number, 0 or more, below 2^53")
        for size in self.sizes:
            if size not in LENGTHS:
                raise InvalidInput("size", size, f"one of {', '.join(LENGTHS)}")
        for place, listed in (("size", self.sizes), ("claims", self.claims)):
            if not listed:
                raise InvalidInput(place, listed, "at least one is needed")

    def blocks(self) -> Iterator[Block]:
        """All blocks, in an order that depends on nothing else; fixed instances come first."""
        known = claims_of(self.library)
        for name in self.claims:
            if known[name].counterexample is not None:
                yield Block(name, COUNTEREXAMPLE, self.seed, 0, 1)
            corners = len(known[name].corners())
            if corners:
                yield Block(name, CORNERS, self.seed, 0, corners)
        for size in self.sizes:
            length = LENGTHS[size]
            for name in self.claims:
                for first in range(0, self.instances, length):
                    yield Block(name, size, self.seed, first, min(first + length, self.instances))

    def difference(self, other: Campaign) -> str:
        """The first parameter in which two campaigns differ, in words; empty if there is none.

        >>> Campaign("1", "lib", ("small",), 10, 0, ("a",)).difference(
        ...     Campaign("1", "lib", ("small",), 20, 0, ("a",))
        ... )
        'instances 10 and 20'
        """
        for name in ("package", "library", "sizes", "instances", "seed"):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours != theirs:
                return f"{name} {_in_words(ours)} and {_in_words(theirs)}"
        if self.claims != other.claims:
            only = [name for name in self.claims if name not in other.claims]
            more = [name for name in other.claims if name not in self.claims]
            return f"claims, such as {[*only, *more, 'their order'][0]}"
        return ""


@dataclass(frozen=True, slots=True)
class Part:
    """What one call runs: shard (k, n) has every n-th block of the campaign, from the k-th on."""

    campaign: Campaign
    shard: Shard = (1, 1)

    def validate(self) -> None:
        number, shards = self.shard
        if not 1 <= number <= shards:
            raise InvalidInput("shard", f"{number}/{shards}", "K/N with K from 1 to N")

    def blocks(self) -> Iterator[tuple[int, Block]]:
        """The blocks with their numbers in the campaign, which are k - 1 modulo n."""
        number, shards = self.shard
        return islice(enumerate(self.campaign.blocks()), number - 1, None, shards)

    def difference(self, other: Part) -> str:
        """As of campaigns; the shard counts as the last parameter."""
        differs = self.campaign.difference(other.campaign)
        if not differs and self.shard != other.shard:
            ours, theirs = (f"{number}/{shards}" for number, shards in (self.shard, other.shard))
            return f"shard {ours} and {theirs}"
        return differs


def _in_words(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def run_block(block: Block, library: str, before_each: Callable[[], object] = int) -> Tally:
    """Checks the instances of a block one after the other, and calls something before each."""
    claim = claim_of(library, block.claim)

    def outcomes() -> Iterator[tuple[int, Outcome]]:
        for number in range(block.first, block.last):
            before_each()
            choices = seeded(claim, block.size, block.seed, number)
            yield number, outcome_of(claim, block.size, number, choices)

    return tally_of(block, outcomes(), "refuted" if claim.status in REFUTED else "")
