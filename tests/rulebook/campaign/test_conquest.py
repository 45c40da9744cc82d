"""What a battle does to the map: conquest, retaking, fallen Kings, the campaign won, loyalty of the two sides."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from refusal import Refusal
from rulebook.campaign.attack_targets import find_target, list_legal_targets
from rulebook.campaign.campaign_map import CampaignMap
from rulebook.campaign.conquest import (
    REASON,
    REASONS,
    CampaignWon,
    KingdomOut,
    LoyaltyChanged,
    TerritoryTaken,
    agreed_victory,
    apply_effects,
    battle_consequences,
)
from rulebook.data.house_rules import Options
from tests.rulebook.sample_maps import ONGOING, THREE, TWO, held, played_map

LOYALTY = (LoyaltyChanged("oak", 1, "loyalty_won"), LoyaltyChanged("fen", -1, "loyalty_lost"))


def test_an_attacking_winner_takes_the_contested_territory() -> None:
    """MAP-02"""
    after = battle_consequences(TWO, "oak", "fen.border_1", "attacker")
    assert after.effects == (*LOYALTY, TerritoryTaken("fen.border_1", "fen", "oak", "conquered"))
    assert after.campaign_map == TWO.with_holder("fen.border_1", "oak")
    assert (after.attacker, after.defender, after.winner) == ("oak", "fen", "oak")
    assert after.note.rules == ("MAP-02",)


def test_a_battle_posted_twice_is_refused_the_second_time() -> None:
    """MAP-02: the same battle posted twice."""
    after = battle_consequences(TWO, "oak", "fen.border_1", "attacker").campaign_map
    for agreed in (False, True):
        with pytest.raises(Refusal, match="You already hold it"):
            battle_consequences(after, "oak", "fen.border_1", "attacker", as_agreed=agreed)


def test_lost_territory_is_retaken_by_its_own_king() -> None:
    """MAP-03, MAP-04"""
    lost = held(TWO, fen_border_1="oak", fen_border_2="oak", fen_lands="oak")
    lands = battle_consequences(lost, "fen", "fen.lands", "attacker")
    assert lands.effects[-1] == TerritoryTaken("fen.lands", "oak", "fen", "retaken_lands")
    border = battle_consequences(lands.campaign_map, "fen", "fen.border_2", "attacker")
    assert border.effects[-1] == TerritoryTaken("fen.border_2", "oak", "fen", "retaken_border")
    assert border.campaign_map == held(TWO, fen_border_1="oak")


def test_a_defended_territory_stays_as_it_was() -> None:
    """MAP-02, R-78: a win of the defender moves loyalty only."""
    after = battle_consequences(TWO, "oak", "fen.border_1", "defender")
    assert after.campaign_map == TWO
    assert after.effects == (LoyaltyChanged("fen", 1, "loyalty_won"), LoyaltyChanged("oak", -1, "loyalty_lost"))
    assert after.note.key == "defended"


def test_a_draw_changes_neither_land_nor_loyalty() -> None:
    """R-56"""
    after = battle_consequences(TWO, "oak", "fen.border_1", "draw")
    assert (after.campaign_map, after.effects, after.winner, after.note.key) == (TWO, (), None, "drawn")


def test_only_the_two_kingdoms_that_fought_change_loyalty() -> None:
    """R-78, MUSTER-04"""
    campaign_map = held(THREE, fen_border_1="oak", fen_border_2="moor")
    for outcome, won, lost in (("attacker", "oak", "fen"), ("defender", "fen", "oak")):
        moved = {
            e.kingdom: e.change
            for e in battle_consequences(campaign_map, "oak", "fen.lands", outcome).effects
            if isinstance(e, LoyaltyChanged)
        }
        assert moved == {won: 1, lost: -1}


def test_loyalty_stays_at_its_limit() -> None:
    """R-07, R-78: with loyalty_cap 3"""
    rules = Options(loyalty_cap=3)
    at_the_top = battle_consequences(TWO, "oak", "fen.border_1", "attacker", rules, loyalty={"oak": 3, "fen": 0})
    assert [e for e in at_the_top.effects if isinstance(e, LoyaltyChanged)] == [
        LoyaltyChanged("fen", -1, "loyalty_lost")
    ]
    with pytest.raises(Refusal, match="Give the loyalty before"):
        battle_consequences(TWO, "oak", "fen.border_1", "attacker", rules)


def test_the_shortest_campaign_is_four_battles() -> None:
    """CAMP-05, CAMP-02"""
    campaign_map, battles = TWO, 0
    for key in ("fen.border_2", "fen.border_1", "fen.lands", "fen.castle"):
        after = battle_consequences(campaign_map, "oak", key, "attacker")
        campaign_map, battles = after.campaign_map, battles + 1
        assert (after.effects[-1] == CampaignWon("oak", "won_two")) is (battles == 4)
    # No shorter way: whatever is taken first, three other battles come before the castle.
    assert battles == 4


def test_failed_siege_does_not_end_the_campaign() -> None:
    """CAMP-06, R-77: the lands stay with their holder; only loyalty and VP change."""
    campaign_map = held(TWO, fen_border_1="oak", fen_border_2="oak", fen_lands="oak")
    after = battle_consequences(campaign_map, "oak", "fen.castle", "defender")
    assert after.campaign_map == campaign_map
    assert {type(e) for e in after.effects} == {LoyaltyChanged}
    assert after.note.key == "siege_defended"
    assert find_target(after.campaign_map, "oak", "fen.castle").legal


def test_the_first_successful_siege_among_more_players_wins() -> None:
    """CAMP-03, R-71"""
    campaign_map = held(THREE, fen_border_1="oak", fen_border_2="moor", fen_lands="oak")
    after = battle_consequences(campaign_map, "oak", "fen.castle", "attacker")
    assert after.effects[-1] == CampaignWon("oak", "won_held")
    assert (
        battle_consequences(campaign_map, "oak", "fen.castle", "attacker", Options(kingdoms_to_hold=3)).effects[-1]
        != after.effects[-1]
    )


def test_the_conqueror_gets_what_the_fallen_king_still_held() -> None:
    """R-72: his own land and his gains; third parties keep theirs."""
    four = CampaignMap.start(["oak", "fen", "moor", "ash"])
    campaign_map = held(
        four,
        fen_border_1="oak",
        fen_border_2="moor",
        fen_lands="oak",  # fen's map: oak at the gates, moor with one border
        moor_border_1="fen",
        oak_border_2="fen",  # fen's gains, one of them oak's own
    )
    after = battle_consequences(campaign_map, "oak", "fen.castle", "attacker", ONGOING)
    assert after.effects[2:] == (
        TerritoryTaken("fen.castle", "fen", "oak", "castle_taken"),
        KingdomOut("fen", "oak"),
        TerritoryTaken("oak.border_2", "fen", "oak", "inherited"),
        TerritoryTaken("moor.border_1", "fen", "oak", "inherited"),
    )
    assert after.campaign_map.holdings("fen") == ()
    assert after.campaign_map.holder("fen.border_2") == "moor"
    assert after.campaign_map.living == ("oak", "moor", "ash")


def test_castle_that_had_already_fallen_only_changes_hands() -> None:
    """R-70, R-72: with third_party_attacks on, nobody is out who was not out before."""
    rules = Options(third_party_attacks=True, kingdoms_to_hold=9)
    campaign_map = held(
        THREE, fen_border_1="oak", fen_border_2="moor", fen_lands="oak", fen_castle="moor", oak_border_1="moor"
    )
    after = battle_consequences(campaign_map, "oak", "fen.castle", "attacker", rules)
    assert after.effects[2:] == (TerritoryTaken("fen.castle", "moor", "oak", "castle_taken"),)
    assert after.campaign_map.holder("oak.border_1") == "moor"
    assert after.campaign_map.living == ("oak", "moor")


def test_last_king_wins_whatever_number_of_kingdoms_is_required() -> None:
    """CAMP-03, R-72"""
    campaign_map = held(THREE, fen_border_1="oak", fen_border_2="oak", fen_lands="oak", fen_castle="oak")
    campaign_map = held(campaign_map, moor_border_1="oak", moor_border_2="oak", moor_lands="oak")
    assert battle_consequences(campaign_map, "oak", "moor.castle", "attacker", ONGOING).effects[-1] == CampaignWon(
        "oak", "won_last"
    )


def test_a_campaign_is_won_once() -> None:
    """CAMP-03: a later battle does not win the campaign again."""
    won = held(THREE, fen_border_1="oak", fen_border_2="oak", fen_lands="oak", fen_castle="oak")
    with pytest.raises(Refusal, match="The campaign is over"):
        battle_consequences(won, "oak", "moor.border_1", "attacker")
    later = battle_consequences(won, "oak", "moor.border_1", "attacker", as_agreed=True)
    assert not any(isinstance(effect, CampaignWon) for effect in later.effects)


def test_players_may_agree_on_other_victory_conditions() -> None:
    """CAMP-04"""
    won = agreed_victory(THREE, "moor")
    assert won == CampaignWon("moor", "won_agreed")
    assert REASON[won.reason].rules == ("CAMP-04",)
    with pytest.raises(Refusal, match="without a castle is out"):
        agreed_victory(held(THREE, moor_castle="oak"), "moor")


def test_attack_the_map_forbids_is_refused_unless_the_players_agreed() -> None:
    """MAP-01: a correction is allowed because the players agreed."""
    with pytest.raises(Refusal, match="Both borderlands must fall"):
        battle_consequences(TWO, "oak", "fen.lands", "attacker")
    kept = battle_consequences(TWO, "oak", "fen.lands", "attacker", as_agreed=True)
    assert kept.effects[-1] == TerritoryTaken("fen.lands", "fen", "oak", "agreed")
    with pytest.raises(Refusal, match="“won”"):
        battle_consequences(TWO, "oak", "fen.border_1", "won")


@pytest.mark.parametrize("reason", REASONS, ids=lambda row: row.key)
def test_every_reason_has_a_sentence_and_a_rule(reason: object) -> None:
    row = REASON[reason.key]  # type: ignore[attr-defined]
    assert row.text.endswith(".")
    assert row.rules


def test_effects_of_a_fallen_castle_make_the_new_map() -> None:
    campaign_map = held(THREE, fen_border_1="oak", fen_border_2="moor", fen_lands="oak")
    after = battle_consequences(campaign_map, "oak", "fen.castle", "attacker")
    assert {type(e) for e in after.effects} == {TerritoryTaken, KingdomOut, LoyaltyChanged, CampaignWon}
    assert apply_effects(campaign_map, after.effects) == after.campaign_map


@given(played_map(), st.data())
def test_conquest_then_retaking_restores_the_map(campaign_map: CampaignMap, data: st.DataObject) -> None:
    """MAP-02, MAP-03, MAP-04: for every borderland or lands taken from the King they belong to."""
    pairs = [
        (attacker, t)
        for attacker in campaign_map.living
        for t in list_legal_targets(campaign_map, attacker, ONGOING)
        if not t.siege and not t.retaking and t.holder == t.territory.rpartition(".")[0]
    ]
    if not pairs:
        return
    attacker, fought = data.draw(st.sampled_from(pairs))
    lost = battle_consequences(campaign_map, attacker, fought.territory, "attacker", ONGOING)
    back = battle_consequences(lost.campaign_map, fought.holder, fought.territory, "attacker", ONGOING)
    assert lost.campaign_map != campaign_map
    assert back.campaign_map == campaign_map
    assert back.defender == attacker


@given(played_map(), st.data())
def test_the_effects_of_a_battle_are_all_that_changes(campaign_map: CampaignMap, data: st.DataObject) -> None:
    """MAP-10, R-72: folding the stored effects gives the same map, and kingdoms are never held twice."""
    able = [king for king in campaign_map.living if list_legal_targets(campaign_map, king, ONGOING)]
    if not able:
        return
    attacker = data.draw(st.sampled_from(able))
    chosen = data.draw(st.sampled_from(list_legal_targets(campaign_map, attacker, ONGOING)))
    outcome = data.draw(st.sampled_from(["attacker", "defender", "draw"]))
    after = battle_consequences(campaign_map, attacker, chosen.territory, outcome, ONGOING)
    assert apply_effects(campaign_map, after.effects) == after.campaign_map
    changed = {key for key, who in after.campaign_map if campaign_map.holder(key) != who}
    assert changed == {e.territory for e in after.effects if isinstance(e, TerritoryTaken)}
    assert sum(after.campaign_map.castles(king) for king in after.campaign_map.kingdoms) == len(campaign_map.kingdoms)


def test_an_inherited_border_opens_the_lands_behind_it() -> None:
    """R-105, R-72, MAP-08"""
    before = held(THREE, moor_border_1="fen", moor_border_2="oak", fen_border_1="oak", fen_border_2="oak")
    before = held(before, fen_lands="oak", oak_border_1="moor")
    after = battle_consequences(before, "oak", "fen.castle", "attacker", ONGOING).campaign_map
    assert after.holder("moor.border_1") == "oak"
    lone = held(after, moor_border_2="moor")
    assert not find_target(lone, "oak", "moor.lands", ONGOING).legal, "both borderlands have to fall"
    assert find_target(after, "oak", "moor.lands", ONGOING).legal
    only_inherited = held(after, moor_border_2="fen")
    assert find_target(only_inherited, "oak", "moor.lands", ONGOING).legal
