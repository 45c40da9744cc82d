"""Titles of a season, worked out from its entries. Where the entries do not say enough, a title is not given."""

import datetime as dt
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from campaign.chronicle.battles_from_entries import RETAKEN, BattleRecord, is_battle
from campaign.chronicle.effects import FealtyChanged, KingdomJoined, TerritoryTaken
from campaign.chronicle.seasons.cut_into_seasons import HeldSince, SeasonRecord
from campaign.chronicle.seasons.standings import count_records
from campaign.chronicle.sentences import Names, count_days, count_times
from text import join_list


@dataclass(frozen=True, slots=True)
class Award:
    """Who wins a title, and why. Ties share it."""

    kingdoms: tuple[str, ...]
    said: str
    entries: tuple[int, ...] = ()


class _SeasonFacts:
    """A season with what several titles look at, worked out once."""

    def __init__(self, season: SeasonRecord) -> None:
        self.season = season
        self.names = Names(season.after)
        self.players = [kingdom.id for kingdom in season.after.in_play()]
        self.battles = season.battles()
        self.records = count_records(season.entries, self.players)
        self.holds = find_foreign_holds(season)


@dataclass(frozen=True, slots=True)
class Title:
    key: str
    name: str
    what: str  # what it is given for
    find: Callable[[_SeasonFacts], Award | None]


@dataclass(frozen=True, slots=True)
class AwardedTitle:
    """A title as a page shows it, with the names of that day."""

    key: str
    name: str
    what: str
    kingdoms: tuple[str, ...]
    said: str
    entries: tuple[int, ...]


def award_titles(season: SeasonRecord) -> tuple[AwardedTitle, ...]:
    facts = _SeasonFacts(season)
    return tuple(
        AwardedTitle(title.key, title.name, title.what, award.kingdoms, award.said, award.entries)
        for title in TITLES
        if (award := title.find(facts)) is not None
    )


def _award_most(counted: dict[str, int], names: Names, sentence: str, *, least: int = 1) -> Award | None:
    """The greatest number and everyone who reached it. If everyone did, there is no title."""
    best = max(counted.values(), default=0)
    bearers = tuple(key for key, count in counted.items() if count == best)
    if best < least or (len(counted) > 1 and len(bearers) == len(counted)):
        return None
    what = sentence.format(n=best, s="" if best == 1 else "s")
    if len(bearers) > 1:
        what = f"{what.removesuffix('.')} each."
    return Award(bearers, f"{join_list([names.kingdom(key) for key in bearers])}: {what}")


def _award_units_removed(facts: _SeasonFacts) -> Award | None:
    counted: Counter[str] = Counter()
    for battle in facts.battles:
        counted.update(battle.removed)
    return _award_most(dict(counted), facts.names, "{n} unit{s} removed.")


def _most(count: str, sentence: str) -> Callable[[_SeasonFacts], Award | None]:
    """For the most of what a kingdom's record counts."""
    return lambda facts: _award_most(
        {key: getattr(record, count) for key, record in facts.records.items()}, facts.names, sentence
    )


def _award_defences(facts: _SeasonFacts) -> Award | None:
    counted = dict.fromkeys(facts.players, 0)
    for battle in facts.battles:
        if battle.outcome == "defender" and battle.defender in counted:
            counted[battle.defender] += 1
    return _award_most(counted, facts.names, "{n} attacks held off.", least=2)


def _award_loyalty_gain(facts: _SeasonFacts) -> Award | None:
    rise = {}
    for key in facts.players:
        before = facts.season.before.kingdoms.get(key)
        rise[key] = facts.season.after.kingdoms[key].loyalty - (before.loyalty if before else 0)
    return _award_most(rise, facts.names, "loyalty rose by {n}.")


@dataclass(frozen=True, slots=True)
class ForeignHold:
    """A stretch of time in which foreign hands held a territory."""

    territory: str
    holder: str
    entry: int  # the entry that took it, 0 if it was taken before the season
    days: int
    battles: int
    retaken: int  # the entry by which its own kingdom won it back, or 0


