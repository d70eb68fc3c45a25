import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="MailOfTheWeek",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("address", models.EmailField(help_text="Where the mail goes", max_length=254)),
                ("asked_at", models.DateTimeField(auto_now_add=True, help_text="When the address was given")),
                (
                    "confirmed_at",
                    models.DateTimeField(help_text="When somebody who reads its mail confirmed it", null=True),
                ),
                (
                    "stop_key",
                    models.CharField(
                        db_index=True,
                        editable=False,
                        help_text="What the link that stops the mail ends with",
                        max_length=64,
                    ),
                ),
                (
                    "queued_for",
                    models.DateField(
                        db_index=True,
                        null=True,
                        help_text="The Monday for which its last mail was queued. Blank until it is confirmed",
                    ),
                ),
                (
                    "sent_for",
                    models.DateField(help_text="The Monday whose mail was sent, or was about to be, last", null=True),
                ),
                (
                    "account",
                    models.OneToOneField(
                        help_text="Who gave the address",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_of_the_week",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
