"""The board of Your Majesty: a row for each court with its muses and wealth, what is to choose from, and the odds."""

from collections.abc import Sequence

from cardgames.engine import PASS
from cardgames.engine.board import (
    Board,
    Cell,
    Change,
    Chip,
    ChipRow,
    Fan,
    FanCard,
    Figure,
    Piece,
    PlayerRow,
    PlayerRows,
    Preview,
    Road,
    RoadStop,
    Scene,
    hand_cards,
)
from cardgames.engine.game_definition import Choice
from cardgames.games.majesty import deck_definition as named, scoring
from cardgames.games.majesty.deck_definition import MUSES, MajestyCard, faces_by_id
from cardgames.games.majesty.event_cards import ENOUGH
from cardgames.games.majesty.rules import ACTIONS_PER_TURN, END, HOLD, LEND, REFUSE, SEND, WITHDRAW
from cardgames.games.majesty.salon_odds import NEEDS_GUESTS, plan_best_salon, plan_salon, preview_invitations
from cardgames.games.majesty.view_reading import CourtView, Faces, courts_of

# Questions that complete the choice before them. The first invitation opens a screen of its own.
FOLLOW_UPS = frozenset(
    {
        *("pay", "claim", "attack", "reform", "invite-more", "poach", "kill", "offend", "rising", "cede", "exchange"),
        *("spy", "intrigue", "pass-on", "bearer", "wreck", "wreck-more", "censor"),
    }
)
# A guest of the salon that is going on: asked for, lent, refused.
ASKED, LENT, REFUSED = "?", "✓", "✗"
ICONS = {"politics": "c-scales", "science": "c-flask", "literature": "c-quill", "arts": "c-palette", "music": "c-lyre"}
TINCTURES = {"politics": "azure", "science": "vert", "literature": "or", "arts": "gules", "music": "purpure"}
# Questions whose choices lie in the middle as chips, not at a court.
IN_THE_MIDDLE = {
    "claim": "Unclaimed colonies",
    "reform": "Reforms you can attempt",
    "censor": "Muses",
    "attend": "Who attends",
    "pass-on": "Scandals at your court",
}
UNSEEN = {"letters": "From the philosophe deck", "underneath": "To the bottom of the deck", "steal": "Their hand"}
# Another's act that this seat can answer.
ANSWERS = {"defend": "{by} attacks your {card}", "cancel": "{by} wants your {card}", "lend": "Lend {card} to {by}?"}
# What the hand can do about it.
HINTS = {
    "act": "Tap a card of your hand, or an action.",
    "pay": "Any card of your hand will do.",
    "attend": "Tap somebody to leave them out.",
}
CAN_DEFEND = ("A campaign card stops it.", "You hold no campaign card to stop it.")
CAN_CANCEL = ("Your own A Place at Court stops it.", "You hold no A Place at Court to stop it.")
ASKS = {
    "pay": "Which card do you discard?",
    "invite": "Invite guests",
    "invite-more": "Invite guests",
    "attend": "Hold the salon?",
}


def lay_out(scene: Scene) -> Board:
    view, fields = scene.view, scene.view.fields
    faces = faces_by_id(scene.deck)
    courts = courts_of(view, faces)
    kind = view.asked.kind if scene.question else None
    seat = view.seat
    hands = view.zones_each("hand").each
    hand = hands[view.reader] if view.is_player else []
    at_work = view.zone("at-work").faces
    rows = _court_rows(scene, courts)
    middle = _middle(scene, kind, faces)
    pieces: tuple[Piece, ...] = (middle if middle and kind in IN_THE_MIDDLE else rows, _road(scene, kind, faces))
    mine = courts[view.reader] if view.is_player else None
    return Board(
        label=_label(scene),
        title=_title(scene, kind),
        icon=f"c-{scene.pictures.picture(at_work[-1]).charge}" if at_work else "c-crown",
        pieces=pieces,
        fan=_fan(scene, kind, faces, hand),
        figures=(Figure(mine.wealth, "chairs" if mine.wealth != 1 else "chair"),) if mine else (),
        tallies=(
            ("deck", view.zone("deck").size + view.zone("shuffled-in").size),
            ("philosophes", view.zone("philosophe-deck").size),
        ),
        captions={court.seat: _standing(court, court.seat == seat) for court in courts},
        active=fields["active"],
        notes=_notes(scene, courts, faces),
        faces=tuple(dict.fromkeys([*filter(None, hand), *at_work, *_named(scene, kind)])),
        hands={other: tuple(cards) for other, cards in enumerate(hands) if cards and other != seat},
        previews=tuple(_previews(scene, kind, faces, courts)),
        chosen=_chosen(scene, kind, courts),
        hint=_hint(scene, kind),
    )


