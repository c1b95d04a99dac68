"""The modules of scripts/mutate-table."""
