"""Who gets the mail of the week."""

import uuid
from datetime import date
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.crypto import salted_hmac

from accounts.tokens.claims import MAX_EMAIL_LENGTH


def stop_key_of(account_id: str) -> str:
    """Return the same text for an account whenever it asks for the mail, which tells nobody whose it is."""
    return salted_hmac("accounts.mail_of_the_week.stop", account_id, algorithm="sha256").hexdigest()


class MailOfTheWeek(models.Model):
    """An address at which a member wants the mail of the week. It is deleted as soon as it is not wanted any more.

    The address that is given next is a row of its own, whose id the link of its confirmation has: a link confirms the
    address that it was sent to and no other.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="mail_of_the_week",
        help_text="Who gave the address",
    )
    address = models.EmailField(max_length=MAX_EMAIL_LENGTH, help_text="Where the mail goes")
    asked_at = models.DateTimeField(auto_now_add=True, help_text="When the address was given")
    confirmed_at = models.DateTimeField(null=True, help_text="When somebody who reads its mail confirmed it")
    stop_key = models.CharField(
        max_length=64, db_index=True, editable=False, help_text="What the link that stops the mail ends with"
    )
    queued_for = models.DateField(
        null=True, db_index=True, help_text="The Monday for which its last mail was queued. Blank until it is confirmed"
    )
    sent_for = models.DateField(null=True, help_text="The Monday whose mail was sent, or was about to be, last")

    def __str__(self) -> str:
        return f"mail of the week for {self.account_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.stop_key = self.stop_key or stop_key_of(self.account_id)
        super().save(*args, **kwargs)

    def claim(self, week: date) -> bool:
        """Tell whether the caller, and nobody else, may send the mail of a week.

        The claim is committed before the mail is sent: if the process dies in between, that mail is never sent, rather
        than twice.
        """
        if self.sent_for and self.sent_for >= week:
            return False
        return bool(MailOfTheWeek.objects.filter(pk=self.pk, sent_for=self.sent_for).update(sent_for=week))

    def release(self, week: date) -> None:
        """Give a claim back, once it is certain that no mail was sent."""
        MailOfTheWeek.objects.filter(pk=self.pk, sent_for=week).update(sent_for=self.sent_for)