def _hint(scene: Scene, kind: str | None) -> str:
    if kind in ("defend", "cancel"):
        can = CAN_DEFEND if kind == "defend" else CAN_CANCEL
        return can[0 if len(scene.view.asked.keys) > 1 else 1]
    if kind == "lend":
        reform = faces_by_id(scene.deck)[scene.view.asked.about["reform"]]
        return f"For {reform.name}, level {reform.level}. The guest comes home again."
    return HINTS.get(kind or "", "")


def _named(scene: Scene, kind: str | None) -> list[str]:
    """Cards of the open question that are worth a picture in the help."""
    if kind in UNSEEN:
        about = scene.view.asked.about
        return list(about["cards"] if isinstance(about, dict) else about)
    return [scene.view.fields["reform"]] if scene.view.fields["reform"] else []


def _label(scene: Scene) -> str:
    fields = scene.view.fields
    active = fields["active"]
    if active < 0:
        return ""
    if active != scene.view.seat:
        return f"{scene.turn_label}, round {fields['round']}"
    done = len(fields["taken"])
    number = min(ACTIONS_PER_TURN, done + (scene.view.kind == "act") or 1)
    return f"Your turn, action {number} of {ACTIONS_PER_TURN}"


def _title(scene: Scene, kind: str | None) -> str:
    if scene.question is None or kind is None:
        return ""
    if kind in ("invite", "invite-more"):
        return f"Invite guests for {scene.words.card(scene.view.fields['reform'])}"
    if kind == "act":
        return "Choose an action"
    about, words = scene.view.asked.about, scene.words
    if kind in ANSWERS:
        return words.fill(ANSWERS[kind], about)
    return ASKS.get(kind, scene.question.prompt)


def _standing(court: CourtView, is_me: bool) -> str:
    parts = [f"{len(court.scandals)} scandal{'s' * (len(court.scandals) != 1)}"] if court.scandals else []
    if not is_me:
        parts.append(f"{court.hand} card{'s' * (court.hand != 1)}")
    if court.reforms:
        parts.append(f"reforms {' + '.join(map(str, sorted(court.levels)))}")
    return ", ".join(parts)


def _notes(scene: Scene, courts: Sequence[CourtView], faces: Faces) -> tuple[str, ...]:
    words, notes = scene.words, []
    for owner, row, about in scene.view.fields["marks"]:
        until = f"until {words.whose(owner)} turn"
        if row == named.PEACE:
            notes.append(f"No campaigns {until}.")
        elif row == named.CENSOR:
            notes.append(f"No salon for {about[0]} {until}.")
        elif row == named.HURRICANE:
            lost = " and ".join(words.card(card) for card in about)
            notes.append(f"No coins from {lost} {until}.")
        elif row == named.TOUR:
            notes.append(f"Grand Tour: {words.whose(owner)} salons have +2 sophia.")
        elif row == named.SUGAR:
            notes.append(f"Sugar Boom: {words.whose(owner)} wealth has +2.")
    return tuple(note[:1].upper() + note[1:] for note in notes)


