"""The tables of the index are those of the app search from here on, by the same names."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("boards", "0010_fill_event_deals"), ("search", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel("IndexRow"), migrations.DeleteModel("Slice")]
        ),
    ]
