"""Scenario sheets with the table from above, and all of them as a booklet."""

from __future__ import annotations

from collections.abc import Iterator

from musters.terrain import SIDE, Figure, draw_table
from people.requester import Who
from printing.sheet_registry import RULES, Content, Sheet, Subject, get_row_or_404, register_sheets
from printing.typographic_characters import typeset
from rulebook.data.scenarios import SCENARIO, SCENARIO_RULES, SCENARIOS, TABLE, Scenario, VpAward
from rulebook.data.tracks import Escapes, HeldEachRound
from rulebook.muster.army import HOUSES
from rulebook.siege.castle import GARRISON_BALLISTAE, PIECE_KINDS, PIECES, SIEGE_ENDS, SIEGE_RULES, TRAIN_CAT_NON, VATS
from text import format_bonus

# Boxes for rounds if the battle has no fixed length.
OPEN_ROUNDS = 10
UNITS = len(HOUSES) + 1  # the King's and one of each house


def figure_content(one: Figure) -> dict[str, object]:
    return {
        "kind": one.kind,
        "css": one.css.split(),
        "x": one.x,
        "y": one.y,
        "w": one.width,
        "h": one.height,
        "r": one.radius,
        "inner": one.inner,
        "mx": one.middle_x,
        "my": one.middle_y,
        "letter": one.letter,
    }


def table_content(scenario: Scenario) -> Content:
    drawn = draw_table(scenario)
    return {
        "side": SIDE,
        "inches": TABLE,
        "floor": [figure_content(one) for one in (*drawn.floor, *drawn.areas)],
        "zones": [figure_content(one) for one in drawn.zones],
        "pieces": [figure_content(one) for one in drawn.pieces],
        "legend": [typeset(words) for _, words in drawn.legend],
        "alt": f"{scenario.name}, the table from above. {typeset(drawn.words)}",
    }


def score_line(scenario: Scenario, line: VpAward) -> dict[str, object]:
    """One line of the scenario's points, with its boxes."""
    track = next((track for track in scenario.tracks if track.key == line.key), None)
    extra = max(GARRISON_BALLISTAE, TRAIN_CAT_NON) if scenario.is_siege else 0
    boxes = {"kill": UNITS + extra, "win": 1}
    if track is not None:
        boxes[line.key] = UNITS if isinstance(track, Escapes) else track.most
    return {
        "side": line.side,
        "vp": line.vp,
        "text": typeset(line.text),
        "boxes": boxes[line.key],
        "each_round": track.key if isinstance(track, HeldEachRound) else "",
        "goals": [piece.name for piece in scenario.objectives] if track and track.most else [],
    }


def scenario_page(scenario: Scenario) -> Content:
    return {
        "key": scenario.key,
        "roll": scenario.roll,
        "name": scenario.name,
        "text": typeset(scenario.text),
        "equal": scenario.equal,
        "length": scenario.length,
        "rounds": scenario.rounds or OPEN_ROUNDS,
        "fixed": scenario.rounds is not None,
        "begins": scenario.first_turn or "",
        "sides": [{"key": side.key, "name": side.name, "wins": typeset(side.wins)} for side in scenario.sides],
        "setup": [typeset(step) for step in scenario.setup],
        "ground": table_content(scenario),
        "score": [score_line(scenario, line) for line in scenario.vp],
        "rules": [[rule.title, typeset(rule.text)] for rule in SCENARIO_RULES if rule.key != "which"],
        "castle": castle_content() if scenario.is_siege else None,
    }


def castle_content() -> Content:
    return {
        "pieces": [
            {"key": piece.key, "name": piece.name, "kind": piece.kind.key, "hits": piece.kind.hits or 0}
            for piece in PIECES
        ],
        "kinds": [
            [
                kind.name,
                str(kind.number),
                str(kind.ac),
                format_bonus(kind.save_bonus),
                str(kind.hits),
                typeset(kind.holds),
            ]
            for kind in PIECE_KINDS
            if kind.wall
        ],
        "rules": [[rule.title, typeset(rule.text)] for rule in SIEGE_RULES if rule.key not in ("castle", "vp")],
        "ends": [[(end.winner or "").capitalize(), typeset(end.text)] for end in SIEGE_ENDS if end.winner],
        "vats": VATS,
        "ballistae": GARRISON_BALLISTAE,
        "train": TRAIN_CAT_NON,
    }


def find(who: Who, key: str) -> Scenario:
    scenario: Scenario = get_row_or_404(SCENARIO, key)
    return scenario


def subjects(who: Who) -> Iterator[Subject]:
    for scenario in SCENARIOS:
        yield Subject(scenario.key, scenario.name)


def back(scenario: Scenario) -> tuple[str, str]:
    return f"/rules/scenarios/{scenario.key}/", scenario.name


register_sheets(
    Sheet(
        "scenario",
        "Scenario sheet",
        "One scenario per page: the table, set-up, victory and boxes for points.",
        RULES,
        "scenarios.typ",
        lambda scenario: {"title": scenario.name, "booklet": False, "scenarios": [scenario_page(scenario)]},
        find=find,
        name=lambda scenario: scenario.name,
        subjects=subjects,
        back=back,
    ),
    Sheet(
        "scenarios",
        "Scenario booklet",
        "All ten scenarios and the siege, one page each, with a table to roll on.",
        RULES,
        "scenarios.typ",
        lambda _: {"title": "The scenarios", "booklet": True, "scenarios": [scenario_page(one) for one in SCENARIOS]},
        hint="Print it as a booklet, two pages per side.",
    ),
)
