"""Writes the answers into the table: ``python -m tests.regression.record [--accept] [ID ...]``.

This is for adding questions.  Append lines with an "id" and a "question" to `answers.json`, with
square brackets and commas as JSON wants them; this command answers them and sorts the lines.
Questions that have an answer are asked again (all, or those named): what is the same or a smaller
count is written; what has changed otherwise is shown, and nothing is written without ``--accept``.
"""

from __future__ import annotations

import argparse
import sys

from .ask import answer
from .table import Entry, read_table, write_table
from .verdict import differences


def main(words: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(prog="python -m tests.regression.record")
    options.add_argument("ids", nargs="*", metavar="ID", help="default: all")
    options.add_argument("--accept", action="store_true", help="write changed values, too")
    given = options.parse_args(words)
    entries = read_table()
    refused = 0
    for entry in entries:
        if given.ids and entry["id"] not in given.ids:
            continue
        found = _answered(entry)
        changes = differences(entry, found) if "answer" in entry else []
        for change in changes:
            print(f"{entry['id']}: {change}")
        refused += len(changes)
        entry.update(found)
    if refused and not given.accept:
        print(f"{refused} changes: nothing is written; --accept writes them", file=sys.stderr)
        return 1
    write_table(entries)
    return 0


def _answered(entry: Entry) -> Entry:
    values, counts = answer(entry["question"])
    return {"answer": values, "counts": counts}


if __name__ == "__main__":
    sys.exit(main())
