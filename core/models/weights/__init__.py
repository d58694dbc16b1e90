"""Which weights there are, where they lie, how they are fetched."""
