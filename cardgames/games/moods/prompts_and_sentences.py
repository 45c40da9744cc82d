"""What Moods of the Mad King says: events, who is being waited for, and each question with its choices and reasons."""

from collections.abc import Callable, Sequence
from typing import Any

from cardgames.engine import (
    BlockedChoice,
    Choice,
    Deck,
    EventSentence,
    QuestionDisplay,
    SentenceBuilder,
    View,
    distinct_labels,
)

LINES = {
    "dealt": EventSentence(
        "Everybody is dealt a Muse, Moods that are not the King's, and {n|action card|action cards}.",
        private="You hold {cards}, so the King's Mood is another.",
        minor=True,
    ),
    "begins": EventSentence("{seat} begins.", "You begin."),
    "drew": EventSentence("{seat} draws a card and looks at it.", private="You draw {cards}.", minor=True),
    "kept": EventSentence("{seat} keeps {card}.", "You keep {card}."),
    "gave": EventSentence("{seat} gives {to} {card}.", "You give {to} {card}."),
    "discarded": EventSentence("{seat} discards {card}.", "You discard {card}."),
    "used": EventSentence("{seat} uses {card}.", "You use {card}."),
    "fizzle": EventSentence("{card} has no effect."),
    "called": EventSentence(
        "{seat} takes {card} from the discard pile.", "You take {card} from the discard pile into your play."
    ),
    "swapped": EventSentence("{seat} swaps {first} for {of's} {second}.", "You swap your {first} for {of's} {second}."),
    "reviewed": EventSentence("{seat} tears up {of's} {card}.", "You tear up {of's} {card}."),
    "frightened": EventSentence("{of} must discard a card.", "{of} must discard a card."),
    "keyhole": EventSentence(
        "{seat} looks at one of {of's} Moods.",
        "You look at one of {of's} Moods.",
        "You look through the keyhole: {of} holds {cards}.",
    ),
    "maid": EventSentence(
        "{seat} looks at {of's} Muse.", "You look at {of's} Muse.", "The maid whispers: {of's} Muse is the {cards}."
    ),
    "prompted": EventSentence(
        "{seat} looks at {n|card|cards} on top of the deck.", private="The next cards are {cards}."
    ),
    "reordered": EventSentence("{seat} puts them back.", "You put them back in your order.", minor=True),
    "patron": EventSentence("{seat} looks at an unused Muse.", private="The unused Muse is the {cards}."),
    "exchanged": EventSentence(
        "{seat} takes it and puts the old Muse back.", "You take it and put your old Muse back."
    ),
    "declined": EventSentence("{seat} keeps the old Muse.", "You keep your Muse."),
    "tantrum": EventSentence(
        "{seat} exchanges a Mood with the King's, face down.",
        private="You exchange a Mood with the King's. The King's Mood was {cards}; now it is yours.",
    ),
    "recast": EventSentence("{seat} moves {of's} {card} to {to}.", "You move {of's} {card} to {to}."),
    "encore": EventSentence("{seat} puts {card} back on top of the deck.", "You put {card} back on top of the deck."),
    "script": EventSentence("{seat} looks at the top card of the deck.", private="The top card is {cards}."),
    "burnt": EventSentence("{seat} burns {card}.", "You burn {card}."),
    "put-back": EventSentence("{seat} puts it back.", "You put it back."),
    "passed": EventSentence("{seat} passes {card} to {to}.", "You pass {card} to {to}."),
    "king": EventSentence("The show begins. The King's Mood is {card}."),
    "muse": EventSentence("{seat's} Muse: {card}.", "Your Muse: {card}."),
    "beheaded": EventSentence("{seat} is beheaded.", "You are beheaded."),
    "no-patron": EventSentence("{seat} loses their patron.", "You lose your patron."),
    "lost-both": EventSentence("{seat} is beheaded and loses their patron.", "You lose your head and your patron."),
}

NOTES = {
    "keyhole": "{of} held {cards}.",
    "maid": "{of's} Muse was the {cards}.",
    "patron": "An unused Muse was the {cards}.",
}

