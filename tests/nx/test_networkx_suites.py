"""networkx's own suites for flows, connectivity and cuts, with our flow as their `flow_func`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

SUITES = {
    "flow.tests.test_maxflow": 27,
    "connectivity.tests.test_connectivity": 34,
    "connectivity.tests.test_cuts": 21,
}
# The only tests that fail: their capacities are floats, which are refused.
OF_FLOATS = {
    *("test_graph1", "test_graph2", "test_digraph1", "test_digraph3", "test_digraph4"),
    *("test_optional_capacity", "test_flow_func_parameters", "test_reusing_residual"),
}
# In a process of its own: the tests read the functions from lists of their modules.
RUN = """
import json, os, sys, pytest
from exactsched.nx import flow_func

class Ours:
    found = {}

    def pytest_collection_modifyitems(self, items):
        for item in items:
            for name in ("flow_funcs", "all_funcs"):
                if hasattr(item.module, name):
                    setattr(item.module, name, [flow_func])

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            refused = "a float is not exact" in report.longreprtext
            outcome = "float" if report.failed and refused else report.outcome
            self.found[report.nodeid] = outcome

options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-c", os.devnull]
pytest.main([*options, *sys.argv[1:]], plugins=[Ours()])
print(json.dumps(Ours.found))
"""


def test_suites_of_networkx_pass_with_our_flow(tmp_path: Path) -> None:
    specs = [find_spec(f"networkx.algorithms.{suite}") for suite in SUITES]
    files = [spec.origin for spec in specs if spec is not None and spec.origin]
    if len(files) < len(SUITES):
        pytest.skip("this networkx comes without its tests")
    done = subprocess.run(
        [sys.executable, "-c", RUN, *files], cwd=tmp_path, capture_output=True, text=True
    )
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    counts = Counter(found.values())
    assert (counts["passed"], counts["float"]) == (sum(SUITES.values()) - 8, 8), done.stdout
    refused = {name.rpartition("::")[2] for name, outcome in found.items() if outcome == "float"}
    assert refused == OF_FLOATS
