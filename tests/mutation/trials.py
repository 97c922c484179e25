"""A plugin of pytest that runs tests on mutants, each in a forked process."""

from __future__ import annotations

import cProfile
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from types import CodeType
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.mutation.mutants import ROOT, Mutant, apply

# A test that takes this many times as long as it should has noticed the mutant.
PATIENCE = 10
MEMORY = 3 << 30


class Trials:
    """Instead of running the tests, runs them once for each mutant, and keeps the verdicts.

    A test is tried on a mutant if it executes the function.  Tests that take less time come
    first; those between the two numbers of `seconds`, of all together, are run.
    """

    def __init__(
        self,
        mutants: list[Mutant],
        seconds: tuple[float, float],
        *,
        examples: int,
        known: Path | None,
    ) -> None:
        self.verdicts: dict[Mutant, str] = {}
        self._mutants, self._seconds, self._map = mutants, seconds, known
        settings.register_profile(
            "mutation",
            derandomize=True,
            deadline=None,
            database=None,
            max_examples=examples,
            phases=[Phase.explicit, Phase.generate],  # a smaller counterexample helps nobody
            suppress_health_check=list(settings.get_profile("default").suppress_health_check),
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """After tests/conftest.py, before the tests."""
        settings.load_profile("mutation")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        seen = self._known(list(items.values()))
        seen = {name: entry for name, entry in seen.items() if name in items and entry[1]}
        print(f"{len(seen)} of {len(items)} tests pass and execute the package", flush=True)
        for number, mutant in enumerate(self._mutants):
            reach = f"{mutant.module}:{mutant.function}"
            tests = sorted((cost, name) for name, (cost, code) in seen.items() if reach in code)
            began = time.monotonic()
            verdict = self._verdict(mutant, [(items[name], cost) for cost, name in tests])
            self.verdicts[mutant] = verdict
            took = time.monotonic() - began
            print(f"{number} {took:.1f} s {verdict} {mutant.name}", file=sys.stderr, flush=True)
        return True

    def _known(self, items: list[pytest.Item]) -> dict[str, Any]:
        """Of every test its time and functions: from the file, or found now and kept there."""
        known: dict[str, Any] = {}
        if self._map is not None and self._map.exists():
            known = json.loads(self._map.read_text(encoding="utf-8"))
        fresh = [item for item in items if item.nodeid not in known]
        known |= json.loads(_forked(lambda: json.dumps(dict(self._executed(fresh)))))
        if self._map is not None:
            self._map.write_text(json.dumps(known), encoding="utf-8")
        return known

    def _executed(self, items: list[pytest.Item]) -> Iterator[tuple[str, tuple[float, list[str]]]]:
        """Of every test its time and, if it passes, the functions of the package that it calls."""
        for item in items:
            profile = cProfile.Profile()
            began = time.process_time()
            profile.enable()
            failed = _failed(item)
            profile.disable()
            took = time.process_time() - began
            codes = [entry.code for entry in profile.getstats()]
            names = {self._name(code) for code in codes if isinstance(code, CodeType)} - {""}
            yield item.nodeid, (took, [] if failed else sorted(names))

    def _name(self, code: CodeType) -> str:
        """The function of the package that the code is, or is a part of."""
        path = Path(code.co_filename)
        if not path.is_relative_to(ROOT / "exactsched"):
            return ""
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        return f"{name}:{code.co_qualname.split('.<locals>')[0]}"

    def _verdict(self, mutant: Mutant, tests: list[tuple[pytest.Item, float]]) -> str:
        def trial() -> str:
            try:
                apply(mutant)
            except SyntaxError:
                return "no code"
            _forget()
            spent = 0.0
            for item, cost in tests:
                spent += cost
                skipped, enough = self._seconds
                if spent <= skipped:
                    continue
                if spent > enough and item is not tests[0][0]:
                    return "survived in part"
                signal.setitimer(signal.ITIMER_PROF, PATIENCE * cost + 1)
                if _failed(item):
                    return f"killed by {item.nodeid}"
            return "survived"

        return _forked(trial) or "killed by its time"


def _failed(item: pytest.Item) -> bool:
    reports: list[pytest.TestReport] = []

    class Listener:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            reports.append(report)

    plugins = item.config.pluginmanager
    if plugins.has_plugin("terminalreporter"):
        plugins.unregister(name="terminalreporter")
    listener = Listener()
    plugins.register(listener)
    item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
    plugins.unregister(listener)
    return any(report.failed for report in reports)


def _forked(work: Callable[[], str]) -> str:
    """What the work says in a process of its own; nothing if the process dies."""
    with TemporaryFile("w+", encoding="utf-8") as said:
        child = os.fork()
        if not child:
            try:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                os.dup2(1, 2)
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                said.write(work())
            except BaseException as error:
                said.write(f"killed by {error!r}")
            said.flush()
            os._exit(0)
        os.waitpid(child, 0)
        said.seek(0)
        return said.read()


def _forget() -> None:
    """Empties the caches of the package and of the tests."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("exactsched", "tests"):
            for value in vars(module).values():
                _clear: Any = getattr(value, "cache_clear", None)
                if callable(_clear):
                    _clear()
