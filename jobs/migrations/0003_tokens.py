"""Every job gets a token for its addresses, older ones too. A batch at a time, so that no update holds all rows."""

import secrets

from django.db import migrations, models

BATCH = 500


def fill(apps, schema_editor) -> None:
    rows = apps.get_model("jobs", "Job").objects
    while batch := list(rows.filter(token=None).only("pk")[:BATCH]):
        for job in batch:
            job.token = secrets.token_urlsafe(16)
        rows.bulk_update(batch, ["token"])


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_timer_name")]

    operations = [
        migrations.AddField("job", "token", models.CharField(max_length=22, null=True, editable=False)),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
