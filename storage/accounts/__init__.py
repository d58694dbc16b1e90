"""Who may come in: accounts, sessions, study links, and the log of what was done."""
