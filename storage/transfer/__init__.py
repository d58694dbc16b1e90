"""Move rows in and out of a database, for study bundles and whole databases. Describe their columns."""
