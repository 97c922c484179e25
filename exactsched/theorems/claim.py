"""What a claim is: a function that tries a statement, its docstring, on one instance.

@claim(
    "konig.edge-coloring",
    number="König, Math. Ann. 77 (1916)",
    instances=BIPARTITE,
    page="konig-edge-coloring",
    implements=("exactsched/graphs/edge_coloring.py",),
    judged="`check`; degrees counted again",
)
def edge_coloring(graph: Multigraph, say: Say) -> None:
    \"""A bipartite multigraph whose largest degree is D is colored with D colors.\"""
    stated = color_edges(graph.edges, graph.numbers)
    say(degree=largest(graph), colors=stated.colors)
    say.accepts(stated)
    say.require(stated.colors == largest(graph), "the colors are not as many as the degree")
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Literal, NoReturn, TypeVar

from exactsched.check import check
from exactsched.exact.errors import Rejected
from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import SIZES as SIZES
from exactsched.instances.instance_type import Bounds as Bounds
from exactsched.instances.instance_type import Instances as Instances
from exactsched.instances.triviality import is_trivial

Status = Literal[
    "as printed",
    "corrected",
    "wrong as printed",
    "sketch refuted, statement open",
    "asked, answered no",
    "in part",
    "sharpened",
    "new",
    "classical",
]

# What a campaign has to refute: a statement, the inference that was to prove it, or what the paper
# asks without claiming it.
REFUTED: frozenset[str] = frozenset(
    {"wrong as printed", "sketch refuted, statement open", "asked, answered no"}
)

# Facts that come with a verdict: exact, and small enough to be read (numbers, texts, short lists).
Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a statement holds for an instance, and the facts that show it.

    A verdict without `applies` says that the instance does not meet the hypotheses.  `reason` says
    in one sentence what is violated, if it does not hold.
    """

    holds: bool
    facts: Facts = field(default_factory=dict)
    reason: str = ""
    applies: bool = True


class Refuted(Exception):
    """The instance is a counterexample; the message says in one sentence what is violated."""


class NotApplicable(Exception):
    """The instance does not meet the hypotheses; it counts neither for nor against."""


