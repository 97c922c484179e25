"""`exactsched audit`: a schedule of another program, beside the optimum."""

from __future__ import annotations

import sys
from argparse import Namespace

from exactsched.cli.arguments import Commands, add_output, nodes_named, positive, writable
from exactsched.cli.json_answer import print_json
from exactsched.cli.terminal import say
from exactsched.exact.rational import to_json


def add_audit(commands: Commands) -> None:
    audit = commands.add_parser(
        "audit", help="is another program's allgather or broadcast right, and how far from best"
    )
    audit.add_argument("file", metavar="FILE", help="the schedule")
    audit.add_argument("--platform", required=True, metavar="PLATFORM", help="where it runs")
    audit.add_argument(
        "--format",
        required=True,
        choices=("teccl", "table"),
        help="teccl: JSON of TE-CCL; table: CSV with source,chunk,sender,receiver,step;"
        " for MSCCL's XML see check --platform",
    )
    audit.add_argument("--size", default="1", metavar="S", help="of a chunk (default: 1)")
    audit.add_argument(
        "--ranks", metavar="ID,ID,...", help="the nodes 0, 1, ... (default: as in the platform)"
    )
    audit.add_argument("--source", metavar="ID", help="it is a broadcast from this node")
    add_output(audit)
    audit.set_defaults(command=_audit)


def _audit(options: Namespace) -> None:
    from exactsched.certificate import write_certificate
    from exactsched.check import check
    from exactsched.export.audit import audit, read_table, read_teccl
    from exactsched.platforms.files import load_platform

    writable(options.output, options.file)
    platform = load_platform(options.platform)
    nodes = None if options.ranks is None else nodes_named(platform, options.ranks, "--ranks")
    source = None if options.source is None else platform.node_named(options.source, "--source")
    read = read_teccl if options.format == "teccl" else read_table
    found = audit(platform, read(options.file), positive(options.size, "--size"), nodes, source)
    document = found.run.certificate()
    check(document)
    if options.output is not None:
        write_certificate(document, options.output)
    if options.json:
        summary = {
            "valid": True,
            "steps": found.steps,
            "hops": found.hops,
            "wasted": found.wasted,
            "makespan": to_json(found.run.makespan),
            "whole": to_json(found.whole),
            "bound": to_json(found.run.bound),
            "gap": to_json(found.gap),
        }
        print_json(summary, found.run, options)
    else:
        say(f"{options.file}: {found}", sys.stdout)
