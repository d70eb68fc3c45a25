"""Keep the name that the task had before 1.0.0: mails queued before an update are sent after it."""

from accounts.mail_of_the_week import send_confirmation

__all__ = ["send_confirmation"]
