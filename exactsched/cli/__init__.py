"""The command line: ask for an optimum, check a certificate, play it, draw it.

Exit codes: 0 done, 1 refuted or rejected, 2 bad input (one line on standard error),
130 interrupted, with the interval known where a search can end early.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

from exactsched.cli.completion import complete
from exactsched.cli.examples import add_examples
from exactsched.cli.terminal import INTERRUPTED, complain
from exactsched.exact.errors import InvalidInput, Rejected

DONE, REFUTED, BAD_INPUT = 0, 1, 2

# The commands as the help lists them: the module of each, and the function there that adds it.
COMMANDS: Final = {
    "broadcast": ("broadcast", "add_broadcast"),
    "ratio": ("broadcast", "add_ratio"),
    "rounds": ("rounds", "add_steps"),
    **dict.fromkeys(
        ("scatter", "gather", "alltoall", "allgather", "reduce-scatter", "reduce", "mix", "prefix"),
        ("collectives", "add_collectives"),
    ),
    "allreduce": ("collectives", "add_collectives"),
    "advise": ("advise", "add_advise"),
    "logp": ("logp", "add_logp"),
    "overlay": ("overlay", "add_overlay"),
    "lp": ("lp", "add_lp"),
    **dict.fromkeys(
        ("check", "simulate", "draw", "platforms"), ("certificates", "add_certificate_commands")
    ),
    "export": ("export", "add_export"),
    "run": ("run", "add_run"),
    "audit": ("audit", "add_audit"),
    "sweep": ("sweep", "add_sweep"),
    "verify": ("verify", "add_verify"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; without any words it prints the help."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = _parser(*words[:1]).parse_args(words or ["--help"])
        # A command returns nothing, or an exit code of its own.
        code: int | None = options.command(options)
        print(end="", flush=True)
        return DONE if code is None else code
    except Rejected as error:
        return complain(error, REFUTED)
    except InvalidInput as error:
        return complain(error, BAD_INPUT)
    except OSError as error:
        place = error.filename
        if place is None:
            place = "standard output"
            # What is left in its buffer would make Python complain again when it exits.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):  # the reader has left
                return DONE
        return complain(f"{place}: {error.strerror}: cannot be written", BAD_INPUT)
    except KeyboardInterrupt:
        return complain("interrupted", INTERRUPTED)


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, too; those of the commands are of this class."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        # `--re 3` would mean --report today and be ambiguous once there is --repeat.
        super().__init__(*arguments, **{"allow_abbrev": False} | options)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            from difflib import get_close_matches

            near = get_close_matches(str(value), map(str, action.choices or ()), 1)
            if near:
                error.message = f"invalid choice: {value!r}: did you mean {near[0]}?"
            raise

    def error(self, message: str) -> NoReturn:
        self.exit(complain(f"{message} (see {self.prog} --help)", BAD_INPUT))


def _parser(word: str = "") -> _Parser:
    """The parser of a command, or of all: a third of the time to start is that of the others."""
    from exactsched import __version__

    parser = _Parser(
        prog="exactsched",
        description="Certified optimal communication schedules, in exact arithmetic.",
        epilog="PLATFORM is a built-in name such as grid:4x4 (see `exactsched platforms`), or a"
        " file: networkx node-link JSON, GraphML, GML or DOT, arcs with an attribute `cost`, a"
        " CSV table with columns tail,head,cost, a Matrix Market matrix, the XML of"
        " SimGrid, or a topology that NCCL has dumped: box.xml:2 stands for two such boxes,"
        " a.xml,b.xml for different ones.",
    )
    parser.add_argument("--version", action="version", version=f"exactsched {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    for module, add in [COMMANDS[word]] if word in COMMANDS else dict.fromkeys(COMMANDS.values()):
        getattr(import_module(f"{__name__}.{module}"), add)(commands)
    add_examples(parser)
    if "_ARGCOMPLETE" in os.environ:  # set by the shell while it completes a command
        complete(parser)
    return parser
