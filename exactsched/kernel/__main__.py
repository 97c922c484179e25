"""`python -m exactsched.kernel FILE`: prints what the checker in OCaml reads."""

from __future__ import annotations

import sys

from exactsched.exact.errors import InvalidInput
from exactsched.kernel import tokens

if __name__ == "__main__":
    try:
        (path,) = sys.argv[1:]
        sys.stdout.write(tokens(path))
    except (InvalidInput, ValueError) as error:
        sys.exit(f"{error}")
