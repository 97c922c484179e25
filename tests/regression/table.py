"""The table on disk: a list of entries, sorted, one on a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("answers.json")

Entry = dict[str, Any]


def read_table() -> list[Entry]:
    entries: list[Entry] = json.loads(TABLE.read_text(encoding="utf-8"))
    return entries


def write_table(entries: list[Entry]) -> None:
    lines = [json.dumps(entry) for entry in sorted(entries, key=lambda entry: entry["id"])]
    TABLE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
