"""Players who make things happen in Your Majesty, so that one recorded game shows what seldom comes together.

They refuse every second invitation, keep their copies of A Place at Court for an answer, and whoever is one step from
the target waits for another to take a slave colony away: a win on another's turn.
"""

from __future__ import annotations

import dataclasses

from cardgames.bots import BotContext
from cardgames.engine import CLOCK, HOLD, PASS, Record, Rng, View
from cardgames.games import replay
from cardgames.games.majesty.bot_evaluation import rate_choices
from cardgames.games.majesty.deck_definition import PLACE_AT_COURT, faces_by_id
from cardgames.games.majesty.rules import END, REFUSE
from cardgames.games.majesty.scoring import prestige_of, target_of
from cardgames.games.majesty.view_reading import CourtView, courts_of

STEP = 1


class StoryBot:
    def choose(self, view: View, context: BotContext, rng: Rng) -> str:
        keys, kind = view.asked.keys, view.asked.kind
        courts = courts_of(view, faces_by_id(context.deck))
        scores = [prestige_of(court.count, abolished=view.fields["abolished"]) for court in courts]
        waits = target_of() - STEP
        rated = rate_choices(view, context.deck)
        if kind == "cancel":
            return keys[0]
        if kind == "defend" and scores[view.reader] >= waits:
            return PASS
        if kind == "lend" and rng.below(2):
            return REFUSE
        if kind == "act":
            if scores[view.reader] >= waits and _slaves(courts[view.reader]):
                return END
            prey = any(score >= waits and _slaves(courts[seat]) for seat, score in enumerate(scores))
            campaigns = [key for key in keys if key.startswith("campaign:")]
            if prey and campaigns:
                return campaigns[0]
            rated = {
                key: value - 9 * key.startswith(f"event:{PLACE_AT_COURT}") * (rng.below(3) > 0)
                for key, value in rated.items()
            }
        if kind == "attack":
            wanted = [
                card.id
                for seat, court in enumerate(courts)
                if scores[seat] >= waits
                for card in court.colonies
                if card.is_slave and card.id in keys
            ]
            if wanted:
                return wanted[0]
        if kind == "pay":
            rated = {key: value - 5 * (PLACE_AT_COURT in key) for key, value in rated.items()}
        best = max(rated.values())
        equal = [key for key in keys if rated[key] >= best]
        return equal[rng.below(len(equal))]


def _slaves(court: CourtView) -> int:
    return sum(card.is_slave for card in court.colonies)


REFUSED, CANCELLED, RESHUFFLED, WON = (
    "a refused invitation",
    "a cancelled Place at Court",
    "a Reshuffle in a salon",
    "a win on another's turn",
)


def moments(record: Record) -> dict[str, int]:
    """The row of each choice that the story is about; what did not happen is missing."""
    rows: dict[str, int] = {}
    running = replay(dataclasses.replace(record, rows=()))
    turn_of = -1
    for number, (seat, key) in enumerate(record.rows):
        kind, heard = running.kind, len(running.table.events)
        turn_of = running.table.active
        running.choose(seat, key)
        news = [name for name, _, _ in running.table.events[heard:]]
        if kind == "lend" and key == REFUSE:
            rows.setdefault(REFUSED, number)
        if kind == "cancel" and key not in (PASS, HOLD):
            rows.setdefault(CANCELLED, number)
        if "reshuffle" in news and any(name.startswith("salon-") for name in news):
            rows.setdefault(RESHUFFLED, number)
        if running.result is not None and turn_of not in running.result.winners:
            # The last answer in the window; after it only its timer is waited for.
            rows[WON] = max(at for at, (who, _) in enumerate(record.rows) if who != CLOCK)
    return rows
