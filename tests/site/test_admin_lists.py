"""A site's owner in need looks up campaigns, battles, card tables, groups and nights in the admin, and changes none."""

from __future__ import annotations

import pytest

from battles.models import Battle
from campaign.models import Campaign
from cardgames.models import Table
from gamenights.models import Night
from groups.models import Group
from log.models import Log

SECRETS = ("the-first-key", "the-deck-of-cards", "seed-of-all-cards", "what-was-asked", "a-house-rule")


@pytest.fixture
def rows(master):
    def log(kind: str) -> Log:
        return Log.objects.create(kind=kind)

    campaign = Campaign.objects.create(code="warcode", name="War", log=log("campaign"), founding_key="the-first-key")
    group = Group.objects.create(code="grpcode", name="Burdock", log=log("group"), founding_key="the-first-key")
    options = {"a-house-rule": True}
    battle = Battle.objects.create(
        campaign=campaign, number=1, log=log("battle"), founding_key="the-first-key", made_by=master, options=options
    )
    table = Table.objects.create(
        opening_key="the-first-key",
        log=log("table"),
        sealed=log("sealed"),
        host=master,
        game="monarchs",
        rules=1,
        deck="the-deck-of-cards",
        deck_title="Deck",
        seats=2,
        seed=b"seed-of-all-cards",
        options=options,
        asked=["what-was-asked"],
    )
    night = Night.objects.create(group=group, title="Long Candle", host=master)
    return {
        "campaign/campaign": campaign,
        "groups/group": group,
        "battles/battle": battle,
        "cardgames/table": table,
        "gamenights/night": night,
    }


def test_owner_sees_lists_and_pages_without_secrets_and_changes_nothing(rows, make_person):
    owner = make_person("Maud")
    owner.account.is_superuser = owner.account.is_staff = True
    owner.account.save()
    for name, row in rows.items():
        for path in ("", f"?q={row.code}", f"{row.pk}/change/"):
            page = owner.client.get(f"/admin/{name}/{path}")
            assert page.status_code == 200, (name, path)
            assert row.code in page.text, (name, path)
            assert not [secret for secret in SECRETS if secret in page.text], (name, path)
            assert 'name="_save"' not in page.text
        assert row.code not in owner.client.get(f"/admin/{name}/?q=nothing-like-it").text
        for path in ("add/", f"{row.pk}/delete/"):
            assert owner.client.get(f"/admin/{name}/{path}").status_code == 403, (name, path)
        assert owner.client.post(f"/admin/{name}/{row.pk}/change/", {"code": "other"}).status_code == 403
        assert type(row).objects.get(pk=row.pk).code == row.code


def test_nobody_else_sees_them(rows, master, client):
    for name, row in rows.items():
        for path in ("", f"{row.pk}/change/"):
            page = master.client.get(f"/admin/{name}/{path}", follow=True)
            assert page.status_code == 403
            assert row.code not in page.text
            assert client.get(f"/admin/{name}/{path}").status_code == 302
