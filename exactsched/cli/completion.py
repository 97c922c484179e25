"""Completion in the shell, by argcomplete: ``eval "$(register-python-argcomplete exactsched)"``."""

from __future__ import annotations

import argparse
from typing import Any


def complete(parser: argparse.ArgumentParser) -> None:
    """Answers the shell and ends the process, if argcomplete is installed.

    Platforms are completed by the names of the built-in ones, and by files.
    """
    try:
        from argcomplete import autocomplete
    except ImportError:
        return
    _name_platforms(parser)
    autocomplete(parser)


def _name_platforms(parser: argparse.ArgumentParser) -> None:
    from argcomplete.completers import FilesCompleter

    from exactsched.platforms.built_in import catalog

    def platforms(prefix: str, **others: Any) -> list[str]:
        return [*(family.example for family in catalog()), *FilesCompleter()(prefix, **others)]

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _name_platforms(command)
        elif action.dest == "platform":
            action.completer = platforms  # type: ignore[attr-defined]
