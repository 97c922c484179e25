"""`exactsched export`: a certified schedule in the format of another program, judged again."""

from __future__ import annotations

import sys
from argparse import Namespace

from exactsched.cli.arguments import Commands, whole, writable
from exactsched.cli.terminal import say
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput

FORMATS = ("msccl", "simgrid")


def add_export(commands: Commands) -> None:
    export = commands.add_parser(
        "export", help="write a certified schedule in the format of another program"
    )
    export.add_argument("file", metavar="FILE", help="a certificate of a series or a run")
    export.add_argument(
        "--format",
        required=True,
        choices=FORMATS,
        help="msccl: XML for MSCCL's executor;"
        " simgrid: a Python program that replays the dates on SimGrid",
    )
    export.add_argument("--segments", metavar="K", help="msccl: of every chunk (default: 1)")
    export.add_argument(
        "--operations", metavar="M", help="simgrid: how many operations of a series (default: 100)"
    )
    export.add_argument("-o", "--output", required=True, metavar="X", help="X.xml, or X.py")
    export.set_defaults(command=_export)


def _export(options: Namespace) -> None:
    writable(options.output, options.file)
    other = "operations" if options.format == "msccl" else "segments"
    if getattr(options, other) is not None:
        rule = f"does not go with --format {options.format}"
        raise InvalidInput(f"--{other}", getattr(options, other), rule)
    if options.format == "msccl":
        _export_msccl(options)
    else:
        _export_simgrid(options)


def _export_msccl(options: Namespace) -> None:
    from exactsched.export.msccl.verifier import verify_text
    from exactsched.export.msccl.writer import algorithm_of, text_of
    from exactsched.export.plan import plan

    made = plan(options.file, whole(options.segments or "1", "--segments"))
    text = text_of(algorithm_of(made))
    verified = verify_text(text)
    write_whole(options.output, text)
    say(f"{options.output}: {verified}", sys.stdout)
    nodes = ", ".join(map(str, made.ranks))
    say(f"  gpus 0 to {len(made.ranks) - 1} are the nodes {nodes}", sys.stdout)


def _export_simgrid(options: Namespace) -> None:
    from exactsched.export.simgrid import program

    count = None if options.operations is None else whole(options.operations, "--operations")
    write_whole(options.output, program(options.file, count))
    say(f"{options.output}: type python3 {options.output}, where SimGrid is installed", sys.stdout)
