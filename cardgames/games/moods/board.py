"""The board of Moods of the Mad King: what one knows of the King, each player's three acts, and what a choice does."""

from collections.abc import Callable, Sequence
from typing import Any

from cardgames.engine import Choice, View
from cardgames.engine.board import (
    Board,
    Cell,
    Clue,
    Clues,
    Fan,
    FanCard,
    Piece,
    PlayerRow,
    PlayerRows,
    Preview,
    Scene,
    Secret,
)
from cardgames.games.moods.deck_definition import GENRES, MAX_ACTS, MOODS, MUSES, PLAYS

# Questions that complete the action card before them.
FOLLOW_UPS = frozenset(
    {
        *("curtain-call", "scene-own", "scene-other", "review", "fright", "keyhole", "maid", "tantrum", "recast"),
        *("recast-to", "encore", "scenery"),
    }
)
NO_EFFECT = "It finds no target and has no effect."
BEFORE_USE = {
    "the-prompter": "You look at the next cards of the deck, at most three, and put them back in any order.",
    "new-patron": "You look at an unused Muse and may exchange yours for it.",
    "royal-tantrum": "Your Mood becomes the King's, face down, and you take the King's old one.",
    "burnt-script": "You look at the next card of the deck and may discard it.",
    "double-bill": "You draw another card and keep it or give it away.",
    "change-of-scenery": "Everybody passes a card to the left. All choose in secret.",
}
TITLES = {
    "first": "Who saw a play last?",
    "cut": "Discard one act",
    "action": "Use an action card?",
    "curtain-call": "Take which card?",
    "scene-own": "Swap which of yours?",
    "review": "Tear up which card?",
    "fright": "Who gets stage fright?",
    "fright-drop": "Discard one of your cards",
    "keyhole": "Whose Mood?",
    "maid": "Whose Muse?",
    "tantrum": "Which Mood for the King?",
    "recast": "Move which card?",
    "recast-to": "Into whose play?",
    "encore": "Put back which card?",
    "scenery": "Pass which card to the left?",
}
ACT_NAMES = ("First act", "Second act", "Third act")


def lay_out(scene: Scene) -> Board:
    view, seat = scene.view, scene.view.seat
    hands = view.zones_each("hand").all_faces
    pieces: list[Piece] = [_plays(scene)]
    if view.is_player and not view.result:
        pieces.insert(0, _clues(scene))
    in_use = view.zone("in-use").faces
    fan = _fan(scene) if view.is_player else None
    drawn = view.zones_each("drawn").all_faces
    return Board(
        label=scene.turn_label,
        title=_title(scene),
        icon=_icon(scene),
        pieces=tuple(pieces),
        fan=fan,
        secret=_muse(scene) if view.is_player and not view.result else None,
        tallies=(("deck", view.zone("deck").size), ("discard", view.zone("discard").size)),
        captions=_captions(view),
        active=view.fields["active"],
        notes=tuple(f"{scene.words.card(face)} is in use." for face in in_use) if not scene.question else (),
        faces=tuple(dict.fromkeys([*(card.face for card in fan.cards if card.face), *in_use] if fan else in_use)),
        hands={
            other: (*cards, *(face for face in drawn[other] if face))
            for other, cards in enumerate(hands)
            if cards and other != seat
        },
        previews=tuple(_previews(scene)),
        chosen=_chosen(scene),
    )


def _icon(scene: Scene) -> str:
    ask = scene.view.question
    if ask and ask.kind in ("draw", "script", "patron"):
        return f"c-{scene.pictures.picture(ask.about).charge}"
    in_use = scene.view.zone("in-use").faces
    return f"c-{scene.pictures.picture(in_use[-1]).charge}" if in_use else "c-crown"


def _title(scene: Scene) -> str:
    if scene.question is None:
        return ""
    ask, words = scene.view.asked, scene.words
    kind, about = ask.kind, ask.about
    if kind == "draw":
        return f"Keep or give {words.card(about)}"
    if kind == "patron":
        return f"Take the {words.card(about)}?"
    if kind == "script":
        return f"Burn {words.card(about)}?"
    if kind == "scene-other":
        return f"Swap {words.card(about)} for?"
    if kind == "prompter":
        return "Which is drawn next?" if about["placed"] else "Which is drawn first?"
    return TITLES[kind]


def _captions(view: View) -> dict[int, str]:
    counts = view.zones_each("hand").counts
    return {seat: f"{count} action{'s' * (count != 1)}" for seat, count in enumerate(counts)}


