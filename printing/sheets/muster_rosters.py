"""Muster rosters with unit cards to cut out: armies of a campaign's battles, and quick armies by their code."""

from __future__ import annotations

from typing import Any

from django.http import Http404

from heraldry.sprite import symbols as sprite
from musters import may
from musters.models import Muster
from musters.quick import army_sheet
from musters.reading import army_of, call_of, roster_for
from musters.sheet import Box, DiceLine, Roster, UnitLine
from people.who import Who
from printing.sheet import BATTLE, Content, Sheet, register
from printing.words import loyalty, signed, span, typeset
from refusal import Refusal
from rulebook.morale import MORALE
from rulebook.spoils import PRICES


def boxes(row: tuple[Box, ...]) -> list[dict[str, Any]]:
    """One square for each model in the order of removal, circles for its further wounds; the leader last."""
    models: dict[int, dict[str, Any]] = {}
    for box in row:
        found = models.setdefault(box.model, {"wounds": 0, "role": box.role, "name": box.name, "leader": box.is_leader})
        found["wounds"] += 1
    return list(models.values())


def dice(lines: tuple[DiceLine, ...]) -> str:
    """Dice that are thrown at another quality than the unit's own stand apart: 4 + 1 at +3."""
    return " + ".join(
        str(line.dice) if at == 0 else f"{line.dice} at {signed(line.quality)}" for at, line in enumerate(lines)
    )


# What stands for the arms of a unit nobody's house has sent.
SIGNS = {
    "hoppers": "hopper", "field_mice": "wheat", "bow_mice": "bow", "mice_at_arms": "sword", "rat_riders": "lance",
    "battle_cat": "cat", "king": "crown", "ballista": "ballista", "cat_non": "castle",
}  # fmt: skip


def unit(line: UnitLine) -> dict[str, Any]:
    # What the muster's dice decided is decided: the card names the hero and the weapon that came.
    points = [point for point in line.points if "muster d10" not in point.casefold()]
    notes = [typeset(point) for point in points if "hero" not in point.casefold() or "King" in point]
    return {
        "name": line.name,
        "title": line.title,
        "sender": line.sender,
        "arms": line.arms,
        "sign": SIGNS[line.unit],
        "q": signed(line.q),
        "sq": signed(line.sq),
        "ac": str(line.ac),
        "move": f"{line.move}″",
        "melee": str(line.melee),
        "shots": str(line.shooting) if line.shooting else "–",
        "melee_dice": dice(line.melee_dice) if len(line.melee_dice) > 1 else "",
        "boxes": boxes(line.boxes),
        "removal": line.removal,
        "hero": [line.hero.name, line.hero.timing, typeset(line.hero.text)] if line.hero else [],
        "weapon": [line.weapon_name, typeset(line.weapon_text)] if line.weapon else [],
        "notes": notes,
    }


def content(roster: Roster) -> Content:
    return {
        "title": roster.title,
        "under": roster.under,
        "arms": roster.arms,
        "loyalty": loyalty(roster.loyalty),
        "siege": roster.siege or "",
        "units": [unit(line) for line in roster.units],
        "totals": {"units": roster.totals.units, "models": roster.totals.models, "wounds": roster.totals.wounds},
        "notes": [typeset(note) for note in roster.notes],
        "code": roster.code,
        "morale": [[span(row.low, row.high), row.name] for row in MORALE],
        "prices": [[str(price.vp), price.name] for price in PRICES],
        "flee": sprite()["c-flee"],
    }


def of_muster(found: Muster) -> Roster:
    state = may.state_of(found.campaign)
    battle = state.battles.get(found.battle)
    other = ""
    if battle:
        other = battle.defender if battle.attacker == found.kingdom else battle.attacker
    against = f", against {state.kingdoms[other].name}" if other in state.kingdoms else ""
    under = f"Battle {found.battle}{against}"
    options = call_of(found.call).options
    return roster_for(army_of(found.army), state, found.kingdom, under=under, options=options, code=found.army_code)


def find_muster(who: Who, code: str) -> Muster:
    found = may.found(who, code)
    may.see(may.state_of(found.campaign), found, who)
    if found.army is None:
        raise Refusal("This muster is not finished yet. Print it when the army stands.", status=409)
    return found


def find_army(who: Who, code: str) -> Roster:
    """A quick army is open to whoever has its code; a code with a slip in it is refused with the sentence of its page."""
    try:
        return army_sheet(code)[1]
    except Refusal as refusal:
        raise Http404(refusal.sentence) from refusal


register(
    Sheet(
        "roster",
        "Muster roster",
        "An army on unit cards to cut out, with boxes to strike in the order of removal.",
        BATTLE,
        "roster.typ",
        lambda found: {"rosters": [content(of_muster(found))]},
        find=find_muster,
        name=lambda found: f"Roster of {of_muster(found).title}",
        back=lambda found: (found.get_absolute_url(), "Muster"),
    ),
    Sheet(
        "army",
        "Army roster",
        "A quick army on unit cards to cut out, with boxes to strike in the order of removal.",
        BATTLE,
        "roster.typ",
        lambda roster: {"rosters": [content(roster)]},
        find=find_army,
        name=lambda roster: f"Army of {roster.totals.units} units",
        back=lambda roster: (f"/musters/a/{roster.code}/", "Army"),
    ),
)
