from django.db import migrations, models

HOUSE_TITLES = ("", "House play deck for Royal Menagerie", "House court for Of Mice and Monarchs")


def mark_own_decks(apps, schema_editor):
    """Results from before have only the title of their deck."""
    apps.get_model("cardgames", "Result").objects.exclude(deck_title__in=HOUSE_TITLES).update(own_deck=True)


class Migration(migrations.Migration):
    dependencies = [("cardgames", "0006_longer_codes")]

    operations = [
        migrations.AddField("result", "own_deck", models.BooleanField(default=False)),
        migrations.RunPython(mark_own_decks, migrations.RunPython.noop, elidable=True),
    ]
