"""Past games of a campaign, several at once: all are judged in the order they were played before the first is written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from campaign import door, petitions, reading
from campaign.annals.acts import RULES_VERSION, act_of
from campaign.annals.corrections import state_before
from campaign.annals.lines import Line
from campaign.annals.tales import Names
from campaign.models import Campaign
from campaign.sheet import EffectRow, effect_rows
from log import door as log_door
from people.who import Who
from refusal import Refusal

ROWS = 8


@dataclass(frozen=True, slots=True)
class PastGame:
    row: int
    played_on: dt.date
    attacker: str
    target: str
    outcome: str
    scenario: str | None = None
    points: tuple[int, int] = (0, 0)
    as_agreed: bool = False

    def body(self, defender: str) -> dict[str, Any]:
        return {
            "attacker": self.attacker,
            "defender": defender,
            "target": self.target,
            "outcome": self.outcome,
            "scenario": self.scenario,
            "points": {self.attacker: self.points[0], defender: self.points[1]},
            **({"as_agreed": True} if self.as_agreed else {}),
        }


@dataclass(frozen=True, slots=True)
class Judged:
    game: PastGame
    body: dict[str, Any]
    said: str  # the refusal, or empty
    effects: tuple[EffectRow, ...] = field(default=())


def judged(campaign: Campaign, games: Sequence[PastGame]) -> list[Judged]:
    """Each game as it would be written after those before it. Nothing is written."""
    lines = reading.lines_of(campaign)
    state = reading.state_of(campaign)
    number, battles = len(lines), state.battle_count
    kind = act_of("result")
    found = []
    for game in sorted(games, key=lambda game: (game.played_on, game.row)):
        number, battles = number + 1, battles + 1
        day = game.played_on.isoformat()
        before = state_before(lines, (day, number))
        body: dict[str, Any] = {}
        try:
            door.day_of(game.played_on)
            holder = before.holders.get(game.target)
            if holder is None or game.attacker not in before.kingdoms:
                raise Refusal("This kingdom or territory was not in the war on that day.")
            if holder == game.attacker:
                raise Refusal(f"{before.kingdoms[game.attacker].name} held {before.place_name(game.target)} already.")
            body = game.body(holder)
            whole = {**body, "in_force": {"options": before.options, "rules": RULES_VERSION}, "line": number, "battle": battles}  # fmt: skip
            effects = kind.effects(before, whole, before.rules())
        except Refusal as refusal:
            found.append(Judged(game, body, refusal.sentence))
            continue
        lines.append(Line(number, "result", whole, effects, day))
        found.append(Judged(game, body, "", effect_rows(effects, Names(before))))
    return found


def write(campaign: Campaign, who: Who, games: Sequence[PastGame], *, key: str) -> tuple[int, int]:
    """Write them all, or nothing where one of them cannot stand. Gives how many are written, and how many wait for others.

    Each has a key of its own: sent twice, or sent again after the line broke, every game is written once.
    """
    log_door.must_be_key(key)
    sent_before = any(
        log_door.answered(campaign.log_id, who=who.ref, key=f"{key}-{game.row}") is not None for game in games
    )
    rows = judged(campaign, games)
    if not sent_before and any(row.said for row in rows):
        wrong = next(row for row in rows if row.said)
        raise Refusal(f"Row {wrong.game.row}: {wrong.said} Nothing was written.", field=f"row-{wrong.game.row}")
    written = waits = 0
    for row in rows:
        game = row.game
        answer = log_door.answered(campaign.log_id, who=who.ref, key=f"{key}-{game.row}")
        if answer is None:
            fresh = Campaign.objects.select_related("log").get(pk=campaign.pk)
            answer = petitions.lay(
                fresh, who, key=f"{key}-{game.row}", act="result", body=row.body, played=game.played_on, accept_late=True,
                subject=f"{petitions.subject_of(game.attacker, game.target, None)} on {game.played_on.isoformat()}",
            )  # fmt: skip
        written += "entry" in answer
        waits += "entry" not in answer
    return written, waits
