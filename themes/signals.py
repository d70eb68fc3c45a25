"""What the themes tell the apps above them, which they cannot import."""

from django.dispatch import Signal

type_changed = Signal()
"""A `theme` has another type than `before`. Sent in the transaction of the change."""
