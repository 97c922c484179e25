"""Places keep apart, axes run from end to end, short work is merged; numbers and names in words."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from exactsched.certificate.collectives import Series
from exactsched.drawing.layout.axes import excess_scale, power_of_ten, round_numbers, round_times
from exactsched.drawing.layout.circle import circle_places
from exactsched.drawing.layout.geometry import Point
from exactsched.drawing.layout.layers import Placed, count_placed, place_in_layers
from exactsched.drawing.layout.pieces import drawable
from exactsched.drawing.layout.stress import node_places
from exactsched.drawing.lettering import clipped, percent, printable, short, text_width
from exactsched.drawing.scene import Bar
from exactsched.drawing.series.activity import flows
from exactsched.drawing.series.names import short_names
from exactsched.model.platform import Platform
from exactsched.model.problem import Reduction
from exactsched.model.reduction_steps import reduction_steps
from tests.steady_state.planted_collectives import reductions

spans = st.fractions(min_value=Fraction(1, 10**9), max_value=10**9).filter(bool)


# --- graphs -------------------------------------------------------------------------------------


@given(st.data(), st.integers(1, 12))
def test_nodes_keep_apart(data, size):
    node = st.integers(0, size - 1)
    links = data.draw(st.lists(st.tuples(node, node)))
    points = node_places(size, links, data.draw(node))
    assert min(point.x for point in points) == min(point.y for point in points) == 0
    for one, other in combinations(points, 2):
        assert (one - other).length > 0.25


@pytest.mark.parametrize(("width", "height"), [(4, 4), (3, 6), (10, 10)])
def test_a_grid_is_drawn_as_a_grid(width, height):
    links = [(a * height + b, a * height + b + 1) for a in range(width) for b in range(height - 1)]
    links += [
        (a * height + b, (a + 1) * height + b) for a in range(width - 1) for b in range(height)
    ]
    points = node_places(width * height, links, 0)
    assert (points[0].x, points[0].y) == (0, 0)
    columns, lines = ({round(p.x, 6) for p in points}, {round(p.y, 6) for p in points})
    assert {len(columns), len(lines)} == {width, height}


@pytest.mark.parametrize("size", [6, 7, 12, 24])
def test_nodes_that_are_nearly_all_neighbors_stand_on_a_circle(size):
    links = [ends for ends in combinations(range(size), 2) if ends != (1, 2)]
    points = node_places(size, links, 3)
    assert min(points) == points[3]
    assert min(point.x for point in points) == min(point.y for point in points) == 0
    center = Point(sum(p.x for p in points) / size, sum(p.y for p in points) / size)
    far = [(point - center).length for point in points]
    assert max(far) == pytest.approx(min(far))


def test_a_path_is_straight_from_the_root_on():
    points = node_places(6, [(node, node + 1) for node in range(5)], 0)
    assert [round(point.x) for point in points] == [0, 1, 2, 3, 4, 5]
    assert max(abs(point.y) for point in points) < 0.01


def test_nodes_of_a_circle_are_in_an_order_in_which_few_edges_cross():
    cycle = [0, 3, 1, 4, 2, 5]
    places = circle_places(6, [*pairwise(cycle), (5, 0)])
    assert circle_places(1, [])[0].length == 0
    near = {
        (
            one,
            min((k for k in range(6) if k != one), key=lambda k: (places[k] - places[one]).length),
        )
        for one in range(6)
    }
    neighbors = {frozenset(ends) for ends in [*pairwise(cycle), (5, 0)]}
    assert {frozenset(ends) for ends in near} <= neighbors


# --- trees --------------------------------------------------------------------------------------


@given(reductions())
@settings(max_examples=25)
def test_boxes_keep_apart_and_arrows_go_down(series: Series) -> None:
    assert isinstance(series.problem, Reduction)
    for flow in flows(series):
        steps = reduction_steps(series.problem, flow.tasks)
        boxes = [
            Placed(60 + 10 * (i % 5), Fraction(step.item[0] + step.item[-1], 2), step.inputs)
            for i, step in enumerate(steps)
        ]
        every, threads = place_in_layers(boxes)
        assert every[: len(boxes)] == boxes
        assert count_placed(boxes) == len(every)
        layers = defaultdict(list)
        for box in every:
            layers[box.layer].append(box)
        for layer in layers.values():
            layer.sort(key=lambda box: box.x)
            for left, right in pairwise(layer):
                assert left.x + left.width / 2 < right.x - right.width / 2
        assert min(box.x - box.width / 2 for box in every) == pytest.approx(0)
        crossing = iter(threads)
        for box in boxes:
            for one in box.inputs:
                down = [boxes[one], *(every[i] for i in next(crossing)), box]
                assert all(a.layer == b.layer + 1 for a, b in pairwise(down))
        used = Counter(one for box in boxes for one in box.inputs)
        if len(series.problem.goals) == 1 and max(used.values(), default=1) == 1:
            # A tree: arrows between two layers do not cross.
            for layer in layers.values():
                ends = [one for box in layer for one in box.inputs]
                assert [boxes[one].x for one in ends] == sorted(boxes[one].x for one in ends)


def test_what_nobody_needs_stands_right_below_what_it_comes_from() -> None:
    boxes = [Placed(9, Fraction(0), one) for one in ((), (0,), (1,), (0,))]
    place_in_layers(boxes)
    assert [box.layer for box in boxes] == [2, 1, 0, 1]
    # The same if what is needed is listed later.
    boxes = [Placed(9, Fraction(0), one) for one in ((1,), (2,), ())]
    place_in_layers(boxes)
    assert [box.layer for box in boxes] == [0, 1, 2]


# --- axes ---------------------------------------------------------------------------------------


@given(spans | st.sampled_from([Fraction(7 * 10**400 + 1, 3), Fraction(3, 10**500 + 1)]))
def test_an_axis_runs_from_zero_to_the_span(span):
    times = round_times(span)
    assert times[0] == 0
    assert times[-1] == span
    assert list(times) == sorted(set(times))
    assert 4 <= len(times) <= 13
    assert power_of_ten(span) <= span < 10 * power_of_ten(span)


@given(st.integers(1, 10**9), st.integers(2, 12))
def test_round_numbers_end_at_the_top_and_keep_away_from_it(top, count):
    numbers = round_numbers(top, count)
    assert (numbers[0], numbers[-1]) == (0, top)
    assert len(numbers) <= count + 2
    steps = {after - before for before, after in pairwise(numbers[:-1])}
    assert len(steps) <= 1
    assert not steps or 3 * (top - numbers[-2]) >= 2 * steps.pop()


@given(spans)
def test_a_scale_covers_the_excess_in_a_few_steps(excess):
    height, step = excess_scale(excess)
    assert excess <= height < excess + step
    assert (height / step).denominator == 1
    assert 2 <= height / step <= 7


# --- short work ---------------------------------------------------------------------------------


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), max_size=60), max_size=8),
    st.integers(1, 200),
)
def test_work_is_merged_only_if_short_and_pieces_cover_it(lines, most):
    bars = []
    span = 1
    for pairs in lines:
        now, line = 0, []
        for gap, length in pairs:
            line.append(Bar(Fraction(now + gap), Fraction(now + gap + length), ""))
            now += gap + length
        span = max(span, now)
        bars.append(line)
    assume(most >= 4 * len(lines))
    pieces, least = drawable(bars, Fraction(span), 760, most)
    assert sum(map(len, pieces)) <= most
    for line, drawn in zip(bars, pieces, strict=True):
        remaining = list(line)
        for piece in drawn:
            within = [bar for bar in remaining if bar.end <= piece.end]
            assert (piece.start, piece.end) == (within[0].start, within[-1].end)
            assert piece.several == (len(within) > 1)
            assert piece.longest in within
            assert len(within) == 1 or piece.end - piece.start <= least
            remaining = remaining[len(within) :]
        assert not remaining
    assert least > 0 or not any(piece.several for drawn in pieces for piece in drawn)


def test_short_work_is_merged_as_far_as_it_has_to_be():
    """Of 100 bars of length 1 at most 25 are drawn: four together."""
    line = [Bar(Fraction(k), Fraction(k + 1), "") for k in range(100)]
    [pieces], least = drawable([line], Fraction(100), 50, 25)
    assert least == 4
    assert [(piece.start, piece.end) for piece in pieces] == [(k, k + 4) for k in range(0, 100, 4)]
    assert all(piece.several for piece in pieces)


# --- numbers and names --------------------------------------------------------------------------


@given(st.fractions(), st.integers(3, 30))
def test_short_numbers_are_exact_or_marked(value, limit):
    shown = short(value, limit)
    if shown[0] == "~":
        assert abs(Fraction(shown[1:]) - value) <= abs(value) / 100
    else:
        assert Fraction(shown) == value


@given(st.integers(-400, 400), st.integers(1, 10**12))
def test_short_numbers_of_any_size(exponent, factor):
    value = Fraction(10) ** exponent * factor
    shown = short(value)
    assert len(shown) <= 12
    assert abs(Fraction(shown.removeprefix("~")) - value) <= value / 100
    assert shown[0] == "~" or Fraction(shown) == value


@given(st.fractions(0, 1) | st.integers(2, 10**9).map(lambda n: Fraction(n - 1, n)))
@example(Fraction(9999, 10000))
def test_only_exact_percentages_come_without_a_tilde(share):
    shown = percent(share)
    if shown[0] not in "~<":
        assert Fraction(shown[:-1]) == share * 100
    if share < 1:
        assert shown not in ("100%", "~100%", "~100.0%")


@given(st.text(max_size=80), st.floats(0, 200))
def test_clipped_text_is_printable_and_fits(name, width):
    shown = printable(name, 40)
    assert shown
    assert all(letter.isprintable() or letter in "\u2068\u2069" for letter in shown)
    cut = clipped(shown, width, 11)
    assert cut == "" or text_width(cut, 11) <= width
    assert clipped(shown, 10_000, 11) == shown


@example(["xxxxabcdeyyyy", "xxxxyyyy"])
@example(["abcdeabcdyyyy", "yyyy"])
@example(["yyyyabcdeabcd", "yyyy"])
@given(st.lists(st.text(alphabet="ab.", max_size=30), min_size=1, max_size=8, unique=True))
def test_short_names_tell_nodes_apart(names: list[str]) -> None:
    shown, note = short_names(Platform(names, []))
    if max(map(len, names)) <= 24:
        assert len(set(shown.values())) == len(names)
    assert all(shown[name] != '""' for name in names if name.strip())
    assert bool(note) <= (max(map(len, names)) > 12)
