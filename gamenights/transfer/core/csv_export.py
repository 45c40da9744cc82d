"""Write plays as a table: one row for each player, with no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import datetime as dt
import io

from gamenights.plays.values import PlayerResult, PlayFacts
from gamenights.transfer.core.csv_import import COLUMNS, guard_cell
from gamenights.transfer.core.plays_file import FileGame, PlaysFile


def write_csv(file: PlaysFile, zone: dt.tzinfo) -> bytes:
    games = {game.key: game for game in file.games}
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for play in file.plays:
        for player in play.players:
            writer.writerow([guard_cell(cell) for cell in _cells(play, player, games[play.game], zone)])
    return out.getvalue().encode("utf-8-sig")


def _cells(play: PlayFacts, player: PlayerResult, game: FileGame, zone: dt.tzinfo) -> list[str]:
    started = play.started_at.astimezone(zone).replace(microsecond=0) if play.started_at else None
    return [
        play.uuid,
        play.day.isoformat(),
        started.isoformat() if started else "",
        play.game_name,
        str(game.bgg_id or ""),
        play.scoring.value,
        play.variant.key,
        str(play.minutes or ""),
        play.location,
        play.board,
        player.name,
        player.person or "nobody",
        player.score_text,
        player.team,
        player.role,
        str(player.place or ""),
        _yes(player.won),
        _yes(player.started),
        _yes(player.new),
        _yes(player.bot),
        "yes" if play.rated else "no",
        "yes" if play.counted else "no",
        play.game,
        play.notes,
    ]


def _yes(flag: bool) -> str:
    return "yes" if flag else ""
