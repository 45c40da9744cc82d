"""Facts about plays, each a sentence: how a play ended, what was new, what was close."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from gamenights.plays.values import PlayerResult, PlayFacts, Scoring, format_score
from gamenights.standings.core.leaderboard import build_leaderboard, count
from gamenights.standings.core.tally import PersonTally, Slot, SlotTally, Tally, tally_plays
from text import join_list

LONG_RUN = 3
ROUND_NUMBERS = (10, 25, 50, 100, 250, 500, 1000)
Pairs = dict[tuple[str, str], tuple[int, int, int]]
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
    others = sorted((one for one in play.players if not one.won), key=lambda one: one.place or len(play.players))
    if not others:
        return f"{name_list(play.players)} ended level{_with_points(play.winners)}."
    won = f"{name_list(play.winners)} won{_with_points(play.winners)}"
    return f"{won}, ahead of {join_list([_name_with_points(one) for one in others])}."


def _with_points(winners: Sequence[PlayerResult]) -> str:
    scores = {one.score for one in winners if one.score is not None}
    return f" with {format_score(scores.pop())}" if len(scores) == 1 else ""


def _name_with_points(player: PlayerResult) -> str:
    points = format_score(player.score)
    return f"{player.name} ({points})" if points else player.name


def find_news(plays: Sequence[PlayFacts], before: Tally) -> list[Fact]:
    """What is new because of these plays, in the order of play."""
    found: list[Fact] = []
    so_far = Tally()
    so_far.add(before)  # a copy, so that the caller's tally stays as it is
    pairs = so_far.head_to_head()
    for play in plays:
        if not play.counted:
            continue
        slot = so_far.slots.get(Slot(play.game, play.variant.key), SlotTally())
        found += _news_of_game(play, so_far)
        found += _news_of_scores(play, slot)
        found += _news_of_people(play, so_far, pairs)
        alone = tally_plays([play])
        so_far.add(alone)
        for pair, counts in alone.head_to_head().items():
            a, b, c = pairs.get(pair, (0, 0, 0))
            pairs[pair] = (a + counts[0], b + counts[1], c + counts[2])
    found += _runs(plays, so_far)
    return found


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
    found = []
    best_before = _best(slot.people.values(), play.scoring)
    for player in play.people:
        if player.score is None or not player.person:
            continue
        mine = slot.people.get(player.person)
        own_best = _best([mine] if mine else [], play.scoring)
        if best_before is not None and _is_better(player.score, best_before, play.scoring):
            scores = f"{format_score(player.score)}; it was {format_score(best_before)}"
            text = f"{player.name} set a record in {name_game(play)}: {scores}."
            found.append(Fact("best_score", text, (player.person,)))
            best_before = player.score
        elif (
            own_best is not None
            and mine
            and mine.scores >= OLD_RIVALS
            and _is_better(player.score, own_best, play.scoring)
        ):
            text = f"{player.name} scored {format_score(player.score)} in {name_game(play)}, their best so far."
            found.append(Fact("own_best", text, (player.person,)))
    return found


def _best(people: Iterable[PersonTally], scoring: Scoring) -> Decimal | None:
    if scoring is Scoring.LOW:
        return min((one.lowest for one in people if one.lowest is not None), default=None)
    return max((one.highest for one in people if one.highest is not None), default=None)


def _is_better(score: Decimal, than: Decimal, scoring: Scoring) -> bool:
    return score < than if scoring is Scoring.LOW else score > than


def _news_of_people(play: PlayFacts, before: Tally, pairs: Pairs) -> list[Fact]:
    if not play.is_contest:
        return []
    found = []
    for player in play.winners:
        mine = before.people.get(player.person)
        if player.person and not player.bot and mine is not None and mine.wins == 0 and mine.contests:
            text = f"{player.name} won for the first time, in {name_game(play)}."
            found.append(Fact("first_win", text, (player.person,)))
    people = [one for one in play.people if one.person and one.place]
    for one in people:
        for other in people:
            if one.person == other.person or (one.team and one.team == other.team):
                continue
            if (one.place or 0) >= (other.place or 0):
                continue
            ahead, behind = _meetings(pairs, one.person, other.person)
            if ahead == 0 and behind >= OLD_RIVALS:
                text = f"{one.name} finally finished ahead of {other.name}, after {behind} plays behind."
                found.append(Fact("at_last", text, (one.person, other.person)))
    return found


def _meetings(pairs: Pairs, one: str, other: str) -> tuple[int, int]:
    ahead, behind, _ = pairs.get((min(one, other), max(one, other)), (0, 0, 0))
    return (ahead, behind) if one < other else (behind, ahead)


def _runs(plays: Sequence[PlayFacts], after: Tally) -> list[Fact]:
    names = {one.person: one.name for play in plays for one in play.people if one.person}
    found = []
    for person, name in sorted(names.items(), key=lambda row: row[1]):
        run = after.people[person].run_at_end if person in after.people else 0
        if run >= LONG_RUN:
            found.append(Fact("streak", f"{name} has won {run} in a row.", (person,)))
    return found


def find_stories(plays: Sequence[PlayFacts]) -> list[Fact]:
    """The closest win, the clearest win and the longest play."""
    margins = [(margin, play) for play in plays if (margin := win_margin(play)) is not None]
    found = []
    if margins:
        least, close = min(margins, key=lambda row: row[0])
        if least <= 2:
            words = "a tie" if least == 0 else f"{format_score(least)} {'point' if least == 1 else 'points'}"
            text = f"The closest game: {name_game(close)}, decided by {words}. {describe_result(close)}"
            found.append(Fact("close", text, tuple(one.person for one in close.winners if one.person)))
        most, clear = max(margins, key=lambda row: row[0])
        if clear is not close and most > 2 * max(least, Decimal(1)):
            text = (
                f"The clearest win: {name_list(clear.winners)} in {name_game(clear)}, by {format_score(most)} points."
            )
            found.append(Fact("landslide", text, tuple(one.person for one in clear.winners if one.person)))
    timed = [play for play in plays if play.minutes]
    if len(timed) > 1:
        longest = max(timed, key=lambda play: play.minutes or 0)
        found.append(Fact("longest", f"The longest game: {name_game(longest)}, {format_length(longest.minutes or 0)}."))
    return found


def win_margin(play: PlayFacts) -> Decimal | None:
    """Points between the best and the next side; 0 where a marked winner had as many as another."""
    if not play.is_contest or play.scoring not in (Scoring.HIGH, Scoring.LOW) or not play.counted:
        return None
    won = [one.score for one in play.winners if one.score is not None]
    lost = [one.score for one in play.players if not one.won and one.score is not None]
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
    names = {one.person: one.name for play in plays for one in play.people if one.person}
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
