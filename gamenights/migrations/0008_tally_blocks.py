import django.db.models.deletion
from django.db import migrations, models


def forget_counts(apps, schema_editor):
    """What was counted before is stored in another shape now. It is worked out again from the plays."""
    for name in ("RatingMonth", "StoredStandings"):
        apps.get_model("gamenights", name).objects.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ("gamenights", "0007_personal_notices"),
        ("groups", "0001_initial"),
    ]

    operations = [
        migrations.RunPython(forget_counts, migrations.RunPython.noop, elidable=True),
        migrations.DeleteModel(name="TallyMonth"),
        migrations.RemoveField(model_name="ratingmonth", name="body"),
        migrations.AddField(
            model_name="ratingmonth", name="days", field=models.JSONField(default=dict), preserve_default=False
        ),
        migrations.AddField(
            model_name="ratingmonth", name="before", field=models.JSONField(blank=True, null=True)
        ),
        migrations.CreateModel(
            name="TallyBlock",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("start", models.DateField()),
                ("months", models.PositiveSmallIntegerField()),
                ("head", models.JSONField()),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tally_blocks", to="groups.group"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("group", "start", "months"), name="one_tally_per_block")
                ],
            },
        ),
        migrations.CreateModel(
            name="TallyBlockSlot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=20)),
                ("variant", models.CharField(blank=True, max_length=200)),
                ("people", models.JSONField()),
                ("pairs", models.JSONField()),
                (
                    "block",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="slots",
                        related_query_name="slot",
                        to="gamenights.tallyblock",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("block", "game", "variant"), name="one_slot_per_block")
                ],
            },
        ),
    ]
