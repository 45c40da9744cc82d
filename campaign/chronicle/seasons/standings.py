"""Standings: who holds what at the end of a season, and what each kingdom did in all its battles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from campaign.annals.chapters import Chapter
from campaign.annals.fought import BY_ARMS, fought, is_battle
from campaign.annals.lines import Line
from campaign.annals.state import GONE, State


@dataclass(slots=True)
class Record:
    """What a kingdom did over some lines."""

    fought: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    earned: int = 0
    spent: int = 0
    taken: int = 0
    castles: int = 0


def records(lines: Iterable[Line], kingdoms: Iterable[str]) -> dict[str, Record]:
    found = {key: Record() for key in kingdoms}
    for line in lines:
        if is_battle(line):
            _battle(found, line)
        for effect in line.effects:
            if effect["do"] == "vp" and effect["by"] < 0 and effect.get("why") != "agreed":
                if record := found.get(effect["kingdom"]):
                    record.spent -= effect["by"]
            elif effect["do"] == "hold" and effect.get("why") in BY_ARMS and (record := found.get(effect["by"])):
                record.taken += 1
                record.castles += effect["territory"].endswith(".castle")
    return found


def _battle(found: dict[str, Record], line: Line) -> None:
    battle = fought(line)
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
class Rank:
    """One kingdom's row in the standings. Those who are level share a place."""

    place: int
    kingdom: str
    name: str
    arms: dict[str, Any]
    holds: int
    vp: int
    loyalty: int
    sworn: int
    record: Record

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def standings(state: State, lines: Iterable[Line]) -> tuple[Rank, ...]:
    """By land, then VP, then loyalty."""
    known = records(lines, state.kingdoms)
    realms = sorted(state.in_play(), key=lambda k: (-state.holdings(k.id), -k.vp, -k.loyalty))
    ranks: list[Rank] = []
    for at, realm in enumerate(realms, 1):
        worth = (state.holdings(realm.id), realm.vp, realm.loyalty)
        above = ranks[-1] if ranks else None
        place = above.place if above and (above.holds, above.vp, above.loyalty) == worth else at
        sworn = sum(not house.lost for house in realm.houses)
        ranks.append(Rank(place, realm.id, realm.name, realm.arms, *worth, sworn=sworn, record=known[realm.id]))
    return tuple(ranks)


@dataclass(slots=True)
class Career:
    """A kingdom over all seasons and wars."""

    kingdom: str
    name: str
    arms: dict[str, Any]
    is_gone: bool
    record: Record
    wars: int = 0
    seasons_led: int = 0
    places: dict[int, int] = field(default_factory=dict)  # season → place when it closed


def careers(order: Sequence[Line], told: Sequence[Chapter], state: State) -> tuple[Career, ...]:
    """Everyone who was ever in it: wars won first, then seasons led, then battles won."""
    known = records(order, state.kingdoms)
    found = {
        key: Career(key, realm.name, realm.arms, realm.status == GONE, known[key])
        for key, realm in state.kingdoms.items()
    }
    for winner in (effect["kingdom"] for line in order for effect in line.effects if effect["do"] == "won"):
        if winner in found:
            found[winner].wars += 1
    for chapter in told:
        if chapter.is_open:
            continue
        for rank in standings(chapter.after, ()):
            found[rank.kingdom].places[chapter.season] = rank.place
            found[rank.kingdom].seasons_led += rank.place == 1
    return tuple(
        sorted(
            found.values(), key=lambda c: (-c.wars, -c.seasons_led, -c.record.won, -c.record.taken, c.name.casefold())
        )
    )


@dataclass(frozen=True, slots=True)
class War:
    """One war for the hall of fame."""

    number: int
    began_on: str
    won_on: str
    winner: str  # the kingdom, or empty while nobody has won it
    why: str  # the reason's key
    entry: int
    battles: int
    seasons: tuple[int, ...]


def wars(order: Sequence[Line]) -> tuple[War, ...]:
    """Every war of the campaign in order; the last may still be fought."""
    found: list[War] = []
    now = War(1, order[0].played_on if order else "", "", "", "", 0, 0, ())
    for line in order:
        battles, seasons = now.battles + is_battle(line), now.seasons
        for effect in line.effects:
            if effect["do"] == "war":
                found.append(now)
                now = War(effect["war"], line.played_on, "", "", "", 0, 0, ())
                battles, seasons = 0, ()
            elif effect["do"] == "season" and effect["open"]:
                seasons = (*seasons, effect["season"])
            elif effect["do"] == "won":
                now = _won(now, line, effect)
        if (battles, seasons) != (now.battles, now.seasons):
            now = War(now.number, now.began_on, now.won_on, now.winner, now.why, now.entry, battles, seasons)
    return (*found, now) if order else ()


def _won(war: War, line: Line, effect: dict[str, Any]) -> War:
    why = str(effect.get("why", ""))
    return War(war.number, war.began_on, line.played_on, effect["kingdom"], why, line.number, war.battles, war.seasons)
