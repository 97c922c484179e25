"""Plans on real ranks of MPI, more of them than there are processors."""

from __future__ import annotations

import json
import pickle
import sys

import pytest

from exactsched import allgather, built_in, order_free_allreduce, write_certificate
from exactsched.cli import main
from tests.export.many_on_ranks import expected
from tests.export.solved import certificates
from tests.mpiexec import mpiexec

SOLVED = certificates()


@pytest.fixture
def file(tmp_path):
    def written(solution):
        path = tmp_path / "plan.json"
        write_certificate(solution.certificate(), path)
        return str(path)

    return written


@pytest.mark.parametrize("name", SOLVED)
def test_every_byte_is_that_of_the_collective_of_mpi(file, name):
    path = file(SOLVED[name])
    ranks = 8 if name == "allgather" else 3 if name == "allgather-ring" else 4
    said = mpiexec(ranks, "-m", "exactsched", "run", path, "--bytes", "1003", "--json")
    assert said.returncode == 0, said.stderr
    report = json.loads(said.stdout)
    assert report["ranks"] == ranks
    assert report["bytes"] == 1003
    assert report["seconds"] > 0


@pytest.mark.parametrize("name", ["allreduce", "allgather", "alltoall"])
def test_buffers_of_numpy(file, name):
    ranks = 8 if name == "allgather" else 4
    said = mpiexec(ranks, "-m", "tests.export.on_ranks", file(SOLVED[name]), "3")
    assert said.returncode == 0, said.stderr
    assert said.stdout == "delivered\n"


def test_two_hundred_random_platforms(tmp_path):
    """All eight collectives, and all port models: ranks get what the definition says."""
    path = tmp_path / "plans.pickle"
    path.write_bytes(pickle.dumps([expected(seed) for seed in range(200)]))
    said = mpiexec(6, "-m", "tests.export.many_on_ranks", str(path), timeout=300)
    assert (said.returncode, said.stdout) == (0, "200 plans delivered\n"), said.stderr


def test_two_boxes_of_eight_graphics_processors(file):
    """Sixteen ranks, of a platform with eighteen more nodes that only forward."""
    path = file(allgather(built_in("dgx-a100:2")))
    said = mpiexec(16, "-m", "exactsched", "run", path, "--bytes", "1001")
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("allgather: 16 ranks, 1001 bytes, every byte as MPI's own; ")


def test_two_ranks_and_a_vector_without_bytes(file):
    path = file(order_free_allreduce(built_in("complete:2")))
    said = mpiexec(2, "-m", "exactsched", "run", path, "--bytes", "7", "--repeat", "2")
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("allreduce: 2 ranks, 7 bytes, every byte as MPI's own; ")


def test_long_chunks_are_cut_into_segments(file):
    path = file(SOLVED["broadcast"])
    words = ["-m", "exactsched", "run", path, "--bytes", "5000000", "--json"]
    said = mpiexec(4, *words)
    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout)["segments"] > 1
    asked = mpiexec(4, *words, "--segments", "2")
    assert json.loads(asked.stdout)["segments"] == 2


def test_other_ranks_than_those_of_the_plan_are_told_once(file):
    said = mpiexec(3, "-m", "exactsched", "run", file(SOLVED["broadcast"]))
    assert said.returncode == 2
    told = "exactsched: ranks: 3: the plan is of 4; type mpiexec -n 4 exactsched run"
    assert [line for line in said.stderr.splitlines() if "exactsched" in line] == [told]


def test_a_file_that_is_none_is_told_once_and_no_rank_waits(tmp_path):
    said = mpiexec(3, "-m", "exactsched", "run", str(tmp_path / "none.json"))
    assert said.returncode == 2
    assert said.stderr.count("no such file") == 1


def test_a_certificate_that_is_refused_is_not_run(tmp_path):
    wrong = SOLVED["broadcast"].certificate() | {"throughput": 9}
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(wrong))
    said = mpiexec(4, "-m", "exactsched", "run", str(path))
    assert said.returncode == 1
    assert said.stderr.count("exactsched: throughput") == 1


def test_a_plan_that_delivers_something_else_is_told(file):
    said = mpiexec(4, "-m", "tests.export.differs", file(SOLVED["broadcast"]))
    assert said.returncode == 1
    assert "not those of MPI's own collective" in said.stderr


def test_a_rank_that_dies_ends_all(file):
    said = mpiexec(4, "-m", "tests.export.dies", file(SOLVED["allreduce"]), timeout=60)
    assert said.returncode != 0
    assert said.stdout.count("delivered") < 4


def test_buffers_that_do_not_fit_are_refused():
    said = mpiexec(2, "-m", "tests.export.refused")
    assert said.returncode == 0, said.stderr
    assert said.stdout.splitlines() == [
        "ranks: 1: the plan is of 2 ranks",
        "lengths: [8, 8]: the whole number of elements of each of 1 parts",
        "lengths: [-8]: the whole number of elements of each of 1 parts",
        "recv: (7,): rank 0 needs a contiguous array of 8 elements",
        "recv: (8,): rank 0 needs a contiguous array of 8 elements",
        "recv: 'list': rank 0 needs a contiguous array of 8 elements",
        "recv: 'int32': the type of send: float64",
        "recv: 'shared memory': send and recv are different arrays",
        "start: 'under way': the exchange before is ended by wait()",
    ]


@pytest.mark.parametrize("module", ["mpi4py", "numpy"])
def test_what_is_not_installed_is_said_in_one_line(monkeypatch, capsys, module):
    for name in [*sys.modules]:
        if name.split(".")[0] == module:
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, module, None)
    if module == "mpi4py":
        monkeypatch.setitem(sys.modules, "mpi4py.MPI", None)
    else:
        pytest.importorskip("mpi4py.MPI")
    assert main(["run", "plan.json"]) == 2
    assert "pip install 'exactsched[mpi]'" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--bytes", "--repeat", "--segments"])
def test_numbers_are_positive(capsys, option):
    assert main(["run", "plan.json", option, "0"]) == 2
    assert f"{option}: '0': a positive number" in capsys.readouterr().err
