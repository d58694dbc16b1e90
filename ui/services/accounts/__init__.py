"""Passwords, invitations, limits on attempts to sign in or to join a study, and the audit log."""
