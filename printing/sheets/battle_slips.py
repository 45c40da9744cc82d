"""Battle slips from the very sheet that the battle's page draws, and blank ones for groups that muster at the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from battles.models import Battle
from battles.permissions import permissions_of, require_permission
from battles.selectors import get_visible_battle
from battles.slip.display import SlipDisplay, SlipSide, blank_slip, printable_slip
from campaign.chronicle.state import State
from campaign.selectors import state_as_read
from pages.site_address_for_guests import guest_url
from people.requester import Who
from printing.qr_codes import qr_matrix
from printing.sheet_registry import BATTLE, MAX_SUBJECTS, Content, Sheet, Subject, register_sheets
from printing.sheets.muster_rosters import model_boxes
from printing.sheets.scenario_sheets import UNITS, subjects
from printing.sheets.scenario_sheets import find as find_scenario
from printing.typographic_characters import format_loyalty, typeset
from refusal import Refusal
from rulebook.data.scenarios import Scenario
from rulebook.data.tracks import Escapes, HeldEachRound
from text import format_bonus


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
    enemies = max((len(other.units) for other in sheet.sides if other.letter != row.letter), default=UNITS)
    boxes = {"kill": enemies, "win": 1}
    for track in sheet.tracks:
        if not isinstance(track, HeldEachRound):  # which has a grid of its own
            boxes[track.key] = len(row.units) if isinstance(track, Escapes) else track.most
    return boxes.get(key, 0)


def side_content(sheet: SlipDisplay, row: SlipSide) -> dict[str, object]:
    units = [
        {
            "name": unit.name,
            "sender": unit.sender,
            "note": unit.note,
            "q": "" if unit.q is None else format_bonus(unit.q),
            "sq": "–" if unit.sq is None and unit.q is not None else "" if unit.sq is None else format_bonus(unit.sq),
            "ac": "" if unit.ac is None else str(unit.ac),
            "boxes": model_boxes(unit.boxes),
        }
        for unit in row.units
    ]
    return {
        "letter": row.letter,
        "name": row.name,
        "role": row.role,
        "wins": typeset(row.wins),
        "arms": row.arms,
        "vp": "" if row.vp is None else str(row.vp),
        "loyalty": "" if row.loyalty is None else format_loyalty(row.loyalty),
        "units": units,
        "lines": [
            {"text": typeset(line.text), "each": line.each, "boxes": score_boxes(sheet, row, line.key)}
            for line in row.lines
        ],
    }


def slip_content(sheet: SlipDisplay) -> Content:
    scenario = sheet.scenario
    return {
        "title": sheet.title,
        "under": sheet.under,
        "scenario": {
            "name": scenario.name,
            "length": scenario.length,
            "text": typeset(scenario.text),
            "equal": scenario.equal,
        }
        if scenario
        else None,
        "sides": [side_content(sheet, row) for row in sheet.sides],
        "rounds": sheet.rounds,
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
