"""Long work: progress, threads, and lists that are too long for memory."""
