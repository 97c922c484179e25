"""Schedules that run: plans of transfers between ranks, and the formats of other programs.

`exactsched.export.plan` makes a plan of an accepted certificate: who sends which part of which
vector to whom, after what.  The other modules run it or write it.
"""
