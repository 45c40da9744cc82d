"""Two musters ready to draw: page and JSON draw the same sheet."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404

from campaign.models import Campaign
from chance import normal_word
from musters import may
from musters.compare import Comparison, Setting, Table, compare
from musters.evening import NAME_MOST, ONE, TWO, typed
from musters.models import Muster
from musters.reading import army_of, call_of, roster_for
from musters.rolls.code import Recipe, recipe_of
from musters.sheet import Roster, roster
from people.who import Who
from refusal import Refusal
from rulebook.army import Army
from rulebook.options import BY_THE_BOOK, Options
from rulebook.rolls import listed


@dataclass(frozen=True, slots=True)
class Strikes:
    """One army's attacks on the other, with the names of both."""

    attacker: str
    target: str
    table: Table


@dataclass(frozen=True, slots=True)
class Line:
    """A figure of both armies side by side."""

    name: str
    one: object
    two: object


@dataclass(frozen=True, slots=True)
class CompareSheet:
    one: Roster
    two: Roster
    setting: Setting
    strikes: tuple[Strikes, Strikes]
    notes: tuple[str, ...]

    @property
    def rosters(self) -> tuple[Roster, Roster]:
        return self.one, self.two

    @property
    def lines(self) -> tuple[Line, ...]:
        one, two = self.one.totals, self.two.totals
        return (
            Line("Units", one.units, two.units),
            Line("Models", one.models, two.models),
            Line("Wounds", one.wounds, two.wounds),
            Line("Heroes", one.heroes, two.heroes),
            Line("Melee dice", one.melee, two.melee),
            Line("Shooting dice", one.shooting, two.shooting),
        )


def sheet_of(
    one: Army,
    two: Army,
    rosters: tuple[Roster, Roster],
    setting: Setting,
    options: Options,
    notes: tuple[str, ...] = (),
) -> CompareSheet:
    """Any two armies whose rosters are drawn already."""
    found: Comparison = compare(one, two, setting, options)
    first, second = rosters
    return CompareSheet(
        first,
        second,
        setting,
        (Strikes(first.title, second.title, found.there), Strikes(second.title, first.title, found.back)),
        notes,
    )


def sheet_of_codes(given: dict[str, str], setting: Setting) -> CompareSheet:
    """Two army codes, with a name for each where one is given."""
    recipes = [_recipe(given, field, which) for field, which in (("a", "first"), ("b", "second"))]
    names = [typed(given, field, NAME_MOST, "A name") or usual for field, usual in (("one", ONE), ("two", TWO))]
    if normal_word(names[0]) == normal_word(names[1]):
        raise Refusal("Both armies bear the same name; give them two.", field="two")
    house_rules = [recipe.muster.call.options for recipe in recipes]
    agree = house_rules[0] == house_rules[1]
    notes = () if agree else ("The two were mustered under different house rules; the odds are those of the book.",)
    one, two = recipes
    drawn = (_roster(one, names[0]), _roster(two, names[1]))
    return sheet_of(one.army, two.army, drawn, setting, house_rules[0] if agree else BY_THE_BOOK, notes)


def _recipe(given: dict[str, str], field: str, which: str) -> Recipe:
    code = given.get(field, "").strip()
    if not code:
        raise Refusal(f"The code of the {which} army is missing.", field=field)
    try:
        return recipe_of(code)
    except Refusal as refusal:
        raise Refusal(f"The {which} army: {refusal.sentence}", status=refusal.status, field=field) from None


def _roster(recipe: Recipe, title: str) -> Roster:
    return roster(recipe.army, title=title, options=recipe.muster.call.options, code=recipe.code)


def sheet_of_battle(who: Who, campaign: Campaign, battle: int, setting: Setting) -> CompareSheet:
    """Both armies of a battle, for those whom this table lets see them; the attacker stands first."""
    state = may.state_of(campaign)
    rows = {row.kingdom: row for row in Muster.objects.filter(campaign=campaign, battle=battle).order_by("pk")}
    fought = state.battles.get(battle)
    if fought is None and not rows:
        raise Http404("This campaign has no such battle with musters.")
    sides = (fought.attacker, fought.defender) if fought else tuple(rows)
    for row in rows.values():
        may.see(state, row, who)
    late = [state.kingdoms[side].name for side in sides if side not in rows or rows[side].army is None]
    if late or len(sides) < 2:
        raise Refusal(
            f"{listed(late) or 'The other side'}: the muster is not done, so there is nothing to compare yet.",
            status=409,
        )
    one, two = (army_of(rows[side].army) for side in sides)
    options = call_of(rows[sides[0]].call).options
    drawn = tuple(
        roster_for(army, state, side, under=f"Battle {battle}", options=options, code=rows[side].army_code)
        for army, side in zip((one, two), sides, strict=True)
    )
    return sheet_of(one, two, (drawn[0], drawn[1]), setting, options)
