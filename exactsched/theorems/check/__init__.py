"""That the checker accepts nothing false: changed certificates of all kinds, held against oracles."""
