import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("boards", "0005_classes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="EventRanking",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "stage_key",
                    models.CharField(
                        blank=True, help_text="The stage (boards.identity), empty for the whole event.", max_length=100
                    ),
                ),
                (
                    "unit",
                    models.CharField(
                        blank=True,
                        choices=[("MP", "matchpoints"), ("IMP", "IMPs"), ("VP", "VPs"), ("", "points")],
                        help_text="What the points are.",
                        max_length=3,
                    ),
                ),
                (
                    "places",
                    models.JSONField(
                        help_text="Lists of rank, pair, side, boards, points and percentage, as in GivenPlace."
                    ),
                ),
                (
                    "updated_at",
                    models.DateTimeField(default=django.utils.timezone.now, help_text="When a file has last given it."),
                ),
                (
                    "event",
                    models.ForeignKey(
                        db_index=False,
                        help_text="The event.",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="file_rankings",
                        to="boards.event",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        default="system",
                        help_text="The account whose boards of the event came with it.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="event_rankings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-updated_at", "id"),
                "constraints": [
                    models.UniqueConstraint(fields=("event", "stage_key", "owner"), name="event_ranking_once")
                ],
            },
        ),
    ]
