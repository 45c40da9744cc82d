"""The tracker ready to draw: sides, units with their tokens, the next step, the last steps."""

from dataclasses import dataclass, replace

from battles.result.core.story import replace_side_letters
from battles.tracker.core import fight_progress, live_score
from battles.tracker.core.combat_helper import CombatNumbers, Tick, combat_numbers, is_tick_useful, ticks_for
from battles.tracker.core.fight_progress import (
    BEARER_TICKS,
    FightProgress,
    meanings_of,
    progress_of,
    sides_of_rolls,
)
from battles.tracker.core.state import BattleTerms, Fight, TrackedUnit, TrackerState
from battles.tracker.core.steps import fights, rounds, solo_turn as solo
from battles.tracker.core.steps.tracker_step import OFFER, RolledGroup
from battles.tracker.selectors import RecentStep, TrackerSnapshot
from refusal import Refusal
from rulebook.battle.castle import piece_of
from rulebook.battle.dice import DiceRequest
from rulebook.battle.unit_in_play import Place
from rulebook.campaign.battle_scoring import Score
from rulebook.data.battlefield import EVENT, Event, terrain_of
from rulebook.data.heroes import HERO
from rulebook.data.scenario_goals import HeldAtEnd, HeldEachRound, HoldsAfterKills
from rulebook.data.scenarios import Scenario

LIVERIES = ("gules", "azure", "vert", "purpure", "or", "sable", "argent")


@dataclass(frozen=True, slots=True)
class Pip:
    css: str
    name: str


@dataclass(frozen=True, slots=True)
class UnitRow:
    id: str
    unit: TrackedUnit
    icon: str
    status: str
    pips: tuple[Pip, ...]
    state: str  # css words: is-done, is-fleeing, is-gone, is-next
    spoken: str  # for screen readers
    can_flee: bool
    in_melee: bool

    @property
    def name(self) -> str:
        return self.unit.name


@dataclass(frozen=True, slots=True)
class SideRow:
    key: str
    name: str
    livery: str
    earned: int
    spent: int
    purse: int
    units: tuple[UnitRow, ...]
    here: int
    acted: int
    turn: bool
    solo: bool
    ladybug: bool  # one is looking for a new unit

    @property
    def to_act(self) -> int:
        return self.here - self.acted


@dataclass(frozen=True, slots=True)
class FightRow:
    """An unfinished fight: the dice so far, and who rolls next."""

    key: str
    fight: Fight
    attacker: TrackedUnit
    target: TrackedUnit | None
    title: str
    verb: str
    whom: str
    progress: FightProgress
    side: str
    side_name: str
    ask: DiceRequest | None
    meanings: tuple[str, ...]  # of the faces of the next roll
    at: int
    last: tuple[tuple[int, int], ...]  # index and face of each die of the last roll
    rerolls: tuple[str, ...]  # sides that can pay for a re-roll
    numbers: CombatNumbers | None
    morale_ticks: tuple[tuple[Tick, bool], ...]  # ticks for the next morale test


@dataclass(frozen=True, slots=True)
class RerollOffer:
    """The last roll counts, but somebody can pay to re-roll one of these dice until the next step."""

    fight: str
    at: int
    side_name: str
    dice: tuple[tuple[int, int], ...]  # index and face, each face once


@dataclass(frozen=True, slots=True)
class TrackerDisplay:
    scenario: Scenario
    is_set_up: bool
    round: int
    round_limit: str  # "of 6"
    turn: str | None
    turn_name: str
    sides: tuple[SideRow, ...]
    fights: tuple[FightRow, ...]
    event: Event | None
    asks_event: bool
    recent: tuple[RecentStep, ...]  # newest first
    verdict: live_score.Verdict
    round_done: bool  # every unit has acted
    rolls_initiative: bool
    buildings: tuple[tuple[int, int], ...]  # number, wounds
    held_now: dict[str, int]  # objectives by side, where those held at the end count
    holder: str
    held: tuple[tuple[int, dict[str, int]], ...]  # by round
    away: bool
    solo: solo.SoloDecision | None
    solo_side: str | None
    vp_lines: tuple[tuple[str, str, int], ...]
    dice: tuple[RolledGroup, ...]  # of the latest roll
    own: str | None  # the viewer's side
    undo: int  # the step that Undo takes back
    offer: RerollOffer | None

    @property
    def last(self) -> RecentStep | None:
        return self.recent[0] if self.recent else None

    @property
    def siege(self) -> bool:
        return self.scenario.is_siege

    @property
    def has_goals(self) -> bool:
        """Whether there is anything to say or ask about the scenario's goals."""
        asked = any(isinstance(track, (HeldAtEnd, HoldsAfterKills)) for track in self.scenario.tracks)
        return bool(asked or self.buildings or self.held or self.vp_lines)


