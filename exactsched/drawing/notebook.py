"""Results in notebooks: one line, and the picture below it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection
from html import escape
from typing import Any


class Picture(str):
    """The text of an SVG document, which a notebook shows as a picture.

    >>> Picture("<svg/>")._repr_svg_(), len(Picture("<svg/>"))
    ('<svg/>', 6)
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def framed(line: str, picture: str) -> str:
    """A line above a picture, as a part of a page.

    The picture is an image with data of its own: its styles and names do not reach the page.

    >>> framed("a < b", "<svg/>").startswith("<figure><figcaption>a &lt; b</figcaption><img ")
    True
    """
    data = b64encode(picture.encode("utf-8")).decode("ascii")
    shown = escape(line)
    image = f'<img alt="{shown}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'
    return f"<figure><figcaption>{shown}</figcaption>{image}</figure>"


def bundled(line: str, picture: str, include: Any, exclude: Any) -> dict[str, str]:
    """By MIME type: the line, the line with the picture, the picture.

    `include` and `exclude` are collections of types, or None: IPython asks in this way.

    >>> bundled("a", "<svg/>", None, ["text/html"])
    {'text/plain': 'a', 'image/svg+xml': '<svg/>'}
    """
    whole = {"text/plain": line, "text/html": framed(line, picture), "image/svg+xml": picture}
    wanted: Collection[str] = whole.keys() if include is None else include
    refused: Collection[str] = () if exclude is None else exclude
    return {kind: text for kind, text in whole.items() if kind in wanted and kind not in refused}
