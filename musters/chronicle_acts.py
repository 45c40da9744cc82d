"""What musters add to the chronicle: VP spent while mustering, and the finished army."""

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, Literal

from campaign.chronicle.acts.registry import RULER, Act, register_act, require_kingdom, require_whole_number
from campaign.chronicle.effects import Effect, FealtyChanged, VpChanged
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.fields import BattleNumber, HouseNumber, KingdomId
from campaign.chronicle.sentences import SENTENCES, Names, count_noun
from campaign.chronicle.state import Kingdom, OpenBattle, State
from dataclass_json import Shape, Text
from musters.core.army_code import MAX_CODE_LENGTH
from musters.core.codec import ArmyShape
from refusal import Refusal
from rulebook.campaign import vp_spending
from rulebook.data.house_rules import Options
from rulebook.muster.army import Siege

Code = Annotated[str, Text("The code", 80, empty=True)]
Payable = Literal["reroll", "regain", "rebel_roll"]


def require_open_battle(state: State, battle: object, key: object) -> tuple[OpenBattle, Kingdom]:
    """The open battle this kingdom musters for, or a refusal."""
    kingdom = require_kingdom(state, key)
    fought = state.battles.get(battle) if isinstance(battle, int) else None
    if fought is None:
        raise Refusal(f"Battle {battle} is closed. You cannot muster for it.", field="battle", status=409)
    if kingdom.id not in (fought.attacker, fought.defender):
        raise Refusal(f"{kingdom.name} does not fight in battle {battle}.", field="kingdom", status=409)
    return fought, kingdom


def siege_side(battle: OpenBattle, kingdom: Kingdom) -> Siege | None:
    if not battle.target.endswith(".castle"):
        return None
    return "attacker" if battle.attacker == kingdom.id else "defender"


@register_act("muster_taken", by=RULER)
class FinishMuster(Act):
    """Fealty lost on the muster roll. Later corrections never change the army itself."""

    battle: BattleNumber
    kingdom: KingdomId
    muster: Code = ""
    dice: Code = ""
    lost: tuple[HouseNumber, ...] = ()
    drawn: tuple[KingdomId, ...] = ()
    army: Annotated[Mapping[str, Any], Shape(ArmyShape)] = field(default_factory=dict)
    code: Annotated[str, Text("The army code", MAX_CODE_LENGTH, empty=True)] = ""

    def decide(self, state: State, rules: Options) -> list[Effect]:
        battle, kingdom = require_open_battle(state, self.battle, self.kingdom)
        return [
            FealtyChanged(kingdom.id, house, True, "sent_nobody", battle.number)
            for house in self.lost
            if not kingdom.houses[house - 1].lost
        ]


@register_act("muster_paid", by=RULER)
class PayForMuster(Act):
    """A re-roll, a regained house or a rebel roll."""

    battle: BattleNumber
    kingdom: KingdomId
    what: Payable
    muster: Code = ""
    question: Code = ""
    value: Code = ""
    house: HouseNumber | None = None
    roll: int | None = None

    def decide(self, state: State, rules: Options) -> list[Effect]:
        battle, kingdom = require_open_battle(state, self.battle, self.kingdom)
        what, purse = self.what, max(kingdom.vp, 0)
        bought: list[Effect] = []
        if what == "rebel_roll":
            cost = vp_spending.buy_rebel_roll(purse, siege_side=siege_side(battle, kingdom)).cost
        else:
            cost = vp_spending.spend_vp(purse, what).cost
        if what == "regain":
            house = require_whole_number(self.house, "The number of the house", least=1, most=4, field="house")
            if kingdom.houses[house - 1].lost:
                bought = [FealtyChanged(kingdom.id, house, False, what)]
        return [VpChanged(kingdom.id, -cost, what, battle.number), *bought]


TAKEN, PAID = FinishMuster.key, PayForMuster.key


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


def register_sentences() -> None:
    SENTENCES[TAKEN] = _taken_sentence
    SENTENCES[PAID] = _paid_sentence
