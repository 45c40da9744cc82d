from django.db import migrations, models

# Counted as log.services.entry_size does; characters instead of bytes are near enough for what is there already.
COUNT = """
    UPDATE log_log SET size = (
        SELECT COALESCE(SUM(200 + LENGTH(CAST(body AS TEXT)) + LENGTH(CAST(effects AS TEXT))), 0)
        FROM log_entry WHERE log_entry.log_id = log_log.id
    )
"""


class Migration(migrations.Migration):
    dependencies = [("log", "0002_entries_of_one_act")]

    operations = [
        migrations.AddField("log", "size", models.PositiveBigIntegerField(default=0)),
        migrations.RunSQL(COUNT, migrations.RunSQL.noop),
    ]
