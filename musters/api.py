"""Musters as JSON: the same displays, services and refusals as the pages."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import Annotated, Any

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.views import APIView

from chance import Dice, new_seed
from dataclass_json import Shape
from musters import home_items, permissions, sealed_dice, services, vp_payments
from musters.army_comparison import (
    Cell,
    Code,
    ComparedArmies,
    CompareDisplay,
    NamedAttacks,
    Row,
    Setting,
    compare_battle,
    compare_codes,
)
from musters.core.codec import ArmyShape, army_to_json
from musters.core.fair_terrain import FAIRNESS_NOTE, TerrainPair, TerrainPiece
from musters.display import Roster
from musters.entries import AcceptChanges, AnswerQuestion, BeginMuster, GiveWord, KeepRoll, RerollDie, UndoAnswer
from musters.kingdom_history import HistoryDisplay, history_display
from musters.models import Muster
from musters.quick_army import AnswerOwnDice, QuickArmyRequest, army_with_roster, finished_code, own_dice_display
from musters.random_game import GameRequest, GameRound, PlacedUnit, RollOffResult, draw_game_word, generate_game
from musters.wizard_display import WizardDisplay, wizard_display
from pages.api.operations import Nothing, PublicAPIView, Query, Sent, SentAgain, operation
from pages.api_pagination import MAX_ROWS, Page, paginate_rows
from pages.fields.columns_and_rows import take
from rulebook.data.battlefield import Event
from rulebook.data.scenarios import Scenario

# ── Armies by their code ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ArmyAnswer:
    api_name = "Army"

    code: str
    army: Annotated[Mapping[str, Any], Shape(ArmyShape)]
    roster: Roster


def _answer_army(code: str) -> ArmyAnswer:
    decoded, roster = army_with_roster(code)
    return ArmyAnswer(decoded.code, army_to_json(decoded.army), roster)


class QuickArmy(APIView):
    needs_no_log_in = ("POST",)

    @operation("musters_quick", status=201)
    def post(self, request: Request, sent: SentAgain[QuickArmyRequest]) -> ArmyAnswer:
        """Roll a quick army. Nothing is stored: its code recreates it."""
        return _answer_army(sent.value.code())


class ArmyByCode(APIView):
    needs_no_log_in = ("GET",)

    @operation("musters_by_code")
    def get(self, request: Request, code: str) -> ArmyAnswer:
        """The army of a code, with its roster. A refusal says where a typing mistake is."""
        return _answer_army(code)


# ── Musters ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class OpenSide:
    """One side of an open battle, mustered or not."""

    campaign: str
    battle: int
    kingdom: str
    name: str
    place: str
    mine: bool
    is_mustered: bool
    muster: Annotated[str | None, "code of the muster, once it has begun"]


def _answer_side(side: home_items.MusterSide) -> OpenSide:
    return OpenSide(
        campaign=side.campaign.code,
        battle=side.battle.number,
        kingdom=side.kingdom.id,
        name=side.kingdom.name,
        place=side.place,
        mine=side.mine,
        is_mustered=side.is_mustered,
        muster=side.muster.code if side.muster else None,
    )


def _show(request: Request, muster: Muster) -> WizardDisplay:
    state = permissions.state_of(muster.campaign)
    permissions.require_viewer(state, muster, request.who)
    return wizard_display(muster, request.who, state)


class MusterList(APIView):
    @operation("musters_open")
    def get(self, request: Request) -> Page[OpenSide]:
        """The sides of the open battles in your campaigns, and their musters."""
        sides = home_items.open_sides(request.who) if request.who.is_known else []
        return paginate_rows(
            request,
            sides,
            lambda side: f"{side.campaign.code}/{side.battle.number}/{side.kingdom.id}",
            lambda rows: list(map(_answer_side, rows)),
            most=MAX_ROWS,
        )

    @operation("musters_begin", status=201)
    def post(self, request: Request, sent: SentAgain[BeginMuster]) -> WizardDisplay:
        """Begin the muster of one side of an open battle, or return the existing one."""
        wanted = sent.value
        campaign = permissions.get_campaign(request.who, wanted.campaign)
        muster = services.begin_muster(request.who, campaign, wanted.battle, wanted.kingdom)
        muster.campaign = campaign
        return _show(request, permissions.get_again(muster))


class MusterDetail(APIView):
    @operation("musters_show")
    def get(self, request: Request, code: str) -> WizardDisplay:
        """A muster: the open question, or the army."""
        return _show(request, permissions.get_muster(request.who, code))


class MusterAnswer(APIView):
    @operation("musters_step")
    def post(self, request: Request, code: str, sent: Sent[AnswerQuestion]) -> WizardDisplay:
        """Answer the question: a typed die, a choice, or null to let the site roll."""
        muster = permissions.get_muster(request.who, code)
        key, given = sent.key, sent.value
        if isinstance(given.answer, str) and given.answer in vp_payments.PAID_CHOICES:
            vp_payments.buy_choice(muster, request.who, key=key, question=given.question, value=given.answer)
        else:
            services.submit_answer(muster, request.who, key=key, question=given.question, value=given.answer)
        return _show(request, permissions.get_again(muster))


class MusterReroll(APIView):
    @operation("musters_again")
    def post(self, request: Request, code: str, sent: Sent[RerollDie]) -> WizardDisplay:
        """Re-roll the last die for 1 VP."""
        muster = permissions.get_muster(request.who, code)
        given = sent.value
        vp_payments.buy_reroll(muster, request.who, key=sent.key, question=given.question, roll=given.roll)
        return _show(request, permissions.get_again(muster))


class MusterWord(APIView):
    @operation("musters_word")
    def post(self, request: Request, code: str, sent: SentAgain[GiveWord]) -> WizardDisplay:
        """Enter a word for sealed dice."""
        muster = permissions.get_muster(request.who, code)
        given = sent.value
        if given.absent:
            sealed_dice.draw_word_for_absent(muster, request.who)
        else:
            sealed_dice.give_word(muster, request.who, given.word)
        return _show(request, permissions.get_again(muster))


class MusterKeepRoll(APIView):
    @operation("musters_keep")
    def post(self, request: Request, code: str, sent: Sent[KeepRoll]) -> WizardDisplay:
        """Choose which roll of a re-rolled die counts."""
        muster = permissions.get_muster(request.who, code)
        given = sent.value
        services.keep_roll(muster, request.who, key=sent.key, question=given.question, value=given.roll)
        return _show(request, permissions.get_again(muster))


class MusterUndo(APIView):
    @operation("musters_undo")
    def post(self, request: Request, code: str, sent: Sent[UndoAnswer]) -> WizardDisplay:
        """Undo the last answer; of an army that counts already, the last die that somebody typed."""
        muster = permissions.get_muster(request.who, code)
        vp_payments.undo(muster, request.who, question=sent.value.question, key=sent.key)
        return _show(request, permissions.get_again(muster))


class MusterAcceptChanges(APIView):
    @operation("musters_agree")
    def post(self, request: Request, code: str, sent: Sent[AcceptChanges]) -> WizardDisplay:
        """After the campaign changed: go on with the old values, or start again with the new ones."""
        muster = permissions.get_muster(request.who, code)
        services.accept_changes(muster, request.who, anew=sent.value.anew, key=sent.key)
        return _show(request, permissions.get_again(muster))


class MusterFinish(APIView):
    @operation("musters_take")
    def post(self, request: Request, code: str, sent: Sent[Nothing]) -> WizardDisplay:
        """Add the finished army to the chronicle."""
        muster = permissions.get_muster(request.who, code)
        vp_payments.finish_muster(muster, request.who, key=sent.key)
        return _show(request, permissions.get_again(muster))


# ── A quick army with your own dice ──────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class OwnDiceQuestion:
    title: str
    text: str
    die: Annotated[bool, "answer with the face of a d10"]
    choices: Annotated[tuple[str, ...], "or with one of these"]


@dataclass(frozen=True, slots=True)
class OwnDiceAnswer:
    api_name = "OwnDice"

    answers: tuple[str, ...]
    question: OwnDiceQuestion | None
    code: Annotated[str, "of the finished army; empty before"]


class OwnDice(PublicAPIView):
    @operation("musters_own_dice")
    def get(self, request: Request, query: Query[AnswerOwnDice]) -> OwnDiceAnswer:
        """The next question of a muster with your own dice, or the code of its army."""
        display = own_dice_display(query.value)
        if (asked := display.question) is None:
            return OwnDiceAnswer(display.answers, None, finished_code(display))
        choices = tuple(choice.key for choice in asked.choices)
        return OwnDiceAnswer(display.answers, OwnDiceQuestion(asked.title, asked.text, asked.die, choices), "")


# ── The past musters of a kingdom ────────────────────────────────────────────────────────────────────────


class MusterHistory(APIView):
    @operation("musters_history")
    def get(self, request: Request, campaign: str, kingdom: str) -> HistoryDisplay:
        """What each house of a kingdom sent, battle by battle, and how lucky its dice were."""
        return history_display(permissions.get_campaign(request.who, campaign), kingdom, request.who)


# ── A random game ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class LayoutAnswer:
    api_name = "Layout"

    fair: str
    placed_by: tuple[str, ...]
    pairs: tuple[TerrainPair, ...]
    pieces: tuple[TerrainPiece, ...]


@dataclass(frozen=True, slots=True)
class PlacedUnitAnswer:
    api_name = "PlacedUnit"

    unit: Annotated[str, "Side and number, such as A1."]
    x: float
    y: float
    right: Annotated[int, "As rolled; x and y are the final position."]
    up: int
    text: str


@dataclass(frozen=True, slots=True)
class RandomGameAnswer:
    api_name = "RandomGame"

    word: str
    page: Annotated[str, "URL of the page that shows this game."]
    drawing: Annotated[str, "URL of the table as SVG."]
    scenario: Scenario
    die: Annotated[int | None, "Null if the scenario was chosen."]
    roll_offs: tuple[RollOffResult, ...]
    initiative: Annotated[RollOffResult | None, "Null if the scenario says who goes first."]
    begins: str
    rounds: tuple[GameRound, ...]
    last_round: int
    event: Annotated[Event | None, "The chosen event."]
    ground: int
    layout: LayoutAnswer | None
    spots: Annotated[tuple[PlacedUnitAnswer, ...], "Positions of units in Aftermath; otherwise empty."]
    armies: Annotated[tuple[str, ...], "Codes of two armies from the word; in a siege the first attacks."]


class RandomGameView(PublicAPIView):
    """Public; nothing is stored."""

    @operation("musters_evening")
    def get(self, request: Request, query: Query[GameRequest]) -> RandomGameAnswer:
        """Scenario, roll-offs, events and terrain from a word: same word, same game."""
        asked = query.value
        game = generate_game(asked if asked.word else replace(asked, word=draw_game_word(Dice(new_seed()))))
        address = game.request.address()
        return take(
            RandomGameAnswer,
            game,
            word=game.request.word,
            page=f"{reverse('musters:random_game')}?{address}",
            drawing=f"{reverse('musters:random_game_table')}?{address}",
            ground=game.request.ground,
            layout=take(LayoutAnswer, game.layout, fair=FAIRNESS_NOTE) if game.layout else None,
            spots=tuple(map(_answer_placed, game.spots)),
        )


def _answer_placed(placed: PlacedUnit) -> PlacedUnitAnswer:
    token, spot = placed.token, placed.spot
    return PlacedUnitAnswer(token.label, token.x, token.y, spot.right, spot.up, spot.text)


# ── Two armies compared; every chance is an exact fraction ───────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PairOdds:
    target: Annotated[str, "Slot in its army: king, house-1 …"]
    unit: str
    why_not: Annotated[str, "Why this attack is impossible; then all other fields are null."]
    damage: Fraction | None = None
    models: Fraction | None = None
    breaks: Fraction | None = None
    destroys: Fraction | None = None
    back: Fraction | None = None


@dataclass(frozen=True, slots=True)
class AttackingUnit:
    attacker: str
    unit: str
    against: tuple[PairOdds, ...]


@dataclass(frozen=True, slots=True)
class ArmyAttacks:
    attacker: str
    target: str
    damage: Fraction | None
    breaks: Fraction | None
    units: tuple[AttackingUnit, ...]


@dataclass(frozen=True, slots=True)
class CompareAnswer:
    api_name = "Compare"

    one: Annotated[str, "Code of the first army."]
    two: str
    situation: str
    setting: Setting
    notes: tuple[str, ...]
    strikes: tuple[ArmyAttacks, ...]


def _answer(compared: CompareDisplay) -> CompareAnswer:
    return CompareAnswer(
        one=compared.one.code,
        two=compared.two.code,
        situation=compared.setting.words,
        setting=compared.setting,
        notes=compared.notes,
        strikes=tuple(map(_answer_attacks, compared.attacks)),
    )


def _answer_attacks(attacks: NamedAttacks) -> ArmyAttacks:
    table = attacks.table
    units = tuple(map(_answer_unit, table.rows))
    return ArmyAttacks(attacks.attacker, attacks.target, table.damage, table.breaks, units)


def _answer_unit(row: Row) -> AttackingUnit:
    return AttackingUnit(row.attacker.slot.key, row.attacker.name, tuple(map(_answer_pair, row.cells)))


def _answer_pair(cell: Cell) -> PairOdds:
    odds = asdict(cell.odds) if cell.odds else {}
    return PairOdds(cell.target.slot.key, cell.target.name, cell.why_not, **odds)


@dataclass(frozen=True, kw_only=True)
class CompareCodes(Setting, ComparedArmies):
    """Two armies and the situation."""

    a: Code = field()
    b: Code = field()


class CompareView(PublicAPIView):
    """Public: an army code holds no secret."""

    @operation("musters_compare")
    def get(self, request: Request, query: Query[CompareCodes]) -> CompareAnswer:
        """Exact odds of every unit of two armies against every other."""
        asked = query.value
        return _answer(compare_codes(asked, take(Setting, asked)))


class BattleCompareView(APIView):
    @operation("musters_compare_battle")
    def get(self, request: Request, campaign: str, battle: int, query: Query[Setting]) -> CompareAnswer:
        """Compare the two armies of a campaign battle, if you can see both."""
        seen = permissions.get_campaign(request.who, campaign)
        return _answer(compare_battle(request.who, seen, battle, query.value))
