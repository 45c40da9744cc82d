"""Acts of the war: who attacks, battles declared and called off, results, points spent, agreed changes."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal

from campaign.chronicle.acts.registry import RULER, Act, register_act, require_kingdom
from campaign.chronicle.effects import (
    AttackRolled,
    BattleClosed,
    BattleDeclared,
    DieOfRollOff,
    Effect,
    FealtyChanged,
    LoyaltyChanged,
    TerritoryTaken,
    VpChanged,
    WarWon,
)
from campaign.chronicle.fields import (
    BattleNumber,
    Holders,
    HouseNumber,
    KingdomId,
    ManyArmiesJson,
    Reason,
    TerritoryId,
    TwoArmiesJson,
)
from campaign.chronicle.state import FROZEN, State
from dataclass_json import Count, Whole, enum_of
from refusal import Refusal
from rulebook.campaign import attack_targets, battle_scoring, conquest, vp_spending
from rulebook.campaign.campaign_map import parse_territory
from rulebook.campaign.roll_off import RollOff
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import REROLL_PRICE
from rulebook.data.scenarios import SCENARIO

MAX_VP = 99
MAX_UNITS = 99
MAX_THROWS = 400
AGREED = "agreed"

Outcome = Literal["attacker", "defender", "draw"]
Vp = Annotated[int, Whole("VP", 0, MAX_VP)]


@dataclass(frozen=True, slots=True)
class ThrownDie:
    kingdom: KingdomId
    roll: int
    bought: bool = False
    by: KingdomId | None = None  # who paid for a bought throw, if not the kingdom itself
    keep: Literal["old", "new"] = "new"


@register_act("roll_off", by=RULER)
class RollForAttack(Act):
    pair: tuple[KingdomId, KingdomId] | None = None
    throws: Annotated[tuple[ThrownDie, ...], Count("Throws", MAX_THROWS)] = ()
    winner: KingdomId | None = None
    again: bool = False  # goes on with the roll-off that binds now: a bought re-roll, or the dice of a tie

    def rulers(self) -> tuple[str, ...]:
        if self.again:
            return tuple(throw.by or throw.kingdom for throw in self.throws)
        return self.pair or tuple(throw.kingdom for throw in self.throws)

    def replay(self, state: State, rules: Options) -> RollOff:
        """The roll-off as far as these throws go: ties are thrown again by those who tied, bought throws cost VP."""
        purse = {k.id: max(k.vp, 0) for k in state.in_play()}
        pair, before = self.pair, self._dice_before(state)
        if self.again and state.attack_roll:
            pair = state.attack_roll.pair
        for throw in before:
            if throw.bought:  # already paid
                buyer = throw.by or throw.kingdom
                purse[buyer] = purse.get(buyer, 0) + REROLL_PRICE
        rolling = attack_targets.start_attacker_roll_off(state.campaign_map(), rules, pair=pair, vp=purse)
        for throw in (*before, *self.throws):
            if throw.bought:
                bought = rolling.buy_reroll(throw.by or throw.kingdom, throw.roll, throw.kingdom, rules)
                rolling = bought.keep_die(throw.keep)
            else:
                rolling = rolling.with_roll(throw.kingdom, throw.roll)
        return rolling

    def _dice_before(self, state: State) -> tuple[ThrownDie, ...]:
        if not self.again or state.attack_roll is None:
            return ()
        return tuple(ThrownDie(d.kingdom, d.roll, d.bought, d.by, d.keep) for d in state.attack_roll.dice)

    def decide(self, state: State, rules: Options) -> list[Effect]:
        require_roll_off_open(state, again=self.again)
        rolling = self.replay(state, rules)
        if rolling.winner is None and not self.again:
            names = ", ".join(require_kingdom(state, key).name for key in rolling.waiting)
            raise Refusal(f"The roll-off is not decided. {names} must roll.", field="throws")
        if rolling.winner and self.winner not in (None, rolling.winner):
            raise Refusal(f"By these dice {require_kingdom(state, rolling.winner).name} attacks.", field="winner")
        paid = Counter(throw.by or throw.kingdom for throw in self.throws if throw.bought)
        dice = tuple(
            DieOfRollOff(throw.kingdom, throw.roll, throw.bought, throw.by, throw.keep)
            for throw in (*self._dice_before(state), *self.throws)
        )
        pair = state.attack_roll.pair if self.again and state.attack_roll else self.pair
        spent: list[Effect] = [VpChanged(who, -times * REROLL_PRICE, "reroll") for who, times in paid.items()]
        return [*spent, AttackRolled(rolling.winner, dice, pair)]


def require_roll_off_open(state: State, *, again: bool = False) -> None:
    """One roll-off for each battle: it binds until that battle is settled."""
    rolled = state.attack_roll
    if rolled is None:
        if again:
            raise Refusal("There is no roll-off to continue. Start a new one.", status=409)
        return
    if rolled.battle is not None:
        problem = f"Battle {rolled.battle} comes from the last roll-off and is not settled."
        raise Refusal(f"{problem} Report it or call it off first.", status=409)
    if not again:
        if rolled.winner is None:
            raise Refusal("The roll-off is tied. Those who tied roll again.", status=409)
        name = require_kingdom(state, rolled.winner).name
        raise Refusal(f"{name} has won the roll-off and attacks next. Choose its target first.", status=409)


def _require_right_to_attack(state: State, attacker: str, overrule: bool) -> None:
    rolled = state.attack_roll
    if overrule or rolled is None or rolled.battle is not None or rolled.winner == attacker:
        return
    if rolled.winner is None:
        raise Refusal("The roll-off is tied. Those who tied roll again first.", status=409)
    name = require_kingdom(state, rolled.winner).name
    raise Refusal(f"{name} won the roll-off, so {name} attacks. Only the game master can overrule that.", status=409)


def _require_free(state: State, key: str, *, but: int | None = None) -> None:
    """A kingdom can only fight one battle at a time."""
    kingdom = require_kingdom(state, key)
    if kingdom.status == FROZEN:
        raise Refusal(f"{kingdom.name} is frozen. Unfreeze it before it fights.", status=409)
    battle = state.open_battle_of(key)
    if battle and battle.number != but:
        sentence = f"{kingdom.name} is already in battle {battle.number}. Finish or call off that battle first."
        raise Refusal(sentence, status=409)


ScenarioKey = Annotated[str, enum_of(SCENARIO)]


def _check_scenario(key: str | None) -> None:
    if key is not None and key not in SCENARIO:
        raise Refusal(f"There is no scenario called {key!r}.", field="scenario")


@register_act("battle_declared", by=RULER)
class DeclareBattle(Act):
    given_numbers: ClassVar[tuple[str, ...]] = ("battle", "line")

    attacker: KingdomId
    target: TerritoryId
    scenario: ScenarioKey | None = None
    seen_holder: KingdomId | None = None
    defender: KingdomId | None = None
    battle: BattleNumber = 0
    line: int = 0  # the number of the entry
    overrule: bool = False  # the game master sets the roll-off aside

    def numbered(self, state: State, entry: int) -> "DeclareBattle":
        return replace(self, battle=state.battle_count + 1, line=entry)

    def rulers(self) -> tuple[str, ...]:
        return () if self.overrule else (self.attacker,)

    def kingdoms(self) -> tuple[str, ...]:
        return _fighters(self.attacker, self.defender, self.target)

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if state.winner:
            raise Refusal("This war is over. Open a new season to start another.", status=409)
        attacker = require_kingdom(state, self.attacker, "attacker").id
        _require_right_to_attack(state, attacker, self.overrule)
        key = parse_territory(self.target).key
        if battle := state.open_battle_for(key):
            raise Refusal(f"{state.place_name(key)} is already contested in battle {battle.number}.", status=409)
        fought = attack_targets.declare_attack(state.campaign_map(), attacker, key, rules, seen_holder=self.seen_holder)
        _require_free(state, attacker)
        _require_free(state, fought.holder)
        _check_scenario(self.scenario)
        return [BattleDeclared(self.battle, attacker, fought.holder, key, self.line, self.scenario)]


@register_act("battle_called_off", by=RULER)
class CallOffBattle(Act):
    """By either captain while nothing is on the table (the battle itself checks that), later by the game master."""

    battle: BattleNumber

    def rulers_in(self, state: State) -> tuple[str, ...]:
        battle = state.battles.get(self.battle)
        return (battle.attacker, battle.defender) if battle else ()

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if self.battle not in state.battles:
            raise Refusal(f"Battle {self.battle} is not open.", field="battle", status=409)
        return [BattleClosed(self.battle)]


@dataclass(frozen=True, slots=True)
class ReportOfSides(battle_scoring.Report):
    """The rulebook's report, and which kingdom was its side A."""

    side_a: KingdomId | None = None


