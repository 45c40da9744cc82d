"""Enter several past games of a campaign at once. All are checked, in the order played, before any is written."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

from battles.entries import ScenarioKey
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.approvals import services as approvals_services
from campaign.chronicle import codec
from campaign.chronicle.acts.war import MAX_VP, Outcome, ReportResult
from campaign.chronicle.corrections import state_before
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.sentences import Names
from campaign.chronicle.state import State
from campaign.display import EffectRow, effect_rows
from campaign.models import Campaign
from campaign.permissions import kingdoms_to_act_for
from dataclass_json import Ask, PageOnly, Text, Whole
from log import services as log_services
from people.requester import Who
from refusal import Refusal

MAX_ROWS = 8


Points = Annotated[int, Whole("VP", 0, MAX_VP)]


@dataclass(frozen=True, slots=True)
class PastGame:
    """As it is sent."""

    played_on: dt.date
    attacker: Annotated[str, Ask("Attacker", "id of the kingdom"), Text("The kingdom", 30)]
    target: Annotated[str, Text("The territory", 60)]
    outcome: Outcome
    scenario: ScenarioKey | None = None
    vp_attacker: Points = 0
    vp_defender: Points = 0
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
                "points": {self.attacker: self.vp_attacker, defender: self.vp_defender},
                "as_agreed": self.as_agreed,
            },
        )


PastGames = Mapping[int, PastGame]  # by the number of the row


@dataclass(frozen=True, slots=True)
class CheckedGame:
    row: PageOnly[int]
    game: PageOnly[PastGame]
    act: PageOnly[ReportResult | None]  # None if there is no such kingdom or territory
    error: str  # the refusal, or empty
    effects: tuple[EffectRow, ...] = field(default=())


def require_enter_past_games(state: State, who: Who) -> None:
    if not kingdoms_to_act_for(state, who, "result"):
        raise Refusal("Only rulers of this campaign and its game master can enter past games.", status=403)


def check_places(games: PastGames, state: State) -> None:
    for row, game in games.items():
        if game.attacker not in state.kingdoms or game.target not in state.holders:
            raise Refusal(f"Game {row}: choose the attacker and the territory.")


def check_games(campaign: Campaign, games: PastGames) -> list[CheckedGame]:
    """Check each game as if those before it were already written. Writes nothing."""
    entries = campaign_selectors.entries_of(campaign)
    state = campaign_selectors.state_as_read(campaign)
    number, battles = len(entries), state.battle_count
    checked = []
    for row, game in sorted(games.items(), key=lambda item: (item[1].played_on, item[0])):
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
            checked.append(CheckedGame(row, game, act, refusal.sentence))
            continue
        entries.append(ChronicleEntry(number, "result", whole, effects, day))
        checked.append(CheckedGame(row, game, act, "", effect_rows(effects, Names(before))))
    return checked


def write_games(campaign: Campaign, who: Who, games: PastGames, *, key: str) -> tuple[int, int]:
    """Write all games, or none if one is refused. Returns how many are written and how many await confirmation.

    Each game has its own key, so that sending them twice writes them once.
    """
    log_services.check_key(key)
    sent_before = any(
        log_services.find_answer(campaign.log_id, who=who.ref, key=f"{key}-{row}") is not None for row in games
    )
    rows = check_games(campaign, games)
    if not sent_before and any(row.error for row in rows):
        wrong = next(row for row in rows if row.error)
        raise Refusal(f"Game {wrong.row}: {wrong.error} Nothing was saved.", field=f"row-{wrong.row}")
    written = pending = 0
    fresh = campaign
    for row in rows:
        game = row.game
        answer = log_services.find_answer(campaign.log_id, who=who.ref, key=f"{key}-{row.row}")
        if answer is None:
            if row.act is None:
                raise Refusal(f"Game {row.row}: {row.error}", field=f"row-{row.row}")
            answer = approvals_services.submit_report(
                fresh,
                who,
                row.act,
                key=f"{key}-{row.row}",
                played=game.played_on,
                accept_late=True,
                subject=approvals_services.subject_of(game.attacker, game.target, None)
                + f" on {game.played_on.isoformat()}",
            )
            fresh = Campaign.objects.select_related("log").get(pk=campaign.pk)
        written += "entry" in answer
        pending += "entry" not in answer
    return written, pending
