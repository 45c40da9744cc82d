"""The board of Royal Menagerie: a row of pens for each player, the hand or the Bazaar, and what a choice would do."""

from collections.abc import Sequence

from cardgames.engine import View
from cardgames.engine.board import (
    Board,
    Cell,
    Change,
    Fan,
    FanCard,
    PlayerRow,
    PlayerRows,
    Preview,
    Scene,
    Secret,
    Spot,
    SpotRow,
    SpotRows,
    hand_cards,
)
from cardgames.games.menagerie.deck_definition import ANIMALS, CONSPIRATOR, LOYALIST, VIZIER
from cardgames.games.menagerie.scoring import MAX_PEN, points_of
from text import format_signed

# Questions that complete the card before them.
FOLLOW_UPS = frozenset({"gift", "shoot", "steal", "trade-first", "trade-second"})
CROWDED = "Three in a pen score 0."
NO_ROOM = "Nobody has room for it, so it goes to the discard pile."
NO_TARGET = "It finds no target and has no effect."
BEFORE_PLAY = {
    "bazaar": "Four cards are turned up. You take one first, then the others.",
    "windfall": "You draw two cards, then play two.",
    "trade": "Swaps two animals of two players.",
}
TITLES = {
    "shoot": "Shoot an animal",
    "steal": "Which animal do you steal?",
    "trade-first": "Trade: which animal first?",
    "pick": "You pick a card",
}

Counts = list[list[int]]


def lay_out(scene: Scene) -> Board:
    view, fields = scene.view, scene.view.fields
    seat = view.seat
    bazaars = [zone.faces for zone in view.zones_named("bazaar") if zone.cards]
    kind = view.kind if scene.question else None
    picking = kind == "pick"
    # Whoever is asked has the Bazaar's row under the thumb.
    shown = [] if scene.question else bazaars
    hands = view.zones_each("hand").each
    hand = hands[view.reader] if view.is_player else []
    last = bazaars[-1] if picking else []
    row = [FanCard(f"row-{face}", face, last.count(face)) for face in dict.fromkeys(last)]
    bazaar_spots = tuple(
        SpotRow(
            "Bazaar within the Bazaar" if number else "Bazaar",
            tuple(Spot(f"bazaar-{number}-{place}", face, scene.words.card(face)) for place, face in enumerate(cards)),
        )
        for number, cards in enumerate(shown)
    )
    rows = _pens(scene)
    at_work = view.zone("at-work").faces
    return Board(
        label=_label(scene, bool(bazaars)),
        title=_title(scene),
        icon=f"c-{scene.pictures.picture(at_work[-1]).charge}" if at_work else "c-cards",
        pieces=(SpotRows("Bazaar", bazaar_spots), rows) if bazaar_spots else (rows,),
        fan=Fan("Bazaar", tuple(row)) if row else Fan("Your hand", hand_cards(hand)) if hand else None,
        secret=_role(scene),
        tallies=(("deck", view.zone("deck").size), ("discard", view.zone("discard").size)),
        captions=_captions(scene),
        active=fields["active"],
        notes=_notes(scene, len(bazaars)),
        faces=tuple(dict.fromkeys([*filter(None, hand), *(face for cards in bazaars for face in cards), *at_work])),
        hands={other: tuple(cards) for other, cards in enumerate(hands) if cards and other != seat},
        previews=tuple(_previews(scene)),
        chosen=frozenset({view.asked.about} if kind == "trade-second" else ()),
    )


def _label(scene: Scene, in_bazaar: bool) -> str:
    """Whose turn it is; in a Bazaar also whose Bazaar."""
    active = scene.view.fields["active"]
    if not in_bazaar or active < 0:
        return scene.turn_label
    return "Your turn, Bazaar" if active == scene.view.seat else f"{scene.words.whose(active)} Bazaar"


