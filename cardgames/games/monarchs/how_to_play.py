"""Of Mice and Monarchs in our own words: rulings, and how to play with an example. Rules by number are in rules.md."""

from cardgames.engine.how_to_play import Example, HowTo, Section, Step, read_rows

RULINGS = {
    "MR-1": "The rules set no maximum number of players. We seat one to four, or more if the deck has more letters.",
    "MR-2": "You can move a card to an empty spot.",
    "MR-3": "A revealed card costs what is printed, because it is not in a row.",
    "MR-4": "The reveal ends your turn, even if you have influence left. You can agree otherwise.",
    "MR-5": "A revealed card has to cover a front-row card, not an empty spot. "
    "If all front spots are empty, any of them will do.",
    "MR-6": "Stacks slide straight forward. Then the front row is filled from the left, then the back row.",
    "MR-7": "The end is triggered whenever the court deck is empty, even if its last card was revealed and bought.",
    "MR-8": "If that happens on the last turn of a round, the game ends with that turn.",
    "MR-9": "Tied players share the win. You can agree on most crowns or fewest cards instead.",
    "MR-10": "If the court deck is empty, nothing is revealed, and you can end your turn without buying.",
    "MR-11": "Everybody has seen the covered cards, so anyone can look at them.",
    "MR-12": "Solo: the turn is finished first, then both dice take their cards, then the court fills once. "
    "A turn that empties the deck ends the game before the dice.",
    "MR-13": "In family scoring you choose which two cards go. The first option loses the fewest crowns.",
    "MR-14": "When the discards are shuffled, this includes the cards you just laid out and bought.",
    "MR-15": "A die that points at an empty spot takes nothing.",
}


EXAMPLE = Example(
    names=("Wren", "Tam"),
    rolls=(1,),
    orders=(
        # Wren's first hand is worth 4, Tam's 3; the top of a deck stands last.
        "peasant-zero peasant-plus peasant-plus peasant-plus peasant-plus",
        "peasant-zero peasant-zero peasant-plus peasant-plus peasant-plus",
        # The court deck, and at its end the eight open cards, back row first.
        "red-usher green-knight blue-squire red-chancellor orange-heir yellow-heir red-intriguer blue-usher "
        "purple-chancellor yellow-steward orange-squire green-decorator blue-heir red-knight purple-usher",
        None,
        "green-decorator orange-squire peasant-plus peasant-plus peasant-plus",
    ),
    rows=read_rows(
        "0 buy:front-1, 0 buy:front-2, 0 done, 1 buy:front-4, 1 done, 0 done, 0 cover:front-3, 1 buy:front-1, "
        "1 done, 0 buy:front-2, 0 done, 1 move:back-1, 1 to:front-4, 1 buy:front-4, 1 done"
    ),
    steps=(
        Step(
            0,
            0,
            "Wren lays out all five cards: influence 4. The front row costs what is printed, the back row two more.",
        ),
        Step(2, 0, "Wren buys for 1 and for 3. Both cards go to the discard pile and do nothing yet."),
        Step(
            3,
            None,
            "Cards slide forward from the back row, and the court deck fills what is empty. Now it is Tam's turn.",
        ),
        Step(4, 1, "Tam buys a decorator for 2. The influence that is left is lost at the end of the turn."),
        Step(6, 0, "Wren buys nothing, so the top card of the court deck is turned up. Wren cannot afford it."),
        Step(7, None, "It must cover a card of the front row. Wren lays it on the heir, so nobody can buy that now."),
        Step(9, None, "Tam's draw deck was empty, so the discards were shuffled, including the decorator."),
        Step(
            11,
            1,
            "The decorator is in Tam's hand: one Move and Cover. The card Tam wants costs 2 more in the back row.",
        ),
        Step(13, 1, "Tam moves it to the front and on top of another card. There it costs what is printed."),
        Step(
            15,
            None,
            "Tam has bought it, and the card beneath is open again. Play continues until the court deck is empty.",
        ),
    ),
)

HOWTO = HowTo(
    aim="Start with ten peasants, win a court. In each colour your cards are multiplied by your crowns.",
    glance=(
        "Lay out all five cards and add up their influence.",
        "Buy and Move and Cover in any order. The back row costs two more.",
        "Nothing bought: turn up the court deck's top card, buy it or lay it on a card in front.",
        "Discard everything, fill the court, draw five.",
    ),
    sections=(
        Section(
            "Your turn",
            (
                "Lay all five hand cards open. Their total influence is what you can spend.",
                "Buy as many court cards as it pays for. "
                "They go to your discard pile and come back with the next shuffle.",
                "Influence you do not spend is lost.",
                "If you buy nothing, the top card of the court deck is turned up. Buy it for its printed cost, "
                "or lay it on a card of the front row. That ends your turn.",
            ),
        ),
        Section(
            "Move and Cover",
            (
                "Each of these icons on your five cards lets you move one card of the court to any other spot.",
                "Cards on one spot are a stack. Only its top card can be bought or moved.",
                "When the top card goes, the one beneath is free at once.",
            ),
        ),
        Section(
            "After your turn",
            (
                "Everything you laid out or bought goes to your discard pile.",
                "Stacks slide forward into empty spots of the front row, then the court deck fills the rest.",
                "You draw five. If your draw deck has fewer, the discards are shuffled and laid beneath it first.",
            ),
        ),
        Section(
            "The end",
            (
                "When the court deck is empty the round is played to its end, "
                "so that everybody has had the same number of turns.",
                "Take all your cards. In each of the six colours multiply cards by crowns, and add the six products.",
                "Four green cards with three crowns score 12 points; without a crown they score nothing. "
                "Peasants are grey and never score.",
                "A card with a crown behind a slash uses its left icon in play and counts as a crown in scoring.",
            ),
        ),
        Section(
            "With children",
            (
                "Family scoring needs no multiplying: everybody sets aside two cards of each "
                "colour and counts the crowns left.",
                "With one or two cards of a colour, all of them are set aside.",
            ),
        ),
        Section(
            "Solo",
            (
                "After each turn roll a white die for the front row and a black die for the back row.",
                "One to four takes the top card of that spot out of the game. With five or six you choose.",
                "The game ends when the court deck is empty. Beat your own record.",
            ),
        ),
    ),
    example=EXAMPLE,
    rulings=tuple(RULINGS.items()),
)
