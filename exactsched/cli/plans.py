"""`check` for plans of other programs: recognized by their content, compared with a platform."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exactsched.cli.arguments import nodes_named
from exactsched.cli.terminal import say
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import to_json
from exactsched.model.problem import PORTS

if TYPE_CHECKING:
    from exactsched.check.__main__ import Judgment
    from exactsched.export.msccl.verifier import Verified

# Enough for a byte order mark and what an editor puts before the first element.
_LOOK_AT = 4096


def add_comparison(check: ArgumentParser) -> None:
    plans = check.add_argument_group("plans in MSCCL's XML")
    plans.add_argument(
        "--platform", metavar="PLATFORM", help="compare the work of its links with the optimum"
    )
    plans.add_argument(
        "--ranks", metavar="ID,ID,...", help="the node of every gpu (default: all but switches)"
    )
    plans.add_argument("--ports", choices=PORTS, help="the port model (default: link)")


def check_files(options: Namespace) -> int:
    """One line for each file; the exit code is the worst."""
    from exactsched.check.__main__ import judged, verdict

    plans = {path for path in options.files if _is_xml(path)}
    for option in ("platform", "ranks", "ports"):
        value = getattr(options, option)
        if value is not None and len(plans) < len(options.files):
            raise InvalidInput(f"--{option}", value, "goes with plans in MSCCL's XML only")
        if value is not None and options.platform is None:
            raise InvalidInput(f"--{option}", value, "goes with --platform only")
        if value is not None and options.json:
            raise InvalidInput(f"--{option}", value, "not together with --json")

    if options.json:
        found = [judged(path, _judge(path in plans)) for path in options.files]
        objects = [_object(path, one) for path, one in zip(options.files, found, strict=True)]
        print(json.dumps({"files": objects}))
        return max(one.code for one in found)
    return max(
        _check_plan(path, options) if path in plans else verdict(path) for path in options.files
    )


def _judge(is_plan: bool) -> Callable[[str], object]:
    from exactsched.check.__main__ import proved_by

    if not is_plan:
        return proved_by
    from exactsched.export.msccl.verifier import verify

    return verify


def _object(path: str, found: Judgment) -> dict[str, Any]:
    """The verdict with the members of what is proved that are words, numbers or truth values."""
    members = {"file": path, "verdict": found.word}
    if found.claim is None:
        return members | {"error": found.said}
    claim: Any = found.claim
    names = ["kind", *(field.name for field in fields(claim)), "optimal"]
    values = {name: getattr(claim, name) for name in names if hasattr(claim, name)}
    plain = {
        name: value
        if isinstance(value, bool) or not isinstance(value, (int, Fraction))
        else to_json(value)
        for name, value in values.items()
        if isinstance(value, (str, int, Fraction))
    }
    return members | plain | {"proved": str(claim)}


def _check_plan(path: str, options: Namespace) -> int:
    from exactsched.check.__main__ import verdict

    found: list[Verified] = []

    def judged(path: str) -> Verified:
        from exactsched.export.msccl.verifier import verify

        found.append(verify(path))
        return found[-1]

    code = verdict(path, judged)
    if found and options.platform is not None:
        _compare(found[-1], options)
    return code


def _compare(plan: Verified, options: Namespace) -> None:
    from exactsched.export.msccl.loads import compare
    from exactsched.platforms.files import load_platform

    platform = load_platform(options.platform)
    ranks = None if options.ranks is None else nodes_named(platform, options.ranks, "--ranks")
    comparison = compare(plan, platform, ranks, options.ports or "link")
    say(f"on {options.platform}: {comparison}", sys.stdout)


def _is_xml(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(_LOOK_AT).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<"
    except (OSError, ValueError):  # whoever reads it says so
        return False
