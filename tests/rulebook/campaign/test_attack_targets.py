"""What a King can attack: the rule for every territory, and a brute-force reading of the map beside it."""

from __future__ import annotations

import time
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from refusal import Refusal
from rulebook.campaign.attack_targets import (
    VERDICT,
    VERDICTS,
    can_attack,
    declare_attack,
    find_target,
    list_legal_targets,
    list_targets,
    start_attacker_roll_off,
)
from rulebook.campaign.campaign_map import CampaignMap, find_victory
from rulebook.data.house_rules import Options
from tests.rulebook.sample_maps import ONGOING, RIVALS, THREE, TWO, any_map, held, played_map


def verdict(campaign_map: CampaignMap, attacker: str, key: str, options: Options = ONGOING) -> str:
    return find_target(campaign_map, attacker, key, options).verdict.key


def test_the_order_of_conquest_is_both_borderlands_then_lands_then_castle() -> None:
    """MAP-01"""
    campaign_map = TWO
    for open_now in (["fen.border_1", "fen.border_2"], ["fen.border_2"], ["fen.lands"], ["fen.castle"]):
        assert [t.territory for t in list_legal_targets(campaign_map, "oak")] == open_now
        campaign_map = campaign_map.with_holder(open_now[0], "oak")
    assert verdict(TWO, "oak", "fen.lands") == "borders_stand"
    assert find_target(TWO, "oak", "fen.lands").needs == ("fen.border_1", "fen.border_2")
    assert find_target(TWO, "oak", "fen.castle").needs == ("fen.lands",)
    assert find_victory(campaign_map) is not None


def test_own_lands_can_be_retaken_while_the_castle_is_held() -> None:
    """MAP-03, R-76: nothing else is asked, not even a borderland."""
    campaign_map = held(TWO, oak_border_1="fen", oak_border_2="fen", oak_lands="fen")
    assert [t.territory for t in list_legal_targets(campaign_map, "oak")] == ["oak.lands"]
    assert verdict(campaign_map, "oak", "oak.lands") == "retake_lands"
    assert find_target(campaign_map, "oak", "oak.lands").retaking


def test_own_borderlands_can_be_retaken_while_the_lands_are_held() -> None:
    """MAP-04, R-76: while the lands are lost they are refused."""
    campaign_map = held(TWO, oak_border_1="fen", oak_border_2="fen")
    assert verdict(campaign_map, "oak", "oak.border_1") == "retake_border"
    lost = held(campaign_map, oak_lands="fen")
    assert verdict(lost, "oak", "oak.border_1") == "lands_first"
    assert find_target(lost, "oak", "oak.border_1").needs == ("oak.lands",)
    with pytest.raises(Refusal, match="Retake them first"):
        declare_attack(lost, "oak", "oak.border_1")


def test_an_attacker_needs_a_territory_beside_the_target() -> None:
    """MAP-05, MAP-06: without any borderland nobody reaches a foreign one."""
    cut_off = held(THREE, oak_border_1="fen", oak_border_2="moor")
    assert verdict(cut_off, "oak", "fen.border_1") == "nothing_beside"
    # One borderland, wherever it lies, touches them all.
    abroad = held(cut_off, moor_border_1="oak")
    assert verdict(abroad, "oak", "fen.border_1") == "border_open"
    assert verdict(abroad, "oak", "moor.border_2") == "border_open"


def test_the_lands_behind_a_borderland_touch_it_too() -> None:
    """MAP-05, R-69"""
    # With every borderland lost but a rival's lands in hand; only the table's own agreement leads here.
    campaign_map = held(THREE, oak_border_1="fen", oak_border_2="fen", moor_lands="oak")
    assert verdict(campaign_map, "oak", "moor.border_1") == "border_by_lands"
    assert verdict(campaign_map, "oak", "fen.border_1") == "nothing_beside"


def test_targets_are_unconquered_enemy_territory_or_own_lost_territory() -> None:
    """MAP-07"""
    assert verdict(THREE, "oak", "oak.border_1") == "yours"
    assert verdict(held(THREE, fen_border_1="oak"), "oak", "fen.border_1") == "yours"
    assert verdict(THREE, "oak", "fen.border_1") == "border_open"
    assert verdict(held(THREE, oak_border_1="fen"), "oak", "oak.border_1") == "retake_border"


