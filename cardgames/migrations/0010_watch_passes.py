"""Tables of older releases get the pass of those who watch, which is now made with the table: a look writes nothing."""

from django.db import migrations

from people.passes.tokens import hash_of, new_seed, token_of

WATCH = "watch_table"


def create_watch_passes(apps, schema_editor):
    Table = apps.get_model("cardgames", "Table")
    Pass = apps.get_model("people", "Pass")
    watched = set(Pass.objects.filter(kind=WATCH, revoked_at=None).values_list("target", flat=True))
    missing = [pk for pk in Table.objects.order_by("pk").values_list("pk", flat=True) if pk not in watched]
    seeds = [new_seed() for _ in missing]
    Pass.objects.bulk_create(
        (
            Pass(kind=WATCH, target=pk, seed=seed, token_hash=hash_of(token_of(seed)), uses_left=0)
            for pk, seed in zip(missing, seeds, strict=True)
        ),
        batch_size=500,
    )


class Migration(migrations.Migration):
    dependencies = [("cardgames", "0009_remove_role"), ("people", "0006_credentials_ended_at")]

    operations = [migrations.RunPython(create_watch_passes, migrations.RunPython.noop)]
