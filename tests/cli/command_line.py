"""What a command left behind, and what the tests of all commands share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Said(NamedTuple):
    """What a command left behind: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def object(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        assert self.code == 0, self.err
        assert not self.err
        assert self.out.count("\n") == 1
        read = json.loads(self.out)
        assert isinstance(read, dict)
        return read


Run = Callable[..., Said]


def files() -> dict[str, bytes]:
    """The current folder: every file with its content."""
    return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}


def refused(said: Said, code: int = 2) -> str:
    """The one line of a refusal."""
    assert said.code == code
    assert said.out == ""
    assert said.err.endswith("\n")
    assert said.err.count("\n") == 1
    assert said.err.startswith("exactsched: ")
    return said.err


def platform_file(name: str, arcs: list[Any], nodes: list[Any] | None = None) -> str:
    """A node-link file; a cost is written as it is given, so that it may be a bad one."""
    ends = [end for arc in arcs for end in arc[:2]]
    listed = list(dict.fromkeys(ends)) if nodes is None else nodes
    edges = [dict(zip(("source", "target", "cost", "latency"), arc, strict=False)) for arc in arcs]
    document = {"directed": True, "nodes": [{"id": node} for node in listed], "edges": edges}
    Path(name).write_text(json.dumps(document), encoding="utf-8")
    return name
