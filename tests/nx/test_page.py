"""The page for users of networkx says what is true: its cells run."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.nx.test_networkx_backend import INSTALLED

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "networkx.md"


def test_the_cells_of_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    cells = re.findall(r"^```\{code-cell\} python3\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    names: dict[str, Any] = {}
    for cell in cells:
        if not INSTALLED:
            cell = cell.replace(', backend="exactsched"', "")
        exec(compile(cell, str(PAGE), "exec"), names)
        if "best.flow" in cell:
            assert names["best"].value == sum(names["best"].flow.values()) / 2
    assert "4/3" in capsys.readouterr().out
