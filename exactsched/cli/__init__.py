"""The command line: ask for an optimum, check a certificate, play it, draw it.

Exit codes: 0 done, 1 refuted or rejected, 2 bad input (one line on standard error),
130 interrupted, with the interval known where a search can end early.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from exactsched.cli.advise import add_advise
from exactsched.cli.audit import add_audit
from exactsched.cli.broadcast import add_broadcast, add_ratio
from exactsched.cli.certificates import add_certificate_commands
from exactsched.cli.collectives import add_collectives
from exactsched.cli.completion import complete
from exactsched.cli.examples import add_examples
from exactsched.cli.export import add_export
from exactsched.cli.logp import add_logp
from exactsched.cli.lp import add_lp
from exactsched.cli.overlay import add_overlay
from exactsched.cli.rounds import add_steps
from exactsched.cli.run import add_run
from exactsched.cli.sweep import add_sweep
from exactsched.cli.terminal import INTERRUPTED, complain
from exactsched.cli.verify import add_verify
from exactsched.exact.errors import InvalidInput, Rejected

DONE, REFUTED, BAD_INPUT = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; without any words it prints the help."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = _parser().parse_args(words or ["--help"])
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
            near = get_close_matches(str(value), map(str, action.choices or ()), 1)
            if near:
                error.message = f"invalid choice: {value!r}: did you mean {near[0]}?"
            raise

    def error(self, message: str) -> NoReturn:
        self.exit(complain(f"{message} (see {self.prog} --help)", BAD_INPUT))


def _parser() -> _Parser:
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

    add_broadcast(commands)
    add_ratio(commands)
    add_steps(commands)
    add_collectives(commands)
    add_advise(commands)
    add_logp(commands)
    add_overlay(commands)
    add_lp(commands)
    add_certificate_commands(commands)
    add_export(commands)
    add_run(commands)
    add_audit(commands)
    add_sweep(commands)
    add_verify(commands)
    add_examples(parser)
    if "_ARGCOMPLETE" in os.environ:  # set by the shell while it completes a command
        complete(parser)
    return parser