def _title(scene: Scene) -> str:
    question, view = scene.question, scene.view
    if question is None:
        return ""
    kind, about = view.asked.kind, view.asked.about
    if kind == "gift":
        return f"Who gets the {scene.words.card(about)}?"
    if kind == "trade-second":
        owner, _, animal = about.partition(":")
        return f"Swap {scene.words.whose(int(owner))} {scene.words.card(animal)} for?"
    if kind == "play":
        fields = view.fields
        if view.zone("at-work").faces:
            return "Play a card from your hand"
        if fields["plays_left"] == 2:
            return "Play the first of two cards"
        if view.seat == fields["vizier"] and fields["stage"] == "main":
            return "Play the second of two cards"
        return "Play a card"
    return TITLES[kind]


def _notes(scene: Scene, bazaars: int) -> tuple[str, ...]:
    nested = bazaars > 1 and scene.question is not None and scene.view.kind == "pick"
    return ("Bazaar within the Bazaar",) if nested else ()


def _role(scene: Scene) -> Secret | None:
    view, words = scene.view, scene.words
    vizier = view.fields["vizier"]
    if not view.is_player or view.result:
        return None
    role = view.zones_each("role").faces(view.reader)[0]
    picture = scene.pictures.picture(role)
    whom = {VIZIER: "", LOYALIST: f" with {words.who(vizier)}", CONSPIRATOR: f" against {words.who(vizier)}"}[role]
    return Secret("My role", role, f"{picture.name}{whom}", f"c-{picture.charge}", is_open=role == VIZIER)


def _captions(scene: Scene) -> dict[int, str]:
    """Who is what, beside the name: a role that is known, or how many cards are in hand."""
    view, out = scene.view, {}
    ends, counts = view.fields["stage"] != "main", view.zones_each("hand").counts
    roles = view.zones_each("role")
    for seat in range(view.seats):
        role = roles.faces(seat)
        cards = f"{counts[seat]} card{'s' * (counts[seat] != 1)}"
        known = role and (seat != view.seat or role[0] == VIZIER or view.result)
        if known:
            name = "Vizier" if role[0] == VIZIER else scene.pictures.picture(role[0]).name
            out[seat] = f"{name}, {cards}" if ends and not view.result else name
        elif seat != view.seat:
            out[seat] = cards
    return out


def _counts(view: View) -> Counts:
    return [list(row) for row in view.spots_each("menagerie").counts]


def _pens(scene: Scene) -> PlayerRows:
    worth = points_of(scene.deck)
    counts = _counts(scene.view)
    past = _counts(scene.past) if scene.past else counts
    rows = []
    for seat, row in enumerate(counts):
        cells = []
        for kind, animal in enumerate(ANIMALS):
            picture, count = scene.pictures.picture(animal), row[kind]
            cells.append(
                Cell(
                    key=f"{seat}:{animal}",
                    label=picture.name,
                    icon=f"c-{picture.charge}",
                    tincture=picture.tincture,
                    count=count,
                    most=MAX_PEN,
                    worth=str(worth[kind][count]) if count else "",
                    is_full=count >= MAX_PEN,
                    since=count - past[seat][kind],
                )
            )
        rows.append(PlayerRow(seat, tuple(cells)))
    return PlayerRows("Menageries", tuple(rows))


# What a choice would do


def _previews(scene: Scene) -> list[Preview]:
    if scene.question is None:
        return []
    kind = scene.view.asked.kind
    make = {
        "play": _play,
        "pick": _play,
        "gift": _gift,
        "shoot": _shoot,
        "steal": _steal,
        "trade-first": _first,
        "trade-second": _second,
    }[kind]
    return [make(scene, choice.key) for choice in scene.question.choices]


def _play(scene: Scene, face: str) -> Preview:
    name = scene.words.card(face)
    take = scene.view.asked.kind == "pick"
    verb, at = ("Take", f"row-{face}") if take else ("Play", f"hand-{face}")
    # Where a target can be chosen, the target's own sentence follows instead of this one.
    says = BEFORE_PLAY.get(face) or (NO_ROOM if face in ANIMALS else NO_TARGET)
    return Preview(face, f"{verb} {name}", at, says, name)


