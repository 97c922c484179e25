"""Optimal communication on a LogP machine: broadcast, k items, all-to-all, combining, summation.

After Karp, Sahay, Santos and Schauser, *Optimal broadcast and summation in the LogP model* (1993).
Each module holds one problem; each result is a noun of `exactsched.certificate.logp`, which
`exactsched.check` proves.
"""
