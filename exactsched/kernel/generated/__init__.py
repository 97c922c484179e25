"""Checkers that are proved in Rocq, printed as Python by `make -C proofs/rocq/extraction`."""
