"""One bad certificate for each way of being refused, with a piece of the rule that it breaks.

They were made from accepted ones by a single change.  `tests/corpus/rejected` has the structure
of a certificate and proves nothing, `tests/corpus/malformed` has not; those that are too long, or
not possible, as files are made here.
"""

from __future__ import annotations

import copy
import importlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from exactsched.certificate import read_certificate
from exactsched.certificate.graphs import (
    ArborescenceDecomposition,
    MatchingDecomposition,
    MaximumFlow,
    MinimumCostArborescence,
)
from exactsched.certificate.linear_programs import LinearOptimum
from exactsched.exact.errors import Malformed, Rejected
from tests.check.refusals.by_symmetry import BY_SYMMETRY_MALFORMED, BY_SYMMETRY_REJECTED
from tests.check.refusals.collectives import (
    COLLECTIVES_GENERATED,
    COLLECTIVES_MALFORMED,
    COLLECTIVES_REJECTED,
)
from tests.check.refusals.logp import LOGP_GENERATED, LOGP_MALFORMED, LOGP_REJECTED
from tests.check.refusals.overlay import OVERLAY_GENERATED, OVERLAY_MALFORMED, OVERLAY_REJECTED
from tests.check.refusals.synchronous import STEPS_GENERATED, STEPS_MALFORMED, STEPS_REJECTED

CORPUS = Path(__file__).parents[2] / "corpus"
# The module: its name in the package also stands for the function.
check_module = importlib.import_module("exactsched.check")