@register_act("result", by=RULER)
class ReportResult(Act):
    """A battle entered by its outcome: points, loyalty, land and fealty follow, each with its reason."""

    confirm: ClassVar[bool] = True
    given_numbers: ClassVar[tuple[str, ...]] = ("battle",)

    attacker: KingdomId
    target: TerritoryId
    outcome: Outcome
    battle: BattleNumber = 0
    defender: KingdomId | None = None
    scenario: ScenarioKey | None = None
    as_agreed: bool = False
    points: Mapping[KingdomId, Vp] = field(default_factory=dict)
    spent: Mapping[KingdomId, Annotated[int, Whole("VP spent", 0, MAX_VP)]] = field(default_factory=dict)
    removed: Mapping[KingdomId, Annotated[int, Whole("Units removed", 0, MAX_UNITS)]] = field(default_factory=dict)
    others: Mapping[KingdomId, Vp] = field(default_factory=dict)
    houses_lost: Mapping[KingdomId, tuple[HouseNumber, ...]] = field(default_factory=dict)
    report: ReportOfSides | None = None
    told: TwoArmiesJson = field(default_factory=dict)  # unit by unit, as battles stores it
    many: ManyArmiesJson = field(default_factory=dict)  # the same for more than two armies

    def numbered(self, state: State, entry: int) -> "ReportResult":
        """The battle that was declared; one that was not gets its number now."""
        if self.battle and self.battle not in state.battles:
            raise Refusal(f"Battle {self.battle} is not open. It was already reported or called off.", status=409)
        return self if self.battle else replace(self, battle=state.battle_count + 1)

    def rulers(self) -> tuple[str, ...]:
        return _fighters(self.attacker, self.defender, self.target)

    def kingdoms(self) -> tuple[str, ...]:
        return (*self.rulers(), *self.others)

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if state.winner:
            raise Refusal("This war is over. Open a new season to start another.", status=409)
        number = self.battle
        attacker = require_kingdom(state, self.attacker, "attacker").id
        key = parse_territory(self.target).key
        open_battle = state.battles.get(number)
        if open_battle and (open_battle.attacker, open_battle.target) != (attacker, key):
            raise Refusal(f"Battle {number} was declared for another target.", field="target")
        if not open_battle and (other := state.open_battle_for(key)):
            sentence = f"{state.place_name(key)} is contested in battle {other.number}. Report that battle instead."
            raise Refusal(sentence, status=409)
        _check_scenario(self.scenario)
        loyalty = {kingdom.id: kingdom.loyalty for kingdom in state.in_play()}
        after = conquest.battle_consequences(
            state.campaign_map(), attacker, key, self.outcome, rules, loyalty=loyalty, as_agreed=self.as_agreed
        )
        for side in (attacker, after.defender):
            _require_free(state, side, but=number)
        if not set(self.removed) <= {attacker, after.defender}:
            raise Refusal("Only the two sides can remove units in a battle.", field="removed")
        effects = self._vp_effects(state, after, rules)
        effects += self._vp_of_other_armies(state, (attacker, after.defender))
        for moved in after.effects:
            effects += _translate_conquest_effect(moved, number)
        effects += self._lost_house_effects(state, (attacker, after.defender))
        # Record the defender: after a draw nothing else shows who it was.
        return [*effects, BattleClosed(number, after.defender)]

    def _vp_effects(self, state: State, after: conquest.BattleConsequences, rules: Options) -> list[Effect]:
        """VP of both sides, scored from a report or as counted, minus VP spent in the battle."""
        sides = (after.attacker, after.defender)
        effects: list[Effect] = []
        earned = dict.fromkeys(sides, 0)
        scored = score_sides(self.report, after, rules) if self.report else self._counted_vp(sides)
        for row in scored:
            if row.vp:
                earned[row.side] += row.vp
                effects.append(VpChanged(row.side, row.vp, row.why, self.battle))
        for side, spent in self.spent.items():
            if side not in sides:
                raise Refusal("Only the two sides can spend VP in a battle.", field="spent")
            if spent:
                vp_spending.available_vp(max(require_kingdom(state, side).vp, 0), earned[side], spent)
                effects.append(VpChanged(side, -spent, "spent_in_battle", self.battle))
        return effects

    def _counted_vp(self, sides: tuple[str, str]) -> "list[EarnedVp]":
        if not set(self.points) <= set(sides):
            raise Refusal("Only the two sides can earn VP in a battle.", field="points")
        return [EarnedVp(side, self.points.get(side, 0), "counted") for side in sides]

    def _vp_of_other_armies(self, state: State, sides: tuple[str, str]) -> list[Effect]:
        """Further armies where more than two met (SCEN-01): they earn VP; land and loyalty stay between the two."""
        if self.others and self.report:
            raise Refusal("With more than two armies, enter VP totals instead of units.", field="others")
        effects: list[Effect] = []
        for key, vp in self.others.items():
            kingdom = require_kingdom(state, key, "others")
            if kingdom.id in sides:
                raise Refusal(f"{kingdom.name} is already one of the two sides.", field="others")
            if vp:
                effects.append(VpChanged(kingdom.id, vp, "fought_beside", self.battle))
        return effects

    def _lost_house_effects(self, state: State, sides: tuple[str, str]) -> list[Effect]:
        effects: list[Effect] = []
        for side, lost in self.houses_lost.items():
            if side not in sides:
                raise Refusal("Only the two sides mustered for this battle.", field="houses_lost")
            kingdom = require_kingdom(state, side)
            for house in lost:
                if kingdom.houses[house - 1].lost:
                    sentence = f"The fealty of {kingdom.houses[house - 1].name} was already lost before this battle."
                    raise Refusal(sentence, field="houses_lost")
                effects.append(FealtyChanged(side, house, True, "sent_nobody", self.battle))
        return effects


