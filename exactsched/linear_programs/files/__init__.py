"""Linear programs in files."""
