"""LogP machines: broadcast of k items.

Why these instances: the size of the promise (10,000 items, 1000 processors) for latencies at which
the automata are small, middling, and too large; the machine of figure 2; a small machine where all
searches are made in vain; k = 10^18, which is no more work.  Nothing that another row has found
is known; the checker is given the schedule as it is.
"""

from __future__ import annotations

import pytest
from conftest import TIMER, checked

from exactsched.check import check
from exactsched.logp.items import _searched, broadcast_items, items_lower_bound

pytestmark = pytest.mark.benchmark(timer=TIMER)

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
