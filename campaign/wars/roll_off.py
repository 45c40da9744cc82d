"""The roll-off for the attack, for page and API: dice typed or rolled here, the entry they decide, and its rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

from django.utils.crypto import salted_hmac

from campaign import services
from campaign.chronicle.acts.war import MAX_THROWS, RollForAttack, ThrownDie, require_roll_off_open
from campaign.chronicle.fields import KingdomId
from campaign.chronicle.state import Kingdom, State, get_term
from campaign.models import Campaign
from campaign.permissions import kingdoms_to_act_for
from chance import Dice
from dataclass_json import Count, Text, Whole
from log.models import Receipt
from people.requester import Who
from refusal import Refusal
from rulebook.campaign.roll_off import RollOff
from rulebook.odds.rolls import reroll_odds

# Sealed dice need two captains; for a roll-off the site rolls.
ROLLED_HERE = ("service", "sealed")


Die = Annotated[int, Whole("The die", 1, 10)]


@dataclass(frozen=True)
class RollDice:
    """Send no dice where the site rolls."""

    pair: Annotated[tuple[KingdomId, KingdomId] | None, "who rolls, where the players agree on two"] = None
    throws: Annotated[tuple[ThrownDie, ...], Count("Throws", MAX_THROWS), "from the answer before"] = ()
    dice: Annotated[Mapping[KingdomId, Die], "die by kingdom"] = field(default_factory=dict)
    buyer: Annotated[str, Text("The kingdom", 20, empty=True), "who buys a re-roll"] = ""
    bought: Annotated[Die | None, "what the bought die shows"] = None
    again: Annotated[bool, "a re-roll after the roll-off was decided"] = False


@dataclass(frozen=True, slots=True)
class ThrownDice:
    act: RollForAttack
    rolling: RollOff
    is_written: bool


def are_dice_rolled_here(state: State) -> bool:
    return get_term(state.terms, "dice") in ROLLED_HERE


def pair_of(state: State, one: str, other: str) -> tuple[str, str] | None:
    """The two that roll, where the players agree on them."""
    if state.rules().attacker_choice == "agreed_pair" and one in state.kingdoms and other in state.kingdoms:
        return one, other
    return None


def roll_off_so_far(state: State, pair: tuple[str, str] | None, throws: tuple[ThrownDie, ...]) -> RollForAttack:
    again = state.attack_roll is not None
    return RollForAttack(None if again else pair, throws, again=again)


def throw_dice(
    campaign: Campaign, who: Who, state: State, act: RollForAttack, rolling: RollOff, key: str, sent: RollDice
) -> ThrownDice:
    """Throw what is missing. Once decided, the roll-off is written and binds."""
    if not kingdoms_to_act_for(state, who, "roll_off"):
        raise Refusal("Only a ruler or the game master can roll for the attack.", status=403)
    if Receipt.objects.filter(log=campaign.log_id, actor=who.ref, key=key).exists():
        return ThrownDice(act, rolling, True)  # the same tap again: its dice have fallen
    if not sent.again:
        require_roll_off_open(state)
    act = replace(act, throws=(*act.throws, *_new_throws(campaign, state, rolling, key, sent)))
    rolling = act.replay(state, state.rules())
    if not act.throws or not (act.again or rolling.winner):
        return ThrownDice(act, rolling, False)
    services.write(campaign, who, replace(act, winner=rolling.winner), key=key)
    return ThrownDice(act, rolling, True)


def _new_throws(campaign: Campaign, state: State, rolling: RollOff, key: str, sent: RollDice) -> list[ThrownDie]:
    """New dice: typed, or all missing ones rolled here; and a bought die, of which the better counts."""
    # Seeded by the form's key, so a second tap rolls the same dice.
    dice = Dice(salted_hmac("roll-off", f"{campaign.pk}/{key}").hexdigest())
    here = are_dice_rolled_here(state)
    new: list[ThrownDie] = []
    if sent.buyer in rolling.players:
        face = dice.d10() if here else sent.bought
        if face is None:
            raise Refusal("Enter a number from 1 to 10.", field="bought")
        old = rolling.hands[rolling.players.index(sent.buyer)][-1]
        bought = ThrownDie(sent.buyer, face, bought=True, keep="new" if face > old else "old")
        new.append(bought)
        rolling = rolling.buy_reroll(sent.buyer, face, options=state.rules()).keep_die(bought.keep)
    if here:
        while rolling.waiting:
            throw = ThrownDie(rolling.waiting[0], dice.d10())
            rolling = rolling.with_roll(throw.kingdom, throw.roll)
            new.append(throw)
        return new
    return new + [ThrownDie(kingdom, sent.dice[kingdom]) for kingdom in rolling.waiting if kingdom in sent.dice]


def name_kingdoms(sentence: str, state: State) -> str:
    """Replace kingdom ids with names."""
    return " ".join(state.kingdoms[word].name if word in state.kingdoms else word for word in sentence.split(" "))


# --- Ready to draw: a row for each kingdom with its dice, and what a re-roll could do ------------------------


@dataclass(frozen=True, slots=True)
class DieFace:
    roll: int
    kept: bool
    bought: bool


@dataclass(frozen=True, slots=True)
class RollOffRow:
    kingdom: Kingdom
    dice: tuple[DieFace, ...]
    vp: int
    mark: str  # leads, tied, passes or nothing


@dataclass(frozen=True, slots=True)
class RerollChance:
    """What a bought die could do for a kingdom that is behind. The better die counts."""

    kingdom: Kingdom
    die: int
    vp: int
    wins: str  # "8, 9 or 10", or nothing
    ties: str
    share: int  # per cent that win


def roll_off_rows(state: State, rolling: RollOff) -> tuple[RollOffRow, ...]:
    rows = []
    for player in rolling.players:
        dice = _dice_of(rolling, player)
        mark = "leads" if player == rolling.winner else "tied" if dice and player in rolling.waiting else ""
        if player in rolling.passing:
            mark = "has nothing to attack"
        rows.append(RollOffRow(state.kingdoms[player], dice, rolling.vp_left(player), mark))
    return tuple(rows)


def _dice_of(rolling: RollOff, player: str) -> tuple[DieFace, ...]:
    """A player's dice in the order they fell. Of a die and its re-roll, one is struck out."""
    dice: list[DieFace] = []
    for throw in rolling.throws:
        if throw.player != player:
            continue
        bought = throw.buyer is not None
        if bought and throw.kept:
            last = max(at for at, die in enumerate(dice) if die.kept)
            dice[last] = replace(dice[last], kept=False)
        dice.append(DieFace(throw.roll, throw.kept is not False, bought))
    return tuple(dice)


def reroll_chances(state: State, rolling: RollOff) -> tuple[RerollChance, ...]:
    """Whoever can pay and does not lead, in the order in which they decide (R-103)."""
    if rolling.winner is None:
        return ()
    return tuple(
        _chance(state, rolling, player)
        for player in rolling.may_buy(state.rules())
        if player != rolling.winner and player not in rolling.passing
    )


def _chance(state: State, rolling: RollOff, player: str) -> RerollChance:
    die = rolling.hands[rolling.players.index(player)][-1]
    odds = reroll_odds(rolling, player, state.rules())
    wins, ties, share = _faces(odds.wins), _faces(odds.ties), round(odds.wins_at_once * 100)
    return RerollChance(state.kingdoms[player], die, rolling.vp_left(player), wins, ties, share)


def _faces(faces: tuple[int, ...]) -> str:
    *first, last = map(str, faces) if faces else ("",)
    return f"{', '.join(first)} or {last}" if first else last
