"""What pages and commands do alike, over one opened data folder."""
