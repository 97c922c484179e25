"""The kernel: checkers that are proved in Rocq, run as Python that is generated from them.

`exactsched.check` is a program that one reads.  These checkers are functions in Rocq with a
theorem about each: if it accepts, then the claim holds against every schedule, as the definitions
in `proofs/rocq` say it.  They are extracted to JSON, printed as the modules in `generated`, and run
on the problem that `problems` reads.  The page `proofs/kernel.md` says what is proved and what is
trusted.

A kind of document is one row of `RULES`.  Each rule takes the JSON document, from which the problem
is read, and the record of it, from which the witnesses are read: nothing depends on those.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, cast

from exactsched.certificate.budget import within
from exactsched.certificate.documents import parse
from exactsched.certificate.given import document_of
from exactsched.kernel.proved import Claim as Claim
from exactsched.kernel.proved import NotCovered as NotCovered
from exactsched.kernel.proved import ProvedByKernel as ProvedByKernel

# The module that asks the proved checkers about documents of a kind.
RULES: Final = {
    "series": "series",
    "run": "series",
    "series-around-cycle": "compact_series",
    "series-by-symmetry": "compact_series",
    **dict.fromkeys(
        (
            "maximum-flow",
            "minimum-root-cut",
            "branching-packing",
            "unmet-demand",
            "concurrent-branching-packing",
            "arborescence-decomposition",
            "minimum-cost-arborescence",
            "edge-coloring",
            "matching-decomposition",
            "fractional-edge-coloring",
            "linear-optimum",
            "linear-infeasibility",
            "linear-unboundedness",
        ),
        "min_max",
    ),
    "rounds": "rounds",
    "overlay": "overlay",
    "logp-schedule": "logp",
    "logp-rounds": "logp",
    "logp-cycles": "logp",
}


def check(certificate: object) -> ProvedByKernel:
    """What the proved checkers say about a certificate: a path, a document, or a record.

    Raises `Malformed` for what is not a certificate (`InvalidInput` for a file that cannot be
    read), `NotCovered` for what no proved checker is about or what is too large for it, `Rejected`,
    with the part of the document, where the checker does not accept or has proved another number.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.certificate.bounds import CutBound
    >>> from exactsched.certificate.collectives import PeriodicSchedule, Series, Structure
    >>> from exactsched.model.problem import Broadcast
    >>> from fractions import Fraction
    >>> half, two = Fraction(1, 2), Fraction(2)
    >>> schedule = PeriodicSchedule(two, two, (Structure(1, 0, ((0,),)),), ((0, 0, 1),), True)
    >>> proof = CutBound({"send:a": Fraction(1)}, ("b",), ((0, 1, two),))
    >>> asked = Broadcast(Platform(["a", "b"], [("a", "b", 2)]), "a")
    >>> check(Series(asked, half, half, True, schedule, proof)).values["throughput"]
    Fraction(1, 2)
    """
    return cast("ProvedByKernel", _asked(certificate, "check"))


def theorem(certificate: object) -> str:
    """A file for Rocq that states what `check` proves of this certificate, with its proof.

    `coqc -Q proofs/rocq Exactsched FILE` checks it.  No extraction is trusted then, and no Python:
    the file states the problem itself.
    """
    return cast("str", _asked(certificate, "theorem"))


def tokens(certificate: object) -> str:
    """The problem and the witnesses as integers, which the OCaml program reads."""
    return cast("str", _asked(certificate, "tokens"))


def _asked(certificate: object, question: str) -> object:
    document, size_of = document_of(certificate)
    collecting = gc.isenabled()
    gc.disable()  # millions of pairs without a cycle
    try:
        with within(size_of):
            stated = parse(document)
            kind = cast("dict[str, Any]", document)["kind"]
            if kind not in RULES:
                known = ", ".join(RULES)
                raise NotCovered("kind", kind, f"no proved checker is about it, only about {known}")
            module = import_module(f"{__name__}.{RULES[kind]}")
            rule = cast("Callable[[Any, Any], object] | None", getattr(module, question, None))
            if rule is None:
                raise NotCovered("kind", kind, "only a series or a run is written for Rocq")
            return rule(document, stated)
    finally:
        if collecting:
            gc.enable()
