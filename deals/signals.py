"""What the deals tell the apps above them, which they cannot import."""

from django.dispatch import Signal

double_dummy_changed = Signal()
"""The double dummy or its status of `deal_ids` has changed. Sent in the transaction of the change."""
