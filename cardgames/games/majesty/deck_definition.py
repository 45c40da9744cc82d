"""The faces of Your Majesty, what a deck for it must hold, and what stays in the box with fewer players."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from cardgames.engine import CardGroup, Deck, DeckSchema, DeckTotal, Face, ValueKind
from cardgames.engine.deck_data import COPIES, NAME, CardRow
from cardgames.games.majesty.salon_arithmetic import LEVELS
from refusal import Refusal

FEWEST_PLAYERS, MAX_PLAYERS = 2, 6
PATTERN, AS_THREE, FULL = "pattern", "as_three", "full"
Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Every ``nth`` colony goes (0: none), and so many philosophes of each muse."""

    nth: int
    philosophes: int


def adjustment_for(players: int, two_players: str = PATTERN) -> Adjustment:
    if type(players) is not int or not FEWEST_PLAYERS <= players <= MAX_PLAYERS:
        raise Refusal("Your Majesty is for 2 to 6 players.", field="seats")
    if players == 2 and two_players != PATTERN:
        return adjustment_for(3 if two_players == AS_THREE else MAX_PLAYERS)
    if players == MAX_PLAYERS:
        return Adjustment(0, 0)
    return Adjustment(players, MAX_PLAYERS - players)


def drop_every(things: Sequence[Thing], nth: int) -> tuple[list[Thing], list[Thing]]:
    """Shuffled things in two heaps: those that stay, and those at positions n, 2n, and so on."""
    if not nth:
        return list(things), []
    stay = [thing for place, thing in enumerate(things, 1) if place % nth]
    return stay, [thing for place, thing in enumerate(things, 1) if not place % nth]


@dataclass(frozen=True, slots=True)
class BoxCounts:
    """What to take out of a deck, and what is left. ``muses`` holds (taken out, left) by muse."""

    colonies_out: int
    colonies_left: int
    muses: Mapping[str, tuple[int, int]]

    @property
    def philosophes_left(self) -> int:
        return sum(left for _, left in self.muses.values())


def count_box(players: int, colonies: int, by_muse: Mapping[str, int], two_players: str = PATTERN) -> BoxCounts:
    """For any deck: a muse with too few philosophes loses what it has."""
    change = adjustment_for(players, two_players)
    out = colonies // change.nth if change.nth else 0
    muses = {}
    for muse, count in by_muse.items():
        gone = min(change.philosophes, count)
        muses[muse] = (gone, count - gone)
    return BoxCounts(out, colonies - out, muses)


MUSES = ("politics", "science", "literature", "arts", "music")
EVENT, PERMANENT, LINGERING = "event", "permanent", "lingering"
SCANDAL, CAMPAIGN, RESHUFFLE_KIND = "scandal", "campaign", "reshuffle"
KINDS = (EVENT, PERMANENT, LINGERING, SCANDAL, CAMPAIGN, RESHUFFLE_KIND)
HAND, DESPOT_HAND = 4, 5
# Cards that the rules know by name.
DESPOT, ESPIONAGE, MISTRESS = "ev-enlightened-despot", "ev-espionage", "ev-new-royal-mistress"
PLACE_AT_COURT, CONSUMPTION, SMALLPOX = "ev-a-place-at-court", "ev-consumption", "ev-smallpox-at-court"
VANITY, LETTERS, CHARTER = "ev-wounded-vanity", "ev-letters-of-introduction", "ev-royal-charter"
RISING, TREATY, INTRIGUE = "ev-slave-rising", "ev-treaty-of-exchange", "ev-court-intrigue"
SUBSCRIPTION, TURN_TABLES = "ev-subscription-list", "ev-turn-the-tables"
SUGAR, TOUR, HURRICANE = "ev-sugar-boom", "ev-grand-tour", "ev-atlantic-hurricane"
PEACE, CENSOR = "ev-peace-congress", "ev-censors-edict"
RINALDO, PAMPHLET, NECKLACE = "sc-rinaldo-et-armida", "sc-anonymous-pamphlet", "sc-the-missing-necklace"
DEBTS, SWINDLE, SERMON = "sc-gaming-debts", "sc-the-alchemists-swindle", "sc-heretical-sermon"
DUEL, AFFAIR, MARRIAGE = "sc-duel-of-officers", "sc-backstage-affair", "sc-morganatic-marriage"
ABOLITION, EXPRESSION, TOLERANCE = "re-abolition-of-slavery", "re-freedom-of-expression", "re-religious-tolerance"
INOCULATION = "re-inoculation"
EVENTS_WITH_EFFECT = frozenset(
    {
        *(DESPOT, ESPIONAGE, MISTRESS, PLACE_AT_COURT, CONSUMPTION, SMALLPOX, VANITY, LETTERS, CHARTER, RISING),
        *(TREATY, INTRIGUE, SUBSCRIPTION, TURN_TABLES, SUGAR, TOUR, HURRICANE, PEACE, CENSOR),
    }
)

_TEXT = ValueKind("text", "Text", "text", 0, 300)
_MUSE = ValueKind("muse", "Muse", "pick", picks=MUSES)


class MajestyCard(Face):
    """One face. ``row`` is the row of the deck; faces of one row differ by randomizer, or by which copy they are."""

    __slots__ = ("coins", "is_slave", "kind", "level", "muse", "prestige", "randomizer", "row")

    def __init__(self, row: CardRow, index: int, id: str, randomizer: int = 0) -> None:
        values = row.values
        super().__init__(id, row.group, index, str(values["name"]), str(values.get("text", "")), values)
        self.row = row.id
        self.kind = str(values.get("kind", row.group))
        self.muse = str(values.get("muse", ""))
        self.level = row.number("level")
        self.prestige = row.number("prestige")
        self.coins = row.number("coins")
        self.is_slave = bool(values.get("slavery", False))
        self.randomizer = randomizer


