from django.db import migrations, models

from config.values.web_addresses import WebAddressValidator


class Migration(migrations.Migration):
    """Only the validator changes: no SQL."""

    dependencies = [("accounts", "0003_one_time_codes")]

    operations = [
        migrations.AlterField(
            model_name="account",
            name="avatar_url",
            field=models.CharField(
                blank=True,
                help_text="Address of a picture, beginning with https://.",
                max_length=500,
                validators=[WebAddressValidator(["https"])],
            ),
        ),
    ]