REJECTED = {
    "slot-after-the-period-by-part-of-a-tick": "a slot ends in its period",
    "every-arc-into-the-node-dropped": "every arc into the node is kept",
    "arc-into-the-node-unkept": "every arc into the node is kept",
    "around-cycle-bound-understated": "the proof shows 4/5",
    "around-cycle-cheaper-arc": "the arc b->f costs 2/3",
    "around-cycle-cuts-too-heavy": "the sets that an arc crosses weigh",
    "around-cycle-of-other-links": "an arc to the next one of the cycle, and one back",
    "around-cycle-of-two-costs": "all arcs around the cycle have the same cost, 2/3",
    "around-cycle-receptions-bound-overstated": "the proof shows 9/10",
    "around-cycle-optimal-overstated": "optimal means",
    "around-cycle-throughput-overstated": "the schedule reaches 9/10",
    "around-cycle-throughput-understated": "the schedule reaches 9/10",
    "around-cycle-without-an-arc": "an arc to the next one of the cycle, and one back",
    "around-cycle-without-an-arc-back": "an arc to the next one of the cycle, and one back",
    "bound-overstated": "the proof shows 1",
    "bound-understated": "the proof shows 3/4",
    "case-drops-an-arc-again": "named once, and not when it is gone",
    "case-drops-an-arc-elsewhere": "drops arcs into the node only",
    "case-drops-an-arc-twice": "named once, and not when it is gone",
    "case-drops-an-arc-beside-the-cycle": "exactly one arc of the cycle",
    "case-drops-none-of-the-cycle": "exactly one arc of the cycle",
    "case-drops-two": "exactly one arc of the cycle",
    "cut-behind-the-arc": "weigh no more than its priced time",
    "cuts-in-a-case-too-heavy": "weigh no more than its priced time",
    "cuts-missing": "without a cut",
    "cuts-too-heavy": "weigh no more than its priced time",
    "cuts-too-heavy-together": "weigh no more than its priced time",
    "cycle-broken": "an arc starts where the one before it ends",
    "cycle-kept-whole": "every arc of the cycle is dropped",
    "cycle-through-a-dropped-arc": "named once, and not when it is gone",
    "directed-cycle": "without a directed cycle",
    "makespan-understated": "the run ends at 4",
    "not-whole": "in a schedule of whole tasks no slot ends inside one",
    "odd-set-bound-understated": "the proof shows 1/2",
    "odd-set-bound-without-it": "weigh no more than its priced time",
    "odd-set-half-inside": "weigh no more than its priced time",
    "odd-set-prices-cuts-too-heavy": "weigh no more than its priced time",
    "odd-set-run-bound-overstated": "the proof shows 16/3",
    "optimal-overstated": "optimal means that schedule and bound agree",
    "optimal-understated": "optimal means that schedule and bound agree",
    "packet-missing": "every operation makes its goals",
    "prices-missing": "without a positive price",
    "run-bound-overstated": "the proof shows 3/2",
    "slot-after-the-period": "a slot ends in its period",
    "slot-before-the-period": "a slot starts at 0 or later",
    "slot-of-no-length": "a slot starts at 0 or later",
    "slots-overlap": "one thing at a time",
    "slots-overlap-half-duplex": "one thing at a time",
    "slots-overlap-link": "one thing at a time",
    "slots-too-long": "the slots of a place last as long as the tasks of its",
    "slots-too-short": "the slots of a place last as long as the tasks of its",
    "slots-without-a-tree": "the slots of a place last as long as the tasks of its",
    "startup-cuts-too-heavy": "weigh no more than its priced time",
    "throughput-overstated": "the schedule reaches 0",
    "throughput-understated": "the schedule reaches 1",
    "transfer-before-the-start": "a task starts at 0 or later and ends after its start",
    "transfer-interrupted-with-latency": "with a latency is not interrupted",
    "transfer-never-received": "a task starts only after its inputs are there completely",
    "transfer-of-no-length": "a task starts at 0 or later and ends after its start",
    "transfer-sent-early": "a task starts only after its inputs are there completely",
    "transfer-sent-while-interrupted": "a task starts only after its inputs are there completely",
    "transfer-too-short": "the pieces of a task last as long as the task, exactly",
    "transfers-overlap": "one thing at a time",
    "tree-cut-off": "a task has its inputs from the start, or from a task before it",
    "tree-enters-the-source": "a task has its inputs from the start, or from a task before it",
    "tree-enters-twice": "a task makes what is not there already",
    "tree-too-small": "every goal of its part is there in the end",
    "two-trees": "restricted to one tree",
}
MALFORMED = {
    "around-cycle-cut-with-the-source": "distinct nodes, not the source",
    "around-cycle-from-another-node": "the source comes first",
    "around-cycle-node-missing": "each of the 6 nodes of the platform once",
    "around-cycle-node-twice": "each of the 6 nodes of the platform once",
    "around-cycle-node-unknown": "each of the 6 nodes of the platform once",
    "around-cycle-of-one-tree": "the trees around a cycle are several",
    "around-cycle-of-three": "an even number of nodes",
    "around-cycle-receptions-at-no-cost": "a positive number is needed here",
    "around-cycle-receptions-with-an-order": "unknown member",
    "around-cycle-under-one-port": "one for half-duplex ports",
    "around-cycle-with-a-latency": "in a series a latency belongs to the cost",
    "around-cycle-with-a-schedule": "unknown member",
    "sizes-of-an-alltoall": "only broadcasts, allgathers and combinations differ in size",
    "sizes-of-fewer-operations": "one for each operation is needed: 2",
    "task-of-nothing": "a task is [place, item...]",
    "a-list": "a certificate is a JSON object",
    "arc-to-nowhere": "not a node of the platform",
    "arc-too-short": "a row is [tail, head, cost, latency, route] or without latency",
    "arc-twice": "this arc is given twice",
    "branching-too-deep": "nested at most 100 deep",
    "branching-unrestricted": "this split is for broadcasts with the restriction tree only",
    "cases-empty": "this list may not be empty",
    "claim-not-an-object": "the member 'throughput' is missing",
    "collective-unknown": "one of broadcast, alltoall, allgather, combination, reduction is needed",
    "cut-empty": "a part of the order that is not empty",
    "cut-of-weight-0": "a positive number",
    "cut-too-far": "a part of the order that is not empty",
    "cycle-empty": "this list may not be empty",
    "empty": "a certificate is a JSON document",
    "enter-the-source": "no tree enters the source",
    "enter-under-dag": "this split is for broadcasts with the restriction tree only",
    "format-unknown": "one of exactsched is needed",
    "integer-not-as-a-string": "lest a reader rounds them",
    "integer-of-5000-digits": "integers from 2^53 are strings",
    "just-a-string": "a certificate is a JSON object",
    "kind-missing": "this member is missing",
    "kind-of-another-type": "one of series, run, ",
    "kind-unknown": "one of series, run, ",
    "latency-in-a-series": "a latency belongs to the cost",
    "latin-1": "a certificate is text in UTF-8",
    "member-missing": "the member 'bound' is missing",
    "startup-cuts-in-a-series": "in a run of broadcasts there are latencies to pay",
    "member-twice": "this member is given twice",
    "member-unknown": "unknown member",
    "node-alone": "at least two nodes",
    "node-too-long": "integers from 2^53 are strings",
    "node-true": "a node is a string or an integer",
    "not-a-number": "numbers are integers or strings",
    "number-with-a-point": "numbers are integers or strings",
    "number-with-an-exponent": "numbers are integers or strings",
    "odd-set-even": "an odd number from 3 on",
    "odd-set-of-no-price": "a positive number",
    "odd-set-of-one": "an odd number from 3 on",
    "odd-set-of-strangers": "not a node of the platform",
    "odd-set-of-three-entries": "a row is [nodes, price]",
    "odd-set-one-port": "under half-duplex ports and without a restriction",
    "odd-set-repeats": "distinct nodes",
    "odd-set-under-dag": "under half-duplex ports and without a restriction",
    "order-repeats": "distinct nodes, not the source",
    "order-unknown": "not a node of the platform",
    "order-with-the-source": "distinct nodes, not the source",
    "packet-of-size-0": "a positive number",
    "packet-unknown": "an index of the 2 operations, from 0, is needed",
    "packets-empty": "a run has from 1 to 1000000 operations",
    "packets-endless": "a run has from 1 to",
    "packets-none": "a run has from 1 to",
    "period-negative": "a positive number",
    "price-negative": "a number that is not negative is needed",
    "price-of-nothing": "not a resource of this problem",
    "prices-a-list": "an object is needed here",
    "run-restricted": "a run is not restricted",
    "slot-arc-negative": "an index of the",
    "slot-arc-unknown": "an index of the",
    "slot-at-a-fraction": "an integer is needed",
    "slot-too-long": "a row is [place, start, end]",
    "slots-an-object": "a list is needed here",
    "source-unknown": "not a node of the platform",
    "throughput-decimal": "not an integer or a string",
    "throughput-null": "not an integer or a string",
    "throughput-over-zero": "not an integer or a string",
    "tree-arc-unknown": "an index of the",
    "tree-without-messages": "a positive number is needed",
    "trees-empty": "this list may not be empty",
    "truncated": "a certificate is a JSON document",
    "version-as-a-text": "only version 2 is known",
    "version-true": "only version 2 is known",
    "version-unknown": "only version 2 is known",
    "whole-as-a-number": "true or false",
    "without-empty": "this list may not be empty",
}
MIN_MAX_REJECTED = {
    "branching-enters-a-node-twice": "entered exactly once",
    "branching-enters-a-root": "no root is",
    "branching-misses-a-node": "reached from a root",
    "branching-twice": "each is listed once",
    "branching-twice-in-another-order": "each is listed once",
    "branching-with-a-cycle": "reached from a root",
    "branchings-of-another-root-set": "the branchings of a root set weigh its demand",
    "branchings-too-heavy": "weighs at most its capacity",
    "branchings-too-light": "the branchings of a root set weigh its demand",
    "class-with-an-edge-twice": "no two edges of a matching share a node",
    "class-with-two-edges-at-a-left-node": "no two edges of a matching share a node",
    "class-with-two-edges-at-a-right-node": "no two edges of a matching share a node",
    "colors-above-the-degree": "the largest degree is 1",
    "colors-overstated": "the classes have 1152921504606846982 colors",
    "concurrent-branchings-too-heavy": "weighs at most its capacity",
    "concurrent-branchings-too-light": "the branchings of a root set weigh its demand, 4/3",
    "concurrent-branchings-twice": "each is listed once",
    "concurrent-nodes-empty": "no branching has to enter the empty set",
    "concurrent-nodes-that-limit-less": "5/2 enters the nodes, which is 3 times",
    "concurrent-nodes-without-a-need": "root sets without any of the nodes demand something",
    "concurrent-value-overstated": "which is 4/3 times what they need",
    "cut-with-the-sink": "a cut contains the source and not the sink",
    "cut-without-the-source": "a cut contains the source and not the sink",
    "cuts-above-a-cost": "the sets that an arc enters weigh at most its cost, 1",
    "cuts-below-the-cost": "the cuts weigh the value, 7/2",
    "demand-entering-understated": "3/2 enters the nodes",
    "demand-met-exactly": "less than what is needed, 11/6",
    "demand-needed-overstated": "demand 11/6",
    "demand-on-the-empty-set": "no branching has to enter the empty set",
    "dual-above-the-objective-of-a-free-variable": "equal to 1/2",
    "dual-below-the-objective": "at least -1",
    "dual-negative": "the multiplier of an inequality is not negative",
    "edge-with-too-many-colors": "what contains an edge makes up its weight",
    "edge-without-all-its-colors": "what contains an edge makes up its weight, 1",
    "even-set": "an odd number of nodes",
    "even-set-empty": "an odd number of nodes",
    "flow-above-a-capacity": "from 0 to the capacity of the arc",
    "flow-appears-in-a-node": "nothing stays in a node but",
    "flow-below-the-cut": "the capacity that leaves the cut equals the value",
    "flow-negative": "from 0 to the capacity of the arc",
    "flow-value-of-the-cut": "the flow brings 5/6 to the sink",
    "flow-value-overstated": "the flow brings 5/6 to the sink",
    "infeasible-by-zero": "are less than 0",
    "infeasible-free-variable-above": "equal to 0",
    "infeasible-negative-multiplier": "the multiplier of an inequality is not negative",
    "infeasible-variable-paid-below-0": "at least 0",
    "linear-value-overstated": "the primal reaches -3",
    "link-broken": "starts where the one before it ends, at 3",
    "link-from-a-switch": "a link starts and ends at nodes that are no switches",
    "link-in-a-circle": "a link visits no node twice",
    "link-through-a-node": "a link starts and ends at nodes that are no switches",
    "links-above-a-capacity": "take at most its capacity, 3/2",
    "links-demand-of-a-switch": "a switch demands nothing",
    "links-flow-above-a-demand": "from 0 to the capacity of the arc",
    "links-flow-above-a-link": "from 0 to the capacity of the arc",
    "links-flow-from-a-later-node": "nothing stays in a node behind",
    "links-flow-into-a-switch": "a flow into every node that is no switch",
    "links-flow-negative": "from 0 to the capacity of the arc",
    "links-flow-too-small": "a flow brings at least 3/2",
    "links-node-forgotten": "a flow into every node that is no switch",
    "matchings-above-the-load": "the largest load is 5/6",
    "matchings-too-short": "what contains an edge makes up its weight, 1/3",
    "matchings-value-understated": "the matchings last 5/6",
    "matchings-with-two-edges-at-a-right-node": "no two edges of a matching share a node",
    "node-of-a-smaller-load": "the witness demands the value, 3",
    "odd-set-edge-too-short": "what contains an edge makes up its weight, 1/2",
    "odd-set-elsewhere": "the witness demands the value, 3",
    "odd-set-half-inside": "the witness demands the value, 5/2",
    "odd-set-value-understated": "the matchings last 3",
    "odd-set-with-an-end-twice": "no two edges of a matching share a node",
    "primal-below-the-dual": "the dual equals the value, -3",
    "primal-inside-an-equality": "equal to 3",
    "primal-negative": "a nonnegative variable is at least 0",
    "primal-outside-a-row": "at most 20",
    "root-cut-empty": "a root cut is not empty",
    "root-cut-flow-above-a-capacity": "from 0 to the capacity of the arc",
    "root-cut-flow-from-a-later-node": "nothing stays in a node behind",
    "root-cut-flow-too-small": "a flow brings at least 2",
    "root-cut-node-forgotten": "a flow into every node but the root",
    "root-cut-not-the-least": "a flow brings at least 5/2",
    "root-cut-value-understated": "the cut is entered by 2",
    "root-cut-with-the-root": "without the root",
    "tree-cost-understated": "the tree costs 7/2",
    "tree-cut-off": "reached from a root",
    "tree-enters-the-root": "no root is",
    "tree-of-minimum-cost-with-a-cycle": "reached from a root",
    "tree-of-minimum-cost-with-a-loop": "reached from a root",
    "tree-twice": "each is listed once",
    "trees-below-the-cut": "the capacity that enters the cut equals the value",
    "trees-cut-empty": "not empty",
    "trees-cut-with-the-root": "without the root",
    "trees-too-heavy": "weighs at most its capacity",
    "trees-value-overstated": "the trees weigh 11/6",
    "unbounded-point-negative": "a nonnegative variable is at least 0",
    "unbounded-point-off-an-equality": "equal to 1",
    "unbounded-point-outside": "at most 1/2",
    "unbounded-ray-of-no-growth": "the objective grows along the ray",
    "unbounded-ray-off-an-equality": "equal to 0",
    "unbounded-ray-outside": "at most 0",
}
MIN_MAX_MALFORMED = {
    "arc-from-nowhere": "the ends are nodes, from 0 to 4",
    "arc-of-three": "a row is [integer, integer]",
    "arc-to-nowhere": "the ends are nodes, from 0 to 4",
    "arcs-an-object": "a list is needed",
    "branching-of-no-arc": "an index of the 5 arcs",
    "branching-of-weight-0": "a positive number",
    "branching-without-a-root-set": "a row is [root_set, weight, arcs]",
    "capacity-missing": "one for each arc is needed: 8",
    "capacity-negative": "not negative",
    "class-of-no-color": "a positive number",
    "class-of-no-edge": "an index of the 5 edges",
    "cost-negative": "not negative",
    "cut-node-nowhere": "an index of the 5 nodes",
    "cut-node-twice": "this node is named twice",
    "demand-negative": "a number that is not negative is needed here",
    "demand-nodes-nowhere": "an index of the 4 nodes",
    "demand-root-nowhere": "an index of the 4 nodes",
    "dual-twice": "this row is named twice",
    "edge-a-loop": "an edge joins two nodes",
    "edge-end-negative": "a number that is not negative is needed here",
    "edge-to-nowhere": "the ends are nodes, from 0 to 4",
    "equality-twice": "this row is named twice",
    "equality-unknown": "an index of the 3 rows",
    "flow-forgotten": "one for each node of the order",
    "flow-missing": "one for each arc is needed: 8",
    "flow-on-an-arc-twice": "this arc is named twice",
    "flow-on-no-arc": "an index of the 6 arcs",
    "format-other": "one of exactsched",
    "index-a-fraction": "an integer is needed",
    "index-true": "not an integer or a string",
    "indices-below-2-53": "lest a reader rounds them",
    "indices-beyond-2-53": "lest a reader rounds them",
    "interval-empty": "a part of the order that is not empty",
    "interval-of-weight-0": "a positive number",
    "interval-too-far": "a part of the order that is not empty",
    "kind-twisted": "the member 'root' is missing",
    "link-empty": "this list may not be empty",
    "link-of-capacity-0": "a positive number",
    "link-of-no-arc": "an index of the 7 arcs",
    "links-demand-missing": "one for each node is needed: 5",
    "links-demand-negative": "a number that is not negative is needed here",
    "links-flow-forgotten": "one for each node of the order",
    "links-flow-on-a-link-twice": "named twice",
    "links-flow-on-no-link": "an index of the 9 arcs",
    "links-order-node-twice": "this node is named twice",
    "matching-of-no-edge": "an index of the 4 edges",
    "member-missing": "the member 'cut' is missing",
    "member-of-another-kind": "unknown member",
    "multiplicity-0": "a positive number",
    "multiplicity-a-fraction": "an integer is needed",
    "multiplier-unknown": "an index of the 3 rows",
    "nested-member-missing": "the member 'nonnegative' is missing",
    "nested-member-unknown": "unknown member",
    "nonnegative-unknown": "an index of the 3 variables",
    "number-decimal": "not an integer or a string",
    "number-not-as-a-string": "lest a reader rounds them",
    "number-null": "not an integer or a string",
    "number-true": "not an integer or a string",
    "order-names-the-root": "without the root",
    "order-node-twice": "this node is named twice",
    "point-twice": "this variable is named twice",
    "primal-unknown": "an index of the 3 variables",
    "program-a-list": "an object with objective, rows",
    "ray-unknown": "an index of the 3 variables",
    "right-side-missing": "one for each row is needed: 3",
    "root-nowhere": "an index of the 4 nodes",
    "root-set-empty": "a root set is not empty",
    "root-set-node-twice": "this node is named twice",
    "root-set-unknown": "an index of the 4 root sets",
    "row-variable-twice": "this variable is named twice",
    "row-variable-unknown": "an index of the 3 variables",
    "sink-nowhere": "an index of the 5 nodes",
    "size-beyond-reason": "at most 1000000 nodes",
    "size-zero": "a positive number is needed here",
    "source-is-the-sink": "source and sink are two nodes",
    "source-nowhere": "an index of the 5 nodes",
    "switch-nowhere": "an index of the 5 nodes",
    "switch-twice": "this node is named twice",
    "tree-of-minimum-cost-of-no-arc": "an index of the 8 arcs",
    "tree-of-no-arc": "an index of the 5 arcs",
    "tree-of-one": "a row is [weight, arcs]",
    "tree-of-weight-0": "a positive number",
    "version-other": "only version 2",
    "weight-0": "a positive number",
    "weight-missing": "one for each edge is needed: 4",
    "weight-negative": "a positive number",
    "witness-node-twice": "this node is named twice",
    "witness-nowhere": "an index of the 5 nodes",
}


