"""The command `lp`: linear programs from files, solved exactly and proved."""

from __future__ import annotations

from argparse import Namespace
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING

from exactsched.cli.arguments import Commands, add_output
from exactsched.cli.json_answer import print_json
from exactsched.cli.terminal import WIDE, say_rows
from exactsched.exact.rational import text, to_json

if TYPE_CHECKING:
    from exactsched.linear_programs.stated_program import Answer

# Numbers of more digits are shown in decimals only.
LONG = 60


def add_lp(commands: Commands) -> None:
    asked = commands.add_parser(
        "lp",
        help="the exact optimum of a linear program, in an MPS or LP file",
        description="The exact optimum of a linear program, or a proof that there is none.",
    )
    asked.add_argument("file", metavar="FILE", help="MPS or LP: .mps or .lp, packed: .mps.gz, ...")
    asked.add_argument("--point", action="store_true", help="print the variables that are not 0")
    add_output(asked)
    asked.set_defaults(command=_lp)


def _lp(options: Namespace) -> None:
    from exactsched.certificate import write_certificate
    from exactsched.check import check
    from exactsched.linear_programs.files.reader import read_linear_program
    from exactsched.linear_programs.stated_program import solve_stated

    answer = solve_stated(read_linear_program(options.file))
    proved = check(answer.certificate()).proved
    if options.output:
        write_certificate(answer.certificate(), options.output)
    if options.json:
        print_json(_members(answer), answer, options, indent=1)
        return
    if answer.value is None:
        rows = [(str(answer), proved)]
    else:
        word = "minimum" if answer.stated.minimize else "maximum"
        rows = [(word, _shown(answer.value)), ("proof", "primal and dual agree, in exact numbers")]
    if options.point:
        rows += [(name, _shown(value)) for name, value in answer.point.items() if value]
    say_rows(rows)


def _shown(value: Fraction) -> str:
    """The number, and about how much that is if it is not whole; long ones are not written out."""
    if value.denominator == 1 and abs(value) < WIDE:
        return text(value)
    with localcontext(prec=12):
        about = f"~{(Decimal(value.numerator) / value.denominator).normalize()}"
    digits = len(text(value))
    return f"{about} ({f'{digits} digits: --json' if digits > LONG else text(value)})"


def _members(answer: Answer) -> dict[str, object]:
    return {
        "outcome": "optimal" if answer.optimal else str(answer),
        "optimal": answer.optimal,
        "sense": "minimum" if answer.stated.minimize else "maximum",
        "value": None if answer.value is None else to_json(answer.value),
        "point": {name: to_json(value) for name, value in answer.point.items() if value},
        "prices": {name: to_json(price) for name, price in answer.prices.items() if price},
    }
