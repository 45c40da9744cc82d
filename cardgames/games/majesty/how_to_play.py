"""How to play Your Majesty, in our own words, with a worked example."""

from __future__ import annotations

from cardgames.engine.how_to_play import Example, HowTo, Section, Step
from cardgames.games.majesty.numbered_rules_and_rulings import RULINGS

EXAMPLE = Example(
    names=("Wren", "Tam"),
    rolls=(1,),
    options={"two_player_setup": "full"},
    orders=(
        # The philosophes, the top one last.
        ("ph-antonio-vivaldi", "ph-f-j-haydn", "ph-james-watt", "ph-thomas-jefferson", "ph-mary-wollstonecraft"),
        # The action deck: the salon's card at the bottom of these, then Tam's hand and Wren's.
        (
            "ca-james-wolfe",
            "ev-consumption",
            "ca-marlborough",
            "ev-peace-congress.6",
            "ev-sugar-boom.2",
            "ev-smallpox-at-court.3",
            "ca-blas-de-lezo",
            "ev-grand-tour.6",
            "sc-anonymous-pamphlet.4",
            "ca-edward-hawke",
        ),
    ),
    rows=(
        (0, "colony"),
        (0, "pay:ca-edward-hawke"),
        (0, "co-peru"),
        (0, "philosophe"),
        (0, "pay:ca-blas-de-lezo"),
        (1, "philosophe"),
        (1, "pay:ca-marlborough"),
        (1, "colony"),
        (1, "pay:ev-peace-congress.6"),
        (1, "co-virginia"),
        (0, "event:ev-grand-tour.6"),
        (0, "salon"),
        (0, "pay:sc-anonymous-pamphlet.4"),
        (0, "re-codified-law"),
        (0, "ask:ph-thomas-jefferson"),
        (1, "lend"),
        (0, "hold"),
    ),
    steps=(
        Step(0, 0, "Wren begins with four cards. Colonies and reforms lie open, and nobody has anything yet."),
        Step(3, 0, "Wren discards a card and claims Peru: wealth 3, so three can attend a salon."),
        Step(5, None, "For the second action Wren pays another card. Mary Wollstonecraft joins the court: 1 prestige."),
        Step(7, None, "Tam draws a philosophe too. Thomas Jefferson is worth 2."),
        Step(10, None, "Virginia brings Tam two coins and costs 1 prestige, because it is a slave colony."),
        Step(11, 0, "Wren plays Grand Tour. It lies at Wren's court for a round and adds 2 sophia to the salon."),
        Step(14, 0, "Wren hosts a salon for Codified Law, a politics reform of level 1, and needs a second attendee."),
        Step(15, 1, "Tam is asked to lend Jefferson. Tam may refuse, or offer somebody else."),
        Step(16, 0, "Tam lends him: 2 + 2 sophia for two of the muse, and 2 for the tour. The odds are shown below."),
        Step(
            17, None, "The salon's card is drawn. Wren implements the reform, and Jefferson goes home to Tam's court."
        ),
    ),
)

HOWTO = HowTo(
    aim="Be the first crown with 20 prestige: collect philosophes, and hold salons to pass reforms.",
    glance=(
        "Take up to two actions a turn, of different types.",
        "Colony, philosophe and salon each cost any one card.",
        "Salon: 1 sophia each, 2 of the reform's muse; beat level + card + scandals.",
        "Campaigns take colonies; a campaign card of the owner stops them.",
        "20 prestige ends the game at once.",
    ),
    sections=(
        Section(
            "Your turn",
            (
                "Take up to two actions of different types, then your turn ends.",
                "Choose a colony: discard a card and take any unclaimed one. Its coins are chairs at your salons.",
                "Draw a philosophe: discard a card; the top one of the deck joins your court.",
                "Play an event, and do what it says. Scandals and lingering events stay at a court.",
                "Campaign: play a campaign card and name a colony at another court. Its owner can stop you with a "
                "campaign card; otherwise it is yours.",
                "Host a salon, as below.",
                "Refill: draw up to four cards, or five with Enlightened Despot.",
            ),
        ),
        Section(
            "Salons",
            (
                "Discard a card and name an unclaimed reform. One of your philosophes must have its muse.",
                "Reforms of level 3 need one of level 1 first, level 5 one of level 3, unless half of the players "
                "have it.",
                "Your own philosophes attend, and you can invite one guest from each other court. "
                "The owner may lend the guest, offer another one, or refuse.",
                "At least two attend, and no more than your wealth.",
                "Each gives 1 sophia, each of the reform's muse 2.",
                "Turn up the top action card. If your sophia is greater than the level plus the card's number plus "
                "your scandals, the reform is yours for good.",
            ),
        ),
        Section(
            "Prestige",
            (
                "Each philosophe is worth 1 or 2, each reform its level.",
                "Each slave colony costs 1, until somebody implements Abolition of Slavery.",
                "The moment a court has 20, the game ends. If several have it at once, the highest wins; "
                "tied players share the win.",
            ),
        ),
        Section(
            "The decks",
            (
                "When the action deck runs out for the first time, its discards and the Reshuffle card make a new one.",
                "Whenever Reshuffle comes up, both decks take their discards back and are shuffled. "
                "Then keep drawing, even in the middle of a salon.",
            ),
        ),
        Section(
            "Options",
            (
                "Faux pas: a salon always fails when the card shows a 6.",
                "Unpaid philosophes: either a win also needs a reform of level 3 or 5, or you count no more "
                "philosophes than your wealth, and 16 prestige wins.",
            ),
        ),
    ),
    example=EXAMPLE,
    rulings=tuple(RULINGS.items()),
)
