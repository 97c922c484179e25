"""Linear programs from files: the format is told from the name, MPS or LP, packed with gzip or not.

Limits: variables are real, see `mps` and `lp`.
"""

from __future__ import annotations

import os

from exactsched.exact.errors import InvalidInput
from exactsched.exact.exact_json import file_text, shown_path
from exactsched.linear_programs.files.lp import parse_lp
from exactsched.linear_programs.files.mps import parse_mps
from exactsched.linear_programs.stated_program import StatedProgram

MAX_BYTES = 1 << 28
"""Larger files are refused, packed or unpacked."""

_FORMATS = {".mps": parse_mps, ".lp": parse_lp}


def read_linear_program(path: str | os.PathLike[str]) -> StatedProgram:
    """The linear program in an MPS or LP file (`.mps`, `.lp`, `.mps.gz`, `.lp.gz`), exactly.

    Raises `InvalidInput` with the file and the line that breaks a rule.

    Linear in the size of the file. Reference: proofs/exact-linear-programs.md.

    >>> import os, tempfile
    >>> from exactsched import solve_stated
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "tiny.lp")
    ...     with open(file, "w") as written:
    ...         _ = written.write("maximize\\n x + y\\nsubject to\\n 2 x + 4 y <= 3\\nend")
    ...     solve_stated(read_linear_program(file)).value
    Fraction(3, 2)
    """
    name = os.fspath(path).lower().removesuffix(".gz")
    known = [ending for ending in _FORMATS if name.endswith(ending)]
    if not known:
        rule = "linear programs are read from files named .mps or .lp, or these with .gz"
        raise InvalidInput("file", shown_path(path), rule)
    try:
        return _FORMATS[known[0]](file_text(path, "linear program", MAX_BYTES))
    except InvalidInput as error:
        raise InvalidInput(f"{shown_path(path)}, {error.place}", error.value, error.rule) from error
