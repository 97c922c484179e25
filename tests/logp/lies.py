"""What a certificate of a buffered broadcast says, held against its messages."""

from __future__ import annotations

from dataclasses import replace

from exactsched.certificate.logp import LogPBuffered
from exactsched.oracles.logp_schedules import ENOUGH_ITEMS, buffered_fault
from exactsched.simulation.logp_buffered import receptions


def refuse_buffered_lies(stated: LogPBuffered) -> None:
    """Fails unless the certificate is true; of a long series the beginning is played."""
    items = min(stated.items, ENOUGH_ITEMS)
    fault = buffered_fault(stated, receptions(replace(stated, items=items)), items)
    assert not fault, fault
