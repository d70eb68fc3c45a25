"""A mail server that refuses every address."""

from collections.abc import Sequence
from smtplib import SMTPRecipientsRefused

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class EmailBackend(BaseEmailBackend):
    code = 550

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        address = email_messages[0].to[0]
        raise SMTPRecipientsRefused({address: (self.code, f"{address}: not here".encode())})