@dataclass(frozen=True, slots=True)
class EarnedVp:
    side: str
    vp: int
    why: str


def score_sides(report: ReportOfSides, after: conquest.BattleConsequences, rules: Options) -> list[EarnedVp]:
    """Points by the scenario's own list, from what the report says happened."""
    score = report.score(rules)
    by_side = {report.side_a or after.attacker: "A"}
    by_side[after.defender if after.attacker in by_side else after.attacker] = "B"
    if set(by_side) != {after.attacker, after.defender}:
        raise Refusal("Side A must be one of the two sides.", field="side_a")
    winner = next((kingdom_id for kingdom_id, side in by_side.items() if side == score.winner), None)
    if winner != after.winner:
        raise Refusal(f"The winner does not match the report: {score.reason}", field="outcome")
    rows = [(kingdom, row) for kingdom, side in by_side.items() for row in score.lines if row.side == side]
    return [EarnedVp(kingdom, row.vp, f"score_{row.key}") for kingdom, row in rows]


def _translate_conquest_effect(moved: conquest.Effect, number: int) -> list[Effect]:
    if isinstance(moved, conquest.LoyaltyChanged):
        return [LoyaltyChanged(moved.kingdom, moved.change, moved.reason, number)]
    if isinstance(moved, conquest.TerritoryTaken):
        return [TerritoryTaken(moved.territory, moved.now, moved.was, moved.reason, number)]
    if isinstance(moved, conquest.CampaignWon):
        return [WarWon(moved.kingdom, moved.reason, number)]
    return []  # a King without his castle shows on the map


