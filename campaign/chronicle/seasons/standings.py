"""Standings: what each kingdom holds and did in its battles, and over all seasons the hall of fame and the wars."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from campaign.chronicle.battles_from_entries import BY_ARMS, is_battle, read_battle
from campaign.chronicle.effects import SeasonTurned, TerritoryTaken, VpChanged, WarStarted, WarWon
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.seasons.cut_into_seasons import SeasonRecord
from campaign.chronicle.state import GONE, ArmsJson, State


@dataclass(slots=True)
class KingdomRecord:
    """What a kingdom did over some entries: VP earned in battle and spent, territories and castles taken."""

    fought: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    earned: int = 0
    spent: int = 0
    taken: int = 0
    castles: int = 0


def count_records(entries: Iterable[ChronicleEntry], kingdoms: Iterable[str]) -> dict[str, KingdomRecord]:
    records = {key: KingdomRecord() for key in kingdoms}
    for entry in entries:
        if is_battle(entry):
            _count_battle(records, entry)
        for effect in entry.effects:
            if isinstance(effect, VpChanged) and effect.by < 0 and effect.why != "agreed":
                if record := records.get(effect.kingdom):
                    record.spent -= effect.by
            elif isinstance(effect, TerritoryTaken) and effect.why in BY_ARMS and (record := records.get(effect.by)):
                record.taken += 1
                record.castles += effect.territory.endswith(".castle")
    return records


def _count_battle(records: dict[str, KingdomRecord], entry: ChronicleEntry) -> None:
    battle = read_battle(entry)
    for side in (battle.attacker, battle.defender):
        record = records.get(side)
        if record is None:
            continue
        record.fought += 1
        record.won += battle.winner == side
        record.drawn += battle.winner is None
        record.lost += battle.loser == side
        record.earned += battle.earned.get(side, 0)


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One kingdom's row in the standings. Ties share a place."""

    place: int
    kingdom: str
    name: str
    arms: ArmsJson
    holds: int
    vp: int
    loyalty: int
    sworn: Annotated[int, "Houses that still follow their King."]
    record: KingdomRecord


def rank_kingdoms(state: State, entries: Iterable[ChronicleEntry]) -> tuple[StandingsRow, ...]:
    """By land, then VP, then loyalty."""
    known = count_records(entries, state.kingdoms)
    kingdoms = sorted(state.in_play(), key=lambda k: (-state.count_holdings(k.id), -k.vp, -k.loyalty))
    ranks: list[StandingsRow] = []
    for at, kingdom in enumerate(kingdoms, 1):
        worth = (state.count_holdings(kingdom.id), kingdom.vp, kingdom.loyalty)
        above = ranks[-1] if ranks else None
        place = above.place if above and (above.holds, above.vp, above.loyalty) == worth else at
        sworn = sum(not house.lost for house in kingdom.houses)
        ranks.append(
            StandingsRow(place, kingdom.id, kingdom.name, kingdom.arms, *worth, sworn=sworn, record=known[kingdom.id])
        )
    return tuple(ranks)


@dataclass(slots=True)
class KingdomCareer:
    """A kingdom over all seasons and wars."""

    kingdom: str
    name: str
    arms: dict[str, object]
    is_gone: bool
    record: KingdomRecord
    wars: int = 0
    seasons_led: int = 0
    places: dict[int, int] = field(default_factory=dict)  # season → place when it closed


def rank_careers(
    order: Sequence[ChronicleEntry], seasons: Sequence[SeasonRecord], state: State
) -> tuple[KingdomCareer, ...]:
    """Everyone who was ever in it: wars won first, then seasons led, then battles won."""
    records = count_records(order, state.kingdoms)
    careers = {
        key: KingdomCareer(key, kingdom.name, kingdom.arms, kingdom.status == GONE, records[key])
        for key, kingdom in state.kingdoms.items()
    }
    for entry in order:
        for effect in entry.effects:
            if isinstance(effect, WarWon) and effect.kingdom in careers:
                careers[effect.kingdom].wars += 1
    for season in seasons:
        for rank in rank_kingdoms(season.after, ()) if season.closed else ():
            careers[rank.kingdom].places[season.number] = rank.place
            careers[rank.kingdom].seasons_led += rank.place == 1
    return tuple(
        sorted(
            careers.values(), key=lambda c: (-c.wars, -c.seasons_led, -c.record.won, -c.record.taken, c.name.casefold())
        )
    )


@dataclass(frozen=True, slots=True)
class WarRecord:
    """One war for the hall of fame."""

    number: int
    began_on: str
    won_on: str = ""
    winner: str = ""  # the kingdom, or empty while nobody has won it
    why: str = ""  # the reason's key
    entry: int = 0
    battles: int = 0
    seasons: tuple[int, ...] = ()


def list_wars(order: Sequence[ChronicleEntry]) -> tuple[WarRecord, ...]:
    """Every war of the campaign in order; the last may still be fought."""
    if not order:
        return ()
    past: list[WarRecord] = []
    war = WarRecord(1, order[0].played_on)
    for entry in order:
        war = replace(war, battles=war.battles + is_battle(entry))
        for effect in entry.effects:
            if isinstance(effect, WarStarted):
                past.append(war)
                war = WarRecord(effect.war, entry.played_on)
            elif isinstance(effect, SeasonTurned) and effect.open:
                war = replace(war, seasons=(*war.seasons, effect.season))
            elif isinstance(effect, WarWon):
                war = replace(war, won_on=entry.played_on, winner=effect.kingdom, why=effect.why, entry=entry.number)
    return (*past, war)
