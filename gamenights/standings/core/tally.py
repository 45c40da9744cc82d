"""Sums over plays that can be added up: a tally of March and one of April make a tally of both.

Each game is counted apart for each variant (a *slot*). Solo plays give records and cooperative plays give
shared wins; only contests give wins, streaks and head to head.
"""

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from gamenights.plays.values import PlayFacts, Scoring, Variant

Pair = tuple[str, str]
PairCounts = dict[Pair, tuple[int, int, int]]  # (a, b) with a < b: a finished ahead, behind, level


@dataclass(frozen=True, slots=True)
class Slot:
    """A game in one variant."""

    game: str
    variant: str = ""

    @property
    def label(self) -> str:
        return Variant.from_key(self.variant).label


# Fair shares are counted in parts of this number, which 1 to 16 sides divide, so that sums stay exact.
WHOLE = 720_720


@dataclass(slots=True)
class PersonTally:
    """One person in one slot, or over all slots."""

    plays: int = 0
    contests: int = 0
    wins: int = 0
    fair_parts: int = 0  # what chance alone would give: a quarter of WHOLE for each contest of four sides
    shared_plays: int = 0  # cooperative
    shared_wins: int = 0
    scores: int = 0
    score_sum: Decimal = Decimal(0)
    highest: Decimal | None = None
    lowest: Decimal | None = None
    minutes: int = 0
    nights: int = 0
    first_win: dt.date | None = None
    last_play: dt.date | None = None
    # Wins in a row: in the first contests, in the last ones, and the most anywhere.
    run_at_start: int = 0
    run_at_end: int = 0
    longest_run: int = 0

    @property
    def fair_wins(self) -> float:
        return self.fair_parts / WHOLE

    def count_play(self, play: PlayFacts) -> None:
        self.plays += 1
        self.minutes += play.minutes or 0
        self.last_play = play.day

    def count_contest(self, day: dt.date, won: bool, fair_parts: int) -> None:
        if won:
            if self.run_at_start == self.contests:
                self.run_at_start += 1
            self.run_at_end += 1
            self.longest_run = max(self.longest_run, self.run_at_end)
            self.wins += 1
            self.first_win = self.first_win or day
        else:
            self.run_at_end = 0
        self.contests += 1
        self.fair_parts += fair_parts

    def count_score(self, score: Decimal) -> None:
        self.scores += 1
        self.score_sum += score
        if self.highest is None or score > self.highest:
            self.highest = score
        if self.lowest is None or score < self.lowest:
            self.lowest = score

    def add(self, later: "PersonTally") -> None:
        """Add what came after."""
        self.longest_run = max(self.longest_run, later.longest_run, self.run_at_end + later.run_at_start)
        if self.run_at_start == self.contests:
            self.run_at_start += later.run_at_start
        if later.run_at_end == later.contests:
            self.run_at_end += later.run_at_end
        else:
            self.run_at_end = later.run_at_end
        self.plays += later.plays
        self.contests += later.contests
        self.wins += later.wins
        self.fair_parts += later.fair_parts
        self.shared_plays += later.shared_plays
        self.shared_wins += later.shared_wins
        self.minutes += later.minutes
        self.nights += later.nights
        self.first_win = self.first_win or later.first_win
        self.last_play = later.last_play or self.last_play
        if later.scores:
            self.scores += later.scores
            self.score_sum += later.score_sum
            if self.highest is None or (later.highest is not None and later.highest > self.highest):
                self.highest = later.highest
            if self.lowest is None or (later.lowest is not None and later.lowest < self.lowest):
                self.lowest = later.lowest


@dataclass(slots=True)
class SlotTally:
    game_name: str = ""
    scoring: Scoring = Scoring.HIGH
    plays: int = 0
    minutes: int = 0
    timed: int = 0  # plays with a known length
    shared_wins: int = 0
    people: dict[str, PersonTally] = field(default_factory=dict)
    pairs: PairCounts = field(default_factory=dict)
    roles: dict[str, tuple[int, int]] = field(default_factory=dict)  # contests, wins
    starters: tuple[int, int] = (0, 0)  # contests with a known start player, won by them
    others: set[str] = field(default_factory=set)  # who else played, where only some people were read

    @property
    def players(self) -> set[str]:
        return self.others | self.people.keys()

    def add(self, later: "SlotTally") -> None:
        self.game_name, self.scoring = later.game_name or self.game_name, later.scoring
        self.plays += later.plays
        self.minutes += later.minutes
        self.timed += later.timed
        self.shared_wins += later.shared_wins
        for person, tally in later.people.items():
            self.people.setdefault(person, PersonTally()).add(tally)
        add_pairs(self.pairs, later.pairs)
        for role, (contests, wins) in later.roles.items():
            n, won = self.roles.get(role, (0, 0))
            self.roles[role] = (n + contests, won + wins)
        self.starters = (self.starters[0] + later.starters[0], self.starters[1] + later.starters[1])
        self.others |= later.others


