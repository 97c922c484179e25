"""Compare kernel and checker on mutants: python -m tests.kernel.fuzz --count 50000."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from random import Random

from tests.independent.mutate import mutant
from tests.kernel.agreement import CORPUS, disagreement, documents


def main(arguments: list[str] | None = None) -> int:
    """Prints how often the kernel gave which verdict; the exit code is 1 if it contradicts."""
    parser = argparse.ArgumentParser(prog="python -m tests.kernel.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10, help="contradictions that are printed")
    parser.add_argument("--only", default="", help="documents with this in their paths")
    options = parser.parse_args(arguments)
    texts = [
        json.dumps(document)
        for path, document in documents("accepted")
        if options.only in str(path.relative_to(CORPUS))
    ]
    counts: Counter[str] = Counter()
    for number in range(options.count):
        random = Random(f"{options.seed} {number}")
        text = mutant(random, texts[number % len(texts)])
        try:
            document = json.loads(text)
        except ValueError:
            continue
        if not isinstance(document, dict):
            continue
        word, problem = disagreement(document)
        counts[word] += 1
        if problem:
            counts["contradicts"] += 1
            if counts["contradicts"] <= options.show:
                print(f"{problem}\n  {text}")
    print(dict(counts))
    return 1 if counts["contradicts"] else 0


if __name__ == "__main__":
    sys.exit(main())
