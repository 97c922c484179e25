"""The commands `scatter`, `gossip`, `reduce` and `prefix`."""

from __future__ import annotations

from exactsched.cli.arguments import Commands


def add_collectives(commands: Commands) -> None:
    pass
