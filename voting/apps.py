from django.apps import AppConfig


class VotingConfig(AppConfig):
    """One vote an account and board."""

    name = "voting"
