"""The recap of a night ready to draw: page, picture, paper and TV show the same."""

import datetime as dt
from dataclasses import dataclass, replace

from django.utils import timezone

from art.link_preview import WIDTH, Words, draw_leaf
from gamenights.nights.models import Night
from gamenights.plays.display import PlayRow, arms_of, build_play_row
from gamenights.plays.selectors import load_facts, plays_of_group, plays_of_night
from gamenights.plays.values import PlayFacts
from gamenights.recap.facts import Fact, NightRecap, TableRow, build_night_recap
from gamenights.recap.gazette import Gazette, build_gazette
from gamenights.standings.core.leaderboard import count
from gamenights.standings.core.tally import Tally
from gamenights.standings.counts import Period, load_tally
from gamenights.standings.models import Season
from groups.models import Group
from heraldry import Arms, draw_arms_at

ICONS = {
    "new_game": "c-plus",
    "round_number": "c-book",
    "best_score": "c-crown",
    "own_best": "c-crown",
    "first_win": "c-sun",
    "at_last": "c-thorn",
    "streak": "c-candle",
    "close": "c-hand",
    "landslide": "c-battle",
    "longest": "c-hourglass",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings of the night."""

    row: TableRow
    arms: Arms | None


@dataclass(frozen=True, slots=True)
class Story:
    text: str
    icon: str


@dataclass(frozen=True, slots=True)
class RecapDisplay:
    night: Night
    recap: NightRecap
    plays: tuple[PlayRow, ...]
    table: tuple[Standing, ...]
    stories: tuple[Story, ...]
    next_nights: tuple[Night, ...]

    @property
    def winners(self) -> tuple[Standing, ...]:
        return tuple(standing for standing in self.table if standing.row.place == 1 and standing.row.wins)


def build_recap(night: Night) -> RecapDisplay:
    facts = load_facts(plays_of_night(night))
    first = min((play.day for play in facts), default=night.day or timezone.localdate())
    before = Period(end=first - dt.timedelta(days=1), is_kept=False)
    recap = build_night_recap(facts, load_tally(night.group, before))
    arms = arms_of({int(player.person) for play in facts for player in play.players if player.person})
    coming = Night.objects.filter(group=night.group).open().exclude(pk=night.pk).exclude(starts_at=None)
    return RecapDisplay(
        night=night,
        recap=recap,
        plays=tuple(build_play_row(play, night.group, arms) for play in facts),
        table=tuple(Standing(row, arms.get(int(row.person)) if row.person else None) for row in recap.table),
        stories=tuple(_story(fact) for fact in (*recap.stories, *recap.records)),
        next_nights=tuple(coming.order_by("starts_at")[:3]),
    )


def _story(fact: Fact) -> Story:
    return Story(fact.text, ICONS.get(fact.kind, "c-mullet"))


# ── The picture ────────────────────────────────────────────────────────────────────────────────────────

MAX_IN_PICTURE = 6


def draw_picture(display: RecapDisplay, under: str) -> bytes:
    drawing = ""
    words = [Words(display.recap.headline, WIDTH / 2, 222, 38, WIDTH - 140, align="middle", italic=True)]
    for at, one in enumerate(display.table[:MAX_IN_PICTURE]):
        x, y = (90, 640)[at % 2], 268 + at // 2 * 86
        if one.arms is not None:
            drawing += draw_arms_at(one.arms, x, y, 56)
        ink = "rubric" if one.row.place == 1 and one.row.wins else "ink"
        wins = f"{count(one.row.wins, 'win')} of {one.row.contests}"
        words.append(Words(one.row.name, x + 78, y + 24, 32, 400, ink, bold=True))
        words.append(Words(wins, x + 78, y + 53, 20, 400, "ink-2"))
    for at, story in enumerate(display.stories[:2]):
        words.append(Words(story.text, WIDTH / 2, 548 + at * 28, 20, WIDTH - 360, "ink-2", "middle"))
    return draw_leaf(display.night.name, under, drawing, words)


# ── The Gazette of a season ────────────────────────────────────────────────────────────────────────────

# A newspaper has narrow columns: longer names are cut.
MAX_COLUMN = 30


@dataclass(frozen=True, slots=True)
class Edition:
    """A group's season, or all of its time."""

    group: Group
    season: Season | None

    @property
    def name(self) -> str:
        return self.season.name if self.season else "all time"

    @property
    def key(self) -> str:
        return f"{self.group.code}-{self.season.pk if self.season else 'all'}"


@dataclass(frozen=True, slots=True)
class GazetteDisplay:
    edition: Edition
    gazette: Gazette
    arms: dict[str, Arms]
    first_day: dt.date | None
    last_day: dt.date | None


def build_season_gazette(edition: Edition) -> GazetteDisplay:
    season = edition.season
    start, end = (season.first_day, season.last_day) if season else (None, None)
    plays = [_with_short_names(play) for play in load_facts(plays_of_group(edition.group, start, end))]
    before = Tally()
    if start:
        before = load_tally(edition.group, Period(end=start - dt.timedelta(days=1), is_kept=False))
    gazette = build_gazette(_cut(edition.name), plays, before)
    people = {int(row.person) for row, _ in gazette.table if row.person}
    arms = {str(pk): shield for pk, shield in arms_of(people).items()}
    days = [play.day for play in plays if play.counted]
    return GazetteDisplay(edition, gazette, arms, min(days, default=None), max(days, default=None))


def _with_short_names(play: PlayFacts) -> PlayFacts:
    players = tuple(replace(player, name=_cut(player.name)) for player in play.players)
    return replace(play, game_name=_cut(play.game_name), players=players)


def _cut(name: str) -> str:
    return name if len(name) <= MAX_COLUMN else name[: MAX_COLUMN - 1].rstrip() + "…"
