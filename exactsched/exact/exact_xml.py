"""XML without text, as elements that know their lines; whoever reads them says what is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final
from xml.parsers import expat

from exactsched.exact.errors import InvalidInput

MAX_DEPTH: Final = 256
MAX_ELEMENTS: Final = 1 << 23
MAX_TEXT: Final = 1 << 16
"""Elements inside of each other, elements in all, and characters of a name or value.

A document with as many elements takes a few GB; larger ones are refused while they are read.
"""

_BEGINNING: Final = 1 << 14  # long enough for the comments before the first element


class Element:
    """An element with its line, which every refusal names."""

    __slots__ = ("attributes", "line", "parts", "refusal", "tag")

    def __init__(
        self,
        tag: str,
        attributes: dict[str, str],
        line: int,
        refusal: type[InvalidInput] = InvalidInput,
    ) -> None:
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.refusal = refusal
        self.parts: list[Element] = []

    @property
    def place(self) -> str:
        return f"line {self.line}, {_one_line(self.tag)}"

    def refused(self, value: object, rule: str) -> InvalidInput:
        """The error to raise for a value of this element that breaks a rule."""
        return self.refusal(self.place, value, rule)

    def read(
        self, required: Iterable[str] = (), defaults: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """The attributes; refuses those that are missing or not known.

        >>> Element("link", {"id": "l"}, 1).read(["id"], {"latency": "0"})
        {'latency': '0', 'id': 'l'}
        """
        known = dict(defaults or {})
        for name in required:
            self.attribute(name)
        for name in self.attributes:
            if name not in known and name not in required:
                raise self.refused(name, "this attribute is not understood")
        return known | self.attributes

    def attribute(self, name: str) -> str:
        """The value of an attribute; refuses an element without it."""
        if name not in self.attributes:
            raise self.refused(sorted(self.attributes), f'the attribute "{name}" is missing')
        return self.attributes[name]

    def children(self, *tags: str, ignored: str = "") -> list[Element]:
        """The elements inside but the ignored ones; refuses those that are not known."""
        for part in self.parts:
            if part.tag != ignored and part.tag not in tags:
                rule = f"this element is not understood inside {_one_line(self.tag)}"
                raise part.refused(part.tag, rule)
        return [part for part in self.parts if part.tag != ignored]

    def choice(self, name: str, value: str, choices: Iterable[str]) -> str:
        if value not in choices:
            raise self.refused(value, f"{name} is {' or '.join(choices)}, others are not read")
        return value


def read_xml(
    written: str, refusal: type[InvalidInput] = InvalidInput, max_text: int = MAX_TEXT
) -> Element:
    """The outermost element of a text in XML, with all elements in it.

    Raises `refusal`, with line, value and rule: for what is not XML, or only a part of it; for an
    entity, declared or used; for text between elements; for names or values of more than
    `max_text` characters; and beyond `MAX_DEPTH` and `MAX_ELEMENTS`.  A document type is skipped:
    nothing outside of the text is read.  Linear time and memory.

    >>> top = read_xml("<a><!-- mine -->\\n<b c='1'/></a>")
    >>> top.tag, [(part.tag, part.attributes, part.line) for part in top.parts]
    ('a', [('b', {'c': '1'}, 2)])
    """
    top: list[Element] = []
    around: list[Element] = []
    count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        element = Element(tag, attributes, parser.CurrentLineNumber, refusal)
        for value in (tag, *attributes, *attributes.values()):
            if len(value) > max_text:
                place = f"line {element.line}, {_one_line(tag[:40])}"
                raise refusal(place, value, f"a name or value has at most {max_text} characters")
        if len(around) == MAX_DEPTH:
            raise element.refused(tag, f"at most {MAX_DEPTH} elements are inside of each other")
        if count > MAX_ELEMENTS:
            raise element.refused(count, f"at most {MAX_ELEMENTS} elements are read")
        (around[-1].parts if around else top).append(element)
        around.append(element)

    def end(_: str) -> None:
        around.pop()

    def text(data: str) -> None:
        if data.strip():
            place = f"line {parser.CurrentLineNumber}"
            raise refusal(place, data, "there is no text between elements")

    def refuse(name: str, *_: object) -> None:
        place = f"line {parser.CurrentLineNumber}, entity"
        raise refusal(place, name, "entities are not expanded")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(written.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as error:
        place = f"line {error.lineno}, column {error.offset + 1}"
        reason = expat.errors.messages[error.code]
        raise refusal(place, reason, "not XML, or only a part of it") from error
    return top[0]


def outermost_tag(written: str) -> str:
    """The tag of the outermost element of a text in XML, or "" where none begins.

    >>> outermost_tag("<!-- mine --><platform version='4.1'>"), outermost_tag("{}")
    ('platform', '')
    """
    tags: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, _: tags.append(tag)
    with suppress(expat.ExpatError):
        parser.Parse(written[:_BEGINNING].encode("utf-8", "surrogatepass"), False)
    return tags[0] if tags else ""


def _one_line(name: str) -> str:
    return name if name.isprintable() else ascii(name)[1:-1]
