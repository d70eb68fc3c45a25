"""Webhooks by the Standard Webhooks specification: the worker sends the feed's events to endpoints of the admin.

addresses    which addresses may be connected to, and one request to one of them
delivering   who gets what next: claims, back-off, the end of an endpoint that keeps failing
"""
