"""What Your Majesty says: events, who is being waited for, and each question with its choices and reasons."""

from collections.abc import Callable, Sequence
from typing import Any

from cardgames.engine import (
    PASS,
    BlockedChoice,
    Choice,
    Deck,
    EventSentence,
    QuestionDisplay,
    SentenceBuilder,
    View,
    distinct_labels,
)
from cardgames.games.majesty.deck_definition import CAMPAIGN, MajestyCard, faces_by_id
from cardgames.games.majesty.event_cards import ENOUGH
from cardgames.games.majesty.rules import (
    CAMPAIGN_ACTION,
    COLONY,
    END,
    EVENT,
    HOLD,
    LEND,
    PHILOSOPHE,
    REFILL,
    REFUSE,
    SALON,
    SEND,
    WITHDRAW,
)
from cardgames.games.majesty.view_reading import CourtView, Faces, courts_of

LINES = {
    "dealt": EventSentence("Everybody is dealt {n|card|cards}.", private="You are dealt {cards}.", minor=True),
    "first": EventSentence("{seat} begins.", "You begin."),
    "drew": EventSentence("{seat} draws {n|card|cards}.", private="You draw {n|card|cards}: {cards}."),
    "passed": EventSentence("{seat} takes no action.", "You take no action."),
    "expired": EventSentence("{seat's} {cards} is over.", "Your {cards} is over.", minor=True),
    "paid": EventSentence("{seat} discards {card}.", "You discard {card}.", minor=True),
    "played": EventSentence("{seat} plays {card}.", "You play {card}."),
    "no-effect": EventSentence("{card} has no effect."),
    "claimed": EventSentence("{seat} claims {card}.", "You claim {card}."),
    "arrived": EventSentence("{card} joins {seat's} court.", "{card} joins your court."),
    "attacks": EventSentence(
        "{seat} sends {other_card} against {of's} {card}.", "You send {other_card} against {of's} {card}."
    ),
    "defended": EventSentence(
        "{seat} answers with {other_card} and keeps {card}.", "You answer with {other_card} and keep {card}."
    ),
    "seized": EventSentence("{seat} seizes {card} from {of}.", "You seize {card} from {of}."),
    "declared": EventSentence("{seat} hosts a salon for {card}.", "You host a salon for {card}."),
    "invited": EventSentence("{seat} invites {cards}.", "You invite {cards}."),
    "lent": EventSentence("{seat} lends {of} {card}.", "You lend {of} {card}."),
    "refused": EventSentence("{seat} does not lend {card}.", "You do not lend {card}."),
    "salon-off": EventSentence("The salon for {card} does not take place."),
    "salon-won": EventSentence(
        "The card shows {number}: sophia {sophia} beats {difficulty}. {seat} implements {card}.",
        "The card shows {number}: sophia {sophia} beats {difficulty}. You implement {card}.",
    ),
    "salon-failed": EventSentence(
        "The card shows {number}: sophia {sophia} does not beat {difficulty}. {seat's} salon for {card} fails.",
        "The card shows {number}: sophia {sophia} does not beat {difficulty}. Your salon for {card} fails.",
    ),
    "abolished": EventSentence("Slavery is abolished. Slave colonies no longer cost prestige."),
    "erased": EventSentence("{cards} is forgotten at {seat's} court.", "{cards} is forgotten at your court."),
    "reshuffle": EventSentence("Reshuffle: both decks take their discards back and are shuffled."),
    "first-reshuffle": EventSentence("The action deck is empty. Its discards and the Reshuffle card form a new one."),
    "poaches": EventSentence(
        "{seat} offers {of's} {card} a place at court.", "You offer {of's} {card} a place at court."
    ),
    "cancelled": EventSentence(
        "{seat} answers with A Place at Court: {card} stays.", "You answer with A Place at Court: {card} stays."
    ),
    "poached": EventSentence("{card} moves from {of's} court to {seat's}.", "{card} moves from {of's} court to yours."),
    "died": EventSentence("{of's} {card} dies."),
    "smallpox": EventSentence("{seat's} {card} dies of smallpox.", "Your {card} dies of smallpox."),
    "offended": EventSentence("Someone at {of's} court is offended.", minor=True),
    "resigned": EventSentence("{card} resigns from {seat's} court.", "{card} resigns from your court."),
    "introduced": EventSentence(
        "{card} joins {seat's} court. {n|philosophe goes|philosophes go} under the deck.",
        "{card} joins your court. {n|philosophe goes|philosophes go} under the deck.",
    ),
    "rose": EventSentence("Slaves rise in {of's} {card}. It is unclaimed again."),
    "exchanged": EventSentence("{seat} swaps {first} for {of's} {second}.", "You swap {first} for {of's} {second}."),
    "spied": EventSentence("{seat} looks at {of's} hand.", "You look at {of's} hand.", minor=True),
    "stole": EventSentence(
        "{seat} takes {n|card|cards} from {of}.",
        "You take {n|card|cards} from {of}.",
        private="{seat} takes {cards} from {of}.",
    ),
    "lost-cards": EventSentence("{seat} loses {cards} to an intrigue.", "You lose {cards} to an intrigue."),
    "passed-on": EventSentence("{seat} passes {card} on to {to}.", "You pass {card} on to {to}."),
    "married": EventSentence("A scandal lies at {seat's} court. No philosophe is left to join.", ""),
    "married-well": EventSentence(
        "A scandal lies at {seat's} court, and {card} joins it.", "A scandal lies at your court, and {card} joins it."
    ),
    "scandal": EventSentence("{card} is the talk of {to's} court."),
    "despot": EventSentence("{seat's} hand limit is now five.", "Your hand limit is now five."),
    "boom": EventSentence("{seat's} wealth counts two more for a round.", "Your wealth counts two more for a round."),
    "tour": EventSentence(
        "{seat's} salons have two more sophia for a round.", "Your salons have two more sophia for a round."
    ),
    "peace": EventSentence(
        "Nobody can campaign until {seat's} next turn.", "Nobody can campaign until your next turn."
    ),
    "wrecked": EventSentence("A hurricane wrecks {of's} {cards}: no coins until {seat's} next turn."),
    "censored": EventSentence(
        "No salon for {muse} until {seat's} next turn.", "No salon for {muse} until your next turn."
    ),
}

