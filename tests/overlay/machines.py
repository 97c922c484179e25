"""Random machines for the tests of overlays."""

from __future__ import annotations

from hypothesis import strategies as st

from exactsched.instances.overlays import slow_machine
from exactsched.model.machine import MultiPort
from exactsched.strategies import generated


def machines(most: int = 10) -> st.SearchStrategy[MultiPort]:
    """Machines of at most this many receivers, without given arcs (`slow_machine`)."""
    return generated(lambda choices: slow_machine(choices, most))