def find_foreign_holds(season: SeasonRecord) -> list[ForeignHold]:
    """``days`` counts within the season for what is still held, and from the very taking for what was won back."""
    holders = dict(season.before.holders)
    taken: dict[str, tuple[HeldSince, int]] = {key: (since, 0) for key, since in season.since.items()}
    count = season.battles_before
    holds: list[ForeignHold] = []

    def end(territory: str, day: str, retaken: int) -> None:
        holder = holders[territory]
        if territory.rpartition(".")[0] == holder or territory not in taken:
            return
        since, entry = taken[territory]
        start = since.day if retaken else max(since.day, season.opened.played_on)
        days = (dt.date.fromisoformat(day) - dt.date.fromisoformat(start)).days
        holds.append(ForeignHold(territory, holder, entry, days, count - since.battles, retaken))

    for entry in season.entries[1:]:
        count += is_battle(entry)
        for effect in entry.effects:
            if isinstance(effect, TerritoryTaken) and effect.territory in holders:
                territory = effect.territory
                end(territory, entry.played_on, entry.number if effect.why in RETAKEN else 0)
                holders[territory] = effect.by
                taken[territory] = (HeldSince(entry.played_on, count), entry.number)
            elif isinstance(effect, KingdomJoined):
                holders |= {key: by for key, by in season.after.holders.items() if key not in holders}
    for territory in list(holders):
        end(territory, season.last_day, 0)
    return holds


def _award_longest_border(facts: _SeasonFacts) -> Award | None:
    names = facts.names
    holds = [hold for hold in facts.holds if ".border_" in hold.territory and hold.days]
    if not holds:
        return None
    days = max(hold.days for hold in holds)
    best = [hold for hold in holds if hold.days == days]
    holdings = join_list([f"{names.place(hold.territory)} by {names.kingdom(hold.holder)}" for hold in best])
    bearers = tuple(dict.fromkeys(hold.holder for hold in best))
    return Award(bearers, f"{holdings}: held for {count_days(days)}.", tuple(h.entry for h in best if h.entry))


def _award_retaking(facts: _SeasonFacts) -> Award | None:
    """The longest in foreign hands is the best to have back; on one day the battles in between count."""
    names = facts.names
    won_back = [hold for hold in facts.holds if hold.retaken]
    if not won_back:
        return None
    best = max(won_back, key=lambda hold: (hold.days, hold.battles))
    owner = best.territory.rpartition(".")[0]
    after = count_days(best.days) if best.days else f"{best.battles} battle{'s' if best.battles != 1 else ''}"
    place, loser = names.place(best.territory), names.kingdom(best.holder)
    sentence = f"{names.kingdom(owner)} won back {place} from {loser} after {after}."
    return Award((owner,), sentence, (best.retaken,))


def _award_fickle_house(facts: _SeasonFacts) -> Award | None:
    names = facts.names
    turns: dict[tuple[str, int], list[int]] = {}
    for entry in facts.season.entries:
        for effect in entry.effects:
            if isinstance(effect, FealtyChanged):
                turns.setdefault((effect.kingdom, effect.house), []).append(entry.number)
    most = max((len(entries) for entries in turns.values()), default=0)
    if most < 2:
        return None
    best = [key for key, entries in turns.items() if len(entries) == most]
    houses = join_list([f"{names.house(*key)} of {names.kingdom(key[0])}" for key in best])
    entries = tuple(number for key in best for number in turns[key])
    return Award(tuple(dict.fromkeys(key[0] for key in best)), f"{houses} changed sides {count_times(most)}.", entries)


def _award_biggest_battle(facts: _SeasonFacts) -> Award | None:
    """The battle with the most VP on both sides together, both having earned some."""
    scored = [battle for battle in facts.battles if len(battle.earned) == 2]
    if not scored:
        return None
    best = max(scored, key=lambda battle: (sum(battle.earned.values()), min(battle.earned.values())))
    return Award((best.attacker, best.defender), _describe_score(best, facts.names), (best.entry,))


def _describe_score(battle: BattleRecord, names: Names) -> str:
    one, other = battle.attacker, battle.defender
    points = f"{battle.earned.get(one, 0)} VP to {battle.earned.get(other, 0)}"
    return f"{names.kingdom(one)} against {names.kingdom(other)} for {names.place(battle.target)}: {points}."


TITLES: tuple[Title, ...] = (
    Title("removed", "Terror of the hedgerows", "most units removed", _award_units_removed),
    Title("wins", "Captain of the season", "most battles won", _most("won", "{n} battle{s} won.")),
    Title("points", "Keeper of the tally", "most VP earned in battle", _most("earned", "{n} VP earned in battle.")),
    Title("wall", "Stone in the stream", "most attacks held off", _award_defences),
    Title("border", "Warden of the march", "foreign border held longest", _award_longest_border),
    Title("retaking", "Homecoming", "longest-lost land won back", _award_retaking),
    Title("beloved", "Dear to the nobles", "biggest rise in loyalty", _award_loyalty_gain),
    Title("spender", "Open hand", "most VP spent", _most("spent", "{n} VP spent.")),
    Title("fickle", "Weathercock", "most fickle house", _award_fickle_house),
    Title("battle", "Battle of the season", "most VP earned by both sides", _award_biggest_battle),
)
