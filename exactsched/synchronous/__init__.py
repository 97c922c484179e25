"""Packets that spread in synchronous rounds over a graph: finite runs and bounds on them."""
