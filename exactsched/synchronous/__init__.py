"""Packets that spread step by step over a graph: finite runs, and bounds on their steps."""
