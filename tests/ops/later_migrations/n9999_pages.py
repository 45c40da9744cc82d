from pathlib import Path

from django.db import migrations, models

import jobs.migrations


def count_pages(apps, schema_editor):
    for job in apps.get_model("jobs", "Job").objects.exclude(result={}):
        job.pages = job.result.get("pages")
        job.save(update_fields=["pages"])


newest = max(path.stem for path in Path(jobs.migrations.__path__[0]).glob("0*.py"))


class Migration(migrations.Migration):
    dependencies = [("jobs", newest)]
    operations = [
        migrations.AddField("job", "pages", models.IntegerField(null=True)),
        migrations.RunPython(count_pages, migrations.RunPython.noop),
    ]
