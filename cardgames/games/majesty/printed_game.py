"""What the site shows beside printed cards of Your Majesty, and the score pad on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from cardgames.engine import Deck
from cardgames.engine.printed_game import (
    Companion,
    Figure,
    ScorePad,
    SheetNow,
    State,
    Tap,
    TurnAct,
    TurnDisplay,
    choose_agreed,
)
from cardgames.engine.score_sheet import ScoreSheet
from cardgames.games.majesty import companion
from cardgames.games.majesty.player_numbers import MAX_PLAYERS
from cardgames.games.majesty.salon_arithmetic import LEVELS
from cardgames.games.majesty.scoring import BY_WEALTH, NEEDS_REFORM, NO_PAYCHECK, TARGET, target_of
from refusal import Refusal

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
    state["taken"] = companion.take_action(state["taken"], tap.what)


def _lay_lingering(state: State, tap: Tap) -> None:
    """A lingering event lies at a court until that player's next turn."""
    if tap.what not in companion.lingering_cards(tap.deck):
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
        return companion.set_up(deck, seats)

    def set_up_values(self, deck: Deck, seats: int, sent: Mapping[str, str]) -> Mapping[str, object]:
        """The salon calculator, and the set-up of a box with other numbers of cards."""
        salon = {
            name: _number(sent, name, companion.MAX_FIGURE, otherwise) or 0 for name, _, otherwise in SALON_FIGURES
        }
        level = _number(sent, "level", max(LEVELS), 1)
        level = level if level in LEVELS else 1
        colonies, per_muse = (_number(sent, name, companion.MAX_CARDS) for name in ("colonies", "per_muse"))
        faux_pas = "faux_pas" in sent
        return {
            "levels": LEVELS,
            "figures": [(name, label, salon[name]) for name, label, _ in SALON_FIGURES],
            "salon": {"level": level, "faux_pas": faux_pas},
            "odds": companion.work_out_salon(deck, level=level, faux_pas=faux_pas, **salon),
            "steps": companion.set_up(deck, seats, colonies=colonies, per_muse=per_muse),
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
        left = companion.MAX_ACTIONS - len(state["taken"])
        more = ""
        if state["expired"] and not state["taken"]:
            names = companion.lingering_cards(now.deck)
            gone = ", ".join(names.get(card, card) for card in state["expired"])
            more = f"Discard what lingered until now: {gone}."
        words = {0: f"{name} has used both actions.", 1: f"{name} has one action left.", 2: f"{name} has two actions."}
        return TurnDisplay(words[left], (), more)

    def own_values(self, now: SheetNow) -> Mapping[str, object]:
        """Actions of the turn, scandals and lingering events of each court, and the figures of a salon."""
        state, active = now.state, now.state["active"]
        taken, names = state.get("taken", []), companion.lingering_cards(now.deck)
        full = len(taken) >= companion.MAX_ACTIONS
        scandals = state.get("scandals") or [0] * state["seats"]
        salon = {"seats": state["seats"]}
        if active is not None:
            salon |= {"wealth": now.figures[active].get("wealth", 0), "scandals": scandals[active]}
        return {
            "slots": [(key, label, not full and key not in taken) for key, label in companion.ACTIONS.items()],
            "taken": [companion.ACTIONS[key] for key in taken],
            "scandals": scandals,
            "lingering": [
                [names[card] for at, card in state.get("lingering", ()) if at == seat] for seat in range(state["seats"])
            ],
            "lingering_cards": names,
            "salon": urlencode(salon),
        }

    def figures(self, deck: Deck) -> Sequence[Figure]:
        return [Figure(key, label, companion.MAX_FIGURE) for key, label in companion.FIGURES.items()]

    def score(self, now: SheetNow) -> ScoreSheet:
        state = now.state
        return companion.score_sheet(
            now.figures,
            now.deck,
            abolished=bool(state.get("abolished")),
            paycheck=now.options["paycheck"],
            is_over=state["over"],
            rounds=-(-state["turn"] // state["seats"]),
        )

    def score_sent(self, sent: Mapping[str, Any], deck: Deck) -> ScoreSheet:
        paycheck = choose_agreed(sent, NO_PAYCHECK, NEEDS_REFORM, BY_WEALTH)
        return companion.score_sheet(sent["counts"], deck, abolished=sent.get("abolished", False), paycheck=paycheck)

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
