"""The form and length of names that stand in addresses."""

MAX_ACCOUNT_ID_LENGTH = 255

SLUG_PATTERN = r"[A-Za-z0-9_-]{1,64}"
"""The identifier or type of a theme, and the identifier of an auction system."""
