"""The parts of scripts/mutate-table."""
