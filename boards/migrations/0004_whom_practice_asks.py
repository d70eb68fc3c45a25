import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("boards", "0003_change_of_a_published_board"),
    ]

    operations = [
        migrations.AddField(
            model_name="collectionboard",
            name="seat",
            field=models.CharField(
                blank=True,
                choices=[("N", "North"), ("E", "East"), ("S", "South"), ("W", "West")],
                db_default="",
                default="",
                help_text="The seat that practice asks. Blank for the one that has a decision.",
                max_length=1,
            ),
        ),
        migrations.AddField(
            model_name="collectionboard",
            name="step",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="How many calls are made before the first question of practice. Blank for those before a decision.",
                null=True,
                validators=[django.core.validators.MaxValueValidator(319)],
            ),
        ),
    ]