def _muse(scene: Scene) -> Secret | None:
    muse = scene.view.zones_each("role").faces(scene.view.reader)[0]
    picture = scene.pictures.picture(muse)
    return Secret("My Muse", muse, picture.name, f"c-{picture.charge}")


# What a seat knows of the King's Mood


def _clues(scene: Scene) -> Clues:
    """Each Mood, crossed out where this seat knows that it lies elsewhere."""
    view, words = scene.view, scene.words
    king = [face for face in view.zone("king").cards if face]
    holders = {face: seat for seat, faces in enumerate(view.zones_each("mood").all_faces) for face in faces if face}
    clues = []
    for mood in MOODS:
        picture = scene.pictures.picture(mood)
        if mood in holders:
            holder = holders[mood]
            whose = "yours" if holder == view.seat else words.whose(holder)
            clues.append(Clue(picture.name, f"c-{picture.charge}", whose, is_out=True))
        else:
            clues.append(Clue(picture.name, f"c-{picture.charge}", "", is_out=bool(king) and mood not in king))
    left = sum(not clue.is_out for clue in clues)
    number = {1: "known", 2: "one of two", 3: "one of three", 4: "one of four"}.get(left, "hidden")
    top = _known_top(view)
    after = f"Next card: {words.card(top)}." if top else ""
    return Clues(f"The King's Mood is {number}", "only you see this", tuple(clues), after)


def _known_top(view: View) -> str | None:
    deck = view.zone("deck")
    top: str | None = deck.cards[-1] if deck.cards and len(deck.cards) == deck.size else None
    return top


# The plays


def _act_keys(seat: int, faces: Sequence[str]) -> list[str]:
    """Cards of a play by owner and face; the second of two like cards is told apart."""
    keys = []
    for number, face in enumerate(faces):
        before = list(faces[:number]).count(face)
        keys.append(f"{seat}:{face}" + (f":{before + 1}" if before else ""))
    return keys


def _plays(scene: Scene) -> PlayerRows:
    plays = scene.view.zones_each("play").all_faces
    past = scene.past.zones_each("play").all_faces if scene.past else plays
    rows = []
    for seat, faces in enumerate(plays):
        cells = []
        for key, face in zip(_act_keys(seat, faces), faces, strict=True):
            picture = scene.pictures.picture(face)
            is_new = faces.count(face) > past[seat].count(face)
            cells.append(
                Cell(
                    key, picture.name, f"c-{picture.charge}", picture.tincture, 1, worth=picture.name, since=int(is_new)
                )
            )
        for number in range(len(faces), MAX_ACTS):
            cells.append(Cell(f"{seat}:empty-{number + 1}", f"{ACT_NAMES[number]}, empty", "c-cards"))
        rows.append(PlayerRow(seat, tuple(cells), note=_row_note(scene, seat, faces)))
    return PlayerRows("Plays", tuple(rows))


def _row_note(scene: Scene, seat: int, faces: Sequence[str]) -> str:
    """What giving would mean, or how the own play stands."""
    view = scene.view
    result = view.result
    if result:
        if seat in result.winners:
            return "Wins"
        beheaded, lost = seat in result.facts["beheaded"], seat in result.facts["without_patron"]
        return "Loses both" if beheaded and lost else "Beheaded" if beheaded else "Patron lost"
    if seat == view.seat:
        muse = view.zones_each("role").faces(seat)[0]
        return "Muse pleased" if f"play-{GENRES[MUSES.index(muse)]}" in faces else "Muse waits"
    if scene.question and view.asked.kind == "draw":
        return "Full: must discard" if len(faces) == MAX_ACTS else ACT_NAMES[len(faces)]
    return ""


# Under the thumb


