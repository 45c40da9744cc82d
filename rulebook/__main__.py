"""The rulebook on the command line: ``python -m rulebook muster --loyalty -1 --seed thorn``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from chance import Dice, fresh_seed
from refusal import Refusal
from rulebook import odds
from rulebook.events import EVENTS, event_chances, event_of, event_rolled, event_strikes
from rulebook.kingdoms import Realm
from rulebook.muster import answer, begin
from rulebook.muster_questions import Question
from rulebook.muster_table import Call
from rulebook.odds.muster import army_odds, one_more
from rulebook.options import Options
from rulebook.plain import plain, plain_attack, plain_exchange, plain_fought_out, situation_from
from rulebook.rolls import d10s
from rulebook.scenarios import SCENARIOS, scenario_of, scenario_rolled
from rulebook.situations import Melee, Shooting
from rulebook.solo import Seen, SoloUnit, decide
from rulebook.targets import targets
from rulebook.told import (
    Lines,
    columns,
    told_army_odds,
    told_attack,
    told_decision,
    told_event,
    told_events,
    told_exchange,
    told_fought_out,
    told_muster,
    told_one_more,
    told_scenario,
    told_targets,
)

Answered = tuple[Any, Lines]


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
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


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m rulebook", description="Mice-at-Arms: musters, odds, targets, scenarios, events and the solo opponent.")  # fmt: skip
    commands = top.add_subparsers(title="commands", required=True, metavar="command")

    def command(name: str, help_text: str, run: Any) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help_text, description=help_text)
        sub.add_argument("--json", action="store_true", help="answer in JSON")
        sub.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="a house rule, as often as needed")  # fmt: skip
        sub.set_defaults(run=run)
        return sub

    muster = command("muster", "Muster a whole army.", run_muster)
    muster.add_argument("--loyalty", type=int, default=0)
    muster.add_argument("--lost", type=numbers, default=(), metavar="1,3", help="houses whose fealty is lost")
    muster.add_argument("--siege", choices=("attacker", "defender"))
    muster.add_argument("--vp", type=int, default=0, help="VP in hand, for rebels")
    muster.add_argument("--rebels", type=int, default=0, help="rebel rolls to buy before a siege")
    muster.add_argument("--again", action="store_true", help="roll again whenever a hero repeats")
    dice_of(muster)

    chances = command("odds", "Exact odds of an attack, a melee fought out, or a muster.", run_odds)
    chances.add_argument("what", choices=("shooting", "melee", "muster"))
    chances.add_argument(
        "attacker", nargs="?", help="for example mice_at_arms,hero=champion or rat_riders,models=2,spear"
    )
    chances.add_argument("target", nargs="?", help="in the same form")
    chances.add_argument("--inches", type=float, help="distance of the shot")
    chances.add_argument("--at", default="clear", metavar="TERRAIN", help="where the attacker stands")
    chances.add_argument("--target-at", default="clear", metavar="TERRAIN", help="where the target stands")
    chances.add_argument("--moved", action="store_true", help="the shooters moved")
    chances.add_argument("--charged", action="store_true", help="the attacker charged")
    chances.add_argument("--event", help="the random event of this round")
    chances.add_argument("--loyalty", type=int, default=0, help="for a muster")
    chances.add_argument("--lost", type=numbers, default=(), metavar="1,3", help="for a muster: houses lost")

    aims = command("targets", "What a King may attack, and why or why not.", run_targets)
    aims.add_argument("--kingdoms", required=True, metavar="oak,fen,moor")
    aims.add_argument("--attacker", required=True)
    aims.add_argument("--held", action="append", default=[], metavar="fen.border_1=oak", help="territories in other hands, with commas between")  # fmt: skip
    aims.add_argument("--against", help="the King agreed on, where two agree to fight")

    scene = command(
        "scenario", "One scenario, by key, by roll or by chance; all of them without arguments.", run_scenario
    )
    scene.add_argument("key", nargs="?", help="for example last_stand")
    scene.add_argument("--roll", type=int, help="the d10")
    scene.add_argument("--seed", help="roll with dice from this word")

    event = command("event", "A round's random event; the table without arguments.", run_event)
    event.add_argument("key", nargs="?", help="for example storm")
    event.add_argument("--roll", type=int, help="the round's d10")
    event.add_argument("--table", type=int, help="the second d10, when the first is 8 or more")
    event.add_argument("--seed", help="roll with dice from this word")

    solo = command("solo", "What the solo opponent does.", run_solo)
    solo.add_argument("--unit", action="append", default=[], metavar="NAME=KEY,...", help="a unit of the opponent, for example Bows=bow_mice,targets=Riders@6/Hoppers@9 or Rats=rat_riders,engaged")  # fmt: skip
    solo.add_argument("--roll", type=int, help="the d10")
    solo.add_argument("--seed", help="roll with dice from this word")
    solo.add_argument("--won-unit", help="the unit that won a roll-off")
    solo.add_argument("--won-target", help="the target that won a roll-off")
    return top


def dice_of(sub: argparse.ArgumentParser) -> None:
    which = sub.add_mutually_exclusive_group()
    which.add_argument("--seed", help="a word the dice are made from; the same word gives the same army for ever")
    which.add_argument("--dice", type=numbers, metavar="5,6,10", help="your own dice, in the order they are asked for")


def numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.split(",") if word.strip())
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of whole numbers such as 1,3") from None


def options_of(given: argparse.Namespace) -> Options:
    told: dict[str, object] = {}
    for pair in given.option:
        key, equals, value = pair.partition("=")
        if not equals:
            raise Refusal(f"A house rule is written key=value, not “{pair}”.", field="option")
        told[key] = value
    return Options.from_differences(told)


def seed_of(given: argparse.Namespace) -> str:
    return given.seed if given.seed is not None else fresh_seed().hex()[:8]


# --- the commands --------------------------------------------------------------------------------------------


def run_muster(given: argparse.Namespace) -> Answered:
    call = Call(given.loyalty, given.lost, given.siege, given.vp, options_of(given))
    if given.rebels and given.siege != "attacker":
        raise Refusal("Only the attacker of a siege can buy rebel rolls; add --siege attacker.", field="rebels")
    if given.rebels * 5 > given.vp:
        raise Refusal(f"{given.rebels} rebel rolls cost {given.rebels * 5} VP, and there are {given.vp}; see --vp.", field="vp")  # fmt: skip
    seed = None if given.dice is not None else seed_of(given)
    if seed is None:
        cup = iter(d10s(given.dice, "die"))
    else:
        dice = Dice(seed)
        cup = iter(dice.d10, 0)  # a die never shows 0, so this never ends
    muster = begin(call)
    while muster.question:
        question = muster.question
        if question.choices:
            muster = answer(muster, _choice(question, given))
            continue
        face = next(cup, None)
        if face is None:
            raise Refusal(f"{question.title} There are no dice left; {len(given.dice)} were given.", field="dice")
        muster = answer(muster, face)
    army = muster.army
    assert army is not None
    data = {"seed": seed, "army": plain(army), "models": army.models, "problems": list(army.problems())}
    data["steps"] = [step.text for step in muster.steps]
    return data, told_muster(muster) + ([] if seed is None else ["", f"Seed: {seed}"])


def _choice(question: Question, given: argparse.Namespace) -> str:
    if question.kind == "rebel":
        return "buy" if question.slot.number <= given.rebels else "enough"
    if question.kind == "repeat":
        return "roll_again" if given.again else "keep"
    return question.default or ""


def run_odds(given: argparse.Namespace) -> Answered:
    options = options_of(given)
    if given.what == "muster":
        whole = army_odds(Call(given.loyalty, given.lost, options=options))
        more = one_more(given.loyalty, options)
        data = {"odds": plain(whole), "one_more_loyalty": list(more.lines)}
        return data, [*told_army_odds(whole), "", *told_one_more(more)]
    if not given.attacker or not given.target:
        raise Refusal(f"Odds of {given.what} need an attacker and a target, for example: odds {given.what} bow_mice hoppers.", field="attacker")  # fmt: skip
    told: dict[str, Any] = {
        "kind": given.what,
        "attacker": _unit(given.attacker),
        "target": _unit(given.target),
        "at": given.at,
        "target_at": given.target_at,
        "event": given.event,
    }
    if given.what == "shooting":
        if given.inches is None:
            raise Refusal("A shot needs its distance: add --inches.", field="inches")
        if given.charged:
            raise Refusal("A shot is no charge; --charged belongs to melee.", field="charged")
        told |= {"inches": given.inches, "moved": given.moved}
    else:
        if given.moved or given.inches is not None:
            raise Refusal("--moved and --inches belong to shooting.", field="moved")
        told["charged"] = given.charged
    situation = situation_from(told)
    title = f"{situation.attacker.unit.name} against {situation.target.unit.name}"
    if isinstance(situation, Shooting):
        shot = odds.shooting(situation, options)
        return {"attack": plain_attack(shot)}, told_attack(shot, title)
    return _melee_odds(situation, options, title)


def _melee_odds(situation: Melee, options: Options, title: str) -> Answered:
    exchange = odds.exchange(situation, options)
    fought = odds.fight_out(situation, options)
    data = {"exchange": plain_exchange(exchange), "fought_out": plain_fought_out(fought)}
    return data, [*told_attack(exchange.attack, title), *told_exchange(exchange), *told_fought_out(fought)]


def _unit(text: str) -> dict[str, Any]:
    """``rat_riders,hero=wizard,models=2,spear`` as plain data; a bare word is a flag."""
    key, *rest = [word.strip() for word in text.split(",")]
    told: dict[str, Any] = {"key": key}
    for word in rest:
        name, equals, value = word.partition("=")
        if not equals:
            told[name] = True
        else:
            told[name] = int(value) if value.isascii() and value.isdigit() else value
    return told


def run_targets(given: argparse.Namespace) -> Answered:
    realm = Realm.start(name.strip() for name in given.kingdoms.split(","))
    for pair in (pair for pairs in given.held for pair in pairs.split(",")):
        key, equals, holder = pair.partition("=")
        if not equals:
            raise Refusal(f"A territory in other hands is written kingdom.place=holder, not “{pair}”.", field="held")
        realm = realm.held_by(key, holder)
    found = targets(realm, given.attacker, options_of(given), against=given.against)
    data = {
        "attacker": given.attacker,
        "targets": [{**plain(target), "legal": target.legal, "siege": target.siege} for target in found],
    }
    return data, [f"What {given.attacker} may attack", *told_targets(found)]


def run_scenario(given: argparse.Namespace) -> Answered:
    if sum(one is not None for one in (given.key, given.roll, given.seed)) > 1:
        raise Refusal("Name a scenario, give its roll, or give a seed: one of the three.", field="scenario")
    if given.key is not None:
        scenario = scenario_of(given.key)
    elif given.roll is not None:
        scenario = scenario_rolled(given.roll)
    elif given.seed is not None:
        scenario = scenario_rolled(Dice(given.seed).d10())
    else:
        rows = [(str(one.roll or "-"), one.key, one.name, one.length) for one in SCENARIOS]
        return {"scenarios": plain(SCENARIOS)}, ["Scenarios", *columns(rows)]
    return {"scenario": plain(scenario)}, told_scenario(scenario)


def run_event(given: argparse.Namespace) -> Answered:
    if given.key is not None:
        event = event_of(given.key)
        return {"event": plain(event)}, told_event(event)
    if given.seed is not None:
        if given.roll is not None or given.table is not None:
            raise Refusal("Give your own dice or a seed, not both.", field="seed")
        dice = Dice(given.seed)
        given.roll = dice.d10()
        given.table = dice.d10() if event_strikes(given.roll) else None
    if given.roll is None:
        if given.table is not None:
            event = event_rolled(given.table)
            return {"event": plain(event)}, told_event(event)
        return {"events": plain(EVENTS), "in_a_hundred_rounds": dict(event_chances())}, told_events()
    if not event_strikes(given.roll):
        return {"roll": given.roll, "event": None}, [f"d10: {given.roll}", *told_event(None)]
    if given.table is None:
        raise Refusal(f"A {given.roll} brings an event; the second die is missing: add --table.", field="table")
    event = event_rolled(given.table)
    return {"roll": given.roll, "table": given.table, "event": plain(event)}, [f"d10: {given.roll}, then {given.table}", *told_event(event)]  # fmt: skip


def run_solo(given: argparse.Namespace) -> Answered:
    if not given.unit:
        raise Refusal("The opponent has no units; tell each with --unit, for example --unit Rats=rat_riders,engaged.", field="unit")  # fmt: skip
    army = [_solo_unit(text) for text in given.unit]
    if given.roll is not None and given.seed is not None:
        raise Refusal("Give the roll or a seed, not both.", field="roll")
    roll = given.roll if given.roll is not None else Dice(seed_of(given)).d10()
    decision = decide(army, roll, unit=given.won_unit, target=given.won_target)
    return {"decision": plain(decision), "text": decision.text}, told_decision(decision)


SEEN = ("targets", "chargeable", "enemies", "visible", "friends")
FLAGS = ("activated", "fleeing", "engaged", "fixed")


def _solo_unit(text: str) -> SoloUnit:
    name, equals, rest = text.partition("=")
    if not equals:
        raise Refusal(f"A unit is written name=key,..., not “{text}”.", field="unit")
    key, *words = [word.strip() for word in rest.split(",")]
    told: dict[str, Any] = {}
    for word in words:
        what, _, value = word.partition("=")
        if what in FLAGS and not value:
            told[what] = True
        elif what in SEEN:
            told[what] = tuple(_seen(one) for one in value.split("/"))
        elif what == "hero":
            told[what] = value
        else:
            raise Refusal(f"A unit of the opponent has no “{word}”; it has hero=, {', '.join(FLAGS)} and {'=, '.join(SEEN)}=.", field="unit")  # fmt: skip
    return SoloUnit(name, key, **told)


def _seen(text: str) -> Seen:
    name, _, distance = text.rpartition("@")
    try:
        return Seen(name, float(distance))
    except ValueError as error:
        if isinstance(error, Refusal):
            raise
        raise Refusal(f"Another unit is written name@inches, not “{text}”.", field="unit") from None


if __name__ == "__main__":
    sys.exit(main())