WAITING = {
    "first": "{seat} says who saw a play last.",
    "draw": "{seat} keeps the card or gives it away.",
    "cut": "{seat} discards down to three.",
    "action": "{seat} can use an action card.",
    "curtain-call": "{seat} looks through the discard pile.",
    "scene-own": "{seat} chooses a card to swap.",
    "scene-other": "{seat} chooses a card to swap.",
    "review": "{seat} chooses a card to tear up.",
    "fright": "{seat} chooses who gets stage fright.",
    "fright-drop": "{seat} must discard a card.",
    "keyhole": "{seat} chooses a keyhole.",
    "maid": "{seat} chooses a maid.",
    "prompter": "{seat} puts the top cards in order.",
    "patron": "{seat} considers another Muse.",
    "tantrum": "{seat} chooses a Mood for the King.",
    "recast": "{seat} chooses a card to recast.",
    "recast-to": "{seat} chooses a new play for it.",
    "encore": "{seat} looks through the discard pile.",
    "script": "{seat} decides about the top card.",
    "scenery": "{seats} each choose a card to pass on.",
}

LABELS = {
    "deck": "Deck",
    "discard": "Discard pile",
    "king": "The King's Mood",
    "spare-moods": "Mood set aside",
    "unused-muses": "Unused Muses",
    "in-use": "In use",
    "used": "Used actions",
    "box": "Box",
    "play": "Play",
    "drawn": "Drawn card",
    "mood": "Moods in hand",
    "role": "Muse",
    "hand": "Actions",
}

MUST_FOLLOW = "If an action card can do something, you must do it."
OWN_CARD = "This card works on another play."
MUST_CUT = "A play has at most three acts."


def describe(view: View, words: SentenceBuilder, deck: Deck) -> QuestionDisplay:
    """The open question as a sentence, its choices, and what one might try but cannot do."""
    ask = view.asked
    return _DISPLAYS[ask.kind](view, words, ask.keys, ask.about)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def target_label(words: SentenceBuilder, key: str) -> str:
    """Such as "Pim's Drama" for "1:play-drama"."""
    seat, _, face = key.partition(":")
    return _upper(f"{words.whose(int(seat))} {words.card(face)}")


def _at_seat(words: SentenceBuilder, key: str, label: str) -> Choice:
    return Choice(key, _upper(label.format(who=words.who(int(key)), whose=words.whose(int(key)))), seat=int(key))


def _draw(view: View, words: SentenceBuilder, keys: Sequence[str], face: Any) -> QuestionDisplay:
    choices = []
    for key in keys:
        if key == "keep":
            choices.append(Choice(key, "Keep it", card=face, seat=view.reader))
        else:
            seat = int(key.partition(":")[2])
            choices.append(Choice(key, f"Give it to {words.who(seat)}", card=face, seat=seat))
    cannot = BlockedChoice("Use an action card first", "You can use one after giving the card away.")
    return QuestionDisplay(f"You drew {words.card(face)}. Keep it or give it away?", tuple(choices), (cannot,))


def _own_cards(prompt: str, why: str) -> Callable[[View, SentenceBuilder, Sequence[str], Any], QuestionDisplay]:
    def display(view: View, words: SentenceBuilder, keys: Sequence[str], about: Any) -> QuestionDisplay:
        choices = tuple(Choice(key, words.card(key), card=key, seat=view.reader) for key in keys)
        return QuestionDisplay(prompt, choices, (BlockedChoice("Choose none", why),))

    return display


def _action(view: View, words: SentenceBuilder, keys: Sequence[str], about: Any) -> QuestionDisplay:
    choices = tuple(
        Choice(key, "Use no action card") if key == "skip" else Choice(key, words.card(key), card=key) for key in keys
    )
    cannot = BlockedChoice("Use two action cards", "You can use one action card a turn.")
    return QuestionDisplay("You gave the card away. Use an action card?", choices, (cannot,))


def _others_cards(prompt: str) -> Callable[[View, SentenceBuilder, Sequence[str], Any], QuestionDisplay]:
    def display(view: View, words: SentenceBuilder, keys: Sequence[str], about: Any) -> QuestionDisplay:
        choices = tuple(
            Choice(key, target_label(words, key), card=key.partition(":")[2], seat=int(key.partition(":")[0]))
            for key in keys
        )
        own = view.zones_each("play").faces(view.reader)
        cannot = [BlockedChoice("Choose none", MUST_FOLLOW)]
        cannot += [
            BlockedChoice(f"Your {words.card(face)}", OWN_CARD, card=face, seat=view.reader)
            for face in dict.fromkeys(own)
        ]
        return QuestionDisplay(prompt, choices, tuple(cannot))

    return display