FOLDERS = ("by-symmetry", "min-max", "collectives", "logp", "overlay", "rounds")


def _in_folder(folder: str, table: dict[str, str]) -> dict[str, str]:
    return {f"{folder}/{name}": rule for name, rule in table.items()}


REJECTED |= _in_folder("min-max", MIN_MAX_REJECTED)
MALFORMED |= _in_folder("min-max", MIN_MAX_MALFORMED)
REJECTED |= _in_folder("collectives", COLLECTIVES_REJECTED)
MALFORMED |= _in_folder("collectives", COLLECTIVES_MALFORMED)
REJECTED |= _in_folder("by-symmetry", BY_SYMMETRY_REJECTED)
MALFORMED |= _in_folder("by-symmetry", BY_SYMMETRY_MALFORMED)
REJECTED |= _in_folder("logp", LOGP_REJECTED)
MALFORMED |= _in_folder("logp", LOGP_MALFORMED)
REJECTED |= _in_folder("overlay", OVERLAY_REJECTED)
MALFORMED |= _in_folder("overlay", OVERLAY_MALFORMED)
REJECTED |= _in_folder("rounds", STEPS_REJECTED)
MALFORMED |= _in_folder("rounds", STEPS_MALFORMED)


def _deep(levels: int) -> dict[str, Any]:
    document = accepted("figure-1-tree")
    for _ in range(levels):
        case = {"without": [0], "proof": document["proof"]}
        document["proof"] = {"by": "split-on-node", "node": "P1", "cases": [case]}
    return document


