"""An example or two of every command, shown at the end of its help."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Final

# Command -> what to type after `exactsched`, and what it is for.
EXAMPLES: Final[Mapping[str, Mapping[str, str]]] = {
    "": {
        "platforms": "the built-in platforms",
        "broadcast legrand-fig1 --source Ps -o fig1.json": "an optimum, and its proof",
        "check fig1.json": "the proof, verified by a program that shares no code with the solver",
        "draw fig1.json -o fig1.svg": "both as a picture",
    },
    "broadcast": {
        "broadcast legrand-fig1 --source Ps -o fig1.json": "the best throughput, and its proof",
        "broadcast grid:4x4 --source 0 --targets 3,12": "to some of the nodes",
        "broadcast grid:4x4 --source 0 --packets 20": "a finite run, every transfer timed",
        "broadcast ring:4 --source 0 --size 50": "one message, cut into packets",
    },
    "ratio": {
        "ratio ring:4 --source 0 --latency 1 -o ratio.svg": "how far from the bound",
        "ratio ring:4 --source 0 --latency 1 -o ratio.pdf --width 84mm --no-title": "for a paper",
    },
    "rounds": {"rounds ring:8 --allgather --packets 5 --ports one-port": "steps, proved fewest"},
    "scatter": {"scatter scatter-toy --source Ps --targets P0,P1": "a message of its own for each"},
    "gather": {"gather dgx-a100:2 --target gpu0 --ports link": "a message from each, at one node"},
    "alltoall": {
        "alltoall torus:4x4 -o all.json": "everybody to everybody",
        "alltoall grid:2x2 --json=full": "all routes, and when every arc works",
    },
    "allgather": {
        "allgather dgx-a100:2 -o gather.json": "two boxes of eight GPUs: 65/3 GB/s per shard",
        "allgather dgx-a100:2 --chunks 8": "at most 8 chunks per shard, and what that costs",
    },
    "reduce-scatter": {
        "reduce-scatter grid:2x3": "everybody gets his part of the sum",
        "reduce-scatter dgx-a100:2 --size 1000000 --latency 1000": "1 MB, with a start-up of 1 us",
    },
    "reduce": {"reduce grid:2x3 --target 0": "the sum at one node"},
    "mix": {
        """mix grid:2x3 '[{"collective": "alltoall"}, {"collective": "allreduce"}]'""": (
            "both, equally often"
        ),
        """mix ring:4 '[{"collective": "allgather", "within": [[0, 1], [2, 3]]},"""
        """ {"collective": "allreduce", "participants": [0, 2]}]'""": (
            "each among nodes of its own; all others only forward it"
        ),
    },
    "prefix": {"prefix reduce-toy --participants P0,P1,P2": "sums of the first ones, in order"},
    "allreduce": {
        "allreduce grid:2x3 --ports link --show": "the sum everywhere, and how",
        "allreduce dgx-a100:2 --ports link": "over switches that only forward",
        "allreduce dgx-a100:1 --bytes 1000000 --latency 1000": "1 MB, with a start-up of 1 us",
    },
    "advise": {
        "advise dgx-a100:2 --collective allgather": "which link to buy, which one not to lose"
    },
    "logp": {
        "logp broadcast --L 6 --o 2 --g 4 --P 8": "one item: time 24",
        "logp items --L 3 --P 10 --items 8": "eight items",
    },
    "logp broadcast": {"logp broadcast --L 6 --o 2 --g 4 --P 8": "one item: time 24"},
    "logp continuous": {"logp continuous --L 3 --P 10": "an item in every step"},
    "logp items": {"logp items --L 3 --P 10 --items 8": "eight items"},
    "logp allgather": {"logp allgather --L 6 --o 2 --g 4 --P 8": "everybody's item to everybody"},
    "logp alltoall": {"logp alltoall --L 6 --o 2 --g 4 --P 8": "an item for each"},
    "logp allreduce": {"logp allreduce --L 3 --P 100": "a sum that everybody gets"},
    "logp sum": {"logp sum --L 5 --o 2 --g 4 --P 8 --time 28": "as many operands as possible"},
    "overlay": {"overlay ipdps-fig1 -o overlay.json": "the best rate within the degrees"},
    "lp": {
        "lp diet.mps": "the optimum, proved",
        "lp diet.lp.gz --json": "with the point and the prices of the rows",
        "lp diet.mps -o diet.json": "a certificate for `exactsched check diet.json`",
    },
    "check": {
        "check fig1.json": "accepted or rejected, and what is proved",
        "check --kernel fig1.json": "by the checker that is proved in Rocq",
        "check plan.xml --platform dgx-a100:1": "a plan for MSCCL, compared with the optimum",
    },
    "simulate": {"simulate fig1.json --operations 100": "event by event"},
    "draw": {
        "draw fig1.json -o fig1.svg": "a picture",
        "draw fig1.json -o fig1.html": "a page with all numbers",
        "draw fig1.json -o fig1.pdf --panel gantt --width 84mm --font-size 8pt": "for a paper",
        "draw dgx-a100:2 -o boxes.svg": "a platform: shaded nodes are switches",
    },
    "platforms": {"platforms": "their names, sizes, and where they are from"},
    "export": {"export gather.json --format msccl -o plan.xml": "for GPUs"},
    "run": {"run gather.json --bytes 1000000": "under `mpiexec -n N`: on ranks of MPI"},
    "audit": {
        "audit schedule.json --platform mesh.json --format teccl": "another program's schedule"
    },
    "sweep": {
        "sweep 'broadcast random:{n},80,{seed} --source 0' n=10,20 seed=1..50 -o t.csv": (
            "a hundred optima in a table"
        ),
    },
    "verify": {
        "verify beaumont2003.thm8 --instances 100": "a theorem on random instances",
        "verify --list": "the theorems",
    },
}


class _Raw(argparse.HelpFormatter):
    """Texts of several lines keep their lines."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" in text:
            return "\n\n".join(
                part
                if part.startswith("examples:")
                else super(_Raw, self)._fill_text(part, width, indent)
                for part in text.split("\n\n")
            )
        return super()._fill_text(text, width, indent)


def add_examples(parser: argparse.ArgumentParser, name: str = "") -> None:
    """Puts the examples under the help of every command below this parser."""
    for commands in parser._actions:
        if isinstance(commands, argparse._SubParsersAction):
            for word, command in commands.choices.items():
                add_examples(command, f"{name} {word}".strip())
    if name in EXAMPLES:
        lines = [
            f"  exactsched {words:<{_width(name)}}  {about}"
            for words, about in EXAMPLES[name].items()
        ]
        shown = "\n".join(["examples:", *lines])
        parser.epilog = f"{parser.epilog}\n\n{shown}" if parser.epilog else shown
        parser.formatter_class = _Raw


def _width(name: str) -> int:
    return max(map(len, EXAMPLES[name]))
