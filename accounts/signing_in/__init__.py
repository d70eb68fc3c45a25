"""Signing in: the doors of members and of the admin, the provider's code flow, sessions, and how they end."""
