"""Lets the version before delete endpoints, also after it was started again: it does not know their deliveries."""

from django.db import migrations

from config.database.migrated import create_triggers


class Migration(migrations.Migration):
    dependencies = [("deals", "0002_webhook_deliveries")]

    operations = [
        create_triggers(
            __file__,
            drop={
                "postgresql": (
                    "ALTER TABLE deals_webhookdelivery DROP CONSTRAINT deals_webhookdelivery_goes_with_its_endpoint",
                ),
                "sqlite": ("DROP TRIGGER deals_webhookendpoint_deletes_deliveries",),
            },
        )
    ]
