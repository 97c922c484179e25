"""Optimal communication on a LogP machine: broadcast, allgather, alltoall, allreduce, summation.

After Karp, Sahay, Santos and Schauser, *Optimal broadcast and summation in the LogP model* (1993).
Each module solves one problem; each result is a record of `exactsched.certificate.logp`, which
`exactsched.check` proves.
"""
