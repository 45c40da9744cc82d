"""The Gazette of a season: two pages of newspaper, every sentence from the plays."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from gamenights.plays.values import PlayFacts, format_day
from gamenights.recap.facts import Fact, describe_result, find_news, find_stories, format_length, name_game
from gamenights.standings.core.leaderboard import LeaderboardRow, Title, award_titles, build_leaderboard, count
from gamenights.standings.core.tally import Tally, tally_plays
from text import join_list

MAX_ROWS, MAX_GAMES, MAX_NEWS, MAX_PAIRS, MAX_NIGHTS = 8, 8, 12, 3, 12
# News worth a line in a season, best first.
_ORDER = ("best_score", "first_win", "at_last", "round_number", "own_best", "new_game")


@dataclass(frozen=True, slots=True)
class GameLine:
    name: str
    plays: int
    leader: str  # "Oda, 4 wins of 7"; empty where nobody won


@dataclass(frozen=True, slots=True)
class NightLine:
    day: dt.date
    plays: int
    winner: str  # "Oda, 2 wins"; empty where nobody won


@dataclass(frozen=True, slots=True)
class Gazette:
    headline: str
    lead: tuple[str, ...]  # sentences
    table: tuple[tuple[LeaderboardRow, str], ...]  # with names
    games: tuple[GameLine, ...]
    titles: tuple[tuple[Title, str], ...]
    news: tuple[Fact, ...]
    stories: tuple[Fact, ...]
    rivalries: tuple[str, ...]
    nights: tuple[NightLine, ...]  # the last ones, oldest first
    last_play: str


def build_gazette(season: str, plays: Sequence[PlayFacts], before: Tally) -> Gazette:
    """``plays`` of the season in order; ``before`` counts what the group played earlier."""
    counted = [play for play in plays if play.counted]
    tally = tally_plays(counted)
    names = {player.person: player.name for play in counted for player in play.people if player.person}
    rows = build_leaderboard(tally)
    last = counted[-1] if counted else None
    return Gazette(
        headline=_write_headline(season, rows, names),
        lead=_write_lead(counted, tally, rows, names),
        table=tuple((row, names[row.person]) for row in rows[:MAX_ROWS]),
        games=_list_games(tally, names),
        titles=tuple((title, join_list([names[person] for person in title.people])) for title in award_titles(tally)),
        news=_choose_news(counted, before),
        stories=tuple(find_stories(counted)),
        rivalries=_list_rivalries(tally, names),
        nights=_list_nights(counted),
        last_play=f"{format_day(last.day)}, {name_game(last)}: {describe_result(last)}" if last else "",
    )


def _write_headline(season: str, rows: Sequence[LeaderboardRow], names: Mapping[str, str]) -> str:
    best = [row for row in rows if row.place == 1 and row.wins]
    if not best:
        return f"{season}: the tables are still empty" if not rows else f"{season}: nobody won"
    if len(best) > 1:
        return f"{join_list([names[row.person] for row in best])} share {season}"
    return f"{names[best[0].person]} leads {season} with {count(best[0].wins, 'win')}"


def _write_lead(
    plays: Sequence[PlayFacts], tally: Tally, rows: Sequence[LeaderboardRow], names: Mapping[str, str]
) -> tuple[str, ...]:
    if not plays:
        return ("No plays are logged for this season.",)
    games = len({play.game for play in plays})
    people = f"{len(names)} {'person' if len(names) == 1 else 'people'}"
    sentences = [
        f"From {format_day(plays[0].day)} to {format_day(plays[-1].day)}, {people} played "
        f"{count(len(plays), 'time')} on {count(tally.nights, 'night')}: {count(games, 'game')} in all."
    ]
    minutes = sum(play.minutes or 0 for play in plays)
    if minutes:
        sentences.append(f"The logged time at the table is {format_length(minutes)}.")
    if len(rows) > 1 and rows[0].place != rows[1].place and rows[1].wins:
        second = [row for row in rows if row.place == 2]
        who = join_list([names[row.person] for row in second])
        sentences.append(f"{who} {'follows' if len(second) == 1 else 'follow'} with {count(second[0].wins, 'win')}.")
    shared = sum(slot.shared_wins for slot in tally.slots.values())
    together = sum(slot.plays for slot in tally.slots.values() if slot.scoring.value == "cooperative")
    if together:
        sentences.append(f"Playing together, the group won {shared} of {together}.")
    return tuple(sentences)


def _list_games(tally: Tally, names: Mapping[str, str]) -> tuple[GameLine, ...]:
    lines = []
    for slot, one in sorted(tally.slots.items(), key=lambda row: (-row[1].plays, row[1].game_name, row[0].variant)):
        rows = build_leaderboard(tally, slot)
        leaders = [row for row in rows if row.place == 1 and row.wins]
        words = ""
        if leaders:
            who = join_list([names[row.person] for row in leaders])
            words = f"{who}, {count(leaders[0].wins, 'win')} of {leaders[0].contests}"
        name = f"{one.game_name} ({slot.label})" if slot.label else one.game_name
        lines.append(GameLine(name, one.plays, words))
    return tuple(lines[:MAX_GAMES])


def _list_nights(plays: Sequence[PlayFacts]) -> tuple[NightLine, ...]:
    lines = []
    for day, rows in groupby(plays, key=lambda play: play.day):
        tonight = list(rows)
        best = [row for row in build_leaderboard(tally_plays(tonight)) if row.place == 1 and row.wins]
        names = {player.person: player.name for play in tonight for player in play.people}
        words = f"{join_list([names[row.person] for row in best])}, {count(best[0].wins, 'win')}" if best else ""
        lines.append(NightLine(day, len(tonight), words))
    return tuple(lines[-MAX_NIGHTS:])


def _choose_news(plays: Sequence[PlayFacts], before: Tally) -> tuple[Fact, ...]:
    news = [fact for fact in find_news(plays, before) if fact.kind in _ORDER]
    ranked = sorted(enumerate(news), key=lambda row: (_ORDER.index(row[1].kind), row[0]))[:MAX_NEWS]
    return tuple(fact for _, fact in sorted(ranked))


def _list_rivalries(tally: Tally, names: Mapping[str, str]) -> tuple[str, ...]:
    """The pairs that met most often, and the score between them."""
    pairs = sorted(tally.head_to_head().items(), key=lambda row: (-sum(row[1]), row[0]))
    sentences = []
    for (one, other), (ahead, behind, level) in pairs[:MAX_PAIRS]:
        if ahead < behind:
            one, other, ahead, behind = other, one, behind, ahead
        tied = f", {level} level" if level else ""
        meetings = count(ahead + behind + level, "play")
        sentences.append(f"{names[one]} and {names[other]}, {meetings}: {names[one]} ahead {ahead}–{behind}{tied}.")
    return tuple(sentences)
