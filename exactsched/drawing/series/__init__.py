"""Series and runs of collectives as scenes and traces."""
