"""Bugs that theorems 3.1, 3.3 and 3.6 and lemmas 3.4 and 3.5 of beaumont2010 have to find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # the source receives nothing, whatever it could
        "beaumont2010.thm3.1",
        "overlay.rate",
        "least = min(range(1, size), key=lambda node: machine.incoming[node])",
        "least = min(range(size), key=lambda node: machine.incoming[node])",
    ),
    Bug(  # a rate is that of the last tree, not of all
        "beaumont2010.thm3.1",
        "overlay.rate",
        "rates.get(useful[number], Fraction(0)) + weight",
        "weight",
    ),
    Bug(  # a price for every arc that enters the node, not for that of its sender
        "beaumont2010.thm3.1",
        "overlay.rate",
        "prices = {name: packing.prices.get(number, 0) for name, number in index.items()}",
        "prices = dict(zip(index, packing.prices.values()))",
    ),
    Bug(  # the next incoming bandwidth
        "beaumont2010.thm3.3",
        "overlay.rate",
        'capacities["incoming", least] = numbers[size + least - 1]',
        'capacities["incoming", least] = numbers[size + least - 2]',
    ),
    Bug(  # a tree is as cheap as its last resources
        "beaumont2010.thm3.3",
        "steady_state.arborescence_packing",
        "lengths = self._lengths.exact(prices)",
        "lengths = [prices.get(uses[0], 0) for uses in self._uses]",
    ),
    Bug(  # a triple of a smaller sum than the largest one
        "beaumont2010.lemma3.4",
        "overlay.partition",
        "largest = max(sum(listed[index] for index in triple) for triple in triples)",
        "largest = min(sum(listed[index] for index in triple) for triple in triples)",
    ),
    Bug(  # relays are helped, not the nodes after them
        "beaumont2010.lemma3.4",
        "overlay.partition",
        "(server, count + index + 1, ((sent[index], parts),))",
        "(server, count + index, ((sent[index], parts),))",
    ),
    Bug(
        "beaumont2010.lemma3.4",
        "overlay.partition",
        "optimal=largest == target,",
        "optimal=True,",
    ),
    Bug(  # T - 1 / (4 p) is not enough
        "beaumont2010.lemma3.5",
        "overlay.partition",
        "(target - overlay.throughput) >= 1:",
        "(target - overlay.throughput) > 1:",
    ),
    Bug(  # as printed: only from throughput T
        "beaumont2010.lemma3.5",
        "overlay.partition",
        "if 4 * count * (target - overlay.throughput) >= 1:",
        "if target > overlay.throughput:",
    ),
    Bug(  # the chain of lemma 3.4 is taken for granted
        "beaumont2010.lemma3.5",
        "overlay.partition",
        "relays[receiver] = sender - count",
        "relays[receiver] = receiver - count - 1",
    ),
    Bug(  # the degree of a server that is the last of the chain
        "beaumont2010.thm3.6",
        "overlay.partition",
        "[4] * count + [1] * len(listed) + [0],",
        "[3] * count + [1] * len(listed) + [0],",
    ),
    Bug(  # a gap of rounding in the proof
        "beaumont2010.thm3.6",
        "overlay.cases",
        "if right > throughput * relaxation.bound:",
        "if right > throughput * relaxation.ceiling:",
    ),
)
