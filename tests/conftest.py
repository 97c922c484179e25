"""The hypothesis profile: runs are deterministic; EXACTSCHED_EXAMPLES multiplies their depth."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "exactsched",
    derandomize=True,
    deadline=None,
    max_examples=100 * int(os.environ.get("EXACTSCHED_EXAMPLES", "1")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("exactsched")