def tracker_display(snapshot: TrackerSnapshot, terms: BattleTerms, own: str | None = None) -> TrackerDisplay:
    """``own``: the side of the viewer, whose army comes first."""
    tracker = snapshot.tracker
    order = sorted(tracker.sides, key=lambda side: side != own)
    turn = rounds.side_to_act(tracker) if tracker.is_set_up else None
    score = live_score.score_so_far(tracker, terms)
    event = tracker.event if tracker.is_set_up else None
    verdict = live_score.battle_verdict(tracker, terms)
    names = {side: tracker.side_name(side) for side in tracker.sides}
    score_lines = tuple((line.side, line.text, line.vp) for line in score.lines if line.key != "win") if score else ()
    return TrackerDisplay(
        scenario=terms.row,
        is_set_up=tracker.is_set_up,
        round=tracker.round,
        round_limit=f"of {terms.row.rounds}" if terms.row.rounds else "",
        turn=turn,
        turn_name=tracker.side_name(turn) if turn else "",
        sides=tuple(_side(tracker, score, side, turn) for side in order),
        fights=tuple(fight_row(tracker, terms, key, fight) for key, fight in tracker.fights().items()),
        event=EVENT[event] if event else None,
        asks_event=terms.options.random_events and tracker.round > 0 and not tracker.event_rolled,
        recent=tuple(reversed(snapshot.recent)),
        verdict=replace(verdict, reason=replace_side_letters(verdict.reason, names)),
        round_done=tracker.round > 0 and turn is None and not tracker.fights(),
        rolls_initiative=tracker.round > 0 and rounds.rolls_initiative_each_round(tracker, terms),
        buildings=live_score.building_wounds(tracker, terms),
        held_now=dict(tracker.get("crossings", {})),
        holder=str(tracker.get("holder", "")),
        held=_held(tracker, terms),
        away=bool(tracker.get("away", False)),
        solo=solo.pending_decision(tracker) if tracker.is_set_up and tracker.solo else None,
        solo_side=tracker.solo,
        vp_lines=score_lines,
        dice=snapshot.dice,
        own=own,
        undo=snapshot.last_tap,
        offer=_reroll_offer(tracker, terms),
    )


def _reroll_offer(tracker: TrackerState, terms: BattleTerms) -> RerollOffer | None:
    cell = tracker.cells.get(OFFER)
    if not cell:
        return None
    before = tracker.rewound(cell["before"])
    fight = before.fights()[cell["fight"]]
    done = progress_of(before, terms, fight)
    able = fights.sides_able_to_reroll(before, terms, fight, done)
    ask, faces = done.rolled[-1]
    anyones = terms.options.reroll_enemy_dice
    worth = [(at, face) for at, face in enumerate(faces) if anyones or face < ask.dice[at].needed]
    each = {face: at for at, face in reversed(worth)}
    names = " or ".join(tracker.side_name(side) for side in able)
    return RerollOffer(cell["fight"], len(fight.faces), names, tuple((each[face], face) for face in sorted(each)))


def _held(tracker: TrackerState, terms: BattleTerms) -> tuple[tuple[int, dict[str, int]], ...]:
    if terms.row.track(HeldEachRound) is None:
        return ()
    noted = ((number, dict(tracker.get(f"held/{number}", {}))) for number in range(1, tracker.round + 1))
    return tuple((number, held) for number, held in noted if held)


def _side(tracker: TrackerState, score: Score | None, side: str, turn: str | None) -> SideRow:
    units = tracker.units(side)
    here = [unit for unit in units if unit.here]
    return SideRow(
        side,
        tracker.side_name(side),
        side_livery(tracker, side),
        live_score.vp_of(score, side),
        tracker.vp_spent(side),
        live_score.purse(tracker, score, side),
        tuple(unit_row(tracker, unit, turn) for unit in units),
        len(here),
        sum(unit.acted for unit in here),
        turn == side,
        tracker.solo == side,
        bool(tracker.get(f"ladybug/{side}")),
    )


def side_livery(tracker: TrackerState, side: str) -> str:
    """The tincture of a side, as the stylesheet names it."""
    livery = str(tracker.cells[f"side/{side}"].get("livery") or "")
    return livery if livery in LIVERIES else LIVERIES[tracker.sides.index(side) % 2]


