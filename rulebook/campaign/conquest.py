"""What a battle does to the map: territory that changes hands, Kings who fall, the campaign won, as effects."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from refusal import Refusal
from rulebook.campaign.attack_targets import Target, find_target
from rulebook.campaign.campaign_map import CampaignMap, find_victory
from rulebook.campaign.vp_spending import loyalty_after
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.rule_texts import Rule
from rulebook.input_checks import check_one_of

Outcome = Literal["attacker", "defender", "draw"]
OUTCOMES: tuple[Outcome, ...] = ("attacker", "defender", "draw")

# fmt: off
CONQUEST_RULES: tuple[Rule, ...] = (
    Rule("order",   "From the rim inwards",
         "Both borderlands fall first, then the lands, then the castle in a siege. "
         "So a campaign takes at least four victories.", ("MAP-01", "CAMP-05")),
    Rule("holders", "Who holds what",
         "With more than two kingdoms, note who holds each territory that is taken.", ("MAP-10",)),
)

# Why an effect came about, or why nothing did; pages and the chronicle show the text.
REASONS: tuple[Rule, ...] = (
    Rule("conquered",      "Conquered",        "The attacker won the battle fought there and takes the territory.",
         ("MAP-02",)),
    Rule("retaken_lands",  "Lands retaken",    "Its own King won the lands back while his castle stood.",
         ("MAP-02", "MAP-03")),
    Rule("retaken_border", "Border retaken",   "Its own King won the borderland back while he held the lands.",
         ("MAP-02", "MAP-04")),
    Rule("castle_taken",   "Castle taken",     "The siege succeeded and the castle changes hands.",
         ("SIEGE-15", "MAP-09")),
    Rule("inherited",      "Passes on",
         "Everything a fallen King still held goes to his conqueror. A borderland won like this counts as conquered.",
         ("R-72", "R-105")),
    Rule("king_out",       "King fallen",      "A King without a castle is out of the campaign.", ("R-72",)),
    Rule("won_two",        "Campaign won",     "The enemy's castle fell to a siege, which wins the campaign.",
         ("CAMP-02", "SIEGE-15")),
    Rule("won_held",       "Campaign won",
         "This King is the first to hold enough kingdoms to win.", ("CAMP-03", "R-71")),
    Rule("won_last",       "Campaign won",     "No other King is left.", ("CAMP-03", "R-72")),
    Rule("won_agreed",     "Campaign won",
         "This King met the victory condition the players agreed on.", ("CAMP-04",)),
    Rule("defended",       "Defended",         "The defender won and keeps the territory.", ("MAP-02",)),
    Rule("siege_defended", "Castle defended",
         "The siege failed and the campaign goes on. The lands stay with their holder.",
         ("CAMP-06", "R-77")),
    Rule("drawn",          "Drawn",
         "Nobody won, both armies fell at once, or the battle was left undecided: "
         "the territory and loyalty do not change.", ("R-56", "R-94", "R-98")),
    Rule("loyalty_won",    "Loyalty rises",    "A won battle adds 1 to loyalty.", ("MUSTER-04", "R-78")),
    Rule("loyalty_lost",   "Loyalty falls",    "A lost battle takes 1 from loyalty.", ("MUSTER-04", "R-78")),
    Rule("agreed",         "As agreed",        "The players agreed to this, whatever the map allowed.", ("CAMP-04",)),
)
# fmt: on

REASON: dict[str, Rule] = {reason.key: reason for reason in REASONS}


@dataclass(frozen=True, slots=True)
class TerritoryTaken:
    kind: ClassVar[str] = "territory_held"
    territory: str
    was: str
    now: str
    reason: str


@dataclass(frozen=True, slots=True)
class KingdomOut:
    kind: ClassVar[str] = "kingdom_out"
    kingdom: str
    by: str
    reason: str = "king_out"


@dataclass(frozen=True, slots=True)
class LoyaltyChanged:
    kind: ClassVar[str] = "loyalty_moved"
    kingdom: str
    change: int
    reason: str


@dataclass(frozen=True, slots=True)
class CampaignWon:
    kind: ClassVar[str] = "campaign_won"
    kingdom: str
    reason: str


Effect = TerritoryTaken | KingdomOut | LoyaltyChanged | CampaignWon


def apply_effects(campaign_map: CampaignMap, effects: Iterable[Effect]) -> CampaignMap:
    """The map after these effects. They were worked out once and are not judged again."""
    for effect in effects:
        if isinstance(effect, TerritoryTaken):
            campaign_map = campaign_map.with_holder(effect.territory, effect.now)
    return campaign_map


@dataclass(frozen=True, slots=True)
class BattleConsequences:
    """What a battle changed, and the map it leaves. ``note`` says in one row how it ended for the territory."""

    attacker: str
    defender: str
    territory: str
    outcome: Outcome
    effects: tuple[Effect, ...]
    note: Rule
    campaign_map: CampaignMap

    @property
    def winner(self) -> str | None:
        return {"attacker": self.attacker, "defender": self.defender}.get(self.outcome)


def battle_consequences(
    campaign_map: CampaignMap,
    attacker: str,
    key: str,
    outcome: str,
    options: Options = BY_THE_BOOK,
    *,
    loyalty: Mapping[str, int] | None = None,
    as_agreed: bool = False,
) -> BattleConsequences:
    """The effects of a battle for a territory, who won it given.

    Refused where the attacker may not attack there, unless the players agreed to allow it (``as_agreed``).
    ``loyalty``: of both Kings before the battle, needed only where the house rules set a limit to it.
    """
    result: Outcome = next(o for o in OUTCOMES if o == check_one_of(outcome, OUTCOMES, "outcome"))
    fought = find_target(campaign_map, attacker, key, options)
    if fought.holder == attacker:
        raise Refusal(fought.verdict.text, field="territory")
    if not fought.legal and not as_agreed:
        raise Refusal(fought.verdict.text, field="territory")
    effects: tuple[Effect, ...] = loyalty_effects(attacker, fought.holder, result, loyalty, options)
    if result != "attacker":
        quiet = "drawn" if result == "draw" else "siege_defended" if fought.siege else "defended"
        return BattleConsequences(attacker, fought.holder, key, result, effects, REASON[quiet], campaign_map)
    taken, note = _conquest_effects(campaign_map, fought)
    after = apply_effects(campaign_map, taken)
    effects += taken + _victory_effects(campaign_map, after, options)
    return BattleConsequences(attacker, fought.holder, key, result, effects, note, after)


def loyalty_effects(
    attacker: str,
    defender: str,
    outcome: Outcome,
    loyalty: Mapping[str, int] | None = None,
    options: Options = BY_THE_BOOK,
) -> tuple[Effect, ...]:
    """Only the two who fought gain and lose loyalty (R-78); a draw moves nothing (R-56)."""
    if outcome == "draw":
        return ()
    if options.loyalty_cap is not None and loyalty is None:
        raise Refusal("House rules limit loyalty. Give the loyalty before the battle.", field="loyalty")
    before = loyalty or {}
    winner, loser = (attacker, defender) if outcome == "attacker" else (defender, attacker)
    moves = (
        (winner, loyalty_after(before.get(winner, 0), "won", options=options).change, "loyalty_won"),
        (loser, loyalty_after(before.get(loser, 0), "lost", options=options).change, "loyalty_lost"),
    )
    # At the limit nothing changes, so there is no effect.
    return tuple(LoyaltyChanged(who, change, why) for who, change, why in moves if change)


def agreed_victory(campaign_map: CampaignMap, kingdom: str) -> CampaignWon:
    """A win by a condition of the players' own (CAMP-04)."""
    if campaign_map.is_out(kingdom):
        raise Refusal(REASON["king_out"].text, field="kingdom")
    return CampaignWon(kingdom, "won_agreed")


