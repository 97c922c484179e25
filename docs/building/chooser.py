"""Stored answers of built-in platforms, from commands that the build runs: `docs/choose.md`.

Every row is what the command line printed, after its checker had accepted it, and the picture of
its certificate. The page is one table; a script without a library shows one row of it as a card.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from html import escape
from io import StringIO
from pathlib import Path
from typing import NamedTuple

GRAPHS = (
    *("grid:3x3", "torus:3x3", "hypercube:3", "complete:5", "ring:6", "star:5", "cubic-16"),
    *("butterfly:2", "dragonfly:2,1", "random:6,14,1"),
)
SWITCHED = (
    *("dgx-a100:1", "dgx-a100:2", "dgx-h100:1", "mi250:1", "fat-tree:4", "leaf-spine:2,1,2"),
)
PORTS = ("one-port", "half-duplex", "link")
AMONG_ALL = ("allgather", "alltoall", "allreduce", "reduce-scatter")
OF_PAPERS = (
    *(f"broadcast legrand-fig1 --source Ps --ports {ports}" for ports in PORTS),
    "scatter scatter-toy --source Ps --targets P0,P1 --ports one-port",
    "reduce reduce-toy --target P0 --participants P0,P1,P2 --ordered --ports one-port",
    "reduce tiers-2003 --target 6 --ports one-port",
)
# The only reason for which a question of the page has no answer.
REFUSED = "half-duplex: "


class Question(NamedTuple):
    """A command, and the three words by which one chooses it."""

    command: str
    platform: str
    collective: str
    ports: str


class Answer(NamedTuple):
    """What the command printed, its line `why`, and the picture; of a refusal the reason only."""

    printed: str
    short: str
    why: str
    picture: str


def questions() -> Iterator[Question]:
    """All questions of the page, in its order."""
    commands = list(OF_PAPERS)
    for platform in GRAPHS:
        for ports in PORTS:
            commands.append(f"broadcast {platform} --source 0 --ports {ports}")
            commands += [f"{collective} {platform} --ports {ports}" for collective in AMONG_ALL]
    for platform in SWITCHED:
        commands += [f"{collective} {platform} --ports link" for collective in AMONG_ALL]
    for command in commands:
        collective, platform, *_, ports = command.split()
        yield Question(command, platform, collective, ports)


def answer(question: Question) -> Answer:
    """Runs the command, and draws the certificate that it writes.

    Raises `RuntimeError` if it has no answer, and half-duplex is not the reason.
    """
    from exactsched import read
    from exactsched.cli import main

    out, err = StringIO(), StringIO()
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "answer.json")
        with redirect_stdout(out), redirect_stderr(err):
            code = main([*question.command.split(), "-o", file])
        if code == 2 and REFUSED in err.getvalue():
            reason = err.getvalue().strip().removeprefix("exactsched: ")
            return Answer(reason, "no answer", reason, "")
        if code:
            raise RuntimeError(f"{question.command}: {err.getvalue()}")
        picture = read(file)._repr_svg_()  # type: ignore[attr-defined]
    lines = [line for line in out.getvalue().splitlines() if not line.startswith("  certificate")]
    reasons = [line.split(None, 1)[1] for line in lines if line.startswith("  why")]
    short = lines[0].removeprefix(f"{question.platform}: ").partition(" (")[0]
    return Answer("\n".join(lines), short.partition(":")[0], "; ".join(reasons), picture)


def page(answered: list[tuple[Question, Answer]], folder: Path) -> str:
    """The table of all answers, and the script; pictures are written into the folder beside it."""
    rows = []
    folder.mkdir(parents=True, exist_ok=True)
    for number, (question, given) in enumerate(answered):
        command = escape(f"exactsched {question.command}")
        cells = [question.platform, question.collective, question.ports, given.short, given.why]
        link = ""
        if given.picture:
            folder.joinpath(f"{number}.svg").write_text(given.picture, encoding="utf-8")
            link = f'<a href="{folder.name}/{number}.svg">picture</a>'
        rows.append(
            f'<tr data-printed="{escape(given.printed)}">'
            + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
            + f"<td><code>{command}</code></td><td>{link}</td></tr>"
        )
    heads = ("platform", "question", "ports", "answer", "why not more", "command", "")
    head = "".join(f"<th>{name}</th>" for name in heads)
    script = Path(__file__).with_name("chooser.js").read_text()
    return (
        '<div id="chooser" hidden></div>\n<details id="answers" open><summary>All answers</summary>'
        f'<div class="table-wrapper"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{chr(10).join(rows)}\n</tbody></table></div></details>\n"
        f"<script>\n{script}</script>"
    )
