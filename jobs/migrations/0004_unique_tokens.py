"""In a migration of its own: PostgreSQL does not alter a table in the transaction that filled it."""

from django.db import migrations, models

import jobs.models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0003_tokens")]

    operations = [
        migrations.AlterField(
            "job",
            "token",
            models.CharField(max_length=22, unique=True, default=jobs.models.new_token, editable=False),
        ),
    ]
