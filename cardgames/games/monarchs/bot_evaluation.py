"""How a bot rates choices in Of Mice and Monarchs, using only what its seat sees."""

import math
from collections.abc import Mapping, Sequence

from cardgames.engine import Deck, Question, Result, Rng, View
from cardgames.engine.game_definition import lead_of, value_of_win
from cardgames.games.monarchs.deck_definition import SPOTS, Mouse, faces_by_id
from cardgames.games.monarchs.rules import Court
from cardgames.games.monarchs.scoring import count_by_colour


class _Knowledge:
    """What this seat has bought, how far the game has come, and what a card would be worth to it."""

    def __init__(self, view: View, deck: Deck) -> None:
        self.faces = faces_by_id(deck)
        self.fields = view.fields
        court = view.spots("court")
        self.tops = {spot: self.faces[pile[-1]] for spot, pile in zip(SPOTS, court.spots, strict=True) if pile}
        self.counts = count_by_colour([self.faces[key] for key in self.fields["owned"][view.seat]])
        whole = max(1, deck.count(("court",)) - len(SPOTS))
        # 0 at the start, 1 when the court deck is empty.
        self.late: float = min(1.0, max(0.0, 1 - view.zone("deck").size / whole))

    def value(self, mouse: Mouse) -> float:
        """Early a card earns by its influence, late by what it adds to the score."""
        cards, crowns = self.counts.get(mouse.colour, (0, 0))
        gain = (cards + 1) * (crowns + mouse.crowns) - cards * crowns
        # A crown bought early will still be multiplied.
        promise = mouse.crowns * 2.0 * (1 - self.late)
        early: float = mouse.influence * 2.2 + mouse.moves * 0.4
        return float(gain * (0.5 + self.late) + promise + early * (1 - self.late) ** 1.5)

    def price(self, spot: str) -> int:
        return self.tops[spot].cost + (2 if spot.startswith("back") else 0)


def rate_choices(view: View, deck: Deck) -> Mapping[str, float]:
    """The weight of each key of the open question."""
    know, ask = _Knowledge(view, deck), view.asked
    kind, keys, about = ask.kind, ask.keys, ask.about
    if kind == "court":
        return _court(know, keys)
    if kind == "move":
        # Where it does least harm: on what this seat wants least, in the row it can pay for.
        weights = {}
        for key in keys:
            spot = key.partition(":")[2]
            under = know.value(know.tops[spot]) if spot in know.tops else 0.0
            weights[key] = -under - (100.0 if spot.startswith("back") else 0.0)
        return weights
    if kind == "revealed":
        weights = {}
        for key in keys:
            if key == "buy":
                weights[key] = know.value(know.faces[about]) + 50.0
            else:
                spot = key.partition(":")[2]
                weights[key] = -know.value(know.tops[spot]) if spot in know.tops else 0.0
        return weights
    if kind == "dice":
        return {key: -know.value(know.tops[key.partition(":")[2]]) for key in keys}
    return {key: -float(sum(know.faces[card].crowns for card in key.split("+"))) for key in keys}


def _court(know: _Knowledge, keys: Sequence[str]) -> dict[str, float]:
    left = know.fields["influence"]
    weights = {}
    for key in keys:
        act, _, spot = key.partition(":")
        if act == "done":
            # Better than a card that only clogs the own deck.
            weights[key] = 0.6
        elif act == "buy":
            # Dear cards are seldom within reach, so the price paid counts a little for them.
            weights[key] = know.value(know.tops[spot]) + 0.3 * know.tops[spot].cost
        else:
            out_of_reach = know.price(spot) > left >= know.tops[spot].cost
            weights[key] = know.value(know.tops[spot]) - 0.5 if out_of_reach else 0.0
    return weights


def choose_quickly(t: Court, ask: Question, rng: Rng, me: int) -> str:
    """How imagined players choose: what looks best at a glance, give or take, and seldom a move."""
    if ask.kind == "court":
        late = 1 - len(t.deck.cards) / 52
        early = max(0.0, 1 - late) ** 1.5 * 2.2
        best, chosen = 0.6, "done"
        faces = faces_by_id(t.rules_deck)
        piles, roll = t.court.piles, rng.below
        owned = [faces[key].colour for key in t.owned[ask.seat]]
        for key, (act, spot) in ask.options.items():
            if act == "buy":
                mouse = piles[spot][-1].face
                assert isinstance(mouse, Mouse)
                mates = owned.count(mouse.colour)
                value = (
                    mouse.influence * early + mouse.crowns * (1.5 + mates * 0.5) + mouse.cost * 0.3 + roll(100) * 0.015
                )
                if value > best:
                    best, chosen = value, key
        return chosen
    keys = list(ask.options)
    if ask.kind == "revealed" and "buy" in ask.options:
        return "buy"
    return keys[0] if ask.kind == "family" else keys[rng.below(len(keys))]


def value_of_position(t: Court, seat: int) -> float:
    """How good an imagined game that is not finished is for a seat: by the points bought so far."""
    faces = faces_by_id(t.rules_deck)
    scores = [
        sum(cards * crowns for cards, crowns in count_by_colour([faces[key] for key in owned]).values())
        for owned in t.owned
    ]
    if len(scores) == 1:
        return 1.0 - math.exp(-scores[0] / 40)
    return 0.35 + 0.3 / (1.0 + math.exp(-lead_of(scores, seat) / 8))


def value_of_result(result: Result, seat: int) -> float:
    alone = len(result.scores) == 1
    return 1.0 - math.exp(-result.scores[0] / 40) if alone else value_of_win(result, seat, 8)