class Say:
    """What a claim says of one instance: facts, what must be true, and when it does not apply.

    >>> say = Say()
    >>> say({"M / TP": 3}, trees=2)
    >>> say.facts
    {'M / TP': 3, 'trees': 2}
    """

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}

    def __call__(self, facts: Facts | None = None, /, **named: Any) -> None:
        """Adds facts, by keyword, or in a mapping where a name is no Python identifier."""
        self.facts |= {**(facts or {}), **named}

    def require(self, condition: bool, reason: str) -> None:
        """The instance is a counterexample unless the condition is true."""
        if not condition:
            raise Refuted(reason)

    def refute(self, reason: str) -> NoReturn:
        """The instance is a counterexample."""
        raise Refuted(reason)

    def not_applicable(self, reason: str) -> NoReturn:
        """The instance does not meet the hypotheses."""
        raise NotApplicable(reason)

    def accepts(self, certificate: Any) -> Any:
        """What the checker finds proved; a counterexample if it rejects the certificate.

        It may be a record, a document, or a result that has a `certificate()`.  One with a value
        must also have the value that the checker proves.
        """
        if hasattr(certificate, "certificate"):
            certificate = certificate.certificate()
        try:
            proved = check(certificate)
        except Rejected as error:
            raise Refuted(f"the certificate is rejected: {error}") from error
        if hasattr(certificate, "value"):
            stated, found = certificate.value, getattr(proved, "value", None)
            self.require(stated == found, f"the checker proves {found}, not {stated}")
        return proved


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement that can be tried on instances; `claim` makes one of a function.

    `statement` is exact, hypotheses included, in plain text; `number` is its number in the paper,
    and `reference` names the paper, too.  `instance`, `instance_type`, `bounds`, `corners` and
    `trivial` are those of its `Instances`.

    `check(instance)` returns a verdict; whatever else it raises counts as a refutation, since the
    package has failed on an instance that it should handle.

    A claim whose status is one of `REFUTED` has a `counterexample`, which its check refutes;
    `corrects` of the right one names it.  `"in part"` says that the printed statement is shown for
    some of its cases, which `statement` names, and open for the others.  `page` is the theorem's
    page in proofs/, `implemented` lists the modules that are put to the test, and `checked_by` says
    in a few words what judges them.
    """

    id: str
    statement: str
    reference: str
    status: Status
    page: str
    implemented: tuple[str, ...]
    checked_by: str
    instance_type: type
    instance: Callable[[Choices, int], Any]
    check: Callable[[Any], Verdict]
    bounds: Bounds
    corners: Callable[[], tuple[Any, ...]] = tuple
    trivial: Callable[[Any], bool] = is_trivial
    counterexample: Callable[[], Any] | None = None
    corrects: str = ""
    number: str = ""
    function: Callable[..., object] | None = None

    @property
    def file(self) -> str:
        """The file that states the claim, such as ``exactsched/theorems/classical/matchings.py``.

        The path begins at the folder that holds the package.
        """
        return (self.function or self.check).__module__.replace(".", "/") + ".py"

    @property
    def line(self) -> int:
        """The line of the file where its id stands, or where its function begins."""
        lines, first = inspect.getsourcelines(self.function or self.check)
        return next((first + k for k, line in enumerate(lines) if f'"{self.id}"' in line), first)


Tried = TypeVar("Tried", bound=Callable[..., None])


def claim(
    id: str,
    *,
    instances: Instances,
    number: str,
    page: str,
    judged: str,
    implements: tuple[str, ...] = (),
    status: Status | None = None,
    reference: str = "",
    statement: str = "",
    bounds: Bounds | None = None,
    corners: Callable[[], tuple[Any, ...]] | None = None,
    counterexample: Callable[[], Any] | None = None,
    corrects: str = "",
    **options: Any,
) -> Callable[[Tried], Tried]:
    """Makes a claim of the function below; the function itself stays as it is.

    The function is called with an instance, a `Say`, and the further `options`.  So one function
    serves the printed statement and the corrected one: decorators are stacked, and the one for
    the printed statement gives an option, and its own `statement`.

    - `number`: what the paper calls it, then, after a comma or a parenthesis, what is to be added:
      ``theorem 6, for integer m c``.  `STATEMENTS` lists what stands before.
    - `statement`: the docstring of the function, if nothing else is said.
    - `reference`: paper (`CITED` in the folder's ``__init__``) and number, if nothing else is said.
    - `status`: ``classical`` in a folder that is no paper, else ``as printed``; with a
      `counterexample`, ``wrong as printed``.
    - `bounds`, `corners`: those of the instance type, if nothing else is said; a claim with a
      counterexample has no other corner.

    >>> from exactsched.instances.graphs import BIPARTITE, Multigraph
    >>> @claim("x.few", instances=BIPARTITE, number="1", page="", judged="", most=3)
    ... @claim("x.many", instances=BIPARTITE, number="1", page="", judged="", most=30)
    ... def has_few_edges(graph: Multigraph, say: Say, *, most: int) -> None:
    ...     '''There are few edges.'''
    ...     say(edges=len(graph.edges))
    ...     say.require(len(graph.edges) <= most, "more edges")
    >>> many, few = claims_of_function(has_few_edges)
    >>> few.id, few.statement, few.check(Multigraph(1, ((0, 0),) * 4, (1,) * 4))
    ('x.few', 'There are few edges.', Verdict(holds=False, facts={'edges': 4}, reason='more edges', applies=True))
    """  # noqa: E501

    def decorate(function: Tried) -> Tried:
        def tried(instance: Any) -> Verdict:
            return _verdict(function, instance, options)

        cited = getattr(sys.modules.get(function.__module__.rpartition(".")[0]), "CITED", "")
        usual: Status = "as printed" if cited else "classical"
        default_corners = instances.corners if counterexample is None else tuple
        made = Claim(
            id=id,
            statement=" ".join((statement or function.__doc__ or "").split()),
            reference=reference or (f"{cited}, {number}" if cited else number),
            status=status or (usual if counterexample is None else "wrong as printed"),
            page=page,
            implemented=implements,
            checked_by=judged,
            instance_type=instances.kind,
            instance=instances.generate,
            check=tried,
            bounds=bounds or instances.bounds,
            corners=corners or default_corners,
            trivial=instances.trivial,
            counterexample=counterexample,
            corrects=corrects,
            number=number,
            function=function,
        )
        vars(function).setdefault("claims", []).append(made)
        return function

    return decorate


def _verdict(function: Callable[..., None], instance: Any, options: Mapping[str, Any]) -> Verdict:
    say = Say()
    try:
        function(instance, say, **options)
    except Refuted as error:
        return Verdict(False, say.facts, str(error))
    except NotApplicable as error:
        return Verdict(True, {}, str(error), applies=False)
    return Verdict(True, say.facts)


def claims_of_function(function: object) -> list[Claim]:
    """The claims that a decorated function stands for, the lowest decorator first."""
    listed: list[Claim] = getattr(function, "claims", [])
    return listed if inspect.isfunction(function) else []


def claims_of_module(module: ModuleType) -> Iterable[Claim]:
    """The claims of the functions that the module defines, in the order of the file."""
    for function in vars(module).values():
        if getattr(function, "__module__", "") == module.__name__:
            yield from claims_of_function(function)
