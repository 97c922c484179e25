"""The command `overlay`: broadcast overlays on bounded multi-port machines."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable
from fractions import Fraction
from io import StringIO
from typing import TYPE_CHECKING, Any

from exactsched.cli.arguments import LONGEST, Commands, add_output, positive, whole, writable
from exactsched.cli.json_answer import print_json
from exactsched.cli.machines import INSTANCES, load_machine
from exactsched.cli.terminal import Progress, say_rows
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import to_json
from exactsched.exact.words import counted

if TYPE_CHECKING:
    from exactsched.certificate.overlay import Overlay
    from exactsched.check.proved import ProvedOverlay
    from exactsched.model.machine import MultiPort

# At most this number of arcs is listed.
SHOWN = 8
# An optimum is NP-hard to find: what is found in this time is good, or the interval is shown.
SECONDS = 60


def add_overlay(commands: Commands) -> None:
    asked = commands.add_parser(
        "overlay",
        help="the fastest broadcast if nodes send to a few others at once",
        description="The fastest broadcast overlay on a bounded multi-port machine.",
        epilog=INSTANCES,
    )
    asked.add_argument("instance", metavar="INSTANCE", help="a machine: a built-in name or a file")
    asked.add_argument(
        "--method",
        choices=tuple(_METHODS),
        default="exact",
        help="exact: the optimum within the degrees, or an interval (default);"
        " augmented: one receiver too many at most, and nothing within the degrees is faster;"
        " acyclic: the same without cycles; tree: the best tree; unconstrained: without degrees;"
        " bound: only what nothing within the degrees exceeds",
    )
    asked.add_argument("--degree", metavar="D", help="of every node, if the file has no degrees")
    asked.add_argument(
        "--time-limit",
        metavar="SECONDS",
        help=f"for exact: then give an interval (default: {SECONDS})",
    )
    asked.add_argument("--nodes", metavar="N", help="for exact: at most N cases in every search")
    asked.add_argument(
        "--trees", action="store_true", help="print the overlay as weighted spanning trees, too"
    )
    asked.add_argument(
        "--vipr", metavar="FILE", help="write the bound as a VIPR certificate, for viprchk"
    )
    add_output(asked)
    asked.set_defaults(command=_overlay)


def _overlay(options: Namespace) -> None:
    from exactsched.certificate import write_certificate
    from exactsched.check import check

    _refuse_what_does_not_fit(options)
    degree = None if options.degree is None else whole(options.degree, "--degree")
    machine = load_machine(options.instance, degree)
    found = _METHODS[options.method](machine, options)
    # What is printed is what the checker has just proved, not what the solver believes.
    claim = check(found)
    trees = _trees(found) if options.trees else None
    if options.output:
        write_certificate(found, options.output)
    if options.json:
        _print_json(claim, found, trees, options)
    else:
        say_rows(_rows(claim, found, trees, options))
    if options.vipr:
        _write_vipr(found, options)


def _refuse_what_does_not_fit(options: Namespace) -> None:
    for option, value in (("--time-limit", options.time_limit), ("--nodes", options.nodes)):
        if value is not None and options.method != "exact":
            raise InvalidInput(option, value, "goes with --method exact only")
    if options.trees and options.method == "bound":
        raise InvalidInput("--trees", "bound", "a bound has no overlay; choose another --method")
    if options.vipr is not None and options.method in ("tree", "acyclic"):
        rule = "a VIPR certificate is about all overlays within the degrees: use another --method"
        raise InvalidInput("--vipr", options.method, rule)
    writable(options.output, options.instance)
    writable(options.vipr, options.instance, "--vipr")
    written = [path for path in (options.vipr, options.output) if path is not None]
    if len(written) > len({os.path.realpath(path) for path in written}):
        raise InvalidInput("--vipr", options.vipr, "this is the file of the certificate, too")


def _exact(machine: MultiPort, options: Namespace) -> Overlay:
    from exactsched.overlay.exact import optimal_overlay

    seconds = Fraction(SECONDS)
    if options.time_limit is not None:
        seconds = min(positive(options.time_limit, "--time-limit"), LONGEST)
    nodes = None if options.nodes is None else whole(options.nodes, "--nodes")
    with Progress() as progress:
        return optimal_overlay(
            machine,
            time_limit=float(seconds),
            node_limit=nodes,
            progress=progress.between,
        )


def _augmented(machine: MultiPort, _: Namespace) -> Overlay:
    from exactsched.overlay.augmented import augmented_overlay

    return augmented_overlay(machine)


def _acyclic(machine: MultiPort, _: Namespace) -> Overlay:
    from exactsched.overlay.sequential import acyclic_overlay

    return acyclic_overlay(machine)


def _tree(machine: MultiPort, _: Namespace) -> Overlay:
    from exactsched.overlay.tree import best_tree

    return best_tree(machine)


def _unconstrained(machine: MultiPort, _: Namespace) -> Overlay:
    from exactsched.overlay.augmented import unconstrained_overlay

    return unconstrained_overlay(machine)


def _bound(machine: MultiPort, _: Namespace) -> Overlay:
    """Nothing is sent, and nothing within the degrees is faster than the bound."""
    from exactsched.certificate.overlay import Overlay
    from exactsched.overlay.bounds import throughput_bound

    bound = throughput_bound(machine)
    return Overlay(machine, "any", 1, (), Fraction(0), bound, (), bound == 0)


_METHODS: dict[str, Callable[[MultiPort, Namespace], Overlay]] = {
    "exact": _exact,
    "augmented": _augmented,
    "acyclic": _acyclic,
    "tree": _tree,
    "unconstrained": _unconstrained,
    "bound": _bound,
}

# Weight, and the arcs (sender, receiver) of a spanning tree.
Tree = tuple[Fraction | int, list[tuple[int, int]]]


def _trees(found: Overlay) -> list[Tree]:
    from exactsched.check import check
    from exactsched.overlay.shares import overlay_trees

    decomposition = overlay_trees(found)
    check(decomposition)
    return [
        (weight, [decomposition.arcs[arc] for arc in arcs]) for weight, arcs in decomposition.trees
    ]


def _print_json(
    claim: ProvedOverlay, found: Overlay, trees: list[Tree] | None, options: Namespace
) -> None:
    summary: dict[str, Any] = {
        "method": options.method,
        "throughput": to_json(claim.throughput),
        "bound": to_json(claim.bound),
        "optimal": claim.optimal,
        "excess": claim.excess,
        "arcs": claim.arcs,
    }
    if trees is not None:
        summary["trees"] = [
            {"weight": to_json(weight), "arcs": [list(arc) for arc in arcs]}
            for weight, arcs in trees
        ]
    print_json(summary, found, options)


def _rows(
    claim: ProvedOverlay, found: Overlay, trees: list[Tree] | None, options: Namespace
) -> list[tuple[str, str]]:
    from exactsched.check.proved import shown
    from exactsched.drawing.overlay.traffic import Traffic
    from exactsched.drawing.words.overlay import bound_in_short

    traffic = Traffic(found)
    headline = str(claim)
    if options.method == "bound":
        headline = f"no overlay within the degrees has a throughput above {shown(claim.bound)}"
    rows = [(options.instance, headline)]
    listed = [
        f"{traffic.name(sender)}->{traffic.name(receiver)} at {shown(traffic.rate(parts))}"
        for (sender, receiver, _), parts in zip(
            found.arcs[:SHOWN], traffic.amounts[:SHOWN], strict=True
        )
    ]
    if len(found.arcs) > SHOWN:
        listed.append("...")
    if listed:
        if found.parts > 1:
            rows.append(("message", f"in {counted(found.parts, 'equal part')}"))
        rows.append(("sent", ", ".join(listed)))
    if trees is not None:
        rows += [
            (
                f"tree {index}",
                f"{shown(weight)}: "
                + " ".join(f"{traffic.name(i)}->{traffic.name(j)}" for i, j in arcs),
            )
            for index, (weight, arcs) in enumerate(trees, 1)
        ]
    rows.append(("why", bound_in_short(traffic)))
    if options.output:
        rows.append(("certificate", options.output))
    return rows


def _write_vipr(found: Overlay, options: Namespace) -> None:
    from exactsched.check.linear_programs.vipr import check_vipr
    from exactsched.exact.atomic_files import write_whole
    from exactsched.overlay.vipr import write_vipr

    stream = StringIO()
    try:
        write_vipr(found, stream)
    except InvalidInput as error:
        raise InvalidInput("--vipr", options.vipr, f"nothing is written: {error.rule}") from error
    claim = check_vipr(stream.getvalue())
    write_whole(options.vipr, stream.getvalue())
    if not options.json:
        say_rows([(options.vipr, str(claim))])
