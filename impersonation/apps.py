from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_out
from django.db.models.signals import post_save


class ImpersonationConfig(AppConfig):
    """Staff impersonate members: read-only, for a limited time, and with an audit log."""

    name = "impersonation"

    def ready(self) -> None:
        from accounts.models import Account
        from impersonation.receivers import end_that_of_the_session, end_those_that_a_change_forbids

        post_save.connect(end_those_that_a_change_forbids, sender=Account)
        user_logged_out.connect(end_that_of_the_session)
