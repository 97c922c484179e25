"""Arguments of the command line as numbers, nodes, platforms and files."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, Namespace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact
from exactsched.model.problem import ALL_PORTS

if TYPE_CHECKING:
    from exactsched.model.platform import Node, Platform

# The subparsers of argparse have no public type.
Commands = Any


def add_ports(asked: ArgumentParser, single: str = "", default: str = "one-port") -> None:
    """The port model; without a default if there is an option `single` for one operation."""
    other = f"; with {single}: link" if single and default != "link" else ""
    asked.add_argument(
        "--ports",
        choices=ALL_PORTS,
        default=None if other else default,
        help=f"the port model (default: {default}{other})",
    )


def add_output(asked: ArgumentParser) -> None:
    asked.add_argument("-o", "--output", metavar="FILE", help="write the certificate here")
    asked.add_argument("--json", action="store_true", help="print one JSON object")
    # An option of its own: one with an optional value would take the next argument for it.
    asked.add_argument(
        "--json=full",
        dest="json",
        action="store_const",
        const="full",
        help="with its tables: the schedule, trees, rates, ...",
    )


def add_look(asked: ArgumentParser) -> None:
    """How wide a picture is, and how large its letters are."""
    asked.add_argument(
        "--width", metavar="W", help="lay the picture out for a column: 84mm, 240pt, 640px"
    )
    asked.add_argument(
        "--font-size", metavar="S", help="the size of its letters, such as 8pt (default: 11px)"
    )


def add_picture(asked: ArgumentParser, what: str) -> None:
    asked.add_argument(
        "-o", "--output", metavar="X", help=f"draw {what} here: X.svg, X.pdf or X.png"
    )
    asked.add_argument("--no-title", action="store_true", help="the picture without title")
    add_look(asked)


def look_of_picture(options: Namespace, read: str, panel: str) -> dict[str, str | None]:
    """What `add_picture` asks of the picture; errors come before a long solution, not after it.

    Without the title it is the panel alone.
    """
    from exactsched.drawing.paper import paper
    from exactsched.drawing.printing import able_to_write

    look = {"width": options.width, "font_size": options.font_size}
    if options.output is None:
        for name, given in look.items():
            if given is not None:
                option = f"--{name.replace('_', '-')}"
                raise InvalidInput(option, given, "goes with a picture: -o X.svg")
    else:
        writable(options.output, read, picture=True)
        able_to_write(options.output)
        paper(**look)
    if options.no_title:
        if options.output is None:
            raise InvalidInput("--no-title", True, "goes with a picture: -o X.svg")
        look["panel"] = panel
    return look


def add_latency(asked: ArgumentParser) -> None:
    asked.add_argument(
        "--latency", metavar="T", help="of every arc (default: the attribute `latency` of each)"
    )


def with_latency(platform: Platform, written: str | None) -> Platform:
    """The platform with this latency on every arc, if one is given."""
    if written is None:
        return platform
    latency = exact(written, "--latency")
    if latency < 0:
        raise InvalidInput("--latency", written, "a latency is not negative")
    arcs = [(arc.tail, arc.head, arc.cost, latency) for arc in platform.arcs]
    return platform.with_arcs(arcs)


# Thirty years in seconds: a longer time limit is none, and may not fit into a float.
LONGEST = Fraction(10**9)


def add_time_limit(asked: ArgumentParser, about: str) -> None:
    asked.add_argument("--time-limit", metavar="SECONDS", help=about)


def seconds_in(options: Namespace) -> float | None:
    """What --time-limit says."""
    if options.time_limit is None:
        return None
    return float(min(positive(options.time_limit, "--time-limit"), LONGEST))


def platform_and_source(options: Namespace) -> tuple[Platform, Node]:
    from exactsched.platforms.files import load_platform

    platform = load_platform(options.platform)
    return platform, platform.node_named(options.source, "--source")


# Names of pictures and pages: a certificate in such a file would be opened as what it is not.
_PICTURES = (".svg", ".html", ".htm", ".png", ".pdf")


def writable(
    path: str | None, read: str | None = None, option: str = "-o", *, picture: bool = False
) -> None:
    """Say at once, not after a long solution, that a file cannot be written.

    Nor may it be the one that is read: `draw X -o X.json` would replace a certificate.  Only where
    a `picture` is written may its name be that of one.
    """
    if path is None:
        return
    if not picture and path.lower().endswith(_PICTURES):
        name = Path(path)
        certificate = name.with_suffix(".json")
        rule = f"not a picture; type {option} {certificate}"
        if option == "-o":
            rule += f", then exactsched draw {certificate} -o {name.with_suffix('.svg')}"
        raise InvalidInput(option, path, rule)
    folder = Path(path).parent
    if not folder.is_dir():
        raise InvalidInput(option, path, f"there is no folder {folder}")
    if Path(path).is_dir():
        raise InvalidInput(option, path, "this is a folder; name a file in it")
    if not os.access(folder, os.W_OK):
        raise InvalidInput(option, path, f"the folder {folder} cannot be written to")
    if option == "--vipr" and path.lower().endswith(".gz"):
        raise InvalidInput(option, path, "only certificates are packed; name a file without .gz")
    if read is not None and os.path.realpath(path) == os.path.realpath(read):
        raise InvalidInput(option, path, "this is the file to be read; name another one")


def whole(written: str, option: str) -> int:
    number = positive(written, option)
    if number.denominator != 1:
        raise InvalidInput(option, written, "a whole number")
    return number.numerator


def whole_from_0(written: str, option: str) -> int:
    number = exact(written, option)
    if number.denominator != 1 or number < 0:
        raise InvalidInput(option, written, "a whole number, 0 or more")
    return number.numerator


def positive(written: str, option: str) -> Fraction:
    number = exact(written, option)
    if number <= 0:
        raise InvalidInput(option, written, "a positive number")
    return number


def nodes_named(platform: Platform, written: str, option: str) -> tuple[Node, ...]:
    """The nodes of a list a,b,c; a list in JSON where names have commas in them."""
    return tuple(platform.node_named(name, option) for name in _listed(written, option))


def list_in(written: str) -> list[Any]:
    """A JSON list, or what the file of this name holds: one; numbers with a point stay text."""
    text = written
    if not written.startswith("["):
        try:
            text = Path(written).read_text(encoding="utf-8")
        except OSError as error:
            raise InvalidInput(written, str(error.strerror), "a file that can be read") from None
        except ValueError:
            raise InvalidInput(written, "no text", "a JSON list, in UTF-8") from None
    try:
        listed = json.loads(text, parse_float=str)
    except (ValueError, RecursionError):
        raise InvalidInput("list", text[:40], "a JSON list") from None
    if not isinstance(listed, list):
        raise InvalidInput(written, type(listed).__name__, "a JSON list")
    return listed


def compute_times(
    platform: Platform, written: str | None
) -> Fraction | dict[Node, Fraction] | None:
    """What --compute says: nothing, a time for all nodes, or the times of some.

    A list is a=1,b=1/2, or an object in JSON where names have commas or equality signs in them.
    """
    if written is None:
        return None
    if "=" not in written and not written.startswith("{"):
        return positive(written, "--compute")
    times: dict[Node, Fraction] = {}
    for name, time in _pairs(written, "--compute"):
        node = platform.node_named(name, "--compute")
        if node in times:
            raise InvalidInput("--compute", name, "this node is given twice")
        times[node] = positive(time, f"--compute, {name}")
    return times


def _pairs(written: str, option: str) -> list[tuple[str, str]]:
    if not written.startswith("{"):
        parts = [part.rpartition("=") for part in written.split(",")]
        if not all(sign for _, sign, _ in parts):
            raise InvalidInput(option, written, "one time, or a time for each: a=1,b=1/2")
        return [(name, time) for name, _, time in parts]
    try:
        times = json.loads(written, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        rule = 'times by node: a=1,b=1/2 or {"a": 1, "b": "1/2"}'
        raise InvalidInput(option, written, rule) from None
    return [(name, str(time)) for name, time in times.items()]


def numbers_in(written: str, option: str) -> list[Fraction]:
    """The positive numbers of a list 1,3/2,0.25."""
    return [positive(number, option) for number in written.split(",")]


def _listed(written: str, option: str) -> list[str]:
    if not written.startswith("["):
        return written.split(",")
    try:
        names = json.loads(written)
    except (ValueError, RecursionError):
        raise InvalidInput(option, written, 'a list of names: a,b,c or ["a", "b", "c"]') from None
    return [str(name) for name in names]