def _seats(prompt: str, label: str, why: str = MUST_FOLLOW) -> Callable[..., QuestionDisplay]:
    def display(view: View, words: SentenceBuilder, keys: Sequence[str], about: Any) -> QuestionDisplay:
        choices = tuple(_at_seat(words, key, label) for key in keys)
        return QuestionDisplay(prompt, choices, (BlockedChoice("Choose nobody", why),))

    return display


def _slots(words: SentenceBuilder, keys: Sequence[str], faces: Sequence[str]) -> tuple[Choice, ...]:
    labels = distinct_labels([words.card(face) for face in faces])
    return tuple(Choice(key, label, card=face, spot=key) for key, label, face in zip(keys, labels, faces, strict=True))


def _prompter(view: View, words: SentenceBuilder, keys: Sequence[str], about: Any) -> QuestionDisplay:
    prompt = "Which card is drawn next after those?" if about["placed"] else "Which card is drawn first?"
    return QuestionDisplay(prompt, _slots(words, keys, about["cards"]), (BlockedChoice("Look at fewer", MUST_FOLLOW),))


def _tantrum(view: View, words: SentenceBuilder, keys: Sequence[str], about: Any) -> QuestionDisplay:
    cannot = BlockedChoice("Exchange none", MUST_FOLLOW)
    return QuestionDisplay("Which Mood becomes the King's?", _slots(words, keys, about), (cannot,))


def _patron(view: View, words: SentenceBuilder, keys: Sequence[str], face: Any) -> QuestionDisplay:
    labels = {"exchange": f"Take the {words.card(face)}", "decline": "Keep your Muse"}
    choices = tuple(Choice(key, labels[key], card=face if key == "exchange" else None) for key in keys)
    cannot = BlockedChoice("Look at another", "You look at only one unused Muse.")
    return QuestionDisplay(f"The unused Muse is the {words.card(face)}. Exchange yours?", choices, (cannot,))


def _script(view: View, words: SentenceBuilder, keys: Sequence[str], face: Any) -> QuestionDisplay:
    labels = {"burn": f"Burn {words.card(face)}", "put-back": "Put it back on top"}
    choices = tuple(Choice(key, labels[key], card=face) for key in keys)
    cannot = BlockedChoice("Keep it", "You either burn the card or put it back.")
    return QuestionDisplay(f"The top card is {words.card(face)}. Burn it?", choices, (cannot,))


def _scene_other(view: View, words: SentenceBuilder, keys: Sequence[str], face: Any) -> QuestionDisplay:
    return _others_cards(f"Swap your {words.card(face)} for which card?")(view, words, keys, face)


def _fright_drop(view: View, words: SentenceBuilder, keys: Sequence[str], seat: Any) -> QuestionDisplay:
    return _own_cards(f"{_upper(words.whose(seat))} Stage Fright: discard one of your cards.", MUST_FOLLOW)(
        view, words, keys, seat
    )


_DISPLAYS: dict[str, Callable[[View, SentenceBuilder, Sequence[str], Any], QuestionDisplay]] = {
    "first": _seats("Who saw a play most recently?", "{who}", "Somebody has to begin."),
    "draw": _draw,
    "cut": _own_cards("Your play has too many acts. Which one goes?", MUST_CUT),
    "action": _action,
    "curtain-call": _own_cards("Which discarded card do you put into your play?", MUST_FOLLOW),
    "scene-own": _own_cards("Which card of your play do you swap?", MUST_FOLLOW),
    "scene-other": _scene_other,
    "review": _others_cards("Which card do you tear up?"),
    "fright": _seats("Who gets stage fright?", "{who}"),
    "fright-drop": _fright_drop,
    "keyhole": _seats("Whose Mood do you look at?", "{whose} Mood"),
    "maid": _seats("Whose Muse do you look at?", "{whose} Muse"),
    "prompter": _prompter,
    "patron": _patron,
    "tantrum": _tantrum,
    "recast": _others_cards("Which card gets another play?"),
    "recast-to": _seats("Into whose play?", "{whose} play"),
    "encore": _own_cards("Which discarded card goes back on the deck?", MUST_FOLLOW),
    "script": _script,
    "scenery": _own_cards("Which card do you pass to the left? Your choice is final.", MUST_FOLLOW),
}
