"""Webhooks by the Standard Webhooks specification: the worker sends the feed's events to endpoints of the admin."""
