"""Two armies compared: exact odds of every unit of one against every unit of the other, for page and JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Literal
from urllib.parse import urlencode

from django.http import Http404

from campaign.models import Campaign
from dataclass_json import Ask, Clean, OneOf, Text, Whole
from musters import permissions
from musters.core.army_code import MAX_CODE_LENGTH, DecodedArmy, decode_army
from musters.core.codec import army_from_json, call_from_json
from musters.display import Roster, build_roster, roster_for
from musters.models import Muster
from musters.random_game import ONE, TWO, ArmyName, check_names_differ
from people.requester import Who
from refusal import Refusal
from rulebook.battle.attack_situations import Melee, Shooting
from rulebook.battle.unit_in_play import Place, UnitInPlay
from rulebook.data.battlefield import EVENT, EVENTS, TERRAIN, TERRAINS
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.muster.army import Army, MusteredUnit
from rulebook.odds.attack import shooting_odds
from rulebook.odds.distribution import Distribution
from rulebook.odds.melee import exchange_odds
from text import join_list

Kind = Literal["melee", "shooting"]
KINDS: tuple[Kind, ...] = ("melee", "shooting")
TERRAIN_KEYS = tuple(terrain.key for terrain in TERRAINS if terrain.enterable)
MAX_INCHES = 34  # the diagonal of the table
# Shades by how often the attack breaks its target.
SHADES = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


def terrain_choices() -> list[tuple[str, str]]:
    return [(key, TERRAIN[key].name) for key in TERRAIN_KEYS]


def event_choices() -> list[tuple[str, str]]:
    return [("", "none"), *((event.key, event.name) for event in EVENTS)]


Ground = Annotated[str, OneOf(terrain_choices, f"Choose one of {join_list(TERRAIN_KEYS)}.")]


@dataclass(frozen=True, slots=True)
class Setting:
    """The situation: the same for every pair."""

    kind: Annotated[Kind, Ask("Attack")] = "melee"
    charged: Annotated[bool, Ask("Attackers charge")] = True
    inches: Annotated[float, Whole("The distance", 0, MAX_INCHES), Ask("Distance in inches")] = 6.0
    moved: Annotated[bool, Ask("Shooters have moved")] = False
    at: Annotated[Ground, "where the attackers stand", Ask("Attackers stand in")] = "clear"
    target_at: Annotated[Ground, Ask("Targets stand in")] = "clear"
    flanked: Annotated[bool, "another enemy is in contact with the target", Ask("The target is flanked")] = False
    king: Annotated[bool, "The target's King is within 8 inches.", Ask("The target’s King is within 8″")] = False
    event: Annotated[str, OneOf(event_choices, "There is no such random event."), Ask("Random event")] = ""

    @property
    def words(self) -> str:
        ground = {terrain.key: terrain.name.lower() for terrain in TERRAINS}
        if self.kind == "melee":
            sentence = "The attackers charge" if self.charged else "The attackers are already in melee"
        else:
            sentence = f'The shooters are {self.inches:g}" away' + (" and have moved" if self.moved else "")
        if self.at != "clear":
            sentence += f"; attackers in {ground[self.at]}"
        if self.target_at != "clear":
            sentence += f"; targets in {ground[self.target_at]}"
        if self.flanked:
            sentence += "; the target is flanked"
        if self.king:
            sentence += '; its King is within 8"'
        if self.event:
            sentence += f"; {EVENT[self.event].name.lower()}"
        return f"{sentence}."


@dataclass(frozen=True, slots=True)
class AttackOdds:
    damage: Fraction  # average wounds, without excess wounds on the last model
    models: Fraction  # average models killed
    breaks: Fraction  # chance that the target flees, scatters or is destroyed
    destroys: Fraction
    back: Fraction | None  # models the attacker loses when the target battles back, or None


@dataclass(frozen=True, slots=True)
class Cell:
    target: MusteredUnit
    odds: AttackOdds | None
    why_not: str = ""  # why this attack is impossible
    shade: int = 0  # 0 to 4, by the chance to break the target
    best: bool = False  # of its row
    question: str = ""  # query for the odds page


@dataclass(frozen=True, slots=True)
class Row:
    attacker: MusteredUnit
    cells: tuple[Cell, ...]

    @property
    def why_never(self) -> str:
        """The reason, if this unit can attack nobody."""
        reasons = {cell.why_not for cell in self.cells}
        return next(iter(reasons)) if len(reasons) == 1 else ""


@dataclass(frozen=True, slots=True)
class AttackTable:
    rows: tuple[Row, ...]
    targets: tuple[MusteredUnit, ...]
    damage: Fraction | None  # average over all possible pairs
    breaks: Fraction | None
    strongest: tuple[MusteredUnit, Cell] | None
    reasons: tuple[str, ...]  # why some pairs are impossible


@dataclass(frozen=True, slots=True)
class Comparison:
    setting: Setting
    there: AttackTable  # the first army attacks the second
    back: AttackTable  # the second attacks the first


def compare(one: Army, two: Army, setting: Setting | None = None, options: Options = BY_THE_BOOK) -> Comparison:
    """Every unit against every other, both ways."""
    setting = setting or Setting()
    return Comparison(setting, _table(one, two, setting, options), _table(two, one, setting, options))


def _table(attackers: Army, targets: Army, setting: Setting, options: Options) -> AttackTable:
    rows = tuple(_row(unit, targets, setting, options) for unit in attackers.units)
    possible = [(row.attacker, cell) for row in rows for cell in row.cells if cell.odds]
    odds = [cell.odds for _, cell in possible if cell.odds]
    reasons = [cell.why_not for row in rows if not row.why_never for cell in row.cells if cell.why_not]
    return AttackTable(
        rows,
        targets.units,
        sum((attack.damage for attack in odds), Fraction(0)) / len(odds) if odds else None,
        sum((attack.breaks for attack in odds), Fraction(0)) / len(odds) if odds else None,
        max(possible, key=_strength, default=None),
        tuple(dict.fromkeys(reasons)),
    )


def _strength(attack: tuple[MusteredUnit, Cell]) -> tuple[Fraction, Fraction]:
    odds = attack[1].odds
    return (odds.breaks, odds.damage) if odds else (Fraction(0), Fraction(0))


def _row(attacker: MusteredUnit, targets: Army, setting: Setting, options: Options) -> Row:
    cells = [_cell(attacker, target, setting, options) for target in targets.units]
    most = max((cell.odds.breaks for cell in cells if cell.odds), default=Fraction(0))
    return Row(attacker, tuple(replace(c, best=bool(c.odds and most and c.odds.breaks == most)) for c in cells))


def _cell(attacker: MusteredUnit, target: MusteredUnit, setting: Setting, options: Options) -> Cell:
    question = odds_query(attacker, target, setting)
    try:
        odds = attack_odds(situation_for(attacker.in_play(), target.in_play(), setting), options)
    except Refusal as refusal:
        return Cell(target, None, refusal.sentence, question=question)
    return Cell(target, odds, shade=sum(odds.breaks >= shade for shade in SHADES), question=question)


def situation_for(attacker: UnitInPlay, target: UnitInPlay, setting: Setting) -> Shooting | Melee:
    """The situation for one pair; the rulebook refuses what is impossible."""
    # The King's own unit always has him, so leave him out there.
    king: Literal["near"] | None = "near" if setting.king and target.key != "king" else None
    at = Place(setting.at)
    target_at = Place(setting.target_at, flanked=int(setting.flanked), king=king)
    event = setting.event or None
    if setting.kind == "shooting":
        return Shooting(attacker, target, setting.inches, at, target_at, setting.moved, event=event)
    return Melee(attacker, target, at, target_at, setting.charged, event=event)


@lru_cache(maxsize=4096)
def attack_odds(met: Shooting | Melee, options: Options = BY_THE_BOOK) -> AttackOdds:
    """The odds of one attack, cached for equal units."""
    back: Fraction | None = None
    if isinstance(met, Shooting):
        attack = shooting_odds(met, options)
    else:
        whole = exchange_odds(met, options)
        attack, back = whole.attack, whole.attacker_lost.mean
    return AttackOdds(
        _mean_wounds(attack.wounds, met.target.wounds_left),
        attack.models_lost.mean,
        attack.gone + attack.chance("flee"),
        attack.chance("destroyed"),
        back,
    )


def _mean_wounds(wounds: Distribution, most: int) -> Fraction:
    return sum((min(number, most) * chance for number, chance in enumerate(wounds.chances)), Fraction(0))


def odds_query(attacker: MusteredUnit, target: MusteredUnit, setting: Setting) -> str:
    query: dict[str, object] = {
        "kind": setting.kind,
        **_unit_query("attacker", attacker),
        **_unit_query("target", target),
    }
    query |= {"at": setting.at, "target_at": setting.target_at, "event": setting.event}
    if setting.kind == "melee":
        query["charged"] = "on" if setting.charged else ""
    else:
        query |= {"inches": f"{setting.inches:g}", "moved": "on" if setting.moved else ""}
    query["target_at_flanked"] = "on" if setting.flanked else ""
    query["target_king"] = "near" if setting.king and target.unit != "king" else ""
    return urlencode({name: value for name, value in query.items() if value})


def _unit_query(who: str, unit: MusteredUnit) -> Mapping[str, object]:
    unit_in_play = unit.in_play()
    query = {who: unit.unit, f"{who}_hero": unit.hero or "", f"{who}_spear": "on" if unit_in_play.spear else ""}
    if who == "target":
        query["target_shield"] = "on" if unit_in_play.shield else ""
    return query


# ── As page and JSON draw it ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class NamedAttacks:
    """One army's attacks on the other, with the names of both."""

    attacker: str
    target: str
    table: AttackTable


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    name: str
    one: object
    two: object


