import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "0003_petitions")]

    operations = [
        migrations.RemoveConstraint("petition", "one_open_petition_per_subject"),
        migrations.RenameModel("Petition", "Approval"),
        migrations.AlterField(
            "approval",
            "campaign",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="approvals", to="campaign.campaign"
            ),
        ),
        migrations.AlterField(
            "approval",
            "stage",
            models.CharField(
                choices=[
                    ("waiting", "waiting"),
                    ("disputed", "disputed"),
                    ("written", "written"),
                    ("withdrawn", "withdrawn"),
                ],
                default="waiting",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            "approval",
            models.UniqueConstraint(
                condition=models.Q(("stage__in", ["waiting", "disputed"])),
                fields=("campaign", "subject"),
                name="one_open_approval_per_subject",
            ),
        ),
    ]
