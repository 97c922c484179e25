"""Pictures of counterexamples: what is there is drawn, whatever the file says."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.campaign.counterexample import Counterexample
from exactsched.drawing import draw
from exactsched.drawing.counterexample import counterexample_scene
from exactsched.drawing.renderers.html import scene_html
from exactsched.drawing.renderers.svg import scene_svg
from exactsched.instances.choices import Seeded
from exactsched.instances.documents import instance_document
from exactsched.instances.graphs import bipartite_multigraph, digraph, multigraph
from exactsched.instances.machines import logp, multi_port
from exactsched.instances.platforms import alltoall, broadcast, reduction
from tests.drawing.pictures import SVG, assert_page, parsed, words


def found(instance, **changed):
    stated = {
        "claim": "toy.claim",
        "statement": "Every directed graph is small.",
        "reference": "nobody",
        "size": "small",
        "seed": 3,
        "number": 17,
        "failure": "refuted",
        "reason": "it is large",
        "facts": {"nodes": 12, "rate": "1/3"},
        "instance": instance,
        "library": "tests.campaign.toy_claims",
    }
    return Counterexample(**(stated | changed))


def counterexample_svg(one):
    return scene_svg(counterexample_scene(one.document()))


def counterexample_html(one):
    return scene_html(counterexample_scene(one.document()))


def paths(svg):
    return len(list(parsed(svg).iter(f"{SVG}path")))


def test_what_fails_and_how_is_written_on_it():
    shown = words(counterexample_svg(found({"limit": 5})))
    for piece in ("toy.claim: a counterexample", "it is large", "limit", "5", "rate", "1/3"):
        assert piece in shown
    assert "Made smaller from small instance 17 of seed 3" in " ".join(shown)
    died = words(counterexample_svg(found({}, failure="died", reason="ended by SIGKILL")))
    assert "toy.claim: the check killed its process" in died


def test_parallel_arcs_loops_and_numbers_are_shown():
    graph = {"size": 3, "arcs": [[0, 1], [0, 1], [1, 0], [2, 2]], "numbers": [71, "7/3", 73, 74]}
    svg = counterexample_svg(found(graph))
    assert paths(svg) == 4
    assert {"0", "1", "2", "71", "7/3", "73", "74"} <= set(words(svg))
    bends = {path.get("d") for path in parsed(svg).iter(f"{SVG}path")}
    assert len(bends) == 4  # side by side, whichever way they go, and a loop
    assert len(list(parsed(svg).iter(f"{SVG}polygon"))) == 4


def test_bipartite_graphs_have_two_sides():
    graph = {"size": 2, "edges": [[0, 0], [1, 0]], "numbers": [5, 6]}
    svg = counterexample_svg(found(graph, statement="A bipartite multigraph is colored."))
    assert {"u0", "u1", "v0", "v1"} <= set(words(svg))
    assert paths(svg) == 2
    assert not list(parsed(svg).iter(f"{SVG}polygon"))
    assert "u0" not in words(counterexample_svg(found(graph)))


def test_problems_are_drawn_as_their_platforms():
    """Also those that are a field of the instance."""
    for make in (broadcast, alltoall, reduction):
        problem = instance_document(make(Seeded("two")))
        arcs = len(problem["platform"]["arcs"])
        assert paths(counterexample_svg(found(problem))) == arcs > 0
        inner = found({"problem": problem, "operations": 3})
        assert paths(counterexample_svg(inner)) == arcs
        assert_page(counterexample_html(inner))


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_instances_of_all_kinds_are_drawn(seed):
    kinds = (broadcast, alltoall, reduction, digraph, multigraph, bipartite_multigraph, logp)
    for make in (*kinds, multi_port):
        one = found(instance_document(make(Seeded(str(seed)))))
        parsed(counterexample_svg(one))
        assert_page(counterexample_html(one))


texts = st.text(st.characters(exclude_categories=()), max_size=40)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
graphs = st.fixed_dictionaries(
    {"size": values, "numbers": values}, optional={"arcs": values, "edges": values}
)


@given(
    st.dictionaries(texts, values, max_size=4) | graphs,
    texts,
    st.dictionaries(texts, values, max_size=3),
)
def test_hostile_files_are_drawn_without_harm(instance, text, facts):
    """Markup is escaped, what is no graph is a field like others, and nothing raises."""
    one = found(instance, claim=text, statement=text, reason=text, facts=facts)
    try:
        parsed(counterexample_svg(one))
    except ElementTree.ParseError as error:
        pytest.fail(f"{error}: {instance!r}, {text!r}, {facts!r}")
    assert_page(counterexample_html(one))


def test_files_are_drawn_by_draw(tmp_path):
    found({"limit": 5}).write(tmp_path / "a.json")
    draw(tmp_path / "a.json", tmp_path / "a.svg")
    draw(json.loads((tmp_path / "a.json").read_text()), tmp_path / "a.html")
    assert (tmp_path / "a.svg").read_text() == counterexample_svg(found({"limit": 5}))
    assert (tmp_path / "a.html").read_text() == counterexample_html(found({"limit": 5}))
