"""Rolls for the attack: new dice, typed or rolled here, and the entry once they decide it. Page and API call this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.crypto import salted_hmac

from campaign import services as campaign_services
from campaign.chronicle.acts.war import RollForAttack, ThrownDie, require_roll_off_open
from campaign.chronicle.state import State, get_term
from campaign.models import Campaign
from campaign.permissions import kingdoms_to_act_for
from chance import Dice
from log.models import Receipt
from pages.number_parsing import parse_int
from people.requester import Who
from refusal import Refusal
from rulebook.campaign.roll_off import RollOff

# Sealed dice need two captains; for a roll-off the site rolls.
ROLLED_HERE = ("service", "sealed")


@dataclass(frozen=True, slots=True)
class SentDice:
    """What was typed for each kingdom, if the players roll; and whose re-roll is bought, and what it shows."""

    key: str
    typed: Mapping[str, str]
    buyer: str = ""
    bought: str = ""
    again: bool = False


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
    campaign: Campaign, who: Who, state: State, act: RollForAttack, rolling: RollOff, sent: SentDice
) -> ThrownDice:
    """Throw what is missing. Once decided, the roll-off is written and binds."""
    if not kingdoms_to_act_for(state, who, "roll_off"):
        raise Refusal("Only a ruler or the game master can roll for the attack.", status=403)
    if Receipt.objects.filter(log=campaign.log_id, actor=who.ref, key=sent.key).exists():
        return ThrownDice(act, rolling, True)  # the same tap again: its dice have fallen
    if not sent.again:
        require_roll_off_open(state)
    act = replace(act, throws=(*act.throws, *_new_throws(campaign, state, rolling, sent)))
    rolling = act.replay(state, state.rules())
    if not act.throws or not (act.again or rolling.winner):
        return ThrownDice(act, rolling, False)
    campaign_services.write(campaign, who, replace(act, winner=rolling.winner), key=sent.key)
    return ThrownDice(act, rolling, True)


def _new_throws(campaign: Campaign, state: State, rolling: RollOff, sent: SentDice) -> list[ThrownDie]:
    """New dice: typed, or all missing ones rolled here; and a bought die, of which the better counts."""
    # Seeded by the form's key, so a second tap rolls the same dice.
    dice = Dice(salted_hmac("roll-off", f"{campaign.pk}/{sent.key}").hexdigest())
    here = are_dice_rolled_here(state)
    new: list[ThrownDie] = []
    if sent.buyer in rolling.players:
        face = dice.d10() if here else _parse_die(sent.bought)
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
    return new + [
        ThrownDie(key, _parse_die(typed)) for key in rolling.waiting if (typed := sent.typed.get(key, "").strip())
    ]


def _parse_die(typed: str) -> int:
    if (die := parse_int(typed)) is None:
        raise Refusal("Enter a number from 1 to 10.")
    return die


def name_kingdoms(sentence: str, state: State) -> str:
    """Replace kingdom ids with names."""
    return " ".join(state.kingdoms[word].name if word in state.kingdoms else word for word in sentence.split(" "))