def _proof_by_cuts() -> dict[str, Any]:
    proof: dict[str, Any] = accepted("figure-1-one-port")["proof"]
    return proof


def _wide() -> dict[str, Any]:
    document = _deep(0)
    leaf: dict[str, Any] = {"by": "cuts", "prices": {}, "order": [], "cuts": []}
    leaf |= {"startup_cuts": [], "odd_sets": []}
    cases = [{"without": [0], "proof": leaf}] * 100_001
    document["proof"] = {"by": "split-on-node", "node": "P1", "cases": cases}
    return document


def _endless() -> dict[str, Any]:
    document = _deep(0)
    case: dict[str, Any] = {"without": [0]}
    case["proof"] = {"by": "split-on-node", "node": "P1", "cases": [case, case]}
    document["proof"] = case["proof"]
    return document


def _coprime() -> dict[str, Any]:
    """6,000 cuts whose denominators, 1 + squares near 10^18, have hardly a factor in common."""
    document = accepted("figure-1-one-port")
    document["proof"]["cuts"] = [[0, 4, f"1/{(10**9 + k) ** 2 + 1}"] for k in range(6000)]
    return document


def _coprime_program() -> dict[str, Any]:
    """A row of 6,000 such denominators, all of them met by the point."""
    document = accepted("min-max/linear-of-nothing")
    entries = [[k, f"1/{(10**9 + k) ** 2 + 1}"] for k in range(6000)]
    document["program"] |= {"objective": [1] * 6000, "rows": [entries], "right_sides": [1]}
    return document | {"primal": [[k, 1] for k in range(6000)]}


