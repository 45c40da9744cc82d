"""What musters write into a campaign's chronicle: VP paid while mustering, and the army when it stands."""

from __future__ import annotations

from typing import Any

from campaign.annals.acts import RULER, Act, Body, kingdom, register, whole
from campaign.annals.effects import Effect
from campaign.annals.lines import Line
from campaign.annals.state import Kingdom, OpenBattle, State
from campaign.annals.tales import TALES, Names
from campaign.annals.wording import counted
from refusal import Refusal
from rulebook import spoils
from rulebook.army import Siege
from rulebook.options import Options

TAKEN, PAID = "muster_taken", "muster_paid"
PAYABLE = ("reroll", "regain", "rebel_roll")


def open_battle(state: State, battle: object, key: object) -> tuple[OpenBattle, Kingdom]:
    """The battle this kingdom musters for, while it is open."""
    realm = kingdom(state, key)
    found = state.battles.get(battle) if isinstance(battle, int) else None
    if found is None:
        raise Refusal(f"Battle {battle} is not open any more, so nobody musters for it.", field="battle", status=409)
    if realm.id not in (found.attacker, found.defender):
        raise Refusal(f"{realm.name} does not fight in battle {battle}.", field="kingdom", status=409)
    return found, realm


def siege_side(battle: OpenBattle, realm: Kingdom) -> Siege | None:
    if not battle.target.endswith(".castle"):
        return None
    return "attacker" if battle.attacker == realm.id else "defender"


def _taken(state: State, body: Body, options: Options) -> list[Effect]:
    """Fealty lost on the muster roll. The army itself stays as played, whatever is corrected before it."""
    battle, realm = open_battle(state, body.get("battle"), body.get("kingdom"))
    effects: list[Effect] = []
    for house in body.get("lost") or ():
        whole(house, "The number of the house", least=1, most=4, field="lost")
        if not realm.houses[house - 1].lost:
            effects.append(
                {"do": "house", "kingdom": realm.id, "house": house, "lost": True, "why": "sent_nobody", "battle": battle.number}
            )  # fmt: skip
    return effects


def _paid(state: State, body: Body, options: Options) -> list[Effect]:
    """A die thrown again, a house won back in the middle of a muster, a rebel roll."""
    battle, realm = open_battle(state, body.get("battle"), body.get("kingdom"))
    what, purse = body.get("what", ""), max(realm.vp, 0)
    if what not in PAYABLE:
        raise Refusal(f"In a muster VP buy {', '.join(PAYABLE)}; not {what!r}.", field="what")
    bought: list[Effect] = []
    if what == "rebel_roll":
        cost = spoils.buy_rebel_roll(purse, siege_side=siege_side(battle, realm)).cost
    else:
        cost = spoils.pay(purse, what).cost
    if what == "regain":
        house = whole(body.get("house"), "The number of the house", least=1, most=4, field="house")
        if realm.houses[house - 1].lost:
            bought = [{"do": "house", "kingdom": realm.id, "house": house, "lost": False, "why": what}]
    return [{"do": "vp", "kingdom": realm.id, "by": -cost, "why": what, "battle": battle.number}, *bought]


def _taken_told(line: Line, names: Names) -> str:
    body = line.body
    said = f"{names.kingdom(body.get('kingdom'))} mustered for battle {body.get('battle')}"
    army = body.get("army")
    units = army.get("units") if isinstance(army, dict) else None
    return f"{said}: {counted(len(units), 'unit')} came." if isinstance(units, list) else f"{said}."


def _paid_told(line: Line, names: Names) -> str:
    what = {
        "reroll": "threw a die of its muster again",
        "regain": "won a house back for its muster",
        "rebel_roll": "called on rebels",
    }.get(str(line.body.get("what")), "paid for its muster")
    return f"{names.kingdom(line.body.get('kingdom'))} {what}, battle {line.body.get('battle')}."


def register_acts() -> None:
    def own(body: dict[str, Any]) -> tuple[str, ...]:
        return (body.get("kingdom", ""),)

    register(Act(TAKEN, _taken, by=RULER, rulers=own))
    register(Act(PAID, _paid, by=RULER, rulers=own))
    TALES[TAKEN] = _taken_told
    TALES[PAID] = _paid_told
