"""What the nodes of a platform have to do with a collective, and how that is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from exactsched.platform import Node
from exactsched.problem import Broadcast, Collective, Gossip


@dataclass(frozen=True, slots=True)
class Role:
    """`filled`: all comes from here, or ends here; `ringed`: waits for it; `shaded`: computes.

    `told` is said when the pointer rests on the node, `values` is written below its name.
    """

    filled: bool = False
    ringed: bool = False
    shaded: bool = False
    told: str = ""
    values: str = ""


def roles_of(problem: Collective) -> dict[Node, Role]:
    """The role of every node."""
    nodes = problem.platform.nodes
    if isinstance(problem, Broadcast):
        source = Role(filled=True, ringed=True, told=" (source)")
        return {node: source if node == problem.source else Role() for node in nodes}
    if isinstance(problem, Gossip):
        sending = set(problem.sources)
        waiting = {demand.target for demand in problem.demands}
        return {
            node: Role(
                filled=node in sending,
                ringed=node in waiting,
                told=_told(("source",) * (node in sending) + ("target",) * (node in waiting)),
            )
            for node in nodes
        }
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


def role_notes(problem: Collective) -> list[str]:
    """What the looks of nodes mean; nothing of a broadcast, whose source speaks for itself."""
    if isinstance(problem, Broadcast):
        return []
    if isinstance(problem, Gossip):
        return ["Messages start at the dark nodes and are wanted at the ringed ones."]
    shaded = "Shaded nodes compute" if problem.processors else "No node computes"
    end = "results are wanted at the ringed nodes"
    if len({node for _, node in problem.goals}) == 1:
        end = "the result is wanted at the dark one"
        return [f"{shaded}, v[i] stands at its owner, {end}, which is ringed."]
    return [f"{shaded}, v[i] stands at its owner, {end}."]


def _told(parts: tuple[str, ...]) -> str:
    return f" ({', '.join(parts)})" if parts else ""


def _few(names: list[str], limit: int = 4) -> str:
    return ", ".join(names) if len(names) <= limit else f"{', '.join(names[:limit])}, \u2026"
