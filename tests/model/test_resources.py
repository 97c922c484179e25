"""What messages keep busy, by name."""

from __future__ import annotations

from typing import get_args

import pytest

from exactsched.model.platform import Platform
from exactsched.model.problem import Broadcast, Ports
from exactsched.model.resources import arc_resources

NAMES = {
    "one-port": [("send:a", "recv:b"), ("send:a", "recv:c"), ("send:b", "recv:c")],
    "half-duplex": [("port:a", "port:b"), ("port:a", "port:c"), ("port:b", "port:c")],
    "link": [("link:0",), ("link:1",), ("link:2",)],
    "routes": [("link:up",), ("link:up", "link:down"), ("link:down",)],
}


@pytest.mark.parametrize("ports", get_args(Ports))
def test_of_all_arcs_and_of_some(ports: Ports) -> None:
    up, down = ("up", 1), ("down", 1)
    ends = [("a", "b", [up]), ("a", "c", [up, down]), ("b", "c", [down])]
    platform = Platform("abc", [(tail, head, 1, 0, route) for tail, head, route in ends])
    problem, names = Broadcast(platform, "a", ports), NAMES[ports]
    assert arc_resources(problem) == names
    assert arc_resources(problem, [2, 1]) == [names[2], names[1]]
    assert arc_resources(problem, []) == []
