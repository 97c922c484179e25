"""What people read: what is asked, what is claimed, and why nothing is better."""

from __future__ import annotations

from exactsched.drawing.scene import Words

ARROW, BACK, DEMAND = "\u2192", "\u2190", "\u21d2"

CLOSING = (
    Words(
        "",
        (
            "Numbers as stated in the certificate; \u201cexactsched check\u201d proves them or"
            " refuses.",
        ),
        "picture",
    ),
    Words(
        "How to check it",
        (
            "This page repeats what the certificate states. The certificate carries its own proof,"
            " which a program without any solver reads: \u201cexactsched check FILE\u201d.",
        ),
        "page",
    ),
)
"""The last words of every picture and of every page."""

WHY = "Why nothing is better"
