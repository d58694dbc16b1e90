"""Long work: its progress, threads, and lists too long for memory."""