def _long_weight(arcs: int = 3300) -> ArborescenceDecomposition:
    """One long number, but every arc would have to carry it."""
    star = tuple((0, node + 1) for node in range(arcs))
    tree = (10**99_999, tuple(range(arcs)))
    return ArborescenceDecomposition(arcs + 1, star, (1,) * arcs, 0, (tree,), (1,), 1)


def _long_duration(edges: int = 3300) -> MatchingDecomposition:
    ends = tuple((node, node) for node in range(edges))
    matching = (10**99_999, tuple(range(edges)))
    return MatchingDecomposition(ends, (1,) * edges, (matching,), 1)


def _long_cut(nodes: int = 2000) -> MinimumCostArborescence:
    star = tuple((0, node + 1) for node in range(nodes))
    order = tuple(range(1, nodes + 1))
    cuts = ((0, 1, 10**99_999),)
    every = tuple(range(nodes))
    return MinimumCostArborescence(nodes + 1, star, (1,) * nodes, 0, every, order, cuts, nodes)


# Too long, or not possible, as files.
GENERATED: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "coprime coefficients": (
        _coprime_program,
        Rejected,
        "may hold",
    ),
    "long cut": (_long_cut, Rejected, "may hold"),
    "long duration": (_long_duration, Rejected, "may hold"),
    "long weight": (_long_weight, Rejected, "may hold"),
    "noun with a list that is none": (
        lambda: MaximumFlow(2, 3, (), 0, 1, (), (0,), 0),  # type: ignore[arg-type]
        Malformed,
        "a list is needed",
    ),
    "noun with a row too long": (
        lambda: MatchingDecomposition(((0, 1, 2),), (1,), (), 1),  # type: ignore[arg-type]
        Malformed,
        "a row is [integer, integer]",
    ),
    "noun with a float": (
        lambda: MaximumFlow(2, (), (), 0, 1, (), (0,), 0.0),  # type: ignore[arg-type]
        Malformed,
        "not an integer or a string",
    ),
    "noun with text for an integer": (
        lambda: MaximumFlow("two", (), (), 0, 1, (), (0,), 0),  # type: ignore[arg-type]
        Malformed,
        "not an integer or a string",
    ),
    "noun without a program": (
        lambda: LinearOptimum(None, (), (), 0),  # type: ignore[arg-type]
        Malformed,
        "an object with objective, rows",
    ),
    "splits 101 deep": (lambda: _deep(101), Malformed, "nested at most 100 deep"),
    "splits 100,000 deep": (lambda: _deep(100_000), Malformed, "nested too deeply"),
    "splits without end": (_endless, Malformed, "nested too deeply"),
    "splits of 100,001 cases": (_wide, Malformed, "at most 100000 cases in all"),
    "coprime denominators": (_coprime, Rejected, "may hold"),
    "node of 5000 digits": (
        lambda: changed(_deep(0), ("problem", "platform", "nodes", 0), 10**5000),
        Malformed,
        "a node is a string or an integer below 2^53",
    ),
    "number of 5000 digits": (
        lambda: changed(_deep(0), ("throughput",), 10**5000),
        Malformed,
        "lest a reader rounds them",
    ),
    "float": (
        lambda: changed(_deep(0), ("throughput",), 0.5),
        Malformed,
        "not an integer or a string",
    ),
    "tuple": (lambda: changed(_deep(0), ("proof", "cases"), ()), Malformed, "a list is needed"),
    "cuts of an alltoall": (
        lambda: changed(accepted("collectives/scatter-toy"), ("proof",), _proof_by_cuts()),
        Malformed,
        "cuts bound broadcasts, allgathers and combinations only",
    ),
    "potentials of a scatter": (
        lambda: changed(
            accepted("collectives/scatter-toy"),
            ("proof",),
            {"by": "potentials", "prices": {}, "potentials": []},
        ),
        Malformed,
        "potentials bound reductions only",
    ),
    "nothing": (lambda: None, Malformed, "a certificate is a JSON object"),
}
GENERATED |= COLLECTIVES_GENERATED
GENERATED |= LOGP_GENERATED
GENERATED |= OVERLAY_GENERATED
GENERATED |= STEPS_GENERATED


