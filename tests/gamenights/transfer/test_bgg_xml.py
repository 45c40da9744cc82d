"""Plays in BoardGameGeek's XML, in and out."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from gamenights.plays.values import Scoring
from gamenights.transfer.core import read_plays_file, write_bgg_xml
from refusal import Refusal
from tests.gamenights.transfer.sample_files import TODAY, make_large_export, to_bytes

ZONE = ZoneInfo("Europe/Berlin")
FILE = """<?xml version="1.0" encoding="utf-8"?>
<plays username="oda_g" userid="5" total="4" page="1" termsofuse="https://example.org">
 <play id="101" date="2026-03-05" quantity="1" length="75" incomplete="0" nowinstats="0" location="Burdock">
  <item name="Catan" objecttype="thing" objectid="13"><subtypes><subtype value="boardgame"/></subtypes></item>
  <comments>Cheese &amp; dice.</comments>
  <players>
   <player username="oda_g" userid="5" name="Oda" startposition="1" color="red" score="10" new="0" rating="0" win="1"/>
   <player username="" userid="0" name="Wren" startposition="2" color="blue" score="8" new="1" rating="0" win="0"/>
  </players>
 </play>
 <play id="102" date="2026-03-06" quantity="3" length="0" incomplete="0" nowinstats="1" location="">
  <item name="Golf" objecttype="thing" objectid="99"/>
  <players><player name="Oda" score="3" win="1"/><player name="Wren" score="8" win="0"/></players>
 </play>
 <play id="103" date="2026-03-07" incomplete="1"><item name="Catan" objectid="13"/></play>
 <play id="104" date="someday"><item name="Catan" objectid="13"/><players><player name="Oda"/></players></play>
 <play id="105" date="2026-03-08"/>
</plays>
"""


def read(data):
    return read_plays_file(data if isinstance(data, bytes) else data.encode(), TODAY, ZONE)


def test_plays_are_read_and_the_rest_is_listed():
    file = read(FILE)
    catan, *golf = file.plays
    assert catan.day == dt.date(2026, 3, 5)
    assert (catan.minutes, catan.location, catan.notes) == (75, "Burdock", "Cheese & dice.")
    assert [(one.name, one.won, one.started, one.new) for one in catan.players] == [
        ("Oda", True, True, False),
        ("Wren", False, False, True),
    ]
    assert catan.players[0].team == ""
    assert len(golf) == 3
    assert len({play.uuid for play in golf}) == 3
    assert golf[0].scoring is Scoring.LOW
    assert not golf[0].counted
    assert [one.why for one in file.left_out] == [
        "It was not finished.",
        "“someday” is not a date we can read. Write it like 2026-03-05.",
        "It does not name a game.",
    ]
    assert {game.bgg_id for game in file.games} == {13, 99}


def test_the_same_file_gives_the_same_keys():
    assert read(FILE) == read(FILE)


def test_a_colour_that_several_share_is_a_team_and_all_winners_are_a_cooperative_game():
    file = read(
        '<plays><play date="2026-03-05"><item name="A"/><players><player name="Oda" color="x" win="1"/>'
        '<player name="Wren" color="x" win="1"/><player name="Pim" color="y"/></players></play>'
        '<play date="2026-03-06"><item name="B"/><players><player name="Oda" win="1"/><player name="Pim" win="1"/>'
        "</players></play></plays>"
    )
    assert [one.team for one in file.plays[0].players] == ["x", "x", ""]
    assert file.plays[1].scoring is Scoring.COOPERATIVE


BOMB = """<?xml version="1.0"?><!DOCTYPE plays [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><plays><play date="2026-03-05"><item name="&c;"/></play></plays>"""
OUTSIDE = """<!DOCTYPE plays [<!ENTITY x SYSTEM "file:///etc/passwd">]><plays><play><item name="&x;"/></play></plays>"""


@pytest.mark.parametrize(
    "data", [BOMB, OUTSIDE, "<plays><play>", "<html></html>", "<", '<?xml version="1.0" encoding="klingon"?><plays/>']
)
def test_bombs_and_broken_files_are_refused(data):
    with pytest.raises(Refusal) as refused:
        read(data)
    assert refused.value.field == "file"


def test_export_and_import_give_the_same_plays():
    first = read(to_bytes(make_large_export(plays=120)))
    again = read(write_bgg_xml(first, ZONE))
    assert again.plays == tuple(replace(play, logged_at=None) for play in first.plays)
    assert again.left_out == ()
    played = {player.person for play in first.plays for player in play.players}
    assert {person.key for person in again.people} == played
