"""Lets the version before delete endpoints, also after it was started again: it does not know their deliveries."""

from django.db import migrations

from config.database.migrated import create_triggers


class Migration(migrations.Migration):
    dependencies = [("deals", "0002_webhook_deliveries")]

    # On PostgreSQL the key stays when this is undone: the next migration back drops its table.
    operations = [
        create_triggers(
            __file__, drop={"postgresql": (), "sqlite": ("DROP TRIGGER deals_webhookendpoint_deletes_deliveries",)}
        )
    ]
