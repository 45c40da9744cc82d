from django.db import migrations


class Migration(migrations.Migration):
    """No table changes. After it ``battles.battle_stage.mend_after_migration`` stores every battle's stage: from now on
    pages only read it."""

    dependencies = [
        ("battles", "0002_state_labels"),
        ("campaign", "0006_campaign_group"),
        ("log", "0003_size_of_a_log"),
        ("musters", "0001_initial"),
        ("people", "0008_api_answers"),
    ]

    operations = []
