"""The hall of fame: what kingdoms achieved in all seasons together, and every war with its winner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from campaign.chronicle.battle_records import is_battle
from campaign.chronicle.effects import SeasonTurned, WarStarted, WarWon
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.seasons.season_records import SeasonRecord
from campaign.chronicle.seasons.standings import KingdomRecord, count_records, rank_kingdoms
from campaign.chronicle.state import GONE, State


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
    known = count_records(order, state.kingdoms)
    found = {
        key: KingdomCareer(key, realm.name, realm.arms, realm.status == GONE, known[key])
        for key, realm in state.kingdoms.items()
    }
    for winner in (effect.kingdom for entry in order for effect in entry.effects if isinstance(effect, WarWon)):
        if winner in found:
            found[winner].wars += 1
    for season in seasons:
        if season.is_open:
            continue
        for rank in rank_kingdoms(season.after, ()):
            found[rank.kingdom].places[season.number] = rank.place
            found[rank.kingdom].seasons_led += rank.place == 1
    return tuple(
        sorted(
            found.values(), key=lambda c: (-c.wars, -c.seasons_led, -c.record.won, -c.record.taken, c.name.casefold())
        )
    )


@dataclass(frozen=True, slots=True)
class WarRecord:
    """One war for the hall of fame."""

    number: int
    began_on: str
    won_on: str
    winner: str  # the kingdom, or empty while nobody has won it
    why: str  # the reason's key
    entry: int
    battles: int
    seasons: tuple[int, ...]


def list_wars(order: Sequence[ChronicleEntry]) -> tuple[WarRecord, ...]:
    """Every war of the campaign in order; the last may still be fought."""
    found: list[WarRecord] = []
    now = WarRecord(1, order[0].played_on if order else "", "", "", "", 0, 0, ())
    for entry in order:
        battles, seasons = now.battles + is_battle(entry), now.seasons
        for effect in entry.effects:
            if isinstance(effect, WarStarted):
                found.append(now)
                now = WarRecord(effect.war, entry.played_on, "", "", "", 0, 0, ())
                battles, seasons = 0, ()
            elif isinstance(effect, SeasonTurned) and effect.open:
                seasons = (*seasons, effect.season)
            elif isinstance(effect, WarWon):
                now = _record_winner(now, entry, effect)
        if (battles, seasons) != (now.battles, now.seasons):
            now = WarRecord(now.number, now.began_on, now.won_on, now.winner, now.why, now.entry, battles, seasons)
    return (*found, now) if order else ()


def _record_winner(war: WarRecord, entry: ChronicleEntry, effect: WarWon) -> WarRecord:
    return WarRecord(
        war.number, war.began_on, entry.played_on, effect.kingdom, effect.why, entry.number, war.battles, war.seasons
    )
