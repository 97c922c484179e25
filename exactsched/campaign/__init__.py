"""Campaigns: claims (`exactsched.theorems`) are checked on any number of random instances.

    >>> from exactsched.campaign import verify
    >>> done = verify(["konig.edge-coloring"], instances=20, executor="serial")
    >>> done.tallies["konig.edge-coloring", "small"].counts["held"]
    20

`verify` makes a `Report`; `merged` joins those of shards.  Counterexamples are made small
(`shrinking`), written to files (`saving`) and checked again (`counterexample`).
"""

from exactsched.campaign.blocks import Campaign
from exactsched.campaign.campaign import Standing, verify
from exactsched.campaign.outcomes import Failure, Tally
from exactsched.campaign.report import Report, merged, read_report

__all__ = [
    "Campaign",
    "Failure",
    "Report",
    "Standing",
    "Tally",
    "merged",
    "read_report",
    "verify",
]
