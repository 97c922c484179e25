"""Compare both checkers on mutants: python -m tests.independent.fuzz --mutants 200000 --seed 1."""

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import exactsched
from exactsched.exact.errors import Malformed, Rejected
from tests.independent import Verdict, verdict
from tests.independent.fresh import fresh
from tests.independent.mutate import mutant, number

CORPUS = Path(__file__).parent.parent / "corpus"
LONGEST = 20_000  # characters: longer documents make slow mutants


class Checker:
    """The checker of the package, as a function from texts to verdicts."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "document.json"

    def __call__(self, content: str | bytes) -> Verdict:
        self.file.write_bytes(content.encode() if isinstance(content, str) else content)
        try:
            proved = exactsched.check(str(self.file))
        except Malformed as refusal:
            return Verdict("malformed", {}, str(refusal))
        except Rejected as refusal:
            return Verdict("rejected", {}, str(refusal))
        names = ("throughput", "makespan", "value", "time", "steps", "bound", "optimal")
        return Verdict("accepted", {name: getattr(proved, name, None) for name in names})


def disagreement(mine: Verdict, theirs: Verdict) -> str:
    """How two verdicts differ; empty if they agree."""
    if mine.word != theirs.word:
        return f"{mine.word} here ({mine.reason}), {theirs.word} there ({theirs.reason})"
    for name, value in mine.values.items():
        other = theirs.values.get(name)
        if other is not None and other != value:
            return f"{name} is {value} here and {other} there"
    return ""


def documents(folder: str) -> dict[str, list[str]]:
    """The texts of a part of the corpus, accepted or rejected, by kind."""
    texts = defaultdict(list)
    for path in sorted((CORPUS / folder).rglob("*.json")):
        text = path.read_text(encoding="utf-8")
        if len(text) <= LONGEST:
            texts[json.loads(text)["kind"]].append(text)
    return dict(texts)


def judged(text: str) -> Iterator[tuple[str, Verdict]]:
    """A mutant; and the same with its claims put right, one after the other."""
    for _ in range(5):
        mine = verdict(text)
        yield text, mine
        if mine.computed is None:
            return
        document = json.loads(text)
        name, value = mine.computed
        document[name] = value if isinstance(value, bool) else number(Fraction(value))
        text = json.dumps(document)


def compare(texts: list[str], mutants: int, seed: str, folder: Path) -> Iterator[dict[str, Any]]:
    """For each mutant: its last verdict, how the checkers disagree, and its text.

    Without texts the documents are fresh ones.
    """
    theirs = Checker(folder)
    for n in range(mutants):
        random = Random(f"{seed} {n}")
        text = mutant(random, random.choice(texts)) if texts else fresh(random)
        mine, problem = None, ""
        for version, mine in judged(text):
            problem = disagreement(mine, theirs(version))
            if problem:
                break
        yield {"verdict": mine, "problem": problem, "text": version}


def main(arguments: list[str] | None = None) -> int:
    """Print a line for each kind; the exit code is 1 if the checkers disagree anywhere."""
    parser = argparse.ArgumentParser(prog="python -m tests.independent.fuzz", description=__doc__)
    parser.add_argument("--mutants", type=int, default=10_000, help="in all, shared by all kinds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", nargs="*", help="these kinds only")
    parser.add_argument("--show", type=int, default=3, help="disagreements printed for each kind")
    parser.add_argument("--of", choices=("accepted", "rejected", "fresh"), default="accepted")
    options = parser.parse_args(arguments)
    kinds = documents(options.of) if options.of != "fresh" else {"fresh": []}
    total = sum(len(texts) for texts in kinds.values()) or 1
    everything = Counter[str]()
    print(f"{'kind':30}{'mutants':>9}{'accepted':>10}{'rejected':>10}{'malformed':>11}  disagree")
    with tempfile.TemporaryDirectory() as folder:
        for kind, texts in kinds.items():
            if options.kind and kind not in options.kind:
                continue
            mutants = options.mutants * len(texts) // total if texts else options.mutants
            counts = Counter[str]()
            for case in compare(texts, mutants, f"{options.seed} {kind}", Path(folder)):
                counts[case["verdict"].word] += 1
                if case["problem"]:
                    counts["disagree"] += 1
                    if counts["disagree"] <= options.show:
                        print(f"{case['problem']}\n  {case['text']}")
            words = [counts[word] for word in ("accepted", "rejected", "malformed", "disagree")]
            print(f"{kind:30}{mutants:>9}{words[0]:>10}{words[1]:>10}{words[2]:>11}{words[3]:>10}")
            sys.stdout.flush()
            everything.update(counts)
    print(dict(everything))
    return 1 if everything["disagree"] else 0


if __name__ == "__main__":
    sys.exit(main())
