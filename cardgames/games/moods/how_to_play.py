"""Moods of the Mad King in our own words: rulings, and how to play with an example. Rules by number are in rules.md."""

from cardgames.engine.how_to_play import Example, HowTo, Section, Step, read_rows

RULINGS = {
    "DR-1": "There is one Muse for each genre.",
    "DR-2": "With three players, the Mood that is left over is set aside face down. Nobody sees it.",
    "DR-3": "Nobody sees the action cards in the box or the unused Muses.",
    "DR-4": "The owner of the play chooses what to discard, and can choose the card just received.",
    "DR-5": "If the Muse wants the same genre as the King, one card satisfies both. You can agree that it takes two.",
    "DR-6": "First the card goes into a play, then that play is cut to three, then the giver uses an action card.",
    "DR-7": "Whoever gives the last card can still use an action card: the end is checked at the start of a turn.",
    "DR-8": "Online, chance decides who begins. You can also say who saw a play last, or fix a seat.",
    "DR-9": "You can say anything you like about your hidden cards, but never show them.",
    "DR-10": "Used action cards have their own pile and never come back.",
    "DR-11": "An action card that can do nothing can still be used. It is discarded without effect.",
    "DR-12": "A playwright who fails both tests is beheaded and without a patron.",
    "DR-13": "A play is cut to three after every addition, also after those of action cards.",
    "DR-14": "If you agreed that it takes two cards and there is only one, the King is pleased and the patron is lost.",
    "DR-15": "An action card that can do something must be followed.",
    "DR-16": "Stage Fright is aimed at another player.",
    "DR-17": "Everybody sees targets, except the Mood put down in a Royal Tantrum. Only its owner knows that one.",
    "DR-18": "The Prompter looks at three cards, or at as many as there are.",
    "DR-19": "An action card in use lies open and belongs to no hand or pile until it is done.",
    "DR-20": "Double Bill draws a card like any other. A game has 14 to 16 draws and 13 to 16 turns.",
    "DR-21": "A Muse exchanged for a New Patron joins the unused ones unseen. "
    "Everybody sees whether the exchange was made.",
    "DR-22": "At the Keyhole on two Moods: the owner knows that one was seen, but not which.",
    "DR-23": "A sealed choice is final. A player without action cards is not asked for one. "
    "The show turns up the King's Mood and the Muses, nothing else.",
    "DR-24": "“Left” is the next player in turn order, even if that play is empty.",
}


EXAMPLE = Example(
    names=("Wren", "Tam", "Oda"),
    # The last of each order is dealt first.
    orders=(
        # The last of each order is dealt first.
        "recast stage-fright encore curtain-call change-of-scenery burnt-script royal-tantrum new-patron double-bill "
        "scathing-review borrowed-scene at-the-keyhole",
        "muse-musical muse-tragedy muse-comedy",
        "mood-joyous mood-lamenting mood-operatic mood-passionate",
        "play-romance play-comedy play-tragedy play-musical play-comedy play-drama",
    ),
    rolls=(1,),
    rows=read_rows("0 give:1, 0 at-the-keyhole, 0 2, 1 give:0, 1 royal-tantrum, 2 keep, 0 keep, 1 keep"),
    steps=(
        Step(
            0,
            0,
            "Wren's Muse wants comedy, and Wren holds Operatic, so the King's Mood is one of the other four. "
            "The first card is a Drama.",
        ),
        Step(1, 0, "Wren gives it to Tam, who must add it. Because the card was given away, Wren may use an action."),
        Step(2, 0, "Wren looks through a keyhole. With one Mood in each hand, it is enough to say whose."),
        Step(
            3,
            1,
            "Wren saw that Oda holds Joyous; three Moods are left for the King. Tam knows only that Wren looked. "
            "Tam draws a Comedy.",
        ),
        Step(4, 1, "Tam gives it to Wren, and Wren's Muse is pleased. Now Tam may use an action."),
        Step(
            5,
            2,
            "Tam throws a Royal Tantrum: Lamenting becomes the King's Mood, and Tam takes Passionate. "
            "Only Tam knows both. Oda draws a Musical.",
        ),
        Step(6, 0, "Oda keeps it for the Muse. Keeping a card means no action. Wren draws a Tragedy."),
        Step(7, 1, "Wren keeps the Tragedy, not knowing that it is what the King wants now. Tam draws a Comedy."),
        Step(8, None, "Tam keeps it. When the deck is empty as a turn starts, the show begins."),
    ),
)

HOWTO = HowTo(
    aim="Write a play that pleases the King, whose Mood nobody knows, and your Muse, whom only you know.",
    glance=(
        "Draw a card. Keep it, or give it to another play.",
        "A play has three acts. Its owner discards down to three.",
        "Gave the card away? You may use one action card.",
        "At the show you need the King's genre and your Muse's genre.",
    ),
    sections=(
        Section(
            "What you know",
            (
                "One of five Moods lies face down: the King's. Each Mood wants one genre.",
                "You hold one other Mood, or two in a two-player game. Yours are never the King's.",
                "Your Muse wants a genre too, and only you know which.",
                "Comedy is for Joyous, drama for Brooding, tragedy for Lamenting, "
                "romance for Passionate, musical for Operatic.",
            ),
        ),
        Section(
            "Your turn",
            (
                "Draw the top card and look at it.",
                "Keep it: it goes face up into your play.",
                "Or give it to another playwright, who must add it to their play.",
                "A play with more than three cards is cut to three. Its owner chooses which cards go, "
                "even the one just received.",
                "Whoever gave the card away may use one action card, and only one.",
            ),
        ),
        Section(
            "Action cards",
            (
                "With two players you hold five, with three four, with four three. They are not refilled.",
                "Do what the action card says, then discard it. If it can do nothing, discard it all the same.",
                "Some let you look at hidden cards. Your notes say what you saw, and when it may have changed.",
            ),
        ),
        Section(
            "The show",
            (
                "If the deck is empty when a turn starts, the show begins, and the King's Mood and Muses are shown.",
                "No card for the King: you lose your head. No card for your Muse: you lose your patron.",
                "With both you win. Several players can win, or nobody.",
            ),
        ),
    ),
    example=EXAMPLE,
    rulings=tuple(RULINGS.items()),
)
