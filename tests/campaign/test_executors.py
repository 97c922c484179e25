"""The same campaigns on pools of processes, on Dask and on ranks of MPI; workers are killed."""

from __future__ import annotations

import json
import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import active_children, get_context
from pathlib import Path

import pytest

from exactsched.campaign import read_report, verify
from exactsched.campaign.executors import workers
from exactsched.exact.errors import InvalidInput
from tests.campaign.toy_campaigns import LIBRARY, results
from tests.mpiexec import mpiexec

CLAIMS = ["toy.holds", "toy.sum", "toy.fragile", "toy.slow"]
TESTS = str(Path(__file__).parents[2])


def run(executor, **asked):
    return verify(CLAIMS, instances=210, executor=executor, library=LIBRARY, **asked)


@pytest.fixture(scope="module")
def expected():
    return results(run("process", jobs=2))


def test_any_executor_will_do(expected):
    with ThreadPoolExecutor(2) as threads:
        assert results(run(threads, jobs=2)) == expected
        assert threads.submit(int, "7").result() == 7  # it stays open


def test_a_pool_that_breaks_is_replaced():
    """A worker of a pool of processes is killed, and the pool with it; not every block is lost."""
    asked = {"instances": 20_000, "library": LIBRARY, "jobs": 2}
    killed = []
    seen = []

    def progress(standing):
        seen.append(standing)
        if standing.done and not killed:
            [one, *_] = active_children()
            os.kill(one.pid, signal.SIGKILL)
            killed.append(one.pid)

    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        report = verify(["toy.sum"], executor=pool, progress=progress, **asked)
    assert killed
    assert 0 < seen[-1].lost <= 6
    assert results(report) == results(verify(["toy.sum"], executor="serial", **asked))


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    path = os.environ.get("PYTHONPATH", "")
    cluster = distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        dashboard_address=":0",
        silence_logs="CRITICAL",
        env={"PYTHONPATH": f"{TESTS}{os.pathsep}{path}"},
    )
    with cluster:
        yield cluster


def test_dask_finds_the_same(cluster, expected):
    address = cluster.scheduler_address.removeprefix("tcp://")
    assert results(run(f"dask://{address}")) == expected


def test_dask_starts_a_cluster_of_its_own(expected):
    pytest.importorskip("distributed")
    assert results(run("dask", jobs=2)) == expected


def test_dask_goes_on_without_a_worker(cluster, expected):
    from distributed import Client

    killed = []
    with Client(cluster) as client:
        pids = list(client.run(os.getpid).values())

        def progress(standing):
            if standing.done > 100 and not killed:
                os.kill(pids[0], signal.SIGKILL)
                killed.append(pids[0])

        report = run(client.get_executor(pure=False), jobs=2, progress=progress)
        assert killed
    assert results(report) == expected


def test_a_cluster_that_does_not_answer_is_refused(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("exactsched.campaign.executors._CONNECT", 1)
    with pytest.raises(InvalidInput, match="no Dask scheduler answers there"):
        run("dask://127.0.0.1:9")


@pytest.mark.parametrize(
    ("executor", "module", "told"),
    [
        ("dask", "distributed", "pip install exactsched\\[dask\\]"),
        ("dask://localhost:8786", "distributed", "pip install exactsched\\[dask\\]"),
        ("mpi", "mpi4py", "pip install exactsched\\[mpi\\]"),
    ],
)
def test_what_is_not_installed_is_said_in_one_line(monkeypatch, executor, module, told):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InvalidInput, match=told), workers(executor):
        pass


def test_mpi_finds_the_same(tmp_path, expected):
    path = tmp_path / "a.json"
    words = ["-m", "mpi4py.futures", "-m", "exactsched", "verify", *CLAIMS, "--executor", "mpi"]
    words += ["--instances", "210", "--library", LIBRARY, "--report", str(path), "--json"]
    words += ["--limit", "20", "--counterexamples", str(tmp_path)]
    for failure in expected["shards"][0]["results"]:
        for number, _, _ in failure["failures"][:1]:
            # So that the test does not wait for them to be made smaller.
            name = f"{failure['claim']}-{failure['size']}-0-{number}.json"
            (tmp_path / name).write_text(json.dumps(_counterexample(failure["claim"])))
    said = mpiexec(3, *words)
    assert said.returncode == 1, said.stderr
    assert json.loads(said.stdout)["wrong"] == ["toy.fragile", "toy.sum"]
    assert results(read_report(path)) == expected


def _counterexample(claim):
    texts = dict.fromkeys(("statement", "reference", "reason", "package"), "")
    return texts | {
        "format": "exactsched",
        "kind": "counterexample",
        "version": 1,
        "claim": claim,
        "size": "small",
        "library": LIBRARY,
        "seed": 0,
        "number": 0,
        "failure": "refuted",
        "facts": {},
        "instance": {"listed": [55, 95]},
    }


def test_mpi_without_its_runner_is_refused():
    """Else every rank would run the campaign."""
    said = mpiexec(
        2, "-m", "exactsched", "verify", "toy.sum", "--executor", "mpi", "--library", LIBRARY
    )
    assert said.returncode == 2
    assert said.stderr.count("start it as mpiexec -n N python -m mpi4py.futures") == 2