def _fighters(attacker: str, defender: str | None, target: str) -> tuple[str, ...]:
    owner = target.rpartition(".")[0]
    return tuple(dict.fromkeys(key for key in (attacker, defender, owner) if key))


@register_act("vp_spent", by=RULER)
class SpendVp(Act):
    kingdom: KingdomId
    what: Annotated[str, enum_of(vp_spending.PRICE)]
    house: int | None = None
    times: Annotated[int, Whole("The number of times", 1, 99)] = 1

    def decide(self, state: State, rules: Options) -> list[Effect]:
        kingdom = require_kingdom(state, self.kingdom)
        purse = max(kingdom.vp, 0)
        bought: list[Effect] = []
        if self.what == "regain":
            house = self.house or 0
            cost = vp_spending.buy_house_back(purse, house, kingdom.lost_houses()).cost
            bought = [FealtyChanged(kingdom.id, house, False, "regain")]
        elif self.what == "loyalty":
            cost = vp_spending.buy_loyalty(purse, kingdom.loyalty, self.times, rules).spent.cost
            bought = [LoyaltyChanged(kingdom.id, self.times, "bought")]
        elif self.what == "rebel_roll":
            battle = state.open_battle_of(kingdom.id)
            siege = battle is not None and battle.target.endswith(".castle")
            side = None if battle is None or not siege else "attacker" if battle.attacker == kingdom.id else "defender"
            cost = vp_spending.buy_rebel_roll(purse, siege_side=side).cost
        else:
            cost = vp_spending.spend_vp(purse, self.what, self.times).cost
        return [VpChanged(kingdom.id, -cost, self.what), *bought]