def test_land_one_rival_took_from_another_is_closed_to_a_third() -> None:
    """R-70, MAP-07: with third_party_attacks off and on"""
    campaign_map = held(THREE, fen_border_1="moor", fen_border_2="moor", fen_lands="moor")
    assert verdict(campaign_map, "oak", "fen.border_1") == "third_party"
    assert verdict(campaign_map, "oak", "fen.border_1", RIVALS) == "rival_border"
    assert find_target(campaign_map, "oak", "fen.border_1", RIVALS).defender == "moor"
    assert verdict(campaign_map, "oak", "fen.lands", RIVALS) == "borders_not_yours"
    with_one = held(campaign_map, fen_border_1="oak")
    assert verdict(with_one, "oak", "fen.lands") == "third_party"
    assert verdict(with_one, "oak", "fen.lands", RIVALS) == "rival_lands"
    fallen = held(with_one, fen_lands="oak", fen_castle="moor")
    assert verdict(fallen, "oak", "fen.castle", ONGOING) == "third_party"
    assert verdict(fallen, "oak", "fen.castle", Options(third_party_attacks=True, kingdoms_to_hold=9)) == "rival_castle"


def test_with_two_players_both_borderlands_must_be_yours_before_the_lands() -> None:
    """MAP-01, MAP-08: the two-player reading."""
    assert verdict(held(TWO, fen_border_1="oak"), "oak", "fen.lands") == "borders_stand"
    assert find_target(held(TWO, fen_border_1="oak"), "oak", "fen.lands").needs == ("fen.border_2",)
    assert verdict(held(TWO, fen_border_1="oak", fen_border_2="oak"), "oak", "fen.lands") == "lands_open_two"


def test_with_more_players_both_must_have_fallen_and_one_of_them_to_you() -> None:
    """MAP-08, R-75"""
    campaign_map = held(THREE, fen_border_1="oak", fen_border_2="moor")
    assert verdict(campaign_map, "oak", "fen.lands") == "lands_open"
    assert verdict(campaign_map, "moor", "fen.lands") == "lands_open"
    assert verdict(held(THREE, fen_border_1="oak"), "oak", "fen.lands") == "borders_stand"
    assert verdict(held(THREE, fen_border_1="moor", fen_border_2="moor"), "oak", "fen.lands") == "borders_not_yours"
    # A borderland retaken by its own King has not fallen.
    assert verdict(held(campaign_map, fen_border_2="fen"), "oak", "fen.lands") == "borders_stand"


def test_only_the_holder_of_the_lands_may_besiege() -> None:
    """MAP-09: an ally of the holder cannot."""
    campaign_map = held(THREE, fen_border_1="oak", fen_border_2="moor", fen_lands="moor")
    assert verdict(campaign_map, "oak", "fen.castle") == "lands_not_yours"
    assert [t.territory for t in list_legal_targets(campaign_map, "moor") if t.siege] == ["fen.castle"]
    assert not any(t.siege for t in list_legal_targets(campaign_map, "oak"))
    assert find_target(campaign_map, "moor", "fen.castle").siege
    with pytest.raises(Refusal, match="Only the King who holds the lands"):
        declare_attack(campaign_map, "oak", "fen.castle")


def test_the_attacker_picks_the_territory_and_its_holder_defends() -> None:
    """ATTACKER-03, R-73"""
    campaign_map = held(THREE, oak_border_1="moor")
    assert declare_attack(campaign_map, "oak", "fen.border_2").defender == "fen"
    assert declare_attack(campaign_map, "oak", "oak.border_1").defender == "moor"
    assert declare_attack(campaign_map, "fen", "oak.border_2").defender == "oak"
    assert find_target(campaign_map, "fen", "oak.border_1").defender is None


def test_a_target_that_has_changed_hands_meanwhile_is_refused_as_stale() -> None:
    """ATTACKER-03: a form submitted with an old map."""
    campaign_map = held(THREE, fen_border_1="moor")
    with pytest.raises(Refusal, match=r"fen\.border_1 has changed hands: moor holds it now") as refused:
        declare_attack(campaign_map, "oak", "fen.border_1", seen_holder="fen")
    assert refused.value.status == 409
    assert refused.value.fresh == {"territory": "fen.border_1", "holder": "moor"}
    assert declare_attack(campaign_map, "oak", "fen.border_2", seen_holder="fen").legal


