"""LogP machines: broadcast of k items.

Why these instances: the size of the promise (10,000 items, 1000 processors) for latencies at which
the automata are small, middling, and too large; the machine of figure 2; a small machine where all
searches are made in vain; k = 10^18, which is no more work.  What the search of another row has
found is forgotten; the checker is given the schedule as it is.  With buffers: for P = 10^4.
"""

from __future__ import annotations

import pytest
from conftest import TIMER, checked

from exactsched.check import check
from exactsched.logp.buffered import buffered_items
from exactsched.logp.items import _searched, broadcast_items, items_lower_bound

pytestmark = pytest.mark.benchmark(timer=TIMER)

BUFFERED = [1, 3, 7, 64]
CASES = [
    (3, 10, 8),
    (3, 1000, 10**4),
    (3, 1000, 10**18),
    (4, 1000, 10**4),
    (5, 27, 50),
    (8, 1000, 10**4),
    (64, 1000, 10**4),
]


@pytest.mark.parametrize(("L", "P", "k"), CASES)
def test_broadcast_items(benchmark, L, P, k):  # noqa: N803
    _searched.cache_clear()
    schedule = benchmark.pedantic(broadcast_items, args=(L, P, k), rounds=1)
    assert check(schedule).time == schedule.time
    benchmark.extra_info.update(
        above_the_bound=schedule.time - items_lower_bound(L, P, k),
        **checked(benchmark, schedule),
    )


@pytest.mark.parametrize("L", BUFFERED)
def test_buffered_items(benchmark, L):  # noqa: N803
    schedule = benchmark.pedantic(buffered_items, args=(L, 10**4, 10**4), rounds=3)
    benchmark.extra_info.update(
        above_the_bound=schedule.time - int(schedule.bound),
        buffer=schedule.buffer,
        **checked(benchmark, schedule),
    )
