"""What a group meets on its first evenings: friends let in, battles fought before, a kingdom's page, a past map."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from campaign import invitations, reading
from campaign.models import Campaign
from log.models import Entry
from people.models import Person, PersonalLink
from people.who import Who
from tests.campaign.test_door import Table

FOUND = "/campaigns/found/"
NAMES = ("name", "castle", "lands", "border_1", "border_2", "house_1", "house_2", "house_3", "house_4")


@pytest.fixture
def table(master, player):
    return Table(master, player)


def founded(master, **fields) -> Campaign:
    master.client.post(FOUND, {"key": "the-first-evening", "name": "The Cellar War", "kingdoms": "2", **fields})
    return Campaign.objects.select_related("log").get()


def join(master, campaign: Campaign, *rulers: str, **changes: str) -> dict[str, str]:
    """The proposals as they stand, with rulers; what was sent."""
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


class TestFriendsWithoutAnAccount:
    def test_one_tap_makes_a_link_for_each_and_leaves_those_handed_out(self, master):
        campaign = founded(master)
        join(master, campaign, "Wren", "Bram")
        page = text(master.client.get(campaign.get_absolute_url()))
        assert "<bdi>Bram</bdi> has no link yet" in page
        path = f"{campaign.get_absolute_url()}invite/"
        assert "Make their links" in text(master.client.get(path))
        master.client.post(path, {"links": "1"})
        link = PersonalLink.objects.get()
        assert link.get_absolute_url() in text(master.client.get(path))
        master.client.post(path, {"links": "1"})
        assert PersonalLink.objects.get().pk == link.pk
        assert "no link yet" not in text(master.client.get(campaign.get_absolute_url()))

    def test_links_are_shown_to_nobody_who_does_not_look_after_them(self, table, master, player):
        friend = Person.objects.create(name="Pip", keeper=player)
        table.do("regent_named", {"kingdom": "k1", "person": friend.pk})
        path = f"{table.campaign.get_absolute_url()}invite/"
        assert "Pip" not in text(master.client.get(path))
        master.client.post(path, {"links": "1"})
        assert not PersonalLink.objects.exists()

    def test_nobody_sits_down_a_second_time_by_the_link_for_the_table(self, table, master, player):
        link = invitations.make(table.campaign, Who.of(master), label="")
        phone = Client()
        clean = phone.get(link.get_absolute_url()).url
        answer = phone.post(f"{clean}by-name/", {"name": " tam "})
        assert answer.status_code == 422
        assert "Tam sits at this table already" in text(answer)
        assert Person.objects.filter(name__iexact="tam").count() == 1
        assert phone.post(f"{clean}by-name/", {"name": "Tam the Younger"}).status_code == 302


class TestAWarThatBeganEarlier:
    def test_battles_fought_since_its_first_day_are_entered_on_their_own_days(self, master):
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

    def test_a_day_to_come_is_refused(self, master):
        answer = master.client.post(
            FOUND,
            {"key": "too-early-a-war", "name": "The Cellar War", "began": timezone.localdate() + dt.timedelta(days=9)},
        )
        assert answer.status_code == 422
        assert not Campaign.objects.exists()

    def test_kingdoms_join_once_however_often_the_tap_arrives(self, master):
        campaign = founded(master)
        sent = join(master, campaign, "Wren", "Bram")
        assert master.client.post(sent["path"], sent).status_code == 302
        assert len(reading.state_of(Campaign.objects.select_related("log").get()).kingdoms) == 2


def test_a_war_against_the_solo_rules_is_founded_in_one_go(master):
    campaign = founded(master)
    join(master, campaign, "Wren", "", **{"k1-solo": "on"})
    state = reading.state_of(Campaign.objects.select_related("log").get())
    assert [realm.status for realm in state.kingdoms.values()] == ["playing", "solo"]
    page = text(master.client.get(f"{campaign.get_absolute_url()}kingdoms/k2/"))
    assert "Nobody rules it; the solo rules do." in page


def test_a_castle_named_after_its_kingdom_follows_a_new_name(master):
    campaign = founded(master)
    join(master, campaign, "Wren", "Bram", **{"k0-name": "Fennmark", "k1-castle": "The Old Keep"})
    state = reading.state_of(Campaign.objects.select_related("log").get())
    assert state.place_name("k1.castle") == "Fennmark Castle"
    assert state.place_name("k2.castle") == "The Old Keep"


def test_who_won_is_never_proposed(table, master):
    page = text(master.client.get(f"{table.campaign.get_absolute_url()}result/?attacker=k1&target=k2.border_1"))
    assert 'name="outcome"' in page
    assert "checked" not in page.split('name="outcome"', 1)[1].split("</fieldset>")[0]


def test_a_kingdoms_page_draws_every_point_and_names_the_land_it_took(table, master):
    """Long scores keep the newest steps in the picture; each leads to its line however old."""
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


def test_the_game_master_is_told_that_a_version_of_theirs_decides(table, master, player):
    table.do("house_rules", {"terms": {"confirm": "both"}})
    from campaign import petitions

    body = {"attacker": "k2", "target": "k1.border_1", "outcome": "attacker"}
    laid = petitions.lay(table.campaign, table.player, key="tams-report", act="result", body=body, subject="k2 at k1")
    path = f"{table.campaign.get_absolute_url()}petitions/{laid['petition']}/other/"
    assert "Decide it so" in text(master.client.get(path))
    assert "Put it beside the report" in text(player.client.get(path))


def test_what_changed_since_one_was_last_here_is_a_tap_away(table, player):
    """Of what happened and of what was corrected: everything that is otherwise than when the page was last open."""
    first = table.result("k1", "k2.border_1", points={"k1": 3})["entry"]
    here = table.campaign.get_absolute_url()
    assert "since you were last here" not in text(player.client.get(here))
    table.correct("strike", first)
    last = table.result("k2", "k1.border_1", points={"k2": 2})["entry"]
    page = text(player.client.get(here))
    assert "2 entries since you were last here" in page
    assert f'href="{here}atlas/?since={first}"' in page
    shown = player.client.get(f"{here}atlas/?since={first}")
    rows = {what: (was, now) for what, was, now in shown.context["changes"]}
    assert rows["VP of Oakhold"] == ("3", "0")
    assert rows["VP of Fenwick"] == ("0", "2")
    assert rows["border_1 of Fenwick"] == ("Oakhold", "Fenwick")
    assert f"?at={first}&amp;as=known" in text(shown)
    assert player.client.get(f"{here}atlas/?since={last + 99}").status_code == 200
    assert player.client.get(f"{here}atlas/?since=soon").status_code == 200
