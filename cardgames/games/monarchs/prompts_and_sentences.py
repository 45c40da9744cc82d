"""What Of Mice and Monarchs says: events, who is being waited for, and each question with its choices and reasons."""

from collections.abc import Mapping, Sequence
from typing import Any

from cardgames.engine import BlockedChoice, Choice, Deck, EventSentence, QuestionDisplay, SentenceBuilder, View
from cardgames.games.monarchs.deck_definition import COLUMNS, SPOTS, TURNED_UP, costs_of

SPOT_NAMES = {
    spot: f"{'front' if number < COLUMNS else 'back'} row, {place}"
    for number, (spot, place) in enumerate(
        zip(SPOTS, ("first spot", "second spot", "third spot", "fourth spot") * 2, strict=True)
    )
}

LINES = {
    "start": EventSentence("{seat} is the start player.", "You are the start player."),
    "brisk": EventSentence("The brisk court: {n|card|cards} of each colour go back into the box unseen."),
    "filled": EventSentence("New at court: {cards}.", minor=True),
    "drew": EventSentence("{seat} draws {n|card|cards}.", private="You draw {cards}.", minor=True),
    "reshuffled": EventSentence(
        "{seat} shuffles the discards and lays them beneath the draw deck.",
        "You shuffle your discards and lay them beneath your draw deck.",
        minor=True,
    ),
    "lays": EventSentence(
        "{seat} lays out {cards}: influence {influence}, Move and Cover {moves}.",
        "You lay out {cards}: influence {influence}, Move and Cover {moves}.",
        minor=True,
    ),
    "bought": EventSentence("{seat} buys {card} for {price}.", "You buy {card} for {price}."),
    "moved": EventSentence("{seat} moves {card} ({start} to {end}).", "You move {card} ({start} to {end})."),
    "revealed": EventSentence("Nothing was bought, so the court deck shows {card}."),
    "bought-revealed": EventSentence(
        "{seat} buys {card} from the deck for {price}.", "You buy {card} from the deck for {price}."
    ),
    "covered": EventSentence("{seat} lays {card} on the {spot}.", "You lay {card} on the {spot}."),
    "last-round": EventSentence("The court deck is empty. {seat's} turn is the last of the game."),
    "dice": EventSentence("The white die shows {white}, the black die {black}."),
    "removed": EventSentence("{card} leaves the court for good ({spot})."),
    "family": EventSentence("{seat} sets aside {cards}.", "You set aside {cards}."),
}

WAITING = {
    "court": "{seat} is at court.",
    "move": "{seat} moves a card of the court.",
    "revealed": "{seat} decides about the revealed card.",
    "dice": "{seat} chooses which card the die takes.",
    "family": "{seats} choose what to set aside.",
}

LABELS = {
    "court": "Court",
    "deck": "Court deck",
    "revealed": "Revealed",
    "removed": "Out of the game",
    "box": "Box",
    "draw": "Draw deck",
    "hand": "Hand",
    "played": "Laid out",
    "discard": "Discards",
    **SPOT_NAMES,
}

TOO_DEAR = "It costs {price} here, and {left} influence is left."
TOO_DEAR_BACK = "It costs {price} in the back row, two more than printed, and {left} influence is left."
NO_ICON = "Each Move and Cover icon among the cards laid out allows one move, and none is left."
SAME_SPOT = "A move takes the card to another spot."
TOO_DEAR_REVEALED = "It costs {price}, and {left} influence is left."
BACK_ROW = "A card revealed from the deck is laid on a card of the front row."
EMPTY_SPOT = "It must cover a card, and this spot is empty."
MUST_TURN_UP = "You bought nothing, so you have to turn up the top card of the court deck."
ONE_GOES = "On a 5 or 6 you choose, but one card of the row has to go."
OTHER_ROW = "This die takes a card of the {row} row."
TWO_GO = "With three or more cards of a colour, you set aside exactly two."
COVERED = "A covered card can be neither bought nor moved until the card on it is gone."


def describe(view: View, words: SentenceBuilder, deck: Deck) -> QuestionDisplay:
    """The open question as a sentence, its choices, and what one might try but cannot do."""
    ask = view.asked
    return _DISPLAYS[ask.kind](view, words, costs_of(deck), ask.keys, ask.about)


Costs = Mapping[str, int]


def top_cards(view: View) -> dict[str, str]:
    """The card on top of each spot of the court that has one."""
    court = view.spots("court")
    return {spot: pile[-1] for spot, pile in zip(court.names, court.spots, strict=True) if pile}