@dataclass(frozen=True, slots=True)
class CompareDisplay:
    one: Roster
    two: Roster
    setting: Setting
    attacks: tuple[NamedAttacks, NamedAttacks]
    notes: tuple[str, ...]

    @property
    def rosters(self) -> tuple[Roster, Roster]:
        return self.one, self.two

    @property
    def figures(self) -> tuple[ComparedFigure, ...]:
        one, two = self.one.totals, self.two.totals
        return (
            ComparedFigure("Units", one.units, two.units),
            ComparedFigure("Models", one.models, two.models),
            ComparedFigure("Wounds", one.wounds, two.wounds),
            ComparedFigure("Heroes", one.heroes, two.heroes),
            ComparedFigure("Melee dice", one.melee, two.melee),
            ComparedFigure("Shooting dice", one.shooting, two.shooting),
        )


def compare_display(
    one: Army,
    two: Army,
    rosters: tuple[Roster, Roster],
    setting: Setting,
    options: Options,
    notes: tuple[str, ...] = (),
) -> CompareDisplay:
    comparison = compare(one, two, setting, options)
    first, second = rosters
    return CompareDisplay(
        first,
        second,
        setting,
        (
            NamedAttacks(first.title, second.title, comparison.there),
            NamedAttacks(second.title, first.title, comparison.back),
        ),
        notes,
    )


