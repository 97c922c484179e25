"""A table of the linear programs in a folder: ``python linear_programs_in_files.py FOLDER``.

Reads every MPS and LP file (also packed), solves and checks it exactly, and asks HiGHS, in floats,
for the same value.  The page of benchmarks quotes Netlib's programs, which are not stored here.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from time import process_time

from exactsched.check import check
from exactsched.linear_programs.files.reader import read_linear_program
from exactsched.linear_programs.stated_program import solve_stated

HEAD = "| program | rows | columns | read | solve | check | HiGHS | digits | relative difference |"


def row(path: Path) -> str:
    import highspy  # this module is collected where it is not installed

    times = [process_time()]
    stated = read_linear_program(path)
    times.append(process_time())
    answer = solve_stated(stated)
    times.append(process_time())
    check(answer.certificate())
    times.append(process_time())
    floats = highspy.Highs()
    floats.silent()
    floats.readModel(str(path))
    floats.run()
    times.append(process_time())
    seconds = [f"{end - start:.2f}" for start, end in pairwise(times)]
    if answer.value is None:
        ends = ["", f"{answer}: {floats.modelStatusToString(floats.getModelStatus())}"]
    else:
        exactly, nearly = answer.value, floats.getInfo().objective_function_value
        digits = sum(round(part.bit_length() * 0.30103) for part in exactly.as_integer_ratio())
        ends = [str(digits), f"{abs(nearly - float(exactly)) / max(1.0, abs(nearly)):.0e}"]
    sizes = [str(len(stated.rows)), str(len(stated.variables))]
    return f"| {' | '.join([path.name.split('.')[0], *sizes, *seconds, *ends])} |"


def main(folder: str) -> None:
    files = [path for path in Path(folder).iterdir() if {".mps", ".lp"} & set(path.suffixes)]
    print(HEAD)
    print("|---" * HEAD.count("|", 1) + "|")
    for path in sorted(files, key=lambda path: path.stat().st_size):
        print(row(path), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
