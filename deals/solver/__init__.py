"""Compute what all cards being open would make of a deal or a play, in a process of its own (docs/worker.md)."""
