"""Passwords, invitations, limits on attempts, and the log of actions."""
