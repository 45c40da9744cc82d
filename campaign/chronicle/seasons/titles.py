"""Titles of a season, worked out from its lines. Where the lines do not say enough, a title is not given."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from campaign.annals.chapters import Chapter, Since
from campaign.annals.fought import RETAKEN, Fought, is_battle
from campaign.annals.standings import records
from campaign.annals.tales import Names
from campaign.annals.wording import days_words, listed, times


@dataclass(frozen=True, slots=True)
class Award:
    """Who bears a title, and by what. Those who are level share it."""

    kingdoms: tuple[str, ...]
    said: str
    entries: tuple[int, ...] = ()


class _Season:
    """A chapter with what several titles look at, worked out once."""

    def __init__(self, chapter: Chapter) -> None:
        self.chapter = chapter
        self.names = Names(chapter.after)
        self.players = [kingdom.id for kingdom in chapter.after.in_play()]
        self.fought = chapter.fought()
        self.records = records(chapter.lines, self.players)
        self.holds = foreign_holds(chapter)


@dataclass(frozen=True, slots=True)
class Title:
    key: str
    name: str
    what: str  # what it is given for
    find: Callable[[_Season], Award | None]


@dataclass(frozen=True, slots=True)
class Given:
    """A title as it stands on a page: with the names of its day."""

    key: str
    name: str
    what: str
    kingdoms: tuple[str, ...]
    said: str
    entries: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def titles(chapter: Chapter) -> tuple[Given, ...]:
    season = _Season(chapter)
    found = []
    for title in TITLES:
        award = title.find(season)
        if award is not None:
            found.append(Given(title.key, title.name, title.what, award.kingdoms, award.said, award.entries))
    return tuple(found)


# --- counting -------------------------------------------------------------------------------------------------------


def _most(counted: dict[str, int], names: Names, said: str, *, least: int = 1) -> Award | None:
    """The greatest number and everyone who reached it. What everyone reached is no title."""
    best = max(counted.values(), default=0)
    bearers = tuple(key for key, count in counted.items() if count == best)
    if best < least or (len(counted) > 1 and len(bearers) == len(counted)):
        return None
    what = said.format(n=best, s="" if best == 1 else "s")
    if len(bearers) > 1:
        what = f"{what.removesuffix('.')} each."
    return Award(bearers, f"{listed([names.kingdom(key) for key in bearers])}: {what}")


def _removed(season: _Season) -> Award | None:
    counted: Counter[str] = Counter()
    for battle in season.fought:
        counted.update(battle.removed)
    return _most(dict(counted), season.names, "{n} unit{s} removed.")


def _wins(season: _Season) -> Award | None:
    return _most({key: row.won for key, row in season.records.items()}, season.names, "{n} battle{s} won.")


def _points(season: _Season) -> Award | None:
    return _most({key: row.earned for key, row in season.records.items()}, season.names, "{n} VP earned in battle.")


def _spender(season: _Season) -> Award | None:
    return _most({key: row.spent for key, row in season.records.items()}, season.names, "{n} VP spent.")


def _wall(season: _Season) -> Award | None:
    counted = dict.fromkeys(season.players, 0)
    for battle in season.fought:
        if battle.outcome == "defender" and battle.defender in counted:
            counted[battle.defender] += 1
    return _most(counted, season.names, "{n} attacks beaten off.", least=2)


def _beloved(season: _Season) -> Award | None:
    rise = {}
    for key in season.players:
        before = season.chapter.before.kingdoms.get(key)
        rise[key] = season.chapter.after.kingdoms[key].loyalty - (before.loyalty if before else 0)
    return _most(rise, season.names, "loyalty rose by {n}.")


# --- land and houses ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hold:
    """A stretch of time in which foreign hands held a territory."""

    territory: str
    holder: str
    entry: int  # the line that took it, 0 if it was taken before the season
    days: int
    battles: int
    retaken: int  # the line by which its own kingdom won it back, or 0


def foreign_holds(chapter: Chapter) -> list[Hold]:
    """``days`` counts within the season for what is still held, and from the very taking for what was won back."""
    holders = dict(chapter.before.holders)
    taken: dict[str, tuple[Since, int]] = {key: (since, 0) for key, since in chapter.since.items()}
    count = chapter.battles_before
    found: list[Hold] = []

    def end(territory: str, day: str, retaken: int) -> None:
        holder = holders[territory]
        if territory.rpartition(".")[0] == holder or territory not in taken:
            return
        since, entry = taken[territory]
        start = since.day if retaken else max(since.day, chapter.opened.played_on)
        found.append(Hold(territory, holder, entry, _days(start, day), count - since.battles, retaken))

    for line in chapter.lines[1:]:
        count += is_battle(line)
        for effect in line.effects:
            if effect["do"] == "hold" and effect["territory"] in holders:
                territory = effect["territory"]
                end(territory, line.played_on, line.number if effect.get("why") in RETAKEN else 0)
                holders[territory] = effect["by"]
                taken[territory] = (Since(line.played_on, count), line.number)
            elif effect["do"] == "joined":
                holders |= {key: by for key, by in chapter.after.holders.items() if key not in holders}
    for territory in list(holders):
        end(territory, chapter.last_day, 0)
    return found


def _border(season: _Season) -> Award | None:
    names = season.names
    holds = [hold for hold in season.holds if ".border_" in hold.territory and hold.days]
    if not holds:
        return None
    days = max(hold.days for hold in holds)
    best = [hold for hold in holds if hold.days == days]
    said = listed([f"{names.place(hold.territory)} by {names.kingdom(hold.holder)}" for hold in best])
    bearers = tuple(dict.fromkeys(hold.holder for hold in best))
    return Award(bearers, f"{said}: held for {days_words(days)}.", tuple(h.entry for h in best if h.entry))


def _retaking(season: _Season) -> Award | None:
    """The longest in foreign hands is the best to have back; on one day the battles in between count."""
    names = season.names
    won_back = [hold for hold in season.holds if hold.retaken]
    if not won_back:
        return None
    best = max(won_back, key=lambda hold: (hold.days, hold.battles))
    owner = best.territory.rpartition(".")[0]
    after = days_words(best.days) if best.days else f"{best.battles} battle{'s' if best.battles != 1 else ''}"
    said = f"{names.kingdom(owner)} won back {names.place(best.territory)} from {names.kingdom(best.holder)} after {after}."
    return Award((owner,), said, (best.retaken,))


def _fickle(season: _Season) -> Award | None:
    names = season.names
    turns: dict[tuple[str, int], list[int]] = {}
    for line in season.chapter.lines:
        for effect in line.effects:
            if effect["do"] == "house":
                turns.setdefault((effect["kingdom"], effect["house"]), []).append(line.number)
    most = max((len(entries) for entries in turns.values()), default=0)
    if most < 2:
        return None
    best = [key for key, entries in turns.items() if len(entries) == most]
    said = listed([f"{names.house(*key)} of {names.kingdom(key[0])}" for key in best])
    entries = tuple(number for key in best for number in turns[key])
    return Award(tuple(dict.fromkeys(key[0] for key in best)), f"{said} changed sides {times(most)}.", entries)


def _closest(season: _Season) -> Award | None:
    """The battle with the most VP on both sides together, both having earned some."""
    told = [battle for battle in season.fought if len(battle.earned) == 2]
    if not told:
        return None
    best = max(told, key=lambda battle: (sum(battle.earned.values()), min(battle.earned.values())))
    return Award((best.attacker, best.defender), _score(best, season.names), (best.entry,))


def _score(battle: Fought, names: Names) -> str:
    one, other = battle.attacker, battle.defender
    points = f"{battle.earned.get(one, 0)} VP to {battle.earned.get(other, 0)}"
    return f"{names.kingdom(one)} against {names.kingdom(other)} for {names.place(battle.target)}: {points}."


def _days(start: str, end: str) -> int:
    return (dt.date.fromisoformat(end) - dt.date.fromisoformat(start)).days


# fmt: off
TITLES: tuple[Title, ...] = (
    Title("removed",  "Terror of the hedgerows", "most units removed",            _removed),
    Title("wins",     "Captain of the season",   "most battles won",              _wins),
    Title("points",   "Keeper of the tally",     "most VP earned in battle",      _points),
    Title("wall",     "Stone in the stream",     "most attacks beaten off",       _wall),
    Title("border",   "Warden of the march",     "foreign border held longest",   _border),
    Title("retaking", "Homecoming",              "best retaking",                 _retaking),
    Title("beloved",  "Dear to the nobles",      "greatest rise of loyalty",      _beloved),
    Title("spender",  "Open hand",               "most VP spent",                 _spender),
    Title("fickle",   "Weathercock",             "most fickle house",             _fickle),
    Title("battle",   "Battle of the season",    "most VP earned by both sides",  _closest),
)
# fmt: on
