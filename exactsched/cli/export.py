"""`exactsched export`: a certified schedule in the format of another program, judged again."""

from __future__ import annotations

import sys
from argparse import Namespace

from exactsched.cli.arguments import Commands, whole, writable
from exactsched.cli.terminal import say, working
from exactsched.exact.errors import InvalidInput

_FORMATS = ("msccl", "mscclpp", "simgrid")


def add_export(commands: Commands) -> None:
    export = commands.add_parser(
        "export", help="write a certified schedule in the format of another program"
    )
    export.add_argument("file", metavar="FILE", help="a certificate of a series or a run")
    export.add_argument(
        "--format",
        choices=_FORMATS,
        help="msccl: XML for MSCCL's executor; mscclpp: JSON for MSCCL++ 0.9;"
        " simgrid: a Python program that replays the dates on SimGrid"
        " (default: what the name of the file says)",
    )
    export.add_argument(
        "--segments", metavar="K", help="msccl, mscclpp: of every chunk (default: 1)"
    )
    export.add_argument(
        "--operations", metavar="M", help="simgrid: how many operations of a series (default: 100)"
    )
    export.add_argument("-o", "--output", required=True, metavar="X", help="X.xml, X.json, or X.py")
    export.set_defaults(command=_export)


def _export(options: Namespace) -> None:
    from exactsched.export import export

    writable(options.output, options.file)
    counts = {
        name: None if written is None else whole(written, f"--{name}")
        for name, written in (("segments", options.segments), ("operations", options.operations))
    }
    try:
        with working("the plan, and a test of it"):
            done = export(options.file, options.output, options.format, **counts)
    except InvalidInput as error:
        if error.place not in ("format", *counts):
            raise
        raise InvalidInput(f"--{error.place}", error.value, error.rule) from None
    say(f"{done.path}: {done.told}", sys.stdout)
    if done.ranks:
        nodes = ", ".join(map(str, done.ranks))
        say(f"  gpus 0 to {len(done.ranks) - 1} are the nodes {nodes}", sys.stdout)
