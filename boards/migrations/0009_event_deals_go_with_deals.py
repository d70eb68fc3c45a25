"""Lets the version before delete deals, also after it was started again: it does not know the rows of events' deals."""

from django.db import migrations

from config.database.migrated import create_triggers


class Migration(migrations.Migration):
    dependencies = [("boards", "0008_event_deals"), ("deals", "0001_initial")]

    # On PostgreSQL the key stays when this is undone: the next migration back drops its table.
    operations = [
        create_triggers(__file__, drop={"postgresql": (), "sqlite": ("DROP TRIGGER deals_deal_deletes_event_deals",)})
    ]
