"""The hero of one house over all wars of a campaign, ready to draw."""

import datetime as dt
from dataclasses import dataclass, field
from typing import Literal

from battles.display import describe_luck
from battles.models import Battle
from battles.result.core.report import read_armies
from battles.tracker.core.logged_steps import Feats, UnitName, active_steps, read_feats
from battles.tracker.selectors import steps_of_each
from campaign import selectors as campaign_selectors
from campaign.chronicle.battles_from_entries import read_battle
from campaign.chronicle.entries_and_fold import ChronicleEntry, effective_entries
from campaign.chronicle.seasons.cut_into_seasons import split_seasons
from campaign.chronicle.seasons.titles import award_titles
from campaign.chronicle.sentences import Names
from campaign.chronicle.state import State
from campaign.founding.suggestions import suggest_hero_name
from campaign.models import Campaign
from dataclass_json import PageOnly, stored_as
from heraldry import Arms
from refusal import Refusal
from rulebook.data.heroes import HERO
from rulebook.data.units import UNIT

NO_FEATS = Feats()


@dataclass(frozen=True, slots=True)
class HeroBattle:
    """One battle in which the house sent its unit."""

    number: int
    on: dt.date
    place: str
    against: str
    result: Literal["won", "lost", "drawn"]
    unit: str
    hero: str
    fell: bool
    slew: tuple[str, ...]
    slain_by: str


@dataclass(frozen=True, slots=True)
class HeroDisplay:
    api_name = "HeroOfArmy"

    name: str
    house: str
    arms: PageOnly[Arms]
    kingdom: PageOnly[str]
    kingdom_id: str = field(metadata=stored_as("kingdom"))
    battles: tuple[HeroBattle, ...]  # the newest first
    won: int
    kills: int
    falls: int
    dice: PageOnly[int]
    successes: PageOnly[int]
    luck: str
    titles: tuple[str, ...]


def hero_name(campaign: Campaign, state: State, kingdom: str, house: int) -> str:
    """The name its ruler gave, or a suggestion that stays the same and that no other house of the kingdom has."""
    return (
        state.kingdoms[kingdom].houses[house - 1].hero or suggested_hero_names(f"{campaign.code} {kingdom}", house)[-1]
    )


def suggested_hero_names(seed: str, houses: int) -> list[str]:
    """One for each house up to this one, all different."""
    names: list[str] = []
    for house in range(1, houses + 1):
        name = suggest_hero_name(f"{seed} {house}")
        again = 1
        while name in names:
            again += 1
            name = suggest_hero_name(f"{seed} {house} {again}")
        names.append(name)
    return names


def build_hero_display(campaign: Campaign, kingdom: str, house: int) -> HeroDisplay | None:
    state = campaign_selectors.state_of(campaign)
    this_kingdom = state.kingdoms.get(kingdom)
    if this_kingdom is None or not 1 <= house <= len(this_kingdom.houses):
        return None
    order = effective_entries(campaign_selectors.entries_of(campaign))
    results = {entry.body["battle"]: entry for entry in order if entry.act == "result" and _is_by_units(entry)}
    rows = list(Battle.objects.filter(campaign=campaign, number__in=results))
    feats = {battle_id: read_feats(active_steps(steps)) for battle_id, steps in steps_of_each(rows).items()}
    names = Names(state)
    battles: list[HeroBattle] = []
    dice, successes, expected = 0, 0, 0.0
    for battle in rows:
        entry = results[battle.number or 0]
        letter = next((side["side"] for side in battle.sides if side["kingdom"] == kingdom), "")
        deeds = feats.get(battle.pk, NO_FEATS)
        fought = _read_battle(entry, kingdom, letter, house, names, deeds)
        if fought is not None:
            battles.append(fought)
        for unit, luck in deeds.luck.items():
            if _is_ours(unit, letter, house):
                dice += luck.dice
                successes += luck.successes
                expected += float(luck.expected)
    battles.sort(key=lambda row: (row.on, row.number), reverse=True)
    titles = tuple(
        f"{title.name}, season {season.number}"
        for season in split_seasons(order)
        if not season.is_open
        for title in award_titles(season)
        if kingdom in title.kingdoms
    )
    return HeroDisplay(
        name=hero_name(campaign, state, kingdom, house),
        house=this_kingdom.houses[house - 1].name,
        arms=Arms.from_dict(this_kingdom.houses[house - 1].arms),
        kingdom=this_kingdom.name,
        kingdom_id=kingdom,
        battles=tuple(battles),
        won=sum(row.result == "won" for row in battles),
        kills=sum(len(row.slew) for row in battles),
        falls=sum(row.fell for row in battles),
        dice=dice,
        successes=successes,
        luck=describe_luck(successes - expected),
        titles=titles,
    )


def _read_battle(
    entry: ChronicleEntry, kingdom: str, letter: str, house: int, names: Names, deeds: Feats
) -> HeroBattle | None:
    try:
        armies = read_armies(entry.body)
    except Refusal:
        return None
    fielded = armies.fielded.get(letter, ()) if armies else ()
    unit = next((sent for sent in fielded if sent.house == house), None)
    if armies is None or unit is None:
        return None
    record = read_battle(entry)
    many = entry.body.get("many") or {}
    winner = many["kingdoms"].get(many["winner"] or "") if many else record.winner
    other = record.defender if kingdom == record.attacker else record.attacker
    slain_by = next((kill.slayer.name for kill in deeds.kills if _is_ours(kill.victim, letter, house)), "")
    return HeroBattle(
        number=entry.body["battle"],
        on=dt.date.fromisoformat(entry.played_on),
        place=names.place(record.target),
        against=names.kingdom(other),
        result="drawn" if winner is None else "won" if winner == kingdom else "lost",
        unit=UNIT[unit.unit].name if unit.unit in UNIT else "",
        hero=HERO[unit.hero].name if unit.hero in HERO else "",
        fell=unit.key in armies.removed_units(letter),
        slew=tuple(kill.victim.name for kill in deeds.kills if _is_ours(kill.slayer, letter, house)),
        slain_by=slain_by,
    )


def _is_by_units(entry: ChronicleEntry) -> bool:
    return bool(entry.body.get("told") or (entry.body.get("many") or {}).get("fielded"))


def _is_ours(unit: UnitName, letter: str, house: int) -> bool:
    return unit.side == letter and unit.house == house
