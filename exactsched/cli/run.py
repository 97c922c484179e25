"""`exactsched run`: a certified schedule on real ranks of MPI."""

from __future__ import annotations

import dataclasses
import json
import sys
from argparse import Namespace

from exactsched.cli.arguments import Commands, whole
from exactsched.cli.terminal import say
from exactsched.exact.errors import InvalidInput, Rejected


def add_run(commands: Commands) -> None:
    run = commands.add_parser(
        "run",
        help="carry a certified schedule out on ranks of MPI",
        description="mpiexec -n N exactsched run FILE: one operation of the schedule, every byte"
        " compared with MPI's own collective.",
    )
    run.add_argument("file", metavar="FILE", help="a certificate of a series or a run")
    run.add_argument("--bytes", default="1048576", metavar="B", help="of a vector of size 1")
    run.add_argument("--repeat", default="1", metavar="R", help="the shortest of R times counts")
    run.add_argument("--segments", metavar="K", help="of every chunk (default: of 1 MiB at most)")
    run.add_argument("--json", action="store_true", help="print one JSON object")
    run.set_defaults(command=_run)


def _run(options: Namespace) -> int | None:
    from exactsched.export.mpi import libraries
    from exactsched.export.mpi_run import run_plan

    numbers = {
        option: whole(text, f"--{option}")
        for option in ("bytes", "repeat", "segments")
        if (text := getattr(options, option)) is not None
    }
    mpi, _ = libraries()
    first = mpi.COMM_WORLD.Get_rank() == 0
    try:
        report = run_plan(
            options.file, numbers["bytes"], numbers["repeat"], numbers.get("segments")
        )
    except (InvalidInput, Rejected) as error:
        if first:
            raise
        return 1 if isinstance(error, Rejected) else 2  # rank 0 says why
    if report is None:  # not rank 0
        return None
    if options.json:
        print(json.dumps(dataclasses.asdict(report)))
    else:
        say(str(report), sys.stdout)
    return None
