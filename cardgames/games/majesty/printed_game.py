"""Your Majesty with printed cards: set-up, turns, score sheet, and the score pad on paper."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from cardgames.engine import Deck, Result
from cardgames.engine.printed_game import (
    Companion,
    Figure,
    ScorePad,
    ScoreSheet,
    SheetNow,
    SheetWarning,
    State,
    Tap,
    TurnAct,
    TurnDisplay,
    choose_agreed,
)
from cardgames.games.majesty.deck_definition import (
    HAND,
    LINGERING,
    MAX_PLAYERS,
    PATTERN,
    cards_of_group,
    count_box,
    every_card,
    normal_actions,
    randomizer_spread,
)
from cardgames.games.majesty.salon_arithmetic import (
    FEWEST,
    LEVELS,
    OTHER_MUSE,
    OWN_MUSE,
    Salon,
)
from cardgames.games.majesty.scoring import (
    BY_WEALTH,
    LIMIT_SHARED,
    NEEDS_REFORM,
    NO_PAYCHECK,
    OUTCOMES,
    REACHED,
    ROUND_LIMIT,
    SHARED,
    TARGET,
    CourtCount,
    highest,
    prestige_lines,
    prestige_of,
    target_of,
    winners_at_once,
)
from refusal import Refusal

MAX_FIGURE = 30
# The most cards of one kind that a group's own box may have.
MAX_CARDS = 99
MAX_ACTIONS = 2
# The six types of action, each at most once in a turn (Y31, Y32).
ACTIONS = {
    "colony": "Choose a colony",
    "philosophe": "Draw a philosophe",
    "event": "Play an event",
    "campaign": "Campaign",
    "salon": "Host a salon",
    "refill": "Refill the hand",
}
# What is counted at each court for the prestige sheet.
FIGURES = {
    "ones": "Philosophes worth 1",
    "twos": "Philosophes worth 2",
    "level1": "Reforms of level 1",
    "level3": "Reforms of level 3",
    "level5": "Reforms of level 5",
    "slaves": "Slave colonies",
    "wealth": "Wealth in coins",
}


def take_action(taken: Sequence[str], action: str) -> list[str]:
    """The actions of this turn with one more; a repeat and a third are refused."""
    if action not in ACTIONS:
        raise Refusal("Choose one of the six types of action.", field="what")
    if action in taken:
        raise Refusal(f"“{ACTIONS[action]}” was already used this turn. Choose another type of action.", status=409)
    if len(taken) >= MAX_ACTIONS:
        raise Refusal("Both actions of this turn are used. Start the next turn.", status=409)
    return [*taken, action]


def lingering_cards(deck: Deck) -> dict[str, str]:
    """The lingering events of a deck, by the id of their row."""
    return {face.row: face.name for face in every_card(deck) if face.kind == LINGERING}


def court_of(figures: Mapping[str, int]) -> CourtCount:
    for key, number in figures.items():
        if key not in FIGURES or type(number) is not int or not 0 <= number <= MAX_FIGURE:
            raise Refusal(f"Enter whole numbers from 0 to {MAX_FIGURE}.", field=key)

    def count(key: str) -> int:
        return figures.get(key, 0)

    reforms = (1,) * count("level1") + (3,) * count("level3") + (5,) * count("level5")
    return CourtCount((1,) * count("ones") + (2,) * count("twos"), reforms, count("slaves"), count("wealth"))


def score_sheet(
    counts: Sequence[Mapping[str, int]],
    deck: Deck,
    *,
    abolished: bool = False,
    paycheck: str = NO_PAYCHECK,
    is_over: bool = False,
    rounds: int = 0,
) -> ScoreSheet:
    """Prestige as it is now. Somebody has won at the target; a game ended by hand goes to the highest."""
    courts = [court_of(each) for each in counts]
    scores = tuple(prestige_of(court, abolished=abolished, paycheck=paycheck) for court in courts)
    lines = tuple(prestige_lines(court, abolished=abolished, paycheck=paycheck) for court in courts)
    winners = winners_at_once(scores, [court.reforms for court in courts], paycheck)
    outcome = SHARED if len(winners) > 1 else REACHED
    if not winners and is_over:
        winners = highest(scores)
        outcome = LIMIT_SHARED if len(winners) > 1 else ROUND_LIMIT
    options = {"paycheck": paycheck}
    warnings = tuple(_count_warnings(courts, deck))
    if not winners:
        return ScoreSheet(scores, lines, options, warnings)
    facts = {"target": target_of(paycheck), "rounds": rounds}
    return ScoreSheet.of(
        Result(outcome, winners, scores, lambda: list(lines), facts), OUTCOMES[outcome], options, warnings
    )


def _count_warnings(courts: Sequence[CourtCount], deck: Deck) -> list[SheetWarning | str]:
    warnings: list[SheetWarning | str] = []
    in_deck = Counter(face.level for face in cards_of_group(deck, "reform"))
    entered = Counter(level for court in courts for level in court.reforms)
    for level in LEVELS:
        if entered[level] > in_deck[level]:
            reforms = f"{entered[level]} reforms of level {level}"
            warnings.append(f"{reforms} entered, but the deck has only {in_deck[level]}.")
    slaves = sum(face.is_slave for face in cards_of_group(deck, "colony"))
    if sum(court.slave_colonies for court in courts) > slaves:
        warnings.append(f"The deck has only {slaves} slave colonies. Correct the counts.")
    return warnings


def set_up(
    deck: Deck, players: int, two_players: str = PATTERN, *, colonies: int | None = None, per_muse: int | None = None
) -> list[str]:
    """What to do before the first turn, in order. A group may say how many colonies and philosophes its box has."""
    muses = Counter(face.muse for face in cards_of_group(deck, "philosophe"))
    if per_muse is not None:
        muses = Counter(dict.fromkeys(muses, per_muse))
    in_box = len(cards_of_group(deck, "colony")) if colonies is None else colonies
    box = count_box(players, in_box, muses, two_players)
    gone = ", ".join(f"{out} of {muse}" for muse, (out, _) in box.muses.items() if out)
    steps = []
    if box.colonies_out:
        steps.append(f"Shuffle the colonies and take out {box.colonies_out} at random. {box.colonies_left} are left.")
    if gone:
        steps.append(f"Take out philosophes at random: {gone}. {box.philosophes_left} are left.")
    return [
        *steps,
        "Lay all colonies and all reforms open in the middle.",
        "Put the Reshuffle card aside.",
        f"Shuffle the philosophes and the {normal_actions(deck)} action cards into two decks.",
        f"Deal {HAND} action cards to each player, face down.",
        "Choose the first player at random. Play goes clockwise.",
    ]


@dataclass(frozen=True, slots=True)
class SalonOdds:
    """What a salon comes to. ``why_not`` says why it cannot be held."""

    sophia: int
    against: int
    wins_on: tuple[int, ...] = ()
    chance: Fraction = Fraction(0)
    why_not: str = ""

    @property
    def percent(self) -> int:
        return round(100 * self.chance)


def work_out_salon(
    deck: Deck,
    *,
    level: int,
    of_muse: int,
    others: int,
    wealth: int,
    scandals: int = 0,
    extra: int = 0,
    faux_pas: bool = False,
) -> SalonOdds:
    """The exact chance with the randomizers of the whole deck."""
    if level not in LEVELS:
        raise Refusal("A reform has level 1, 3 or 5.", field="level")
    for name, number in (("of_muse", of_muse), ("others", others), ("wealth", wealth), ("scandals", scandals)):
        if type(number) is not int or not 0 <= number <= MAX_FIGURE:
            raise Refusal(f"Enter whole numbers from 0 to {MAX_FIGURE}.", field=name)
    sophia = OWN_MUSE * of_muse + OTHER_MUSE * others + extra
    why_not = ""
    if of_muse + others < FEWEST:
        why_not = "At least two must attend."
    elif of_muse + others > wealth:
        why_not = f"Your wealth seats only {wealth}."
    salon = Salon(sophia, level, scandals, faux_pas)
    if why_not:
        return SalonOdds(sophia, salon.against, why_not=why_not)
    return SalonOdds(sophia, salon.against, salon.wins_on, salon.chance(randomizer_spread(deck)))


MAX_SCANDALS = 30
MAX_LINGERING = 30
# What the salon calculator asks: name, label, and what it starts with.
SALON_FIGURES = (
    ("of_muse", "Attendees of the reform's muse", 2),
    ("others", "Other attendees", 1),
    ("wealth", "Your wealth", 3),
    ("scandals", "Scandals at your court", 0),
)


def _take_action(state: State, tap: Tap) -> None:
    state["taken"] = take_action(state["taken"], tap.what)


def _lay_lingering(state: State, tap: Tap) -> None:
    """A lingering event lies at a court until that player's next turn."""
    if tap.what not in lingering_cards(tap.deck):
        raise Refusal("Choose one of the lingering events of this deck.", field="what")
    if len(state["lingering"]) >= MAX_LINGERING:
        raise Refusal("Too many lingering events. Start the next turn first.", status=409)
    state["lingering"] = [*state["lingering"], [state["active"] if tap.seat is None else tap.seat, tap.what]]


