"""Runs in synchronous rounds as scenes and traces."""
