"""One bad certificate of an overlay for each way of being refused, with its rule.

They stand in the folders `overlay` of `tests/corpus/rejected` and `tests/corpus/malformed`, and
were made from accepted ones by a single change, or by as few as show a single fault.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from exactsched.certificate.overlay import Overlay
from exactsched.exact.errors import Malformed, Rejected
from exactsched.model.machine import MultiPort

OVERLAY_REJECTED = {
    "acyclic-with-a-cycle": "no node sends to one from which it gets anything",
    "arc-that-is-not-there": "the machine does not have this arc",
    "arc-twice": "this arc is there already",
    "arcs-without-throughput": "a throughput of 0 needs no arcs",
    "bound-of-acyclic-overlays-as-of-all": "what is proved is 3/2",
    "bound-of-another-proof": "what is proved is 2",
    "bound-of-trees-as-of-all": "what is proved is 5/2",
    "bound-overstated": "what is proved is 5/2",
    "bound-understated": "what is proved is 2",
    "bound-without-the-incoming": "what is proved is 4/3",
    "bound-without-the-proof": "what is proved is 3",
    "optimal-above-the-degrees": "optimal means",
    "optimal-overstated": "optimal means",
    "optimal-understated": "optimal means",
    "parts-in-a-circle": "go round in a circle",
    "proof-arc-decided-twice": "this arc has been decided before",
    "proof-bound-negative": "a throughput is not negative",
    "proof-bound-understated": "the right sides add up to at most 1/2",
    "proof-case-missing": "every case is split or proved",
    "proof-case-of-none": "belong to the proof",
    "proof-case-of-two": "a case is a part of one other",
    "proof-ceiling-at-the-bound": "the ceiling is above the bound",
    "proof-choice-in-the-other-case": "this arc is not chosen in this case",
    "proof-cut-empty": "nothing needs to be sent into no node",
    "proof-cut-with-the-source": "a node other than the source",
    "proof-factor-negative": "a factor of an inequality is >= 0",
    "proof-leaf-twice": "a case is split or proved, and that once",
    "proof-of-nothing": "the right sides add up to less than 0",
    "proof-places-missing": "every node is listed once",
    "proof-places-with-cuts": "there are no cuts among places",
    "proof-places-with-given-arcs": "places are alike if all arcs are allowed",
    "proof-rates-left": "the coefficient of the rate of an arc",
    "proof-row-of-no-node": "there is no such row",
    "proof-row-twice": "a row has one factor",
    "proof-row-unknown": "there is no such row",
    "proof-split-by-no-arc": "nothing can be sent on this arc",
    "proof-split-twice": "a case is split once",
    "proof-split-upwards": "the parts have larger numbers",
    "proof-throughput-negative": "the coefficient of the throughput is >= 0",
    "proof-uses-left": "the coefficient of the use of an arc",
    "received-never": "nobody sends these parts",
    "received-not-at-first": "nobody sends these parts",
    "received-not-at-last": "nobody sends these parts",
    "received-too-fast": "it receives at most at the rate 5/4",
    "received-twice": "these parts are received twice",
    "received-twice-as-a-whole": "these parts are received twice",
    "sent-too-fast": "it sends at most at the rate 5",
    "sent-too-fast-by-little": "it sends at most at the rate 2",
    "tree-in-a-circle": "go round in a circle",
    "tree-of-two-senders": "in a tree every node receives from one other",
}
OVERLAY_MALFORMED = {
    "arc-of-nothing": "something is sent on an arc",
    "arc-of-two": "a row is [sender, receiver, pieces]",
    "arc-to-itself": "a node sends to others than the source",
    "arc-to-the-source": "a node sends to others than the source",
    "bound-missing": "the member 'bound' is missing",
    "machine-arc-to-nowhere": "nodes are 0..3",
    "machine-arc-to-the-source": "a node sends to others than the source",
    "machine-arc-twice": "this arc is there already",
    "machine-bandwidth-decimal": "not an integer or a string",
    "machine-bandwidth-negative": "a bandwidth is not negative",
    "machine-degree-in-parts": "an integer is needed",
    "machine-degree-missing": "one for each of the 3 nodes",
    "machine-degree-negative": "a degree is a whole number, not negative",
    "machine-incoming-missing": "one for each of the 4 nodes",
    "machine-incoming-negative": "a bandwidth is not negative",
    "machine-name-a-number": "text is needed",
    "machine-name-missing": "one for each of the 4 nodes",
    "machine-names-alike": "two nodes may not have the same name",
    "machine-of-the-source-alone": "the source and at least one other node",
    "machine-with-latency": "unknown member",
    "machine-without-arcs": "the member 'arcs' is missing",
    "member-unknown": "unknown member",
    "optimal-a-number": "true or false",
    "parts-none": "a positive number",
    "piece-before-the-message": "a number that is not negative is needed here",
    "piece-behind-the-message": "and end by 2",
    "piece-empty": "pieces follow each other, are not empty",
    "piece-of-three": "a row is [start, stop]",
    "pieces-out-of-order": "pieces follow each other",
    "pieces-overlap": "pieces follow each other",
    "proof-about-trees": "a proof by cases is about any overlays",
    "proof-an-object": "a list is needed",
    "proof-factor-of-three": "a row is [rule, first, second, factor]",
    "proof-leaf-of-three": "a row is [case, factors]",
    "proof-rule-a-number": "text is needed",
    "proof-without-places": "the member 'places' is missing",
    "proofs": "one proof is enough",
    "receiver-nowhere": "an index of the 3 nodes",
    "sender-negative": "an index of the 3 nodes",
    "sender-nowhere": "an index of the 3 nodes",
    "structure-a-number": "one of any, acyclic, tree is needed here",
    "structure-unknown": "one of any, acyclic, tree is needed",
    "throughput-negative": "not negative",
}


def _coprime_bandwidths(size: int = 6000) -> Overlay:
    """No two of the denominators, 1 + squares near 10^18, have much in common."""
    bandwidths = [Fraction(1, (10**9 + k) ** 2 + 1) for k in range(size)]
    return Overlay(MultiPort(bandwidths, [1] * size), "any", 1, (), 0, 0, (), True)


# Too long, or not possible, as files.
OVERLAY_GENERATED: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "overlay of coprime bandwidths": (_coprime_bandwidths, Rejected, "may hold"),
    "overlay on a machine that is none": (
        lambda: Overlay(None, "any", 1, (), 0, 0, (), True),  # type: ignore[arg-type]
        Malformed,
        "an object with bandwidths, degrees",
    ),
    "overlay at a float": (
        lambda: Overlay(MultiPort([1, 1], [0, 0]), "any", 1, (), 0.0, 0, (), True),  # type: ignore[arg-type]
        Malformed,
        "not an integer or a string",
    ),
    "overlay in pieces of fractions": (
        lambda: Overlay(
            MultiPort([1, 1], [1, 0]),
            "any",
            2,
            ((0, 1, ((0, Fraction(1)), (1, 2))),),  # type: ignore[arg-type]
            1,
            1,
            (),
            True,
        ),
        Malformed,
        "not an integer or a string",
    ),
}
