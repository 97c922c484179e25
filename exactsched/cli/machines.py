"""Multi-port machines by name: `ipdps-fig1`, `three-partition:...`, `random:...`, or a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from exactsched.exact.errors import InvalidInput

if TYPE_CHECKING:
    from exactsched.model.machine import MultiPort

INSTANCES = (
    "INSTANCE is a file (.json or .csv), or one of ipdps-fig1,"
    " three-partition:6,6,6,6,7,9 (any numbers of 3-PARTITION),"
    " random:N,D,SEED (N nodes besides the source, of degree D)."
)


# A machine of more nodes takes more memory than most computers have.
MOST_NODES = 1_000_000


def load_machine(name_or_path: str, degree: int | None = None) -> MultiPort:
    """The machine that a user names; `degree` is for files that have no degrees in them.

    A built-in name wins over a file of the same name; write ``./ipdps-fig1`` for the file.
    """
    family, colon, parameters = name_or_path.partition(":")
    if family in _FAMILIES:
        pattern, shape, build = _FAMILIES[family]
        if not re.fullmatch(shape, colon + parameters):
            raise InvalidInput("instance", name_or_path, f"type {pattern}")
        if degree is not None:
            raise InvalidInput("--degree", degree, "built-in machines have their own degrees")
        return build(*[int(number) for number in re.findall(r"-?[0-9]+", parameters)])
    path = Path(name_or_path)
    if path.suffix.lower() not in (".json", ".csv") and not path.exists():
        known = ", ".join(pattern for pattern, _, _ in _FAMILIES.values())
        raise InvalidInput("instance", name_or_path, f"no such file; built in are {known}")
    from exactsched.platforms.machine_files import read_machine

    return read_machine(path, degree)


def _figure_1() -> MultiPort:
    from exactsched.model.machine import MultiPort

    return MultiPort([2, 1, 1], [2, 1, 1])


def _three_partition(*numbers: int) -> MultiPort:
    from exactsched.overlay.partition import partition_machine

    return partition_machine(numbers)


def _random(nodes: int, degree: int, seed: int) -> MultiPort:
    from exactsched.platforms.random_machines import sample_machine

    if nodes > MOST_NODES:
        raise InvalidInput("instance", nodes, f"at most {MOST_NODES} nodes")
    return sample_machine(nodes, degree, seed)


_N = "[0-9]{1,18}"

_FAMILIES: dict[str, tuple[str, str, Callable[..., MultiPort]]] = {
    "ipdps-fig1": ("ipdps-fig1", "", _figure_1),
    "three-partition": ("three-partition:A,B,C,...", f":{_N}(,{_N})*", _three_partition),
    "random": ("random:N,D,SEED", f":{_N},{_N},{_N}", _random),
}
