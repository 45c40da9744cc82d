"""How to play Moods of the Mad King, in our own words, with a worked example."""

from __future__ import annotations

from cardgames.engine.how_to_play import Example, HowTo, Section, Step
from cardgames.games.moods.numbered_rules_and_rulings import RULINGS

EXAMPLE = Example(
    names=("Wren", "Tam", "Oda"),
    # The last of each order is dealt first.
    orders=(
        (
            "recast",
            "stage-fright",
            "encore",
            "curtain-call",
            "change-of-scenery",
            "burnt-script",
            "royal-tantrum",
            "new-patron",
            "double-bill",
            "scathing-review",
            "borrowed-scene",
            "at-the-keyhole",
        ),
        ("muse-musical", "muse-tragedy", "muse-comedy"),
        ("mood-joyous", "mood-lamenting", "mood-operatic", "mood-passionate"),
        (
            "play-romance",
            "play-comedy",
            "play-tragedy",
            "play-musical",
            "play-comedy",
            "play-drama",
        ),
    ),
    rolls=(1,),
    rows=(
        (0, "give:1"),
        (0, "at-the-keyhole"),
        (0, "2"),
        (1, "give:0"),
        (1, "royal-tantrum"),
        (2, "keep"),
        (0, "keep"),
        (1, "keep"),
    ),
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
