"""What all tests share: the profile of hypothesis, and the command line in an empty folder.

Runs are deterministic; EXACTSCHED_EXAMPLES multiplies their depth.
"""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from exactsched.cli import main
from tests.cli.command_line import Run, Said

settings.register_profile(
    "exactsched",
    derandomize=True,
    deadline=None,
    max_examples=30 * int(os.environ.get("EXACTSCHED_EXAMPLES", "1")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("exactsched")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in an empty folder; words may be one string or apart."""
    monkeypatch.chdir(tmp_path)

    def command(*words: str) -> Said:
        arguments = words[0].split() if len(words) == 1 else list(words)
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
        return Said(code, *capsys.readouterr())

    return command
