import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

# Not formatted: fields of a line or two can be read as a table.
# fmt: off


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_sessions")]

    operations = [
        migrations.CreateModel(
            name="OneTimeCode",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="one_time_code",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                        help_text="Account that logs in with the codes",
                    ),
                ),
                (
                    "secret",
                    models.CharField(
                        max_length=200, help_text="Encrypted with keys that are derived from SECRET_KEY"
                    ),
                ),
                (
                    "last_step",
                    models.PositiveBigIntegerField(
                        default=0,
                        help_text="Number of the half minute whose code was used last. No code up to it is taken",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False, help_text="When it was enrolled"
                    ),
                ),
            ],
        ),
    ]
