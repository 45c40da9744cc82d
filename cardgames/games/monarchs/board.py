"""The board of Of Mice and Monarchs: everybody's colours times crowns, the court, and what each choice would do."""

from collections.abc import Sequence

from cardgames.engine import Deck, View
from cardgames.engine.board import (
    Board,
    Change,
    Column,
    Fan,
    FanCard,
    Figure,
    Preview,
    Scene,
    ScoreCell,
    ScoreRow,
    ScoreTable,
    Spot,
    SpotRow,
    SpotRows,
    hand_cards,
)
from cardgames.games.monarchs.deck_definition import COLOURS, COLUMNS, TURNED_UP, Mouse, faces_by_id
from cardgames.games.monarchs.prompts_and_sentences import top_cards
from cardgames.games.monarchs.rules import SURCHARGE
from cardgames.games.monarchs.scoring import Colour, count_by_colour
from text import format_signed

# A move is one choice: which card, and where to.
FOLLOW_UPS = frozenset({"move"})
TURN_UP = "The deck's top card is turned up. You buy it or lay it on the front row."
ENDS = "Your turn ends."


def lay_out(scene: Scene) -> Board:
    view, fields = scene.view, scene.view.fields
    kind = view.asked.kind if scene.question else None
    seat = view.seat
    revealed = view.zone("revealed").faces
    hands = view.zones_each("hand").each
    court = _court(scene)
    deck, removed = view.zone("deck").size, view.zone("removed").size
    mine = fields["active"] == seat
    open_cards = [
        *revealed,
        *(face for pile in view.spots("court").spots for face in pile),
        *(face for other in range(view.seats) for face in view.zones_each("played").faces(other)),
    ]
    own = hands[view.reader] if view.is_player else []
    return Board(
        label="Family scoring" if kind == "family" else scene.turn_label,
        title=_title(scene, kind),
        icon="c-crown",
        pieces=(_scores(scene),) if kind == "family" else (_scores(scene), court),
        fan=_fan(scene, kind, revealed, own),
        figures=(
            Figure(fields["moves"], "move" if fields["moves"] == 1 else "moves"),
            Figure(fields["influence"], "to spend"),
        )
        if mine and kind != "family"
        else (),
        tallies=(("court deck", deck), ("removed", removed)) if removed else (("court deck", deck),),
        captions=_captions(view),
        active=fields["active"],
        notes=_notes(view),
        faces=tuple(dict.fromkeys([*(face for face in own if face), *open_cards])),
        hands={other: tuple(cards) for other, cards in enumerate(hands) if cards and other != seat},
        previews=tuple(_previews(scene, kind)),
        chosen=_chosen(scene, kind),
    )


def _title(scene: Scene, kind: str | None) -> str:
    if kind is None:
        return ""
    about = scene.view.asked.about
    if kind == "court":
        return "Buy or move" if scene.view.fields["moves"] else "Buy from the court"
    if kind == "move":
        return "Where does it go?"
    if kind == "revealed":
        return "Buy it or cover a card"
    if kind == "dice":
        return f"Die {about['die']}: remove a {about['row']} card"
    return f"Set aside two {about['colour']} cards"


def _notes(view: View) -> tuple[str, ...]:
    fields, notes = view.fields, []
    if fields["last_round"] and not view.result and fields["active"] >= 0:
        notes.append("The court deck is empty. Play ends after this round.")
    if fields["dice"]:
        notes.append(f"Dice: white {fields['dice'][0]}, black {fields['dice'][1]}.")
    return tuple(notes)


def _captions(view: View) -> dict[int, str]:
    draw, hand, discard = (view.zones_each(label).counts for label in ("draw", "hand", "discard"))
    owned, start = view.fields["owned"], view.fields["start"]
    return {
        seat: f"{'start player, ' if seat == start and view.seats > 1 else ''}{len(owned[seat])} bought, "
        f"{draw[seat]} to draw, {discard[seat]} discarded, {hand[seat]} in hand"
        for seat in range(view.seats)
    }


def _owned(view: View, seat: int, deck: Deck) -> dict[str, Colour]:
    mice = faces_by_id(deck)
    return count_by_colour([mice[key] for key in view.fields["owned"][seat]])


