from django.db import migrations, models


def keep_roles(apps, schema_editor):
    """A seat had one hidden role; now it has any number of hidden cards."""
    seats = apps.get_model("cardgames", "SheetSeat").objects
    for role in seats.exclude(role="").values_list("role", flat=True).distinct():
        seats.filter(role=role).update(hidden_cards=[role])


def restore_roles(apps, schema_editor):
    for seat in apps.get_model("cardgames", "SheetSeat").objects.exclude(hidden_cards=[]):
        seat.role = seat.hidden_cards[0]
        seat.save(update_fields=["role"])


class Migration(migrations.Migration):
    dependencies = [("cardgames", "0007_own_deck")]

    operations = [
        migrations.AddField("sheet", "table_cards", models.JSONField(blank=True, default=list)),
        migrations.AddField("sheetseat", "hidden_cards", models.JSONField(blank=True, default=list)),
        migrations.RunPython(keep_roles, restore_roles, elidable=True),
    ]