@dataclass(slots=True)
class Tally:
    """``slots`` by game and variant; ``people`` over all of them, with nights and streaks across games."""

    slots: dict[Slot, SlotTally] = field(default_factory=dict)
    people: dict[str, PersonTally] = field(default_factory=dict)
    nights: int = 0
    plays: int = 0

    def add(self, later: "Tally") -> None:
        """Add what came after. The two times must not share a day."""
        for slot, tally in later.slots.items():
            self.slots.setdefault(slot, SlotTally()).add(tally)
        for person, whole in later.people.items():
            self.people.setdefault(person, PersonTally()).add(whole)
        self.nights += later.nights
        self.plays += later.plays

    def of_game(self, game: str) -> Iterator[tuple[Slot, SlotTally]]:
        return ((slot, tally) for slot, tally in self.slots.items() if slot.game == game)

    def head_to_head(self) -> PairCounts:
        """Over all games: how often one finished ahead of the other."""
        pairs: PairCounts = {}
        for tally in self.slots.values():
            add_pairs(pairs, tally.pairs)
        return pairs


def add_up(tallies: Iterable[Tally]) -> Tally:
    """Tallies of following times, oldest first, as one."""
    whole = Tally()
    for tally in tallies:
        whole.add(tally)
    return whole


def tally_plays(plays: Iterable[PlayFacts]) -> Tally:
    """Count plays, in the order of ``PlayFacts.order``. Plays that do not count are passed over."""
    whole = Tally()
    days: set[dt.date] = set()
    seen: set[tuple[str, dt.date]] = set()
    for play in plays:
        if not play.counted:
            continue
        slot = whole.slots.setdefault(Slot(play.game, play.variant.key), SlotTally())
        slot.game_name, slot.scoring = play.game_name, play.scoring
        slot.plays += 1
        whole.plays += 1
        if play.minutes:
            slot.minutes += play.minutes
            slot.timed += 1
        days.add(play.day)
        known = [player for player in play.players if player.person and not player.bot]
        is_shared = play.scoring is Scoring.COOPERATIVE
        is_decided = play.is_contest and any(player.place for player in play.players)
        fair_parts = WHOLE // max(count_sides(play), 1)
        for player in known:
            one = slot.people.setdefault(player.person, PersonTally())
            over_all = whole.people.setdefault(player.person, PersonTally())
            # Scores of different games mean nothing together.
            if player.score is not None and play.scoring is not Scoring.NONE:
                one.count_score(player.score)
            for tally in (one, over_all):
                tally.count_play(play)
                if is_shared:
                    tally.shared_plays += 1
                    tally.shared_wins += player.won
                elif is_decided:
                    tally.count_contest(play.day, player.won, fair_parts)
            if (player.person, play.day) not in seen:
                seen.add((player.person, play.day))
                over_all.nights += 1
        if is_shared and play.winners:
            slot.shared_wins += 1
        if is_decided:
            count_pairs(
                slot.pairs, [Placed(player.person, player.place, player.team) for player in known if player.place]
            )
            _tally_roles(slot, play)
    whole.nights = len(days)
    return whole


def count_sides(play: PlayFacts) -> int:
    teams = [player.team for player in play.players]
    return teams.count("") + len({*teams} - {""})


def add_pairs(pairs: PairCounts, later: PairCounts) -> None:
    for pair, (ahead, behind, level) in later.items():
        a, b, c = pairs.get(pair, (0, 0, 0))
        pairs[pair] = (a + ahead, b + behind, c + level)


class Placed(NamedTuple):
    person: str
    place: int
    team: str


def count_pairs(pairs: PairCounts, placed: Iterable[Placed]) -> None:
    """Add one play: everyone against everyone else. Team-mates do not compete."""
    rows = sorted(placed)
    for at, (one, place, team) in enumerate(rows):
        for other, other_place, other_team in rows[at + 1 :]:
            if team and team == other_team:
                continue
            ahead, behind, level = pairs.get((one, other), (0, 0, 0))
            pairs[one, other] = (
                ahead + (place < other_place),
                behind + (place > other_place),
                level + (place == other_place),
            )


def _tally_roles(slot: SlotTally, play: PlayFacts) -> None:
    for player in play.players:
        if player.role:
            contests, wins = slot.roles.get(player.role, (0, 0))
            slot.roles[player.role] = (contests + 1, wins + player.won)
    starters = [player for player in play.players if player.started]
    if len(starters) == 1:
        slot.starters = (slot.starters[0] + 1, slot.starters[1] + starters[0].won)
