"""SVG documents in files, and as PDF and PNG by another program: rsvg-convert, or cairosvg.

`rsvg-convert`, a part of librsvg, is asked first where it is installed: it letters names in every
script that the machine has a face for.  cairosvg writes all letters in one face.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput

PRINTED = (".pdf", ".png")
DOTS_PER_INCH = 300
_PROGRAM = "rsvg-convert"
_NEEDED = (
    "type pip install 'exactsched[pictures]', or install rsvg-convert (librsvg2-bin), or write .svg"
)
# Pixels of CSS are 96 to an inch; Cairo draws nothing beyond 32,767 dots.
_ZOOM = Fraction(DOTS_PER_INCH, 96)
_MOST_DOTS = 16_000
_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)(\w*)" height="([0-9.]+)')
_PIXELS = {"": 1, "px": 1, "pt": 96 / 72, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96}
_SECONDS = 300


def able_to_write(path: str | os.PathLike[str], others: tuple[str, ...] = ()) -> None:
    """Raises `InvalidInput`, which says what to write or to install, before anything is drawn.

    `others` are endings of files that are no pictures, and can be written.
    """
    ending = Path(path).suffix.lower()
    known = (".svg", *PRINTED, *others)
    if ending not in known:
        rule = f"write a {', '.join(known[:-1])} or {known[-1]} file"
        raise InvalidInput("picture", os.fspath(path), rule)
    if ending in PRINTED:
        _able_to_print(ending)


def write_picture(path: str | os.PathLike[str], svg: str) -> None:
    """Writes an SVG document as what the name of the file says: .svg, .pdf or .png."""
    ending = Path(path).suffix.lower()
    write_whole(path, svg if ending == ".svg" else [printed(svg, ending)])


def _able_to_print(ending: str) -> None:
    if shutil.which(_PROGRAM) is None and find_spec("cairosvg") is None:
        raise InvalidInput("picture", ending, f"a {ending} file needs cairosvg: {_NEEDED}")


def printed(svg: str, ending: str) -> bytes:
    """The PDF or PNG document of an SVG document, as it is on white paper.

    A PNG has 300 dots per inch, fewer if it had more than 16,000 dots on a side.  Raises
    `InvalidInput` where nothing is installed that can write it, where what is installed fails, and
    where cairosvg would draw boxes instead of letters.
    """
    light = re.sub(r"<style>.*?</style>", "", svg, count=1)
    program = shutil.which(_PROGRAM)
    if program is not None:
        return _by_program(program, light, ending)
    _able_to_print(ending)
    strange = next((letter for letter in light if not _in_one_face(letter)), None)
    if strange is not None:
        rule = "cairosvg has no letters of this script: install rsvg-convert (librsvg2-bin)"
        raise InvalidInput("picture", strange, f"{rule}, or write .svg")
    cairosvg = _library()
    if ending == ".pdf":
        return bytes(cairosvg.svg2pdf(bytestring=light.encode()))
    return bytes(cairosvg.svg2png(bytestring=light.encode(), scale=float(_zoom(light))))


def _library() -> Any:
    try:
        return import_module("cairosvg")
    except OSError as error:  # the wheel of cairosvg brings no Cairo
        rule = "cairosvg finds no Cairo: install libcairo2 or rsvg-convert, or write .svg"
        raise InvalidInput("picture", " ".join(str(error).split())[:80], rule) from None


def _by_program(program: str, svg: str, ending: str) -> bytes:
    zoom = ["--zoom", f"{float(_zoom(svg)):.6f}"] if ending == ".png" else []
    command = [program, "--format", ending[1:], *zoom]
    done = subprocess.run(
        command, input=svg.encode(), capture_output=True, timeout=_SECONDS, check=False
    )
    if done.returncode or not done.stdout:
        said = " ".join(done.stderr.decode("utf-8", "replace").split())[:200]
        raise InvalidInput("picture", ending, f"{_PROGRAM} failed ({said}): write .svg")
    return done.stdout


def _zoom(svg: str) -> Fraction:
    """Dots for a pixel."""
    found = _SIZE.match(svg)
    assert found is not None
    longest = max(Fraction(found[1]), Fraction(found[3])) * Fraction(_PIXELS[found[2]])
    return min(_ZOOM, _MOST_DOTS / longest)


def _in_one_face(letter: str) -> bool:
    """Latin, Greek, Cyrillic, punctuation, arrows and signs: common faces have all of them."""
    return ord(letter) < 0x530 or 0x1E00 <= ord(letter) < 0x2300
