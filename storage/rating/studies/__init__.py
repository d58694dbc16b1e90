"""Studies: storing, listing, changing, deleting."""
