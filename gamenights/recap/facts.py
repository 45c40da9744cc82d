"""Facts about plays, each a sentence: how a play ended, what was new, what was close."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from gamenights.plays.values import PlayerResult, PlayFacts, Scoring, format_score
from gamenights.standings.core.leaderboard import build_leaderboard, count
from gamenights.standings.core.tally import PairCounts, PersonTally, Slot, SlotTally, Tally, add_pairs, tally_plays
from text import join_list

LONG_RUN = 3
ROUND_NUMBERS = (10, 25, 50, 100, 250, 500, 1000)
OLD_RIVALS = 3  # so many plays without finishing ahead make the first time news


@dataclass(frozen=True, slots=True)
class Fact:
    kind: str
    text: str
    people: tuple[str, ...] = ()


def name_list(players: Iterable[PlayerResult]) -> str:
    return join_list([player.name for player in players])


def name_game(play: PlayFacts) -> str:
    return f"{play.game_name} ({play.variant.label})" if play.variant.label else play.game_name


def describe_result(play: PlayFacts) -> str:
    """How a play ended: ``Oda won with 42, ahead of Wren (30) and Pim (12).``"""
    if play.scoring is Scoring.COOPERATIVE:
        return f"{name_list(play.players)} {'won' if play.winners else 'lost'} together."
    if play.is_solo:
        player = play.players[0]
        points = format_score(player.score)
        return f"{player.name} played alone and scored {points}." if points else f"{player.name} played alone."
    if not play.winners:
        return f"{name_list(play.players)} played without a winner."
    others = sorted(
        (player for player in play.players if not player.won), key=lambda player: player.place or len(play.players)
    )
    if not others:
        return f"{name_list(play.players)} ended level{_with_points(play.winners)}."
    won = f"{name_list(play.winners)} won{_with_points(play.winners)}"
    return f"{won}, ahead of {join_list([_name_with_points(player) for player in others])}."


def _with_points(winners: Sequence[PlayerResult]) -> str:
    scores = {player.score for player in winners if player.score is not None}
    return f" with {format_score(scores.pop())}" if len(scores) == 1 else ""


def _name_with_points(player: PlayerResult) -> str:
    points = format_score(player.score)
    return f"{player.name} ({points})" if points else player.name


def find_news(plays: Sequence[PlayFacts], before: Tally) -> list[Fact]:
    """What is new because of these plays, in the order of play."""
    news: list[Fact] = []
    so_far = Tally()
    so_far.add(before)  # a copy, so that the caller's tally stays as it is
    pairs = so_far.head_to_head()
    for play in plays:
        if not play.counted:
            continue
        slot = so_far.slots.get(Slot(play.game, play.variant.key), SlotTally())
        news += _news_of_game(play, so_far)
        news += _news_of_scores(play, slot)
        news += _news_of_people(play, so_far, pairs)
        alone = tally_plays([play])
        so_far.add(alone)
        add_pairs(pairs, alone.head_to_head())
    news += _runs(plays, so_far)
    return news


def _news_of_game(play: PlayFacts, before: Tally) -> list[Fact]:
    played = sum(tally.plays for _, tally in before.of_game(play.game)) + 1
    if played == 1:
        return [Fact("new_game", f"{play.game_name} was played for the first time.")]
    if played in ROUND_NUMBERS:
        return [Fact("round_number", f"{play.game_name} was played for the {played:,}th time.")]
    return []


def _news_of_scores(play: PlayFacts, slot: SlotTally) -> list[Fact]:
    """Records of the group and of single people, within one variant."""
    if play.scoring not in (Scoring.HIGH, Scoring.LOW) or slot.plays == 0:
        return []
    news = []
    best_before = _best(slot.people.values(), play.scoring)
    for player in play.people:
        if player.score is None or not player.person:
            continue
        mine = slot.people.get(player.person)
        own_best = _best([mine], play.scoring) if mine and mine.scores >= OLD_RIVALS else None
        if best_before is not None and _is_better(player.score, best_before, play.scoring):
            scores = f"{format_score(player.score)}; it was {format_score(best_before)}"
            text = f"{player.name} set a record in {name_game(play)}: {scores}."
            news.append(Fact("best_score", text, (player.person,)))
            best_before = player.score
        elif own_best is not None and _is_better(player.score, own_best, play.scoring):
            text = f"{player.name} scored {format_score(player.score)} in {name_game(play)}, their best so far."
            news.append(Fact("own_best", text, (player.person,)))
    return news


def _best(people: Iterable[PersonTally], scoring: Scoring) -> Decimal | None:
    if scoring is Scoring.LOW:
        return min((tally.lowest for tally in people if tally.lowest is not None), default=None)
    return max((tally.highest for tally in people if tally.highest is not None), default=None)


def _is_better(score: Decimal, than: Decimal, scoring: Scoring) -> bool:
    return score < than if scoring is Scoring.LOW else score > than


def _news_of_people(play: PlayFacts, before: Tally, pairs: PairCounts) -> list[Fact]:
    if not play.is_contest:
        return []
    news = []
    for player in play.winners:
        mine = before.people.get(player.person)
        if player.person and not player.bot and mine is not None and mine.wins == 0 and mine.contests:
            text = f"{player.name} won for the first time, in {name_game(play)}."
            news.append(Fact("first_win", text, (player.person,)))
    people = [player for player in play.people if player.person and player.place]
    for player in people:
        for other in people:
            if player.person == other.person or (player.team and player.team == other.team):
                continue
            if (player.place or 0) >= (other.place or 0):
                continue
            ahead, behind = _meetings(pairs, player.person, other.person)
            if ahead == 0 and behind >= OLD_RIVALS:
                text = f"{player.name} finally finished ahead of {other.name}, after {behind} plays behind."
                news.append(Fact("at_last", text, (player.person, other.person)))
    return news


def _meetings(pairs: PairCounts, one: str, other: str) -> tuple[int, int]:
    ahead, behind, _ = pairs.get((min(one, other), max(one, other)), (0, 0, 0))
    return (ahead, behind) if one < other else (behind, ahead)


def _runs(plays: Sequence[PlayFacts], after: Tally) -> list[Fact]:
    names = {player.person: player.name for play in plays for player in play.people if player.person}
    runs = []
    for person, name in sorted(names.items(), key=lambda row: row[1]):
        run = after.people[person].run_at_end if person in after.people else 0
        if run >= LONG_RUN:
            runs.append(Fact("streak", f"{name} has won {run} in a row.", (person,)))
    return runs


def find_stories(plays: Sequence[PlayFacts]) -> list[Fact]:
    """The closest win, the clearest win and the longest play."""
    margins = [(margin, play) for play in plays if (margin := win_margin(play)) is not None]
    stories = []
    if margins:
        least, close = min(margins, key=lambda row: row[0])
        if least <= 2:
            words = "a tie" if least == 0 else f"{format_score(least)} {'point' if least == 1 else 'points'}"
            text = f"The closest game: {name_game(close)}, decided by {words}. {describe_result(close)}"
            stories.append(Fact("close", text, tuple(player.person for player in close.winners if player.person)))
        most, clear = max(margins, key=lambda row: row[0])
        if clear is not close and most > 2 * max(least, Decimal(1)):
            text = (
                f"The clearest win: {name_list(clear.winners)} in {name_game(clear)}, by {format_score(most)} points."
            )
            stories.append(Fact("landslide", text, tuple(player.person for player in clear.winners if player.person)))
    timed = [play for play in plays if play.minutes]
    if len(timed) > 1:
        longest = max(timed, key=lambda play: play.minutes or 0)
        stories.append(
            Fact("longest", f"The longest game: {name_game(longest)}, {format_length(longest.minutes or 0)}.")
        )
    return stories


def win_margin(play: PlayFacts) -> Decimal | None:
    """Points between the best and the next side; 0 where a marked winner had as many as another."""
    if not play.is_contest or play.scoring not in (Scoring.HIGH, Scoring.LOW) or not play.counted:
        return None
    won = [player.score for player in play.winners if player.score is not None]
    lost = [player.score for player in play.players if not player.won and player.score is not None]
    if not won or not lost:
        return None
    return max(won) - max(lost) if play.scoring is Scoring.HIGH else min(lost) - min(won)


def format_length(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    if not hours:
        return count(rest, "minute")
    return f"{hours} h {rest} min" if rest else count(hours, "hour")


# ── The recap of a night ───────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ResultLine:
    api_name = "RecapResult"

    uuid: str
    game_name: str
    variant: str
    minutes: int | None
    sentence: str
    notes: str


@dataclass(frozen=True, slots=True)
class TableRow:
    api_name = "RecapRow"

    place: int
    person: str
    name: str
    wins: int
    contests: int
    plays: int


@dataclass(frozen=True, slots=True)
class NightRecap:
    headline: str
    summary: str
    results: tuple[ResultLine, ...]
    table: tuple[TableRow, ...]
    records: tuple[Fact, ...]
    stories: tuple[Fact, ...]


def build_night_recap(plays: Sequence[PlayFacts], before: Tally) -> NightRecap:
    """``plays`` of one night in order; ``before`` counts everything the group played earlier."""
    tally = tally_plays(plays)
    names = {player.person: player.name for play in plays for player in play.people if player.person}
    rows = build_leaderboard(tally)
    table = tuple(TableRow(row.place, row.person, names[row.person], row.wins, row.contests, row.plays) for row in rows)
    return NightRecap(
        headline=write_headline(table),
        summary=_write_summary(plays, len(names)),
        results=tuple(
            ResultLine(play.uuid, play.game_name, play.variant.label, play.minutes, describe_result(play), play.notes)
            for play in plays
        ),
        table=table,
        records=tuple(find_news(plays, before)),
        stories=tuple(find_stories(plays)),
    )


def write_headline(table: Sequence[TableRow]) -> str:
    best = [row for row in table if row.place == 1 and row.wins]
    if not best:
        return "A night without a winner" if table else "Nothing has been played yet"
    names = join_list([row.name for row in best])
    wins = count(best[0].wins, "win")
    return f"{names} won the night with {wins}" if len(best) == 1 else f"{names} shared the night with {wins} each"


def _write_summary(plays: Sequence[PlayFacts], people: int) -> str:
    if not plays:
        return "No plays are logged for this night."
    games = len({play.game for play in plays})
    minutes = sum(play.minutes or 0 for play in plays)
    words = f"{count(len(plays), 'play')} of {count(games, 'game')}, {people} {'person' if people == 1 else 'people'}"
    return f"{words}, {format_length(minutes)} at the table." if minutes else f"{words}."
