import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The version before goes on with event_slug and event_position, which stay in the table until the next one."""

    dependencies = [("boards", "0007_rankings_come_with_boards"), ("deals", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="EventDeal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "stage_key",
                    models.CharField(
                        blank=True, help_text="Sorts the stages of an event (boards.identity).", max_length=100
                    ),
                ),
                (
                    "board_number",
                    models.PositiveIntegerField(
                        help_text="The number of its boards, 100000 for boards without a number."
                    ),
                ),
                (
                    "deal",
                    models.ForeignKey(
                        help_text="The cards.",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="deals.deal",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        db_index=False,
                        help_text="The event.",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deals",
                        to="boards.event",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("event", "stage_key", "board_number", "deal"), name="event_deal_once"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="publishedboard",
            name="event_deal",
            field=models.ForeignKey(
                help_text="The deal of an event of which the board is a table. Null when it belongs to no event.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="boards",
                to="boards.eventdeal",
            ),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex("publishedboard", "published_of_event"),
                migrations.RemoveField("publishedboard", "event_slug"),
                migrations.RemoveField("publishedboard", "event_position"),
            ]
        ),
    ]
