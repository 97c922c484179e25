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
KNOWN: dict[str, int] = {}


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