def normal_actions(deck: Deck) -> int:
    """Action cards without the Reshuffle."""
    return sum(row.copies for row in deck.group("action") if row.values["kind"] != RESHUFFLE_KIND)


def most_players(deck: Deck) -> int:
    """For how many the action cards are enough: four each, and one to draw."""
    return min(MAX_PLAYERS, (normal_actions(deck) - 1) // HAND)


def _can_be_dealt(deck: Deck) -> list[str]:
    out = []
    if most_players(deck) < FEWEST_PLAYERS:
        out.append(f"Two players need at least {HAND * FEWEST_PLAYERS + 1} action cards.")
    specials = [row for row in deck.group("action") if row.values["kind"] == RESHUFFLE_KIND]
    if sum(row.copies for row in specials) != 1:
        out.append("The deck needs exactly one Reshuffle card.")
    if not deck.count(("philosophe",)) or not deck.count(("colony",)) or not deck.count(("reform",)):
        out.append("The deck needs reforms, philosophes and colonies.")
    if any(row.values["level"] not in LEVELS for row in deck.group("reform")):
        out.append("A reform has level 1, 3 or 5.")
    if any(row.copies and not row.values["randomizers"] for row in deck.group("action") if row not in specials):
        out.append("Each action card needs a randomizer from 1 to 6.")
    return out


def _has_no_effect(deck: Deck) -> list[str]:
    """What a scandal or a campaign does is known by its kind; an event of one's own is unknown."""
    return [
        f"“{row.values['name']}” has no effect here. It can only be discarded."
        for row in deck.group("action")
        if row.copies and row.values["kind"] in (EVENT, PERMANENT, LINGERING) and row.id not in EVENTS_WITH_EFFECT
    ]


def _never_erased(deck: Deck) -> list[str]:
    known = {RINALDO, PAMPHLET, NECKLACE, DEBTS, SWINDLE, SERMON, DUEL, AFFAIR, MARRIAGE}
    return [
        f"Only New Royal Mistress erases “{row.values['name']}”."
        for row in deck.group("action")
        if row.copies and row.values["kind"] == SCANDAL and row.id not in known
    ]


SCHEMA = DeckSchema(
    game="majesty",
    groups=(
        CardGroup("reform", "Reforms", (NAME, _TEXT, _MUSE, ValueKind("level", "Level", "number", 1, 5), COPIES)),
        CardGroup(
            "philosophe", "Philosophes", (NAME, _MUSE, ValueKind("prestige", "Prestige", "number", 1, 2), COPIES)
        ),
        CardGroup(
            "colony",
            "Colonies",
            (NAME, ValueKind("coins", "Coins", "number", 0, 9), ValueKind("slavery", "Slavery", "flag"), COPIES),
        ),
        CardGroup(
            "action",
            "Action cards",
            (
                NAME,
                _TEXT,
                ValueKind("kind", "Kind", "pick", picks=KINDS),
                ValueKind("randomizers", "Randomizers", "numbers", 1, 6, per_copy=True),
                COPIES,
            ),
        ),
    ),
    totals=(DeckTotal(("reform",), "reforms", 15),),
    checks=(_can_be_dealt,),
    doubts=(_has_no_effect, _never_erased),
)


@lru_cache(maxsize=64)
def every_card(deck: Deck) -> tuple[MajestyCard, ...]:
    """One face for each card of the box. Like cards of the action deck share a face; at court each card is itself."""
    cards: list[MajestyCard] = []
    faces: dict[str, MajestyCard] = {}
    for row in deck.rows:
        numbers = row.values.get("randomizers", ())
        numbers = numbers if isinstance(numbers, tuple) else ()
        for copy in range(row.copies):
            number = numbers[copy] if copy < len(numbers) else 0
            if row.group == "action":
                id = row.id if len(set(numbers)) < 2 else f"{row.id}.{number}"
            else:
                id = row.id if copy == 0 else f"{row.id}.{copy + 1}"
            if id not in faces:
                faces[id] = MajestyCard(row, len(faces), id, number)
            cards.append(faces[id])
    return tuple(cards)


@lru_cache(maxsize=64)
def faces_of(deck: Deck) -> tuple[MajestyCard, ...]:
    return tuple(dict.fromkeys(every_card(deck)))


@lru_cache(maxsize=64)
def faces_by_id(deck: Deck) -> dict[str, MajestyCard]:
    return {face.id: face for face in faces_of(deck)}


@lru_cache(maxsize=64)
def cards_of_group(deck: Deck, group: str) -> tuple[MajestyCard, ...]:
    return tuple(face for face in every_card(deck) if face.group == group and face.kind != RESHUFFLE_KIND)


@lru_cache(maxsize=64)
def randomizer_spread(deck: Deck) -> dict[int, int]:
    """How many action cards of the whole deck show each number."""
    return dict(sorted(Counter(face.randomizer for face in cards_of_group(deck, "action")).items()))


def reshuffle_face(deck: Deck) -> MajestyCard:
    return next(face for face in every_card(deck) if face.kind == RESHUFFLE_KIND)


def cautions(deck: Deck, seats: int, options: object) -> list[str]:
    """What a table should know before it plays this deck with so many."""
    muses = Counter(face.muse for face in cards_of_group(deck, "philosophe"))
    gone = MAX_PLAYERS - seats
    return [
        f"No {muse} philosophes are left with {seats} players, so nobody can implement a {muse} reform."
        for muse in dict.fromkeys(face.muse for face in cards_of_group(deck, "reform"))
        if muses[muse] <= gone
    ]
