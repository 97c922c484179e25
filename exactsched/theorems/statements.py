"""Every numbered statement of the five papers, and the claims that stand for it here."""

from __future__ import annotations

from typing import NamedTuple


class Statement(NamedTuple):
    """`printed` as the paper numbers it, the ids of its `claims`, or `why` there is none."""

    paper: str
    printed: str
    claims: tuple[str, ...]
    why: str = ""


PAPERS = {
    "beaumont2003": (
        "Beaumont, Legrand, Marchal, Robert, *Optimizing the steady-state throughput of broadcasts"
        " on heterogeneous platforms*, INRIA RR-4871, 2003"
    ),
    "legrand2003": (
        "Legrand, Marchal, Robert, *Optimizing the steady-state throughput of scatter and reduce"
        " operations on heterogeneous platforms*, INRIA RR-4872, 2003"
    ),
    "karp1993": (
        "Karp, Sahay, Santos, Schauser, *Optimal broadcast and summation in the LogP model*,"
        " SPAA 1993"
    ),
    "beaumont2010": (
        "Beaumont, Eyraud-Dubois, Agrawal, *Broadcasting on large scale heterogeneous platforms"
        " under the bounded multi-port model*, IPDPS 2010"
    ),
    "lu2025": (
        "Lu, Hwang, Tenreiro, Tripti, Hamilton, Deng, *A new broadcast model for several network"
        " topologies*, 2025"
    ),
}


def _of(paper: str, *rows: tuple[str, str]) -> tuple[Statement, ...]:
    """Rows (number as printed, ids without the name of the paper)."""
    return tuple(
        Statement(paper, printed, tuple(f"{paper}.{one}" for one in ids.split()))
        for printed, ids in rows
    )


STATEMENTS = (
    *_of(
        "beaumont2003",
        ("Theorem 1", "thm1"),
        ("Lemma 1", "lemma1"),
        ("Theorem 2", "thm2 thm2.printed"),
        ("SSB(G)", "ssb ssb.printed ssb.gross.printed"),
        ("Theorem 3", "thm3"),
        ("Lemma 2", "lemma2"),
        ("Lemma 3", "lemma3"),
        ("Theorem 4", "thm4"),
        ("Theorem 5", "thm5"),
        ("Lemma 4", "lemma4"),
        ("Lemma 5", "lemma5"),
        ("Theorem 6", "thm6 thm6.printed"),
        ("Lemma 6", "lemma6"),
        ("Figure 2", "fig2 fig2.printed"),
        ("Lemma 7", "lemma7"),
        ("Theorem 7", "thm7"),
        ("Theorem 8", "thm8"),
    ),
    *_of(
        "legrand2003",
        ("SSSP(G)", "sssp sssp.printed"),
        ("Lemma 1", "lemma1.scatter lemma1.alltoall lemma1.reduce"),
        ("Proposition 1", "prop1"),
        ("SSPA2A(G)", "sspa2a sspa2a.printed"),
        ("Proposition 2", "prop2"),
        ("SSR(G)", "ssr ssr.printed"),
        ("Lemma 2", "lemma2"),
        ("Theorem 1", "thm1 thm1.printed"),
        ("Proposition 3", "prop3"),
        ("Proposition 4", "prop4"),
        ("Section 6, parallel prefix", "prefix.bound prefix.reached"),
    ),
    *_of(
        "karp1993",
        ("Theorem 2.1", "thm2.1 thm2.1.printed"),
        ("Fact 2.1", "fact2.1"),
        ("Theorem 2.2", "thm2.2"),
        ("Theorem 3.1", "thm3.1 thm3.1.printed"),
        ("Theorem 3.2", "thm3.2"),
        ("Lemma 3.1", "lemma3.1"),
        ("Section 3.2, the recipe for words", "automaton"),
        ("Theorem 3.3", "thm3.3"),
        ("Corollary 3.1", "cor3.1"),
        ("Theorem 3.4", "thm3.4 thm3.4.table"),
        ("Corollary 3.2", "cor3.2 cor3.2.printed"),
        ("Theorem 3.5", "thm3.5"),
        ("Theorem 3.6", "thm3.6"),
        ("Theorem 3.7", "thm3.7"),
        ("Theorem 3.8", "thm3.8"),
        ("Section 4.1, all-to-all", "alltoall alltoall.printed"),
        ("Theorem 4.1", "thm4.1"),
        ("Lemma 5.1", "lemma5.1 lemma5.1.printed lemma5.1.fractions"),
    ),
    *_of(
        "beaumont2010",
        ("Theorem 3.1", "thm3.1"),
        ("Theorem 3.2", "thm3.2"),
        ("Section III-A, integer program", "milp milp.printed"),
        ("Theorem 3.3", "thm3.3"),
        ("Lemma 3.4", "lemma3.4"),
        ("Lemma 3.5", "lemma3.5"),
        ("Theorem 3.6", "thm3.6"),
        ("Equation (5)", "eq5 eq5.printed"),
        ("Section IV-B", "augmented augmented.printed augmented.diversions"),
        ("Section V-A", "acyclic tree tree.printed"),
    ),
    *_of(
        "lu2025",
        ("Theorem 1", "thm1 thm1.printed thm1.rates.printed"),
        ("Theorem 2", "thm2 thm2.printed"),
        (
            "Section 2.2, sufficiency of the constraints",
            "sufficiency.printed optimum hamiltonian hamiltonian.search",
        ),
        ("Equation (16)", "bound16 bound16.printed"),
        ("Equation (17)", "bound17 bound17.printed"),
        ("Section 3, binary trees", "binary-tree binary-tree.delays"),
        ("Section 2.3, frames and packets", "pipelines pipelines.quarters"),
        ("Tables 2 to 6", "counting saturation"),
    ),
    Statement(
        "lu2025",
        "Equation (15)",
        (),
        "T = T_I + T_S + T_F defines T_S; as the stages may overlap it says nothing",
    ),
    Statement("lu2025", "Equation (18)", (), "an expectation, not a statement: T_I = T_F"),
    Statement("lu2025", "Equations (19), (20)", (), "operation counts of an unspecified program"),
)
