"""BG Stats files in and out: everything may be missing, nothing is guessed silently."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings, strategies as st

from gamenights.plays.values import Scoring, Variant
from gamenights.transfer.core import (
    FileGame,
    FilePerson,
    PlaysFile,
    parsed_plays as limits,
    read_plays_file,
    write_bg_stats,
)
from refusal import Refusal
from tests.gamenights.plays.sample_plays import make_play, make_player
from tests.gamenights.transfer.sample_files import (
    TODAY,
    key,
    make_export,
    make_large_export,
    make_play_row,
    to_bytes,
)

ZONE = ZoneInfo("Europe/Berlin")


def read(body, zone=ZONE):
    return read_plays_file(body if isinstance(body, bytes) else to_bytes(body), TODAY, zone)


def reasons(file):
    return [one.why for one in file.left_out]


def test_everything_known_is_read():
    file = read(make_export())
    assert [(person.key, person.name, person.bgg_username) for person in file.people] == [
        (key(11), "Oda", "oda_g"),
        (key(12), "Wren", ""),
    ]
    assert file.games == (FileGame(key(1), "Catan", Scoring.HIGH, 13),)
    (play,) = file.plays
    assert (play.uuid, play.game, play.game_name, play.minutes, play.location) == (
        key(31),
        key(1),
        "Catan",
        75,
        "Burdock",
    )
    assert play.day == dt.date(2026, 3, 5)
    assert play.started_at == dt.datetime(2026, 3, 5, 20, 15, tzinfo=ZONE)
    assert play.notes == "Cheese on the board."
    oda, wren = play.players
    assert (oda.score, oda.score_text, oda.won, oda.started, oda.place) == (Decimal(42), "12+30", True, True, 1)
    assert (wren.score, wren.won, wren.new, wren.role, wren.place) == (Decimal("-3.5"), False, True, "Farmer", 2)
    assert file.left_out == ()


def test_a_file_of_almost_nothing_is_read():
    file = read({"plays": [{"gameRefId": 1, "playDateYmd": 20260305, "playerScores": [{"playerRefId": 1}]}],
                 "games": [{"id": 1, "name": "Catan"}], "players": [{"id": 1, "name": "Oda"}]})  # fmt: skip
    (play,) = file.plays
    assert play.day == dt.date(2026, 3, 5)
    assert play.variant.solo
    assert not play.rated
    assert play.started_at is None


def test_numbers_and_references_may_be_texts():
    body = make_export(
        plays=[make_play_row({"playerRefId": "1", "score": 12}, {"playerRefId": 2, "score": 7.5}, gameRefId="1")]
    )
    (play,) = read(body).plays
    assert [player.score for player in play.players] == [Decimal(12), Decimal("7.5")]


@pytest.mark.parametrize(
    ("flags", "scoring"),
    [
        ({}, Scoring.HIGH),
        ({"highestWins": False}, Scoring.LOW),
        ({"noPoints": True}, Scoring.NONE),
        ({"cooperative": True, "noPoints": True}, Scoring.COOPERATIVE),
    ],
)
def test_a_game_says_who_wins(flags, scoring):
    body = make_export(games=[{"id": 1, "uuid": key(1), "name": "Catan"} | flags])
    assert read(body).plays[0].scoring is scoring


def test_teams_share_the_win():
    scores = [{"playerRefId": 1, "team": "red", "winner": True}, {"playerRefId": 2, "team": "red"}]
    (play,) = read(make_export(plays=[make_play_row(*scores, usesTeams=True)])).plays
    assert [player.place for player in play.players] == [1, 1]
    (play,) = read(make_export(plays=[make_play_row(*scores, usesTeams=False)])).plays
    assert [player.team for player in play.players] == ["", ""]


def test_ignored_plays_are_kept_but_do_not_count():
    (play,) = read(make_export(plays=[make_play_row(ignored=True)])).plays
    assert not play.counted


def test_anonymous_players_are_nobody_in_particular():
    body = make_export(
        players=[{"id": 1, "uuid": key(11), "name": "Oda"}, {"id": 9, "name": "Anonymous player", "isAnonymous": True}],
        plays=[
            make_play_row(
                {"playerRefId": 1, "score": "3"},
                {"playerRefId": 9, "score": "2", "anonymousName": "Aunt Dot"},
                {"playerRefId": 9, "score": "1"},
                {"anonymousName": "Neighbour"},
            )
        ],
    )
    file = read(body)
    assert [person.name for person in file.people] == ["Oda"]
    assert [(one.person, one.name) for one in file.plays[0].players[1:]] == [
        ("", "Aunt Dot"),
        ("", "Somebody"),
        ("", "Neighbour"),
    ]


def test_two_people_of_one_name_stay_two():
    body = make_export(players=[{"id": 1, "uuid": key(11), "name": "Oda"}, {"id": 2, "uuid": key(12), "name": "oda"}])
    file = read(body)
    assert len(file.people) == 2


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"gameRefId": 99}, "Its game is not in the file."),
        ({"gameRefId": None}, "Its game is not in the file."),
        ({"playDate": "5/3/2026"}, "“5/3/2026” is not a date we can read. Write it like 2026-03-05."),
        ({"playDate": "2026-02-30"}, "“2026-02-30” is not a date we can read. Write it like 2026-03-05."),
        (
            {"playDate": "2026-03-05 25:00:00"},
            "“2026-03-05 25:00:00” is not a date we can read. Write it like 2026-03-05.",
        ),
        ({"playDate": ""}, "It has no date."),
        ({"playDate": "2031-01-01 20:00:00"}, "The date is in the future. Enter the day you played."),
        ({"playerScores": []}, "Add at least one player."),
        ({"playerScores": [{"playerRefId": 99}]}, "Player 99 is not in the file."),
        ({"playerScores": [{}]}, "One of its players has no number."),
        ({"playerScores": [{"playerRefId": 1}, {"playerRefId": 1}]}, "Oda is on the list twice."),
        ({"playerScores": [{"anonymousName": f"P{n}"} for n in range(101)]}, "It has more than 100 players."),
    ],
)
def test_a_play_that_cannot_be_true_is_left_out_with_its_reason(fields, why):
    file = read(make_export(plays=[make_play_row(**fields), make_play_row(uuid=key(32))]))
    assert [play.uuid for play in file.plays] == [key(32)]
    assert reasons(file) == [why]
    assert file.left_out[0].which.startswith("Play 1")


def test_non_numeric_score_is_dropped_and_the_play_stays():
    file = read(
        make_export(plays=[make_play_row({"playerRefId": 1, "score": "abc", "winner": True}, {"playerRefId": 2})])
    )
    assert file.plays[0].winners[0].name == "Oda"
    assert reasons(file) == ["“abc” is not a number. The play is imported without this score."]


def test_an_unknown_place_is_left_out_and_the_play_stays():
    file = read(make_export(plays=[make_play_row(locationRefId=55)]))
    assert file.plays[0].location == ""
    assert reasons(file) == ["Its place is not in the file. The play is imported without it."]


def test_a_play_that_is_twice_in_the_file_counts_once():
    file = read(make_export(plays=[make_play_row(), make_play_row()]))
    assert len(file.plays) == 1
    assert reasons(file) == ["The file has this play twice. The first one counts."]


def test_rows_of_the_wrong_kind_are_left_out():
    body = make_export(plays=[7, make_play_row()], players=[{"id": 1, "name": ""}, *make_export()["players"]])
    file = read(body)
    # The nameless player took nobody's number.
    assert len(file.plays) == 1
    assert reasons(file) == ["They have no name.", "It is not a JSON object."]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-03-05", "2026-03-05"),
        ("2026-03-05 20:15:00", "2026-03-05"),
        ("2026-03-05T20:15", "2026-03-05"),
        ("2026-03-05T23:30:00Z", "2026-03-06"),
        ("2026-03-05T20:15:00+01:00", "2026-03-05"),
        ("2026/3/5", "2026-03-05"),
        ("20260305", "2026-03-05"),
        (20260305, "2026-03-05"),
        ("5.3.2026", "2026-03-05"),
    ],
)
def test_dates_are_read_in_several_forms(text, day):
    (play,) = read(make_export(plays=[make_play_row(playDate=text)])).plays
    assert play.day.isoformat() == day


def test_control_characters_and_broken_letters_are_dropped():
    body = make_export(players=[{"id": 1, "name": "O\u0000d\ud800a\n  Burr"}, {"id": 2, "name": "Wren"}])
    assert read(body).people[0].name == "Oda Burr"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"   \n",
        b'{"plays": [',
        b"[" * 100_000,
        b'{"plays": ' + b"9" * 5000 + b"}",
        b"[1, 2]",
        b'{"name": "another program"}',
        b"\xff\xfe\x00",
        b"\x89PNG\r\n\x1a\n",
        b"no columns here",
    ],
)
def test_a_file_that_cannot_be_read_is_refused_at_the_field(data):
    with pytest.raises(Refusal) as refused:
        read(data)
    assert refused.value.field == "file"


def test_an_enormous_file_is_refused_before_it_is_read():
    with pytest.raises(Refusal, match="larger than 20 MB"):
        read(b" " * (limits.MAX_FILE + 1))


def test_ten_thousand_people_are_read_and_more_are_refused():
    players = [{"id": n, "name": f"Player {n}"} for n in range(10_001)]
    assert len(read(make_export(players=players[:10_000], plays=[])).people) == 10_000
    with pytest.raises(Refusal, match="more than 10,000 people"):
        read(make_export(players=players, plays=[]))


def test_a_file_without_uuids_gives_the_same_keys_each_time():
    body = make_export(
        games=[{"id": 1, "name": "Catan"}],
        players=[{"id": 1, "name": "Oda"}, {"id": 2, "name": "Wren"}],
        plays=[make_play_row(uuid=None), make_play_row(uuid=None), make_play_row(uuid="not-a-uuid")],
    )
    assert read(body) == read(body)
    assert len({play.uuid for play in read(body).plays}) == 3


def test_import_export_import_gives_the_same():
    first = read(make_large_export())
    assert len(first.plays) > 590
    again = read(write_bg_stats(first, ZONE))
    assert (again.plays, again.people, again.games) == (first.plays, first.people, first.games)
    assert again.left_out == ()


def test_our_own_plays_come_back_with_variant_day_and_bots():
    play = make_play(
        make_player("oda 12", role="King"),
        make_player("clockwork 3", bot=True),
        variant=Variant(brisk=True, bots=True, deck="Feast"),
        started_at=dt.datetime(2026, 3, 6, 0, 30, tzinfo=ZONE),
        logged_at=dt.datetime(2026, 3, 6, 1, 0, tzinfo=ZONE),
        rated=True,
        counted=False,
        board="North",
    )
    play = replace(
        play,
        game=key(1),
        players=(replace(play.players[0], person=key(11)), replace(play.players[1], person="")),
    )
    file = PlaysFile((FilePerson(key(11), "Oda"),), (FileGame(key(1), "Menagerie"),), (play,))
    assert read(write_bg_stats(file, ZONE)).plays == (play,)


def test_the_export_has_the_fields_other_programs_read():
    body = json.loads(write_bg_stats(read(make_export()), ZONE))
    (play,) = body["plays"]
    assert play["playDate"] == "2026-03-05 20:15:00"
    assert play["playerScores"][0]["playerRefId"] == body["players"][0]["id"]
    assert play["gameRefId"] == body["games"][0]["id"]
    assert play["locationRefId"] == body["locations"][0]["id"]
    assert play["playerScores"][0]["score"] == "12+30"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
_FIELDS = [
    "id", "uuid", "name", "gameRefId", "playDate", "playerScores", "playerRefId", "score", "rank", "team",
    "usesTeams", "isAnonymous", "anonymousName", "durationMin", "comments", "ignored", "miceAtArms", "bggId",
]  # fmt: skip
_ROW = st.dictionaries(st.sampled_from(_FIELDS), _JSON, max_size=8)


@given(st.fixed_dictionaries({"games": st.lists(_ROW, max_size=3), "players": st.lists(_ROW, max_size=3),
                              "plays": st.lists(_ROW | _JSON, max_size=4)}))  # fmt: skip
@settings(max_examples=30)
def test_no_file_breaks_the_reader(body):
    file = read(json.dumps(body).encode())
    assert len(file.plays) + len(file.left_out) >= len(body["plays"])


_OURS = st.dictionaries(st.sampled_from(["scoring", "day", "variant", "rated", "bot"]), _JSON)
_ODD = dict.fromkeys(("playDate", "durationMin", "board", "locationRefId"), _JSON)


@settings(max_examples=40)
@given(st.fixed_dictionaries({}, optional=_ODD), _OURS, _JSON, _JSON)
def test_no_odd_value_in_a_good_file_breaks_the_reader(fields, ours, score, rank):
    player = {"playerRefId": 1, "score": score, "rank": rank, "miceAtArms": ours}
    file = read(json.dumps(make_export(plays=[make_play_row(player, miceAtArms=ours, **fields)])).encode())
    assert file.plays or file.left_out
