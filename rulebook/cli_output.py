"""Answers as lines of text, for the command line."""

from collections.abc import Iterable
from fractions import Fraction

from rulebook.battle.dice import THROWER_NAMES
from rulebook.battle.modifiers import Tally
from rulebook.campaign.attack_targets import Target
from rulebook.data.battlefield import EVENTS, Event
from rulebook.data.muster_table import MusterCall
from rulebook.data.scenarios import Scenario
from rulebook.muster.army import Army
from rulebook.muster.roll_muster import Muster
from rulebook.odds.attack import AttackOdds
from rulebook.odds.distribution import Distribution
from rulebook.odds.melee import ExchangeOdds, FightOdds
from rulebook.odds.muster import ArmyOdds, OneMoreLoyalty, lost_houses_odds
from rulebook.odds.rolls import event_count_odds, event_odds
from rulebook.solo_opponent import Decision
from text import format_signed

Lines = list[str]

OUTCOME_WORDS = {
    "unhurt": "is unhurt",
    "wounded": "is wounded but loses no model",
    "stand": "loses models and stands",
    "flee": "loses models and flees",
    "scatter": "scatters",
    "destroyed": "is destroyed",
}


def percent_cell(chance: Fraction) -> str:
    return f"{float(chance * 100):5.1f} %"


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


def muster_lines(muster: Muster) -> Lines:
    assert muster.army is not None
    # A unit taken as rolled is already named by its die.
    steps = [step.text for step in muster.steps if step.kind != "lesser" or "instead" in step.text]
    return [*army_lines(muster.army), "", "The rolls", *(f"  {text}" for text in steps)]


def army_lines(army: Army) -> Lines:
    units = "1 unit" if len(army.units) == 1 else f"{len(army.units)} units"
    lines = [f"Army of {units}, {army.models} models (loyalty {format_signed(army.loyalty)})"]
    lines += columns(
        (
            unit.slot.name,
            unit.name,
            f"{unit.models} models" if unit.models > 1 else "1 model",
            f"Q {format_signed(unit.row.q)}",
            f"AC {unit.row.ac}",
        )
        for unit in army.units
    )
    for houses, sentence in (
        (army.lost, "its fealty is lost"),
        (army.silent, "stays away, fealty lost earlier"),
        (army.regained, "won back for 2 VP"),
    ):
        lines += [f"  House {house}: {sentence}" for house in houses]
    if army.vp_spent:
        lines.append(f"  VP spent: {army.vp_spent}")
    lines += [f"  Note: {problem}" for problem in army.problems()]
    return lines


def army_odds_lines(odds: ArmyOdds) -> Lines:
    house = odds.house
    lines = [f"Muster at loyalty {format_signed(odds.loyalty)}, {odds.houses} houses", "", "One house sends"]
    lines += columns(
        (row.name, percent_cell(row.chance), f"this or better {percent_cell(row.at_least)}") for row in house.rows
    )
    lines += ["", "The army"]
    lines += columns(
        [
            ("Expected models", f"{float(odds.expected_models):.1f}"),
            ("Expected units", f"{float(odds.expected_units):.1f}"),
            ("Expected heroes", f"{float(odds.expected_heroes):.1f}"),
            ("At least one hero", percent_cell(odds.any_hero).strip()),
            ("One particular hero", percent_cell(odds.a_given_hero).strip()),
            ("The same hero twice", percent_cell(odds.repeat).strip()),
            ("A house loses fealty", percent_cell(odds.any_fealty_lost).strip()),
        ]
    )
    return lines


def lost_houses_lines(call: MusterCall, musters: int) -> Lines:
    lost = lost_houses_odds(call, musters)
    times = "one muster" if musters == 1 else f"{musters} musters"
    rows = (
        ("No house" if number == 0 else "1 house" if number == 1 else f"{number} houses", percent_cell(chance))
        for number, chance in enumerate(lost.chances)
    )
    return [f"Houses that lose fealty in {times}", *columns(rows)]


def one_more_loyalty_lines(gain: OneMoreLoyalty) -> Lines:
    before, after = gain.before.loyalty, gain.after.loyalty
    return [
        f"With loyalty {format_signed(after)} instead of {format_signed(before)}",
        *(f"  {line}" for line in gain.lines),
    ]


