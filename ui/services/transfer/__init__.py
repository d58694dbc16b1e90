"""Study bundles, backups, moving, exports, and files of answers."""
