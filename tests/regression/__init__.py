"""A table of answers that a redesign of the package must not change."""
