"""The rulebook on the command line: readable text, JSON for machines, a clear sentence for bad arguments."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from rulebook.__main__ import main
from rulebook.battle.attack_situations import read_situation
from rulebook.odds.attack import shooting_odds
from rulebook.odds.melee import fight_odds
from rulebook.odds.odds_display import to_json

ROOT = Path(__file__).resolve().parents[3]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def data(capsys: pytest.CaptureFixture[str], *arguments: str):
    return json.loads(run(capsys, *arguments, "--json"))


def test_same_seed_always_gives_the_same_army(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "muster", "--loyalty", "-1", "--seed", "thorn")
    assert text.splitlines()[:5] == [
        "Army of 4 units, 15 models (loyalty −1)",
        "  The King's unit  King                            3 models  Q +3  AC 8",
        "  House 1          Mice-at-Arms led by a Musician  5 models  Q +2  AC 8",
        "  House 2          Bow-Mice led by a Barbarian     4 models  Q +1  AC 7",
        "  House 4          Rat Riders with spears          3 models  Q +2  AC 9",
    ]
    assert "House 3: its fealty is lost" in text
    assert run(capsys, "muster", "--loyalty", "-1", "--seed", "thorn") == text


def test_the_command_runs_without_django() -> None:
    """The command works in a fresh Python that cannot import Django."""
    guard = (
        "import sys; sys.modules['django'] = None; import runpy; sys.argv = ['rulebook', 'muster', '--seed', 'thorn']; "
    )
    done = subprocess.run(
        [sys.executable, "-c", guard + "runpy.run_module('rulebook', run_name='__main__')"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Army of 5 units")


def test_random_army_prints_the_seed_that_repeats_it(capsys: pytest.CaptureFixture[str]) -> None:
    first = run(capsys, "muster")
    seed = first.splitlines()[-1].removeprefix("Seed: ")
    assert run(capsys, "muster", "--seed", seed) == first


def test_dice_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    answer = data(capsys, "muster", "--dice", "7,1,1,1,1")
    assert answer["models"] == 15
    assert answer["army"]["dice"] == [7, 1, 1, 1, 1]
    assert answer["seed"] is None


def test_siege_muster_includes_its_train_and_rebels(capsys: pytest.CaptureFixture[str]) -> None:
    answer = data(capsys, "muster", "--siege", "attacker", "--vp", "7", "--rebels", "1", "--dice", "1,1,1,1,1,3")
    assert [unit["unit"] for unit in answer["army"]["units"]] == ["king"] + ["hoppers"] * 4 + ["cat_non"] * 2 + [
        "hoppers"
    ]
    assert answer["army"]["vp_spent"] == 5


def test_house_rules_are_given_as_options(capsys: pytest.CaptureFixture[str]) -> None:
    answer = data(capsys, "muster", "--loyalty", "9", "--dice", "1,1,1,1,1,1,1,1,1", "--option", "loyalty_cap=1")
    assert [unit["unit"] for unit in answer["army"]["units"][1:]] == ["field_mice"] * 4


def test_shooting_odds_include_their_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "odds", "shooting", "bow_mice", "field_mice", "--inches", "9", "--target-at", "barrier")
    assert "[A] Aiming" in text
    assert "[D] Long range" in text
    assert "1 [A] against 2 [D]: −1" in text
    answer = data(capsys, "odds", "shooting", "bow_mice", "field_mice", "--inches", "9", "--target-at", "barrier")
    exact = shooting_odds(
        read_situation(
            {"kind": "shooting", "attacker": "bow_mice", "target": "field_mice", "inches": 9, "target_at": "barrier"}
        )
    )  # type: ignore[arg-type]
    assert Fraction(answer["attack"]["unit_gone"]["exact"]) == exact.gone
    assert sum(Fraction(chance["exact"]) for chance in answer["attack"]["hits"]["chances"]) == 1


def test_melee_odds_cover_the_whole_fight(capsys: pytest.CaptureFixture[str]) -> None:
    unit = "mice_at_arms,hero=champion"
    answer = data(capsys, "odds", "melee", unit, "rat_riders,models=2,spear", "--charged")
    situation = read_situation(
        {
            "kind": "melee",
            "attacker": {"key": "mice_at_arms", "hero": "champion"},
            "target": {"key": "rat_riders", "models": 2, "spear": True},
            "charged": True,
        }
    )
    exact = fight_odds(situation)  # type: ignore[arg-type]
    assert Fraction(answer["fought_out"]["attacker_wins"]["exact"]) == exact.attacker_wins
    assert "Fought to the end" in run(capsys, "odds", "melee", unit, "hoppers")


def test_muster_odds_show_what_loyalty_buys(capsys: pytest.CaptureFixture[str]) -> None:
    assert "3.6 now, 3.5 then" in run(capsys, "odds", "muster")
    answer = data(capsys, "odds", "muster", "--loyalty", "3")
    assert answer["odds"]["house"]["models"] == {"exact": "31/10", "value": 3.1}


def test_held_territories_can_be_given_in_one_list_or_several(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("targets", "--kingdoms", "oak,fen,moor", "--attacker", "oak")
    one = run(capsys, *asked, "--held", "fen.border_1=moor,fen.border_2=oak")
    assert one == run(capsys, *asked, "--held", "fen.border_1=moor", "--held", "fen.border_2=oak")


def test_closed_pipe_causes_no_traceback() -> None:
    done = subprocess.run(
        f"{sys.executable} -m rulebook scenario --json | head -1", shell=True, capture_output=True, check=True, cwd=ROOT
    )
    assert done.stdout == b"{\n"
    assert done.stderr == b""


def test_targets_name_the_rule_that_allows_or_forbids_each(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "targets", "--kingdoms", "oak,fen", "--attacker", "oak", "--held", "fen.border_1=oak")
    assert text.splitlines()[1].startswith("  can attack  fen.border_2")
    answer = data(capsys, "targets", "--kingdoms", "oak,fen", "--attacker", "oak")
    legal = {target["territory"]: target["legal"] for target in answer["targets"]}
    assert [key for key, yes in legal.items() if yes] == ["fen.border_1", "fen.border_2"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["scenario"], "10  chevauchee"),
        (["scenario", "last_stand"], "6 barriers"),
        (["scenario", "--roll", "4"], "4 Break Free"),
        (["event"], "6 % of rounds"),
        (["event", "--rounds", "6"], "At least one event in 6 rounds: 88.2 %"),
        (["odds", "roll_off", "--dice", "oak=7,fen=7.3,moor=2"], "75.0 %"),
        (["odds", "muster", "--loyalty", "-1", "--musters", "2"], "Houses that lose fealty in 2 musters"),
        (["event", "storm"], "Storm: Every attack has a [D]"),
        (["event", "--roll", "7"], "No event this round."),
        (["event", "--roll", "9", "--table", "10"], "Reinforcements"),
        (["event", "--table", "3"], "Wind or dark sky"),
        (["solo", "--unit", "Bows=bow_mice,targets=Rats@6", "--roll", "2"], "Bows: Shoots"),
        (["solo", "--unit", "Rats=rat_riders,engaged", "--unit", "Mice=field_mice", "--roll", "8"], "Rats: Attacks"),
    ],
)
def test_each_command_answers_in_text_and_in_json(capsys, arguments: list[str], words: str) -> None:
    assert words in run(capsys, *arguments)
    assert data(capsys, *arguments)


def test_scenario_and_event_can_be_rolled_from_a_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "scenario", "--seed", "a") == run(capsys, "scenario", "--seed", "a")
    assert run(capsys, "event", "--seed", "b") == run(capsys, "event", "--seed", "b")
    assert run(capsys, "solo", "--unit", "M=field_mice", "--seed", "c")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["muster", "--dice", "1,2"], "No dice left: you gave 2."),
        (["muster", "--dice", "1,11"], "The die is 11. A d10 shows 1 to 10."),
        (["muster", "--lost", "7"], "There is no house 7"),
        (["muster", "--rebels", "1"], "Only the attacker of a siege can buy rebel rolls"),
        (["muster", "--siege", "attacker", "--rebels", "2", "--vp", "9"], "2 rebel rolls cost 10 VP; you have 9"),
        (["muster", "--option", "cheese=on"], "There is no house rule “cheese”"),
        (["muster", "--option", "flank_stacks"], "Write a house rule as key=value"),
        (["odds", "melee"], "Give an attacker and a target"),
        (["odds", "melee", "dragon", "hoppers"], "There is no unit “dragon”"),
        (["odds", "melee", "hoppers,wings", "hoppers"], "The attacker has no “wings”"),
        (["odds", "shooting", "bow_mice", "hoppers"], "Add --inches"),
        (["odds", "shooting", "bow_mice", "hoppers", "--inches", "-2"], "Give a distance in inches"),
        (["odds", "shooting", "field_mice", "hoppers", "--inches", "4"], "no shooting attack"),
        (["odds", "shooting", "bow_mice", "hoppers", "--inches", "4", "--charged"], "--charged is only for melee"),
        (["odds", "melee", "hoppers", "hoppers", "--moved"], "are only for shooting"),
        (["odds", "melee", "hoppers", "hoppers", "--at", "lava"], "There is no terrain “lava”"),
        (["targets", "--kingdoms", "oak", "--attacker", "oak"], "2 to 100 kingdoms"),
        (["targets", "--kingdoms", "oak,fen", "--attacker", "moor"], "moor"),
        (["targets", "--kingdoms", "oak,fen", "--attacker", "oak", "--held", "fen"], "kingdom.place=holder"),
        (["scenario", "picnic"], "There is no scenario “picnic”"),
        (["scenario", "--roll", "0"], "The scenario roll is 0"),
        (["scenario", "ambush", "--roll", "3"], "Give only one of"),
        (["event", "--roll", "9"], "Add --table"),
        (["event", "plague"], "There is no event “plague”"),
        (["event", "--seed", "a", "--roll", "3"], "not both"),
        (["solo"], "Add the opponent's units"),
        (["solo", "--unit", "Rats"], "Write a unit as name=key"),
        (["solo", "--unit", "Rats=rat_riders,wings"], "“wings” is not known"),
        (["solo", "--unit", "Bows=bow_mice,targets=Rats", "--roll", "1"], "name@inches"),
        (["solo", "--unit", "Bows=bow_mice,targets=Rats@-3", "--roll", "1"], "a distance in inches"),
    ],
)
def test_bad_arguments_are_refused_with_a_sentence(capsys, arguments: list[str], sentence: str) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [[], ["feast"], ["muster", "--loyalty", "much"], ["muster", "--lost", "one"], ["odds", "archery"]]
)
def test_arguments_of_the_wrong_shape_are_refused_with_the_usage(capsys, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: python -m rulebook" in capsys.readouterr().err


# --- plain data ----------------------------------------------------------------------------------------------


def test_fraction_is_given_exactly_and_as_a_decimal() -> None:
    assert to_json(Fraction(1, 3)) == {"exact": "1/3", "value": 0.333333}
    assert to_json({None: (1, "a")}) == {"nobody": [1, "a"]}
    with pytest.raises(TypeError, match="object has no plain form"):
        to_json(object())
