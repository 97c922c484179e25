"""The command `sweep`: a solving command for every combination of values, as a table."""

from __future__ import annotations

import csv
import json
import re
import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from itertools import islice, product
from math import prod
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from exactsched.cli.arguments import LONGEST, Commands, positive, whole, writable
from exactsched.cli.terminal import INTERRUPTED, Progress, complain, say
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput
from exactsched.exact.journal_file import JournalFile
from exactsched.exact.words import counted

if TYPE_CHECKING:
    from concurrent.futures import Future

    from exactsched.campaign.executors import Crew

SOLVING = (
    *("broadcast", "scatter", "gather", "alltoall", "allgather", "reduce-scatter", "reduce"),
    *("prefix", "allreduce", "mix", "rounds", "overlay", "logp", "lp"),
)
# More than can be done in a year, and as much as one wants to see in a list.
MOST = 10**7
_VALUES = re.compile(r"([a-z]\w*)=(.*)", re.DOTALL)
_SPAN = re.compile(r"(-?\d{1,18})\.\.(-?\d{1,18})")
_INTEGER = re.compile(r"0|-?[1-9]\d{0,17}")  # as long as a column of integers may be
_PLACE = re.compile(r"\{([a-z]\w*)\}")
Row = dict[str, Any]


def add_sweep(commands: Commands) -> None:
    asked = commands.add_parser(
        "sweep",
        help="a table of certified optima: one command for many values",
        description="Runs a solving command for every combination of values and writes a row for"
        " each: the values, what `--json` prints, which is what the checker has proved, and"
        " processor seconds. The same sweep goes on where it was stopped.",
    )
    asked.add_argument("template", metavar="COMMAND", help="in quotes, with {NAME} for values")
    asked.add_argument(
        "values", nargs="+", metavar="NAME=VALUES", help="VALUES are 1,2,5 or 1..100 or words"
    )
    asked.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="TABLE",
        help="the table, TABLE.csv or TABLE.parquet",
    )
    asked.add_argument("--executor", default="process", metavar="E", help="as of `verify`")
    asked.add_argument("--jobs", metavar="J", help="processes (default: one for each processor)")
    asked.add_argument("--limit", metavar="SECONDS", help="for each row (default: 600)")
    asked.set_defaults(command=_sweep)


def _sweep(options: Namespace) -> int:
    from exactsched.campaign.executors import workers

    values, template = _values(options.values), _words(options.template)
    cases = _cases(values, template)
    writable(options.output)
    written = _parquet if options.output.lower().endswith(".parquet") else _csv
    if written is _parquet:
        _refuse_without_pyarrow()
    limit = float(min(positive(options.limit or "600", "--limit"), LONGEST))
    jobs = None if options.jobs is None else whole(options.jobs, "--jobs")
    asked = json.dumps({"command": template, "values": values}).encode()
    with (
        JournalFile(options.output, "-o", "sweep") as journal,
        Progress() as progress,
        workers(options.executor, jobs) as crew,
    ):
        rows = _known(journal, asked)
        waiting = [number for number in range(len(cases)) if number not in rows]
        try:
            for number, row in _solved(cases, waiting, crew, limit):
                rows[number] = row
                journal.add(json.dumps([number, row]).encode())
                if progress.rows(len(rows), len(cases)) and len(rows) < len(cases):
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            done = f"interrupted after {counted(len(rows), 'row')}"
            goes_on = f"the same command goes on with what is in {journal.path}"
            return complain(f"{done}; {goes_on}", INTERRUPTED)
        write_whole(options.output, written(cases, rows))
        journal.remove()
    failed = sum("error" in row for row in rows.values())
    told = f", {failed} without an answer: see the column error" if failed else ""
    say(f"{options.output}: {counted(len(cases), 'row')}{told}", sys.stdout)
    return 1 if failed else 0


def _words(template: str) -> list[str]:
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise InvalidInput("sweep", template, f"a command in quotes: {error}") from error
    if not words or words[0] not in SOLVING:
        raise InvalidInput("sweep", template, f"a command that solves: {', '.join(SOLVING)}")
    for word in words:
        if word in ("-o", "--output", "--json", "--json=full"):
            raise InvalidInput("sweep", word, "the table is the output: leave it out")
    return words


def _values(written: Sequence[str]) -> dict[str, list[str]]:
    """The values by name, in the order given."""
    values: dict[str, list[str]] = {}
    for word in written:
        match = _VALUES.fullmatch(word)
        if match is None or match[1] in values:
            rule = "NAME=VALUES" if match is None else "this name has values already"
            raise InvalidInput("sweep", word, rule)
        values[match[1]] = list(_listed(match[2], word))
    return values


def _listed(written: str, word: str) -> Iterator[str]:
    for part in written.split(","):
        span = _SPAN.fullmatch(part)
        if span is None:
            if not part:
                raise InvalidInput("sweep", word, "values are 1,2,5 or 1..100 or words")
            yield part
            continue
        first, last = map(int, span.groups())
        if not 0 <= last - first < MOST:
            raise InvalidInput("sweep", part, f"from the first to the last, at most {MOST} values")
        yield from map(str, range(first, last + 1))


