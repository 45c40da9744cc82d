import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0003_plain_labels")]

    operations = [
        migrations.AddField(
            model_name="person",
            name="invited_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="people.person",
            ),
        ),
        migrations.AddField(
            model_name="personallink",
            name="ended_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
