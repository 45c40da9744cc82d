"""Changes of a play with the consent that the group chose: at once, another player, or a host."""

from __future__ import annotations

import pytest

from gamenights.models import Play
from gamenights.notices.models import NoticeChoice, PersonalNotice, Topic
from gamenights.plays import services
from gamenights.plays.selectors import load_facts
from gamenights.standings.selectors import get_summary
from groups.models import Group

pytestmark = pytest.mark.django_db


@pytest.fixture
def play(night, master, player, other_player):
    """Wren 10, Tam 20, Oda 5; logged by Tam."""
    _send(player, f"/nights/{night.code}/log/", "tam-logs-a-play", {master: 10, player: 20, other_player: 5})
    return Play.objects.get()


def _send(person, url, key, scores, **more):
    data = {"key": key, "play": "11111111-aaaa", "game": "other", "other": "Cascadia", "scoring": "high", **more}
    data["player"] = [str(one.pk) for one in scores]
    data |= {f"score-{one.pk}": str(score) for one, score in scores.items()}
    return person.client.post(url, data)


def change(person, play, scores, key="a-change-of-it"):
    return _send(person, play.get_absolute_url() + "change/", key, scores)


def act(person, play, what, key="settle-it-now"):
    play.refresh_from_db()
    sent = {"key": key, "act": what, "proposal": play.waiting_entry or 0}
    return person.client.post(play.get_absolute_url() + "run/", sent)


def page_of(person, play):
    """Without the invisible characters around names."""
    return person.client.get(play.get_absolute_url()).text.translate({0x2068: None, 0x2069: None})


def winner(play):
    [facts] = load_facts(Play.objects.filter(pk=play.pk))
    return facts.winners[0].name


def wins(group, person):
    return {row.person: row.wins for row in get_summary(group).board}.get(str(person.pk))


def choose(group, consent):
    Group.objects.filter(pk=group.pk).update(consent=consent)


def test_without_consent_a_change_counts_at_once(group, play, player, master, other_player):
    assert change(player, play, {master: 30, player: 20, other_player: 5}).status_code == 302
    assert winner(play) == "Wren"


def test_another_player_agrees_and_the_standings_follow(group, play, player, master, other_player, guest):
    choose(group, "player")
    NoticeChoice.objects.create(person=master, topics=[Topic.CONFIRM], url="https://example.org/hook")
    assert wins(group, player) == 1
    change(player, play, {master: 30, player: 20, other_player: 5})
    assert (winner(play), wins(group, player)) == ("Tam", 1)  # it still counts as it was
    assert PersonalNotice.objects.get().person == master
    assert "Withdraw the change" in player.client.get(play.get_absolute_url()).text
    assert "Waiting for you" in other_player.client.get(play.get_absolute_url()).text
    assert "wants to change it" in other_player.client.get("/").text
    assert act(player, play, "agree").status_code == 403  # not one's own
    assert act(guest, play, "agree").status_code == 404  # did not play, and is not logged in
    assert act(other_player, play, "agree").status_code == 302
    assert (winner(play), wins(group, player), wins(group, master)) == ("Wren", 0, 1)
    assert act(other_player, play, "agree").status_code in (302, 409)  # sent twice, it is settled
    page = page_of(player, play)
    assert "Oda agreed: Tam changed it." in page
    assert "Waiting" not in page


def test_a_rejected_or_withdrawn_change_never_counts(group, play, player, master, other_player):
    choose(group, "player")
    for number, (person, what) in enumerate([(master, "reject"), (player, "reject")]):
        change(player, play, {master: 30, player: 20, other_player: 5}, key=f"change-number-{number}")
        assert act(person, play, what, key=f"no-number-{number}-please").status_code == 302
        play.refresh_from_db()
        assert (winner(play), play.waiting_entry) == ("Tam", None)
    assert "Wren rejected the change." in page_of(player, play)


def test_only_a_host_agrees_where_the_group_chose_so(group, play, player, master, other_player):
    choose(group, "host")
    change(player, play, {master: 30, player: 20, other_player: 5})
    assert act(other_player, play, "agree").status_code == 403
    assert act(master, play, "agree", key="the-host-agrees").status_code == 302
    assert winner(play) == "Wren"
    change(master, play, {master: 1, player: 20, other_player: 5}, key="the-host-changes")
    assert winner(play) == "Tam"  # a host's own change counts at once


def test_removing_waits_for_consent_too_and_one_change_waits_at_a_time(group, play, player, other_player, master):
    choose(group, "player")
    player.client.post(play.get_absolute_url() + "run/", {"key": "tam-removes-it", "act": "remove"})
    play.refresh_from_db()
    assert play.removed_at is None
    refused = change(other_player, play, {master: 30, player: 20, other_player: 5}, key="another-change")
    assert refused.status_code == 409
    assert "already waiting" in refused.text
    act(master, play, "agree", key="wren-agrees-to-it")
    play.refresh_from_db()
    assert play.removed_at is not None
    assert get_summary(group).plays == 0


def test_the_rows_follow_from_the_log(group, play, player, master, other_player):
    choose(group, "player")
    change(player, play, {master: 30, player: 20, other_player: 5})
    play.refresh_from_db()
    waiting = play.waiting_entry
    services.rebuild_plays(group)
    play.refresh_from_db()
    assert (play.waiting_entry, winner(play)) == (waiting, "Tam")
    act(master, play, "agree")
    services.rebuild_plays(group)
    play.refresh_from_db()
    assert (play.waiting_entry, winner(play)) == (None, "Wren")


def test_hosts_choose_the_consent_on_the_settings_page(group, master):
    sent = {"key": "consent-of-a-host", "name": group.name, "zone": "UTC", "visibility": "members", "edits": "anyone"}
    assert master.client.post(group.get_absolute_url() + "settings/", {**sent, "consent": "host"}).status_code == 302
    group.refresh_from_db()
    assert group.consent == "host"
    assert master.client.post(group.get_absolute_url() + "settings/", {**sent, "consent": "x"}).status_code == 422
