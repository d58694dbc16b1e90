"""Tools for long jobs: progress reports, threads, and lists that are too long for memory."""
