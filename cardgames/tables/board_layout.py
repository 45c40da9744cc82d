"""The board ready to draw. It is made from one seat's view, so it shows only what that seat sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cardgames.drawing import DeckPictures
from cardgames.drawing.menagerie_cards import ANIMALS as CHARGES
from cardgames.engine import Deck, View
from cardgames.engine.seat_view import OPEN, find_zone
from cardgames.games.menagerie.scoring import LIMIT, score_menagerie
from cardgames.games.monarchs.card_faces import COLUMNS

Board = dict[str, Any]


def layout_board(
    view: View,
    standing: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    pack: DeckPictures,
    choices: Sequence[Any] = (),
) -> Board:
    """The board of the view's game. Each of ``choices`` is added to the spot it belongs to."""
    make = _BOARDS[view["game"]]
    board = make(view, [row["points"] for row in standing], names, pack)
    board["template"] = f"cardgames/tables/_board_{view['game']}.html"
    board["hand"] = _hand_of(view)
    board["faces"] = list(dict.fromkeys([*board["hand"], *board["open"]]))
    for choice in choices:
        for row in board.get("rows", ()):
            for spot in row["spots"]:
                if choice["spot"] == spot["key"]:
                    spot["choices"].append({**choice, "short": short_label(choice)})
    return board


def short_label(choice: Mapping[str, Any]) -> str:
    """A short button text; screen readers read the whole label."""
    label: str = choice["label"]
    act = choice["key"].partition(":")[0]
    if act == "buy":
        return f"Buy for {label.rpartition(' ')[2]}"
    return {"move": "Move", "to": "Move here", "cover": "Cover", "remove": "Remove"}.get(act, label)


def gift_consequence(view: View, choice: Mapping[str, Any], deck: Deck) -> dict[str, str]:
    """What a gift would do to the menagerie that receives it. Everybody can see this."""
    if view["kind"] != "gift" or choice["seat"] is None:
        return {}
    pens = find_zone(view, "menagerie")
    animal = pens["names"].index(view["ask"]["about"])
    counts = list(pens["counts"][choice["seat"]])
    before = menagerie_points(counts, deck)
    there = ("none", "one", "two")[counts[animal]]
    counts[animal] += 1
    if all(counts):
        return {"note": f"has {there} of it; one of each type would run off", "change": ""}
    return {"note": f"has {there} of it", "change": f"{before} \u2192 {menagerie_points(counts, deck)}"}


def menagerie_points(counts: Sequence[int], deck: Deck) -> int:
    return sum(line.points for line in score_menagerie(counts, deck))


def _hand_of(view: View) -> list[str]:
    seat = view["seat"]
    if seat is None or seat == OPEN:
        return []
    return [face for face in find_zone(view, "hand")["each"][seat] if face is not None]


def _layout_menagerie(view: View, points: Sequence[int], names: Sequence[str], pack: DeckPictures) -> Board:
    fields = view["fields"]
    pens, hands, roles = find_zone(view, "menagerie"), find_zone(view, "hand"), find_zone(view, "role")
    seats = []
    for seat, counts in enumerate(pens["counts"]):
        role = next(iter(roles["each"][seat]), None)
        seats.append(
            {
                "number": seat,
                "name": names[seat],
                "points": points[seat],
                "role": pack.picture(role).name
                if role and (seat != view["seat"] or seat == fields["vizier"] or view["result"])
                else "",
                "cards": hands["counts"][seat],
                "hand": hands["each"][seat] if seat != view["seat"] else [],
                "is_turn": seat == fields["active"],
                "is_me": seat == view["seat"],
                "pens": [
                    {
                        "name": pack.picture(animal).name,
                        "icon": f"c-{CHARGES[animal][0]}",
                        "count": count,
                        "pips": [place < count for place in range(LIMIT)],
                        "is_full": count >= LIMIT,
                    }
                    for animal, count in zip(pens["names"], counts, strict=True)
                ],
            }
        )
    mine = roles["each"][view["seat"]] if view["seat"] is not None and view["seat"] != OPEN else []
    bazaars = [zone["cards"] for zone in view["zones"] if zone["zone"] == "bazaar" and zone["cards"]]
    return {
        "seats": seats,
        "deck": find_zone(view, "deck")["count"],
        "discard": find_zone(view, "discard")["count"],
        "at_work": find_zone(view, "at-work")["cards"],
        # A Bazaar revealed by a Bazaar lies beside it.
        "bazaars": bazaars,
        "open": [*(face for row in bazaars for face in row), *find_zone(view, "at-work")["cards"]],
        "animals": [{"name": pack.picture(animal).name, "icon": f"c-{CHARGES[animal][0]}"} for animal in pens["names"]],
        "role": next(iter(mine), ""),
        "role_is_open": view["seat"] == fields["vizier"],
        "ends": fields["stage"] != "main",
    }


def _layout_monarchs(view: View, points: Sequence[int], names: Sequence[str], pack: DeckPictures) -> Board:
    fields = view["fields"]
    court = find_zone(view, "court")
    spots = [
        {
            "key": key,
            "place": number % COLUMNS + 1,
            "top": pile[-1] if pile else "",
            "under": pile[:-1],
            "more": count - 1 if count > 1 else 0,
            "choices": [],
        }
        for number, (key, pile, count) in enumerate(zip(court["names"], court["spots"], court["counts"], strict=True))
    ]
    draw, hand, played, discard = (find_zone(view, label) for label in ("draw", "hand", "played", "discard"))
    seats = [
        {
            "number": seat,
            "name": names[seat],
            "points": points[seat],
            "is_turn": seat == fields["active"],
            "is_me": seat == view["seat"],
            "draw": draw["counts"][seat],
            "cards": hand["counts"][seat],
            "hand": hand["each"][seat] if seat != view["seat"] else [],
            "discard": discard["counts"][seat],
            "played": played["each"][seat],
            "owned": len(fields["owned"][seat]),
            "is_start": seat == fields["start"] and view["seats"] > 1,
        }
        for seat in range(view["seats"])
    ]
    return {
        "rows": [
            {"title": "Back row", "note": "costs 2 more", "spots": spots[COLUMNS:]},
            {"title": "Front row", "note": "", "spots": spots[:COLUMNS]},
        ],
        "seats": seats,
        "deck": find_zone(view, "deck")["count"],
        "revealed": find_zone(view, "revealed")["cards"],
        "open": [
            *find_zone(view, "revealed")["cards"],
            *(face for pile in court["spots"] for face in pile),
            *(face for cards in played["each"] for face in cards),
        ],
        "removed": find_zone(view, "removed")["count"],
        "influence": fields["influence"],
        "moves": fields["moves"],
        "dice": fields["dice"],
        "active": fields["active"],
        "last_round": fields["last_round"],
    }


_BOARDS: dict[str, Callable[[View, Sequence[int], Sequence[str], DeckPictures], Board]] = {
    "menagerie": _layout_menagerie,
    "monarchs": _layout_monarchs,
}
