"""What all readers share: people and games met so far, plays checked one by one, and what was left out."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from gamenights.plays.values import (
    MAX_PLAYERS,
    PlayerResult,
    PlayFacts,
    Scoring,
    check_play,
    complete_play,
    format_day,
    read_score,
)
from gamenights.transfer.core.field_parsing import make_key
from gamenights.transfer.core.plays_file import MAX_PEOPLE, MAX_PLAYS, FileGame, FilePerson, LeftOut, PlaysFile
from refusal import Refusal

ANONYMOUS = "Somebody"


class Collector:
    """Fills a ``PlaysFile``. Plays that cannot be true are left out with a reason, the rest stay."""

    def __init__(self, today: dt.date) -> None:
        self.today = today
        self.people: dict[str, FilePerson] = {}
        self.games: dict[str, FileGame] = {}
        self.plays: dict[str, PlayFacts] = {}
        self.left_out: list[LeftOut] = []
        self._alike: dict[str, int] = {}

    def leave_out(self, what: str, which: str, why: str) -> None:
        self.left_out.append(LeftOut(what, which, why))

    def add_person(self, person: FilePerson) -> None:
        if person.key not in self.people and len(self.people) >= MAX_PEOPLE:
            raise Refusal(f"The file has more than {MAX_PEOPLE:,} people. Import it in parts.", field="file")
        self.people.setdefault(person.key, person)

    def add_game(self, game: FileGame) -> None:
        self.games.setdefault(game.key, game)

    def make_play_key(self, *parts: object) -> str:
        """A key for a play without one. Two plays that look the same get two keys."""
        key = make_key("play", *parts)
        self._alike[key] = self._alike.get(key, 0) + 1
        return key if self._alike[key] == 1 else make_key("play", key, self._alike[key])

    def add_play(self, play: PlayFacts, which: str) -> None:
        if len(self.plays) >= MAX_PLAYS:
            raise Refusal(f"The file has more than {MAX_PLAYS:,} plays. Import it in parts.", field="file")
        which = f"{which}, {play.game_name}, {format_day(play.day)}"
        if play.uuid in self.plays:
            self.leave_out("play", which, "The file has this play twice. The first one counts.")
            return
        if len(play.players) > MAX_PLAYERS:
            self.leave_out("play", which, f"It has more than {MAX_PLAYERS} players.")
            return
        play = replace(play, players=tuple(self._with_readable_score(player, play, which) for player in play.players))
        try:
            check_play(play, self.today)
        except Refusal as refused:
            self.leave_out("play", which, refused.sentence)
            return
        self.plays[play.uuid] = complete_play(play)

    def _with_readable_score(self, player: PlayerResult, play: PlayFacts, which: str) -> PlayerResult:
        if play.scoring not in (Scoring.HIGH, Scoring.LOW):
            return player
        try:
            read_score(player.score_text)
        except Refusal:
            why = f"“{player.score_text}” is not a number. The play is imported without this score."
            self.leave_out("score", f"{which}, {player.name}", why)
            return replace(player, score_text="")
        return player

    def finish(self) -> PlaysFile:
        plays = sorted(self.plays.values(), key=lambda play: play.order)
        return PlaysFile(tuple(self.people.values()), tuple(self.games.values()), tuple(plays), tuple(self.left_out))