def test_a_king_who_is_out_attacks_nothing_and_a_won_campaign_is_over() -> None:
    """R-72, CAMP-03"""
    campaign_map = held(THREE, fen_border_1="oak", fen_border_2="oak", fen_lands="oak", fen_castle="oak")
    assert {t.verdict.key for t in list_targets(campaign_map, "fen")} == {"king_out"}
    assert {t.verdict.key for t in list_targets(campaign_map, "moor")} == {"campaign_won"}
    assert list_legal_targets(campaign_map, "moor", ONGOING)


def test_highest_roller_attacks_unless_it_has_no_target() -> None:
    """R-73, R-74"""
    # Oak lost nothing but every foreign borderland is already taken by others.
    campaign_map = held(THREE, fen_border_1="moor", fen_border_2="moor", moor_border_1="fen", moor_border_2="fen")
    assert list_legal_targets(campaign_map, "oak") == ()
    assert not can_attack(campaign_map, "oak")
    roll_off = start_attacker_roll_off(campaign_map, vp={"fen": 2, "oak": 1})
    assert roll_off.players == ("oak", "fen", "moor")
    assert roll_off.passing == ("oak",)
    assert roll_off.vp_left("fen") == 2
    assert roll_off.with_rolls({"oak": 10, "fen": 3, "moor": 7}).winner == "moor"


def test_by_house_rule_two_kings_agree_to_fight_and_roll() -> None:
    """R-73 with attacker_choice agreed_pair"""
    rules = Options(attacker_choice="agreed_pair")
    roll_off = start_attacker_roll_off(THREE, rules, pair=("moor", "oak"))
    assert roll_off.players == ("moor", "oak")
    with pytest.raises(Refusal, match="Choose the two"):
        start_attacker_roll_off(THREE, rules)
    with pytest.raises(Refusal, match="Every King still in play rolls"):
        start_attacker_roll_off(THREE, pair=("moor", "oak"))
    # The winner then picks among what the other holds.
    campaign_map = held(THREE, oak_border_1="fen")
    assert [t.territory for t in list_legal_targets(campaign_map, "oak", rules, against="moor")] == [
        "moor.border_1",
        "moor.border_2",
    ]
    assert verdict(campaign_map, "oak", "fen.border_1") == "border_open"
    assert find_target(campaign_map, "oak", "fen.border_1", rules, against="moor").verdict.key == "not_agreed"
    assert find_target(campaign_map, "oak", "oak.border_1", rules, against="moor").verdict.key == "not_agreed"
    assert find_target(campaign_map, "oak", "oak.border_1", rules, against="fen").verdict.key == "retake_border"
    # With two Kings there is nothing to agree on.
    assert start_attacker_roll_off(TWO, rules).players == ("oak", "fen")


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda row: row.key)
def test_every_verdict_has_a_sentence_and_a_rule(verdict: object) -> None:
    row = VERDICT[verdict.key]  # type: ignore[attr-defined]
    assert row.text.endswith(".")
    assert row.rules


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: list_targets(CampaignMap().with_kingdom("oak"), "oak"), "needs at least 2 kingdoms"),
        (lambda: list_targets(TWO, "ash"), "no kingdom “ash”"),
        (lambda: find_target(TWO, "oak", "ash.lands"), "no kingdom “ash”"),
        (lambda: find_target(TWO, "oak", "fen.moat"), "“fen.moat” is not a territory"),
        (lambda: list_targets(THREE, "oak", against="ash"), "no kingdom “ash”"),
        (lambda: list_targets(THREE, "oak", against="oak"), "cannot fight itself"),
        (lambda: declare_attack(TWO, "oak", "oak.lands"), "You already hold it"),
        (lambda: start_attacker_roll_off(held(TWO, fen_castle="oak")), "not enough Kings left"),
        (lambda: start_attacker_roll_off(held(THREE, fen_castle="oak")), "The campaign is over"),
        (lambda: start_attacker_roll_off(TWO, pair=("oak", "oak")), "not just two"),
        (
            lambda: start_attacker_roll_off(THREE, Options(attacker_choice="agreed_pair"), pair=("oak", "oak")),
            "two different",
        ),
        (
            lambda: start_attacker_roll_off(THREE, Options(attacker_choice="agreed_pair"), pair=("oak", "ash")),
            "ash is not in play",
        ),
    ],
)
def test_impossible_values_are_refused_by_name(act: object, says: str) -> None:
    with pytest.raises(Refusal, match=says):
        act()  # type: ignore[operator]


