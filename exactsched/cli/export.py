"""`exactsched export`: a certified schedule in the format of another program, judged again."""

from __future__ import annotations

import sys
from argparse import Namespace

from exactsched.cli.arguments import Commands, whole, writable
from exactsched.cli.terminal import say

FORMATS = ("msccl",)


def add_export(commands: Commands) -> None:
    export = commands.add_parser(
        "export", help="write a certified schedule in the format of another program"
    )
    export.add_argument("file", metavar="FILE", help="a certificate of a series or a run")
    export.add_argument(
        "--format", required=True, choices=FORMATS, help="msccl: XML for MSCCL's executor"
    )
    export.add_argument("--segments", default="1", metavar="K", help="of every chunk (default: 1)")
    export.add_argument("-o", "--output", required=True, metavar="X", help="X.xml")
    export.set_defaults(command=_export)


def _export(options: Namespace) -> None:
    from exactsched.exact.atomic_files import write_whole
    from exactsched.export.msccl.verifier import verify_text
    from exactsched.export.msccl.writer import algorithm_of, text_of
    from exactsched.export.plan import plan

    writable(options.output, options.file)
    made = plan(options.file, whole(options.segments, "--segments"))
    text = text_of(algorithm_of(made))
    verified = verify_text(text)
    write_whole(options.output, text)
    say(f"{options.output}: {verified}", sys.stdout)
    nodes = ", ".join(map(str, made.ranks))
    say(f"  gpus 0 to {len(made.ranks) - 1} are the nodes {nodes}", sys.stdout)
