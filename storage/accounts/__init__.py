"""Store accounts, sessions, study links and the audit log."""
