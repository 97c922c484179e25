"""Counterexamples as files that can be checked again and drawn."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from exactsched import __version__
from exactsched.campaign.documents import head, read_headed
from exactsched.campaign.isolation import Lost, call_isolated
from exactsched.campaign.library import claim_of
from exactsched.campaign.outcomes import FAILURES, Outcome, judged
from exactsched.certificate.elements import (
    read_choice,
    read_integer,
    read_object,
    read_text,
)
from exactsched.certificate.files import read_certificate
from exactsched.exact.atomic_files import write_whole
from exactsched.instances.documents import read_instance

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
