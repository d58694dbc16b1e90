"""Read ratings as one table, and count progress, participants and reported items."""
