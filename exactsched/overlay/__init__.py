"""Broadcast overlays on bounded multi-port machines: constructions, optima and proofs."""
