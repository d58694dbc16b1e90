"""Study bundles, backups, moves of the database, exports, and answer files."""
