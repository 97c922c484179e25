"""How much is played."""

from __future__ import annotations

# Tasks, or pieces of tasks, that are played at most: about half a minute.
MAX_TRANSFERS = 5_000_000
