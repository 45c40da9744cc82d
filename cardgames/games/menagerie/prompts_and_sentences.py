"""What Royal Menagerie says: events, who is being waited for, and each question with its choices and reasons."""

from collections.abc import Sequence
from typing import Any

from cardgames.engine import BlockedChoice, Choice, Deck, EventSentence, QuestionDisplay, SentenceBuilder, View
from cardgames.games.menagerie.deck_definition import ANIMALS, SEATS
from cardgames.games.menagerie.scoring import MAX_PEN

LINES = {
    "vizier": EventSentence("{seat} is the Grand Vizier.", "You are the Grand Vizier, and everybody knows it."),
    "starting-animals": EventSentence("Two animals move into each menagerie."),
    "dealt": EventSentence("Everybody is dealt {n|card|cards}.", private="You are dealt {cards}.", minor=True),
    "drew": EventSentence("{seat} draws {n|card|cards}.", private="You draw {cards}.", minor=True),
    "played": EventSentence("{seat} plays {card}.", "You play {card}."),
    "took": EventSentence("{seat} takes {card} from the Bazaar.", "You take {card} from the Bazaar."),
    "gift": EventSentence("{seat} gives {to} the {card}.", "You give {to} the {card}."),
    "no-pen": EventSentence("Nobody has room for the {card}. It goes to the discard pile."),
    "fizzle": EventSentence("{card} has no effect."),
    "shot": EventSentence("{seat} shoots {of's} {card}.", "You shoot {of's} {card}."),
    "stole": EventSentence("{seat} steals {of's} {card}.", "You steal {of's} {card}."),
    "traded": EventSentence(
        "{seat} swaps {of's} {first} for {to's} {second}.", "You swap {of's} {first} for {to's} {second}."
    ),
    "bazaar": EventSentence("The Bazaar lays out {cards}."),
    "from-discard": EventSentence("The deck is short. The shuffled discard pile gives {n|card|cards}."),
    "stampede": EventSentence("Stampede: one animal of each type runs from {seat's} menagerie."),
    "end-stage": EventSentence("The deck is empty. From now on nobody draws, and everybody plays one card a turn."),
    "role": EventSentence("{seat's} role: {card}.", "Your role: {card}."),
}

WAITING = {
    "play": "{seat} chooses a card to play.",
    "pick": "{seat} chooses a card of the Bazaar.",
    "gift": "{seat} chooses who receives the animal.",
    "shoot": "{seat} takes aim.",
    "steal": "{seat} chooses what to steal.",
    "trade-first": "{seat} chooses the first animal to trade.",
    "trade-second": "{seat} chooses the second animal to trade.",
}

LABELS = {
    "deck": "Deck",
    "discard": "Discard pile",
    "at-work": "Being played",
    "bazaar": "Bazaar",
    "role": "Role",
    "hand": "Hand",
    "menagerie": "Menagerie",
}

MUST_PLAY = "You must play a card. An action without a target is played and has no effect."
MUST_PICK = "Everybody takes one card from the Bazaar while there are any, and plays it at once."
NOT_ONESELF = "An animal is a gift. It goes to one of the other three."
FULL = "{whose} menagerie already has three of this type."
MUST_AIM = "An action with a target must be carried out, even if it hurts you."
OWN_STEAL = "Steal takes from another menagerie."
OWN_FULL = "You already have three of this type."
SAME_OWNER = "The two animals of a trade come from two different menageries."
NO_PARTNER = "No swap for this animal leaves every pen at three or fewer."
OVERFULL = "After this swap a pen would hold four."


def describe(view: View, words: SentenceBuilder, deck: Deck) -> QuestionDisplay:
    """The open question as a sentence, its choices, and what one might try but cannot do."""
    ask = view.asked
    return _DISPLAYS[ask.kind](view, words, ask.keys, ask.about)


def _counts(view: View) -> list[list[int]]:
    counts: list[list[int]] = view.spots_each("menagerie").counts
    return counts


def _pen(words: SentenceBuilder, key: str) -> tuple[int, str, str]:
    seat, _, animal = key.partition(":")
    label = f"{words.whose(int(seat))} {words.card(animal)}"
    return int(seat), animal, label[:1].upper() + label[1:]


def _all_pens(view: View) -> list[str]:
    return [
        f"{seat}:{animal}"
        for seat, counts in enumerate(_counts(view))
        for animal, count in zip(ANIMALS, counts, strict=True)
        if count
    ]


