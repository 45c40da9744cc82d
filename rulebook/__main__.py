"""The rulebook on the command line: ``python -m rulebook muster --loyalty -1 --seed thorn``."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from chance import Dice, new_seed
from refusal import Refusal
from rulebook.battle.attack_situations import read_situation
from rulebook.campaign.attack_targets import list_targets
from rulebook.campaign.campaign_map import CampaignMap
from rulebook.campaign.roll_off import RollOff
from rulebook.cli_output import (
    Lines,
    army_odds_lines,
    attack_lines,
    chance_lines,
    columns,
    decision_lines,
    event_lines,
    event_table_lines,
    exchange_lines,
    fight_lines,
    lost_houses_lines,
    muster_lines,
    one_more_loyalty_lines,
    scenario_lines,
    target_lines,
)
from rulebook.data.battlefield import EVENTS, event_for_roll, event_of, has_event
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import MusterCall
from rulebook.data.scenarios import SCENARIOS, scenario_for_roll, scenario_of
from rulebook.input_checks import check_d10s
from rulebook.muster.questions import Question
from rulebook.muster.roll_muster import answer_question, begin_muster
from rulebook.odds.muster import army_odds, lost_houses_odds, one_more_loyalty
from rulebook.odds.odds_display import describe_attack, describe_exchange, describe_fight, situation_odds, to_json
from rulebook.odds.rolls import event_count_odds, event_odds, roll_off_odds
from rulebook.solo_opponent import SeenUnit, SoloUnit, decide_turn

DataAndLines = tuple[Any, Lines]


def main(arguments: Sequence[str] | None = None) -> int:
    given = build_parser().parse_args(arguments)
    try:
        data, lines = given.run(given)
    except Refusal as refusal:
        print(refusal.sentence, file=sys.stderr)
        return 2
    try:
        print(json.dumps(data, indent=2, ensure_ascii=False) if given.json else "\n".join(lines), flush=True)
    except BrokenPipeError:  # whoever reads has read enough: ``| head``
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def build_parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="python -m rulebook",
        description="Mice-at-Arms: musters, odds, attack targets, scenarios, random events and the solo opponent.",
    )
    commands = top.add_subparsers(title="commands", required=True, metavar="command")

    def command(name: str, help_text: str, run: Any) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help_text, description=help_text)
        sub.add_argument("--json", action="store_true", help="answer in JSON")
        sub.add_argument(
            "--option", action="append", default=[], metavar="KEY=VALUE", help="a house rule; can be repeated"
        )
        sub.set_defaults(run=run)
        return sub

    muster = command("muster", "Muster a whole army.", run_muster)
    muster.add_argument("--loyalty", type=int, default=0)
    muster.add_argument("--lost", type=parse_numbers, default=(), metavar="1,3", help="houses with lost fealty")
    muster.add_argument("--siege", choices=("attacker", "defender"))
    muster.add_argument("--vp", type=int, default=0, help="VP in hand, for rebels")
    muster.add_argument("--rebels", type=int, default=0, help="rebel rolls to buy before a siege")
    muster.add_argument("--again", action="store_true", help="re-roll heroes the army already has")
    add_dice_arguments(muster)

    chances = command("odds", "Exact odds of an attack, a melee to the end, a muster, or a roll-off.", run_odds)
    chances.add_argument("what", choices=("shooting", "melee", "muster", "roll_off"))
    chances.add_argument(
        "attacker", nargs="?", help="for example mice_at_arms,hero=champion or rat_riders,models=2,spear"
    )
    chances.add_argument("target", nargs="?", help="in the same form")
    chances.add_argument("--inches", type=float, help="range of the shot")
    chances.add_argument("--at", default="clear", metavar="TERRAIN", help="terrain of the attacker")
    chances.add_argument("--target-at", default="clear", metavar="TERRAIN", help="terrain of the target")
    chances.add_argument("--moved", action="store_true", help="the shooters moved")
    chances.add_argument("--charged", action="store_true", help="the attacker charged")
    chances.add_argument("--event", help="the random event of this round")
    chances.add_argument("--loyalty", type=int, default=0, help="for a muster")
    chances.add_argument(
        "--lost", type=parse_numbers, default=(), metavar="1,3", help="for a muster: houses with lost fealty"
    )
    chances.add_argument("--musters", type=int, default=1, help="for lost houses: how many musters")
    chances.add_argument(
        "--dice", default="", metavar="oak=7,fen=7.3,moor=2", help="for a roll-off: who rolled what so far"
    )

    aims = command("targets", "What a King can attack, and why.", run_targets)
    aims.add_argument("--kingdoms", required=True, metavar="oak,fen,moor")
    aims.add_argument("--attacker", required=True)
    aims.add_argument(
        "--held",
        action="append",
        default=[],
        metavar="fen.border_1=oak",
        help="conquered territories, separated by commas",
    )
    aims.add_argument("--against", help="the agreed opponent, when two Kings agree to fight")

    scene = command("scenario", "Show a scenario by key, roll or seed; without arguments, list them all.", run_scenario)
    scene.add_argument("key", nargs="?", help="for example last_stand")
    scene.add_argument("--roll", type=int, help="the d10")
    scene.add_argument("--seed", help="roll dice seeded with this word")

    event = command("event", "Show a round's random event; without arguments, the whole table.", run_event)
    event.add_argument("key", nargs="?", help="for example storm")
    event.add_argument("--roll", type=int, help="the round's d10")
    event.add_argument("--table", type=int, help="the second d10, when the first is 8 or more")
    event.add_argument("--seed", help="roll dice seeded with this word")
    event.add_argument("--rounds", type=int, default=6, help="for the table: the rounds of a battle")

    solo = command("solo", "What the solo opponent does.", run_solo)
    solo.add_argument(
        "--unit",
        action="append",
        default=[],
        metavar="NAME=KEY,...",
        help="a unit of the opponent, for example Bows=bow_mice,targets=Riders@6/Hoppers@9 or Rats=rat_riders,engaged",
    )
    solo.add_argument("--roll", type=int, help="the d10")
    solo.add_argument("--seed", help="roll dice seeded with this word")
    solo.add_argument("--won-unit", help="the unit that won a roll-off")
    solo.add_argument("--won-target", help="the target that won a roll-off")
    return top


def add_dice_arguments(sub: argparse.ArgumentParser) -> None:
    which = sub.add_mutually_exclusive_group()
    which.add_argument("--seed", help="a word to seed the dice; the same word always gives the same army")
    which.add_argument("--dice", type=parse_numbers, metavar="5,6,10", help="your own dice, in order")


def parse_numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.split(",") if word.strip())
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of whole numbers such as 1,3") from None


def read_options(given: argparse.Namespace) -> Options:
    chosen: dict[str, object] = {}
    for pair in given.option:
        key, equals, value = pair.partition("=")
        if not equals:
            raise Refusal(f"Write a house rule as key=value, not “{pair}”.", field="option")
        chosen[key] = value
    return Options.from_differences(chosen)


def read_seed(given: argparse.Namespace) -> str:
    return given.seed if given.seed is not None else new_seed().hex()[:8]


# --- the commands --------------------------------------------------------------------------------------------


def run_muster(given: argparse.Namespace) -> DataAndLines:
    call = MusterCall(given.loyalty, given.lost, given.siege, given.vp, read_options(given))
    if given.rebels and given.siege != "attacker":
        raise Refusal("Only the attacker of a siege can buy rebel rolls. Add --siege attacker.", field="rebels")
    if given.rebels * 5 > given.vp:
        raise Refusal(
            f"{given.rebels} rebel rolls cost {given.rebels * 5} VP; you have {given.vp}. Set --vp.", field="vp"
        )
    seed = None if given.dice is not None else read_seed(given)
    if seed is None:
        cup = iter(check_d10s(given.dice, "die"))
    else:
        dice = Dice(seed)
        cup = iter(dice.d10, 0)  # a die never shows 0, so this never ends
    muster = begin_muster(call)
    while muster.question:
        question = muster.question
        if question.choices:
            muster = answer_question(muster, _choice(question, given))
            continue
        face = next(cup, None)
        if face is None:
            raise Refusal(f"{question.title} No dice left: you gave {len(given.dice)}.", field="dice")
        muster = answer_question(muster, face)
    army = muster.army
    assert army is not None
    data = {"seed": seed, "army": to_json(army), "models": army.models, "problems": list(army.problems())}
    data["steps"] = [step.text for step in muster.steps]
    return data, muster_lines(muster) + ([] if seed is None else ["", f"Seed: {seed}"])


def _choice(question: Question, given: argparse.Namespace) -> str:
    if question.kind == "rebel":
        return "buy" if question.slot.number <= given.rebels else "enough"
    if question.kind == "repeat":
        return "roll_again" if given.again else "keep"
    return question.default or ""


def _roll_off(dice: str) -> RollOff:
    """``oak=7,fen=7.3,moor=2``: Oak and Fen tied on 7, and Fen has rolled a 3 since."""
    hands: dict[str, list[str]] = {}
    for part in filter(None, dice.split(",")):
        name, _, rolls = part.partition("=")
        hands[name.strip()] = [roll for roll in rolls.split(".") if roll]
    if len(hands) < 2:
        raise Refusal("Add --dice with at least two players, for example: --dice oak=7,fen.", field="dice")
    rolling = RollOff.start(hands)
    for at in range(max(map(len, hands.values()))):
        for name, thrown in hands.items():
            if at < len(thrown):
                if not thrown[at].isdigit():
                    raise Refusal(f"“{thrown[at]}” is not a die. Use 1 to 10.", field="dice")
                rolling = rolling.with_roll(name, int(thrown[at]))
    return rolling


def run_odds(given: argparse.Namespace) -> DataAndLines:
    options = read_options(given)
    if given.what == "muster":
        call = MusterCall(given.loyalty, given.lost, options=options)
        whole = army_odds(call)
        more = one_more_loyalty(given.loyalty, options)
        data = {
            "odds": to_json(whole),
            "lost_houses": to_json(lost_houses_odds(call, given.musters)),
            "one_more_loyalty": list(more.lines),
        }
        lost = lost_houses_lines(call, given.musters)
        return data, [*army_odds_lines(whole), "", *lost, "", *one_more_loyalty_lines(more)]
    if given.what == "roll_off":
        rolling = _roll_off(given.dice)
        chances = roll_off_odds(rolling)
        return {"odds": to_json(chances)}, ["Who wins the roll-off", *chance_lines(chances.items())]
    if not given.attacker or not given.target:
        raise Refusal(
            f"Give an attacker and a target, for example: odds {given.what} bow_mice hoppers.", field="attacker"
        )
    fields: dict[str, object] = {
        "kind": given.what,
        "attacker": _unit(given.attacker),
        "target": _unit(given.target),
        "at": given.at,
        "target_at": given.target_at,
        "event": given.event,
    }
    if given.what == "shooting":
        if given.inches is None:
            raise Refusal("Add --inches, the range of the shot.", field="inches")
        if given.charged:
            raise Refusal("--charged is only for melee.", field="charged")
        fields |= {"inches": given.inches, "moved": given.moved}
    else:
        if given.moved or given.inches is not None:
            raise Refusal("--moved and --inches are only for shooting.", field="moved")
        fields["charged"] = given.charged
    situation = read_situation(fields)
    odds = situation_odds(situation, options)
    if odds.exchange is None or odds.fight is None:
        return {"attack": to_json(describe_attack(odds.attack))}, attack_lines(odds.attack, odds.title)
    data = to_json({"exchange": describe_exchange(odds.exchange), "fought_out": describe_fight(odds.fight)})
    return data, [*attack_lines(odds.attack, odds.title), *exchange_lines(odds.exchange), *fight_lines(odds.fight)]


def _unit(text: str) -> dict[str, object]:
    """``rat_riders,hero=wizard,models=2,spear`` as plain data; a bare word is a flag."""
    key, *rest = [word.strip() for word in text.split(",")]
    fields: dict[str, Any] = {"key": key}
    for word in rest:
        name, equals, value = word.partition("=")
        if not equals:
            fields[name] = True
        else:
            fields[name] = int(value) if value.isascii() and value.isdigit() else value
    return fields


def run_targets(given: argparse.Namespace) -> DataAndLines:
    campaign_map = CampaignMap.start(name.strip() for name in given.kingdoms.split(","))
    for pair in (pair for pairs in given.held for pair in pairs.split(",")):
        key, equals, holder = pair.partition("=")
        if not equals:
            raise Refusal(f"Write a conquered territory as kingdom.place=holder, not “{pair}”.", field="held")
        campaign_map = campaign_map.with_holder(key, holder)
    targets = list_targets(campaign_map, given.attacker, read_options(given), against=given.against)
    data = {
        "attacker": given.attacker,
        "targets": [{**to_json(target), "legal": target.legal, "siege": target.siege} for target in targets],
    }
    return data, [f"What {given.attacker} can attack", *target_lines(targets)]


def run_scenario(given: argparse.Namespace) -> DataAndLines:
    if sum(choice is not None for choice in (given.key, given.roll, given.seed)) > 1:
        raise Refusal("Give only one of a scenario, a roll and a seed.", field="scenario")
    if given.key is not None:
        scenario = scenario_of(given.key)
    elif given.roll is not None:
        scenario = scenario_for_roll(given.roll)
    elif given.seed is not None:
        scenario = scenario_for_roll(Dice(given.seed).d10())
    else:
        rows = [(str(row.roll or "-"), row.key, row.name, row.length) for row in SCENARIOS]
        return {"scenarios": to_json(SCENARIOS)}, ["Scenarios", *columns(rows)]
    return {"scenario": to_json(scenario)}, scenario_lines(scenario)


def run_event(given: argparse.Namespace) -> DataAndLines:
    if given.key is not None:
        event = event_of(given.key)
        return {"event": to_json(event)}, event_lines(event)
    if given.seed is not None:
        if given.roll is not None or given.table is not None:
            raise Refusal("Give your own dice or a seed, not both.", field="seed")
        dice = Dice(given.seed)
        given.roll = dice.d10()
        given.table = dice.d10() if has_event(given.roll) else None
    if given.roll is None:
        if given.table is not None:
            event = event_for_roll(given.table)
            return {"event": to_json(event)}, event_lines(event)
        return {
            "events": to_json(EVENTS),
            "in_a_hundred_rounds": {key: int(100 * chance) for key, chance in event_odds().items()},
            "in_a_battle": {
                "rounds": given.rounds,
                "at_least_once": to_json(event_odds(given.rounds)),
                "events": to_json(event_count_odds(given.rounds)),
            },
        }, event_table_lines(given.rounds)
    if not has_event(given.roll):
        return {"roll": given.roll, "event": None}, [f"d10: {given.roll}", *event_lines(None)]
    if given.table is None:
        raise Refusal(f"There is an event on {given.roll}. Add --table, the second die.", field="table")
    event = event_for_roll(given.table)
    return {"roll": given.roll, "table": given.table, "event": to_json(event)}, [
        f"d10: {given.roll}, then {given.table}",
        *event_lines(event),
    ]


def run_solo(given: argparse.Namespace) -> DataAndLines:
    if not given.unit:
        raise Refusal("Add the opponent's units, for example --unit Rats=rat_riders,engaged.", field="unit")
    army = [_solo_unit(text) for text in given.unit]
    if given.roll is not None and given.seed is not None:
        raise Refusal("Give the roll or a seed, not both.", field="roll")
    roll = given.roll if given.roll is not None else Dice(read_seed(given)).d10()
    decision = decide_turn(army, roll, unit=given.won_unit, target=given.won_target)
    return {"decision": to_json(decision), "text": decision.text}, decision_lines(decision)


SEEN = ("targets", "chargeable", "enemies", "visible", "friends")
FLAGS = ("activated", "fleeing", "engaged", "fixed")


def _solo_unit(text: str) -> SoloUnit:
    name, equals, rest = text.partition("=")
    if not equals:
        raise Refusal(f"Write a unit as name=key,..., not “{text}”.", field="unit")
    key, *words = [word.strip() for word in rest.split(",")]
    fields: dict[str, Any] = {}
    for word in words:
        what, _, value = word.partition("=")
        if what in FLAGS and not value:
            fields[what] = True
        elif what in SEEN:
            fields[what] = tuple(_seen(unit) for unit in value.split("/"))
        elif what == "hero":
            fields[what] = value
        else:
            raise Refusal(
                f"“{word}” is not known. Use hero=, {', '.join(FLAGS)} and {'=, '.join(SEEN)}=.", field="unit"
            )
    return SoloUnit(name, key, **fields)


def _seen(text: str) -> SeenUnit:
    name, _, distance = text.rpartition("@")
    try:
        return SeenUnit(name, float(distance))
    except ValueError as error:
        if isinstance(error, Refusal):
            raise
        raise Refusal(f"Write another unit as name@inches, not “{text}”.", field="unit") from None


if __name__ == "__main__":
    sys.exit(main())
