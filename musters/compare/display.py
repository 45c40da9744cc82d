"""Two compared armies ready to draw, for page and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from django.http import Http404

from campaign.models import Campaign
from dataclass_json import Clean, Text
from musters import permissions
from musters.compare.calculation import AttackTable, Comparison, Setting, compare
from musters.core.army_code import MAX_CODE_LENGTH, DecodedArmy, decode_army
from musters.core.army_json import army_from_json, call_from_json
from musters.display import Roster, build_roster
from musters.models import Muster
from musters.random_game import ONE, TWO, ArmyName, check_names_differ
from musters.selectors import roster_for
from people.requester import Who
from refusal import Refusal
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.muster.army import Army
from text import join_list


@dataclass(frozen=True, slots=True)
class ArmyAttacks:
    """One army's attacks on the other, with the names of both."""

    attacker: str
    target: str
    table: AttackTable


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """One figure for both armies."""

    name: str
    one: object
    two: object


@dataclass(frozen=True, slots=True)
class CompareDisplay:
    one: Roster
    two: Roster
    setting: Setting
    attacks: tuple[ArmyAttacks, ArmyAttacks]
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
    """Compare two armies with their rosters."""
    comparison: Comparison = compare(one, two, setting, options)
    first, second = rosters
    return CompareDisplay(
        first,
        second,
        setting,
        (
            ArmyAttacks(first.title, second.title, comparison.there),
            ArmyAttacks(second.title, first.title, comparison.back),
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
