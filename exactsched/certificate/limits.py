"""The words and limits of the certificate format, version 2.

The limits are far beyond any certificate seen (a proof over 1,000 nodes with numbers of thousands
of digits takes some megabytes) and keep hostile documents finite: JSON readers recurse, and a
packet count, or the size of a graph, is a short number that stands for a long list.
"""

from typing import Final

FORMAT: Final = "exactsched"
VERSION: Final = 2
MAX_BYTES: Final = 1 << 30
MAX_DEPTH: Final = 100
MAX_BOUNDS: Final = 100_000
# A table over all sets of targets has 2^10 rows, and 3^10 ways to divide a set.
MAX_TARGETS: Final = 10
MAX_PACKETS: Final = 1_000_000
MAX_NODES: Final = 1_000_000
MAX_ITEMS: Final = 10**18
MAX_INTEGER_DIGITS: Final = 100
LARGEST_JSON_INTEGER: Final = 2**53 - 1
