"""Royal Menagerie in our own words: rulings, and how to play with an example. Rules by number are in rules.md."""

from cardgames.engine.how_to_play import Example, HowTo, Section, Step, read_rows

RULINGS = {
    "GR-1": "If the Vizier does not win alone and the totals are tied, the Conspirators win. "
    "You can agree that nobody does.",
    "GR-2": "Whether a turn is part of the end-stage is decided when it begins. "
    "A Vizier who draws the last card still plays two.",
    "GR-3": "The Vizier draws both cards before playing the first.",
    "GR-4": "You must play a card. An action without a target is played without effect; "
    "with a target it has to be carried out, even if that hurts you.",
    "GR-5": "The limit of three applies to every way in: gifts, Steal and Trade. "
    "A type you have three of cannot be stolen.",
    "GR-6": "Trade needs two different players; you can be one of them. The two animals can be of the same type.",
    "GR-7": "Every menagerie has a pen for each type. Animals never wait outside.",
    "GR-8": "Check for a stampede after each new animal, on both sides of a Trade, and again until there is none.",
    "GR-9": "In a Bazaar, each card is resolved before the next player takes one. Everybody sees the row.",
    "GR-10": "The card being played is not yet in the discard pile, so its own effect cannot bring it back.",
    "GR-11": "If even the discard pile is too small, use the cards there are.",
    "GR-12": "Cards drawn from the discard pile do not interrupt the end-stage.",
    "GR-13": "A card played in a Bazaar or by Windfall does not replace your own turn.",
    "GR-14": "In the end-stage, players without cards are skipped. The game ends only when every effect is finished.",
    "GR-15": "There are five of each animal. In another deck, if nobody has room for an animal, it is discarded.",
    "GR-16": "If the Vizier wins alone, the Loyalist does not win, even if their total beats the Conspirators.",
    "GR-17": "You can say anything you like about roles, but never show your card.",
    "GR-18": "The Hiroa Antelope keeps its name as printed.",
}


EXAMPLE = Example(
    names=("Wren", "Tam", "Oda", "Pim"),
    orders=(
        "vizier conspirator loyalist conspirator",
        # The top of the deck stands last: the starting animals, one action among them.
        "mammoth mammoth white-tiger giant-ibis hiroa-antelope komodo-dragon shoot white-tiger galapagos-tortoise",
        # Windfall's two cards, the Bazaar's row, two draws, and the hands.
        "komodo-dragon shoot galapagos-tortoise trade mammoth windfall giant-ibis komodo-dragon white-tiger "
        "giant-ibis shoot hiroa-antelope galapagos-tortoise trade komodo-dragon mammoth bazaar giant-ibis steal "
        "white-tiger",
    ),
    rows=read_rows(
        "1 white-tiger, 1 2, 2 bazaar, 2 mammoth, 2 0, 3 windfall, 3 shoot, 3 0:mammoth, 3 komodo-dragon, 3 1, "
        "0 trade, 0 2:white-tiger, 0 3:mammoth, 1 galapagos-tortoise, 1 3"
    ),
    steps=(
        Step(
            0,
            1,
            "Wren is the Grand Vizier, so Tam on the left begins. Tam has drawn one card and must play one of four.",
        ),
        Step(1, 1, "Tam lays down a White Tiger. It cannot stay with Tam: an animal is a gift."),
        Step(
            2, None, "Oda had two White Tigers, worth 3 points. The third makes a crowd, and the pen is worth nothing."
        ),
        Step(3, None, "Oda draws and plays a Bazaar. Four cards lie open, and Oda takes the first."),
        Step(5, None, "Oda gives the Mammoth to the Vizier: two Mammoths are worth 6. Now Pim takes a card."),
        Step(6, 3, "Pim takes Windfall, draws two and plays two. This comes first; the Bazaar waits."),
        Step(8, None, "With the first card Pim shoots one of Wren's Mammoths. Six points become two."),
        Step(10, 0, "With the second Pim gives Tam a Komodo Dragon. Windfall is done; the Bazaar continues with Wren."),
        Step(13, None, "Wren trades Oda's third White Tiger for Pim's Mammoth. Oda's tigers are worth 3 again."),
        Step(15, None, "Tam plays the last card of the row, and the Bazaar is over. Pim's own turn is next."),
    ),
)

HOWTO = HowTo(
    aim="Fill your menagerie with pairs, crowd the pens of your rivals, and find out whose side each of them is on.",
    glance=(
        "Draw one, play one. The Vizier draws two and plays two.",
        "An animal is a gift to somebody else. An action takes effect at once.",
        "One of a type is 1 point, two are 3, three are 0. Mammoths count double.",
        "All six types together: a stampede, and one of each runs off.",
    ),
    sections=(
        Section(
            "Roles",
            (
                "One of the four is the Grand Vizier, and everybody knows who.",
                "One of the others is the Loyalist, two are Conspirators. They know only their own role.",
                "The Vizier wins alone with more points than each of the others, or together with the Loyalist "
                "when their points beat those of the Conspirators.",
                "The Loyalist wins only together with the Vizier. If the Vizier wins alone, the Loyalist gets nothing.",
                "If neither happens, the Conspirators win.",
            ),
        ),
        Section(
            "Your turn",
            (
                "Draw a card, then play a card. The Vizier does both twice, drawing first.",
                "An animal goes to one of the other three. Nobody can hold more than three of a type.",
                "An action takes effect at once. Without a target it is played without effect.",
            ),
        ),
        Section(
            "Actions",
            (
                "Shoot: discard any one animal, even your own.",
                "Steal: take an animal from another player, unless you already have three of its type.",
                "Trade: swap an animal of one player with an animal of another.",
                "Windfall: you draw two cards and play two.",
                "Bazaar: four cards are laid open. You take one and play it, then the others clockwise.",
                "An action played inside another is finished before the first one continues.",
            ),
        ),
        Section(
            "Stampede",
            (
                "A menagerie with all six types cannot hold together. "
                "One animal of each type is discarded on the spot.",
                "A gift, your own Steal or a Trade can cause it; after a Trade, check both sides.",
            ),
        ),
        Section(
            "The end",
            (
                "When the deck is empty, nobody draws any more, and the Vizier plays one card a turn like the others.",
                "If there are too few cards for a Bazaar or Windfall, shuffle the discard pile "
                "and draw the missing ones from it.",
                "When all hands are empty, roles are shown and points are counted.",
            ),
        ),
    ),
    example=EXAMPLE,
    rulings=tuple(RULINGS.items()),
)
