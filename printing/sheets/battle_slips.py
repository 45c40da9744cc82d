"""Battle slips from the very sheet that the battle's page draws, and blank ones for groups that muster at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse

from battles.models import Battle
from battles.rights import must, rights
from battles.slip import SlipSheet, SlipSide, blank_slip
from battles.slip_views import sheet_of
from battles.standing import settled
from campaign import reading
from campaign.annals.state import State
from pages.address import guest_url
from people.who import Who
from printing.codes import matrix
from printing.sheet import BATTLE, Content, Sheet, register
from printing.sheets.rosters import boxes
from printing.sheets.scenarios import UNITS, subjects
from printing.sheets.scenarios import find as find_scenario
from printing.words import loyalty, signed, typeset
from refusal import Refusal
from rulebook.scenarios import Scenario


@dataclass(frozen=True, slots=True)
class Fight:
    battle: Battle
    state: State | None
    who: Who


def find(who: Who, code: str) -> Fight:
    """Whoever may report the battle may print its slip; the code on it is theirs to give away."""
    battle = get_object_or_404(Battle.objects.visible_to(who).select_related("campaign__log"), code=code)
    state = reading.state_of(battle.campaign) if battle.campaign else None
    battle = settled(battle, state)
    must(rights(battle, who, state).report, battle)
    if who.person is None:
        raise Refusal("Print the slip from its page, or log in to have it made here.", status=403)
    if battle.is_over:
        raise Refusal("This battle is over. A slip would open nothing.", status=409)
    return Fight(battle, state, who)


def score_boxes(sheet: SlipSheet, row: SlipSide, key: str) -> int:
    """Boxes to tick for a line of points; 0 where a number is written, as for mounds that have a grid of their own."""
    enemies = max((len(other.units) for other in sheet.sides if other.letter != row.letter), default=UNITS)
    return {
        "kill": enemies, "escape": len(row.units), "win": 1, "crossing": sheet.crossings, "building": sheet.buildings,
    }.get(key, 0)  # fmt: skip


def side(sheet: SlipSheet, row: SlipSide) -> dict[str, Any]:
    units = [
        {
            "name": unit.name,
            "sender": unit.sender,
            "note": unit.note,
            "q": "" if unit.q is None else signed(unit.q),
            "sq": "–" if unit.sq is None and unit.q is not None else "" if unit.sq is None else signed(unit.sq),
            "ac": "" if unit.ac is None else str(unit.ac),
            "boxes": boxes(unit.boxes),
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
        "loyalty": "" if row.loyalty is None else loyalty(row.loyalty),
        "units": units,
        "lines": [
            {"text": typeset(line.text), "each": line.each, "boxes": score_boxes(sheet, row, line.key)}
            for line in row.lines
        ],
    }


def content(sheet: SlipSheet) -> Content:
    scenario = sheet.scenario
    return {
        "title": sheet.title,
        "under": sheet.under,
        "scenario": {"name": scenario.name, "length": scenario.length, "text": typeset(scenario.text), "equal": scenario.equal} if scenario else None,
        "sides": [side(sheet, row) for row in sheet.sides],
        "rounds": sheet.rounds,
        "mounds": sheet.mounds,
        "qr": [] if sheet.no_qr or sheet.blank else matrix(sheet.address),
        "words": list(sheet.words),
        "type_at": sheet.place_to_type,
        "legend": [words for _, words in sheet.legend],
        "house_rules": list(sheet.house_rules),
    }  # fmt: skip


def gather(fight: Fight) -> Content:
    return {"slips": [content(sheet_of(fight.battle, fight.state, fight.who))]}


def blank(scenario: Scenario) -> Content:
    begins = guest_url(reverse("battles:index"))
    sheet = blank_slip(scenario.key, address=begins.url, no_qr=begins.why_no_qr, place_to_type=begins.url)
    return {"slips": [content(sheet)]}


register(
    Sheet(
        "slip",
        "Battle slip",
        "Both armies with boxes in the order of removal, the scenario's own points, and the code that opens the report.",
        BATTLE,
        "slip.typ",
        gather,
        find=find,
        name=lambda fight: f"Slip of battle {fight.battle.number}" if fight.battle.number else "Battle slip",
        back=lambda fight: (fight.battle.get_absolute_url(), "Battle"),
    ),
    Sheet(
        "blank-slip",
        "Blank battle slip",
        "For a battle nobody has declared: units and names are written in by hand.",
        BATTLE,
        "slip.typ",
        blank,
        find=find_scenario,
        name=lambda scenario: f"Blank slip: {scenario.name}",
        subjects=subjects,
    ),
)
