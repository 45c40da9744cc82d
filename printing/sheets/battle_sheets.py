"""Battle slips from the very sheet that the battle's page draws, blank slips, and rosters with unit cards."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import Http404
from django.urls import reverse

from battles.models import Battle
from battles.permissions import permissions_of, require_permission
from battles.selectors import get_visible_battle
from battles.slip.display import SlipDisplay, SlipSide, blank_slip, printable_slip
from campaign.chronicle.state import State
from campaign.models import Campaign
from campaign.selectors import state_as_read
from heraldry.svg import read_symbols as sprite
from musters import permissions as musters_permissions
from musters.core.codec import army_from_json, call_from_json
from musters.display import Roster, RosterDice, RosterUnit, WoundBox, roster_for
from musters.models import Muster
from musters.quick_army import army_with_roster
from pages.site_address_for_guests import guest_url
from people.requester import Who
from printing.sheet_registry import (
    BATTLE,
    MAX_SUBJECTS,
    Content,
    Sheet,
    Subject,
    format_range,
    pick,
    qr_matrix,
    register_sheets,
    typeset,
)
from printing.sheets.rules_sheets import UNITS_OF_AN_ARMY, find as find_scenario, subjects
from refusal import Refusal
from rulebook.campaign.vp_spending import PRICES
from rulebook.data.battlefield import MORALE_TABLE
from rulebook.data.scenario_goals import Escapes, HeldEachRound
from rulebook.data.scenarios import Scenario
from text import format_bonus, format_signed


@dataclass(frozen=True, slots=True)
class SlipRequest:
    battle: Battle
    state: State | None
    who: Who


def find(who: Who, code: str) -> SlipRequest:
    """Only people who can report the battle can print its slip: the QR code gives that permission."""
    battle, state = get_visible_battle(who, code)
    require_permission(permissions_of(battle, who, state).report, battle)
    if who.person is None:
        raise Refusal("Log in to make the PDF, or print the slip from its own page.", status=403)
    if battle.is_over:
        raise Refusal("This battle is over. You no longer need a slip.", status=409)
    return SlipRequest(battle, state, who)


def open_battles(who: Who) -> Iterator[Subject]:
    if who.person is None:
        return
    rows = Battle.objects.involving(who).open().select_related("log", "campaign__log", "campaign__snapshot")
    for battle in rows[:MAX_SUBJECTS]:
        state = state_as_read(battle.campaign) if battle.campaign else None
        if permissions_of(battle, who, state).report:
            names = " against ".join(side["name"] or side["side"] for side in battle.sides)
            name = f"Battle {battle.number} of {battle.campaign.name}" if battle.campaign else names
            yield Subject(battle.code, name)


def score_boxes(sheet: SlipDisplay, row: SlipSide, key: str) -> int:
    """Boxes to tick for a line of points; 0 if a number is written instead."""
    enemies = max((len(other.units) for other in sheet.sides if other.letter != row.letter), default=UNITS_OF_AN_ARMY)
    boxes = {"kill": enemies, "win": 1}
    for track in sheet.tracks:
        if not isinstance(track, HeldEachRound):  # which has a grid of its own
            boxes[track.key] = len(row.units) if isinstance(track, Escapes) else track.most
    return boxes.get(key, 0)


def side_content(sheet: SlipDisplay, row: SlipSide) -> dict[str, object]:
    units = [
        {
            **pick(unit, "name", "sender", "note"),
            "q": "" if unit.q is None else format_bonus(unit.q),
            "sq": "–" if unit.sq is None and unit.q is not None else "" if unit.sq is None else format_bonus(unit.sq),
            "ac": "" if unit.ac is None else str(unit.ac),
            "boxes": model_boxes(unit.boxes),
        }
        for unit in row.units
    ]
    return {
        **pick(row, "letter", "name", "role", "arms"),
        "wins": typeset(row.wins),
        "vp": "" if row.vp is None else str(row.vp),
        "loyalty": "" if row.loyalty is None else format_signed(row.loyalty),
        "units": units,
        "lines": [
            {"text": typeset(line.text), "each": line.each, "boxes": score_boxes(sheet, row, line.key)}
            for line in row.lines
        ],
    }


def slip_content(sheet: SlipDisplay) -> Content:
    scenario = sheet.scenario
    return {
        **pick(sheet, "title", "under", "rounds"),
        "scenario": {**pick(scenario, "name", "length", "equal"), "text": typeset(scenario.text)} if scenario else None,
        "sides": [side_content(sheet, row) for row in sheet.sides],
        "held": [
            {"title": track.title, "most": track.most} for track in sheet.tracks if isinstance(track, HeldEachRound)
        ],
        "qr": [] if sheet.no_qr or sheet.blank else qr_matrix(sheet.address),
        "words": list(sheet.words),
        "type_at": sheet.place_to_type,
        "legend": [words for _, words in sheet.legend],
        "house_rules": list(sheet.house_rules),
    }


def gather(fight: SlipRequest) -> Content:
    return {"slips": [slip_content(printable_slip(fight.battle, fight.state, fight.who))]}


def blank_slip_content(scenario: Scenario) -> Content:
    begins = guest_url(reverse("battles:index"))
    sheet = blank_slip(scenario.key, address=begins.url, no_qr=begins.why_no_qr, place_to_type=begins.url)
    return {"slips": [slip_content(sheet)]}


register_sheets(
    Sheet(
        "slip",
        "Battle slip",
        "Both armies with boxes in the order of removal, the scenario's points and a QR code to report the result.",
        BATTLE,
        "slip.typ",
        gather,
        find=find,
        name=lambda fight: f"Slip of battle {fight.battle.number}" if fight.battle.number else "Battle slip",
        subjects=open_battles,
        from_its_page=True,
        back=lambda fight: (fight.battle.get_absolute_url(), "Battle"),
        scope="run",
    ),
    Sheet(
        "blank-slip",
        "Blank battle slip",
        "For any battle: fill in units and names by hand.",
        BATTLE,
        "slip.typ",
        blank_slip_content,
        find=find_scenario,
        name=lambda scenario: f"Blank slip: {scenario.name}",
        subjects=subjects,
    ),
)


# ── Rosters with unit cards to cut out, for campaign armies and quick armies ─────────────────────────────


def model_boxes(row: tuple[WoundBox, ...]) -> list[Content]:
    """One entry per model in the order of removal, the leader last."""
    models: dict[int, Content] = {}
    for box in row:
        model = models.setdefault(box.model, {"wounds": 0, "role": box.role, "name": box.name, "leader": box.is_leader})
        model["wounds"] += 1
    return list(models.values())


def dice_text(groups: tuple[RosterDice, ...]) -> str:
    """Dice with another quality are listed apart: 4 + 1 at +3."""
    return " + ".join(
        str(group.dice) if at == 0 else f"{group.dice} at {format_bonus(group.quality)}"
        for at, group in enumerate(groups)
    )


# Signs for units without arms.
SIGNS = {
    "hoppers": "hopper",
    "field_mice": "wheat",
    "bow_mice": "bow",
    "mice_at_arms": "sword",
    "rat_riders": "lance",
    "battle_cat": "cat",
    "king": "crown",
    "ballista": "ballista",
    "cat_non": "castle",
}


def unit_card(unit: RosterUnit) -> Content:
    # Leave out muster rolls: the card shows their result.
    points = [point for point in unit.points if "muster d10" not in point.casefold()]
    notes = [typeset(point) for point in points if "hero" not in point.casefold() or "King" in point]
    return {
        **pick(unit, "name", "title", "sender", "arms", "removal"),
        "sign": SIGNS[unit.unit],
        "q": format_bonus(unit.q),
        "sq": format_bonus(unit.sq),
        "ac": str(unit.ac),
        "move": f"{unit.move}″",
        "melee": str(unit.melee),
        "shots": str(unit.shooting) if unit.shooting else "–",
        "melee_dice": dice_text(unit.melee_dice) if len(unit.melee_dice) > 1 else "",
        "boxes": model_boxes(unit.boxes),
        "hero": [unit.hero.name, unit.hero.timing, typeset(unit.hero.text)] if unit.hero else [],
        "weapon": [unit.weapon_name, typeset(unit.weapon_text)] if unit.weapon else [],
        "notes": notes,
    }


def roster_content(roster: Roster) -> Content:
    return {
        **pick(roster, "title", "under", "arms", "code"),
        "loyalty": format_signed(roster.loyalty),
        "siege": roster.siege or "",
        "units": [unit_card(unit) for unit in roster.units],
        "totals": pick(roster.totals, "units", "models", "wounds"),
        "notes": [typeset(note) for note in roster.notes],
        "morale": [[format_range(row.low, row.high), row.name] for row in MORALE_TABLE],
        "prices": [[str(price.vp), price.name] for price in PRICES],
        "flee": sprite()["c-flee"],
    }


def roster_of_muster(muster: Muster) -> Roster:
    state = musters_permissions.state_of(muster.campaign)
    battle = state.battles.get(muster.battle)
    other = ""
    if battle:
        other = battle.opponent_of(muster.kingdom)
    against = f", against {state.kingdoms[other].name}" if other in state.kingdoms else ""
    under = f"Battle {muster.battle}{against}"
    options = call_from_json(muster.call).options
    return roster_for(
        army_from_json(muster.army), state, muster.kingdom, under=under, options=options, code=muster.army_code
    )


def find_muster(who: Who, code: str) -> Muster:
    muster = musters_permissions.get_muster(who, code)
    musters_permissions.require_viewer(musters_permissions.state_of(muster.campaign), muster, who)
    if muster.army is None:
        raise Refusal("This muster is not finished. Print it when the army is ready.", status=409)
    return muster


def finished_musters(who: Who) -> Iterator[tuple[Muster, str]]:
    """With what it is: the kingdom, the battle and the campaign."""
    rows = Muster.objects.filter(campaign__in=Campaign.objects.of(who)).taken()
    for muster in rows.select_related("campaign__log", "campaign__snapshot")[:MAX_SUBJECTS]:
        state = musters_permissions.state_of(muster.campaign)
        if not musters_permissions.is_hidden_from(state, muster, who):
            name = state.kingdoms[muster.kingdom].name
            yield muster, f"{name}, battle {muster.battle} of {muster.campaign.name}"


def muster_subjects(who: Who) -> Iterator[Subject]:
    return (Subject(muster.code, name) for muster, name in finished_musters(who))


def army_subjects(who: Who) -> Iterator[Subject]:
    """The codes of the same armies. Quick armies are not stored: whoever has the code of one can print it."""
    return (Subject(muster.army_code, name) for muster, name in finished_musters(who) if muster.army_code)


def find_army(who: Who, code: str) -> Roster:
    """Anyone with its code can print a quick army."""
    try:
        return army_with_roster(code)[1]
    except Refusal as refusal:
        raise Http404(refusal.sentence) from refusal


register_sheets(
    Sheet(
        "roster",
        "Muster roster",
        "An army on unit cards to cut out, with wound boxes in the order of removal.",
        BATTLE,
        "roster.typ",
        lambda muster: {"rosters": [roster_content(roster_of_muster(muster))]},
        find=find_muster,
        name=lambda muster: f"Roster of {roster_of_muster(muster).title}",
        subjects=muster_subjects,
        from_its_page=True,
        back=lambda muster: (muster.get_absolute_url(), "Muster"),
    ),
    Sheet(
        "army",
        "Army roster",
        "A quick army on unit cards to cut out, with wound boxes in the order of removal.",
        BATTLE,
        "roster.typ",
        lambda roster: {"rosters": [roster_content(roster)]},
        find=find_army,
        name=lambda roster: f"Army of {roster.totals.units} units",
        subjects=army_subjects,
        from_its_page=True,
        back=lambda roster: (f"/musters/a/{roster.code}/", "Army"),
    ),
)