@dataclass(frozen=True, slots=True)
class AgreedHouse:
    kingdom: KingdomId
    house: HouseNumber
    lost: bool = False


@register_act("agreed_change")
class AgreeChange(Act):
    """An agreed change: it needs a reason but no rule."""

    why: Reason
    vp: Mapping[KingdomId, Annotated[int, Whole("VP", -999, 999)]] = field(default_factory=dict)
    loyalty: Mapping[KingdomId, Annotated[int, Whole("Loyalty", -99, 99)]] = field(default_factory=dict)
    hold: Holders = field(default_factory=dict)
    houses: tuple[AgreedHouse, ...] = ()

    def rulers(self) -> tuple[str, ...]:
        owners = (parse_territory(key).kingdom for key in self.hold)
        houses = (row.kingdom for row in self.houses)
        return tuple(dict.fromkeys([*self.vp, *self.loyalty, *self.hold.values(), *owners, *houses]))

    def decide(self, state: State, rules: Options) -> list[Effect]:
        effects: list[Effect] = []
        for key, by in self.vp.items():
            kingdom = require_kingdom(state, key)
            if by < 0 and kingdom.vp + by < 0:
                raise Refusal(f"{kingdom.name} has {kingdom.vp} VP. It cannot go below 0.", field="vp")
            if by:
                effects.append(VpChanged(kingdom.id, by, AGREED))
        for key, by in self.loyalty.items():
            if by:
                effects.append(LoyaltyChanged(require_kingdom(state, key).id, by, AGREED))
        for key, holder in self.hold.items():
            require_kingdom(state, parse_territory(key).kingdom, "territory")
            if state.holders.get(key) != require_kingdom(state, holder, "holder").id:
                effects.append(TerritoryTaken(key, holder, state.holders.get(key), AGREED))
        for row in self.houses:
            kingdom = require_kingdom(state, row.kingdom)
            if kingdom.houses[row.house - 1].lost != row.lost:
                effects.append(FealtyChanged(kingdom.id, row.house, row.lost, AGREED))
        if not effects:
            raise Refusal("Nothing was changed.")
        return effects


@register_act("campaign_won")
class WinCampaign(Act):
    """By the players' own victory condition."""

    kingdom: KingdomId
    why: Reason

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if state.winner:
            raise Refusal("This war is already won.", status=409)
        won = conquest.agreed_victory(state.campaign_map(), require_kingdom(state, self.kingdom).id)
        return [WarWon(won.kingdom, won.reason)]
