"""Store, list, change and delete studies."""
