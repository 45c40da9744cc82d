"""What musters add to the chronicle: VP spent while mustering, and the finished army."""

from __future__ import annotations

from typing import Any

from campaign.chronicle.acts.registry import (
    RULER,
    ActKind,
    Body,
    register_act_kind,
    require_kingdom,
    require_whole_number,
)
from campaign.chronicle.effects import Effect
from campaign.chronicle.entries import ChronicleEntry
from campaign.chronicle.phrase_helpers import count_noun
from campaign.chronicle.sentences import SENTENCES, Names
from campaign.chronicle.state import Kingdom, OpenBattle, State
from refusal import Refusal
from rulebook.campaign import vp_spending
from rulebook.data.house_rules import Options
from rulebook.muster.army import Siege

TAKEN, PAID = "muster_taken", "muster_paid"
PAYABLE = ("reroll", "regain", "rebel_roll")


def require_open_battle(state: State, battle: object, key: object) -> tuple[OpenBattle, Kingdom]:
    """The open battle this kingdom musters for, or a refusal."""
    realm = require_kingdom(state, key)
    found = state.battles.get(battle) if isinstance(battle, int) else None
    if found is None:
        raise Refusal(f"Battle {battle} is closed. You cannot muster for it.", field="battle", status=409)
    if realm.id not in (found.attacker, found.defender):
        raise Refusal(f"{realm.name} does not fight in battle {battle}.", field="kingdom", status=409)
    return found, realm


def siege_side(battle: OpenBattle, realm: Kingdom) -> Siege | None:
    if not battle.target.endswith(".castle"):
        return None
    return "attacker" if battle.attacker == realm.id else "defender"


def _decide_taken(state: State, body: Body, options: Options) -> list[Effect]:
    """Fealty lost on the muster roll. Later corrections never change the army itself."""
    battle, realm = require_open_battle(state, body.get("battle"), body.get("kingdom"))
    effects: list[Effect] = []
    for house in body.get("lost") or ():
        require_whole_number(house, "The number of the house", least=1, most=4, field="lost")
        if not realm.houses[house - 1].lost:
            effects.append(
                {
                    "do": "house",
                    "kingdom": realm.id,
                    "house": house,
                    "lost": True,
                    "why": "sent_nobody",
                    "battle": battle.number,
                }
            )
    return effects


def _decide_paid(state: State, body: Body, options: Options) -> list[Effect]:
    """A re-roll, a regained house or a rebel roll."""
    battle, realm = require_open_battle(state, body.get("battle"), body.get("kingdom"))
    what, purse = body.get("what", ""), max(realm.vp, 0)
    if what not in PAYABLE:
        raise Refusal(f"VP cannot buy {what!r} in a muster. Choose one of: {', '.join(PAYABLE)}.", field="what")
    bought: list[Effect] = []
    if what == "rebel_roll":
        cost = vp_spending.buy_rebel_roll(purse, siege_side=siege_side(battle, realm)).cost
    else:
        cost = vp_spending.spend_vp(purse, what).cost
    if what == "regain":
        house = require_whole_number(body.get("house"), "The number of the house", least=1, most=4, field="house")
        if realm.houses[house - 1].lost:
            bought = [{"do": "house", "kingdom": realm.id, "house": house, "lost": False, "why": what}]
    return [{"do": "vp", "kingdom": realm.id, "by": -cost, "why": what, "battle": battle.number}, *bought]


def _taken_sentence(entry: ChronicleEntry, names: Names) -> str:
    body = entry.body
    sentence = f"{names.kingdom(body.get('kingdom'))} mustered for battle {body.get('battle')}"
    army = body.get("army")
    units = army.get("units") if isinstance(army, dict) else None
    return f"{sentence}: {count_noun(len(units), 'unit')} came." if isinstance(units, list) else f"{sentence}."


def _paid_sentence(entry: ChronicleEntry, names: Names) -> str:
    what = {"reroll": "re-rolled a muster die", "regain": "regained a house", "rebel_roll": "bought a rebel roll"}.get(
        str(entry.body.get("what")), "spent VP on its muster"
    )
    return f"{names.kingdom(entry.body.get('kingdom'))} {what}, battle {entry.body.get('battle')}."


def register_acts() -> None:
    def own(body: dict[str, Any]) -> tuple[str, ...]:
        return (body.get("kingdom", ""),)

    register_act_kind(ActKind(TAKEN, _decide_taken, by=RULER, rulers=own))
    register_act_kind(ActKind(PAID, _decide_paid, by=RULER, rulers=own))
    SENTENCES[TAKEN] = _taken_sentence
    SENTENCES[PAID] = _paid_sentence