Code = Annotated[str, Clean(str.strip), Text("The code", MAX_CODE_LENGTH, empty=True), "Army code."]


@dataclass(frozen=True)
class ComparedArmies:
    """Two army codes, with optional names."""

    a: Code = ""
    b: Code = ""
    one: ArmyName = ""
    two: ArmyName = ""


def compare_codes(armies: ComparedArmies, setting: Setting) -> CompareDisplay:
    one, two = _decode(armies.a, "a", "first"), _decode(armies.b, "b", "second")
    names = armies.one or ONE, armies.two or TWO
    check_names_differ(*names)
    options = one.muster.call.options
    agree = options == two.muster.call.options
    notes = () if agree else ("The armies use different house rules. These odds are by the book.",)
    drawn = _roster(one, names[0]), _roster(two, names[1])
    return compare_display(one.army, two.army, drawn, setting, options if agree else BY_THE_BOOK, notes)


def _decode(code: str, field: str, which: str) -> DecodedArmy:
    if not code:
        raise Refusal(f"Enter the code of the {which} army.", field=field)
    try:
        return decode_army(code)
    except Refusal as refusal:
        raise Refusal(f"The {which} army: {refusal.sentence}", status=refusal.status, field=field) from None


def _roster(recipe: DecodedArmy, title: str) -> Roster:
    return build_roster(recipe.army, title=title, options=recipe.muster.call.options, code=recipe.code)


def compare_battle(who: Who, campaign: Campaign, battle: int, setting: Setting) -> CompareDisplay:
    """Compare both armies of a battle, the attacker first, if the viewer can see both."""
    state = permissions.state_of(campaign)
    rows = {row.kingdom: row for row in Muster.objects.filter(campaign=campaign, battle=battle).order_by("pk")}
    fought = state.battles.get(battle)
    if fought is None and not rows:
        raise Http404("This campaign has no musters for that battle.")
    sides = (fought.attacker, fought.defender) if fought else tuple(rows)
    for row in rows.values():
        permissions.require_viewer(state, row, who)
    late = [state.kingdoms[side].name for side in sides if side not in rows or rows[side].army is None]
    if late or len(sides) < 2:
        raise Refusal(
            f"{join_list(late) or 'Other side'}: not mustered yet. Come back when both armies are ready.", status=409
        )
    one, two = (army_from_json(rows[side].army) for side in sides)
    options = call_from_json(rows[sides[0]].call).options
    drawn = tuple(
        roster_for(army, state, side, under=f"Battle {battle}", options=options, code=rows[side].army_code)
        for army, side in zip((one, two), sides, strict=True)
    )
    return compare_display(one, two, (drawn[0], drawn[1]), setting, options)
