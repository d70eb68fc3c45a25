from django.apps import AppConfig


class VotingConfig(AppConfig):
    """Votes on boards: one for each account and board."""

    name = "voting"