def unit_row(tracker: TrackerState, unit: TrackedUnit, turn: str | None = None) -> UnitRow:
    state = "is-gone" if not unit.here else "is-done" if unit.acted else "is-ready" if unit.side == turn else ""
    if unit.here and unit.fleeing:
        state += " is-fleeing"
    words = [f"{unit.now.models} of {unit.row.models} models"] if unit.here else []
    if unit.wounds_taken and unit.here:
        words.append(f"{unit.wounds_taken} wounds marked")
    status = _status_text(tracker, unit)
    return UnitRow(
        unit.id,
        unit,
        f"c-{unit.now.key}",
        status,
        pips(unit),
        state.strip(),
        ", ".join(words),
        unit.row.tests_morale,
        bool(tracker.contacts(unit.id)),
    )


def _status_text(tracker: TrackerState, unit: TrackedUnit) -> str:
    if not unit.here and unit.gone is not None:
        when = f" in round {unit.gone.round}" if unit.gone.round else ""
        how = "escaped" if unit.gone.how == "escaped" else unit.gone.why
        return f"{how}{when}"
    words = []
    if unit.house and unit.house not in unit.name:
        words.append(unit.house.removeprefix("House "))
    if unit.now.living_hero:
        words.append(HERO[unit.now.living_hero].name if unit.now.living_hero in HERO else unit.now.living_hero.title())
    if unit.now.ladybug:
        words.append("Ladybug")
    if unit.now.shield:
        words.append("shield")
    if unit.fleeing:
        words.append("test to rally")
    enemies = tracker.contacts(unit.id)
    if enemies:
        words.append("in melee")
    if unit.now.blessed:
        words.append("blessed")
    if unit.now.kissed:
        words.append("kissed")
    if unit.at.castle:
        words.append(piece_of(unit.at.castle).name.lower())
    elif unit.at.terrain != "clear":
        words.append(f"{'extra tall ' if unit.at.extra_tall else ''}{terrain_of(unit.at.terrain).name.lower()}")
    return ", ".join([*words, f"AC {unit.row.ac}"])


def pips(unit: TrackedUnit) -> tuple[Pip, ...]:
    """One pip for each model, the leader first; a single model shows its wounds."""
    if unit.row.models == 1:
        left = unit.now.wounds_left if unit.here else 0
        return tuple(Pip("" if at < left else "out", "wound") for at in range(unit.row.total_wounds))
    row: list[Pip] = []
    ranks = list(reversed(unit.now.ranks))
    for at, model in enumerate(ranks):
        css = "lead-pip" if at == 0 else ""
        if not unit.here or at >= unit.now.models:
            css = "out"
        elif (at == 0 and unit.now.wounds) or (model.role == "hero" and unit.now.hero_wounds):
            css += " hurt"
        row.append(Pip(css.strip(), model.name))
    return tuple(row)


def fight_row(tracker: TrackerState, terms: BattleTerms, key: str, fight: Fight) -> FightRow:
    done = progress_of(tracker, terms, fight)
    attacker = tracker.unit(fight.attacker)
    target = tracker.unit(fight.target) if fight.target else None
    sides = sides_of_rolls(tracker, fight, done)
    side = sides[-1] if sides else attacker.side
    try:
        numbers = combat_numbers(fight.situation, terms.options) if not fight.faces else None
    except Refusal:
        numbers = None
    last: tuple[tuple[int, int], ...] = ()
    if done.rolled:
        last = tuple(enumerate(done.rolled[-1][1]))
    whom = tracker.full_name(target.id) if target else fight_progress.attacked_object(fight.piece, fight.building)
    return FightRow(
        key,
        fight,
        attacker,
        target,
        tracker.full_name(attacker.id),
        fight_progress.attack_verb(fight.how, attacker.now),
        whom,
        done,
        side,
        tracker.side_name(side),
        done.ask,
        meanings_of(tracker, terms, fight),
        len(fight.faces),
        last,
        fights.sides_able_to_reroll(tracker, terms, fight, done),
        numbers,
        _morale_ticks(tracker, terms, fight),
    )


def _morale_ticks(tracker: TrackerState, terms: BattleTerms, fight: Fight) -> tuple[tuple[Tick, bool], ...]:
    """Ticks for a morale test before its die is rolled. A King does not need a King nearby."""
    place = fights.morale_test_place(tracker, terms, fight)
    if place is None:
        return ()
    at: Place = getattr(fight.situation, place)
    unit = tracker.unit(fight.attacker if place == "at" else fight.target)
    on = {"king_near": at.king == "near"} | {key: number < at.bearers for number, key in enumerate(BEARER_TICKS)}
    ticks = ticks_for("nerve", several_bearers=terms.options.bearers_stack)
    return tuple((tick, on[tick.key]) for tick in ticks if is_tick_useful(tracker, tick, unit))
