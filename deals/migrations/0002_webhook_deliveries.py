import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("deals", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "event_type",
                    models.CharField(help_text="The type of the event, webhook.test for a test.", max_length=24),
                ),
                ("message_id", models.CharField(help_text="The id that the message had.", max_length=40)),
                (
                    "sent_at",
                    models.DateTimeField(
                        help_text="When it was sent. Blank while a test waits for the worker.", null=True
                    ),
                ),
                (
                    "status",
                    models.PositiveSmallIntegerField(
                        help_text="The HTTP status of the answer. Blank without one.", null=True
                    ),
                ),
                ("error", models.CharField(blank=True, help_text="Why it was not accepted.", max_length=300)),
                (
                    "endpoint",
                    models.ForeignKey(
                        help_text="Where it was sent.",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="deals.webhookendpoint",
                    ),
                ),
            ],
            options={
                "ordering": ("-sent_at", "id"),
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("sent_at__isnull", True)),
                        fields=("endpoint",),
                        name="webhook_one_waiting_test",
                    )
                ],
            },
        )
    ]
