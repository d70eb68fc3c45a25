"""Lets the version before delete deals, also after it was started again: it does not know the rows of events' deals."""

from django.db import migrations

from config.database.migrated import create_triggers


class Migration(migrations.Migration):
    dependencies = [("boards", "0008_event_deals"), ("deals", "0001_initial")]

    operations = [
        create_triggers(
            __file__,
            drop={
                "postgresql": ("ALTER TABLE boards_eventdeal DROP CONSTRAINT boards_eventdeal_goes_with_its_deal",),
                "sqlite": ("DROP TRIGGER deals_deal_deletes_event_deals",),
            },
        )
    ]