def _change_scandals(state: State, tap: Tap, change: int) -> None:
    if tap.seat is None:
        raise Refusal("Choose a court.", field="seat")
    scandals = list(state["scandals"])
    scandals[tap.seat] = min(MAX_SCANDALS, max(0, scandals[tap.seat] + change))
    state["scandals"] = scandals


def _abolish_slavery(state: State, tap: Tap) -> None:
    """Abolition of Slavery was implemented by somebody: from now on slave colonies cost nobody anything (Y73)."""
    state["abolished"] = not state["abolished"]


class MajestyCompanion(Companion):
    counting_help = "Check the figures of each court. The prestige is added up for you."
    points_label = "Prestige"
    counts_help = "figures of each court"
    facts = {"abolished": (bool, "slavery has been abolished")}
    agreed = frozenset({"paycheck"})
    usual_players = 4
    ends_by_points = True
    acts = {
        "action": TurnAct(_take_action),
        "lingers": TurnAct(_lay_lingering),
        "scandal": TurnAct(lambda state, tap: _change_scandals(state, tap, 1)),
        "erased": TurnAct(lambda state, tap: _change_scandals(state, tap, -1)),
        "abolition": TurnAct(_abolish_slavery),
    }

    def set_up(self, deck: Deck, seats: int, options: Mapping[str, Any]) -> list[str]:
        return set_up(deck, seats)

    def set_up_values(self, deck: Deck, seats: int, sent: Mapping[str, str]) -> Mapping[str, object]:
        """The salon calculator, and the set-up of a box with other numbers of cards."""
        salon = {name: _number(sent, name, MAX_FIGURE, otherwise) or 0 for name, _, otherwise in SALON_FIGURES}
        level = _number(sent, "level", max(LEVELS), 1)
        level = level if level in LEVELS else 1
        colonies, per_muse = (_number(sent, name, MAX_CARDS) for name in ("colonies", "per_muse"))
        faux_pas = "faux_pas" in sent
        return {
            "levels": LEVELS,
            "figures": [(name, label, salon[name]) for name, label, _ in SALON_FIGURES],
            "salon": {"level": level, "faux_pas": faux_pas},
            "odds": work_out_salon(deck, level=level, faux_pas=faux_pas, **salon),
            "steps": set_up(deck, seats, colonies=colonies, per_muse=per_muse),
            "own_box": {"colonies": colonies, "per_muse": per_muse},
        }

    def begin(self, state: State) -> None:
        state |= {"taken": [], "lingering": [], "expired": [], "scandals": [0] * state["seats"], "abolished": False}

    def begin_turn(self, state: State) -> None:
        """Actions are free again, and the lingering events of whose turn it is end (Y27)."""
        active = state["active"]
        state["taken"] = []
        state["expired"] = [card for seat, card in state["lingering"] if seat == active]
        state["lingering"] = [[seat, card] for seat, card in state["lingering"] if seat != active]

    def turn(self, now: SheetNow) -> TurnDisplay:
        state, name = now.state, now.names[now.state["active"]]
        left = MAX_ACTIONS - len(state["taken"])
        more = ""
        if state["expired"] and not state["taken"]:
            names = lingering_cards(now.deck)
            gone = ", ".join(names.get(card, card) for card in state["expired"])
            more = f"Discard what lingered until now: {gone}."
        words = {0: f"{name} has used both actions.", 1: f"{name} has one action left.", 2: f"{name} has two actions."}
        return TurnDisplay(words[left], (), more)

    def own_values(self, now: SheetNow) -> Mapping[str, object]:
        """Actions of the turn, scandals and lingering events of each court, and the figures of a salon."""
        state, active = now.state, now.state["active"]
        taken, names = state.get("taken", []), lingering_cards(now.deck)
        full = len(taken) >= MAX_ACTIONS
        scandals = state.get("scandals") or [0] * state["seats"]
        salon = {"seats": state["seats"]}
        if active is not None:
            salon |= {"wealth": now.figures[active].get("wealth", 0), "scandals": scandals[active]}
        return {
            "slots": [(key, label, not full and key not in taken) for key, label in ACTIONS.items()],
            "taken": [ACTIONS[key] for key in taken],
            "scandals": scandals,
            "lingering": [
                [names[card] for at, card in state.get("lingering", ()) if at == seat] for seat in range(state["seats"])
            ],
            "lingering_cards": names,
            "salon": urlencode(salon),
        }

    def figures(self, deck: Deck) -> Sequence[Figure]:
        return [Figure(key, label, MAX_FIGURE) for key, label in FIGURES.items()]

    def score(self, now: SheetNow) -> ScoreSheet:
        state = now.state
        return score_sheet(
            now.figures,
            now.deck,
            abolished=bool(state.get("abolished")),
            paycheck=now.options["paycheck"],
            is_over=state["over"],
            rounds=-(-state["turn"] // state["seats"]),
        )

    def score_sent(self, sent: Mapping[str, Any], deck: Deck) -> ScoreSheet:
        paycheck = choose_agreed(sent, NO_PAYCHECK, NEEDS_REFORM, BY_WEALTH)
        return score_sheet(sent["counts"], deck, abolished=sent.get("abolished", False), paycheck=paycheck)

    def why_no_winner(self, now: SheetNow, result: ScoreSheet) -> str:
        return f"Nobody has {target_of(now.options['paycheck'])} prestige yet."


def _number(sent: Mapping[str, str], name: str, most: int, otherwise: int | None = None) -> int | None:
    text = sent.get(name, "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most else otherwise


def score_pad(deck: Deck) -> ScorePad:
    """Prestige of each court, with what a salon asks for below; six courts side by side."""
    rows = (
        ("Philosophes", "1 or 2"),
        *((f"Reforms of level {level}", str(level)) for level in LEVELS),
        ("Slave colonies", "−1, 0 after Abolition"),
        ("Scandals", "+1 difficulty"),
        ("Wealth", "seats in a salon"),
    )
    return ScorePad(rows, ("court",), "each", f"{TARGET} prestige wins at once", "Prestige", MAX_PLAYERS)