def _fan(scene: Scene) -> Fan | None:
    view, words = scene.view, scene.words
    seat, ask = view.reader, view.question
    kind = ask.kind if ask and scene.question else None
    about: Any = ask.about if ask else None
    hand = view.zones_each("hand").faces(seat)
    if kind in ("curtain-call", "encore"):
        faces = view.zone("discard").faces
        return Fan(
            "Discard pile", tuple(FanCard(f"pile-{face}", face, faces.count(face)) for face in dict.fromkeys(faces))
        )
    if kind in ("prompter", "tantrum"):
        slots = about["cards"] if kind == "prompter" else about
        label = "Top of the deck" if kind == "prompter" else "Your Moods"
        return Fan(label, tuple(FanCard(f"slot-{number}", face) for number, face in enumerate(slots, 1)))
    cards = []
    held = view.zones_each("drawn").faces(seat)
    if held:
        cards.append(FanCard("drawn", held[0], note="drawn"))
    elif kind in ("patron", "script"):
        cards.append(FanCard("shown", about, note="shown"))
    locked = kind != "action"
    cards += [FanCard(f"hand-{face}", face, hand.count(face), is_pale=locked) for face in dict.fromkeys(hand)]
    if not cards:
        return None
    return Fan("Drawn card and actions" if held else words.labels["hand"], tuple(cards), is_small=len(cards) > 4)


# What a choice would do


def _previews(scene: Scene) -> list[Preview]:
    if scene.question is None:
        return []
    make = _PREVIEWS[scene.view.asked.kind]
    return [make(scene, choice) for choice in scene.question.choices]


def _chosen(scene: Scene) -> frozenset[str]:
    if scene.question is None:
        return frozenset()
    ask = scene.view.asked
    if ask.kind == "draw":
        return frozenset({"drawn"})
    if ask.kind == "scene-other":
        return frozenset({f"{scene.view.seat}:{ask.about}"})
    if ask.kind == "recast-to":
        return frozenset({ask.about})
    return frozenset()


def _draw(scene: Scene, choice: Choice) -> Preview:
    words, face = scene.words, scene.view.asked.about
    name, seat = words.card(face), choice.seat
    assert seat is not None
    is_full = len(scene.view.zones_each("play").faces(seat)) == MAX_ACTS
    if choice.key == "keep":
        says = "Then you discard one of four." if is_full else "It goes face up into your play."
        return Preview(choice.key, f"Keep {name}", f"seat-{seat}", says, f"Keep {name}")
    actions = scene.view.zones_each("hand").counts[scene.view.reader]
    says = f"{words.who(seat)} discards one of four." if is_full else f"It goes into {words.whose(seat)} play."
    after = " Then you may use an action card." if actions else ""
    return Preview(choice.key, f"Give {name} to {words.who(seat)}", f"seat-{seat}", f"{says}{after}")


def _action(scene: Scene, choice: Choice) -> Preview:
    if choice.card is None:
        return Preview(choice.key, choice.label)
    says = BEFORE_USE.get(choice.key, NO_EFFECT)
    return Preview(choice.key, f"Use {choice.label}", f"hand-{choice.key}", says, choice.label)


def _at(piece: str, press: str) -> Callable[[Scene, Choice], Preview]:
    """A choice at a piece: ``piece`` and the label of its button are filled in from the choice and its seats."""

    def preview(scene: Scene, choice: Choice) -> Preview:
        at = piece.format(key=choice.key, seat=choice.seat, me=scene.view.seat)
        name = choice.label
        if name.startswith("Your") and choice.seat is not None:
            name = f"{name[:1].lower()}{name[1:]}"
        return Preview(choice.key, press.format(name), at, label=choice.label)

    return preview


def _button(scene: Scene, choice: Choice) -> Preview:
    return Preview(choice.key, choice.label)


_PREVIEWS: dict[str, Callable[[Scene, Choice], Preview]] = {
    "first": _at("seat-{seat}", "Begin with {}"),
    "draw": _draw,
    "cut": _at("{me}:{key}", "Discard {}"),
    "action": _action,
    "curtain-call": _at("pile-{key}", "Take {}"),
    "scene-own": _at("{me}:{key}", "Swap {}"),
    "scene-other": _at("{key}", "Swap for {}"),
    "review": _at("{key}", "Tear up {}"),
    "fright": _at("seat-{seat}", "Frighten {}"),
    "fright-drop": _at("{me}:{key}", "Discard {}"),
    "keyhole": _at("seat-{seat}", "Look at {}"),
    "maid": _at("seat-{seat}", "Look at {}"),
    "prompter": _at("{key}", "Put {} next"),
    "patron": _button,
    "tantrum": _at("{key}", "Give the King {}"),
    "recast": _at("{key}", "Move {}"),
    "recast-to": _at("seat-{seat}", "Move to {}"),
    "encore": _at("pile-{key}", "Put back {}"),
    "script": _button,
    "scenery": _at("{me}:{key}", "Pass {}"),
}

assert len(PLAYS) == len(MOODS) == len(MUSES) == len(GENRES)