def _court_rows(scene: Scene, courts: Sequence[CourtView]) -> PlayerRows:
    past = courts_of(scene.past, faces_by_id(scene.deck)) if scene.past else courts
    fields = scene.view.fields
    invited = {card for _, card in fields["invited"]}
    lent = {card for _, card in fields["replies"] if card}
    refused = {seat for seat, card in fields["replies"] if not card}
    rows = []
    for court, then in zip(courts, past, strict=True):
        cells = []
        for muse in MUSES:
            here = court.of_muse(muse)
            worth = "".join("•" * card.prestige + " " for card in here).strip()
            if any(card.id in lent for card in here):
                worth = LENT
            elif any(card.id in invited for card in here):
                worth = REFUSED if court.seat in refused else ASKED
            names = ", ".join(card.name for card in here) or "nobody"
            cells.append(
                Cell(
                    key=f"{court.seat}:{muse}",
                    label=f"{muse}, {names}",
                    icon=ICONS[muse],
                    tincture=TINCTURES[muse],
                    count=len(here),
                    worth=worth,
                    since=len(here) - len(then.of_muse(muse)),
                )
            )
        slaves = sum(card.is_slave for card in court.colonies)
        lands = ", ".join(f"{card.name} {card.coins}" for card in court.colonies) or "no colonies"
        cells.append(
            Cell(
                key=f"{court.seat}:wealth",
                label=f"Wealth {court.wealth}, {lands}",
                icon="c-coin",
                tincture="or",
                count=len(court.colonies),
                worth=f"{court.wealth}{'*' * bool(slaves and not scene.view.fields['abolished'])}",
                since=len(court.colonies) - len(then.colonies),
            )
        )
        rows.append(PlayerRow(court.seat, tuple(cells)))
    return PlayerRows("Courts: philosophes by muse, and wealth", tuple(rows))


def _road(scene: Scene, kind: str | None, faces: Faces) -> Road:
    """Everybody's prestige on the way to the target, and where the chosen salon would lead."""
    points, seat = scene.points, scene.view.seat
    target = scoring.target_of(scene.view.fields["paycheck"])
    level = 0
    if kind == "reform" and scene.chosen in faces:
        level = faces[scene.chosen].level
    elif kind == "attend" and scene.chosen == HOLD:
        level = faces[scene.view.fields["reform"]].level
    hop = points[seat] + level if level and seat is not None else None
    return Road(
        tuple(
            RoadStop(
                number,
                tuple(owner for owner, score in enumerate(points) if min(score, target) == number),
                is_hop=hop is not None and min(hop, target) == number,
                is_marked=number == target or (not number % 5 and target - number > 1),
            )
            for number in range(min(0, *points), target + 1)
        )
    )


def _chip(key: str, face: MajestyCard, *, is_pale: bool = False) -> Chip:
    if face.group == "colony":
        note = f"{face.coins} coin{'s' * (face.coins != 1)}" + (", −1" if face.is_slave else "")
        return Chip(key, face.name, note, "c-lock" if face.is_slave else "c-ship", "argent", is_pale)
    if face.group == "reform":
        return Chip(key, face.name, f"level {face.level}", ICONS[face.muse], TINCTURES[face.muse], is_pale)
    if face.group == "philosophe":
        return Chip(key, face.name, f"{face.prestige}", ICONS[face.muse], TINCTURES[face.muse], is_pale)
    return Chip(key, face.name, "", "c-warn", "sable", is_pale)


def _middle(scene: Scene, kind: str | None, faces: Faces) -> ChipRow | None:
    """What lies in the middle and is asked about."""
    if kind not in IN_THE_MIDDLE:
        return None
    keys = [key for key in scene.view.asked.keys if key not in (HOLD, WITHDRAW)]
    if kind == "censor":
        chips = [Chip(f"middle-{key}", key.capitalize(), "", ICONS[key], TINCTURES[key]) for key in keys]
    elif kind == "attend":
        chips = [_chip(f"middle-{id}", faces[id]) for id in scene.view.fields["attending"]]
    else:
        chips = [_chip(f"middle-{key}", faces[key]) for key in keys]
        if kind == "claim":
            chips.sort(key=lambda chip: (-faces[chip.key.removeprefix("middle-")].coins, chip.name))
    return ChipRow(IN_THE_MIDDLE[kind], tuple(chips))


def _fan(scene: Scene, kind: str | None, faces: Faces, hand: Sequence[str | None]) -> Fan | None:
    if kind in UNSEEN:
        about = scene.view.asked.about
        ids: list[str] = about["cards"] if isinstance(about, dict) else about
        slots = [key for key in scene.view.asked.keys if key != ENOUGH]
        shown = ids if len(ids) == len(slots) else [ids[int(slot.removeprefix("slot-")) - 1] for slot in slots]
        return Fan(UNSEEN[kind], tuple(FanCard(slot, id) for slot, id in zip(slots, shown, strict=True)))
    return Fan("Your hand", hand_cards(hand), is_small=True) if hand else None


