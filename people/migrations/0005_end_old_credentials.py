"""People with a password look after themselves; links from before they had it end."""

from django.db import migrations, models
from django.utils import timezone


def end_old_credentials(apps, schema_editor):
    Person = apps.get_model("people", "Person")
    PersonalLink = apps.get_model("people", "PersonalLink")
    LogIn = apps.get_model("people", "LogIn")
    Person.objects.filter(account__isnull=False, keeper__isnull=False).update(invited_by=models.F("keeper"))
    Person.objects.filter(account__isnull=False).update(keeper=None)
    ended = list(PersonalLink.objects.filter(person__merged_into__account__isnull=False).values_list("pk", flat=True))
    for link in PersonalLink.objects.filter(person__account__isnull=False).select_related("person__account", "made_by"):
        maker = link.made_by and (link.made_by.merged_into_id or link.made_by_id)
        if maker != link.person_id or link.made_at < link.person.account.date_joined:
            ended.append(link.pk)
    PersonalLink.objects.filter(pk__in=ended).update(ended_at=timezone.now())
    LogIn.objects.filter(link__in=ended).delete()


class Migration(migrations.Migration):
    dependencies = [("people", "0004_inviters_and_ended_links")]

    operations = [migrations.RunPython(end_old_credentials, migrations.RunPython.noop)]
