"""Signing in: members and staff, passwords and the provider's code flow, what is counted, and how sessions end."""
