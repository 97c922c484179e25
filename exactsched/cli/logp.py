"""The commands `logp broadcast`, `logp allgather`, ... on machines given by L, o, g and P."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exactsched.cli.arguments import (
    Commands,
    add_output,
    add_time_limit,
    seconds_in,
    whole,
    writable,
)
from exactsched.cli.json_answer import print_json
from exactsched.cli.terminal import INTERRUPTED, Progress, say_rows
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.rational import exact, text, to_json
from exactsched.exact.words import counted
from exactsched.model.machine import LogP

if TYPE_CHECKING:
    from exactsched.certificate.logp import LogPCertificate, LogPCycles, LogPRounds, LogPSchedule
    from exactsched.check.proved import ProvedLogP

# At most this number of messages is listed.
SHOWN = 8


def add_logp(commands: Commands) -> None:
    asked = commands.add_parser("logp", help="optimal schedules on LogP machines")
    kinds = asked.add_subparsers(title="commands", required=True, metavar="COMMAND")

    _command(kinds, "broadcast", "an item of processor 0 for everybody", _broadcast)
    _command(kinds, "continuous", "an endless series of items for everybody", _continuous)
    items = _command(kinds, "items", "a number of items of one processor for everybody", _items)
    items.add_argument("--items", required=True, metavar="K", help="how many")
    items.add_argument(
        "--buffered",
        action="store_true",
        help="each item is sent once, and a message may wait a step at its receiver",
    )
    add_time_limit(items, "then give the best schedule that is known, and the bound")
    for name, about, schedule in (
        ("allgather", "the items of every processor for everybody", _allgather),
        ("alltoall", "items of every processor for every other one", _alltoall),
    ):
        exchange = _command(kinds, name, about, schedule)
        exchange.add_argument("--items", default="1", metavar="K", help="of each (default: 1)")
    _command(kinds, "allreduce", "everybody gets the sum of a value of each", _combining)
    summation = _command(kinds, "sum", "operands are added up, one in a time unit", _summation)
    what = summation.add_mutually_exclusive_group(required=True)
    what.add_argument("--time", metavar="T", help="as many operands as can be in this time")
    what.add_argument("--operands", metavar="N", help="this number of operands in the least time")


def _command(
    kinds: Commands, name: str, about: str, schedule: Callable[..., LogPCertificate]
) -> ArgumentParser:
    asked: ArgumentParser = kinds.add_parser(name, help=about)
    asked.add_argument("--L", required=True, metavar="T", help="the latency")
    asked.add_argument("--o", default="0", metavar="T", help="the overhead (default: 0)")
    asked.add_argument("--g", default="1", metavar="T", help="the gap (default: 1)")
    asked.add_argument("--P", required=True, metavar="N", help="the number of processors")
    add_output(asked)
    asked.set_defaults(command=_logp, name=name, schedule=schedule, interrupted=False)
    return asked


def _broadcast(machine: LogP, _: Namespace) -> LogPSchedule:
    from exactsched.logp.broadcast import broadcast

    return broadcast(machine)


def _continuous(machine: LogP, _: Namespace) -> LogPCycles:
    from exactsched.logp.continuous import continuous_broadcast

    return continuous_broadcast(_steps(machine), machine.P)


def _items(machine: LogP, options: Namespace) -> LogPCertificate:
    latency, number = _steps(machine), whole(options.items, "--items")
    if options.buffered:
        from exactsched.logp.buffered import buffered_items

        return buffered_items(latency, machine.P, number)
    from exactsched.logp.items import broadcast_items

    with Progress(seconds_in(options)) as progress:
        found = broadcast_items(latency, machine.P, number, asked=progress.searching)
    options.interrupted = progress.interrupted
    return found


def _steps(machine: LogP) -> int:
    """The latency of a postal machine."""
    for name, value, fits, rule in (
        (
            "--o",
            machine.o,
            machine.o == 0,
            "several items are sent in the postal model only: o = 0",
        ),
        (
            "--g",
            machine.g,
            machine.g == 1,
            "several items are sent in the postal model only: g = 1",
        ),
        ("--L", machine.L, machine.L.denominator == 1, "a whole number of steps"),
    ):
        if not fits:
            raise InvalidInput(name, text(value), rule)
    return machine.L.numerator


def _allgather(machine: LogP, options: Namespace) -> LogPRounds:
    from exactsched.logp.allgather_and_alltoall import allgather

    return allgather(machine, whole(options.items, "--items"))


def _alltoall(machine: LogP, options: Namespace) -> LogPRounds:
    from exactsched.logp.allgather_and_alltoall import alltoall

    return alltoall(machine, whole(options.items, "--items"))


def _combining(machine: LogP, _: Namespace) -> LogPRounds:
    from exactsched.logp.allreduce import allreduce

    return allreduce(machine)


def _summation(machine: LogP, options: Namespace) -> LogPSchedule:
    from exactsched.logp.summation import summation_of, summation_within

    if options.operands is not None:
        return summation_of(machine, whole(options.operands, "--operands"))
    return summation_within(machine, exact(options.time, "--time"))


def _machine(options: Namespace) -> LogP:
    from exactsched.certificate.limits import MAX_NODES

    size = whole(options.P, "--P")
    if size > MAX_NODES:
        raise InvalidInput("--P", options.P, f"at most {MAX_NODES} processors")
    numbers = {name: exact(getattr(options, name), f"--{name}") for name in ("L", "o", "g")}
    return LogP(**numbers, P=size)


def _logp(options: Namespace) -> int | None:
    from exactsched.check import check

    machine = _machine(options)
    writable(options.output)
    found: LogPCertificate = options.schedule(machine, options)
    # What is printed is what the checker has just proved, not what the solver believes.
    claim = check(found)
    optimal, more = claim.optimal, list[tuple[str, str]]()
    if getattr(options, "time", None) is not None:  # of a summation: optimal is the number
        optimal = _most_operands(claim, found, exact(options.time, "--time"))
        if not optimal:
            rule = "more operands may be possible: not proved optimal"
            more = [(f"within {options.time}", rule)]
    if options.output:
        from exactsched.certificate import to_document, write_certificate

        write_certificate(to_document(found), options.output)
    if options.json:
        print_json(_summary(claim, found) | {"optimal": optimal}, found, options)
    else:
        rows = [(f"logp {options.name}", str(claim)), *_rows(claim, found), *more]
        if options.output:
            rows.append(("certificate", options.output))
        say_rows(rows)
    return INTERRUPTED if options.interrupted else None


def _most_operands(claim: ProvedLogP, found: LogPCertificate, time: Fraction) -> bool:
    """Whether it is proved that no more operands can be added within the time that was asked for.

    `found` may end earlier.  If it does, it is checked once more as a schedule for all of the time;
    for that one less time is enough.
    """
    from exactsched.certificate.logp import LogPSchedule
    from exactsched.check import check

    if isinstance(found, LogPSchedule) and claim.time < time and claim.count == claim.bound:
        try:
            claim = check(replace(found, time=time, optimal=False))
        except Rejected:  # more than its bound may be possible in the rest of the time
            return False
    return claim.count == claim.bound


def _summary(claim: ProvedLogP, found: LogPCertificate) -> dict[str, Any]:
    """What is printed; `optimal` is about what was asked for, also where `class` is narrower."""
    from exactsched.certificate.logp import LogPRounds, LogPSchedule

    summary: dict[str, Any] = {
        "time": to_json(claim.time),
        "optimal": claim.optimal,
        "bound": to_json(claim.bound),
    }
    if claim.bounds is not None:
        summary |= {
            "class": claim.bounds.name,
            "bound_of_class": to_json(claim.bounds.bound_of_class),
            "bound_of_all": to_json(claim.bounds.bound_of_all),
        }
    if claim.collective == "summation":
        summary["operands"] = to_json(claim.count)
    elif claim.count:  # an endless series has 0
        summary["items"] = to_json(claim.count)
    if isinstance(found, LogPSchedule):
        return summary | {"messages": len(found.messages)}
    if isinstance(found, LogPRounds):
        rounds = {"halvings": len(found.halvings), "rounds": len(found.rounds)}
        return summary | {"messages": to_json(_messages(found)), **rounds}
    return summary | {
        "cycles": len(found.cycles),
        "roles": sum(len(roles) for _, roles in found.cycles),
    }


def _rows_of_rounds(found: LogPRounds) -> list[tuple[str, str]]:
    parts = [counted(len(found.rounds), "round"), counted(_messages(found), "message")]
    if found.halvings:
        parts.insert(0, counted(len(found.halvings), "exchange") + " of halves")
    listed = [
        f"p->p+{shift} at {text(start * found.tick)}" for start, shift, _ in found.rounds[:SHOWN]
    ]
    if len(found.rounds) > SHOWN:
        listed.append("...")
    return [("schedule", ", ".join(parts)), *([("sent", ", ".join(listed))] if listed else [])]


def _messages(found: LogPRounds) -> int:
    """Everybody sends in each round of combining, and otherwise an item once to each other one."""
    size = found.machine.P
    return size * (len(found.rounds) if found.collective == "allreduce" else size - 1) * found.count


def _rows(claim: ProvedLogP, found: LogPCertificate) -> list[tuple[str, str]]:
    from exactsched.certificate.logp import LogPBuffered, LogPRounds, LogPSchedule

    if isinstance(found, LogPRounds):
        return _rows_of_rounds(found)
    if not isinstance(found, LogPSchedule):
        roles = counted(sum(len(roles) for _, roles in found.cycles), "role")
        parts = [counted(len(found.cycles), "cycle"), roles]
        if isinstance(found, LogPBuffered):
            waiting = counted(found.buffer, "message") if found.buffer else "no message"
            parts.append(f"{waiting} waits at a time")
        return [("schedule", ", ".join(parts))]
    rows = [("schedule", counted(len(found.messages), "message"))]
    first = sorted(found.messages, key=lambda message: message[3])[:SHOWN]
    listed = [
        f"{sender}->{receiver} at {text(start * found.tick)}"
        for sender, receiver, _, start in first
    ]
    if len(found.messages) > SHOWN:
        listed.append("...")
    if listed:
        rows.append(("sent", ", ".join(listed)))
    if claim.collective == "summation":
        rows.append(("operands", f"{text(claim.count)}, at most {text(claim.bound)} in this time"))
    return rows
