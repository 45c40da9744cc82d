"""Enter several past games of a campaign at once. All are checked, in the order played, before any is written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.approvals import services as approvals_services
from campaign.chronicle import codec
from campaign.chronicle.acts.war import ReportResult
from campaign.chronicle.corrections import state_before
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.sentences import Names
from campaign.chronicle.state import State
from campaign.display import EffectRow, effect_rows
from campaign.models import Campaign
from campaign.permissions import kingdoms_to_act_for
from log import services as log_services
from people.requester import Who
from refusal import Refusal

MAX_ROWS = 8


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

    def result_against(self, defender: str) -> ReportResult:
        """The act, checked for its shape."""
        return codec.read_sent_as(
            ReportResult,
            {
                "attacker": self.attacker,
                "defender": defender,
                "target": self.target,
                "outcome": self.outcome,
                "scenario": self.scenario,
                "points": {self.attacker: self.points[0], defender: self.points[1]},
                "as_agreed": self.as_agreed,
            },
        )


@dataclass(frozen=True, slots=True)
class CheckedGame:
    game: PastGame
    act: ReportResult | None  # None if there is no such kingdom or territory
    error: str  # the refusal, or empty
    effects: tuple[EffectRow, ...] = field(default=())


def require_enter_past_games(state: State, who: Who) -> None:
    if not kingdoms_to_act_for(state, who, "result"):
        raise Refusal("Only rulers of this campaign and its game master can enter past games.", status=403)


def check_places(games: Sequence[PastGame], state: State) -> None:
    for game in games:
        if game.attacker not in state.kingdoms or game.target not in state.holders:
            raise Refusal(f"Game {game.row}: choose the attacker and the territory.")


def check_games(campaign: Campaign, games: Sequence[PastGame]) -> list[CheckedGame]:
    """Check each game as if those before it were already written. Writes nothing."""
    entries = campaign_selectors.entries_of(campaign)
    state = campaign_selectors.state_as_read(campaign)
    number, battles = len(entries), state.battle_count
    found = []
    for game in sorted(games, key=lambda game: (game.played_on, game.row)):
        number, battles = number + 1, battles + 1
        day = game.played_on.isoformat()
        before = state_before(entries, (day, number))
        act: ReportResult | None = None
        try:
            campaign_services.valid_played_day(game.played_on)
            holder = before.holders.get(game.target)
            if holder is None or game.attacker not in before.kingdoms:
                raise Refusal("This kingdom or territory was not in the campaign on that day.")
            if holder == game.attacker:
                raise Refusal(f"{before.kingdoms[game.attacker].name} already held {before.place_name(game.target)}.")
            act = game.result_against(holder)
            numbered = replace(act, battle=battles)
            whole = codec.write_body(numbered, options=before.options, entry=number)
            effects = numbered.decide(before, before.rules())
        except Refusal as refusal:
            found.append(CheckedGame(game, act, refusal.sentence))
            continue
        entries.append(ChronicleEntry(number, "result", whole, effects, day))
        found.append(CheckedGame(game, act, "", effect_rows(effects, Names(before))))
    return found


def write_games(campaign: Campaign, who: Who, games: Sequence[PastGame], *, key: str) -> tuple[int, int]:
    """Write all games, or none if one is refused. Returns how many are written and how many await confirmation.

    Each game has its own key, so that sending them twice writes them once.
    """
    log_services.check_key(key)
    sent_before = any(
        log_services.find_answer(campaign.log_id, who=who.ref, key=f"{key}-{game.row}") is not None for game in games
    )
    rows = check_games(campaign, games)
    if not sent_before and any(row.error for row in rows):
        wrong = next(row for row in rows if row.error)
        raise Refusal(f"Game {wrong.game.row}: {wrong.error} Nothing was saved.", field=f"row-{wrong.game.row}")
    written = pending = 0
    fresh = campaign
    for row in rows:
        game = row.game
        answer = log_services.find_answer(campaign.log_id, who=who.ref, key=f"{key}-{game.row}")
        if answer is None:
            if row.act is None:
                raise Refusal(f"Game {game.row}: {row.error}", field=f"row-{game.row}")
            answer = approvals_services.submit_report(
                fresh,
                who,
                row.act,
                key=f"{key}-{game.row}",
                played=game.played_on,
                accept_late=True,
                subject=approvals_services.subject_of(game.attacker, game.target, None)
                + f" on {game.played_on.isoformat()}",
            )
            fresh = Campaign.objects.select_related("log").get(pk=campaign.pk)
        written += "entry" in answer
        pending += "entry" not in answer
    return written, pending
