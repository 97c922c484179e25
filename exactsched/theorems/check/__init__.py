"""Nothing false is accepted: changed certificates of all kinds, held against oracles."""
