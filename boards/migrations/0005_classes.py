import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("boards", "0004_whom_practice_asks"),
    ]

    operations = [
        migrations.CreateModel(
            name="LessonClass",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "code",
                    models.CharField(
                        help_text="What its pupils type. null once it is closed.",
                        max_length=8,
                        null=True,
                        unique=True,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_index=True, default=django.utils.timezone.now, help_text="When it was opened."
                    ),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        help_text="What the class works through.",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="classes",
                        to="boards.collection",
                    ),
                ),
            ],
            options={"ordering": ("-created_at", "id")},
        ),
        migrations.CreateModel(
            name="ClassAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("question", models.CharField(help_text="As in PracticeAnswer.", max_length=32)),
                (
                    "answer",
                    models.CharField(
                        help_text="A call such as 1NT or Pass, or an opening lead such as HK.", max_length=4
                    ),
                ),
                ("count", models.PositiveIntegerField(default=1, help_text="How often it was given.")),
                (
                    "board",
                    models.ForeignKey(
                        help_text="The board.",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="boards.board",
                    ),
                ),
                (
                    "lesson_class",
                    models.ForeignKey(
                        db_index=False,
                        help_text="The class.",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="boards.lessonclass",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("lesson_class", "board", "question", "answer"), name="class_answer_once"
                    )
                ],
            },
        ),
    ]