class _Case(NamedTuple):
    """A row of the table: the values, and the words of the command."""

    values: dict[str, str]
    words: list[str]


def _cases(values: Mapping[str, Sequence[str]], template: Sequence[str]) -> list[_Case]:
    used = {name for word in template for name in _PLACE.findall(word)}
    for name in sorted(used ^ values.keys()):
        rule = "the command has no such place" if name in values else "no values are given for it"
        raise InvalidInput("sweep", f"{{{name}}}", rule)
    if prod(map(len, values.values())) > MOST:
        raise InvalidInput("sweep", " ".join(values), f"at most {MOST} combinations")
    found = []
    for chosen in product(*values.values()):
        case = dict(zip(values, chosen, strict=True))
        words = [_PLACE.sub(lambda place: case[place[1]], word) for word in template]  # noqa: B023
        found.append(_Case(case, words))
    return found


def _solved(
    cases: Sequence[_Case], waiting: Sequence[int], crew: Crew, limit: float
) -> Iterator[tuple[int, Row]]:
    """The rows, as they become known."""
    from exactsched.campaign.isolation import Lost

    numbers = iter(waiting)
    from concurrent.futures import FIRST_COMPLETED, wait

    under_way: dict[Future[Row], int] = {}
    while True:
        for number in islice(numbers, crew.in_flight - len(under_way)):
            under_way[crew.call(limit, answered, cases[number].words)] = number
        if not under_way:
            return
        ready, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in ready:
            try:
                row = future.result()
            except Lost as lost:
                row = {"error": str(lost)}
            yield under_way.pop(future), row


def answered(words: Sequence[str]) -> Row:
    """The members of the answer of a command that are no lists, the seconds, or the error."""
    # The whole command line is run again; it imports this module, which does not import it.
    main = import_module("exactsched.cli").main
    out, err = StringIO(), StringIO()
    start = process_time()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([*words, "--json"])
        except SystemExit as stop:  # of argparse
            code = int(stop.code or 0)
    seconds = {"seconds": f"{process_time() - start:.3f}"}
    if code:
        return seconds | {"error": err.getvalue().strip().removeprefix("exactsched: ")}
    answer = json.loads(out.getvalue())
    flat = {name: one for name, one in answer.items() if not isinstance(one, (list, dict))}
    return flat | seconds


def _known(journal: JournalFile, asked: bytes) -> dict[int, Row]:
    """The rows that the journal of this sweep has already; every line is [number, row]."""
    if not journal.lines:
        journal.add(asked)
        return {}
    try:
        first, *known = map(json.loads, journal.lines)
        rows = dict(known)
    except (TypeError, ValueError):
        first, rows = None, {}
    if first != json.loads(asked):
        rule = "belongs to another sweep: remove it or name another table"
        raise InvalidInput("-o", str(journal.path), rule)
    return rows


def _columns(cases: Sequence[_Case], rows: Mapping[int, Row]) -> list[str]:
    """Values first, then the members of the answers, in the order in which they come up."""
    members = dict.fromkeys(name for number in sorted(rows) for name in rows[number])
    last = [name for name in ("seconds", "error") if name in members]
    return [*cases[0].values, *(name for name in members if name not in last), *last]


def _csv(cases: Sequence[_Case], rows: Mapping[int, Row]) -> str:
    text = StringIO()
    table = csv.DictWriter(text, _columns(cases, rows), lineterminator="\n")
    table.writeheader()
    for number, case in enumerate(cases):
        table.writerow(case.values | rows[number])
    return text.getvalue()


def _refuse_without_pyarrow() -> None:
    if find_spec("pyarrow") is None:
        raise InvalidInput(
            "-o", "no pyarrow", "type pip install 'exactsched[parquet]', or -o T.csv"
        )


def _parquet(cases: Sequence[_Case], rows: Mapping[int, Row]) -> list[bytes]:
    from pyarrow import BufferOutputStream, parquet, table

    whole_rows = [case.values | rows[number] for number, case in enumerate(cases)]
    columns = {
        name: _of_one_type([row.get(name) for row in whole_rows]) for name in _columns(cases, rows)
    }
    if "seconds" in columns:
        columns["seconds"] = [one if one is None else float(one) for one in columns["seconds"]]
    stream = BufferOutputStream()
    parquet.write_table(table(columns), stream)
    return [stream.getvalue().to_pybytes()]


def _of_one_type(values: Sequence[Any]) -> list[Any]:
    """A column of truth values, or of integers, or else of text, so that fractions stay exact.

    >>> _of_one_type(["1", "2", None]), _of_one_type([1, "1/2"]), _of_one_type([True, None])
    ([1, 2, None], ['1', '1/2'], [True, None])
    """
    known = [value for value in values if value is not None]
    if all(type(value) is bool for value in known):
        return list(values)
    if all(type(value) is not bool and _INTEGER.fullmatch(str(value)) for value in known):
        return [None if value is None else int(value) for value in values]
    return [None if value is None else str(value) for value in values]