def _scores(scene: Scene) -> ScoreTable:
    view, mice = scene.view, faces_by_id(scene.deck)
    sample = {mouse.colour: scene.pictures.picture(key) for key, mouse in mice.items()}
    columns = tuple(
        Column(colour, sample[colour].tincture, sample[colour].shape) for colour in COLOURS if colour in sample
    )
    rows = []
    for seat in range(view.seats):
        counts = _owned(view, seat, scene.deck)
        past = _owned(scene.past, seat, scene.deck) if scene.past else counts
        cells = []
        for column in columns:
            cards, crowns = counts.get(column.label, (0, 0))
            then = past.get(column.label, (0, 0))
            key, since = f"{seat}:{column.label}", cards * crowns - then[0] * then[1] or cards - then[0]
            cells.append(
                ScoreCell(key, str(cards * crowns) if cards else "–", f"{cards}×{crowns}" if cards else "", since)
            )
        rows.append(ScoreRow(seat, tuple(cells)))
    return ScoreTable("Cards times crowns, by player and colour", columns, tuple(rows))


def _price(mouse: Mouse, spot: str) -> int:
    return mouse.cost + (SURCHARGE if spot.startswith("back") else 0)


def _court(scene: Scene) -> SpotRows:
    view, words, mice = scene.view, scene.words, faces_by_id(scene.deck)
    court, left = view.spots("court"), view.fields["influence"]
    buying = scene.question is not None and view.asked.kind == "court"
    keys = view.asked.keys if buying else []
    spots = []
    for key, pile, count in zip(court.names, court.spots, court.counts, strict=True):
        if not pile:
            spots.append(Spot(key))
            continue
        cost = _price(mice[pile[-1]], key)
        short = buying and f"buy:{key}" not in keys
        under = [words.card(face) for face in pile[:-1]] or ([f"{count - 1} underneath"] if count > 1 else [])
        note = f"{cost}: {cost - left} short" if short else f"pay {cost}" if buying else f"costs {cost}"
        spots.append(Spot(key, pile[-1], words.card(pile[-1]), count - 1, ", ".join(under), note, short))
    rows = (SpotRow("Back row, 2 more", tuple(spots[COLUMNS:])), SpotRow("Front row", tuple(spots[:COLUMNS])))
    return SpotRows("Court", rows)


def _fan(scene: Scene, kind: str | None, revealed: Sequence[str], hand: Sequence[str | None]) -> Fan | None:
    view, mice = scene.view, faces_by_id(scene.deck)
    if kind == "family":
        cards = tuple(
            FanCard(f"card-{number}", face, note=_crowns(mice[face].crowns))
            for number, face in enumerate(view.asked.about["cards"])
        )
        return Fan(f"Your {view.asked.about['colour']} cards", cards)
    if revealed and kind == "revealed":
        cost, left = mice[revealed[0]].cost, view.fields["influence"]
        short = cost > left
        card = FanCard("revealed", revealed[0], 1, f"{cost}: {cost - left} short" if short else f"pay {cost}", short)
        return Fan("Revealed", (card,), is_small=True)
    active = view.fields["active"]
    if active >= 0 and active == view.seat:
        return Fan("Laid out", hand_cards(view.zones_each("played").each[active]), is_small=True)
    return Fan("Your hand", hand_cards(hand), is_small=True) if hand else None


def _crowns(number: int) -> str:
    return f"{number} crown{'s' * (number != 1)}"


def _chosen(scene: Scene, kind: str | None) -> frozenset[str]:
    if kind == "move":
        return frozenset({str(scene.view.asked.about)})
    if kind == "family":
        return frozenset(f"card-{number}" for number in _set_aside(scene))
    return frozenset()


# What a choice would do


def _previews(scene: Scene, kind: str | None) -> list[Preview]:
    if scene.question is None or kind is None:
        return []
    if kind == "family":
        return _family(scene)
    make = {"court": _at_court, "move": _move, "revealed": _revealed, "dice": _remove}[kind]
    return [make(scene, choice.key, choice.label) for choice in scene.question.choices]


