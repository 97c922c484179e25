"""`exactsched export`: a certified schedule in the format of another program, judged again."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Final

from exactsched.cli.arguments import Commands, whole, writable
from exactsched.cli.terminal import say
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput

if TYPE_CHECKING:
    from exactsched.export.plan import Plan

# In which a plan for MSCCL++ is played before it is written.
_ORDERS: Final = 3


def add_export(commands: Commands) -> None:
    export = commands.add_parser(
        "export", help="write a certified schedule in the format of another program"
    )
    export.add_argument("file", metavar="FILE", help="a certificate of a series or a run")
    export.add_argument(
        "--format",
        required=True,
        choices=(*_PLANS, "simgrid"),
        help="msccl: XML for MSCCL's executor; mscclpp: JSON for MSCCL++ 0.9;"
        " simgrid: a Python program that replays the dates on SimGrid",
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
    writable(options.output, options.file)
    other = "operations" if options.format in _PLANS else "segments"
    if getattr(options, other) is not None:
        rule = f"does not go with --format {options.format}"
        raise InvalidInput(f"--{other}", getattr(options, other), rule)
    if options.format in _PLANS:
        _export_plan(options)
    else:
        _export_simgrid(options)


def _export_plan(options: Namespace) -> None:
    from exactsched.export.plan import plan

    made = plan(options.file, whole(options.segments or "1", "--segments"))
    text, told = _PLANS[options.format](made)
    write_whole(options.output, text)
    say(f"{options.output}: {told}", sys.stdout)
    nodes = ", ".join(map(str, made.ranks))
    say(f"  gpus 0 to {len(made.ranks) - 1} are the nodes {nodes}", sys.stdout)


def _export_simgrid(options: Namespace) -> None:
    from exactsched.export.simgrid import program

    count = None if options.operations is None else whole(options.operations, "--operations")
    write_whole(options.output, program(options.file, count))
    say(f"{options.output}: type python3 {options.output}, where SimGrid is installed", sys.stdout)


def _msccl(made: Plan) -> tuple[str, object]:
    from exactsched.export.msccl.verifier import verify_text
    from exactsched.export.msccl.writer import algorithm_of, text_of

    text = text_of(algorithm_of(made))
    return text, verify_text(text)


def _mscclpp(made: Plan) -> tuple[str, object]:
    from exactsched.export.mscclpp.interpreter import play
    from exactsched.export.mscclpp.writer import document_of

    document = document_of(made)
    for seed in range(_ORDERS):
        played = play(document, seed)
    return json.dumps(document, indent=1) + "\n", played


# Each returns the text of a plan, which it has judged, and what there is to say of it.
_PLANS: Final = {"msccl": _msccl, "mscclpp": _mscclpp}
