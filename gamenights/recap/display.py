"""The recap of a night ready to draw: page, picture, paper and TV show the same."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.utils import timezone

from gamenights.nights.models import Night
from gamenights.plays.display import PlayRow, arms_of, build_play_row
from gamenights.plays.selectors import load_facts, plays_of_night
from gamenights.recap.core.facts import Fact
from gamenights.recap.core.night_recap import NightRecap, TableRow, build_night_recap
from gamenights.standings.selectors import Period, load_tally
from heraldry import Arms

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
        return tuple(one for one in self.table if one.row.place == 1 and one.row.wins)


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
