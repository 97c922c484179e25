"""Random problems: one generator for seeds, for hypothesis, and for making failures smaller."""