def _buy(scene: Scene, key: str, piece: str, face: str, price: int) -> Preview:
    """Buying a card, with what it would add to the reader's points."""
    seat, mouse = scene.view.reader, faces_by_id(scene.deck)[face]
    cards, crowns = _owned(scene.view, seat, scene.deck).get(mouse.colour, (0, 0))
    old, new = cards * crowns, (cards + 1) * (crowns + mouse.crowns)
    total, name = scene.points[seat], scene.words.card(face)
    return Preview(
        key,
        f"Buy {name} for {price}",
        piece,
        f"{mouse.colour.capitalize()} {cards} × {crowns} → {cards + 1} × {crowns + mouse.crowns}.",
        f"{name}, {mouse.colour}, costs {price}, {format_signed(new - old)} points",
        changes=(Change(seat, total, total + new - old),),
        tag=new - old or None,
        becomes={f"{seat}:{mouse.colour}": f"{old} → {new}" if new != old else str(new)},
    )


def _at_court(scene: Scene, key: str, label: str) -> Preview:
    act, _, spot = key.partition(":")
    fields = scene.view.fields
    if act == "done":
        bought, about = fields["bought"], scene.view.asked.about
        turns_up = not bought and about != TURNED_UP and scene.view.zone("deck").size
        return Preview(
            key, "End turn" if bought else "End turn without buying", explanation=TURN_UP if turns_up else ENDS
        )
    face = top_cards(scene.view)[spot]
    if act == "buy":
        return _buy(scene, key, spot, face, _price(faces_by_id(scene.deck)[face], spot))
    return Preview(key, f"Move {scene.words.card(face)}", spot, label=label, short_button="Move it")


def _move(scene: Scene, key: str, label: str) -> Preview:
    tops, start, to = top_cards(scene.view), scene.view.asked.about, key.partition(":")[2]
    face, under = tops[start], tops.get(to)
    name = scene.words.card(face)
    explanation = f"{name} then costs {_price(faces_by_id(scene.deck)[face], to)}"
    if under:
        return Preview(key, f"Lay it on {scene.words.card(under)}", to, f"{explanation}.", label)
    return Preview(key, "Move it here", to, f"{explanation}.", label)


def _revealed(scene: Scene, key: str, label: str) -> Preview:
    face, spot = scene.view.asked.about, key.partition(":")[2]
    if key == "buy":
        return _buy(scene, key, "revealed", face, faces_by_id(scene.deck)[face].cost)
    under = top_cards(scene.view).get(spot)
    press = f"Lay it on {scene.words.card(under)}" if under else "Lay it here"
    return Preview(key, press, spot, "Your turn then ends.", label)


def _remove(scene: Scene, key: str, label: str) -> Preview:
    spot = key.partition(":")[2]
    return Preview(key, f"Remove {scene.words.card(top_cards(scene.view)[spot])}", spot, "It leaves the game.", label)


def _set_aside(scene: Scene) -> list[int]:
    """Which cards of the colour are chosen so far, by their place."""
    places: list[int] = []
    for face in scene.chosen.split("+"):
        cards = scene.view.asked.about["cards"]
        places += [place for place, card in enumerate(cards) if card == face and place not in places][:1]
    return places


def _family(scene: Scene) -> list[Preview]:
    """Two cards are chosen one after the other; a tap on a chosen one takes it back."""
    cards, mice = scene.view.asked.about["cards"], faces_by_id(scene.deck)
    keys, chosen = set(scene.view.asked.keys), _set_aside(scene)

    def key_of(places: Sequence[int]) -> str:
        faces = [cards[place] for place in places]
        if len(faces) < 2:
            return f"{faces[0]}+" if faces else ""
        return "+".join(faces) if "+".join(faces) in keys else "+".join(faces[::-1])

    previews = []
    for place, face in enumerate(cards):
        left = [other for other in chosen if other != place] if place in chosen else [*chosen, place][-2:]
        label = f"{scene.words.card(face)}, {_crowns(mice[face].crowns)}"
        previews.append(Preview(key_of(left), "", f"card-{place}", label=label))
    if len(chosen) == 2:
        total = sum(mice[face].crowns for face in cards)
        rest = total - sum(mice[cards[place]].crowns for place in chosen)
        names = " and ".join(scene.words.card(cards[place]) for place in chosen)
        previews.append(Preview(key_of(chosen), f"Set aside {names}", "none", f"{_crowns(rest)} of {total} left."))
    return previews
