"""What the nodes of a platform have to do with a collective, and how that is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from exactsched.model.platform import Node, Platform
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)

_FORWARDS = " (only forwards)"
_SHADED = "Shaded nodes only forward."


@dataclass(frozen=True, slots=True)
class Role:
    """`filled`: all comes from here, or ends here; `ringed`: waits for it.

    `shaded`: only forwards, or computes, where any nodes do: `role_notes` says which of them.
    `told` is said when the pointer rests on the node, `values` is written below its name.
    """

    filled: bool = False
    ringed: bool = False
    shaded: bool = False
    told: str = ""
    values: str = ""


def roles_of(problem: Collective) -> dict[Node, Role]:
    """The role of every node: that in the problem, and for switches that of the platform.

    Documents do not tell which nodes are switches; what only forwards is shaded all the same.
    """
    roles = _roles_in(problem)
    for node, switch in switch_roles(problem.platform).items():
        told = roles[node].told + switch.told
        asked = isinstance(problem, Reduction)
        roles[node] = replace(roles[node], told=told) if asked else switch
    return roles


def switch_roles(platform: Platform) -> dict[Node, Role]:
    """The roles of switches: they are shaded, and what they can do is written below their names.

    >>> star = Platform("as", [("a", "s", 1), ("s", "a", 1)], None, "s", multicast="s")
    >>> switch_roles(star)["s"].values, switch_roles(star.with_switches("s"))["s"].told
    ('can copy', ' (switch)')
    """
    roles = {}
    for node in platform.switches:
        able = ["copy"] * (node in platform.multicast) + ["combine"] * (node in platform.reduces)
        can = f"can {' and '.join(able)}" if able else ""
        roles[node] = Role(shaded=True, told=_told(("switch", *([can] if can else []))), values=can)
    return roles


def _roles_in(problem: Collective) -> dict[Node, Role]:
    nodes = problem.platform.nodes
    if isinstance(problem, Broadcast):
        source = Role(filled=True, ringed=True, told=" (source)")
        return {node: source if node == problem.source else Role() for node in nodes}
    if isinstance(problem, Alltoall):
        sending, waiting = _ends(problem)
        return {
            node: Role(shaded=True, told=_FORWARDS)
            if node not in sending | waiting
            else Role(
                # Where all do the same nobody stands out.
                filled=node in sending and len(sending) < len(nodes),
                ringed=node in waiting and len(waiting) < len(nodes),
                told=_told(("source",) * (node in sending) + ("target",) * (node in waiting)),
            )
            for node in nodes
        }
    if isinstance(problem, Allgather):
        return {
            node: Role(told=" (in the group)")
            if node in problem.group
            else Role(shaded=True, told=_FORWARDS)
            for node in nodes
        }
    if isinstance(problem, Combination):
        return _combining(problem)
    owned: dict[Node, list[str]] = {}
    for index, owner in enumerate(problem.owners):
        owned.setdefault(owner, []).append(f"v[{index}]")
    wanted: dict[Node, list[str]] = {}
    for (k, m), node in problem.goals:
        wanted.setdefault(node, []).append(f"v[{k},{m}]")
    computing = set(problem.processors)
    return {
        node: Role(
            filled=node in wanted and len(wanted) == 1,
            ringed=node in wanted,
            shaded=node in computing,
            told=_told(
                tuple(f"has {_few(names)}" for names in (owned.get(node),) if names)
                + tuple(f"wants {_few(names)}" for names in (wanted.get(node),) if names)
                + (("computes",) if node in computing else ("does not compute",))
            ),
            values=_few(owned.get(node, []), 2),
        )
        for node in nodes
    }


def _combining(problem: Combination) -> dict[Node, Role]:
    """The group has values; a single target stands out, and so do nodes that only forward.

    Of a single message the source stands out.
    """
    (_, wanting, source, _), *others = problem.blocks
    if problem.parts_of.keys() - {None}:
        return _groups(problem)
    if source is not None and not others:
        return {
            node: Role(shaded=True, told=_FORWARDS)
            if node not in problem.group
            else Role(
                filled=node == source,
                ringed=node in wanting and problem.multicast,
                told=_told(("source",) if node == source else ("target",) * (node in wanting)),
            )
            for node in problem.platform.nodes
        }
    targets = {node for block in problem.blocks for node in block.targets}
    return {
        node: Role(shaded=True, told=_FORWARDS)
        if node not in problem.group
        else Role(
            filled=node in targets and len(targets) == 1,
            ringed=node in targets and len(targets) < len(problem.group),
            told=_told(("target",) * (node in targets)),
        )
        for node in problem.platform.nodes
    }


def _groups(problem: Combination) -> dict[Node, Role]:
    """Of every node the groups of blocks that it is in; in none of them it only forwards."""
    inside: dict[Node, list[str]] = {node: [] for node in problem.platform.nodes}
    for number in problem.parts_of:
        for node in problem.numbered(number):
            inside[node].append("all" if number is None else f"group {number}")
    return {
        node: Role(told=_told(tuple(names))) if names else Role(shaded=True, told=_FORWARDS)
        for node, names in inside.items()
    }


def role_notes(problem: Collective) -> list[str]:
    """What the looks of nodes mean; nothing of a broadcast, whose source speaks for itself."""
    if isinstance(problem, Broadcast):
        return []
    if isinstance(problem, Alltoall):
        sending, waiting = _ends(problem)
        all_of = len(problem.platform.nodes)
        start = "all nodes" if len(sending) == all_of else "the dark nodes"
        end = "at all of them" if len(waiting) == all_of else "at the ringed ones"
        said = f"Messages start at {start} and are wanted {end}."
        return [said] if len(sending | waiting) == all_of else [said, _SHADED]
    if isinstance(problem, Allgather):
        others = len(problem.group) < len(problem.platform.nodes)
        return [_SHADED] if others else []
    if isinstance(problem, Combination):
        if problem.parts_of.keys() - {None}:
            said = "A block is of the nodes of its group: all other nodes only forward what is its."
            others = len(problem.combining) < len(problem.platform.nodes)
            return [said, _SHADED] if others else [said]
        if problem.mixed and len(problem.blocks) == 1:
            ringed = ["The ringed nodes want the message; all others may copy it."]
            passing = [_SHADED]
            forward = len(problem.group) < len(problem.platform.nodes)
            return ringed * problem.multicast + passing * forward
        but = " but messages, which their sources have" if problem.mixed else ""
        made = f"has a value of each block{but}; sums are made in any order, in no time."
        if len(problem.group) == len(problem.platform.nodes):
            return [f"Every node {made}"]
        return [f"Every node that is not shaded {made}", _SHADED]
    shaded = "Shaded nodes compute" if problem.processors else "No node computes"
    end = "results are wanted at the ringed nodes"
    if len({node for _, node in problem.goals}) == 1:
        end = "the result is wanted at the dark one"
        return [f"{shaded}, v[i] stands at its owner, {end}, which is ringed."]
    return [f"{shaded}, v[i] stands at its owner, {end}."]


def _ends(problem: Alltoall) -> tuple[set[Node], set[Node]]:
    return set(problem.sources), {demand.target for demand in problem.demands}


def _told(parts: tuple[str, ...]) -> str:
    return f" ({', '.join(parts)})" if parts else ""


def _few(names: list[str], limit: int = 4) -> str:
    return ", ".join(names) if len(names) <= limit else f"{', '.join(names[:limit])}, \u2026"
