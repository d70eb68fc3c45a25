from django.db import migrations, models

from config.values.countries import validate_country


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="account",
            name="country",
            field=models.CharField(
                blank=True,
                help_text="ISO 3166-1 alpha-2, two capital letters such as NL.",
                max_length=2,
                validators=[validate_country],
            ),
        ),
    ]