def _chosen(scene: Scene, kind: str | None, courts: Sequence[CourtView]) -> frozenset[str]:
    if kind != "invite-more":
        return frozenset()
    faces = faces_by_id(scene.deck)
    return frozenset(f"{seat}:{faces[card].muse}" for seat, card in scene.view.fields["invited"])


# What a choice would do


def _previews(scene: Scene, kind: str | None, faces: Faces, courts: Sequence[CourtView]) -> list[Preview]:
    if scene.question is None or kind is None:
        return []
    owners = {card: court.seat for court in courts for card in court.all_cards}
    return [_preview(scene, kind, choice, faces, courts, owners) for choice in scene.question.choices]


def _preview(
    scene: Scene, kind: str, choice: Choice, faces: Faces, courts: Sequence[CourtView], owners: dict[str, int]
) -> Preview:
    key, words = choice.key, scene.words
    if kind == "act":
        return _act(scene, choice, faces)
    if kind == "pay":
        id = key.partition(":")[2]
        return Preview(key, f"Discard {choice.label}", f"hand-{id}", label=choice.label)
    if key in (SEND, HOLD, WITHDRAW, ENOUGH, PASS, REFUSE):
        return _plain(scene, kind, choice, faces, courts)
    if kind in ("defend", "cancel"):
        return Preview(key, choice.label, f"hand-{key}", label=choice.label)
    if kind == "lend":
        return _lend(scene, choice, faces)
    if kind in UNSEEN:
        verb = {"letters": "Welcome", "underneath": "Put", "steal": "Take"}[kind]
        end = " at the bottom" if kind == "underneath" else ""
        return Preview(key, f"{verb} {choice.label}{end}", key, label=choice.label)
    if kind in IN_THE_MIDDLE:
        return _in_the_middle(scene, kind, choice, faces, courts)
    if key.startswith("seat-"):
        return Preview(key, f"Choose {words.who(int(key[5:]))}", key, label=choice.label)
    id = key.rpartition(":")[2]
    return _at_court(scene, kind, choice, faces[id], owners, courts)


def _act(scene: Scene, choice: Choice, faces: Faces) -> Preview:
    act, _, card = choice.key.partition(":")
    if card:
        return Preview(
            choice.key, choice.label, f"hand-{card}", faces[card].text, choice.label, short_button=choice.label
        )
    ends = "" if act != END else "Your turn ends."
    return Preview(choice.key, choice.label, explanation=ends)


def _plain(scene: Scene, kind: str, choice: Choice, faces: Faces, courts: Sequence[CourtView]) -> Preview:
    if choice.key == SEND:
        return preview_invitations(scene, faces, courts)
    if choice.key == HOLD:
        seat, reform = scene.view.reader, faces[scene.view.fields["reform"]]
        muses = [faces[id].muse for id in scene.view.fields["attending"]]
        before, plan = scene.points[seat], plan_salon(scene, reform, courts[seat], muses)
        changes = (Change(seat, before, before + reform.level),)
        return Preview(
            choice.key,
            choice.label,
            explanation=plan.odds,
            changes=changes,
            odds=plan.boxes(),
        )
    if choice.key == PASS:
        return _let_go(scene, kind, choice, faces)
    return Preview(choice.key, choice.label)


def _let_go(scene: Scene, kind: str, choice: Choice, faces: Faces) -> Preview:
    """Nothing is answered: the colony or the philosophe goes."""
    about, me, points = scene.view.asked.about, scene.view.reader, scene.points
    face, by = faces[about["card"]], about["by"]
    says = f"{scene.words.who(by)} gets {face.name}."
    lost = face.prestige if kind == "cancel" else -int(face.is_slave and not scene.view.fields["abolished"])
    changes = (Change(me, points[me], points[me] - lost), Change(by, points[by], points[by] + lost)) if lost else ()
    if scene.view.fields["paycheck"] == scoring.BY_WEALTH:
        changes = ()
    return Preview(choice.key, choice.label, explanation=says, changes=changes)


