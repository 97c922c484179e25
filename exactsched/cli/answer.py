"""How a solving command reports its result: on the terminal, as JSON, and as a certificate."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sized
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from exactsched.cli.terminal import counted, say_rows
from exactsched.exact.rational import to_json

# What is known of a schedule besides its certificate, by name.
Numbers = dict[str, Fraction | int]


@dataclass(frozen=True, slots=True)
class Words:
    """What operations, structures and tasks are called, and two of them in JSON.

    `others` says which schedules the bound is for, if not for all.
    """

    operation: str
    structure: str
    task: str
    operations_member: str
    structures_member: str
    others: str = ""


class Schedule(Protocol):
    """One period of a steady state."""

    @property
    def period(self) -> Fraction: ...
    @property
    def whole(self) -> bool: ...


class SteadyState(Protocol):
    """A periodic schedule, or none, with what is known of its runs."""

    @property
    def schedule(self) -> Schedule | None: ...
    @property
    def throughput(self) -> Fraction: ...
    @property
    def depth(self) -> int: ...
    @property
    def makespan_constant(self) -> Fraction: ...
    def certificate(self) -> dict[str, Any]: ...


class Run(Protocol):
    """A finite schedule."""

    def certificate(self) -> dict[str, Any]: ...


def answer_run(run: Run, numbers: Numbers, words: Words, why: str, options: Namespace) -> None:
    """Check the certificate of a run, write it where asked, and say what it proves."""
    from exactsched.check.proved import ProvedRun

    claim = _proved(run, options)
    if options.json and isinstance(claim, ProvedRun):
        _print_json(
            {
                "makespan": to_json(claim.makespan),
                "optimal": claim.optimal,
                "bound": to_json(claim.bound),
                words.operations_member: claim.operations,
            },
            numbers,
        )
    else:
        say_rows(_rows([(options.platform, str(claim))], numbers, words, why, options))


def answer_series(
    solution: SteadyState,
    structures: Sized,
    numbers: Numbers,
    words: Words,
    why: str,
    options: Namespace,
) -> None:
    """The same for a steady state with this number of structures."""
    from exactsched.check.proved import ProvedSeries, shown

    claim = _proved(solution, options)
    schedule = solution.schedule
    if options.json and isinstance(claim, ProvedSeries):
        summary: dict[str, Any] = {
            "throughput": to_json(claim.throughput),
            "optimal": claim.optimal,
            "bound": to_json(claim.bound),
        }
        if schedule:
            summary |= {
                "period": to_json(schedule.period),
                words.structures_member: len(structures),
                "depth": solution.depth,
                "makespan_constant": to_json(solution.makespan_constant),
            }
        _print_json(summary, numbers)
        return
    rows = [(options.platform, str(claim))]
    if schedule:
        used = counted(len(structures), words.structure)
        whole = f"no {words.task} is" if schedule.whole else f"{words.task}s may be"
        takes = f"M * {shown(1 / solution.throughput)} + {shown(solution.makespan_constant)}"
        rows += [
            ("schedule", f"period {shown(schedule.period)}, {used}, {whole} interrupted"),
            ("finite runs", f"M {words.operation}s take at most {takes}, for every M"),
        ]
    say_rows(_rows(rows, numbers, words, why, options))


def _proved(result: SteadyState | Run, options: Namespace) -> object:
    """What is printed is what the checker has just proved, not what the solver believes."""
    from exactsched.certificate import write_certificate
    from exactsched.check import check_schedule

    document = result.certificate()
    claim = check_schedule(document)
    if options.output:
        write_certificate(document, options.output)
    return claim


def _print_json(summary: dict[str, Any], numbers: Numbers) -> None:
    print(json.dumps(summary | {name: to_json(number) for name, number in numbers.items()}))


def _rows(
    rows: list[tuple[str, str]],
    numbers: Numbers,
    words: Words,
    why: str,
    options: Namespace,
) -> list[tuple[str, str]]:
    from exactsched.check.proved import shown

    def count(name: str) -> str:
        number = numbers[name]
        return f"{shown(number)} {words.operation}{'s' if number != 1 else ''}"

    if "delivered" in numbers:
        most = shown(numbers["at_most"])
        done = f"{count('delivered')} by time {options.within}"
        rows.append(("delivered", f"{done}, no schedule {words.others}more than {most}"))
    elif "at_most" in numbers:
        most = shown(numbers["at_most"])
        done = f"{count('operations')} in a period"
        rows.append(("fixed period", f"{done}, no schedule has more than {most}"))
    if "guarantee" in numbers:
        rows.append(("known before", f"a makespan of at most {shown(numbers['guarantee'])}"))
    rows.append(("why", why))
    if options.output:
        rows.append(("certificate", options.output))
    return rows