NOTES = {"espionage": "{of's} hand: {cards}.", "letters": "Top of the philosophe deck: {cards}."}

WAITING = {
    "act": "{seat} chooses an action.",
    "pay": "{seat} chooses a card to discard.",
    "claim": "{seat} chooses a colony.",
    "attack": "{seat} chooses a colony to attack.",
    "defend": "{seat} can answer the campaign.",
    "cancel": "{seat} can answer.",
    "reform": "{seat} chooses a reform.",
    "invite": "{seat} invites guests.",
    "invite-more": "{seat} invites guests.",
    "lend": "{seats} answer the invitation.",
    "attend": "{seat} seats the guests.",
    "poach": "{seat} chooses a philosophe.",
    "kill": "{seat} chooses a philosophe.",
    "smallpox": "{seats} must lose a philosophe.",
    "offend": "{seat} chooses a court.",
    "resign": "{seat} must lose a philosophe.",
    "letters": "{seat} reads letters of introduction.",
    "underneath": "{seat} reads letters of introduction.",
    "rising": "{seat} chooses a colony.",
    "cede": "{seat} chooses a colony.",
    "exchange": "{seat} chooses a colony.",
    "spy": "{seat} chooses a court.",
    "steal": "{seat} looks at a hand.",
    "intrigue": "{seat} chooses a court.",
    "pass-on": "{seat} chooses a scandal.",
    "bearer": "{seat} chooses who bears the scandal.",
    "wreck": "{seat} chooses a colony.",
    "wreck-more": "{seat} chooses a colony.",
    "censor": "{seat} chooses a muse.",
}

LABELS = {
    "deck": "Action deck",
    "discard": "Action discards",
    "philosophe-deck": "Philosophe deck",
    "philosophe-discard": "Philosophe discards",
    "removed": "Out of the game",
    "unclaimed": "Unclaimed colonies",
    "open-reforms": "Unclaimed reforms",
    "at-work": "Being played",
}

ACTION_LABELS = {
    COLONY: "Choose a colony",
    PHILOSOPHE: "Draw a philosophe",
    SALON: "Host a salon",
    REFILL: "Refill your hand",
    END: "End turn",
}
ACTION_NAMES = {**ACTION_LABELS, EVENT: "Play an event", CAMPAIGN_ACTION: "Launch a campaign"}
TWICE = "You have already done this on this turn. Your second action must be a different one."
NO_HAND = "This costs a card, and your hand is empty."
WHY_NOT = {
    COLONY: "No colony is unclaimed.",
    PHILOSOPHE: "The philosophe deck is empty until the next Reshuffle.",
    REFILL: "Your hand is full, or there is no card to draw.",
    EVENT: "No event in your hand has an effect now.",
}
POOR = "A salon needs at least two chairs, and your wealth is {wealth}."
NO_MUSE = "You need a philosophe of a muse whose next reform is open to you, and somebody else to attend."
PEACE_HOLDS = "A Peace Congress forbids campaigns for now."
NO_CAMPAIGN = "You need a campaign card, and another court needs a colony."

