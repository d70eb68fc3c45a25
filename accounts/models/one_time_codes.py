from django.conf import settings
from django.db import models
from django.utils import timezone


class OneTimeCode(models.Model):
    """The secret by which an account's app computes its codes, and how far they are used up."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="one_time_code",
        help_text="Account that logs in with the codes",
    )
    secret = models.CharField(max_length=200, help_text="Encrypted with keys that are derived from SECRET_KEY")
    last_step = models.PositiveBigIntegerField(
        default=0, help_text="Number of the half minute whose code was used last. No code up to it is taken"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False, help_text="When it was enrolled")

    def __str__(self) -> str:
        return f"one-time code of {self.account_id}"
