"""Standings: who holds what, and what each kingdom did in all its battles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from campaign.chronicle.battle_records import BY_ARMS, is_battle, read_battle
from campaign.chronicle.effects import TerritoryTaken, VpChanged
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.state import ArmsJson, State


@dataclass(slots=True)
class KingdomRecord:
    """What a kingdom did over some entries."""

    fought: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    earned: int = 0
    spent: int = 0
    taken: int = 0
    castles: int = 0


def count_records(entries: Iterable[ChronicleEntry], kingdoms: Iterable[str]) -> dict[str, KingdomRecord]:
    found = {key: KingdomRecord() for key in kingdoms}
    for entry in entries:
        if is_battle(entry):
            _count_battle(found, entry)
        for effect in entry.effects:
            if isinstance(effect, VpChanged) and effect.by < 0 and effect.why != "agreed":
                if record := found.get(effect.kingdom):
                    record.spent -= effect.by
            elif isinstance(effect, TerritoryTaken) and effect.why in BY_ARMS and (record := found.get(effect.by)):
                record.taken += 1
                record.castles += effect.territory.endswith(".castle")
    return found


def _count_battle(found: dict[str, KingdomRecord], entry: ChronicleEntry) -> None:
    battle = read_battle(entry)
    for side in (battle.attacker, battle.defender):
        record = found.get(side)
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
    sworn: int
    record: KingdomRecord

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def rank_kingdoms(state: State, entries: Iterable[ChronicleEntry]) -> tuple[StandingsRow, ...]:
    """By land, then VP, then loyalty."""
    known = count_records(entries, state.kingdoms)
    realms = sorted(state.in_play(), key=lambda k: (-state.count_holdings(k.id), -k.vp, -k.loyalty))
    ranks: list[StandingsRow] = []
    for at, realm in enumerate(realms, 1):
        worth = (state.count_holdings(realm.id), realm.vp, realm.loyalty)
        above = ranks[-1] if ranks else None
        place = above.place if above and (above.holds, above.vp, above.loyalty) == worth else at
        sworn = sum(not house.lost for house in realm.houses)
        ranks.append(StandingsRow(place, realm.id, realm.name, realm.arms, *worth, sworn=sworn, record=known[realm.id]))
    return tuple(ranks)