def _lend(scene: Scene, choice: Choice, faces: Faces) -> Preview:
    about = scene.view.asked.about
    id = about["card"] if choice.key == LEND else choice.key.partition(":")[2]
    reform = faces[about["reform"]]
    worth = 2 if faces[id].muse == reform.muse else 1
    host = scene.words.who(about["by"])
    says = f"{host} attempts {reform.name}, worth {reform.level}. Your guest adds {worth} sophia and comes home again."
    at = f"{scene.view.reader}:{faces[id].muse}"
    return Preview(
        choice.key, choice.label, at, says[:1].upper() + says[1:], choice.label, tag=worth, short_button=choice.label
    )


def _in_the_middle(scene: Scene, kind: str, choice: Choice, faces: Faces, courts: Sequence[CourtView]) -> Preview:
    key, seat = choice.key, scene.view.reader
    if kind == "censor":
        return Preview(key, f"Censor {key}", f"middle-{key}", label=choice.label)
    if kind == "attend":
        id = key.partition(":")[2]
        return Preview(key, choice.label, f"middle-{id}", label=choice.label)
    face = faces[key]
    if kind == "claim":
        before, court = scene.points[seat], courts[seat]
        slave = face.is_slave and not scene.view.fields["abolished"]
        says = f"Wealth {court.wealth} → {court.wealth + face.coins}."
        changes = (Change(seat, before, before - 1),) if slave else ()
        return Preview(
            key, f"Claim {face.name}", f"middle-{key}", says, f"{face.name}, {face.coins} coins", changes=changes
        )
    if kind == "reform":
        court = courts[seat]
        own = plan_best_salon(scene, face, court)
        return Preview(
            key,
            f"Host a salon for {face.name}",
            f"middle-{key}",
            f"Your own court alone: {own.odds}" if own.can_be_held else NEEDS_GUESTS,
            f"{face.name}, level {face.level}",
            odds=own.boxes(),
        )
    return Preview(key, f"Pass on {face.name}", f"middle-{key}", label=face.name)


VERBS = {
    "attack": "Attack",
    "invite": "Invite",
    "invite-more": "Invite",
    "poach": "Bring over",
    "kill": "Take",
    "smallpox": "Lose",
    "resign": "Let go",
    "rising": "Free",
    "cede": "Give away",
    "exchange": "Swap for",
    "wreck": "Strike",
    "wreck-more": "Strike",
}


def _at_court(
    scene: Scene, kind: str, choice: Choice, face: MajestyCard, owners: dict[str, int], courts: Sequence[CourtView]
) -> Preview:
    owner, words = owners[face.id], scene.words
    column = face.muse if face.group == "philosophe" else "wealth"
    name = f"{words.whose(owner)} {face.name}"
    seat, tag = scene.view.reader, None
    changes: list[Change] = []
    slave = face.is_slave and not scene.view.fields["abolished"]
    if kind in ("poach", "kill", "smallpox", "resign"):
        changes.append(Change(owner, scene.points[owner], scene.points[owner] - face.prestige))
        if kind == "poach":
            changes.append(Change(seat, scene.points[seat], scene.points[seat] + face.prestige))
        tag = -face.prestige
    elif kind in ("attack", "rising") and slave:
        changes.append(Change(owner, scene.points[owner], scene.points[owner] + 1))
        if kind == "attack":
            changes.append(Change(seat, scene.points[seat], scene.points[seat] - 1))
    elif kind in ("invite", "invite-more"):
        reform = faces_by_id(scene.deck)[scene.view.fields["reform"]]
        tag = 2 if face.muse == reform.muse else 1
    if scene.view.fields["paycheck"] == scoring.BY_WEALTH:
        changes = []
    coins = f", {face.coins}" if face.group == "colony" else ""
    says = f"{face.coins} coin{'s' * (face.coins != 1)}." if face.group == "colony" else ""
    label = f"{name[:1].upper()}{name[1:]}{coins}"
    return Preview(
        choice.key,
        f"{VERBS[kind]} {name}",
        f"{owner}:{column}",
        says,
        label,
        short_button=f"{face.name}{coins}",
        changes=tuple(changes),
        tag=tag,
    )
