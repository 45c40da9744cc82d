"""The rulebook on the command line: readable text, JSON for machines, a clear sentence for bad arguments."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from rulebook.__main__ import main
from rulebook.odds import fight_out, shooting
from rulebook.plain import plain, situation_from

ROOT = Path(__file__).resolve().parents[2]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def data(capsys: pytest.CaptureFixture[str], *arguments: str):
    return json.loads(said(capsys, *arguments, "--json"))


def test_the_same_seed_gives_the_same_army_for_ever(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "muster", "--loyalty", "-1", "--seed", "thorn")
    assert text.splitlines()[:5] == [
        "Army of 4 units, 15 models (loyalty −1)",
        "  The King's unit  King                            3 models  Q +3  AC 8",
        "  House 1          Mice-at-Arms led by a Musician  5 models  Q +2  AC 8",
        "  House 2          Bow-Mice led by a Barbarian     4 models  Q +1  AC 7",
        "  House 4          Rat Riders with spears          3 models  Q +2  AC 9",
    ]
    assert "House 3: its fealty is lost" in text
    assert said(capsys, "muster", "--loyalty", "-1", "--seed", "thorn") == text


def test_the_command_runs_without_django() -> None:
    """A fresh Python that refuses to load Django still musters."""
    guard = (
        "import sys; sys.modules['django'] = None; import runpy; sys.argv = ['rulebook', 'muster', '--seed', 'thorn']; "
    )
    done = subprocess.run(
        [sys.executable, "-c", guard + "runpy.run_module('rulebook', run_name='__main__')"],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Army of 5 units")


def test_without_a_seed_the_army_can_be_had_again_by_the_seed_it_names(capsys: pytest.CaptureFixture[str]) -> None:
    first = said(capsys, "muster")
    seed = first.splitlines()[-1].removeprefix("Seed: ")
    assert said(capsys, "muster", "--seed", seed) == first


def test_ones_own_dice_may_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    told = data(capsys, "muster", "--dice", "7,1,1,1,1")
    assert told["models"] == 15
    assert told["army"]["dice"] == [7, 1, 1, 1, 1]
    assert told["seed"] is None


def test_a_siege_brings_its_train_and_its_rebels(capsys: pytest.CaptureFixture[str]) -> None:
    told = data(capsys, "muster", "--siege", "attacker", "--vp", "7", "--rebels", "1", "--dice", "1,1,1,1,1,3")
    assert [unit["unit"] for unit in told["army"]["units"]] == ["king"] + ["hoppers"] * 4 + ["cat_non"] * 2 + [
        "hoppers"
    ]
    assert told["army"]["vp_spent"] == 5


def test_house_rules_are_given_as_options(capsys: pytest.CaptureFixture[str]) -> None:
    told = data(capsys, "muster", "--loyalty", "9", "--dice", "1,1,1,1,1,1,1,1,1", "--option", "loyalty_cap=1")
    assert [unit["unit"] for unit in told["army"]["units"][1:]] == ["field_mice"] * 4


def test_odds_of_a_shot_carry_their_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "odds", "shooting", "bow_mice", "field_mice", "--inches", "9", "--target-at", "barrier")
    assert "[A] Aiming" in text
    assert "[D] Long range" in text
    assert "1 [A] against 2 [D]: −1" in text
    told = data(capsys, "odds", "shooting", "bow_mice", "field_mice", "--inches", "9", "--target-at", "barrier")
    exact = shooting(situation_from({"kind": "shooting", "attacker": "bow_mice", "target": "field_mice", "inches": 9, "target_at": "barrier"}))  # type: ignore[arg-type]  # fmt: skip
    assert Fraction(told["attack"]["unit_gone"]["exact"]) == exact.gone
    assert sum(Fraction(chance["exact"]) for chance in told["attack"]["hits"]["chances"]) == 1


def test_odds_of_a_melee_go_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    unit = "mice_at_arms,hero=champion"
    told = data(capsys, "odds", "melee", unit, "rat_riders,models=2,spear", "--charged")
    situation = situation_from(
        {
            "kind": "melee",
            "attacker": {"key": "mice_at_arms", "hero": "champion"},
            "target": {"key": "rat_riders", "models": 2, "spear": True},
            "charged": True,
        }
    )
    exact = fight_out(situation)  # type: ignore[arg-type]
    assert Fraction(told["fought_out"]["attacker_wins"]["exact"]) == exact.attacker_wins
    assert "Fought to the end" in said(capsys, "odds", "melee", unit, "hoppers")


def test_odds_of_a_muster_tell_what_loyalty_buys(capsys: pytest.CaptureFixture[str]) -> None:
    assert "3.6 before, 3.5 after" in said(capsys, "odds", "muster")
    told = data(capsys, "odds", "muster", "--loyalty", "3")
    assert told["odds"]["house"]["models"] == {"exact": "31/10", "value": 3.1}


def test_territories_in_other_hands_stand_in_one_list_or_in_several(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("targets", "--kingdoms", "oak,fen,moor", "--attacker", "oak")
    one = said(capsys, *asked, "--held", "fen.border_1=moor,fen.border_2=oak")
    assert one == said(capsys, *asked, "--held", "fen.border_1=moor", "--held", "fen.border_2=oak")


def test_who_reads_only_the_first_line_sees_no_traceback() -> None:
    done = subprocess.run(
        f"{sys.executable} -m rulebook scenario --json | head -1", shell=True, capture_output=True, check=True, cwd=ROOT
    )
    assert done.stdout == b"{\n"
    assert done.stderr == b""


def test_targets_name_the_rule_that_allows_or_forbids_each(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "targets", "--kingdoms", "oak,fen", "--attacker", "oak", "--held", "fen.border_1=oak")
    assert text.splitlines()[1].startswith("  may attack  fen.border_2")
    told = data(capsys, "targets", "--kingdoms", "oak,fen", "--attacker", "oak")
    legal = {target["territory"]: target["legal"] for target in told["targets"]}
    assert [key for key, yes in legal.items() if yes] == ["fen.border_1", "fen.border_2"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["scenario"], "10  chevauchee"),
        (["scenario", "last_stand"], "6 barriers"),
        (["scenario", "--roll", "4"], "4 Break Free"),
        (["event"], "6 % of rounds"),
        (["event", "storm"], "Storm: Every attack has a [D]"),
        (["event", "--roll", "7"], "No event this round."),
        (["event", "--roll", "9", "--table", "10"], "Reinforcements"),
        (["event", "--table", "3"], "Wind or dark sky"),
        (["solo", "--unit", "Bows=bow_mice,targets=Rats@6", "--roll", "2"], "Bows: Shoots"),
        (["solo", "--unit", "Rats=rat_riders,engaged", "--unit", "Mice=field_mice", "--roll", "8"], "Rats: Attacks"),
    ],
)
def test_each_command_answers_in_text_and_in_json(capsys, arguments: list[str], words: str) -> None:
    assert words in said(capsys, *arguments)
    assert data(capsys, *arguments)


def test_scenario_and_event_can_be_rolled_from_a_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "scenario", "--seed", "a") == said(capsys, "scenario", "--seed", "a")
    assert said(capsys, "event", "--seed", "b") == said(capsys, "event", "--seed", "b")
    assert said(capsys, "solo", "--unit", "M=field_mice", "--seed", "c")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["muster", "--dice", "1,2"], "There are no dice left; 2 were given."),
        (["muster", "--dice", "1,11"], "The die is 11; a d10 shows 1 to 10."),
        (["muster", "--lost", "7"], "There is no house 7"),
        (["muster", "--rebels", "1"], "Only the attacker of a siege can buy rebel rolls"),
        (["muster", "--siege", "attacker", "--rebels", "2", "--vp", "9"], "2 rebel rolls cost 10 VP, and there are 9"),
        (["muster", "--option", "cheese=on"], "There is no house rule “cheese”"),
        (["muster", "--option", "flank_stacks"], "A house rule is written key=value"),
        (["odds", "melee"], "need an attacker and a target"),
        (["odds", "melee", "dragon", "hoppers"], "There is no unit “dragon”"),
        (["odds", "melee", "hoppers,wings", "hoppers"], "The attacker has no “wings”"),
        (["odds", "shooting", "bow_mice", "hoppers"], "A shot needs its distance"),
        (["odds", "shooting", "bow_mice", "hoppers", "--inches", "-2"], "a distance in inches is needed"),
        (["odds", "shooting", "field_mice", "hoppers", "--inches", "4"], "no shooting attack"),
        (["odds", "shooting", "bow_mice", "hoppers", "--inches", "4", "--charged"], "A shot is no charge"),
        (["odds", "melee", "hoppers", "hoppers", "--moved"], "belong to shooting"),
        (["odds", "melee", "hoppers", "hoppers", "--at", "lava"], "There is no terrain “lava”"),
        (["targets", "--kingdoms", "oak", "--attacker", "oak"], "2 to 100 kingdoms"),
        (["targets", "--kingdoms", "oak,fen", "--attacker", "moor"], "moor"),
        (["targets", "--kingdoms", "oak,fen", "--attacker", "oak", "--held", "fen"], "kingdom.place=holder"),
        (["scenario", "picnic"], "There is no scenario “picnic”"),
        (["scenario", "--roll", "0"], "The scenario roll is 0"),
        (["scenario", "ambush", "--roll", "3"], "one of the three"),
        (["event", "--roll", "9"], "add --table"),
        (["event", "plague"], "There is no event “plague”"),
        (["event", "--seed", "a", "--roll", "3"], "not both"),
        (["solo"], "The opponent has no units"),
        (["solo", "--unit", "Rats"], "A unit is written name=key"),
        (["solo", "--unit", "Rats=rat_riders,wings"], "has no “wings”"),
        (["solo", "--unit", "Bows=bow_mice,targets=Rats", "--roll", "1"], "name@inches"),
        (["solo", "--unit", "Bows=bow_mice,targets=Rats@-3", "--roll", "1"], "a distance in inches"),
    ],
)
def test_bad_arguments_are_told_in_a_sentence(capsys, arguments: list[str], sentence: str) -> None:
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


def test_a_fraction_is_told_exactly_and_as_a_number() -> None:
    assert plain(Fraction(1, 3)) == {"exact": "1/3", "value": 0.333333}
    assert plain({None: (1, "a")}) == {"nobody": [1, "a"]}
    with pytest.raises(TypeError, match="object has no plain form"):
        plain(object())
