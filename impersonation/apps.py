from django.apps import AppConfig
from django.db.models.signals import post_save, pre_delete


class ImpersonationConfig(AppConfig):
    """Staff impersonate members: read-only, for a limited time, and with an audit log."""

    name = "impersonation"

    def ready(self) -> None:
        from accounts.models import Account, Session
        from impersonation import checks  # noqa: F401  (registers the check)
        from impersonation.receivers import end_that_of_a_session, end_those_that_a_change_forbids

        post_save.connect(end_those_that_a_change_forbids, sender=Account)
        pre_delete.connect(end_that_of_a_session, sender=Session)