def _gift(scene: Scene, key: str) -> Preview:
    to, animal = int(key), scene.view.asked.about
    return _at_pen(
        scene, key, f"{to}:{animal}", [(to, animal, 1)], f"Give {scene.words.card(animal)} to {scene.words.who(to)}"
    )


def _shoot(scene: Scene, key: str) -> Preview:
    seat, animal = _pen(key)
    return _at_pen(scene, key, key, [(seat, animal, -1)], f"Shoot {scene.words.whose(seat)} {scene.words.card(animal)}")


def _steal(scene: Scene, key: str) -> Preview:
    seat, animal = _pen(key)
    moves = [(seat, animal, -1), (scene.view.reader, animal, 1)]
    return _at_pen(scene, key, key, moves, f"Steal {scene.words.whose(seat)} {scene.words.card(animal)}")


def _first(scene: Scene, key: str) -> Preview:
    seat, animal = _pen(key)
    name = f"{scene.words.whose(seat)} {scene.words.card(animal)}"
    return Preview(key, f"Trade {name}", key, label=f"{name[:1].upper()}{name[1:]}")


def _second(scene: Scene, key: str) -> Preview:
    (a, x), (b, y) = _pen(scene.view.asked.about), _pen(key)
    moves = [(a, x, -1), (b, y, -1), (a, y, 1), (b, x, 1)]
    return _at_pen(scene, key, key, moves, f"Swap for {scene.words.whose(b)} {scene.words.card(y)}")


Moves = Sequence[tuple[int, str, int]]


def _at_pen(scene: Scene, key: str, at: str, moves: Moves, press: str) -> Preview:
    """A choice that moves animals: the points of everybody it touches, and what the pens then show."""
    worth, before = points_of(scene.deck), _counts(scene.view)
    after = [list(row) for row in before]
    for seat, animal, by in moves:
        after[seat][ANIMALS.index(animal)] += by
    wild = [seat for seat in {seat for seat, _, _ in moves} if all(after[seat])]
    for seat in wild:
        while all(after[seat]):
            after[seat] = [count - 1 for count in after[seat]]
    totals = [[sum(worth[kind][count] for kind, count in enumerate(row)) for row in each] for each in (before, after)]
    touched = list(dict.fromkeys(seat for seat, _, _ in moves))
    changes = tuple(Change(seat, totals[0][seat], totals[1][seat]) for seat in touched)
    becomes = {}
    for seat, animal, _ in moves:
        kind = ANIMALS.index(animal)
        old, new = worth[kind][before[seat][kind]], worth[kind][after[seat][kind]]
        becomes[f"{seat}:{animal}"] = f"{old} → {new}" if before[seat][kind] != after[seat][kind] else ""
    owner = int(at.partition(":")[0])
    says = []
    for seat in sorted(wild):
        whose = scene.words.whose(seat)
        says.append(f"Stampede: one of each runs from {whose} menagerie.")
    if not wild and any(by > 0 and after[seat][ANIMALS.index(animal)] == MAX_PEN for seat, animal, by in moves):
        says.append(CROWDED)
    there = before[owner][ANIMALS.index(at.partition(":")[2])]
    effect = ", ".join(f"{scene.words.who(change.seat)} {format_signed(change.by)}" for change in changes)
    name = f"{scene.words.whose(owner)} {scene.words.card(at.partition(':')[2])}"
    label = f"{name[:1].upper()}{name[1:]}: {there} there. {effect}"
    tag = next(change.by for change in changes if change.seat == owner)
    return Preview(key, press, at, " ".join(says), label, changes=changes, tag=tag, becomes=becomes)


def _pen(key: str) -> tuple[int, str]:
    seat, _, animal = key.partition(":")
    return int(seat), animal
