from django.db import migrations, models

from config.values.web_addresses import WebAddressValidator


class Migration(migrations.Migration):
    """Only the validator changes: no SQL."""

    dependencies = [("deals", "0003_deals_of_members")]

    operations = [
        migrations.AlterField(
            model_name="deal",
            name="source_url",
            field=models.CharField(
                blank=True,
                help_text="The web address of the source.",
                max_length=500,
                validators=[WebAddressValidator(["http", "https"])],
            ),
        ),
    ]
