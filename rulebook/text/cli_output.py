"""Answers told in lines of text, for the command line."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from rulebook.army import Army
from rulebook.events import EVENTS, Event, event_chances
from rulebook.marks import Tally
from rulebook.muster import Muster
from rulebook.odds.attack import AttackOdds
from rulebook.odds.exchanges import ExchangeOdds, FoughtOut
from rulebook.odds.muster import ArmyOdds, OneMore
from rulebook.odds.spread import Distribution
from rulebook.scenarios import Scenario
from rulebook.solo import Decision
from rulebook.targets import Target
from rulebook.throws import THROWER_NAMES

Lines = list[str]

OUTCOME_WORDS = {
    "unhurt": "is unhurt",
    "wounded": "is wounded, no model lost",
    "stand": "loses models and stands",
    "flee": "loses models and flees",
    "scatter": "scatters",
    "destroyed": "is destroyed",
}


def percent(chance: Fraction) -> str:
    return f"{float(chance * 100):5.1f} %"


def signed(number: int) -> str:
    return f"−{-number}" if number < 0 else f"+{number}" if number else "0"


def columns(rows: Iterable[tuple[str, ...]], indent: str = "  ") -> Lines:
    """Rows in columns as wide as their widest word."""
    table = [tuple(row) for row in rows]
    if not table:
        return []
    widths = [max(len(row[place]) for row in table) for place in range(len(table[0]))]
    return [
        (indent + "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True))).rstrip()
        for row in table
    ]


def told_muster(muster: Muster) -> Lines:
    """An army, and the dice that made it."""
    assert muster.army is not None
    # A unit taken as rolled is already told by its die.
    steps = [step.text for step in muster.steps if step.kind != "lesser" or "instead" in step.text]
    return [*told_army(muster.army), "", "How it came about", *(f"  {text}" for text in steps)]


def told_army(army: Army) -> Lines:
    units = "1 unit" if len(army.units) == 1 else f"{len(army.units)} units"
    lines = [f"Army of {units}, {army.models} models (loyalty {signed(army.loyalty)})"]
    lines += columns(
        (unit.slot.name, unit.name, f"{unit.models} models" if unit.models > 1 else "1 model", f"Q {signed(unit.row.q)}", f"AC {unit.row.ac}")
        for unit in army.units
    )  # fmt: skip
    for houses, said in (
        (army.lost, "its fealty is lost"),
        (army.silent, "silent since its fealty was lost"),
        (army.regained, "won back for 2 VP"),
    ):
        lines += [f"  House {house}: {said}" for house in houses]
    if army.vp_spent:
        lines.append(f"  VP spent: {army.vp_spent}")
    lines += [f"  Note: {problem}" for problem in army.problems()]
    return lines


def told_army_odds(odds: ArmyOdds) -> Lines:
    house = odds.house
    lines = [f"Muster at loyalty {signed(odds.loyalty)}, {odds.houses} houses", "", "One house sends"]
    lines += columns((row.name, percent(row.chance), f"this or better {percent(row.at_least)}") for row in house.rows)
    lines += ["", "The army"]
    lines += columns(
        [
            ("Expected models", f"{float(odds.expected_models):.1f}"),
            ("Expected units", f"{float(odds.expected_units):.1f}"),
            ("Expected heroes", f"{float(odds.expected_heroes):.1f}"),
            ("At least one hero", percent(odds.any_hero).strip()),
            ("One particular hero", percent(odds.a_given_hero).strip()),
            ("A hero comes twice", percent(odds.repeat).strip()),
            ("A house turns away", percent(odds.any_fealty_lost).strip()),
        ]
    )
    return lines


def told_one_more(told: OneMore) -> Lines:
    before, after = told.before.loyalty, told.after.loyalty
    return [
        f"What loyalty {signed(after)} would buy instead of {signed(before)}",
        *(f"  {line}" for line in told.lines),
    ]


def told_attack(odds: AttackOdds, title: str) -> Lines:
    lines = [title]
    for throw in odds.throws:
        again = ", a miss is thrown again" if throw.rerolls else ""
        dice = "1 die" if throw.dice == 1 else f"{throw.dice} dice"
        lines.append(f"  {THROWER_NAMES[throw.whose]}: {dice}, {throw.tally.needed}+ hits{again}")
        lines += [f"    {line}" for line in told_tally(throw.tally)]
    lines += told_spread("Models lost", odds.models_lost)
    lines.append("  The target")
    return lines + told_chances((OUTCOME_WORDS[outcome], chance) for outcome, chance in odds.outcomes.items())


def told_tally(tally: Tally) -> Lines:
    """Why a die needs what it needs."""
    lines = [f"quality {signed(tally.quality)} against {tally.against}"]
    for held in tally.applied:
        kind = f"[{held.mark.kind}]" if held.mark.kind != "flat" else signed(held.worth)
        times = f" × {held.times}" if held.times > 1 and held.mark.kind != "flat" else ""
        lines.append(f"{kind} {held.mark.name}{times}")
    if tally.advantages or tally.disadvantages:
        lines.append(f"{tally.advantages} [A] against {tally.disadvantages} [D]: {signed(tally.step)}")
    return lines


def told_spread(title: str, spread: Distribution) -> Lines:
    rows = [(str(value), percent(chance)) for value, chance in enumerate(spread.chances) if chance]
    return [f"  {title}, {float(spread.mean):.2f} on average", *columns(rows, "    ")]


def told_exchange(odds: ExchangeOdds) -> Lines:
    lines = ["Then the battle back", *told_spread("Models the attacker loses", odds.attacker_lost)]
    return [*lines, *told_chances([*odds.fates.items(), ("the melee goes on", odds.goes_on)])]


def told_chances(chances: Iterable[tuple[str, Fraction]]) -> Lines:
    return columns(((what, percent(chance)) for what, chance in chances if chance), "    ")


def told_fought_out(odds: FoughtOut) -> Lines:
    return [
        f"Fought to the end: the attacker wins {percent(odds.attacker_wins).strip()}, "
        f"the target {percent(odds.target_wins).strip()}; {float(odds.exchanges):.1f} exchanges on average",
        *told_chances(odds.fates.items()),
    ]


def told_scenario(scenario: Scenario) -> Lines:
    roll = f"{scenario.roll} " if scenario.roll else ""
    lines = [f"{roll}{scenario.name} ({scenario.length})", f"  {scenario.text}", "", "Set-up"]
    lines += [f"  {step}" for step in scenario.setup]
    lines += ["", "Victory"]
    if scenario.equal:
        lines.append(f"  {scenario.sides[0].wins}")
    else:
        lines += [f"  Side {side.key}, {side.name.lower()}: {side.wins}" for side in scenario.sides]
    lines += ["", "Points"]
    for line in scenario.vp:
        who = "" if line.side == "both" else f"side {line.side}, "
        lines.append(f"  {line.vp} VP {who}{line.text}")
    return lines


def told_event(event: Event | None) -> Lines:
    return [f"{event.name}: {event.text}"] if event else ["No event this round."]


def told_events() -> Lines:
    ways = event_chances()
    rows = [
        (f"{event.low}-{event.high}" if event.high > event.low else str(event.low), event.name, f"{ways[event.key]} % of rounds", event.text)
        for event in EVENTS
    ]  # fmt: skip
    return ["Random events (a d10 of 8 or more at the start of a round, then a d10)", *columns(rows)]


def told_targets(targets: Iterable[Target]) -> Lines:
    rows = [
        ("may attack" if target.legal else "may not", target.territory, f"held by {target.holder}", target.verdict.text)
        for target in targets
        if target.verdict.key != "yours"
    ]
    return columns(sorted(rows, key=lambda row: row[0] != "may attack"))


def told_decision(decision: Decision) -> Lines:
    lines = [f"d10: {decision.roll}"]
    if decision.unit:
        doing = decision.does.title if decision.does else "acts"
        aim = f", target {decision.target}" if decision.target else ""
        lines.append(f"{decision.unit}: {doing}{aim}")
    if decision.tied:
        lines.append(f"Roll off: {', '.join(decision.tied)}")
    if decision.hero:
        lines.append(f"First the hero: {decision.hero.text}")
    return [*lines, *(f"  {reason}" for reason in decision.reasons)]