def _court(view: View, words: SentenceBuilder, costs: Costs, keys: Sequence[str], about: Any) -> QuestionDisplay:
    fields = view.fields
    left = fields["influence"]
    choices, cannot = [], []
    for spot, card in top_cards(view).items():
        dear = costs[card] + (2 if spot.startswith("back") else 0)
        name = words.card(card)
        if f"buy:{spot}" in keys:
            choices.append(Choice(f"buy:{spot}", f"Buy {name} for {dear}", card=card, spot=spot))
        else:
            why = (TOO_DEAR_BACK if spot.startswith("back") else TOO_DEAR).format(price=dear, left=left)
            cannot.append(BlockedChoice(f"Buy {name}", why, card=card, spot=spot))
        if f"move:{spot}" in keys:
            choices.append(Choice(f"move:{spot}", f"Move {name}", card=card, spot=spot))
    if not fields["moves"]:
        cannot.append(BlockedChoice("Move and Cover", NO_ICON))
    court = view.spots("court")
    for spot, pile in zip(court.names, court.spots, strict=True):
        cannot += [BlockedChoice(words.card(card), COVERED, card=card, spot=spot) for card in pile[:-1]]
    if fields["bought"] or about == TURNED_UP or not view.zone("deck").size:
        choices.append(Choice("done", "Done"))
    else:
        choices.append(Choice("done", "Buy nothing and turn up the deck's top card"))
        cannot.append(BlockedChoice("Buy nothing and leave the deck alone", MUST_TURN_UP))
    moves = f" and {fields['moves']} Move and Cover" if fields["moves"] else ""
    how = "Buy and move in any order." if fields["moves"] else "Buy what you can afford."
    return QuestionDisplay(f"You have {left} influence{moves}. {how}", tuple(choices), tuple(cannot))


def _move(view: View, words: SentenceBuilder, costs: Costs, keys: Sequence[str], start: Any) -> QuestionDisplay:
    tops = top_cards(view)
    choices = []
    for key in keys:
        spot = key.partition(":")[2]
        under = tops.get(spot)
        label = f"Cover {words.card(under)} ({SPOT_NAMES[spot]})" if under else f"To the empty {SPOT_NAMES[spot]}"
        choices.append(Choice(key, label, card=under, spot=spot))
    here = BlockedChoice("Leave it where it is", SAME_SPOT, spot=start)
    return QuestionDisplay(f"Where does {words.card(tops[start])} go?", tuple(choices), (here,))


def _revealed(view: View, words: SentenceBuilder, costs: Costs, keys: Sequence[str], card: Any) -> QuestionDisplay:
    tops, left, dear = top_cards(view), view.fields["influence"], costs[card]
    choices, cannot = [], []
    if "buy" in keys:
        choices.append(Choice("buy", f"Buy {words.card(card)} for {dear}", card=card))
    else:
        why = TOO_DEAR_REVEALED.format(price=dear, left=left)
        cannot.append(BlockedChoice(f"Buy {words.card(card)}", why, card=card))
    for spot in SPOTS:
        under = tops.get(spot)
        label = f"Cover {words.card(under)} ({SPOT_NAMES[spot]})" if under else f"Lay it on the {SPOT_NAMES[spot]}"
        if f"cover:{spot}" in keys:
            choices.append(Choice(f"cover:{spot}", label, card=under, spot=spot))
        else:
            cannot.append(
                BlockedChoice(label, BACK_ROW if spot.startswith("back") else EMPTY_SPOT, card=under, spot=spot)
            )
    prompt = f"The deck shows {words.card(card)}. Buy it or lay it on a card of the front row."
    return QuestionDisplay(prompt, tuple(choices), tuple(cannot))


def _dice(view: View, words: SentenceBuilder, costs: Costs, keys: Sequence[str], about: Any) -> QuestionDisplay:
    tops = top_cards(view)
    choices = []
    for key in keys:
        spot = key.partition(":")[2]
        choices.append(Choice(key, f"Remove {words.card(tops[spot])} ({SPOT_NAMES[spot]})", card=tops[spot], spot=spot))
    cannot = [BlockedChoice("Keep them all", ONE_GOES)]
    for spot, card in tops.items():
        if not spot.startswith(about["row"]):
            cannot.append(
                BlockedChoice(f"Remove {words.card(card)}", OTHER_ROW.format(row=about["row"]), card=card, spot=spot)
            )
    prompt = f"The die shows {about['die']}: you choose which card of the {about['row']} row goes."
    return QuestionDisplay(prompt, tuple(choices), tuple(cannot))


def _family(view: View, words: SentenceBuilder, costs: Costs, keys: Sequence[str], about: Any) -> QuestionDisplay:
    choices = tuple(Choice(key, " and ".join(words.card(card) for card in key.split("+"))) for key in keys)
    prompt = f"Family scoring: which two {about['colour']} cards do you set aside? The first pair loses fewest crowns."
    return QuestionDisplay(prompt, choices, (BlockedChoice("Keep all of them", TWO_GO),))


_DISPLAYS = {"court": _court, "move": _move, "revealed": _revealed, "dice": _dice, "family": _family}