def _play(view: View, words: SentenceBuilder, keys: Sequence[str], about: Any) -> QuestionDisplay:
    at_work = view.zone("at-work").faces
    if at_work:
        prompt = f"{words.card(at_work[-1])}: play a card from your hand."
    elif view.fields["plays_left"] == 2:
        prompt = "Play the first of your two cards."
    elif view.seat == view.fields["vizier"] and view.fields["stage"] == "main":
        prompt = "Play the second of your two cards."
    else:
        prompt = "Play a card."
    choices = tuple(Choice(key, words.card(key), card=key) for key in keys)
    return QuestionDisplay(prompt, choices, (BlockedChoice("Play nothing", MUST_PLAY),))


def _pick(view: View, words: SentenceBuilder, keys: Sequence[str], about: Any) -> QuestionDisplay:
    choices = tuple(Choice(key, words.card(key), card=key) for key in keys)
    return QuestionDisplay(
        "Take a card from the Bazaar. You play it at once.", choices, (BlockedChoice("Take nothing", MUST_PICK),)
    )


def _gift(view: View, words: SentenceBuilder, keys: Sequence[str], animal: Any) -> QuestionDisplay:
    cannot = []
    for seat in range(SEATS):
        if seat == view.seat:
            cannot.append(BlockedChoice("Keep it yourself", NOT_ONESELF, seat=seat))
        elif str(seat) not in keys:
            whose = words.whose(seat)
            cannot.append(BlockedChoice(f"Give it to {words.who(seat)}", FULL.format(whose=whose), seat=seat))
    choices = tuple(Choice(key, f"Give it to {words.who(int(key))}", seat=int(key)) for key in keys)
    return QuestionDisplay(f"Who receives the {words.card(animal)}?", choices, tuple(cannot))


def _at_pens(prompt: str, words: SentenceBuilder, keys: Sequence[str], cannot: list[BlockedChoice]) -> QuestionDisplay:
    choices = []
    for key in keys:
        seat, animal, label = _pen(words, key)
        choices.append(Choice(key, label, card=animal, seat=seat))
    return QuestionDisplay(prompt, tuple(choices), tuple(cannot))


def _shoot(view: View, words: SentenceBuilder, keys: Sequence[str], about: Any) -> QuestionDisplay:
    return _at_pens(
        "Which animal do you shoot? You can shoot your own.", words, keys, [BlockedChoice("Shoot nothing", MUST_AIM)]
    )


def _steal(view: View, words: SentenceBuilder, keys: Sequence[str], about: Any) -> QuestionDisplay:
    cannot = [BlockedChoice("Steal nothing", MUST_AIM)]
    for key in _all_pens(view):
        if key not in keys:
            seat, animal, label = _pen(words, key)
            cannot.append(BlockedChoice(label, OWN_STEAL if seat == view.seat else OWN_FULL, card=animal, seat=seat))
    return _at_pens("Which animal do you steal?", words, keys, cannot)


def _trade_first(view: View, words: SentenceBuilder, keys: Sequence[str], about: Any) -> QuestionDisplay:
    cannot = [BlockedChoice("Trade nothing", MUST_AIM)]
    for key in _all_pens(view):
        if key not in keys:
            seat, animal, label = _pen(words, key)
            cannot.append(BlockedChoice(label, NO_PARTNER, card=animal, seat=seat))
    return _at_pens("Trade: which animal first? You can choose your own.", words, keys, cannot)


def _trade_second(view: View, words: SentenceBuilder, keys: Sequence[str], first: Any) -> QuestionDisplay:
    owner, animal, _ = _pen(words, first)
    name = f"{words.whose(owner)} {words.card(animal)}"
    cannot = []
    for key in _all_pens(view):
        if key not in keys:
            seat, animal, label = _pen(words, key)
            cannot.append(BlockedChoice(label, SAME_OWNER if seat == owner else OVERFULL, card=animal, seat=seat))
    return _at_pens(f"Trade: {name} is swapped for which animal?", words, keys, cannot)


_DISPLAYS = {
    "play": _play,
    "pick": _pick,
    "gift": _gift,
    "shoot": _shoot,
    "steal": _steal,
    "trade-first": _trade_first,
    "trade-second": _trade_second,
}

assert MAX_PEN == 3  # The sentences above say "three".
