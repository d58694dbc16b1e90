"""Long work: its progress, threads, and lists that are too long for memory."""
