"""A won war ready to draw: who won it and how, the map and standings on that day, titles, and what comes next."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Annotated

from campaign import selectors as campaign_selectors
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.seasons.season_records import gather_war
from campaign.chronicle.seasons.standings import StandingsRow, list_wars, rank_kingdoms
from campaign.chronicle.seasons.titles import AwardedTitle, award_titles
from campaign.chronicle.sentences import describe_entry
from campaign.chronicle.state import State
from campaign.display import MEMBER_RELATIONS, names_for
from campaign.models import Campaign
from dataclass_json import PageOnly
from heraldry import Arms


@dataclass(frozen=True, slots=True)
class FinalRank:
    rank: PageOnly[StandingsRow]
    kingdom: str
    arms: PageOnly[Arms]
    words: Annotated[str, "Who ruled it, and what became of it."]
    is_winner: bool


@dataclass(frozen=True, slots=True)
class WarTitle:
    title: AwardedTitle
    arms: tuple[Arms, ...]


@dataclass(frozen=True, slots=True)
class WarFact:
    number: int
    words: str


@dataclass(frozen=True, slots=True)
class VictoryDisplay:
    api_name = "WonWar"

    war: int
    winner: str
    arms: PageOnly[Arms]
    lead: str
    won_on: dt.date
    entry: int
    season: int
    facts: PageOnly[tuple[WarFact, ...]]
    ranks: tuple[FinalRank, ...]
    titles: PageOnly[tuple[WarTitle, ...]]
    state: PageOnly[State]  # as it was when the war was won, for the map


def build_victory_display(campaign: Campaign, war: int) -> VictoryDisplay | None:
    """The victory in this war; nothing if it is still being fought, or never was."""
    order = effective_entries(campaign_selectors.entries_of(campaign))
    found = next((one for one in list_wars(order) if one.number == war and one.winner), None)
    record = gather_war(order, war, found.entry) if found else None
    if found is None or record is None:
        return None
    state = record.after
    names = names_for(campaign, state, campaign.members.select_related(*MEMBER_RELATIONS))
    arms = {key: Arms.from_dict(kingdom.arms) for key, kingdom in state.kingdoms.items()}
    ranks = rank_kingdoms(state, record.entries)
    won_on = dt.date.fromisoformat(found.won_on)
    battles = record.battles()
    days = (won_on - dt.date.fromisoformat(found.began_on)).days + 1
    lost = sum(sum(battle.removed.values()) for battle in battles)
    castles = sum(rank.record.castles for rank in ranks)
    facts = [
        WarFact(len(battles), "battle" if len(battles) == 1 else "battles"),
        WarFact(days, "day" if days == 1 else "days") if days < 21 else WarFact(days // 7, "weeks"),
        *([WarFact(lost, "unit lost" if lost == 1 else "units lost")] if lost else []),
        WarFact(castles, "castle taken" if castles == 1 else "castles taken"),
    ]
    return VictoryDisplay(
        war=war,
        winner=names.kingdom(found.winner),
        arms=arms[found.winner],
        lead=describe_entry(record.entries[-1], names),
        won_on=won_on,
        entry=found.entry,
        season=record.number,
        facts=tuple(facts),
        ranks=tuple(
            FinalRank(
                rank,
                rank.kingdom,
                arms[rank.kingdom],
                _describe_rank(state, rank.kingdom, names.person(state.kingdoms[rank.kingdom].ruler), found.winner),
                rank.kingdom == found.winner,
            )
            for rank in ranks
        ),
        titles=tuple(
            WarTitle(title, tuple(arms[key] for key in title.kingdoms if key in arms)) for title in award_titles(record)
        ),
        state=state,
    )


def _describe_rank(state: State, kingdom: str, ruler: str, winner: str) -> str:
    words = [ruler] if state.kingdoms[kingdom].ruler else []
    if kingdom == winner:
        words.append("won the war")
    elif not state.holds_own_castle(kingdom):
        words.append("castle fallen")
    return ", ".join(words)
