"""How far a campaign has come: one line on a terminal."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from exactsched.cli.terminal import Progress
from exactsched.exact.words import counted

if TYPE_CHECKING:
    from exactsched.campaign import Standing

# Seconds between two changes of the line.
_REDRAWN = 0.2


class CampaignProgress(Progress):
    """How many instances are done, how fast that goes, and how long the others will take."""

    quiet = 0.0

    def __enter__(self) -> CampaignProgress:
        super().__enter__()
        self.done = self.resumed = self.lost = 0
        self._start = monotonic()
        self._drawn = -_REDRAWN
        return self

    @property
    def seconds(self) -> float:
        return monotonic() - self._start

    def told(self, standing: Standing) -> None:
        self.done, self.resumed, self.lost = standing.done, standing.resumed, standing.lost
        seconds = self.seconds
        if seconds - self._drawn < _REDRAWN:
            return
        self._drawn = seconds
        line = f"{standing.done:,} of {standing.total:,} instances"
        rate = (standing.done - standing.resumed) / max(seconds, 1e-9)
        if rate:
            left = (standing.total - standing.done) / rate
            line += f", {rate:,.0f} a second, {duration(left)} left"
        if standing.failed:
            line += f", {standing.failed:,} failed"
        self._say(line)

    def saving(self, count: int) -> None:
        if count:
            self._say(f"making {counted(count, 'counterexample')} smaller")


def duration(seconds: float) -> str:
    """Seconds, minutes or hours, as one says it.

    >>> duration(2.34), duration(61), duration(7300)
    ('2.3 s', '1 min 1 s', '2 h 1 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
