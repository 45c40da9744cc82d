"""Your Majesty in our own words: rulings, and how to play with an example. Rules by number are in rules.md."""

from cardgames.engine.how_to_play import Example, HowTo, Section, Step, read_rows

RULINGS = {
    "YR-1": "Two players continue the pattern: every second colony and four philosophes of each muse stay in the box. "
    "You can agree on three players' cards or on all of them.",
    "YR-2": "Every fifth colony: shuffle them and take out the fifth, the tenth, and so on.",
    "YR-3": "Discarding a card to pay for an action is allowed.",
    "YR-4": "An action or event that would do nothing is not offered. You can agree otherwise.",
    "YR-5": "The philosophe of the reform's muse must be at court, but need not attend. You can agree otherwise.",
    "YR-6": "The steps of a salon: discard, name the reform, invite, replies, final list, card. With fewer than two it "
    "fails without a card. You can agree to ask before paying.",
    "YR-7": "With wealth below 2 you cannot host a salon.",
    "YR-8": "Promises do not bind anybody, and no card changes hands for them.",
    "YR-9": "The first new deck is made when the last card has been drawn, without that card. "
    "The philosophes are not touched then.",
    "YR-10": "If the philosophe deck is empty, wait for Reshuffle. You can agree that its discards return at once.",
    "YR-11": "A philosophe who resigns goes to the philosophe discards.",
    "YR-12": "If deck and discards are both empty, nothing is drawn.",
    "YR-13": "Prestige is checked after every change, so you can win on another player's turn.",
    "YR-14": "Half of the players means all seats, yours too. A level 5 without a level 3 opens nothing by itself.",
    "YR-15": "Enlightened Despot stays for good. A second one adds nothing.",
    "YR-16": "If only paid philosophes count, it is always the best ones, and wealth counts as it is now.",
    "YR-17": "A lingering event ends before its player's next turn even if that turn is passed or a bot plays it.",
    "YR-18": "If A Place at Court is cancelled, both cards are discarded and the action is spent. "
    "A cancel cannot be cancelled.",
    "YR-19": "The defender sees which colony is attacked. Nobody else can help.",
    "YR-20": "Online the highest prestige wins after 40 rounds, or after a round in which nobody does anything.",
    "YR-21": "A scandal is erased only by what its bearer does, at that very moment.",
    "YR-22": "The faux pas looks at the number on the card, before anything is added.",
    "YR-23": "Reshuffle has no randomizer. In a salon, draw again.",
    "YR-24": "Only the final list of attendees counts: a lent guest can be left out, and you can invite more than you "
    "have chairs for.",
    "YR-25": "If you ask before paying and call the salon off, you keep the card, but the action is spent.",
    "YR-26": "The card you pay lies in the discards, so a salon always has a card to draw.",
    "YR-27": "Gaming Debts cannot be laid on a court with wealth 6. You can agree otherwise.",
    "YR-28": "A hurricane follows the colony card until its player's next turn. For Treaty of Exchange the printed "
    "coins count, and both courts gain a colony at once.",
    "YR-29": "Turn the Tables never moves Morganatic Marriage. Without a philosophe to draw, the marriage is still "
    "allowed.",
    "YR-30": "A card being played is not shuffled in by its own effect; a card paid is.",
    "YR-31": "Refill and Subscription List draw as much as there is room for. Espionage takes none to three.",
    "YR-32": "After two actions the turn ends. At the round limit nobody needs a reform of level 3 or 5.",
    "YR-33": "Censor's Edict names a muse with unclaimed reforms. A second Despot and Slave Rising after Abolition "
    "cannot be played. Peace Congress binds its own player too.",
}


EXAMPLE = Example(
    names=("Wren", "Tam"),
    rolls=(1,),
    options={"two_player_setup": "full"},
    orders=(
        # The philosophes, the top one last.
        "ph-antonio-vivaldi ph-f-j-haydn ph-james-watt ph-thomas-jefferson ph-mary-wollstonecraft",
        # The action deck: the salon's card at the bottom of these, then Tam's hand and Wren's.
        "ca-james-wolfe ev-consumption ca-marlborough ev-peace-congress.6 ev-sugar-boom.2 ev-smallpox-at-court.3 "
        "ca-blas-de-lezo ev-grand-tour.6 sc-anonymous-pamphlet.4 ca-edward-hawke",
    ),
    rows=read_rows(
        "0 colony, 0 pay:ca-edward-hawke, 0 co-peru, 0 philosophe, 0 pay:ca-blas-de-lezo, 1 philosophe, "
        "1 pay:ca-marlborough, 1 colony, 1 pay:ev-peace-congress.6, 1 co-virginia, 0 event:ev-grand-tour.6, 0 salon, "
        "0 pay:sc-anonymous-pamphlet.4, 0 re-codified-law, 0 ask:ph-thomas-jefferson, 1 lend, 0 hold"
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
