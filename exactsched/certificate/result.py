"""What all results have in common: each can be checked, played, drawn, written and shown.

A result is a record of `exactsched.certificate`, or anything else that has a certificate: a
solution, a finite run.  `check`, `simulate`, `draw` and `write_certificate` take it as it is.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from exactsched.exact.rational import OneLine


class Result(OneLine):
    """A result: by its document it is checked, played, drawn, written and shown in notebooks.

    `str` is what it claims, in one line; nothing is proved by that: `check` does.

    >>> from exactsched.graphs.flow import maximum_flow
    >>> flow = maximum_flow(2, 0, 1, [(0, 1)], ["1/2"])
    >>> print(flow)
    value 1/2, optimal (maximum flow, 2 nodes, 1 arc)
    >>> flow.certificate()["kind"], sorted(flow._repr_mimebundle_())
    ('maximum-flow', ['image/svg+xml', 'text/html', 'text/plain'])
    >>> flow
    MaximumFlow(value 1/2, optimal (maximum flow, 2 nodes, 1 arc))
    """

    __slots__ = ()

    def record(self) -> Any:
        """The record of `exactsched.certificate` that the document is written from."""
        return self

    def certificate(self) -> dict[str, Any]:
        """The document that `exactsched.check` accepts, and `write_certificate` writes."""
        document: dict[str, Any] = _found("certificate", "to_document")(self.record())
        return document

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """What is in the result, by name: the schedule, the trees, the values of variables, ...

        A table is a list of rows; see `exactsched.export.tables`.
        """
        tables: dict[str, list[dict[str, Any]]] = _found("export.tables", "tables_of")(
            self.record()
        )
        return tables

    def to_pandas(self, table: str | None = None) -> Any:
        """One of the `tables` as a data frame of pandas, the first one if no name is given.

        Exact numbers stay what they are: columns have the type `object`.  Raises `InvalidInput`
        for another name, and where pandas is not installed.
        """
        rows = _found("export.tables", "table_of")(self.tables(), table)
        return _found("export.tables", "data_frame")(rows)

    def __str__(self) -> str:
        return str(_found("certificate.claim", "claim")(self))

    def _repr_svg_(self) -> str:
        return str(_found("drawing", "svg")(self))

    def _repr_html_(self) -> str:
        return str(_found("drawing.notebook", "framed")(str(self), self._repr_svg_()))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """What a notebook shows (IPython documentation, *Integrating with IPython*)."""
        bundled = _found("drawing.notebook", "bundled")
        bundle: dict[str, str] = bundled(str(self), self._repr_svg_(), include, exclude)
        return bundle


def _found(module: str, name: str) -> Any:
    """By name, as the facade does: what shows a result stands in a layer above its record."""
    return getattr(import_module(f"exactsched.{module}"), name)
