"""Which tables are older than the code that they measure, by the dates of commits."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from page import FOLDER, Figures

import exactsched

ROOT = FOLDER.parent

# What everything imports: a change there says little about the seconds of one module.
VOCABULARY = ("exact", "model", "certificate", "conftest.py")


def stale(figures: Figures, modules: list[str]) -> Iterator[tuple[str, str]]:
    """A module of benchmarks with the reason, for each whose tables are too old."""
    for module in modules:
        stamp = figures.stamps.get(module)
        if stamp is None:
            yield module, "not measured"
            continue
        paths = [str(path.relative_to(ROOT)) for path in sorted(code_of(module))]
        date, commit, subject = _latest(tuple(paths))
        if date > stamp.time:
            yield (
                module,
                f"measured {stamp.time} at {stamp.commit}, code {date} at {commit}: {subject}",
            )


@cache
def _latest(paths: tuple[str, ...]) -> list[str]:
    """Date, commit and subject of the last commit that changes one of the files."""
    form = "--format=%cd%x00%h%x00%s"
    command = ["git", "log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", form, "--", *paths]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True, env={"TZ": "UTC"}
    )
    return done.stdout.strip().split("\0")


def code_of(module: str) -> set[Path]:
    """The files that a module of benchmarks runs: itself, and what it imports of the package.

    Through all layers, but for the vocabulary and packages as a whole (`exactsched.check`).
    """
    found: set[Path] = set()
    waiting = [FOLDER / f"{module}.py"]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        waiting += [
            other for other in _imported(path) if other.relative_to(ROOT).parts[1] not in VOCABULARY
        ]
    return found


@cache
def _imported(path: Path) -> set[Path]:
    """The files behind the imports of a file, and behind `exactsched.name` in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "exactsched":
            names = [f"exactsched.{node.attr}"]
        for name in names:
            top, _, rest = name.partition(".")
            if top == "exactsched":
                name = f"exactsched.{exactsched._HOME.get(rest, rest)}"
            file = (ROOT if top == "exactsched" else FOLDER) / f"{name.replace('.', '/')}.py"
            if file.is_file():
                found.add(file)
    return found
