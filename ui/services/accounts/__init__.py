"""Passwords, invitations, limits on attempts, and the audit log."""
