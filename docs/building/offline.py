"""What a page would load from elsewhere; a link that a reader may follow loads nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_LOADING = (
    r"<(?:script|img|iframe|audio|video|source|embed|object|input)\b[^>]*?"
    r"\s(?:src|srcset|data)\s*=\s*[\"']?((?:https?:)?//[^\"'\s>]+)",
    r"<(?:image|use)\b[^>]*?\s(?:xlink:)?href\s*=\s*[\"']?((?:https?:)?//[^\"'\s>]+)",
    r"<link\b(?![^>]*\brel=[\"']?(?:canonical|author|license))[^>]*?"
    r"\shref\s*=\s*[\"']?((?:https?:)?//[^\"'\s>]+)",
    r"url\(\s*[\"']?((?:https?:)?//[^\"'\s)]+)",
    r"@import\s+[\"']((?:https?:)?//[^\"'\s]+)",
    r"\b(?:fetch|import|importScripts)\(\s*[\"'`]((?:https?:)?//[^\"'`\s]+)",
)


def loaded(text: str) -> list[str]:
    """The addresses that a page, a style sheet or a script loads.

    >>> loaded('<script src="//cdn.example/x.js"></script><a href="//example.org">a link</a>')
    ['//cdn.example/x.js']
    """
    return [found for pattern in _LOADING for found in re.findall(pattern, text, re.I | re.S)]


def loaded_by_site(site: Path) -> Iterator[tuple[Path, str]]:
    """Every file of a site that loads something from the net, and what."""
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".css", ".js", ".svg"):
            for address in loaded(path.read_text(encoding="utf-8")):
                yield path, address