def attack_lines(odds: AttackOdds, title: str) -> Lines:
    lines = [title]
    for throw in odds.throws:
        again = ", re-rolls misses" if throw.rerolls else ""
        dice = "1 die" if throw.dice == 1 else f"{throw.dice} dice"
        lines.append(f"  {THROWER_NAMES[throw.whose]}: {dice}, {throw.tally.needed}+ hits{again}")
        lines += [f"    {line}" for line in tally_lines(throw.tally)]
    lines += distribution_lines("Models lost", odds.models_lost)
    lines.append("  The target")
    return lines + chance_lines((OUTCOME_WORDS[outcome], chance) for outcome, chance in odds.outcomes.items())


def tally_lines(tally: Tally) -> Lines:
    lines = [f"quality {format_signed(tally.quality)} against {tally.against}"]
    for held in tally.applied:
        kind = f"[{held.modifier.kind}]" if held.modifier.kind != "flat" else format_signed(held.worth)
        times = f" × {held.times}" if held.times > 1 and held.modifier.kind != "flat" else ""
        lines.append(f"{kind} {held.modifier.name}{times}")
    if tally.advantages or tally.disadvantages:
        lines.append(f"{tally.advantages} [A] against {tally.disadvantages} [D]: {format_signed(tally.step)}")
    return lines


def distribution_lines(title: str, spread: Distribution) -> Lines:
    rows = [(str(value), percent_cell(chance)) for value, chance in enumerate(spread.chances) if chance]
    return [f"  {title}, {float(spread.mean):.2f} on average", *columns(rows, "    ")]


def exchange_lines(odds: ExchangeOdds) -> Lines:
    lines = ["Then the battle back", *distribution_lines("Models the attacker loses", odds.attacker_lost)]
    return [*lines, *chance_lines([*odds.fates.items(), ("the melee goes on", odds.goes_on)])]


def chance_lines(chances: Iterable[tuple[str, Fraction]]) -> Lines:
    return columns(((what, percent_cell(chance)) for what, chance in chances if chance), "    ")


def fight_lines(odds: FightOdds) -> Lines:
    return [
        f"Fought to the end: the attacker wins {percent_cell(odds.attacker_wins).strip()}, "
        f"the target {percent_cell(odds.target_wins).strip()}; {float(odds.exchanges):.1f} exchanges on average",
        *chance_lines(odds.fates.items()),
    ]


def scenario_lines(scenario: Scenario) -> Lines:
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


def event_lines(event: Event | None) -> Lines:
    return [f"{event.name}: {event.text}"] if event else ["No event this round."]


def event_table_lines(rounds: int = 6) -> Lines:
    chances, several = event_odds(), event_odds(rounds)
    rows = [
        (
            f"{event.low}-{event.high}" if event.high > event.low else str(event.low),
            event.name,
            f"{int(100 * chances[event.key])} % of rounds",
            f"{percent_cell(several[event.key]).strip()} in {rounds} rounds",
            event.text,
        )
        for event in EVENTS
    ]
    some = percent_cell(event_count_odds(rounds).at_least(1)).strip()
    return [
        "Random events (8+ on a d10 at the start of a round, then roll here)",
        *columns(rows),
        f"At least one event in {rounds} rounds: {some}",
    ]


def target_lines(targets: Iterable[Target]) -> Lines:
    rows = [
        ("can attack" if target.legal else "cannot", target.territory, f"held by {target.holder}", target.verdict.text)
        for target in targets
        if target.verdict.key != "yours"
    ]
    return columns(sorted(rows, key=lambda row: row[0] != "can attack"))


def decision_lines(decision: Decision) -> Lines:
    lines = [f"d10: {decision.roll}"]
    if decision.unit:
        doing = decision.does.title if decision.does else "acts"
        aim = f", target {decision.target}" if decision.target else ""
        lines.append(f"{decision.unit}: {doing}{aim}")
    if decision.tied:
        lines.append(f"Roll off: {', '.join(decision.tied)}")
    if decision.hero:
        lines.append(f"First, the hero: {decision.hero.text}")
    return [*lines, *(f"  {reason}" for reason in decision.reasons)]
