"""XML is read with its lines, and hostile XML is refused before it costs anything."""

from __future__ import annotations

import pytest

from exactsched.exact import exact_xml
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.exact.exact_xml import Element, outermost_tag, read_xml

BOMB = '<!DOCTYPE a [<!ENTITY x "{}">]><a/>'


def test_elements_know_their_lines_and_parts():
    top = read_xml('<?xml version="1.0"?>\n<!DOCTYPE a>\n<a>\n <b c="1"/>\n\n <d/></a>')
    assert (top.tag, top.line) == ("a", 3)
    assert [(part.tag, part.line, part.attributes) for part in top.parts] == [
        ("b", 4, {"c": "1"}),
        ("d", 6, {}),
    ]


@pytest.mark.parametrize("refusal", [InvalidInput, Malformed])
@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("", "line 1, column 1: 'no element found': not XML, or only a part of it"),
        ("<a><b></a>", "line 1, column 9: 'mismatched tag': not XML"),
        ("<a>\nmore</a>", "there is no text between elements"),
        (BOMB.format("y"), "line 1, entity: 'x': entities are not expanded"),
        ('<!DOCTYPE a [<!ENTITY % x SYSTEM "f">%x;]><a/>', "entities are not expanded"),
        ('<!DOCTYPE a SYSTEM "a.dtd"><a>&x;</a>', "line 1, entity: 'x': entities are not"),
        ("<a>" * 300, "line 1, a: 'a': at most 256 elements are inside of each other"),
        (f'<a b="{"c" * 11}"/>', "line 1, a: 'ccccccccccc': a name or value has at most 10"),
        (f"<{'a' * 50}/>", f"line 1, {'a' * 40}: '{'a' * 50}': a name or value has at most 10"),
    ],
)
def test_refusals_are_of_the_class_that_was_asked_for(refusal, written, message):
    with pytest.raises(InvalidInput) as caught:
        read_xml(written, refusal, max_text=10)
    assert type(caught.value) is refusal
    assert message in str(caught.value)


def test_the_number_of_elements_is_limited(monkeypatch):
    monkeypatch.setattr(exact_xml, "MAX_ELEMENTS", 3)
    assert len(read_xml("<a><b/><b/></a>").parts) == 2
    with pytest.raises(InvalidInput, match=r"line 1, b: 4: at most 3 elements"):
        read_xml("<a><b/><b/><b/></a>")


def test_attributes_and_parts_that_are_not_known_are_refused():
    element = Element("a", {"b": "1"}, 7, Malformed)
    element.parts = [Element("p", {}, 8, Malformed), Element("q", {}, 9, Malformed)]
    assert element.read(["b"], {"c": "2"}) == {"b": "1", "c": "2"}
    assert [part.tag for part in element.children("q", ignored="p")] == ["q"]
    for refused, message in (
        (lambda: element.read(["d"]), "line 7, a: ['b']: the attribute \"d\" is missing"),
        (lambda: element.read(), "line 7, a: 'b': this attribute is not understood"),
        (lambda: element.children("p"), "line 9, q: 'q': this element is not understood inside a"),
        (lambda: element.choice("b", "1", ["x", "y"]), "line 7, a: '1': b is x or y, others"),
    ):
        with pytest.raises(Malformed) as caught:
            refused()
        assert message in str(caught.value)


def test_the_outermost_tag_of_what_is_not_xml_is_empty():
    assert [outermost_tag(text) for text in ("", "{}", "<", "<a>", "<!-- c --><b:c>")] == [
        *("", "", "", "a", "b:c")
    ]
