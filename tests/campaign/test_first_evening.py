"""The first evenings of a group: inviting friends, entering earlier battles, kingdom pages, past maps."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from campaign import selectors as campaign_selectors
from campaign.chronicle.codec import read_sent
from campaign.invitations import services as invitations_services
from campaign.models import Campaign
from log.models import Entry
from people.models import Person, PersonalLink
from people.requester import Who
from tests.campaign.test_services import Table

FOUND = "/campaigns/found/"
NAMES = ("name", "castle", "lands", "border_1", "border_2", "house_1", "house_2", "house_3", "house_4")


@pytest.fixture
def table(master, player):
    return Table(master, player)


def founded(master, **fields) -> Campaign:
    master.client.post(FOUND, {"key": "the-first-evening", "name": "The Cellar War", "kingdoms": "2", **fields})
    return Campaign.objects.select_related("log").get()


def join(master, campaign: Campaign, *rulers: str, **changes: str) -> dict[str, str]:
    """Submits the proposed kingdoms with these rulers. Returns the data sent."""
    path = f"{campaign.get_absolute_url()}join/{len(rulers)}/"
    page = master.client.get(path)
    sent = {"key": page.context["key"], "at": page.context["before"]}
    for number, (ruler, (form, _)) in enumerate(zip(rulers, page.context["rows"], strict=True)):
        sent |= {f"k{number}-{name}": form.initial[name] for name in NAMES} | {f"k{number}-ruler": ruler}
    sent |= changes
    assert master.client.post(path, sent).status_code == 302
    return {"path": path, **sent}


def text(answer) -> str:
    return answer.content.decode().replace("⁨", "").replace("⁩", "")


class TestFriendsWithoutAccounts:
    def test_one_tap_makes_missing_links_and_leaves_existing_ones(self, master):
        campaign = founded(master)
        join(master, campaign, "Wren", "Bram")
        page = text(master.client.get(campaign.get_absolute_url()))
        assert "<bdi>Bram</bdi> has no link yet" in page
        path = f"{campaign.get_absolute_url()}invite/"
        assert "Create links" in text(master.client.get(path))
        master.client.post(path, {"links": "1"})
        link = PersonalLink.objects.get()
        assert link.get_absolute_url() in text(master.client.get(path))
        master.client.post(path, {"links": "1"})
        assert PersonalLink.objects.get().pk == link.pk
        assert "no link yet" not in text(master.client.get(campaign.get_absolute_url()))

    def test_links_are_hidden_from_people_who_do_not_manage_them(self, table, master, player):
        friend = Person.objects.create(name="Pip", keeper=player)
        table.do("regent_named", {"kingdom": "k1", "person": friend.pk})
        path = f"{table.campaign.get_absolute_url()}invite/"
        assert "Pip" not in text(master.client.get(path))
        master.client.post(path, {"links": "1"})
        assert not PersonalLink.objects.exists()

    def test_table_link_refuses_a_name_already_in_the_campaign(self, table, master, player):
        link = invitations_services.create_invitation(table.campaign, Who.of(master), label="")
        phone = Client()
        clean = phone.get(link.get_absolute_url()).url
        answer = phone.post(f"{clean}by-name/", {"name": " tam "})
        assert answer.status_code == 422
        assert "Tam is already in this campaign" in text(answer)
        assert Person.objects.filter(name__iexact="tam").count() == 1
        assert phone.post(f"{clean}by-name/", {"name": "Tam the Younger"}).status_code == 302


class TestWarThatBeganEarlier:
    def test_earlier_battles_are_entered_on_their_own_days(self, master):
        began = timezone.localdate() - dt.timedelta(days=40)
        campaign = founded(master, began=began.isoformat(), dice="service")
        join(master, campaign, "Wren", "Bram")
        assert set(Entry.objects.values_list("played_on", flat=True)) == {began}
        fought = began + dt.timedelta(days=3)
        sent = {"key": "a-late-result", "outcome": "attacker", "attacker_points": 2, "defender_points": 0}
        sent |= {"attacker_spent": 0, "defender_spent": 0, "played_on": fought.isoformat()}
        path = f"{campaign.get_absolute_url()}result/?attacker=k1&target=k2.border_1"
        assert master.client.post(path, sent).status_code == 302
        assert Entry.objects.latest("number").played_on == fought
        page = text(master.client.get(campaign.get_absolute_url()))
        assert f'entered <time datetime="{timezone.localdate().isoformat()}"' in page, "and says when it was entered"

    def test_future_date_is_refused(self, master):
        answer = master.client.post(
            FOUND,
            {"key": "too-early-a-war", "name": "The Cellar War", "began": timezone.localdate() + dt.timedelta(days=9)},
        )
        assert answer.status_code == 422
        assert not Campaign.objects.exists()

    def test_kingdoms_join_once_if_the_form_is_sent_twice(self, master):
        campaign = founded(master)
        sent = join(master, campaign, "Wren", "Bram")
        assert master.client.post(sent["path"], sent).status_code == 302
        assert len(campaign_selectors.state_of(Campaign.objects.select_related("log").get()).kingdoms) == 2


def test_solo_war_is_founded_in_one_step(master):
    campaign = founded(master)
    join(master, campaign, "Wren", "", **{"k1-solo": "on"})
    state = campaign_selectors.state_of(Campaign.objects.select_related("log").get())
    assert [kingdom.status for kingdom in state.kingdoms.values()] == ["playing", "solo"]
    page = text(master.client.get(f"{campaign.get_absolute_url()}kingdoms/k2/"))
    assert "No ruler; played by the solo rules." in page


def test_castle_named_after_its_kingdom_follows_a_rename(master):
    campaign = founded(master)
    join(master, campaign, "Wren", "Bram", **{"k0-name": "Fennmark", "k1-castle": "The Old Keep"})
    state = campaign_selectors.state_of(Campaign.objects.select_related("log").get())
    assert state.place_name("k1.castle") == "Fennmark Castle"
    assert state.place_name("k2.castle") == "The Old Keep"


def test_result_form_does_not_preselect_a_winner(table, master):
    page = text(master.client.get(f"{table.campaign.get_absolute_url()}result/?attacker=k1&target=k2.border_1"))
    assert 'name="outcome"' in page
    assert "checked" not in page.split('name="outcome"', 1)[1].split("</fieldset>")[0]


def test_kingdom_page_draws_every_point_and_names_captured_land(table, master):
    """A long score chart shows the newest steps; every step links to its entry, however old."""
    for _ in range(7):
        table.result("k1", "k2.border_1", points={"k1": 3})
        last = table.result("k2", "k2.border_1", points={"k1": 1})["entry"]
    table.result("k1", "k2.border_2")
    path = f"{table.campaign.get_absolute_url()}kingdoms/"
    page = text(master.client.get(f"{path}k1/"))
    assert 'class="fall"' in page
    assert "taken from <bdi>Fenwick</bdi>" in page
    assert "Every step" in page
    assert f'href="{table.campaign.get_absolute_url()}?before={last + 1}#entry-{last}"' in page
    assert "lost to <bdi>Oakhold</bdi>" in text(master.client.get(f"{path}k2/"))


def test_game_master_sees_that_their_version_is_final(table, master, player):
    table.do("house_rules", {"terms": {"confirm": "both"}})
    from campaign.approvals import services as approvals_services

    body = {"attacker": "k2", "target": "k1.border_1", "outcome": "attacker"}
    done = approvals_services.submit_report(
        table.campaign, table.player, key="tams-report", act=read_sent("result", body), subject="k2 at k1"
    )
    path = f"{table.campaign.get_absolute_url()}petitions/{done['petition']}/other/"
    assert "Record this version" in text(master.client.get(path))
    assert "Send my version" in text(player.client.get(path))


def test_own_entries_are_not_news(table, master, player):
    here = table.campaign.get_absolute_url()
    for person in (master, player):
        person.client.get(here)
    table.result("k1", "k2.border_1")  # entered by the game master
    assert "since you were last here" not in text(master.client.get(here))
    assert "1 entry since you were last here" in text(player.client.get(here))


def test_page_links_to_changes_since_the_last_visit(table, player):
    """New entries and corrections: everything that changed since the page was last open."""
    first = table.result("k1", "k2.border_1", points={"k1": 3})["entry"]
    here = table.campaign.get_absolute_url()
    assert "since you were last here" not in text(player.client.get(here))
    table.correct("strike", first)
    last = table.result("k2", "k1.border_1", points={"k2": 2})["entry"]
    page = text(player.client.get(here))
    assert "2 entries since you were last here" in page
    assert f'href="{here}atlas/?since={first}"' in page
    shown = player.client.get(f"{here}atlas/?since={first}")
    rows = {row.what: (row.was, row.now) for row in shown.context["changes"]}
    assert rows["VP of Oakhold"] == ("3", "0")
    assert rows["VP of Fenwick"] == ("0", "2")
    assert rows["border_1 of Fenwick"] == ("Oakhold", "Fenwick")
    assert f"?at={first}&amp;as=known" in text(shown)
    assert player.client.get(f"{here}atlas/?since={last + 99}").status_code == 200
    assert player.client.get(f"{here}atlas/?since=soon").status_code == 200
