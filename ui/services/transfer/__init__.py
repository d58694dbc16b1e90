"""Study bundles, backups, moves of the database, exports, and files with raters' answers."""
