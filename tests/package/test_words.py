"""The words of the project: a glossary that is in order, and phrases that stop a reader."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "proofs" / "glossary.md"
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "benchmarks" / "README.md",
    ROOT / "tests" / "README.md",
    *sorted((ROOT / "proofs").glob("*.md")),
]
SOURCES = sorted((ROOT / "exactsched").rglob("*.py"))

# Word order borrowed from another language, and words that the glossary has replaced.
BANNED = re.compile(
    r"\b(?:so\s+many|what\s+is\s+none|in\s+truth|of\s+one\s+mind|has\s+its\s+due|nobody\s+minds"
    r"|beside[\s_]the[\s_]point|any\s+number\s+of\s+it|gossip\w*)\b",
    re.IGNORECASE,
)

# The paper's own word stands in these places, once in each.
QUOTED = {"proofs/glossary.md": 1, "proofs/steady-state-alltoall.md": 1}

# Files written before the rule.  A number may only fall; a file that is not listed has none.
KNOWN: dict[str, int] = {
    "exactsched/campaign/blocks.py": 2,
    "exactsched/campaign/campaign.py": 1,
    "exactsched/campaign/counterexample.py": 1,
    "exactsched/campaign/report.py": 1,
    "exactsched/campaign/shrinking.py": 1,
    "exactsched/certificate/elements.py": 2,
    "exactsched/certificate/logp.py": 1,
    "exactsched/certificate/minmax.py": 1,
    "exactsched/certificate/nouns.py": 1,
    "exactsched/certificate/synchronous.py": 1,
    "exactsched/check/collectives/operation.py": 1,
    "exactsched/check/graphs/matching.py": 1,
    "exactsched/check/logp/bounds.py": 1,
    "exactsched/check/logp/rounds.py": 1,
    "exactsched/check/logp/schedule.py": 1,
    "exactsched/check/one_side.py": 1,
    "exactsched/check/synchronous/bounds.py": 1,
    "exactsched/cli/verify.py": 1,
    "exactsched/drawing/logp_reception.py": 1,
    "exactsched/drawing/logp_wording.py": 3,
    "exactsched/drawing/overlay_traffic.py": 1,
    "exactsched/drawing/rounds_colors.py": 1,
    "exactsched/drawing/rounds_curves.py": 1,
    "exactsched/drawing/rounds_frames.py": 1,
    "exactsched/drawing/rounds_places.py": 2,
    "exactsched/drawing/rounds_traffic.py": 3,
    "exactsched/drawing/rounds_wording.py": 1,
    "exactsched/drawing/wording.py": 1,
    "exactsched/instances/choices.py": 2,
    "exactsched/linear_programs/column_generation.py": 1,
    "exactsched/oracles/half_duplex.py": 2,
    "exactsched/oracles/logp.py": 2,
    "exactsched/oracles/overlay.py": 1,
    "exactsched/runs/finite_run.py": 2,
    "exactsched/runs/time_scaling.py": 3,
    "exactsched/simulation/machine.py": 1,
    "exactsched/steady_state/arborescence_packing.py": 1,
    "exactsched/steady_state/broadcast.py": 1,
    "exactsched/steady_state/fixed_period.py": 2,
    "exactsched/steady_state/hamiltonian_search.py": 4,
    "exactsched/steady_state/prefix.py": 1,
    "exactsched/steady_state/structure_counts.py": 2,
    "exactsched/theorems/beaumont2003/figure_2.py": 1,
    "exactsched/theorems/beaumont2003/section_6_asymptotic.py": 2,
    "exactsched/theorems/beaumont2010/section_4_bounds.py": 1,
    "exactsched/theorems/beaumont2010/section_4_diversions.py": 1,
    "exactsched/theorems/classical/duality.py": 2,
    "exactsched/theorems/classical/matchings.py": 1,
    "exactsched/theorems/karp1993/section_2_broadcast.py": 3,
    "exactsched/theorems/karp1993/section_3_continuous.py": 1,
    "exactsched/theorems/karp1993/section_3_items.py": 1,
    "exactsched/theorems/karp1993/section_3_latency_two.py": 2,
    "exactsched/theorems/karp1993/section_3_words.py": 1,
    "exactsched/theorems/karp1993/sections_4_and_5_sums.py": 2,
    "exactsched/theorems/legrand2003/series.py": 2,
    "exactsched/theorems/lu2025/hamiltonian.py": 2,
    "exactsched/theorems/lu2025/section_2_half_duplex.py": 1,
    "exactsched/theorems/lu2025/section_3_plans.py": 2,
    "proofs/rounds-certificates.md": 1,
}


def counted(path: Path) -> int:
    # Comment signs and quotes at the ends of lines do not separate the words of a sentence.
    written = re.sub(r'"?\n\s*(?:#|f?")?\s*', " ", path.read_text(encoding="utf-8"))
    return len(BANNED.findall(written))


def entries() -> list[str]:
    return re.findall(r"^\*\*(.+?)\*\* ", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_glossary_has_each_word_once_in_alphabetical_order() -> None:
    words = entries()
    assert [word for word, times in Counter(words).items() if times > 1] == []
    assert words == sorted(words, key=str.casefold)


def test_what_the_glossary_writes_in_italics_is_defined_in_it() -> None:
    defined = {word.casefold() for word in entries()}
    for word in re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", GLOSSARY.read_text(encoding="utf-8")):
        plain = word.casefold()
        assert {plain, plain.removesuffix("s")} & defined or plain == "italics", word


@pytest.mark.parametrize("word", ["arc", "load", "overlay", "price", "role cycle", "structure"])
def test_the_glossary_defines_the_words_of_the_design(word: str) -> None:
    assert word in entries()


@pytest.mark.parametrize("path", [*PAGES, *SOURCES], ids=lambda p: str(p.relative_to(ROOT)))
def test_no_phrase_stops_the_reader(path: Path) -> None:
    name = str(path.relative_to(ROOT))
    allowed = KNOWN.get(name, QUOTED.get(name, 0))
    assert counted(path) <= allowed, BANNED.findall(path.read_text(encoding="utf-8"))


def test_the_list_names_files_that_exist() -> None:
    assert [name for name in KNOWN if not (ROOT / name).exists()] == []


def test_a_phrase_is_found_across_the_end_of_a_line(tmp_path: Path) -> None:
    page = tmp_path / "page.py"
    page.write_text('"""It has so\n    many."""\nrule = (\n    "what is"\n    " none"\n)\n')
    assert counted(page) == 2