def _conquest_effects(campaign_map: CampaignMap, fought: Target) -> tuple[tuple[Effect, ...], Rule]:
    key, attacker, loser = fought.territory, fought.attacker, fought.holder
    owner = key.rpartition(".")[0]
    if not fought.legal:
        why = "agreed"
    elif fought.siege:
        why = "castle_taken"
    elif fought.retaking:
        why = "retaken_lands" if key.endswith(".lands") else "retaken_border"
    else:
        why = "conquered"
    effects: list[Effect] = [TerritoryTaken(key, loser, attacker, why)]
    # A castle its own King had lost before changes masters and no more.
    if fought.siege and loser == owner:
        effects.append(KingdomOut(owner, attacker))
        effects += [
            TerritoryTaken(held, owner, attacker, "inherited") for held in campaign_map.holdings(owner) if held != key
        ]
    return tuple(effects), REASON[why]


def _victory_effects(before: CampaignMap, after: CampaignMap, options: Options) -> tuple[Effect, ...]:
    won = find_victory(after, options)
    if won is None or find_victory(before, options) is not None:
        return ()
    if "CAMP-02" in won.rules:
        return (CampaignWon(won.kingdom, "won_two"),)
    return (CampaignWon(won.kingdom, "won_last" if "R-72" in won.rules else "won_held"),)
