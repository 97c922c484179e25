"""What every picture, page and trace must be, whatever it shows."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

from exactsched import drawing
from exactsched.drawing.scene import Figure, Panels, Scene

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def words(svg: str) -> list[str]:
    return [element.text or "" for element in parsed(svg).iter(f"{SVG}text")]


def assert_trace(certificate: Any) -> None:
    """Valid JSON; tracks known; slices of a track in order and apart; arrows between two slices."""
    trace = json.loads(json.dumps(drawing.trace(certificate), allow_nan=False))
    events = trace["traceEvents"]
    known = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    processes = {e["pid"] for e in events if e["name"] == "process_name"}
    assert {pid for pid, _ in known} == processes
    tracks = defaultdict(list)
    arrows = defaultdict(list)
    for event in events:
        if event["ph"] == "M":
            continue
        assert event["ph"] in "Xsf"
        assert (event["pid"], event["tid"]) in known
        assert type(event["ts"]) is int
        if event["ph"] == "X":
            assert type(event["dur"]) is int
            assert event["dur"] > 0
            tracks[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
        else:
            arrows[event["id"]].append(event)
    for slices in tracks.values():
        slices.sort()
        for (_, end), (start, _) in pairwise(slices):
            assert end <= start
    starts = {(pid, tid, start) for (pid, tid), line in tracks.items() for start, _ in line}
    for tail, head in arrows.values():
        assert (tail["ph"], head["ph"]) == ("s", "f")
        assert (tail["pid"], tail["tid"], tail["ts"]) in starts
        assert (head["pid"], head["tid"], head["ts"]) in starts
        assert tail["pid"] != head["pid"]
    assert set(tracks) == known


class _Page(HTMLParser):
    """Elements opened and closed, and everything that could load something."""

    VOID = ("meta", "rect", "line", "path", "polygon", "circle")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loading: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID or tag in ("rect",):
            self.open.append(tag)
        self.loading += [tag] * (tag in ("script", "link", "img", "iframe", "object", "base"))
        self.loading += [
            name
            for name, value in attrs
            if name in ("src", "href", "xlink:href") or name.startswith("on") or "url(" in value
        ]

    def handle_startendtag(self, tag, attrs):
        count = len(self.open)
        self.handle_starttag(tag, attrs)
        del self.open[count:]

    def handle_endtag(self, tag):
        assert self.open
        assert self.open.pop() == tag


def assert_page(written: str) -> None:
    """Elements are closed and nothing is loaded; at most one script, which no word can end."""
    page = _Page()
    page.feed(written)
    page.close()
    assert page.open == []
    scripts = re.findall(r"<script>(.*)</script>", written, re.S)
    assert written.count("</script") == written.count("<script") == len(scripts) <= 1
    assert page.loading == ["script"] * len(scripts)
    assert "url(" not in written
    assert "@import" not in written
    for script in scripts:
        assert "<" not in re.sub(r"< |<= |<!", "", script)


def figures_of(scene: Scene) -> list[Figure]:
    return [figure for part in scene.parts if isinstance(part, Panels) for figure in part.figures]


def of_kind(scene: Scene, kind: type[Any]) -> Any:
    """The first part, or drawing of a figure, of this kind."""
    drawn = [*scene.parts, *(figure.drawing for figure in figures_of(scene))]
    return next(one for one in drawn if isinstance(one, kind))