Describe = Callable[[View, SentenceBuilder, Faces, Sequence[str], Any], QuestionDisplay]


def describe(view: View, words: SentenceBuilder, deck: Deck) -> QuestionDisplay:
    """The open question as a sentence, its choices, and what one might try but cannot do."""
    ask = view.asked
    shown = _DISPLAYS[ask.kind](view, words, faces_by_id(deck), ask.keys, ask.about)
    labels = distinct_labels([choice.label for choice in shown.choices])
    choices = tuple(
        Choice(choice.key, label, choice.card, choice.seat, choice.spot)
        for choice, label in zip(shown.choices, labels, strict=True)
    )
    return QuestionDisplay(shown.prompt, choices, shown.blocked)


def action_label(face: MajestyCard, names: Sequence[str]) -> str:
    """A card of a hand; cards of one name are told apart by their randomizers."""
    return f"{face.name} ({face.randomizer})" if names.count(face.name) > 1 else face.name


def _hand_labels(faces: Faces, ids: Sequence[str]) -> dict[str, str]:
    names = [faces[id].name for id in ids]
    return {id: action_label(faces[id], names) for id in ids}


def _act(view: View, words: SentenceBuilder, faces: Faces, keys: Sequence[str], about: Any) -> QuestionDisplay:
    taken = view.fields["taken"]
    labels = _hand_labels(faces, [key.partition(":")[2] for key in keys if ":" in key])
    choices = []
    for key in keys:
        act, _, card = key.partition(":")
        if card:
            verb = "Campaign with" if act == CAMPAIGN_ACTION else "Play"
            choices.append(Choice(key, f"{verb} {labels[card]}", card=card))
        else:
            choices.append(Choice(key, "End turn without acting" if key == END and not taken else ACTION_LABELS[key]))
    offered = {key.partition(":")[0] for key in keys}
    court = courts_of(view, faces)[view.reader]
    cannot = [
        BlockedChoice(ACTION_NAMES[act], _why_not(view, act, court))
        for act in ACTION_NAMES
        if act != END and act not in offered
    ]
    which = "first" if not taken else "second"
    return QuestionDisplay(f"Choose your {which} action.", tuple(choices), tuple(cannot))


def _why_not(view: View, act: str, court: CourtView) -> str:
    if act in view.fields["taken"]:
        return TWICE
    if act != REFILL and not court.hand:
        return NO_HAND
    if act == SALON:
        return POOR.format(wealth=court.wealth) if court.wealth < 2 else NO_MUSE
    if act == CAMPAIGN_ACTION:
        return PEACE_HOLDS if court.is_peace else NO_CAMPAIGN
    return WHY_NOT[act]


def _pay(view: View, words: SentenceBuilder, faces: Faces, keys: Sequence[str], about: Any) -> QuestionDisplay:
    labels = _hand_labels(faces, [key.partition(":")[2] for key in keys])
    return QuestionDisplay(
        "Which card do you discard for it?", tuple(Choice(f"pay:{id}", label, card=id) for id, label in labels.items())
    )


def at_courts(prompt: str, verb: str = "") -> Describe:
    """Cards at courts as targets; a key may have a prefix."""

    def display(view: View, words: SentenceBuilder, faces: Faces, keys: Sequence[str], about: Any) -> QuestionDisplay:
        owners = {card: court.seat for court in courts_of(view, faces) for card in court.all_cards}
        choices = []
        for key in keys:
            card = key.rpartition(":")[2]
            if key in PLAIN:
                choices.append(Choice(key, PLAIN[key]))
                continue
            owner = owners.get(card)
            name = words.card(card)
            whose = f"{words.whose(owner)} {name}" if owner is not None else name
            label = f"{verb}{whose}" if verb else whose
            choices.append(Choice(key, label[:1].upper() + label[1:], card=card, seat=owner))
        text = prompt
        if "{" in prompt:
            values = about if isinstance(about, dict) else {"card": about}
            text = words.fill(prompt, values)
        return QuestionDisplay(text, tuple(choices))

    return display


def _courts(prompt: str) -> Describe:
    def display(view: View, words: SentenceBuilder, faces: Faces, keys: Sequence[str], about: Any) -> QuestionDisplay:
        seats = [(key, int(key.removeprefix("seat-"))) for key in keys]
        text = words.fill(prompt, {"card": about}) if "{" in prompt else prompt
        return QuestionDisplay(text, tuple(Choice(key, words.who(seat), seat=seat) for key, seat in seats))

    return display