# --- the same answers from a brute-force reading of the map -----------------------------------------------------


def neighbours_by_hand(campaign_map: CampaignMap) -> set[frozenset[str]]:
    """Every pair of touching territories, written out."""
    pairs = set()
    for k in campaign_map.kingdoms:
        for one, other in (("castle", "lands"), ("lands", "border_1"), ("lands", "border_2"), ("border_1", "border_2")):
            pairs.add(frozenset({f"{k}.{one}", f"{k}.{other}"}))
    for k, m in combinations(campaign_map.kingdoms, 2):
        for one in ("border_1", "border_2"):
            for other in ("border_1", "border_2"):
                pairs.add(frozenset({f"{k}.{one}", f"{m}.{other}"}))
    return pairs


def legal_by_hand(campaign_map: CampaignMap, attacker: str, third_party: bool) -> set[str]:
    """The chapter read word by word: own lost territory, or an unconquered one beside something the attacker holds."""
    holder = dict(campaign_map)
    touching = neighbours_by_hand(campaign_map)
    open_to_him = set()
    for key, now in holder.items():
        owner, _, place = key.rpartition(".")
        if now == attacker:
            continue
        borders = [holder[f"{owner}.border_1"], holder[f"{owner}.border_2"]]
        if owner == attacker:
            allowed = place == "lands" or (place.startswith("border") and holder[f"{owner}.lands"] == attacker)
        elif now != owner and not third_party:
            allowed = False
        else:
            beside = any(frozenset({key, other}) in touching for other, who in holder.items() if who == attacker)
            if place == "lands":
                allowed = beside and owner not in borders and attacker in borders
            elif place == "castle":
                allowed = beside and holder[f"{owner}.lands"] == attacker
            else:
                allowed = beside
        if allowed:
            open_to_him.add(key)
    return open_to_him


@given(st.one_of(any_map(), played_map()), st.booleans(), st.data())
def test_legal_targets_match_a_brute_force_reading(
    campaign_map: CampaignMap, third_party: bool, data: st.DataObject
) -> None:
    """MAP-05, MAP-07, MAP-08, R-70"""
    options = Options(third_party_attacks=third_party, kingdoms_to_hold=100)
    attacker = data.draw(st.sampled_from(campaign_map.kingdoms))
    answers = list_targets(campaign_map, attacker, options)
    assert [t.territory for t in answers] == [key for key, _ in campaign_map]
    legal = {t.territory for t in answers if t.legal}
    if campaign_map.is_out(attacker) or find_victory(campaign_map, options) is not None:
        assert legal == set()
    else:
        assert legal == legal_by_hand(campaign_map, attacker, third_party)
    assert can_attack(campaign_map, attacker, options) is bool(legal)
    for answer in answers:
        assert answer == find_target(campaign_map, attacker, answer.territory, options)
        assert answer.holder == campaign_map.holder(answer.territory)
        assert all(campaign_map.holder(key) != attacker for key in answer.needs)


@given(played_map())
def test_somebody_can_always_attack_while_two_kings_live(campaign_map: CampaignMap) -> None:
    """R-74: with two players everybody can; with more, at least one King can."""
    if len(campaign_map.living) < 2:
        return
    able = [king for king in campaign_map.living if can_attack(campaign_map, king, ONGOING)]
    assert able
    if len(campaign_map.kingdoms) == 2:
        assert able == list(campaign_map.living)


@given(played_map())
def test_battles_by_the_book_leave_a_map_without_problems(campaign_map: CampaignMap) -> None:
    """R-72: and a King who is out holds nothing."""
    assert campaign_map.problems() == ()
    assert all(campaign_map.holdings(king) == () for king in campaign_map.out)


@pytest.mark.clock
def test_hundred_kingdoms_are_checked_quickly() -> None:
    campaign_map = CampaignMap.start(f"k{i}" for i in range(100))
    answers = list_targets(campaign_map, "k0")
    assert len(answers) == 400
    assert sum(t.legal for t in answers) == 198
    started = time.perf_counter()
    for king in campaign_map.kingdoms:
        list_targets(campaign_map, king)
    # 40,000 verdicts take about a tenth of a second; the limit only catches quadratic growth.
    assert time.perf_counter() - started < 3
    assert len(start_attacker_roll_off(campaign_map).waiting) == 100
