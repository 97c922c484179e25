"""Counterexamples as files that can be checked again and drawn."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from exactsched import __version__
from exactsched.campaign.documents import head, read_headed
from exactsched.campaign.isolation import Lost, call_isolated
from exactsched.campaign.library import claim_of, is_random
from exactsched.campaign.outcomes import FAILURES, Outcome, judged
from exactsched.certificate.codec import read
from exactsched.certificate.elements import (
    read_choice,
    read_integer,
    read_object,
    read_text,
)
from exactsched.certificate.files import read_certificate
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import Malformed
from exactsched.instances.documents import read_instance
from exactsched.model.problem import Collective

KIND = "counterexample"
_TEXTS = ("claim", "statement", "reference", "size", "reason", "library", "package")
_MEMBERS = (*_TEXTS, "seed", "number", "failure", "facts", "instance")


@dataclass(frozen=True, slots=True)
class Counterexample:
    """An instance, as a document, for which a claim fails, and how.

    It was found as instance `number` of `size` and `seed`, and made smaller since.
    """

    claim: str
    statement: str
    reference: str
    size: str
    seed: int
    number: int
    failure: str
    reason: str
    facts: Any
    instance: dict[str, Any]
    library: str
    package: str = __version__

    def document(self) -> dict[str, Any]:
        """The JSON object; `read_counterexample` is its inverse."""
        return head(KIND) | {name: getattr(self, name) for name in _MEMBERS}

    def write(self, path: str | os.PathLike[str]) -> None:
        write_whole(path, json.dumps(self.document(), indent=1) + "\n")

    def replay(self, limit: float) -> Outcome:
        """The claim checked again on the instance as it is stated, in a process of its own.

        The claim is looked up in `library`.  The process is kept for the next time, until
        `isolation.close_children`.  Raises `Malformed` for an instance of another claim.
        """
        claim_of(self.library, self.claim)
        stated = self.library, self.claim, self.instance
        try:
            return call_isolated(self.library, limit, _replayed, *stated)
        except Lost as lost:
            return lost.outcome


def _replayed(library: str, name: str, document: dict[str, Any]) -> Outcome:
    claim = claim_of(library, name)
    return judged(claim, read_instance(claim.instance_type, document))


def read_counterexample(source: str | os.PathLike[str] | dict[str, Any]) -> Counterexample:
    """The counterexample in a file or a document; raises `Malformed` for other documents."""
    document = source if isinstance(source, dict) else read_certificate(source)
    members = read_headed(document, KIND, _MEMBERS)
    return Counterexample(
        **{name: read_text(members[name], name) for name in _TEXTS},
        seed=read_integer(members["seed"], "seed"),
        number=read_integer(members["number"], "number"),
        failure=read_choice(members["failure"], "failure", FAILURES),
        facts=members["facts"],
        instance=read_object(members["instance"], "instance"),
    )


class Shown(NamedTuple):
    """What a picture of a counterexample shows, as plain data.

    `graphs` are problems and documents of graphs (`size`, `arcs` or `edges`, `numbers`) by the name
    of their field, ``instance`` if the whole instance is one; nobody has looked into the latter.
    """

    title: str
    reason: str
    statement: str
    origin: str
    graphs: Mapping[str, Collective | dict[str, Any]]
    fields: Mapping[str, Any]
    facts: Mapping[str, Any]


_TITLES = {
    "raised": "the check raised an exception",
    "unmade": "the generator made no instance",
    "died": "the check killed its process",
    "hung": "the check did not end",
}


def shown(found: Counterexample) -> Shown:
    """What a picture shows of it.

    >>> text = dict.fromkeys(("statement", "reference", "library", "package"), "")
    >>> graph = {"size": 2, "arcs": [[0, 1]], "numbers": [3]}
    >>> one = {"claim": "a.b", "size": "small", "reason": "too large", "failure": "refuted"}
    >>> rest = {"seed": 0, "number": 7, "facts": {}, "instance": {"graph": graph, "limit": 5}}
    >>> one = shown(read_counterexample(head(KIND) | text | one | rest))
    >>> one.title, one.reason, list(one.graphs), list(one.fields)
    ('a.b: a counterexample', 'too large', ['graph'], ['graph', 'limit'])
    """
    whole = _graph(found.instance)
    fields = found.instance.items()
    graphs = {name: graph for name, value in fields if (graph := _graph(value)) is not None}
    hidden = ("platform", "collective") if isinstance(whole, Collective) else ()
    where = f"Number {found.number} of the {found.size}"
    if is_random(found.size):
        where = f"Made smaller from {found.size} instance {found.number} of seed {found.seed}"
    return Shown(
        title=f"{found.claim}: {_TITLES.get(found.failure, 'a counterexample')}",
        reason=found.reason,
        statement=found.statement,
        origin=f"{where}, exactsched {found.package}.",
        graphs=graphs if whole is None else {"instance": whole},
        fields={name: value for name, value in fields if name not in hidden},
        facts=found.facts if isinstance(found.facts, dict) else {},
    )


def _graph(value: Any) -> Collective | dict[str, Any] | None:
    """The problem that a document states, or the document if it may state a graph."""
    if not isinstance(value, dict):
        return None
    if "platform" not in value:
        return value if {"size", "numbers"} <= set(value) else None
    try:
        problem: Collective = read(Collective, value, "instance")
        return problem
    except Malformed:  # an instance of another kind: its fields are shown
        return None
