"""Tools for long jobs: progress, threads, and lists that are too long for memory."""