def _slots(prompt: str) -> Describe:
    """Cards that only this seat sees, by their place."""

    def display(view: View, words: SentenceBuilder, faces: Faces, keys: Sequence[str], about: Any) -> QuestionDisplay:
        ids: list[str] = about["cards"] if isinstance(about, dict) else about
        slots = [key for key in keys if key not in PLAIN]
        # For the two that go underneath, the list holds only those two.
        placed = dict(zip(slots, ids, strict=True)) if len(slots) == len(ids) else {}
        labels = _hand_labels(faces, ids)
        choices = []
        for key in keys:
            if key in PLAIN:
                choices.append(Choice(key, PLAIN[key]))
            else:
                id = placed.get(key) or ids[int(key.removeprefix("slot-")) - 1]
                choices.append(Choice(key, labels[id], card=id))
        values = about if isinstance(about, dict) else {}
        return QuestionDisplay(words.fill(prompt, values) if "{" in prompt else prompt, tuple(choices))

    return display


def _answer(prompt: str, let_go: str, verb: str) -> Describe:
    def display(view: View, words: SentenceBuilder, faces: Faces, keys: Sequence[str], about: Any) -> QuestionDisplay:
        cards = _hand_labels(faces, [key for key in keys if key != PASS])
        choices = [Choice(id, f"{verb} {label}", card=id) for id, label in cards.items()]
        return QuestionDisplay(words.fill(prompt, about), (*choices, Choice(PASS, let_go)))

    return display


def _lend(view: View, words: SentenceBuilder, faces: Faces, keys: Sequence[str], about: Any) -> QuestionDisplay:
    choices = []
    for key in keys:
        if key == LEND:
            choices.append(Choice(key, f"Lend {words.card(about['card'])}", card=about["card"], seat=view.seat))
        elif key == REFUSE:
            choices.append(Choice(key, "Refuse"))
        else:
            card = key.partition(":")[2]
            choices.append(Choice(key, f"Offer {words.card(card)}", card=card, seat=view.seat))
    prompt = words.fill("{by} asks for {card}, for {other_card}.", {**about, "other_card": about["reform"]})
    return QuestionDisplay(prompt, tuple(choices))


def _attend(view: View, words: SentenceBuilder, faces: Faces, keys: Sequence[str], about: Any) -> QuestionDisplay:
    choices = []
    for key in keys:
        if key in PLAIN:
            choices.append(Choice(key, PLAIN[key]))
        else:
            card = key.partition(":")[2]
            choices.append(Choice(key, f"Leave out {words.card(card)}", card=card))
    return QuestionDisplay("Do you hold the salon?", tuple(choices))


def _muse(view: View, words: SentenceBuilder, faces: Faces, keys: Sequence[str], about: Any) -> QuestionDisplay:
    return QuestionDisplay("Which muse is censored?", tuple(Choice(key, key.capitalize(), spot=key) for key in keys))


PLAIN = {SEND: "Send the invitations", HOLD: "Hold the salon", WITHDRAW: "Call it off", ENOUGH: "That is enough"}

_DISPLAYS: dict[str, Describe] = {
    "act": _act,
    "pay": _pay,
    "claim": at_courts("Which colony do you claim?"),
    "attack": at_courts("Which colony do you attack?"),
    "defend": _answer("{by} attacks your {card}. Do you answer?", "Let it go", "Answer with"),
    "cancel": _answer("{by} offers your {card} a place at court. Do you answer?", "Let it go", "Cancel with"),
    "reform": at_courts("Which reform do you attempt?"),
    "invite": at_courts("Whom do you invite? One guest from each court.", "Invite "),
    "invite-more": at_courts("Whom do you invite? One guest from each court.", "Invite "),
    "lend": _lend,
    "attend": _attend,
    "poach": at_courts("Whom do you bring to your court?"),
    "kill": at_courts("Who falls ill?"),
    "smallpox": at_courts("Which of your philosophes dies of smallpox?"),
    "offend": _courts("Whose court is offended?"),
    "resign": at_courts("Which of your philosophes resigns?"),
    "letters": _slots("Who joins your court?"),
    "underneath": _slots("Who goes to the very bottom of the deck?"),
    "rising": at_courts("In which colony do the slaves rise?"),
    "cede": at_courts("Which colony do you give away?"),
    "exchange": at_courts("What do you get for {card}?"),
    "spy": _courts("Whose hand do you look at?"),
    "steal": _slots("Which of {of's} cards do you take?"),
    "intrigue": _courts("Who loses two cards?"),
    "pass-on": at_courts("Which scandal do you pass on?"),
    "bearer": _courts("Who bears {card}?"),
    "wreck": at_courts("Which colony does the hurricane strike?"),
    "wreck-more": at_courts("Does it strike another one there?"),
    "censor": _muse,
}

assert CAMPAIGN == CAMPAIGN_ACTION  # A campaign card is a campaign.
