"""Documents, records and paths; files by their extensions; what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from exactsched import drawing
from exactsched.certificate import parse, read_certificate
from exactsched.exact.errors import InvalidInput, Malformed
from tests.drawing.examples import ACCEPTED


def test_document_record_and_path_draw_the_same():
    path = ACCEPTED[0]
    document = read_certificate(path)
    assert drawing.svg(path) == drawing.svg(document) == drawing.svg(parse(document))
    assert drawing.html(str(path)) == drawing.html(document)
    assert drawing.trace(path) == drawing.trace(document)


def test_without_a_path_the_picture_is_returned():
    assert drawing.draw(ACCEPTED[0]) == drawing.svg(ACCEPTED[0])


@pytest.mark.parametrize("extension", [".svg", ".html", ".json", ".SVG"])
def test_draw_writes_one_file_by_extension(tmp_path, extension):
    target = tmp_path / f"picture{extension}"
    target.write_text("old")
    assert drawing.draw(ACCEPTED[0], target) is None
    assert os.listdir(tmp_path) == [target.name]
    written = target.read_text("utf-8")
    if extension == ".json":
        assert json.loads(written) == drawing.trace(ACCEPTED[0])
    else:
        form = drawing.html if extension == ".html" else drawing.svg
        assert written == form(ACCEPTED[0])


@pytest.mark.parametrize("name", ["picture.jpg", "picture", "picture.svg.gz", ".svg"])
def test_other_extensions_are_refused_before_anything_is_read(tmp_path, name):
    with pytest.raises(InvalidInput, match=r"\.svg, \.pdf, \.png, \.html or \.json"):
        drawing.draw("no such certificate", tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_nothing_is_left_behind_when_writing_fails(tmp_path, monkeypatch):
    target = tmp_path / "picture.svg"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        drawing.draw(ACCEPTED[0], target)
    assert os.listdir(tmp_path) == ["picture.svg"]
    assert target.read_text() == "old"


def test_what_is_not_a_certificate_is_malformed(tmp_path):
    for form in (drawing.svg, drawing.html, drawing.trace):
        with pytest.raises(Malformed):
            form({"format": "exactsched"})
    with pytest.raises(Malformed):
        drawing.draw({}, tmp_path / "picture.svg")
    assert os.listdir(tmp_path) == []


def test_the_same_picture_every_time():
    program = (
        "import hashlib, json; from exactsched import drawing;"
        "from exactsched.steady_state.broadcast import broadcast;"
        "from exactsched.platforms.built_in import built_in;"
        "c = broadcast(built_in('hypercube:3'), 0).certificate();"
        "print([hashlib.sha256(text.encode()).hexdigest() for text in"
        " (drawing.svg(c), drawing.html(c), json.dumps(drawing.trace(c)))])"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    assert printed.pop().strip()


def test_drawing_loads_no_solver():
    """Only exact arithmetic, the model, certificates, layers without solvers, and simulations."""
    program = (
        "import sys, exactsched.drawing;"
        "print(sorted({name.split('.')[1] for name in sys.modules if name[:11] == 'exactsched.'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(eval(done.stdout))
    assert loaded <= {"certificate", "drawing", "exact", "model", "simulation"}