def changed(document: dict[str, Any], path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """A copy of the document in which the member at the path has the value."""
    copied = copy.deepcopy(document)
    place: Any = copied
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return copied


def accepted(name: str) -> dict[str, Any]:
    return read_certificate(path_of("accepted", name))


def files(folder: str) -> list[str]:
    """The names of the certificates directly in a folder of the corpus."""
    return sorted(path.stem for path in (CORPUS / folder).glob("*.json"))


def path_of(folder: str, name: str) -> Path:
    return CORPUS / folder / f"{name}.json"


Refusal = tuple[str, Callable[[], object], type[Exception], str]


def refusals_in(folder: str, table: dict[str, str], kind: type[Exception]) -> Iterator[Refusal]:
    for name, rule in table.items():
        yield name, partial(_check_made, partial(path_of, folder, name)), kind, rule


def generated_refusals() -> Iterator[Refusal]:
    for name, (made, kind, rule) in GENERATED.items():
        yield name, partial(_check_made, made), kind, rule


# Looked up when it is called: a test replaces the checker.
def _check_made(made: Callable[[], object]) -> object:
    return check_module.check(made())


def _check_schedule(path: Path) -> object:
    return check_module.check_schedule(path)


def refusals() -> Iterator[Refusal]:
    yield from refusals_in("rejected", REJECTED, Rejected)
    yield from refusals_in("malformed", MALFORMED, Malformed)
    flow = partial(_check_schedule, path_of("accepted", "min-max/flow-of-nothing"))
    yield "no schedule", flow, Malformed, "a schedule in a series or a run only"
    yield from generated_refusals()
