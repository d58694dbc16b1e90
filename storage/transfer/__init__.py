"""Move rows in and out of a database: study bundles, whole databases, column descriptions."""
